import fc from 'fast-check';
import type { GasnetOptions } from '../../actors/tca/gasnet/options.ts';
import { blockExtents, decompose } from '../../actors/tca/himeno/decomposition.ts';
import { exchangeOrders, type FaceTransfer } from '../../actors/tca/himeno/faces.ts';
import { variants } from '../../actors/tca/himeno/initial-values.ts';
import { Problem } from '../../actors/tca/himeno/problem.ts';
import type { HimenoVariation } from '../../machines/tca/himeno-program.ts';
import type { HimenoSetting } from '../../machines/tca/himeno-setting.ts';
import type { SimulateOptions } from '../../scenarios/simulate.ts';
import { type HimenoNodes, runHimeno } from '../../scenarios/tca/himeno-run.ts';
import type { Watch } from '../property.ts';
import { tcaMachineProperties } from './machine-properties.ts';

const counts = [
  [1, 1],
  [2, 1],
  [1, 2],
  [4, 1],
  [1, 4],
  [2, 2],
  [4, 2],
  [2, 4],
] as const;

/** Small problems, of sizes that leave ranks unequal and rows unaligned. */
export const drawnSetting: fc.Arbitrary<HimenoSetting> = fc.constantFrom(...counts).chain(([A, B]) =>
  fc
    .record({
      imax: fc.integer({ min: Math.max(3, A), max: 9 }),
      jmax: fc.integer({ min: Math.max(3, B), max: 9 }),
      kmax: fc.integer({ min: 3, max: 12 }),
      data: fc.constantFrom(...variants),
      order: fc.constantFrom(...exchangeOrders),
      iterations: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ data, order, iterations, ...size }) => ({
      decomposition: decompose(size, A, B),
      data,
      order,
      iterations,
    })),
);

/** Settings of the runtime that change how faces travel, and none that may change what arrives. */
export const drawnNodes: fc.Arbitrary<HimenoNodes> = fc
  .record({
    channels: fc.constantFrom([0], [0, 1], [1, 3], [0, 1, 2, 3]),
    splitMin: fc.constantFrom(128, 2048),
    completion: fc.constantFrom('acked', 'local'),
    forceMode: fc.constantFrom('auto', 'BtoM', 'MtoB', 'BtoB'),
    slots: fc.constantFrom(1, 2, 8),
    stopDetect: fc.constantFrom('counter', 'ideal'),
  })
  .map(({ stopDetect, ...gasnet }) => ({ stopDetect, gasnet: gasnet as Partial<GasnetOptions> }));

/** What is wrong with a run on nodes against direct copies and, of the right order, against one single block; undefined when nothing is. */
export function wrongWith(
  setting: HimenoSetting,
  nodes: HimenoNodes,
  options: SimulateOptions = {},
  variation: HimenoVariation = {},
): string | undefined {
  let watching: Watch | undefined;
  const run = runHimeno(
    setting,
    nodes,
    {
      ...options,
      observe: (started, { given, assembly }) => {
        watching = tcaMachineProperties.watch(started, given, assembly);
      },
      onEnd: () => watching?.end(),
    },
    variation,
  );
  const { outcome } = run.simulation;
  if (outcome.verdict !== 'ok' || !run.p) return `ended with ${JSON.stringify(outcome).slice(0, 600)}`;
  const { size } = setting.decomposition;
  const decomposition = setting.order === 'sequential' ? decompose(size, 1, 1) : setting.decomposition;
  const direct = new Problem(decomposition, setting.data, setting.order);
  direct.iterateTo(setting.iterations);
  // Put together from all blocks whenever it is asked for.
  const whole = direct.p;
  const wrong = run.p.findIndex((value, at) => !Object.is(value, whole[at]));
  if (wrong >= 0) {
    const { jmax, kmax } = size;
    const place = [Math.floor(wrong / kmax / jmax), Math.floor(wrong / kmax) % jmax, wrong % kmax];
    return `p(${place.join(', ')}): found ${run.p[wrong]}, expected ${whole[wrong]}`;
  }
  const expected = direct.result.gosaF64;
  return Math.abs(run.result!.gosaF64 - expected) <= 1e-12 * expected
    ? undefined
    : `residual: found ${run.result!.gosaF64}, expected ${expected}`;
}

/** A face without the halo of the other axis. */
export function withoutEdges(decomposition: HimenoSetting['decomposition'], transfer: FaceTransfer) {
  if (transfer.axis === 'i') return transfer;
  const { source, target, from, to } = transfer;
  const { i } = blockExtents(decomposition, source);
  const [before, after] = [i.ownFirst - i.allocatedFirst, i.allocatedEnd - i.ownEnd];
  const skipped = blockExtents(decomposition, target).i;
  const there = i.ownFirst - skipped.allocatedFirst;
  const count = from.count - before - after;
  return {
    ...transfer,
    from: { ...from, offsetBytes: from.offsetBytes + before * from.pitchBytes, count },
    to: { ...to, offsetBytes: to.offsetBytes + there * to.pitchBytes, count },
  };
}
