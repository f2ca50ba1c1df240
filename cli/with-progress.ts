import type { Scenario } from '../scenarios/scenario.ts';
import type { SimulateOptions } from '../scenarios/simulate.ts';
import { Interrupt } from './interrupt.ts';
import { Progress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** What a run that a person waits for is given: progress, interruption, and turns in which the process hears of signals. */
export interface ProgressOptions extends Pick<SimulateOptions, 'onProgress' | 'shouldStop'> {
  readonly onProgress: (tick: number, deliveries: number) => void;
  readonly shouldStop: () => boolean;
  readonly turn: () => Promise<void>;
}

/**
 * Carries something out with progress on the terminal and Ctrl-C heeded; `last` is the number of ticks to come to, when known, or of what `unit` names instead, in the
 * plural.
 */
export async function withProgress<T>(
  terminal: Terminal,
  last: number | undefined,
  carryOut: (withProgress: ProgressOptions) => Promise<T>,
  unit = 'ticks',
): Promise<T> {
  const progress = new Progress(terminal, unit, last);
  const interrupt = new Interrupt(terminal);
  try {
    return await carryOut({
      onProgress: (tick, deliveries) => progress.update(tick, deliveries),
      shouldStop: () => interrupt.asked,
      // Signals are heard only when the event loop turns.
      turn: () => new Promise((resolve) => setImmediate(resolve)),
    });
  } finally {
    progress.end();
    interrupt.release();
  }
}

/** How many ticks a run of a scenario will have, as far as that is known before. */
export function ticksToCome({ until, expect }: Pick<Scenario, 'until' | 'expect'>): number | undefined {
  return until === undefined ? expect?.ticks : until + 1;
}
