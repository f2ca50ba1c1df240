import fc from 'fast-check';
import { buffer, further } from './drawn.ts';
import { bufferBytes, type Phase, pairOf, scratchName } from './stage.ts';

/** Units of a buffer that all CPEs of an array have: it is always one for each of 64 (Sunway specification 6.11). */
const unitBytes = bufferBytes / 64;

/** Unit i of every CPE t becomes unit t of CPE i, into another buffer or in place with scratch for some units (6.11). */
export const exchanges: fc.Arbitrary<Phase> = fc
  .record({
    inPlace: fc.boolean(),
    from: buffer,
    to: further,
    scratchUnits: fc.integer({ min: 1, max: 64 }),
  })
  .map((drawn) => (stage) => {
    const { inPlace, scratchUnits } = drawn;
    const [from, other] = pairOf(drawn);
    const to = inPlace ? from : other;
    if (inPlace) stage.among(['scoll_alltoall_inplace', from, unitBytes, scratchName, scratchUnits]);
    else stage.among(['scoll_alltoall', from, to, unitBytes]);
    stage.inGroups((world) => {
      const before = stage.tids.map((tid) => world.of(from, tid).slice());
      for (const tid of stage.tids)
        for (const one of stage.tids)
          world
            .of(to, tid)
            .set(before[one]!.subarray(unitBytes * tid, unitBytes * (tid + 1)), unitBytes * one);
    });
  });
