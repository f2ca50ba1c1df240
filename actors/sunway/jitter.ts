/** What a schedule may add to the time of a service: the freedom that `fuzz.maxJitter` gives. */
export interface Jittered {
  readonly spec: { readonly maxJitter: number };
  /** Cycles drawn for the message at hand. */
  jitter: number;
}

/** How many delays there are to choose from. */
export const jitterCount = ({ spec }: Jittered): number => spec.maxJitter + 1;

/** Keeps the delay that was drawn. */
export const keepJitter = (part: Jittered, _event: unknown, pick: number): void => {
  part.jitter = pick;
};
