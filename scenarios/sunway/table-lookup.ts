import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const entries = [
  0x60, 0x2, 0x200, 0x202, 0x20000, 0x20002, 0x20200, 0x20202, 0x2000000, 0x2000002, 0x2000200, 0x2000202,
  0x2020000, 0x2020002, 0x2020200, 0x2020202,
];
const offsets = [4, 8, 12, 0, 4, 0, 16, 20, 24, 0, 28, 0, 36, 0, 0, 0];
const found = [
  0x2, 0x200, 0x202, 0x60, 0x2, 0x60, 0x20000, 0x20002, 0x20200, 0x60, 0x20202, 0x60, 0x2000002, 0x60, 0x60,
  0x60,
];
const nowhere = new Uint32Array(16);

/** Looks entries up in a table that all lanes have, then writes the numbers of the lanes to row 0 and reads rows 0 and 1. */
const lookUp: CpeProgram = function* (c, out) {
  const table = c.ldmStatic('table', 64);
  const parallel = c.ldmStatic('parallel', 16 * 64, 64);
  const result = c.ldmStatic('result', 12);
  const lanes = Uint32Array.from({ length: 16 }, (_, lane) => lane);
  yield c.stBlock(table, Uint32Array.from(entries));
  const base = yield* c.ptab_cpy16(table, 16, parallel);
  const looked = yield* c.ptab_lookup(offsets, base);
  yield c.ptab_write(nowhere, base, lanes);
  const written = yield* c.ptab_lookup(nowhere, base);
  const nextRow = yield* c.ptab_lookup(new Uint32Array(16).fill(4), base);
  const right = (a: Uint32Array, b: ArrayLike<number>) => a.filter((value, lane) => value === b[lane]).length;
  yield c.stBlock(
    result,
    Int32Array.of(
      right(looked, found),
      right(written, lanes),
      right(nextRow, new Array<number>(16).fill(entries[1]!)),
    ),
  );
  yield c.dma_put(out, result, 12);
};

/** Has one CPE do it, and tells how many lanes were right. */
export const tableLookup: MpeProgram = function* (h) {
  yield h.init();
  const shown = h.memAlloc(64);
  yield h.athread_create(9, lookUp, shown);
  yield h.athread_wait(9);
  const right = yield* h.ldBlock(shown, 'i32', 3);
  yield h.tell('lanes right at the lookup', right[0]!);
  yield h.tell('lanes right after the write', right[1]!);
  yield h.tell('lanes of the next row unchanged', right[2]!);
};
