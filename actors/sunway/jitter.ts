import type { Envelope } from '../../kernel/kit.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import type { Fixed } from '../../kernel/resource.ts';

/** The freedom that `fuzz.maxJitter` gives a part, and what decides how it is used (specification 2.2). */
export interface JitterInput {
  /** Cycles that a service may take longer. */
  readonly maxJitter: number;
  /** Gives each message a delay of its own beside what the schedule picks; without it, the default schedule adds nothing. */
  readonly jitterSeed?: number | undefined;
}

/**
 * What a schedule may add to the time of a service: the freedom that `fuzz.maxJitter` gives.
 *
 * Details: what parts are made from is kept fixed, since it holds tables of the whole node: no snapshot copies them, no fingerprint looks at them.
 */
export interface Jittered {
  readonly spec: Fixed<JitterInput>;
  /** Cycles drawn for the message at hand. */
  jitter: number;
}

/** How many delays there are to choose from. */
export const jitterCount = ({ spec }: Jittered): number => spec.value.maxJitter + 1;

/** Keeps the delay that was drawn; a seed moves it by what it makes of the message, so that every delay stays possible. */
export const keepJitter = (part: Jittered, event: unknown, pick: number, envelope: Envelope): void => {
  const { maxJitter, jitterSeed } = part.spec.value;
  part.jitter =
    jitterSeed === undefined ? pick : (pick + seededDelay(jitterSeed, event, envelope.now)) % (maxJitter + 1);
};

/** What tells one message from another: when it comes, and which transfer, core or CPE it is about. */
function seededDelay(seed: number, event: unknown, at: number): number {
  const {
    transfer = 0,
    core = 0,
    tid = 0,
  } = event as Partial<Readonly<Record<'transfer' | 'core' | 'tid', number>>>;
  return [at, transfer % 2 ** 32, core, tid].reduce((mixed, one) => mixSeed(one, mixed), mixSeed(seed, 0));
}
