import type { Outcome, Verdict, Violation, Waiting } from '../../kernel/outcome.ts';
import { cycleText } from '../../kernel/wait-cycle.ts';
import { standstillWords } from './standstill-words.ts';

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
  /** Where the actor threw, innermost first: `keep (queue.ts:12)`; absent where nothing of the kernel's users threw. */
  readonly thrown?: readonly string[];
  /** The first property that did not hold, where the run went on and ended in something worse. */
  readonly first?: Violation;
  /** What else does not hold now that nothing moves any more, the first of each property, those with the fewest before others; absent where nothing was found. */
  readonly left?: readonly Violation[];
}

/** How a run failed; undefined when it did not. */
export function failureSummary(outcome: Outcome): FailureSummary | undefined {
  const told = withoutFirst(outcome);
  const first = outcome.verdict === 'violated' ? undefined : outcome.violations[0];
  if (!told || !first) return told;
  if (outcome.verdict !== 'deadlock') return { ...told, first };
  // What is missed once nothing moves any more is a consequence, or says what was never given back.
  const left = byProperty(outcome.violations.filter(({ tick }) => tick >= told.tick)).map(([one]) => one!);
  return { ...told, ...(first.tick < told.tick && { first }), ...(left.length > 0 && { left }) };
}

/** Violations of each property, the property with the fewest first: what was never given back is told once, what never arrived for every piece. */
export function byProperty(violations: readonly Violation[]): readonly (readonly Violation[])[] {
  const found = new Map<string, Violation[]>();
  for (const one of violations) found.set(one.property, [...(found.get(one.property) ?? []), one]);
  return [...found.values()].sort((a, b) => a.length - b.length);
}

function withoutFirst(outcome: Outcome): FailureSummary | undefined {
  const { verdict, violations, deadlock, livelock, failure } = outcome;
  switch (verdict) {
    case 'ok':
      return undefined;
    case 'violated': {
      const { property, tick, actors, why } = violations[0]!;
      return { verdict, what: property, tick, actors, why: why.replaceAll(/\s*\n\s*/g, '; ') };
    }
    case 'deadlock': {
      const { tick, waiting, cycle } = deadlock!;
      const actors = cycle.length > 0 ? cycle : waiting.map(({ actor }) => actor);
      const circle = `they wait for each other in a circle: ${cycleText(cycle)}`;
      const lost = `what ${waiting.length === 1 ? 'it waits' : 'they wait'} for ${neverCame}`;
      const why = cycle.length > 0 ? circle : lost;
      return {
        verdict,
        what: standstillWords(outcome),
        tick,
        actors,
        why,
      };
    }
    case 'livelock': {
      const { tick, repeating } = livelock!;
      const actors = [...new Set(repeating.flatMap(({ from, to }) => [from, to]))];
      const rounds = repeating
        .slice(0, repeatingMax)
        .map(({ from, to, type, count }) => `${count} × ${from} -> ${to} ${type}`);
      const why = `among its last deliveries these repeat: ${rounds.join(', ')}`;
      return { verdict, what: 'deliveries without end in one tick', tick, actors, why };
    }
    case 'error': {
      const { tick, actor, event, message, error } = failure!;
      const why = message.split('\n')[0]!;
      const thrown = error instanceof Error && error.cause instanceof Error ? placesOf(error.cause) : [];
      const what = `${actor} could not handle "${event}"`;
      return { verdict, what, tick, actors: [actor], why, ...(thrown.length > 0 && { thrown }) };
    }
  }
}

/** Functions that threw, up to the kernel, which calls them all: names and places without folders. */
function placesOf({ stack = '' }: Error): readonly string[] {
  const places: string[] = [];
  for (const line of stack.split('\n').slice(1)) {
    const [, name, place = ''] = /^\s*at (?:async )?(?:new )?(?:(.+?) \()?(.*?)\)?$/.exec(line) ?? [];
    const [, file] = /([^/\\]+:\d+):\d+$/.exec(place) ?? [];
    if (file === undefined || /[/\\]kernel[/\\]|^node:|immer/.test(place)) break;
    places.push(name === undefined ? file : `${name} (${file})`);
    if (places.length === placesMax) break;
  }
  return places;
}

/** Functions that are named of those that threw. */
const placesMax = 3;

/** Why a wait does not end, when nobody waits in a circle. */
export const neverCame = 'was never sent, or is held back, or was lost';

/** Kinds of repeating messages that are named. */
const repeatingMax = 6;

/** Who waits, in which state, since when, for what. */
export function waitingText({ actor, state, since, waitsFor, on }: Waiting): string {
  const whom = on.length > 0 ? `: ${on.slice(0, 8).join(', ')}${on.length > 8 ? ', …' : ''}` : '';
  return `${actor} (${state}) waits since tick ${since} for ${waitsFor}${whom}`;
}
