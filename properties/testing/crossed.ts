import { copyContext } from '../../kernel/copy.ts';
import {
  apart,
  type Found,
  type Key,
  type Observation,
  type Observer,
} from '../../kernel/explore/observer.ts';
import { transcriptOf } from '../../kernel/explore/transcript.ts';

/** How often two observations were seen in both orders, and where the orders came to different ends. */
export interface Crossings {
  count: number;
  readonly differences: string[];
}

/**
 * An observer that sees each two neighbouring observations of a tick which are about different things in the other order as well: what `about` promises is
 * that memories and findings are the same. Those that something is found in are left out: what is broken may be told of one or of the other. With `every`, one pair in
 * so many.
 */
export function crossed(observer: Observer, crossings: Crossings, every = 1): Observer {
  let number = 0;
  const { about } = observer;
  if (!about) return observer;
  let before: { readonly memory: object; readonly observation: Observation } | undefined;
  const copy = (memory: object): object =>
    copyContext(memory as Record<string, unknown>, new Map(), false, 'a memory');
  const seen = (memory: object, observations: readonly Observation[]) => {
    const changed = copy(memory);
    const found = observations.map((one) => observer.see(changed, one));
    return {
      found: found.filter((one): one is Found => one !== undefined).flatMap(apart),
      after: transcriptOf(changed),
    };
  };
  const forget = <A extends readonly unknown[], R>(look: ((...args: A) => R) | undefined) =>
    look &&
    ((...args: A): R => {
      before = undefined;
      return look.apply(observer, args as never);
    });
  const { seeState, seeRest, advance, endOfTick, atRest } = observer;
  return {
    ...observer,
    ...(seeState && { seeState: forget(seeState)! }),
    ...(seeRest && { seeRest: forget(seeRest)! }),
    ...(advance && { advance: forget(advance)! }),
    ...(atRest && { atRest: forget(atRest)! }),
    endOfTick: forget(endOfTick?.bind(observer) ?? (() => undefined))!,
    see(memory, observation, met) {
      if (before && areApart(about(before.observation), about(observation))) {
        const [asItWas, otherwise] = [
          seen(before.memory, [before.observation, observation]),
          seen(before.memory, [observation, before.observation]),
        ];
        if (asItWas.found.length + otherwise.found.length === 0) {
          crossings.count++;
          if (asItWas.after !== otherwise.after)
            crossings.differences.push(
              `${observer.sentence}: ${JSON.stringify(before.observation)} and ${JSON.stringify(observation)}`,
            );
        } else if (asItWas.found.length === 0 || otherwise.found.length === 0)
          crossings.differences.push(
            `${observer.sentence}: found in one order only: ${JSON.stringify(observation)}`,
          );
      }
      before = number++ % every === 0 ? { memory: copy(memory), observation } : undefined;
      return observer.see(memory, observation, met);
    },
  };
}

type Keys = Key | readonly Key[] | undefined;

function areApart(one: Keys, other: Keys): boolean {
  if (one === undefined || other === undefined) return false;
  const [first, second] = [[one].flat(), [other].flat()];
  return !first.some((key) => second.includes(key));
}
