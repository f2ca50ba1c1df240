import { count, type Tell } from '../../judging.ts';
import { judging, timingCoordinatorName } from './context.ts';

interface Rounds {
  /** By delays: the first round that had them, and its trace. */
  readonly traces: Record<string, { readonly round: number; readonly trace: string }>;
  delays: string;
  round: number;
  /** By line of the present trace: how often it is there. */
  lines: Record<string, number>;
}

function close({ traces, delays, round, lines }: Rounds, tell: Tell): void {
  if (delays === '' || delays === '[]') return;
  const trace = Object.keys(lines)
    .sort()
    .map((line) => `${lines[line]} times ${line}`)
    .join('\n');
  const before = traces[delays];
  if (before && before.trace !== trace)
    tell([timingCoordinatorName], `round ${round} has the delays of round ${before.round} and another trace`);
  traces[delays] ??= { round, trace };
}

/**
 * C4: a round that is given the delays of an earlier one makes the same trace: the loop then stands still (chiplet specification 14).
 *
 * Details: rounds without delays, and those that discarded theirs (W-ORDER), are left out: there the order of locks is that of arrival.
 */
export const equalDelaysEqualTraces = () =>
  judging({
    sentence: 'rounds with equal delays make equal traces',
    watches: ['round.load', 'records.discard', 'bench.add'],
    judges: ({ type }) => type === 'bench.add',
    begin: (): Rounds => ({ traces: {}, delays: '', round: 0, lines: {} }),
    see(rounds, { to: actor, event }, tell) {
      if (event.type === 'round.load') {
        if (actor !== timingCoordinatorName) return;
        close(rounds, tell);
        rounds.delays = JSON.stringify(event.records);
        rounds.round = event.round;
        rounds.lines = {};
      } else if (event.type === 'records.discard') rounds.delays = '';
      else count(rounds.lines, JSON.stringify(event.line), 1);
    },
    // Nobody waits for the end of a round.
    pending: () => [],
    atRest: (rounds, tell) => close(structuredClone(rounds), tell),
  });
