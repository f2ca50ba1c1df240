import { expect, test } from 'vitest';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

/** Progress of a burst that is over after some hundred cycles, with more options. */
async function progress(
  ...more: readonly string[]
): Promise<{ times: readonly string[]; finished: readonly string[] }> {
  const terminal = new KeptTerminal();
  const words = 'chiplet popnet -A 4 -c 2 -V 3 -B 12 -O 12 -F 4 -L 1000 -r 1 -R 0 -m 400'.split(' ');
  const trace = 'properties/chiplet/golden/popnet/traces/burst0.txt';
  const exitCode = await main([...words, '-I', trace, ...more], terminal);
  expect(exitCode).toBe(0);
  const all = (pattern: RegExp): readonly string[] =>
    [...terminal.stderr.matchAll(pattern)].map(([, found]) => found!);
  return { times: all(/^current time: (\d+)$/gm), finished: all(/^total finished:\s+(\d+)$/gm) };
}

test('progress goes on after the last packet has arrived, until the end that is asked for', async () => {
  const { times, finished } = await progress('-T', '2500');

  expect(times).toEqual(['400', '800', '1200', '1600', '2000', '2400']);
  expect(finished.slice(1)).toEqual(Array.from({ length: 6 }, () => finished.at(-1)));
});

test('without an end it stops when the network is at rest', async () => {
  const { times } = await progress();

  expect(times.length).toBeLessThan(4);
});
