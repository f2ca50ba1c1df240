import type { Explorer } from '../../kernel/explore/explorer.ts';
import { withinStepLimit } from '../../scenarios/step-limit.ts';
import type { ProgressOptions } from '../with-progress.ts';
import { MemoryLimit } from './memory-limit.ts';
import type { PooledExploration } from './worker-pool.ts';

/** Few enough for a machine that takes a millisecond for each. */
const sliceDeliveries = 2_000;

/** Explores to the end in one thread, with turns between slices; `memory`: bytes that the process may take. */
export async function exploreAlone(
  explorer: Explorer,
  file: string,
  { onProgress, shouldStop, turn }: ProgressOptions,
  memory?: number,
): Promise<PooledExploration> {
  let interrupted = false;
  const limit = new MemoryLimit(memory);
  while (!interrupted && withinStepLimit(file, () => explorer.go(sliceDeliveries))) {
    const { states, transitions } = explorer.figures;
    onProgress(states, transitions);
    await turn();
    interrupted = shouldStop();
    const { reached } = limit;
    if (reached) explorer.stop(reached);
  }
  const exploration = explorer.result;
  const { exchanged } = explorer;
  const { findings } = exploration;
  if (findings.length === 0) explorer.verifySymmetry();
  const shown = findings.filter(({ unreached }) => !unreached);
  return {
    exploration,
    shown: shown.map((finding) => ({ finding, route: explorer.routeTo(finding) })),
    exchanged,
    interrupted,
  };
}
