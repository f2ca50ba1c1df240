import fc from 'fast-check';
import type { Gasnet, GasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handle } from '../../actors/tca/gasnet/handle.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../actors/tca/gasnet/task.ts';
import { patternBytes } from './gasnet-runs.ts';

/*
 * Random programs of puts, gets, fills, values and messages in phases between barriers, and a memory that carries them out one after the other.
 * Every rank has an area of its own in each bank of every segment; a phase writes one bank and reads the other, so that the order inside of a
 * phase does not matter.
 */

const kinds = ['cpu', 'gpu'] as const;
type Kind = (typeof kinds)[number];

/** Bytes of an area, and of a bank that holds one for each of at most four ranks. */
const areaBytes = 3072;
const bankBytes = 4 * areaBytes;
/** Where a rank fetches to. */
const fetchedAt = 2 * bankBytes;

const forms = ['blocking', 'nb', 'nbi'] as const;
const operation = fc.record({
  what: fc.constantFrom('put', 'get', 'memset', 'value', 'medium', 'long', 'compute', 'again'),
  form: fc.constantFrom(...forms),
  bulk: fc.boolean(),
  target: fc.nat(3),
  kind: fc.constantFrom<Kind>(...kinds),
  from: fc.constantFrom<Kind>(...kinds),
  area: fc.nat(3),
  offset: fc.nat(600),
  size: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 71, max: 2400 })),
  seed: fc.nat(200),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** A program of at most three phases for each of at most four ranks. */
export const drawnProgram = fc.record({
  nodes: fc.integer({ min: 2, max: 4 }),
  phases: fc.array(fc.array(fc.array(operation, { maxLength: 4 }), { minLength: 4, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  }),
});
/** A drawn program. */
export type Drawn = typeof drawnProgram extends fc.Arbitrary<infer T> ? T : never;

/** The bytes of a rank's segments after a run, as the oracle has them. */
export type Expected = readonly Readonly<Record<Kind, Uint8Array>>[];

const dataOf = ({ what, seed, size }: Operation): Uint8Array =>
  what === 'memset'
    ? new Uint8Array(size).fill(seed)
    : patternBytes(seed, what === 'value' ? Math.min(8, size) : size);

const writes = ({ what }: Operation): boolean => ['put', 'memset', 'value', 'long', 'again'].includes(what);

/** Where an operation writes in the bank of its phase, behind the area of its rank; later ones of a phase lie behind the earlier ones. */
const placeOf = (rank: number, phase: number, index: number, { offset }: Operation): number =>
  (phase % 2) * bankBytes + rank * areaBytes + ((offset + 4 * index) % 601);

/** Later writes of a rank to the same place would depend on their order: only the first of a phase into a segment is kept. */
function kept(list: readonly Operation[], nodes: number): readonly Operation[] {
  const taken = new Set<string>();
  return list.filter((one) => {
    if (!writes(one)) return true;
    const key = `${one.target % nodes} ${one.kind}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

/** The operations of a rank in a phase. */
const listOf = ({ nodes, phases }: Drawn, phase: number, rank: number): readonly Operation[] =>
  kept(phases[phase]![rank]!, nodes);

/** What a get fetches: bytes of another rank's area in the bank that its phase does not write. */
const fetchedFrom = (nodes: number, phase: number, { area, offset }: Operation): number =>
  ((phase + 1) % 2) * bankBytes + (area % nodes) * areaBytes + (offset % 601);

/** The memories after each phase; entry 0 is before the first one. */
export function expectedAfter(drawn: Drawn): readonly Expected[] {
  const { nodes, phases } = drawn;
  const fresh = (): Expected =>
    Array.from({ length: nodes }, () => ({
      cpu: new Uint8Array(2 * bankBytes),
      gpu: new Uint8Array(2 * bankBytes),
    }));
  const all: Expected[] = [fresh()];
  for (const [phase] of phases.entries()) {
    const next = all.at(-1)!.map(({ cpu, gpu }) => ({ cpu: cpu.slice(), gpu: gpu.slice() }));
    for (let rank = 0; rank < nodes; rank++)
      for (const [index, one] of listOf(drawn, phase, rank).entries())
        if (writes(one))
          next[one.target % nodes]![one.kind].set(dataOf(one), placeOf(rank, phase, index, one));
    all.push(next);
  }
  return all;
}

const sourceAt = fetchedAt + areaBytes;

/** The programs as GASNet runs them: each judges what it fetches, and how many messages have come. Errors: throws at the first difference. */
export function oracleProgram(drawn: Drawn): GasnetProgram {
  const { nodes, phases } = drawn;
  const memories = expectedAfter(drawn);
  return function* (gasnet) {
    const { rank } = gasnet;
    const at = (target: number, kind: Kind, offset: number) => gasnet.segment(target, kind).base + offset;
    let heard = 0;
    let answers = 0;
    const medium: Handler = function* (_gasnet, token, { args, payload }) {
      judge(payload, patternBytes(args[0]!, args[1]!), 'payload');
      heard++;
      yield* token.reply('short', 130);
    };
    const long: Handler = function* (one, token, { args, address, bytes }) {
      judge(yield* one.read(address, bytes), patternBytes(args[0]!, args[1]!), 'long payload');
      heard++;
      yield* token.reply('short', 130);
    };
    const answered: Handler = () => {
      answers++;
    };
    yield* gasnet.init();
    yield* gasnet.attach([medium, long, answered].map((handler) => ({ handler })));
    yield* gasnet.barrier();
    let asked = 0;
    let expectedToHear = 0;
    for (const [phase] of phases.entries()) {
      const handles: Handle[] = [];
      const fetched: { readonly address: number; readonly expected: Uint8Array }[] = [];
      for (const [index, one] of listOf(drawn, phase, rank).entries()) {
        const target = one.target % nodes;
        const place = placeOf(rank, phase, index, one);
        const dst = at(target, one.kind, place);
        const src = at(rank, one.from, sourceAt + areaBytes * index + (one.seed % 23));
        const data = dataOf(one);
        if (['put', 'medium', 'long', 'again'].includes(one.what)) yield* gasnet.write(src, data);
        if (one.what === 'medium' || one.what === 'long') asked++;
        if (one.what === 'get') {
          const bytes = one.size;
          const offset = fetchedFrom(nodes, phase, one);
          const address =
            at(rank, one.from, fetchedAt + (index % 2) * 600 + (one.seed % 19)) +
            2 * areaBytes * index +
            8 * areaBytes;
          const expected = memories[phase]![target]![one.kind].slice(offset, offset + bytes);
          fetched.push({ address, expected });
          yield* fetch(gasnet, one, address, at(target, one.kind, offset), expected.length, handles);
        } else yield* send(gasnet, one, target, dst, src, data, handles);
        // What a rank has put it gets back, whatever the others do.
        if (one.what === 'again') {
          const back = at(rank, 'cpu', fetchedAt + 20 * areaBytes);
          yield* gasnet.get(back, dst, data.length);
          judge(yield* gasnet.read(back, data.length), data, 'what was put before');
        }
      }
      yield* gasnet.waitAll(handles);
      yield* gasnet.waitImplicit();
      for (const { address, expected } of fetched)
        judge(yield* gasnet.read(address, expected.length), expected, 'fetched');
      yield* gasnet.waitUntil(() => answers === asked);
      yield* gasnet.barrier();
      for (let source = 0; source < nodes; source++)
        expectedToHear += listOf(drawn, phase, source).filter(
          ({ what, target }) => (what === 'medium' || what === 'long') && target % nodes === rank,
        ).length;
      // A node that has left the barrier may have sent messages of the next phase already.
      if (heard < expectedToHear)
        throw new Error(`${heard} handlers ran, ${expectedToHear} messages were sent`);
    }
    if (heard !== expectedToHear)
      throw new Error(`${heard} handlers ran, ${expectedToHear} messages were sent`);
    yield* gasnet.barrier();
  };
}

function* fetch(
  gasnet: Gasnet,
  { form }: Operation,
  dst: number,
  src: number,
  bytes: number,
  handles: Handle[],
): Task<void> {
  if (form === 'blocking') yield* gasnet.get(dst, src, bytes);
  else if (form === 'nb') handles.push(yield* gasnet.getNb(dst, src, bytes));
  else yield* gasnet.getNbi(dst, src, bytes);
}

function* send(
  gasnet: Gasnet,
  { what, form, bulk, seed, size }: Operation,
  target: number,
  dst: number,
  src: number,
  data: Uint8Array,
  handles: Handle[],
): Task<void> {
  const args = [seed, size];
  switch (what) {
    case 'again':
      yield* gasnet.put(dst, src, size);
      return;
    case 'put':
      if (form === 'blocking') yield* gasnet.put(dst, src, size);
      else if (form === 'nb') handles.push(yield* gasnet.putNb(dst, src, size, { bulk }));
      else yield* gasnet.putNbi(dst, src, size, { bulk });
      // Only the source of a bulk put has to stay as it is.
      if (form === 'blocking' || !bulk) yield* gasnet.write(src, new Uint8Array(size));
      return;
    case 'memset':
      if (form === 'blocking') yield* gasnet.memset(dst, seed, size);
      else if (form === 'nb') handles.push(yield* gasnet.memsetNb(dst, seed, size));
      else yield* gasnet.memsetNbi(dst, seed, size);
      return;
    case 'value': {
      const value = data.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
      if (form === 'blocking') yield* gasnet.putValue(dst, value, data.length);
      else if (form === 'nb') handles.push(yield* gasnet.putValueNb(dst, value, data.length));
      else yield* gasnet.putValueNbi(dst, value, data.length);
      return;
    }
    case 'medium': {
      const bytes = Math.min(size, gasnet.limits.mediumBytes);
      yield* gasnet.request(target, 'medium', 128, { args: [seed, bytes], src, bytes });
      return;
    }
    case 'long':
      yield* gasnet.request(target, 'long', 129, { args, src, bytes: size, dst });
      yield* gasnet.write(src, new Uint8Array(size));
      return;
    default:
      yield* gasnet.compute(10 * size);
  }
}

function judge(found: Uint8Array, expected: Uint8Array, what: string): void {
  const wrong = expected.findIndex((byte, k) => found[k] !== byte);
  if (found.length !== expected.length || wrong >= 0)
    throw new Error(
      `${what}: ${found.length} bytes, byte ${wrong} is ${found[wrong]}, not ${expected[wrong]}`,
    );
}
