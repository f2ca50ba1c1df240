import fc from 'fast-check';
import { type GasnetOperation, refusedCalls } from '../../machines/tca/gasnet-operations.ts';
import { settings } from './gasnet-settings.arbitrary.ts';

/*
 * Programs of GASNet as data, in phases between barriers. In a phase each rank writes areas of its own in one bank of the segments and reads the other
 * bank, so that one sequential memory says what must be left, whatever the order.
 */

type Region = 'cpu' | 'gpu' | 'private';
type Place = readonly [node: number, region: Region, offset: number];
/** As a scenario writes it: what has a default may be left out. */
type Written = Partial<GasnetOperation> & { readonly op: GasnetOperation['op'] };

/** Bytes that one operation may touch at one end, operations of a rank in a phase, and ranks. */
const roomBytes = 3072;
const operationsMost = 4;
const ranksMost = 4;
const areaBytes = roomBytes * operationsMost;
const bankBytes = areaBytes * ranksMost;
const phasesMost = 3;
/** Behind both banks: what operations are made from, where gets go, and what collective operations need. */
const sourcesAt = 2 * bankBytes;
const fetchedAt = sourcesAt + areaBytes;
const togetherAt = fetchedAt + areaBytes;

/** Memory of a node that holds all this, in either kind. */
export const listMemory = { cpuBytes: 2 ** 20, gpuBytes: 2 ** 18 };

const kinds = [
  'put',
  'put',
  'putBlocks',
  'get',
  'getBlocks',
  'memset',
  'putValue',
  'getValue',
  'putVector',
  'getVector',
  'putStrided',
  'getStrided',
  'short',
  'medium',
  'long',
  'copy',
  'compute',
  'poll',
  'locked',
  'chatter',
  'refused',
  'small behind large',
  'gets',
  'wide',
  'wide',
  'repeated',
] as const;

const rawOperation = fc.record({
  kind: fc.constantFrom(...kinds),
  form: fc.constantFrom('blocking' as const, 'nb' as const, 'nbi' as const),
  bulk: fc.boolean(),
  target: fc.nat(ranksMost - 1),
  writer: fc.nat(ranksMost - 1),
  region: fc.constantFrom<'cpu' | 'gpu'>('cpu', 'gpu'),
  own: fc.constantFrom<Region>('cpu', 'gpu', 'private'),
  size: fc.oneof(
    fc.integer({ min: 0, max: 70 }),
    fc.integer({ min: 71, max: 2400 }),
    fc.constantFrom(512, 1024, 2048, 2800),
  ),
  shift: fc.oneof(fc.constant(0), fc.nat(40)),
  sourceShift: fc.oneof(fc.constant(0), fc.nat(40)),
  count: fc.integer({ min: 1, max: 4 }),
  planes: fc.integer({ min: 1, max: 3 }),
  gap: fc.constantFrom(0, 4, 13, 16, 48),
  otherGap: fc.constantFrom(0, 4, 7, 16, 32),
  seed: fc.nat(250),
  /** A look at what is under way: none, at implicit operations, at handles. */
  sync: fc.constantFrom('', '', '', 'some', 'puts', 'gets', 'all', 'handles', 'replies'),
  tries: fc.nat(3),
});
type Raw = typeof rawOperation extends fc.Arbitrary<infer T> ? T : never;

const together = fc.option(
  fc.record({
    op: fc.constantFrom('broadcast', 'gather', 'scatter', 'gatherAll', 'exchange', 'reduce', 'scan'),
    root: fc.nat(ranksMost - 1),
    size: fc.integer({ min: 1, max: 200 }),
    to: fc.constantFrom<Region>('cpu', 'gpu', 'private'),
    from: fc.constantFrom<Region>('cpu', 'gpu', 'private'),
    synchronised: fc.boolean(),
  }),
);

const phase = fc.record({
  lists: fc.array(fc.array(rawOperation, { maxLength: operationsMost }), {
    minLength: ranksMost,
    maxLength: ranksMost,
  }),
  region: fc.boolean(),
  together,
  barrier: fc.record({ id: fc.nat(3), named: fc.boolean(), tries: fc.nat(2) }),
});

/** Programs for so many nodes, and the settings of the runtime that they run under. */
export const gasnetLists = fc
  .record({
    nodes: fc.integer({ min: 2, max: ranksMost }),
    settings,
    /** Whether nodes call the runtime before it is there, and who ends the job in the end; those that are not among the nodes do not. */
    early: fc.nat(2 * ranksMost),
    last: fc.nat(3 * ranksMost),
    minHwBlock: fc.constantFrom(64, 64, 16),
    phases: fc.array(phase, { minLength: 1, maxLength: phasesMost }),
  })
  .map(({ nodes, phases, settings: drawn, minHwBlock, early, last }) => ({
    nodes,
    gasnet: { ...drawn, minHwBlock },
    programs: Array.from({ length: nodes }, (_, rank) => ({
      gasnet: [
        ...phases.flatMap((one, number) => listOf(one, number, rank, nodes, drawn.slotBytes)),
        ...(rank === last ? [{ op: 'exit' as const, code: early }] : []),
      ],
      ...(rank === early && { early: true }),
    })),
  }));

type Phase = typeof phase extends fc.Arbitrary<infer T> ? T : never;

function listOf(
  { lists, region, together: all, barrier }: Phase,
  number: number,
  rank: number,
  nodes: number,
  slotBytes: number,
): readonly Written[] {
  const operations = lists[rank]!.flatMap((one, index) =>
    operationsOf(one, { number, rank, nodes, index, slotBytes }),
  );
  const last: Written[] = [
    { op: 'sync', of: 'handles' },
    { op: 'sync', of: 'all' },
    { op: 'sync', of: 'replies' },
  ];
  return [
    ...(region ? [{ op: 'beginRegion' as const }] : []),
    ...operations,
    ...(region ? [{ op: 'endRegion' as const }] : []),
    ...last,
    ...(all ? togetherOf(all, rank, nodes) : []),
    { op: 'barrier', ...barrier },
  ];
}

interface Position {
  readonly number: number;
  readonly rank: number;
  readonly nodes: number;
  readonly index: number;
  readonly slotBytes: number;
}

function operationsOf(raw: Raw, { number, rank, nodes, index, slotBytes }: Position): readonly Written[] {
  const { kind, form, bulk, region, own, size, shift, sourceShift, count, gap, otherGap, seed, sync, tries } =
    raw;
  const target = raw.target % nodes;
  const bank = (number % 2) * bankBytes;
  const to: Place = [target, region, bank + rank * areaBytes + index * roomBytes + shift];
  const other = ((number + 1) % 2) * bankBytes;
  const from: Place = [target, region, other + (raw.writer % nodes) * areaBytes + index * roomBytes + shift];
  const source: Place = [rank, own, sourcesAt + index * roomBytes + sourceShift];
  const fetched: Place = [rank, own, fetchedAt + index * roomBytes + sourceShift];
  const filled: Written = { op: 'fill', to: source, size: roomBytes - 48, seed: seed + 8 * number };
  const changed: Written = { op: 'fill', to: source, size: roomBytes - 48, seed: seed + 1 };
  const after: readonly Written[] =
    sync === ''
      ? []
      : [{ op: 'sync', of: sync as 'all', ...(sync !== 'some' && sync !== 'replies' && { tries }) }];
  const small = 1 + (size % 200);
  const strides = { fromStride: small + gap, toStride: small + otherGap };
  const waits = form === 'nbi' ? 'nb' : form;
  const handling = { ...(tries === 1 && { locked: true }), ...(tries === 2 && { mistaken: true }) };
  switch (kind) {
    case 'put':
      // Only the source of a bulk put that is under way has to stay as it is.
      return [
        filled,
        { op: 'put', from: source, to, size, form, bulk },
        ...(bulk && form !== 'blocking' ? [] : [changed]),
        ...after,
      ];
    case 'putBlocks':
      return [
        filled,
        {
          op: 'put',
          from: source,
          to,
          size: small,
          count,
          ...strides,
          form: count > 1 ? waits : form,
          bulk: true,
        },
        ...after,
      ];
    case 'get':
      return [{ op: 'get', from, to: fetched, size, form }, ...after];
    case 'getBlocks':
      return [
        { op: 'get', from, to: fetched, size: small, count, ...strides, form: count > 1 ? waits : form },
        ...after,
      ];
    case 'memset':
      return [{ op: 'memset', to, value: seed, size, form }, ...after];
    case 'putValue':
      return [{ op: 'putValue', to, value: seed * 7_654_321_987, size: 1 + (size % 8), form }, ...after];
    case 'getValue':
      return [{ op: 'getValue', from, to: fetched, size: 1 + (size % 8), form: waits }, ...after];
    case 'putVector':
    case 'getVector': {
      const [near, far] = [kind === 'putVector' ? source : fetched, kind === 'putVector' ? to : from];
      // Now and then pieces of one shape: a row, a row backwards, and of a put the same bytes again and again.
      const even = Array.from({ length: count }, (_, k) => ({ offset: k * (small + gap), bytes: small }));
      const again = even.map((one) => ({ ...one, offset: 0 }));
      const pieces = tries === 0 ? cut(size, count, gap) : tries === 2 && kind === 'putVector' ? again : even;
      const others = tries === 0 ? cut(size, 5 - count, otherGap) : tries === 1 ? even.toReversed() : even;
      const lists = (at: Place, all: ReturnType<typeof cut>) =>
        all.map(({ offset, bytes }): readonly [Place, number] => [[at[0], at[1], at[2] + offset], bytes]);
      return kind === 'putVector'
        ? [filled, { op: kind, from: lists(near, pieces), to: lists(far, others) }]
        : [{ op: kind, from: lists(far, pieces), to: lists(near, others) }];
    }
    case 'putStrided':
    case 'getStrided': {
      const bytes = 1 + (size % 64);
      const levels = [bytes, count, raw.planes];
      const shape = (pad: number): readonly number[] => [bytes + pad, count * (bytes + pad) + pad];
      const near = { at: kind === 'putStrided' ? source : fetched, strides: shape(gap) };
      const far = { at: kind === 'putStrided' ? to : from, strides: shape(otherGap) };
      return kind === 'putStrided'
        ? [filled, { op: kind, from: near, to: far, levels } as Written]
        : [{ op: kind, from: far, to: near, levels } as Written];
    }
    case 'short':
      return [
        {
          op: 'message',
          kind,
          to,
          args: Array.from({ length: size % 13 }, (_, k) => seed * 1_000_003 + k),
          reply: bulk ? 'short' : 'medium',
          ...handling,
        },
        ...after,
      ];
    // More than a ring holds, one behind the other: all that tells of freed slots goes along with them.
    case 'chatter':
      return Array.from({ length: 3 + tries }, (_, turn) => [
        {
          op: 'message' as const,
          kind: 'short' as const,
          to,
          args: Array.from({ length: size % 13 }, (_, k) => seed + k),
          reply: 'short' as const,
        },
        ...(turn % 2 === 0 ? [{ op: 'sync' as const, of: 'replies' as const }] : []),
      ]).flat();
    case 'medium':
      return [
        filled,
        {
          op: 'message',
          kind,
          from: source,
          to,
          size: size % (slotBytes - 127),
          args: [seed],
          reply: bulk ? 'short' : 'medium',
          ...handling,
        },
        changed,
        ...after,
      ];
    case 'long':
      return [
        filled,
        {
          op: 'message',
          kind,
          from: source,
          to,
          // Every second one is of whole words, so that several channels may share it.
          size: bulk ? 16 * Math.ceil(size / 16) : size,
          reply: bulk ? 'short' : 'medium',
          ...handling,
        },
        changed,
        ...after,
      ];
    // The small one goes by PIO and must not overtake the packet of the large one, which a channel has.
    case 'small behind large': {
      const behind: Place = [to[0], to[1], bank + rank * areaBytes + index * roomBytes + 2560];
      return [
        { op: 'fill', to: [rank, 'cpu', sourcesAt + index * roomBytes], size: roomBytes - 48, seed },
        {
          op: 'put',
          from: [rank, 'cpu', sourcesAt + index * roomBytes],
          to: [to[0], to[1], bank + rank * areaBytes + index * roomBytes],
          size: 128 + 4 * (size % 500),
          form: waits === 'blocking' ? 'nb' : waits,
          bulk: true,
        },
        {
          op: 'put',
          from: [rank, 'cpu', sourcesAt + index * roomBytes],
          to: behind,
          size: 4 + 4 * (size % 16),
          form,
          bulk: true,
        },
        ...after,
      ];
    }
    // Parts on all channels arrive at a node that waits; a pattern that comes again and again is tuned, then kept.
    case 'wide':
    case 'repeated': {
      const wide: Written = {
        op: 'put',
        from: [rank, own === 'private' ? 'gpu' : own, sourcesAt + index * roomBytes],
        to: [to[0], to[1], bank + rank * areaBytes + index * roomBytes],
        size: kind === 'wide' ? 2048 + 16 * (size % 50) : 512,
        form: 'blocking',
      };
      return [
        { ...filled, to: wide.from! } as Written,
        ...Array.from({ length: kind === 'wide' ? 1 : 10 }, () => wide),
        ...after,
      ];
    }
    // More answers than a ring holds are on their way to both who ask each other.
    case 'gets':
      return [
        ...Array.from({ length: 4 }, (_, k): Written => {
          const bytes = 1 + (size % 600);
          const there: Place = [from[0], from[1], from[2] - shift + 601 * k];
          return {
            op: 'get',
            from: there,
            to: [rank, own, fetchedAt + index * roomBytes + 640 * k],
            size: bytes,
            form: 'nb',
          };
        }),
        ...after,
      ];
    case 'refused':
      return [{ op: 'refused', what: refusedCalls[seed % refusedCalls.length]! }];
    case 'copy':
      return [filled, { op: 'copy', from: source, to: fetched, size }];
    case 'poll':
      return [{ op: 'poll' }];
    case 'compute':
      return [{ op: 'compute', ns: 10 * size }];
    case 'locked':
      return [{ op: 'locked', ns: 10 * size }];
  }
}

/** So many bytes in pieces with gaps between them. */
function cut(
  bytes: number,
  count: number,
  gap: number,
): readonly { readonly offset: number; readonly bytes: number }[] {
  return Array.from({ length: count }, (_, k) => {
    const [first, end] = [Math.floor((k * bytes) / count), Math.floor(((k + 1) * bytes) / count)];
    return { offset: first + k * gap, bytes: end - first };
  });
}

/** A collective operation: each rank fills its source, and nothing else is there. */
function togetherOf(all: NonNullable<Phase['together']>, rank: number, nodes: number): readonly Written[] {
  const { op, root, size, to, from, synchronised } = all;
  const source: Place = [rank, from, togetherAt];
  return [
    { op: 'fill', to: source, size: size * nodes, seed: rank + size },
    {
      op: op as 'broadcast',
      root: ['broadcast', 'gather', 'scatter', 'reduce'].includes(op) ? root % nodes : 0,
      to: [rank, to, togetherAt + 2048],
      from: source,
      size,
      synchronised,
    },
  ];
}
