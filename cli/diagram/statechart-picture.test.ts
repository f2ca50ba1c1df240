import { expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { commandBus } from '../../actors/cell/command-bus.ts';
import { emptyCoverage } from '../../kernel/coverage.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { textWidth } from '../../machines/svg.ts';
import { allActors } from '../actor-files.ts';
import { heatOf } from './heat.ts';
import { statechartOf, statesOf } from './statechart.ts';
import { statechartPicture } from './statechart-picture.ts';

const textsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

test('every actor of every family is drawn, each of its states by name and each pair of states with an arrow', async () => {
  // The layout takes a tenth of a second; `mermaid.test.ts` draws all of them.
  const share = effort({ short: 9, long: 1 });
  for (const { name, machine } of (await allActors()).filter((_, at) => at % share === 0)) {
    const svg = await statechartPicture(machine, name);
    const [, ...states] = statesOf(statechartOf(machine));

    const texts = textsOf(svg);
    for (const state of states) expect(texts, name).toContain(state.name);
    const pairs = states.flatMap(({ arrows }) => arrows).concat(statechartOf(machine).arrows);
    const arrows = new Set(pairs.map(({ from, to }) => `${from} ${to}`)).size;
    const begins = statesOf(statechartOf(machine)).filter(({ initial }) => initial !== undefined).length;
    const ends = states.filter(({ final }) => final).length;
    expect(svg.match(/<polygon /g) ?? [], name).toHaveLength(arrows + begins + ends);
    expect(svg, name).not.toMatch(/="[^"]*(?:NaN|Infinity|undefined)/);
  }
});

test('texts of boxes stand in their boxes, whatever their length', async () => {
  const machine = createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: { entry: Array.from({ length: 12 }, (_, at) => `anActionWithALongName${at}`), on: { go: 'b' } },
      b: {
        tags: ['waiting'],
        meta: { waitsFor: { what: 'the answer of all other servers of its cluster' } },
      },
    },
  });

  const svg = await statechartPicture(machine, 'm');

  const boxes = [
    ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="8"/g),
  ].map(([, ...numbers]) => numbers.map(Number));
  expect(boxes).toHaveLength(2);
  const lines = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" font-size="11"[^>]*>([^<]*)/g)];
  const own = lines.filter(([, , , text = '']) => /anAction|waits for/.test(text));
  expect(own.length).toBeGreaterThan(5);
  for (const [, x, y, text = ''] of own)
    expect(
      boxes.some(
        ([left, top, width, height]) =>
          Number(x) >= left! &&
          Number(x) + textWidth(text, 11) <= left! + width! &&
          Number(y) - 11 >= top! &&
          Number(y) <= top! + height!,
      ),
      text,
    ).toBe(true);
  expect(textsOf(svg)).toContain('waits for the answer of all other servers of its cluster');
});

test('what no run has seen looks different, and the legend says what colours mean', async () => {
  const coverage = {
    ...emptyCoverage,
    runs: 2,
    states: { bus: { free: [1000, 2], held: [10, 2] } },
    transitions: { bus: { 'free: bus.acquire -> held': [10, 2] } },
  } as const;

  const svg = await statechartPicture(commandBus, 'bus', heatOf(commandBus, coverage));

  expect(textsOf(svg)).toEqual(
    expect.arrayContaining(['never seen', 'seen 10 times', 'seen 1000 times', 'free ×1000', 'held ×10']),
  );
  const dashed = [...svg.matchAll(/<path [^>]*stroke="#c62828"[^>]*stroke-dasharray/g)];
  // From held to free, to contended and from there, and not from free to held.
  expect(dashed).toHaveLength(3);
});
