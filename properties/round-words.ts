import type { Run } from '../kernel/run.ts';

/** When a run without end goes round, in words. */
export function roundWords(from: number, { now: to, asynchronous }: Run): string {
  // In a clocked wiring a state before the first tick that comes back has nothing to do in tick 0.
  const first = (asynchronous ? from : Math.max(from, 0)) + 1;
  const begins = from < 0 ? 'before the first tick' : `at the end of tick ${from}`;
  const round = first === to ? `tick ${to}` : `ticks ${first} to ${to}`;
  return `and never will: the state ${begins} comes back at the end of tick ${to}, so ${round} may happen again and again`;
}
