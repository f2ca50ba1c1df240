import type { Run } from '../../kernel/run.ts';

/** Ticks with messages in a slice: some milliseconds. */
const sliceTicks = 4096;

/** How far something long is that is told between its slices. */
export interface Slice {
  readonly ticks: number;
  readonly deliveries: number;
}

/** Carries a run out, and yields between slices; a caller that does not come back leaves it where it stands. */
export function* inSlices(run: Run): Generator<Slice, void> {
  for (;;) {
    for (let tick = 0; tick < sliceTicks; tick++) if (!run.tick()) return;
    yield { ticks: run.now, deliveries: run.outcome.deliveries };
  }
}

/** What a generator comes to when nobody looks between its slices. */
export function drained<Result>(slices: Generator<Slice, Result>): Result {
  for (;;) {
    const next = slices.next();
    if (next.done) return next.value;
  }
}
