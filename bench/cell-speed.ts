import { Run } from '../kernel/run.ts';
import { assembleBursts, assembleSteps } from '../machines/cell/assembly.ts';
import { cellConfig, cellPrograms } from '../machines/cell/config.ts';
import type { CellWorkload } from '../scenarios/cell/workload.ts';
import { oneTransferWorkload, runLoop, saturatingWorkload } from './cell-loop.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * The Cell machine against a hand-written loop on typed arrays (Cell specification 24), on the two saturating loads and on one 1 MiB transfer. All
 * streams unobserved. The loop has no actors, no messages, no schedules, no snapshots.
 */

/** Runs a workload on actors; the clock runs from the first delivery to the last. */
function actors(name: string, workload: CellWorkload, assemble: typeof assembleBursts): Variant {
  const { N, K, memSize, policy } = workload;
  const config = cellConfig.parse({ N, K, memSize, policy });
  const programs = cellPrograms.parse(workload.programs ?? { saturate: workload.saturate });
  return {
    name,
    run: () => {
      const assembly = assemble({ name: workload.name, config, programs, mutants: [], scheduled: false });
      const run = new Run(assembly.wiring);
      const began = process.hrtime.bigint();
      const { ticks } = run.toEnd();
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      return { work: ticks, seconds };
    },
  };
}

function loop(name: string, workload: CellWorkload): Variant {
  return {
    name,
    run: () => {
      const { cycles, wallSeconds } = runLoop(workload);
      return { work: cycles, seconds: wallSeconds };
    },
  };
}

const rounds = 5;
const asJson = process.argv.includes('--json');
for (const [title, perSpuLoop, perSpuBurst, perSpuStep, N, K] of [
  ['N=8 K=2 saturating, etalon-ff', 8000, 6000, 60, 8, 2],
  ['N=64 K=4 saturating, etalon-ff', 600, 400, 8, 64, 4],
] as const) {
  const measurement = measure(
    [
      loop('typed-array loop', saturatingWorkload(N, K, perSpuLoop)),
      actors('burst actors', saturatingWorkload(N, K, perSpuBurst), assembleBursts),
      actors('step actors', saturatingWorkload(N, K, perSpuStep), assembleSteps),
    ],
    { unit: 'cycles', rounds, baseline: 'typed-array loop' },
  );
  console.log(`${title}\n${reportMeasurement(measurement, asJson)}\n`);
}
const transfer = oneTransferWorkload();
const one = measure([loop('typed-array loop', transfer), actors('burst actors', transfer, assembleBursts)], {
  unit: 'cycles',
  rounds,
  baseline: 'typed-array loop',
});
console.log(`one 1 MiB transfer\n${reportMeasurement(one, asJson)}`);
