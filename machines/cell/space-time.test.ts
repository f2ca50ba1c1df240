import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TransferRow } from './figures.ts';
import type { CellLogEvent } from './log-events.ts';
import { type CellLog, type CellResult, logOfResult } from './log-of-result.ts';
import { spaceTimePicture } from './space-time.ts';

function golden(name: string): { machine: { N: number; K: number }; result: CellResult; log: CellLog } {
  const read = (part: string) =>
    JSON.parse(
      readFileSync(
        new URL(`../../properties/cell/golden/machine/${name}.${part}.json`, import.meta.url),
        'utf8',
      ),
    );
  const machine = read('workload') as { N: number; K: number };
  const result = read('result') as CellResult;
  return { machine, result, log: logOfResult(machine, result) };
}

function drawn(machine: { N: number; K: number }, transfers: readonly TransferRow[], cycles: number): string {
  const { header, events } = logOfResult(machine, { name: 'hand', policy: 'etalon-ff', cycles, transfers });
  return spaceTimePicture(header, events);
}

/** One mark as the text of the picture has it. */
interface Mark {
  readonly tag: string;
  readonly classes: readonly string[];
  readonly attributes: Readonly<Record<string, string>> & {
    readonly class?: string;
    readonly d?: string;
    readonly y?: string;
  };
  /** "dir,ring" of the panel it stands in, or "" outside the rings. */
  readonly panel: string;
}

/** Reads all elements of a picture; panels are the groups that name their ring. */
function marksOf(svg: string): Mark[] {
  const marks: Mark[] = [];
  const open: string[] = [];
  for (const [, closing, tag = '', written = '', alone] of svg.matchAll(
    /<(\/?)(\w+)((?:\s[\w-]+="[^"]*")*)\s*(\/?)>/g,
  )) {
    if (closing === '/') {
      expect(open.pop()?.split(' ')[0]).toBe(tag);
      continue;
    }
    const attributes: Mark['attributes'] = Object.fromEntries(
      [...written.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    );
    const own =
      attributes.class === 'ring-panel' ? `${attributes['data-dir']},${attributes['data-ring']}` : '';
    const panel = open.map((entry) => entry.split(' ')[1] ?? '').findLast((name) => name !== '') ?? '';
    marks.push({ tag, classes: (attributes.class ?? '').split(' '), attributes, panel });
    if (alone !== '/') open.push(`${tag} ${own}`);
  }
  expect(open).toEqual([]);
  return marks;
}

const having = (marks: readonly Mark[], name: string) =>
  marks.filter(({ classes }) => classes.includes(name));
/** The areas of transfers; the legend has one too, outside the rings. */
const areasOf = (marks: readonly Mark[]) => having(marks, 'block').filter(({ panel }) => panel !== '');
/** The bars of waiting requests, without the one of the legend. */
const waitsOf = (marks: readonly Mark[]) =>
  having(marks, 'bar').filter(({ attributes }) => attributes['data-wait'] !== undefined);
const number = (mark: Mark, key: string) => Number(mark.attributes[key]);

/** A straight line through the places of numbers that the picture itself writes beside its axis. */
function lineThrough(
  points: readonly (readonly [value: number, place: number])[],
): (value: number) => number {
  const [value, place] = points[0]!;
  const [otherValue, otherPlace] = points.at(-1)!;
  const slope = points.length === 1 ? 0 : (otherPlace - place) / (otherValue - value);
  return (wanted) => place + (wanted - value) * slope;
}

/** Finds out from the picture's own axes which "dir,ring,node,cycle" each area covers; keys are "spu#id". */
function coverage(svg: string, N: number, cycles: number): Map<string, string[]> {
  const marks = marksOf(svg);
  const numbers = marks
    .filter(({ attributes }) => attributes['data-cycle'] !== undefined)
    .map((mark) => [number(mark, 'data-cycle'), number(mark, 'x')] as const);
  const stepIsOne = numbers[1]![0] - numbers[0]![0] === 1;
  const upper = numbers
    .filter(([, x], index) => index === 0 || x > numbers[index - 1]![1])
    .slice(0, numbers.length / 2);
  const axis = lineThrough(upper);
  // A number stands in the middle of its cycle when every cycle has one, else at the cycle's beginning.
  const centreOf = (cycle: number) => axis(stepIsOne ? cycle : cycle + 0.5);
  const covered = new Map<string, string[]>();
  for (const panel of new Set(areasOf(marks).map((mark) => mark.panel))) {
    const names = marks.filter((mark) => mark.panel === panel && mark.attributes['data-row'] !== undefined);
    const rowAt = lineThrough(
      names.map((mark) => [number(mark, 'data-row'), number(mark, 'y') - 3.5] as const),
    );
    for (const block of areasOf(marks).filter((mark) => mark.panel === panel)) {
      const key = `${block.attributes['data-spu']}#${block.attributes['data-id']}`;
      const cells = covered.get(key) ?? [];
      covered.set(key, cells);
      const inside = (place: number, start: string, size: string) =>
        place > number(block, start) && place < number(block, start) + number(block, size);
      const rows = Array.from({ length: N }, (_, node) => node).filter((node) =>
        inside(rowAt(node), 'y', 'height'),
      );
      for (let cycle = 0; cycle < cycles; cycle += 1) {
        if (inside(centreOf(cycle), 'x', 'width'))
          cells.push(...rows.map((node) => `${panel},${node},${cycle}`));
      }
    }
  }
  for (const cells of covered.values()) cells.sort();
  return covered;
}

/** What a transfer covers by Cell specification 5 and 9, T3, up to a last cycle. */
function expectedCells(row: TransferRow, N: number, lastCycle: number): string[] {
  const [, , , src, dst, size, , start, dir, ring] = row;
  const cells: string[] = [];
  const hops = dir === 0 ? (dst - src + N) % N : (src - dst + N) % N;
  for (let hop = 0; hop <= hops; hop += 1) {
    const node = dir === 0 ? (src + hop) % N : (src - hop + N) % N;
    for (let cycle = start; cycle < start + size && cycle <= lastCycle; cycle += 1) {
      cells.push(`${dir},${ring},${node},${cycle}`);
    }
  }
  return cells.sort();
}

/** Cells of a panel written as in Cell specification 23: nodes and cycles. */
function cellsAt(dir: number, nodes: readonly number[], cycles: readonly number[]): string[] {
  return nodes.flatMap((node) => cycles.map((cycle) => `${dir},0,${node},${cycle}`)).sort();
}

describe('the areas of a space-time picture', () => {
  it('cover exactly the nodes and cycles of the first worked trace', () => {
    const { log } = golden('ex1');

    const covered = coverage(spaceTimePicture(log.header, log.events), 4, 6);

    expect(Object.fromEntries(covered)).toEqual({
      '0#0': cellsAt(0, [0, 1, 2], [1, 2, 3, 4]),
      '1#0': cellsAt(1, [3, 2, 1], [1, 2]),
      '2#0': cellsAt(1, [2, 1, 0, 3], [3, 4, 5]),
      '3#0': cellsAt(0, [0, 1, 2, 3], [5]),
    });
  });

  it('cover exactly the nodes and cycles of the worked trace that waits', () => {
    const { log } = golden('ex2');

    const covered = coverage(spaceTimePicture(log.header, log.events), 4, 7);

    expect(Object.fromEntries(covered)).toEqual({
      '0#0': cellsAt(0, [0, 1], [3, 4, 5]),
      '0#1': cellsAt(1, [0, 3, 2, 1], [3, 4, 5]),
      '0#2': cellsAt(0, [0, 1], [6]),
    });
  });

  it.each(['timed_n8_k1', 'sd_timed_n6_k2', 'sat_n8_k2', 'sat_n64_k4'])(
    'cover exactly what the golden run %s held in the cycles shown',
    (name) => {
      const { machine, result, log } = golden(name);

      const svg = spaceTimePicture(log.header, log.events);

      const shown = /shows cycles 0–(\d+) /.exec(svg);
      const lastCycle = shown === null ? result.cycles - 1 : Number(shown[1]);
      const covered = coverage(svg, machine.N, lastCycle + 1);
      const rows = result.transfers.filter(([, , , , , size, , start]) => size > 0 && start <= lastCycle);
      expect(covered.size).toBe(rows.length);
      for (const row of rows) {
        expect(covered.get(`${row[0]}#${row[1]}`)).toEqual(expectedCells(row, machine.N, lastCycle));
      }
    },
  );

  it('are split in two where the ring wraps around, and name nodes and cycles in their data', () => {
    const svg = drawn({ N: 4, K: 1 }, [[3, 0, 'put', 3, 1, 4, 0, 1, 0, 0, 0]], 5);

    const blocks = areasOf(marksOf(svg));

    expect(blocks.map(({ attributes }) => attributes['data-node'])).toEqual(['3', '0,1']);
    for (const block of blocks) {
      expect([number(block, 'data-first'), number(block, 'data-last')]).toEqual([1, 4]);
    }
  });

  it('do not overlap on any ring of a golden run', () => {
    const { machine, result, log } = golden('sd_sat_n8_k2');

    const covered = coverage(spaceTimePicture(log.header, log.events), machine.N, result.cycles);

    const cells = [...covered.values()].flat();
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('are left out, with a note, on a ring that the machine does not have', () => {
    const svg = drawn({ N: 4, K: 1 }, [[0, 0, 'put', 0, 1, 2, 0, 1, 0, 5, 0]], 3);

    expect(having(marksOf(svg), 'transfer')).toHaveLength(0);
    expect(svg).toContain('Not drawn: 1 transfer logged on a ring that this machine does not have.');
  });
});

describe('the ends of a transfer', () => {
  it('are a dot in the row of the sender and an arrow head in the row of the receiver', () => {
    const { log, result } = golden('ex1');

    const marks = marksOf(spaceTimePicture(log.header, log.events));

    const ends = (name: string) =>
      having(marks, name).map(({ attributes }) =>
        [attributes['data-spu'], attributes['data-node']].map(Number),
      );
    const order = (one: number[], other: number[]) => one[0]! - other[0]!;
    expect(ends('sender').sort(order)).toEqual(result.transfers.map(([spu, , , src]) => [spu, src]));
    expect(ends('receiver').sort(order)).toEqual(result.transfers.map(([spu, , , , dst]) => [spu, dst]));
    for (const dot of having(marks, 'sender')) {
      const home = having(marks, 'block').find(
        ({ attributes }) =>
          attributes['data-spu'] === dot.attributes['data-spu'] &&
          attributes['data-node']?.split(',').includes(dot.attributes['data-node']!),
      )!;
      expect(number(dot, 'cy')).toBeGreaterThan(number(home, 'y'));
      expect(number(dot, 'cy')).toBeLessThan(number(home, 'y') + number(home, 'height'));
    }
  });

  it('point along the ring: down in direction 0, up in direction 1', () => {
    const down = drawn({ N: 4, K: 1 }, [[0, 0, 'put', 0, 2, 2, 0, 1, 0, 0, 0]], 3);
    const up = drawn({ N: 4, K: 1 }, [[0, 0, 'put', 2, 0, 2, 0, 1, 1, 0, 0]], 3);

    const tipMinusBase = (svg: string) => {
      const [head] = having(marksOf(svg), 'receiver');
      const [, base, tip] = /^M[\d.]+ ([\d.]+)h[\d.]+L[\d.]+ ([\d.]+)z$/.exec(head!.attributes.d!)!;
      return Number(tip) - Number(base);
    };
    expect(tipMinusBase(down)).toBeGreaterThan(0);
    expect(tipMinusBase(up)).toBeLessThan(0);
  });

  it('are one target when an SPU sends to itself', () => {
    const svg = drawn({ N: 1, K: 1 }, [[0, 0, 'put', 0, 0, 3, 0, 1, 0, 0, 0]], 4);

    const marks = marksOf(svg);

    const [dot] = having(marks, 'sender');
    const [target] = having(marks, 'receiver');
    expect([number(target!, 'cx'), number(target!, 'cy')]).toEqual([number(dot!, 'cx'), number(dot!, 'cy')]);
    expect(coverage(svg, 1, 4).get('0#0')).toEqual(['0,0,0,1', '0,0,0,2', '0,0,0,3']);
    expect(svg).toContain('sender is');
  });
});

describe('the waiting of a space-time picture', () => {
  it.each([
    ['ex1', 3],
    ['ex2', 2],
    ['sat_n64_k4', 55087],
  ])('adds up to the total waiting time of %s, %i cycles', (name, totalWait) => {
    const { log } = golden(name);

    const bars = waitsOf(marksOf(spaceTimePicture(log.header, log.events)));

    expect(bars.reduce((total, bar) => total + number(bar, 'data-wait'), 0)).toBe(totalWait);
    for (const bar of bars) {
      expect(number(bar, 'data-last') - number(bar, 'data-first') + 1).toBe(number(bar, 'data-wait'));
    }
  });

  it('runs from the cycle after the request to the cycle before the start, on the row of the initiator', () => {
    const { log } = golden('ex2');

    const marks = marksOf(spaceTimePicture(log.header, log.events));

    const [bar] = having(marks, 'bar');
    expect(bar?.attributes).toMatchObject({
      'data-id': '2',
      'data-node': '0',
      'data-first': '4',
      'data-last': '5',
    });
    const centre = (cycle: number) =>
      number(marks.find(({ attributes }) => attributes['data-cycle'] === String(cycle))!, 'x');
    const right = number(bar!, 'x') + number(bar!, 'width');
    expect(number(bar!, 'x')).toBeCloseTo((centre(3) + centre(4)) / 2 + 0.5, 1);
    expect(right).toBeCloseTo((centre(5) + centre(6)) / 2 - 0.5, 1);
  });

  it('never lays two requests over each other', () => {
    const { log } = golden('sat_n8_k2');

    const bars = waitsOf(marksOf(spaceTimePicture(log.header, log.events)));

    const byLane = new Map<string, Mark[]>();
    for (const bar of bars) byLane.set(bar.attributes.y!, [...(byLane.get(bar.attributes.y!) ?? []), bar]);
    expect(byLane.size).toBeLessThan(60);
    for (const lane of byLane.values()) {
      lane.sort((one, other) => number(one, 'data-first') - number(other, 'data-first'));
      for (const [index, bar] of lane.entries()) {
        if (index > 0)
          expect(number(bar, 'data-first')).toBeGreaterThan(number(lane[index - 1]!, 'data-last'));
      }
    }
  });

  it('is open to the end of the run for a request that never started, and says so', () => {
    const svg = drawn({ N: 4, K: 1 }, [[1, 0, 'get', 3, 1, 3, 1, -1, -1, -1, -1]], 6);

    const marks = marksOf(svg);

    expect(having(marks, 'transfer')).toHaveLength(0);
    expect(having(marks, 'open')[0]?.attributes).toMatchObject({ 'data-first': '2', 'data-last': '5' });
    expect(svg).toContain('still waiting at the end of the run after 4 cycles');
    expect(svg).toContain('1 unfinished');
  });

  it('shows a transfer of no bytes as a diamond in the cycle after its request', () => {
    const svg = drawn({ N: 4, K: 1 }, [[1, 0, 'put', 1, 2, 0, 3, 4, -1, -1, 0]], 6);

    const [diamond] = having(marksOf(svg), 'empty');

    expect(diamond?.attributes).toMatchObject({ 'data-first': '4', 'data-spu': '1' });
    expect(having(marksOf(svg), 'transfer')).toHaveLength(0);
  });

  it('shows exceptions of programs where they happened', () => {
    const { log } = golden('ex1');
    const exception: CellLogEvent = { t: 2, n: 99, ev: 'EXC', spu: 1, k: 4, why: 'address 300 > 255' };

    const svg = spaceTimePicture(log.header, [...log.events, exception]);

    const [fault] = having(marksOf(svg), 'fault');
    expect(fault?.attributes).toMatchObject({ 'data-spu': '1', 'data-first': '2' });
    expect(svg).toContain('exception of S1 in cycle 2: address 300 &gt; 255');
  });
});

describe('the window of a space-time picture', () => {
  it('shows the first cycles of a long run, at most 1600 px wide, and says what was cut', () => {
    const { log, result } = golden('sat_n8_k2');

    const svg = spaceTimePicture(log.header, log.events);

    const [root] = marksOf(svg);
    expect(number(root!, 'width')).toBeLessThanOrEqual(1600);
    const outside = result.transfers.filter(([, , , , , , issue]) => issue > 507).length;
    expect(svg).toContain(
      `Cut: shows cycles 0–507 of 0–1093; of 480 transfers, ${outside} outside and not drawn.`,
    );
    expect(having(marksOf(svg), 'overview')).toHaveLength(1);
  });

  it('shows the cycles that were asked for and no others', () => {
    const { log, result, machine } = golden('sat_n8_k2');

    const svg = spaceTimePicture(log.header, log.events, { window: { first: 1000, last: 1020 }, width: 900 });

    const covered = coverage(svg, machine.N, result.cycles);
    const meeting = result.transfers.filter(
      ([, , , , , size, , start]) => start <= 1020 && start + size - 1 >= 1000,
    );
    expect(covered.size).toBe(meeting.length);
    for (const row of meeting) {
      const inWindow = expectedCells(row, machine.N, 1020).filter(
        (cell) => Number(cell.split(',')[3]) >= 1000,
      );
      expect(covered.get(`${row[0]}#${row[1]}`)).toEqual(inWindow);
    }
  });

  it('is refused when it is no range of cycles, and so is a width that cannot be read', () => {
    const { log } = golden('ex1');
    const draw = (options: object) => () => spaceTimePicture(log.header, log.events, options);

    expect(draw({ window: { first: 3, last: 2 } })).toThrow(RangeError);
    expect(draw({ window: { first: 0.5, last: 2 } })).toThrow(RangeError);
    expect(draw({ width: 100 })).toThrow(RangeError);
    expect(draw({ width: Number.NaN })).toThrow(RangeError);
  });
});

describe('the text of a space-time picture', () => {
  it('is well formed, whatever the names in the log are', () => {
    const { log } = golden('ex1');
    const name = '</svg><script>"a" & \'b\'\u0000\uD800';

    const svg = spaceTimePicture({ ...log.header, name, policy: '<&>' }, log.events);

    marksOf(svg);
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u0000');
    expect(svg).not.toMatch(/\p{Surrogate}/u);
    expect(svg).toContain('&lt;/svg&gt;&lt;script&gt;');
    expect(svg.replaceAll(/&(amp|lt|gt|quot);/g, '')).not.toContain('&');
  });

  it('is the same for the same log and loads nothing from elsewhere', () => {
    const { log } = golden('sd_sat_n8_k2');

    const svg = spaceTimePicture(log.header, log.events);

    expect(spaceTimePicture(log.header, structuredClone(log.events))).toBe(svg);
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|href|@import|<script|NaN|undefined/,
    );
  });

  it('names the rings, the figures and every transfer', () => {
    const { log } = golden('ex1');

    const svg = spaceTimePicture(log.header, log.events);

    expect(svg).toContain('>ring 0 →<');
    expect(svg).toContain('>ring 0 ←<');
    expect(svg).toContain(
      '6 cycles · 10 bytes · 4 transfers · total wait 3 cycles · 4 nodes · 1 ring each way · policy etalon-ff',
    );
    expect(svg).toContain('>S0→S2 put 4 B<');
    expect(svg).toContain(
      'S3 #0: get S0→S3, 1 byte\nissued in cycle 2, waited 2 cycles\nran in cycle 5 on ring 0 →, nodes 0, 1, 2, 3',
    );
  });

  it.each([
    { N: 1, K: 1 },
    { N: 64, K: 8 },
  ])('is whole for a run in which nothing happened, $N nodes and $K rings', (machine) => {
    const svg = drawn(machine, [], 0);

    expect(having(marksOf(svg), 'ring-panel')).toHaveLength(2 * machine.K);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});
