import { expect, test } from 'vitest';
import { coloured, showsColours } from './colour.ts';

const [red, green, yellow, bold] = ['\u001b[31m', '\u001b[32m', '\u001b[33m', '\u001b[1m'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, '');

test.each([
  ['two-phase commit (two-phase-commit): ok under every schedule', green],
  ['a race (./machine.ts#lockServer): ok so far under every schedule: 1 property is open', yellow],
  ['a broken promise (two-phase-commit): violated under some schedule: all decide alike', red],
  ['cell: no failure in 200 runs', green],
  ['cell with M-05: 1 kind of failure in 3 runs, interrupted', red],
  ['violated: at most one client works', red],
  ['failure 2, deadlock: Client in waiting', red],
  ['      ✗ tick 7: it never came', red],
  ['    3 ≠         ├──────▶│        lock.granted', yellow],
  ['FAILED   golden.json (cell): 3 of 4 rows', red],
  ['lockstep: unknown command "ru"', red],
])('%s has its colour, and its words', (line, colour) => {
  const shown = coloured(`${line}\nnothing else\n`);

  expect(shown).toContain(colour);
  expect(plain(shown)).toBe(`${line}\nnothing else\n`);
});

test('a verdict that stands out is bold, from its first word on', () => {
  const shown = coloured('a (b): violated');

  expect(shown.indexOf(red)).toBe('a (b): '.length);
  expect(shown).toContain(bold);
});

test.each(['{"verdict":"violated"}\n', '  "error": 1,\n', 'tick,from,to\n3,error,4\n', 'stateDiagram-v2\n'])(
  'data stays as it is: %j',
  (text) => {
    expect(coloured(text)).toBe(text);
  },
);

test('colours are for terminals that have them', () => {
  const terminal = (isTTY: boolean, colours: boolean) =>
    ({ isTTY, hasColors: () => colours }) as Parameters<typeof showsColours>[0];

  expect(showsColours(terminal(true, true))).toBe(true);
  expect(showsColours(terminal(true, false))).toBe(false);
  expect(showsColours(terminal(false, true))).toBe(false);
});
