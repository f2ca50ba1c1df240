import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const cpes = 64;
const bufferBytes = 4 * cpes;

/** Exchanges units of 4 bytes out of place, then in place with scratch for 1 and for 64 units; each result goes to memory. */
const exchange: CpeProgram = function* (c, out) {
  const source = c.ldmStatic('source', bufferBytes);
  const target = c.ldmStatic('target', bufferBytes);
  const scratch = c.ldmStatic('scratch', bufferBytes);
  const keep = (round: number, buffer: number) =>
    c.dma_put(out + (round * cpes + c.tid) * bufferBytes, buffer, bufferBytes);
  yield c.stBlock(
    source,
    Int32Array.from({ length: cpes }, (_, unit) => 1000 * c.tid + unit),
  );

  yield c.scoll_alltoall(source, target, 4);
  yield keep(0, target);
  yield c.scoll_alltoall_inplace(source, 4, scratch, 1);
  yield keep(1, source);
  yield c.scoll_alltoall_inplace(source, 4, scratch, cpes);
  yield keep(2, source);
};

/** Counts what is where it should be: transposed, transposed, and after the second exchange in place as it was. */
export const allToAll: MpeProgram = function* (h) {
  yield h.init();
  const out = h.memAlloc(3 * cpes * bufferBytes);
  yield h.athread_spawn(exchange, out);
  yield h.athread_join();
  const told = yield* h.ldBlock(out, 'i32', 3 * cpes * cpes);
  const right = [0, 0, 0];
  for (let round = 0; round < 3; round++)
    for (let tid = 0; tid < cpes; tid++)
      for (let unit = 0; unit < cpes; unit++) {
        const expected = round === 2 ? 1000 * tid + unit : 1000 * unit + tid;
        if (told[(round * cpes + tid) * cpes + unit] === expected) right[round]!++;
      }
  yield h.tell('right out of place', right[0]!);
  yield h.tell('right in place with scratch for 1 unit', right[1]!);
  yield h.tell('as before after another one with scratch for 64', right[2]!);
  yield h.tell('units of CPE 5', [0, 1, 2, 63].map((unit) => told[5 * cpes + unit]).join(' '));
};
