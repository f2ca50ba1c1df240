import type { Observer } from '../kernel/explore/observer.ts';
import type { Run } from '../kernel/run.ts';
import type { Assembly, Given } from '../machines/machine.ts';
import type { Cycle } from './endless.ts';
import type { Watch } from './property.ts';

/** The properties of one machine, ready to watch any of its runs. */
export interface MachineProperties {
  readonly sentences: readonly string[];
  /** Those of them that judge a run, where what is given leaves some out; all when absent. */
  sentencesOf?(given: Given): readonly string[];
  /** Lets them watch a run that has not begun. */
  watch(run: Run, given: Given, assembly: Assembly): Watch;
  /** True when `watch` judges more than these sentences: that a run comes to what plain references come to, which an exploration cannot follow. */
  readonly wholeRuns?: boolean;
  /** Those that the exhaustive checker can judge, in the form it needs; their sentences are among `sentences`. */
  observers?(given: Given, assembly: Assembly): readonly Observer[];
  /** The round of the run that they judge, where it goes round for ever. */
  readonly cycle?: Cycle;
}
