import type { Run } from '../kernel/run.ts';

/** The state of a run at the end of one tick, as hashes. */
export interface Checkpoint {
  readonly tick: number;
  /** Deliveries up to the end of the tick. */
  readonly deliveries: number;
  /** Fingerprint by actor, 16 hexadecimal digits; absent when there are more than `actorsMax` actors. */
  readonly actors?: Readonly<Record<string, string>>;
  /** One fingerprint of everything, when there is none for each actor. */
  readonly fingerprint?: string;
}

/** How many checkpoints of a run are kept. */
export const checkpointsMax = 64;

/** Up to how many actors a checkpoint tells them apart: 64 checkpoints of 256 actors are 128 KiB in a recording. */
export const actorsMax = 256;

/**
 * Keeps at most `checkpointsMax` checkpoints of a run, evenly spread over the ticks that had messages.
 *
 * Details: it begins with every tick; whenever too many are kept, every other one is dropped and the spacing doubles. So a run of n ticks is
 * hashed at most 64 + 32·log2(n / 64) times, and which ticks are kept depends on nothing but the run.
 */
export class Checkpoints {
  #kept: Checkpoint[] = [];
  #spacing = 1;
  #ticks = 0;

  constructor(run: Run, max = checkpointsMax) {
    if (max === 0) return;
    run.ticks$.subscribe((tick) => {
      this.#ticks++;
      if (this.#ticks % this.#spacing !== 0) return;
      this.#kept.push(checkpointOf(run, tick));
      if (this.#kept.length <= max) return;
      this.#spacing *= 2;
      this.#kept = this.#kept.filter((_, index) => index % 2 === 1);
    });
  }

  /** What is kept so far, in the order of ticks. */
  get kept(): readonly Checkpoint[] {
    return this.#kept;
  }
}

/** The checkpoint of a run that stands at the end of a tick. */
export function checkpointOf(run: Run, tick: number): Checkpoint {
  const { deliveries } = run.outcome;
  if (run.parts.length > actorsMax) return { tick, deliveries, fingerprint: run.fingerprint };
  return { tick, deliveries, actors: run.fingerprints };
}
