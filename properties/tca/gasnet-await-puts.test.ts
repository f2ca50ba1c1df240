import { describe, expect, test } from 'vitest';
import type { Gasnet } from '../../actors/tca/gasnet/gasnet.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';

describe('waiting for puts of another node', () => {
  test.each(['auto', 'BtoM', 'MtoB', 'BtoB'])(
    'ends when as many have come, each counted once and with all of its bytes, in mode %s',
    (forceMode) => {
      const found: number[] = [];
      const { raised } = gasnetTrial(
        gasnetConfigOf({ forceMode, splitMin: 256 }, { cpuBytes: 2 ** 21, gpuBytes: 2 ** 17 }),
        function* (gasnet: Gasnet) {
          yield* gasnet.init();
          yield* gasnet.attach();
          const { rank } = gasnet;
          const [own, theirs] = [gasnet.segment(rank, 'gpu').base, gasnet.segment(1, 'gpu').base];
          if (rank === 0)
            for (const [round, bytes] of [8, 5001, 10_000].entries()) {
              yield* gasnet.write(own, new Uint8Array(bytes).fill(round + 1));
              yield* gasnet.put(theirs, own, bytes);
              yield* gasnet.compute(50_000);
            }
          else
            for (let round = 1; round <= 3; round++) {
              yield* gasnet.awaitPuts(0, round);
              const bytes = yield* gasnet.read(own, 10_000);
              found.push(bytes.lastIndexOf(round) + 1);
            }
          yield* gasnet.barrier();
        },
      );

      expect(raised).toEqual([]);
      expect(found).toEqual([8, 5001, 10_000]);
    },
  );

  test('is at once for those that have come before, and refuses nodes that there are not', () => {
    const told: unknown[][] = [[], []];
    const { raised } = gasnetTrial(gasnetConfigOf({}), function* (gasnet: Gasnet) {
      yield* gasnet.init();
      yield* gasnet.attach();
      const theirs = gasnet.segment(1 - gasnet.rank, 'gpu').base;
      for (let k = 0; k < 3; k++) yield* gasnet.putValue(theirs, k, 8);
      yield* gasnet.barrier();
      const begun = yield* gasnet.now();
      told[gasnet.rank]!.push(yield* gasnet.awaitPuts(1 - gasnet.rank, 3), (yield* gasnet.now()) - begun);
      told[gasnet.rank]!.push(yield* gasnet.awaitPuts(2, 1), yield* gasnet.awaitPuts(0, -1));
      yield* gasnet.barrier();
    });

    expect(raised).toEqual([]);
    for (const own of told) expect(own).toEqual(['OK', 0, 'BAD_ARG', 'BAD_ARG']);
  });
});
