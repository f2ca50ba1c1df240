import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const unitBytes = 4;
/** The calls want room for a unit of each CPE of a whole array. */
const units = 64;
const bufferBytes = units * unitBytes;

/** Exchanges units of 4 bytes out of place, then in place with scratch for 1 and for 64 units; each result goes to memory. */
const exchange = (cpes: number): CpeProgram =>
  function* (c, out) {
    const source = c.ldmStatic('source', bufferBytes);
    const target = c.ldmStatic('target', bufferBytes);
    const scratch = c.ldmStatic('scratch', bufferBytes);
    const keep = (round: number, buffer: number) =>
      c.dma_put(out + (round * cpes + c.tid) * bufferBytes, buffer, bufferBytes);
    yield c.stBlock(
      source,
      Int32Array.from({ length: units }, (_, unit) => 1000 * c.tid + unit),
    );

    yield c.scoll_alltoall(source, target, unitBytes);
    yield keep(0, target);
    yield c.scoll_alltoall_inplace(source, unitBytes, scratch, 1);
    yield keep(1, source);
    yield c.scoll_alltoall_inplace(source, unitBytes, scratch, units);
    yield keep(2, source);
  };

/** Counts what is where it should be: transposed, transposed, and after the second exchange in place as it was. */
export const allToAllOf = (cpes: number): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(3 * cpes * bufferBytes);
    yield h.athread_spawn(exchange(cpes), out);
    yield h.athread_join();
    const told = yield* h.ldBlock(out, 'i32', 3 * cpes * units);
    const right = [0, 0, 0];
    for (let round = 0; round < 3; round++)
      for (let tid = 0; tid < cpes; tid++)
        for (let unit = 0; unit < cpes; unit++) {
          const expected = round === 2 ? 1000 * tid + unit : 1000 * unit + tid;
          if (told[(round * cpes + tid) * units + unit] === expected) right[round]!++;
        }
    yield h.tell('right out of place', right[0]!);
    yield h.tell('right in place with scratch for 1 unit', right[1]!);
    yield h.tell('as before after another one with scratch for 64', right[2]!);
    yield h.tell(
      'units of CPE 5',
      [0, 1, 2, cpes - 1].map((unit) => told[Math.min(5, cpes - 1) * units + unit]).join(' '),
    );
  };
/** The same on the whole array. */
export const allToAll = allToAllOf(64);
