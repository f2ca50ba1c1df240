import { expect, test } from 'vitest';
import { Progress } from './progress.ts';
import { KeptTerminal } from './terminal.ts';

/** A progress on a clock that is moved by hand. */
function onClock(terminal: KeptTerminal, last?: number) {
  let now = 0;
  const progress = new Progress(terminal, 'cycles', last, () => now);
  const update = (ms: number, tick: number, deliveries: number) => {
    now = ms;
    progress.update(tick, deliveries);
  };
  return { progress, update };
}

test('a terminal sees ticks, speed, deliveries and what is left', () => {
  const terminal = new KeptTerminal(true, 120);
  const { update } = onClock(terminal, 100_000);

  update(1000, 25_000, 1_234_567);

  expect(terminal.stderr).toBe(
    '\r25,000 of 100,000 cycles, 25,000 cycles/s, 1,234,567 deliveries, about 3 s left',
  );
});

test('at most five updates a second are shown, and none in the first half second', () => {
  const terminal = new KeptTerminal(true, 120);
  const { update } = onClock(terminal);

  for (let ms = 0; ms <= 2000; ms += 10) update(ms, ms, ms);

  expect(terminal.stderr.match(/\r/g)).toHaveLength(8);
  expect(terminal.stderr).toMatch(/^\r500 cycles, 1,000 cycles\/s/);
});

test('the line is wiped away at the end', () => {
  const terminal = new KeptTerminal(true, 40);
  const { progress, update } = onClock(terminal);
  update(1000, 1, 1);
  const shown = terminal.stderr.length - 1;

  progress.end();

  expect(terminal.stderr.endsWith(`\r${' '.repeat(shown)}\r`)).toBe(true);
});

test('a file or a pipe gets a line each ten seconds, and nothing of a short run', () => {
  const terminal = new KeptTerminal(false);
  const { progress, update } = onClock(terminal);

  for (let ms = 0; ms < 10_000; ms += 10) update(ms, ms, ms);
  const early = terminal.stderr;
  for (let ms = 10_000; ms <= 30_000; ms += 10) update(ms, ms, ms);
  progress.end();

  expect(early).toBe('');
  expect(terminal.stderr.split('\n')).toEqual([
    '10,000 cycles, 1,000 cycles/s, 10,000 deliveries',
    '20,000 cycles, 1,000 cycles/s, 20,000 deliveries',
    '30,000 cycles, 1,000 cycles/s, 30,000 deliveries',
    '',
  ]);
});
