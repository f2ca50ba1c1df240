import fc from 'fast-check';
import type { WrittenArgument, WrittenCall } from '../../../machines/sunway/operations.ts';
import { buffer, further, now, words } from './drawn.ts';
import type { DrawnBy } from './drawn-by.ts';
import { type Phase, pairOf, type Stage } from './stage.ts';
import { offsetsOf, piece, strided } from './transfers.ts';

const rowOf = (tid: number): number => Math.floor(tid / 8);
const columnOf = (tid: number): number => tid % 8;

/** Whom a broadcast joins, by the CPE that sends (Sunway specification 4.2). */
const lines = ['array', 'row', 'col'] as const;
type Line = (typeof lines)[number];

const isIn = (line: Line, root: number, tid: number): boolean =>
  line === 'array' || (line === 'row' ? rowOf(tid) === rowOf(root) : columnOf(tid) === columnOf(root));

/** The CPEs that send: one, or one of each row or column, at the same place of it as `root`. */
const rootsOf = (line: Line, root: number, { tids }: Stage): readonly number[] =>
  line === 'array'
    ? [root]
    : tids.filter((tid) => (line === 'row' ? columnOf(tid) === columnOf(root) : rowOf(tid) === rowOf(root)));

/** A root in a node of fewer CPEs, which has a member in every line. */
const rootIn = (drawn: number, { shape }: Stage): number => drawn % shape.cpes;

const nameIn = (line: Line): string => (line === 'array' ? '' : `${line}_`);

/** Clears the word of every CPE, has the roots send, and waits where something comes. */
function sendCounted(
  stage: Stage,
  roots: readonly number[],
  receives: (tid: number) => boolean,
  ...calls: readonly WrittenCall[]
): void {
  stage.add(['rplySet', 'copied', 0]);
  stage.among(
    ...stage.only((tid) => roots.includes(tid), ...calls),
    ...stage.only(receives, ['rma_wait_value', 'copied', 1]),
  );
}

/** A value from one CPE to all, or from one of each row or column to its line; the receivers wait (6.7). */
export const rmaBroadcasts: fc.Arbitrary<Phase> = fc
  .record({
    line: fc.constantFrom(...lines),
    isBlocking: fc.boolean(),
    leavesOut: now(false, true),
    root: fc.nat(15),
    from: buffer,
    to: further,
    words,
  })
  .map((drawn) => (stage) => {
    const [from, to] = pairOf(drawn);
    const { line, isBlocking, leavesOut } = drawn;
    const root = rootIn(drawn.root, stage);
    const roots = rootsOf(line, root, stage);
    const bytes = 4 * drawn.words;
    const other = leavesOut ? '_other' : '';
    const receives = (tid: number): boolean =>
      !(leavesOut && roots.includes(tid)) && roots.some((one) => isIn(line, one, tid));
    const name = nameIn(line);
    // The array form takes its own word before the length (15, C8).
    const sizes = line === 'array' ? ['alone', bytes] : [bytes, 'alone'];
    const calls: readonly WrittenCall[] = isBlocking
      ? [[`rma_${name}bcast${other}`, to, from, bytes, 'copied']]
      : [
          ['rplySet', 'alone', 0],
          [`rma_${name}ibcast${other}`, to, from, ...sizes, 'copied'],
          ['rma_wait_value', 'alone', 1],
        ];
    sendCounted(stage, roots, receives, ...calls);
    stage.inGroups((world) => {
      for (const sender of roots) {
        const sent = world.of(from, sender).slice(0, bytes);
        for (const tid of stage.tids)
          if (isIn(line, sender, tid) && !(leavesOut && tid === sender)) world.of(to, tid).set(sent);
      }
    });
  });

/** A value from one CPE to rows or columns by a mask (4.2). */
export const multicasts: fc.Arbitrary<Phase> = fc
  .record({
    line: fc.constantFrom('row' as const, 'col' as const),
    isBlocking: fc.boolean(),
    leavesOut: now(false, true),
    mask: fc.integer({ min: 1, max: 255 }),
    root: fc.nat(15),
    from: buffer,
    to: further,
    words,
  })
  .map((drawn) => (stage) => {
    const [from, to] = pairOf(drawn);
    const { line, isBlocking, leavesOut, mask } = drawn;
    const root = rootIn(drawn.root, stage);
    const bytes = 4 * drawn.words;
    const other = leavesOut ? '_other' : '';
    const isNamed = (tid: number): boolean =>
      Math.floor(mask / 2 ** (line === 'row' ? rowOf(tid) : columnOf(tid))) % 2 === 1;
    const receives = (tid: number): boolean => isNamed(tid) && !(leavesOut && tid === root);
    const calls: readonly WrittenCall[] = isBlocking
      ? [[`rma_${line}_mcast${other}`, to, from, bytes, mask, 'copied']]
      : [
          ['rplySet', 'alone', 0],
          [`rma_${line}_imcast${other}`, to, from, bytes, 'alone', mask, 'copied'],
          ['rma_wait_value', 'alone', 1],
        ];
    sendCounted(stage, [root], receives, ...calls);
    stage.inGroups((world) => {
      const sent = world.of(from, root).slice(0, bytes);
      for (const tid of stage.tids) if (receives(tid)) world.of(to, tid).set(sent);
    });
  });

/** A value from main memory to all, or to each row or column from one of its CPEs; what is strided lies together in LDM (6.5). */
export const dmaBroadcasts: fc.Arbitrary<Phase> = fc
  .record({ line: fc.constantFrom(...lines), root: fc.nat(15), to: buffer, piece })
  .map(({ line, root: drawnRoot, to: index, piece: drawn }) => (stage) => {
    const [to] = pairOf({ from: index, to: 1 });
    const roots = rootsOf(line, rootIn(drawnRoot, stage), stage);
    const { suffix, sizes } = strided(drawn);
    const source: WrittenArgument = { memory: stage.commonAt, perCpe: 0 };
    const receives = (tid: number): boolean => roots.some((one) => isIn(line, one, tid));
    sendCounted(stage, roots, receives, [
      `dma_${nameIn(line)}ibcast${suffix}`,
      to,
      source,
      ...sizes,
      'copied',
    ]);
    bringCommon(stage, to, drawn, receives);
  });

/** The same with all of the group calling; the issuer is fixed (4.3). */
export const dmaCollectives: fc.Arbitrary<Phase> = fc
  .record({ line: fc.constantFrom(...lines), to: buffer, piece })
  .map(({ line, to: index, piece: drawn }) => (stage) => {
    const [to] = pairOf({ from: index, to: 1 });
    const { suffix, sizes } = strided(drawn);
    stage.add([
      `dma_${nameIn(line)}bcast${suffix}_coll`,
      to,
      { memory: stage.commonAt, perCpe: 0 },
      ...sizes,
    ]);
    bringCommon(stage, to, drawn, () => true);
  });

function bringCommon(
  stage: Stage,
  to: string,
  drawn: DrawnBy<typeof piece>,
  receives: (tid: number) => boolean,
): void {
  const offsets = offsetsOf(drawn);
  stage.atCpes((world, tid) => {
    if (!receives(tid)) return;
    for (const [k, offset] of offsets.entries())
      world.of(to, tid)[k] = world.memory[stage.commonAt + offset]!;
  });
}

/** A value from a root to all of its array, row or column, all calling (6.7). */
export const rmaCollectives: fc.Arbitrary<Phase> = fc
  .record({ line: fc.constantFrom(...lines), root: fc.nat(15), from: buffer, to: further, words })
  .map((drawn) => (stage) => {
    const [from, to] = pairOf(drawn);
    const root = rootIn(drawn.root, stage);
    const { line } = drawn;
    const bytes = 4 * drawn.words;
    // The root is a tid, a column of the row, or a row of the column.
    const named = line === 'array' ? root : line === 'row' ? columnOf(root) : rowOf(root);
    stage.add([`rma_${nameIn(line)}bcast_coll`, to, from, bytes, named]);
    const roots = rootsOf(line, root, stage);
    stage.inGroups((world) => {
      const sent = new Map(roots.map((one) => [one, world.of(from, one).slice(0, bytes)]));
      for (const [sender, data] of sent)
        for (const tid of stage.tids) if (isIn(line, sender, tid)) world.of(to, tid).set(data);
    });
  });
