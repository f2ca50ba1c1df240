import type { Fixed } from '../../kernel/resource.ts';
/**
 * What a schedule may add to the time of a service: the freedom that `fuzz.maxJitter` gives.
 *
 * Details: what parts are made from is kept fixed, since it holds tables of the whole node: no snapshot copies them, no fingerprint looks at them.
 */
export interface Jittered {
  readonly spec: Fixed<{ readonly maxJitter: number }>;
  /** Cycles drawn for the message at hand. */
  jitter: number;
}

/** How many delays there are to choose from. */
export const jitterCount = ({ spec }: Jittered): number => spec.value.maxJitter + 1;

/** Keeps the delay that was drawn. */
export const keepJitter = (part: Jittered, _event: unknown, pick: number): void => {
  part.jitter = pick;
};
