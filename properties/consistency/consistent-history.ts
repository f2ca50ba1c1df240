import { defer, filter, map, type Observable } from 'rxjs';
import { property, type RunStreams, type StreamFinding, type StreamProperty } from '../property.ts';
import type { History } from './history.ts';
import { recordHistory, type Traffic } from './recorder.ts';
import { type Refutation, refutationWords, type Verdict } from './verdict.ts';

/**
 * The property that an oracle finds the accesses of a run consistent: `consistentTraffic('the register is linearizable', traffic, linearizable)`.
 *
 * Details: judged when the watch ends, also in a run that was cut short. The actors of a finding are the processes of the smallest part that fails.
 *
 * Gotchas: keeps every access of the run. What an oracle leaves undecided is no finding; to tell it from consistent, ask the oracle yourself.
 */
export const consistentTraffic = (
  sentence: string,
  traffic: Traffic,
  oracle: (history: History) => Verdict,
): StreamProperty =>
  // A recorder belongs to one subscription.
  property(sentence, (run: RunStreams) =>
    defer(() => run.messages$.pipe(recordHistory(traffic), findingsOf(oracle))),
  );

/** What an oracle finds wrong with histories, ready to be reported. */
export const findingsOf =
  (oracle: (history: History) => Verdict) =>
  (histories$: Observable<History>): Observable<StreamFinding> =>
    histories$.pipe(
      map(oracle),
      filter(
        (verdict): verdict is Refutation & { verdict: 'inconsistent' } => verdict.verdict === 'inconsistent',
      ),
      map((refutation) => ({
        actors: [...new Set(refutation.accesses.map(({ process }) => process))],
        why: refutationWords(refutation),
      })),
    );
