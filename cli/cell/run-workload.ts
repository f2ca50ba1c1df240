import { type CellConfig, cellConfig, cellPrograms } from '../../machines/cell/config.ts';
import { cellMachine } from '../../machines/cell.ts';
import type { CellWorkload } from '../../scenarios/cell/workload.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { SimulateOptions } from '../../scenarios/simulate.ts';

/** How much of the Cell ring machine is messages: every step, or whole phases with transfers in bulk. */
export const details = ['burst', 'step'] as const;

/** A workload as a scenario that expects nothing (Cell specification 18.1). */
export function scenarioOf(
  workload: CellWorkload,
  detail: (typeof details)[number],
  arbiter: CellConfig['arbiter'] = 'auto',
): Scenario<ReturnType<typeof cellConfig.parse>, ReturnType<typeof cellPrograms.parse>> {
  const { name, N, K, memSize, policy, cycles, programs, saturate } = workload;
  const run = cycles === undefined ? 'untilIdle' : { cycles };
  return {
    file: name,
    text: '',
    name,
    machine: cellMachine.name,
    config: cellConfig.parse({ N, K, memSize, policy, run, detail, arbiter }),
    programs: cellPrograms.parse(programs ?? { saturate }),
    faults: [],
    schedule: { kind: 'fifo', seed: 0 },
  };
}

/** The least that `simulate` need do for a result: no checkpoints, for nothing is recorded. */
export const bare: SimulateOptions = { checkpoints: 0 };
