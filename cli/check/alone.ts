import type { ExploreLimit, Explorer } from '../../kernel/explore/explorer.ts';
import { OutputError } from '../../scenarios/output-error.ts';
import { withinStepLimit } from '../../scenarios/step-limit.ts';
import type { ProgressOptions } from '../with-progress.ts';
import type { CheckpointFolder } from './checkpoint-folder.ts';
import { collectGarbage, MemoryLimit, usualMemory } from './memory-limit.ts';
import { doubtOf } from './symmetry-doubt.ts';
import type { PooledExploration } from './worker-pool.ts';

/** Few enough for a machine that takes a millisecond for each. */
const sliceDeliveries = 2_000;

/** States after which it is made sure for the first time that actors are exchangeable, and how many times as many later again: where they are not, states may be many more than there are. */
const [firstVerified, verifiedAgain] = [1000, 8];

/**
 * Explores to the end in one thread, with turns between slices; `memory`: bytes that states may take, `folder`: where it keeps how far it has come, and states that are too many for that.
 *
 * Errors: what the exploration throws.
 */
export async function exploreAlone(
  explorer: Explorer,
  file: string,
  { onProgress, shouldStop, turn }: ProgressOptions,
  memory = usualMemory(),
  folder?: CheckpointFolder,
  keepGoing = false,
): Promise<PooledExploration> {
  let interrupted = false;
  let verifyAt = firstVerified;
  const limit = new MemoryLimit(Math.max(memory, usualMemory()));
  while (!interrupted && withinStepLimit(file, () => explorer.go(sliceDeliveries))) {
    const { states, transitions } = explorer.figures;
    onProgress(states, transitions);
    await turn();
    interrupted = shouldStop();
    if (states >= verifyAt && explorer.exchanged > 0 && !interrupted) {
      verifyAt = verifiedAgain * states;
      withinStepLimit(file, () => explorer.verifySymmetry());
    }
    const full = explorer.bytes > memory ? 'memory' : limit.reached;
    const stop = full === 'memory' ? afterMovingOut(explorer) : full;
    if (stop) explorer.stop(stop);
    else folder?.keepInTime(explorer);
  }
  if (interrupted) folder?.keep(explorer);
  const exploration = explorer.result;
  const { exchanged } = explorer;
  const shown = exploration.findings.filter(({ unreached }) => !unreached);
  const isWhole = shown.length === 0 || keepGoing;
  const doubt = isWhole ? await doubtOf(() => explorer.verifySymmetry(), shown.length > 0) : undefined;
  return {
    exploration,
    shown: shown.map((finding) => ({ finding, route: explorer.routeTo(finding) })),
    exchanged,
    ...(doubt !== undefined && { doubt }),
    interrupted,
  };
}

/** Moves states out of memory. Returns why the exploration cannot go on; undefined when it can. */
function afterMovingOut(explorer: Explorer): ExploreLimit | undefined {
  try {
    if (explorer.moveOut() === 0) return 'memory';
    // Memory that threads could share is not what makes the collector begin by itself.
    collectGarbage();
    return undefined;
  } catch (error) {
    if (error instanceof OutputError) return 'disk';
    throw error;
  }
}
