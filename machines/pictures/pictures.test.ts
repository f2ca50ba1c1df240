import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { textWidth } from '../svg.ts';
import { chart } from './chart.ts';
import { colourScale } from './colour-scale.ts';
import { written } from './drawing.ts';
import { linkMap, valueGrid } from './heat-maps.ts';
import { timeline } from './timeline.ts';

/** Every text of a picture with the px between which it stands, groups that are moved included. */
function textsOf(svg: string) {
  const groups: { readonly x: number; readonly y: number }[] = [{ x: 0, y: 0 }];
  const tags = svg.matchAll(/<(g|text)(?: ([^>]*))?>([^<]*)|<\/g>/g);
  return [...tags].flatMap(([tag, name, attributes = '', content = '']) => {
    if (tag === '</g>') groups.pop();
    const origin = groups.at(-1)!;
    const [, moveX = 0, moveY = 0] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(attributes) ?? [];
    if (name === 'g') groups.push({ x: origin.x + Number(moveX), y: origin.y + Number(moveY) });
    if (name !== 'text') return [];
    const value = (of: string): string => new RegExp(`(?:^| )${of}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const text = content.replace(/&(lt|gt|amp|quot);/g, '&').trim();
    const size = Number(value('font-size'));
    const width = textWidth(text, size) * (value('font-weight') === '' ? 1 : 1.2);
    const [x, y, anchor] = [
      origin.x + Number(value('x')),
      origin.y + Number(value('y')),
      value('text-anchor'),
    ];
    const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
    return [{ text, left, right: left + width, top: y - size, bottom: y, tick: value('class') === 'tick' }];
  });
}

function expectWhole(svg: string): void {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
  const texts = textsOf(svg);
  for (const { left, right, top, bottom } of texts) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(width!);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(height!);
  }
  for (const [index, one] of texts.entries())
    for (const other of texts.slice(index + 1)) {
      const apart =
        one.right <= other.left ||
        other.right <= one.left ||
        one.bottom <= other.top ||
        other.bottom <= one.top;
      expect(apart, `"${one.text}" over "${other.text}"`).toBe(true);
    }
  // As a number of the drawing: a text may say so.
  expect(svg).not.toMatch(/="[^"]*(?:NaN|Infinity|undefined)/);
}

const name = fc.stringMatching(/^[A-Za-z0-9]{1,8}( [a-z]{1,9}){0,4}$/);
const names = (maxLength: number) => fc.uniqueArray(name, { minLength: 1, maxLength });
const place = fc.record({
  x: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
  y: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
});

describe('a chart', () => {
  test('keeps all texts whole and apart, and names every series, whatever the data', () => {
    fc.assert(
      fc.property(
        name,
        names(20),
        fc.array(place, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.option(fc.double({ min: 1, max: 100, noNaN: true }), { nil: undefined }),
        (title, series, points, logarithmic, max) => {
          const drawn = chart({
            title,
            x: { label: 'size, bytes', ...(logarithmic && { logarithmic: 4 }) },
            y: { label: 'speed, GB/s', ...(max !== undefined && { max }) },
            series: series.map((one) => ({ name: one, points })),
          });
          const svg = written(title, drawn);

          expectWhole(svg);
          const told = textsOf(svg).map(({ text }) => text);
          for (const one of series) expect(told).toContain(one);
          expect(told).toContain('speed, GB/s');
        },
      ),
      {
        numRuns: effort({ short: 24, long: 60 }),
        // A long number at the left edge.
        examples: [['0', ['0'], [{ x: 0.001, y: 0.001 }], true, 4.000000000000001]],
      },
    );
  });

  test('has ticks at round numbers', () => {
    const drawn = chart({
      title: 'delay',
      x: { label: 'load' },
      y: { label: 'delay, cycles' },
      series: [{ name: 'a', points: [{ x: 0.37, y: 83.3 }] }],
    });
    const svg = written('delay', drawn);

    const ticks = textsOf(svg).filter(({ tick }) => tick);
    expect(ticks.map(({ text }) => text)).toEqual(
      ['0.00', '0.05', '0.10', '0.15', '0.20', '0.25', '0.30', '0.35', '0.40'].concat([
        '0',
        '20',
        '40',
        '60',
        '80',
        '100',
      ]),
    );
  });

  test('states how many points lie beyond its axes', () => {
    const points = [1, 2, 30, 40].map((y) => ({ x: y, y }));
    const draw = (max: number) =>
      written(
        't',
        chart({ title: 't', x: { label: 'x' }, y: { label: 'y', max }, series: [{ name: 'a', points }] }),
      );

    expect(draw(10)).toContain('beyond the axis: 2 points');
    expect(draw(40)).not.toContain('beyond the axis');
  });
});

describe('a timeline', () => {
  test('keeps all texts whole and apart, and explains the kinds that happen and no other', () => {
    fc.assert(
      fc.property(
        name,
        names(12),
        names(9),
        fc.array(fc.tuple(fc.nat(11), fc.nat(8), fc.nat(100_000), fc.nat(9_999)), { maxLength: 40 }),
        (title, labels, kinds, given) => {
          const spans = given.map(([row, kind, from, length]) => ({
            row: row % labels.length,
            kind: kinds[kind % kinds.length]!,
            from,
            to: from + length,
          }));
          const drawn = timeline({
            title,
            unit: 'cycles',
            panels: [
              {
                rows: labels.map((label, row) => ({
                  label,
                  spans: spans.filter((span) => span.row === row),
                })),
              },
            ],
            kinds: kinds.map((kind) => ({ name: kind, colour: '#0072b2' })),
          });
          const svg = written(title, drawn);

          expectWhole(svg);
          const keys = [...svg.matchAll(/class="key"/g)].length;
          expect(keys).toBe(new Set(spans.map(({ kind }) => kind)).size);
        },
      ),
      { numRuns: effort({ short: 24, long: 60 }) },
    );
  });
});

describe('a map', () => {
  const value = fc.oneof(fc.constant(0), fc.nat(1_000_000), fc.double({ min: 0.001, max: 0.5, noNaN: true }));

  test('of a grid keeps all texts whole and apart', () => {
    fc.assert(
      fc.property(
        name,
        fc.integer({ min: 1, max: 8 }),
        fc.array(value, { minLength: 1, maxLength: 64 }),
        (title, columns, values) => {
          const cells = values.map((one, index) => ({ label: String(index), value: one, tooltip: `${one}` }));
          const svg = written(title, valueGrid({ title, unit: 'bytes issued', columns, cells }));

          expectWhole(svg);
          expect(textsOf(svg).filter(({ text }) => text === 'bytes issued')).toHaveLength(1);
        },
      ),
      { numRuns: effort({ short: 24, long: 60 }) },
    );
  });

  test('of links keeps all texts whole and apart, and draws an arrow for each direction', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.tuple(fc.nat(35), fc.nat(35), value), { maxLength: 40 }),
        (columns, rows, given) => {
          const nodes = Array.from({ length: columns * rows }, (_, at) => ({
            column: at % columns,
            row: Math.floor(at / columns),
            label: `${at % columns},${Math.floor(at / columns)}`,
            tooltip: `router ${at}`,
          }));
          const links = given
            .map(([from, to, flits]) => ({
              from: from % nodes.length,
              to: to % nodes.length,
              value: flits,
              tooltip: `${flits}`,
            }))
            .filter(({ from, to }) => from !== to);
          const svg = written('map', linkMap({ title: 'map', unit: 'flits a cycle', nodes, links }));

          expectWhole(svg);
          expect(svg.match(/<polygon /g) ?? []).toHaveLength(links.length);
        },
      ),
      { numRuns: effort({ short: 24, long: 60 }) },
    );
  });

  test('has a darker colour for more, and says so when there was nothing', () => {
    const lightness = (colour: string): number =>
      (colour.match(/\d+/g) ?? []).map(Number).reduce((sum, one) => sum + one, 0);
    const scale = colourScale('bytes', [0, 50, 100]);

    const [some, more, most] = [1, 50, 100].map((one) => lightness(scale.colour(one)));
    expect(some).toBeGreaterThan(more!);
    expect(more).toBeGreaterThan(most!);
    expect(written('none', colourScale('bytes', [0, 0]).key)).toContain('nothing in this run');
  });
});
