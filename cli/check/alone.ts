import type { Explorer } from '../../kernel/explore/explorer.ts';
import { withinStepLimit } from '../../scenarios/step-limit.ts';
import type { ProgressOptions } from '../with-progress.ts';
import type { PooledExploration } from './worker-pool.ts';

/** Few enough for a machine that takes a millisecond for each. */
const sliceDeliveries = 2_000;

/** Explores to the end in one thread, with turns between slices. */
export async function exploreAlone(
  explorer: Explorer,
  file: string,
  { onProgress, shouldStop, turn }: ProgressOptions,
): Promise<PooledExploration> {
  let interrupted = false;
  while (!interrupted && withinStepLimit(file, () => explorer.go(sliceDeliveries))) {
    const { states, transitions } = explorer.figures;
    onProgress(states, transitions);
    await turn();
    interrupted = shouldStop();
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
