import type { Outcome, Verdict, Violation, Waiting } from '../../kernel/outcome.ts';

/** How a run failed, in words. */
export interface FailureSummary {
  readonly verdict: Exclude<Verdict, 'ok'>;
  /** One line: the property that is violated, or what kind of end it is. */
  readonly what: string;
  readonly tick: number;
  /** Names of the actors involved. */
  readonly actors: readonly string[];
  /** What was found there. */
  readonly why: string;
  /** The first property that did not hold, where the run went on and ended in something worse. */
  readonly first?: Violation;
}

/** How a run failed; undefined when it did not. */
export function failureSummary(outcome: Outcome): FailureSummary | undefined {
  const told = withoutFirst(outcome);
  const first = outcome.verdict === 'violated' ? undefined : outcome.violations[0];
  if (!told || !first) return told;
  // What is missed once nothing moves any more is a consequence.
  return outcome.verdict === 'deadlock' && first.tick >= told.tick ? told : { ...told, first };
}

function withoutFirst({
  verdict,
  violations,
  deadlock,
  livelock,
  failure,
}: Outcome): FailureSummary | undefined {
  switch (verdict) {
    case 'ok':
      return undefined;
    case 'violated': {
      const { property, tick, actors, why } = violations[0]!;
      return { verdict, what: property, tick, actors, why };
    }
    case 'deadlock': {
      const { tick, waiting, cycle } = deadlock!;
      const actors = cycle.length > 0 ? cycle : waiting.map(({ actor }) => actor);
      const circle = `they wait for each other in a circle: ${[...cycle, cycle[0]].join(' -> ')}`;
      const [count, lost] =
        waiting.length === 1
          ? ['1 actor waits', `what it waits for ${neverCame}`]
          : [`${waiting.length} actors wait`, `what they wait for ${neverCame}`];
      const why = cycle.length > 0 ? circle : lost;
      return { verdict, what: `nothing is under way, and ${count}`, tick, actors, why };
    }
    case 'livelock': {
      const { tick, budget, repeating } = livelock!;
      const actors = [...new Set(repeating.flatMap(({ from, to }) => [from, to]))];
      const rounds = repeating
        .slice(0, repeatingMax)
        .map(({ from, to, type, count }) => `${count} × ${from} -> ${to} ${type}`);
      const why = `among its last deliveries these repeat: ${rounds.join(', ')}`;
      return { verdict, what: `more than ${budget} deliveries in one tick`, tick, actors, why };
    }
    case 'error': {
      const { tick, actor, event, message } = failure!;
      const why = message.split('\n')[0]!;
      return { verdict, what: `${actor} could not handle "${event}"`, tick, actors: [actor], why };
    }
  }
}

/** Why a wait does not end, when nobody waits in a circle. */
export const neverCame = 'was never sent, or is held back, or was lost';

/** Kinds of repeating messages that are named. */
const repeatingMax = 6;

/** Who waits, in which state, since when, for what. */
export function waitingText({ actor, state, since, waitsFor, on }: Waiting): string {
  const whom = on.length > 0 ? `: ${on.slice(0, 8).join(', ')}${on.length > 8 ? ', …' : ''}` : '';
  return `${actor} (${state}) waits since tick ${since} for ${waitsFor}${whom}`;
}
