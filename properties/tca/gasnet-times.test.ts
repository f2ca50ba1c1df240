import { expect, test } from 'vitest';
import type { DescriptorCacheContext } from '../../actors/tca/gasnet/descriptor-cache.ts';
import type { Gasnet } from '../../actors/tca/gasnet/gasnet.ts';
import type { WeightTableContext } from '../../actors/tca/gasnet/weight-table.ts';
import { nanoseconds } from '../../actors/tca/parameters.ts';
import { putRound, tunedPut } from '../../scenarios/tca/measure.ts';
import { contiguous, onlyOn } from '../../scenarios/tca/transfers.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';

const large = { gpuBytes: 2 ** 18, cpuBytes: 2 ** 21 };
/** Longer than the settle time of a channel: nothing is left of the put before. */
const pauseNs = 20_000;

interface Timing {
  /** Nanoseconds of each put until it was complete. */
  readonly complete: readonly number[];
  /** Nanoseconds of each put until its packet was announced. */
  readonly announced: readonly number[];
  readonly hits: number;
  readonly misses: number;
  readonly tuning: readonly string[];
}

/** Puts of so many bytes, one after the other, from rank 0 to rank 1. */
function putsOf(
  size: number,
  count: number,
  gasnet: object,
  kind: 'gpu' | 'cpu' = 'gpu',
  pause = pauseNs,
): Timing {
  const complete: number[] = [];
  const begun: number[] = [];
  const heads: number[] = [];
  const { raised, run } = gasnetTrial(
    gasnetConfigOf(gasnet, large),
    function* (node: Gasnet) {
      yield* node.init();
      yield* node.attach();
      // The target waits in the barrier and answers; its notification is taken before anything is timed.
      for (let round = 0; node.rank === 0 && round < count; round++) {
        yield* node.compute(pause);
        yield* node.poll();
        begun.push(yield* node.now());
        yield* node.put(node.segment(1, 'gpu').base, node.segment(0, kind).base, size);
        complete.push((yield* node.now()) - begun.at(-1)!);
      }
      yield* node.barrier();
    },
    {},
    [],
    (one) =>
      one.messages$.subscribe(({ message: { due, event }, to }) => {
        if (to === 'Node[1].PacketRx[0].Requests' && event.type === 'ring.head') heads.push(nanoseconds(due));
      }),
  );
  expect(raised).toEqual([]);
  const cache = run.actor('Node[0].DescriptorCache').getSnapshot().context as DescriptorCacheContext;
  const weights = run.actor('Node[0].WeightTable').getSnapshot().context as WeightTableContext;
  return {
    complete,
    announced: begun.map((begin, k) => heads[k]! - begin),
    hits: cache.hits,
    misses: cache.misses,
    tuning: Object.values(weights.tunings).map(({ state }) => state),
  };
}

const seeNs = 80;

test.each([8, 256, 2048, 4096, 8192, 32_768])(
  'a put of %d bytes on one channel takes the time of the reference',
  (size) => {
    const { announced } = putsOf(size, 2, { channels: [0] });

    // The first one builds its descriptor.
    const { totalNs } = putRound(contiguous(size), onlyOn(0, contiguous(size)));
    expect(announced[0]).toBe(totalNs - seeNs + 500);
    expect(announced[1]).toBe(totalNs - seeNs);
  },
);

test('eight puts tune the split of their pattern, which is then kept and cached', () => {
  const few = putsOf(8192, 7, {});
  const many = putsOf(8192, 12, {});
  const one = putsOf(8192, 3, { channels: [0] });

  expect(few.tuning).toEqual(['tuning']);
  expect(many.tuning).toEqual(['frozen']);
  expect({ hits: many.hits, misses: many.misses }).toEqual({ hits: 3, misses: 1 });
  expect(new Set(many.complete.slice(9)).size).toBe(1);
  // Without the answer of the target, which takes as long for both.
  const answerNs = one.complete.at(-1)! - one.announced.at(-1)!;
  const { tuned } = tunedPut(contiguous(8192), [0, 1, 2, 3]);
  expect(many.complete.at(-1)! - answerNs).toBeLessThan(tuned.totalNs * 1.02);
  expect((one.complete.at(-1)! - answerNs) / (many.complete.at(-1)! - answerNs)).toBeGreaterThan(1.25);
});

test('without a cache every put builds its descriptors', () => {
  const cached = putsOf(1024, 4, { channels: [0] });
  const never = putsOf(1024, 4, { channels: [0], cacheEntries: 0 });

  expect(never.complete).toEqual(new Array(4).fill(cached.complete[0]));
  expect(cached.complete[1]).toBe(cached.complete[0]! - 500);
});

test('packets of 4 KiB that are split over channels take longer than whole ones', () => {
  const whole = putsOf(4032, 12, { forceMode: 'BtoB' }, 'cpu');
  const split = putsOf(4032, 12, { forceMode: 'BtoB', parallelPackets: true }, 'cpu');

  expect(split.complete.at(-1)).toBeGreaterThan(whole.complete.at(-1)!);
});

test('copies into one send buffer go on while the other one is sent', () => {
  const chunk = 16_384 - 16;
  const one = putsOf(chunk, 3, { forceMode: 'BtoM', channels: [0] }, 'cpu').complete.at(-1)!;
  const four = putsOf(4 * chunk, 3, { forceMode: 'BtoM', channels: [0] }, 'cpu').complete.at(-1)!;

  expect(four).toBeLessThan(4 * one - 3 * 2000);
});

test('a put right behind another one waits for the stop of its channels, unless stops are known', () => {
  const timeOf = (stopDetect: string): number => {
    let time = 0;
    const { raised } = gasnetTrial(
      gasnetConfigOf({ channels: [0] }, { ...large, stopDetect }),
      function* (node) {
        yield* node.init();
        yield* node.attach();
        if (node.rank === 0) {
          const [src, dst] = [node.segment(0, 'gpu').base, node.segment(1, 'gpu').base];
          const begun = yield* node.now();
          const first = yield* node.putNb(dst, src, 1024, { bulk: true });
          const second = yield* node.putNb(dst + 4096, src, 1024, { bulk: true });
          yield* node.waitAll([first, second]);
          time = (yield* node.now()) - begun;
        }
        yield* node.barrier();
      },
    );
    expect(raised).toEqual([]);
    return time;
  };

  expect(timeOf('counter') - timeOf('ideal')).toBeGreaterThan(500);
});

test('a put that is complete when it has left returns before its target has looked', () => {
  const timeOf = (completion: string): number => {
    let time = 0;
    const { raised } = gasnetTrial(gasnetConfigOf({ channels: [0], completion }), function* (node) {
      yield* node.init();
      yield* node.attach();
      if (node.rank === 1) yield* node.compute(100_000);
      else {
        yield* node.put(node.segment(1, 'gpu').base, node.segment(0, 'gpu').base, 1024);
        time = yield* node.now();
      }
      yield* node.barrier();
    });
    expect(raised).toEqual([]);
    return time;
  };

  expect(timeOf('acked')).toBeGreaterThan(100_000);
  expect(timeOf('local')).toBeLessThan(20_000);
});

test('a put by PIO brings no flags: it takes as long behind a put over four channels as behind one over one', () => {
  const behind = (before: number): number => {
    let ns = 0;
    const { raised } = gasnetTrial(gasnetConfigOf({}, large), function* (node: Gasnet) {
      yield* node.init();
      yield* node.attach();
      const [there, here] = [node.segment(1, 'gpu').base, node.segment(node.rank, 'cpu').base];
      if (node.rank === 0) {
        yield* node.put(there, here, before);
        // The next transfer waits for the readings of the clock that belong to the first one.
        yield* node.put(there, here, 8);
        yield* node.compute(pauseNs);
        const begun = yield* node.now();
        yield* node.put(there, here, 8);
        ns = (yield* node.now()) - begun;
      } else yield* node.awaitPuts(0, 3);
      yield* node.barrier();
    });
    expect(raised).toEqual([]);
    return ns;
  };

  expect(behind(8192)).toBe(behind(1024));
});
