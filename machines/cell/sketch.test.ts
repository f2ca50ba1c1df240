import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TransferRow } from './figures.ts';
import { type CellResult, logOfResult } from './log-of-result.ts';
import { sketch } from './sketch.ts';

function golden(name: string, width: number): string {
  const read = (part: string) =>
    JSON.parse(
      readFileSync(
        new URL(`../../properties/cell/golden/machine/${name}.${part}.json`, import.meta.url),
        'utf8',
      ),
    );
  const { header, events } = logOfResult(
    read('workload') as { N: number; K: number },
    read('result') as CellResult,
  );
  return sketch(header, events, width);
}

function sketched(
  machine: { N: number; K: number },
  transfers: readonly TransferRow[],
  cycles: number,
): string {
  const { header, events } = logOfResult(machine, { name: 'hand', policy: 'etalon-ff', cycles, transfers });
  return sketch(header, events, 80);
}

describe('the sketch of a run', () => {
  it('is the first worked trace, node by node and cycle by cycle', () => {
    expect(`\n${golden('ex1', 80)}`).toBe(`
ex1: 6 cycles, 10 bytes, 4 transfers, total wait 3 cycles (N=4, K=1, etalon-ff)
cycle         0 1 2 3 4 5
ring 0 →  S0  . a a a a d
          S1  . a a a a d
          S2  . a a a a d
          S3  . . . . . d
ring 0 ←  S0  . . . c c c
          S1  . b b c c c
          S2  . b b c c c
          S3  . b b c c c
waiting   S2  . . c . . .
          S3  . . . d d .
   who    transfer       issue  start  wait  where
a  S0 #0  S0→S2 put 4 B      0      1     0  ring 0 →, last cycle 4
b  S1 #0  S3→S1 get 2 B      0      1     0  ring 0 ←, last cycle 2
c  S2 #0  S2→S3 put 3 B      1      3     1  ring 0 ←, last cycle 5
d  S3 #0  S0→S3 get 1 B      2      5     2  ring 0 →, last cycle 5
`);
  });

  it('is the worked trace that waits, node by node and cycle by cycle', () => {
    expect(`\n${golden('ex2', 80)}`).toBe(`
ex2-worked-wait: 7 cycles, 7 bytes, 3 transfers, total wait 2 cycles (N=4, K=1, etalon-ff)
cycle         0 1 2 3 4 5 6
ring 0 →  S0  . . . a a a c
          S1  . . . a a a c
          S2  . . . . . . .
          S3  . . . . . . .
ring 0 ←  S0  . . . b b b .
          S1  . . . b b b .
          S2  . . . b b b .
          S3  . . . b b b .
waiting   S0  . . . . c c .
   who    transfer       issue  start  wait  where
a  S0 #0  S0→S1 put 3 B      2      3     0  ring 0 →, last cycle 5
b  S0 #1  S0→S1 put 3 B      2      3     0  ring 0 ←, last cycle 5
c  S0 #2  S0→S1 put 1 B      3      6     2  ring 0 →, last cycle 6
`);
  });

  it('tells what is unfinished, empty or to itself', () => {
    const rows: TransferRow[] = [
      [0, 0, 'put', 0, 0, 2, 0, 1, 0, 0, 0],
      [0, 1, 'put', 0, 1, 0, 0, 1, -1, -1, 0],
      [1, 0, 'put', 1, 0, 9, 0, 2, 1, 0, 1],
      [1, 1, 'get', 0, 1, 3, 1, -1, -1, -1, -1],
    ];

    expect(`\n${sketched({ N: 2, K: 1 }, rows, 4)}`).toBe(`
hand: 4 cycles, 4 bytes, 4 transfers, total wait 1 cycle, 2 unfinished (N=2, K=1, etalon-ff)
cycle         0 1 2 3
ring 0 →  S0  . a a .
          S1  . . . .
ring 0 ←  S0  . . c c
          S1  . . c c
waiting   S1  . c d d
   who    transfer       issue  start  wait  where
a  S0 #0  S0→S0 put 2 B      0      1     0  ring 0 →, last cycle 2
b  S0 #1  S0→S1 put 0 B      0      1     0  no bytes, no ring
c  S1 #0  S1→S0 put 9 B      0      2     1  ring 0 ←, unfinished
d  S1 #1  S0→S1 get 3 B      1      -    2+  not started
`);
  });

  it('makes a ring one row and counts transfers by digits when there are many nodes', () => {
    const rows: TransferRow[] = [
      [0, 0, 'put', 0, 1, 3, 0, 1, 0, 0, 0],
      [4, 0, 'put', 4, 5, 2, 1, 2, 0, 0, 0],
    ];

    const lines = sketched({ N: 12, K: 1 }, rows, 5).split('\n');

    expect(lines.slice(1, 5)).toEqual([
      'a digit counts the transfers that meet in a cell',
      'cycle     0 1 2 3 4',
      'ring 0 →  . a 2 2 .',
      'ring 0 ←  . . . . .',
    ]);
  });

  it.each(['sat_n8_k2', 'sat_n64_k4', 'timed_n8_k1', 'timed_n6_k2'])(
    'has at most 30 lines for the golden run %s and no picture row over its width',
    (name) => {
      const lines = golden(name, 72).trimEnd().split('\n');

      expect(lines.length).toBeLessThanOrEqual(30);
      expect(lines.length).toBeGreaterThan(20);
      const picture = lines.filter((line) => /^(cycle|ring|waiting| {8})/.test(line));
      expect(Math.max(...picture.map((line) => line.length))).toBeLessThanOrEqual(72);
      expect(lines.at(-1)).toMatch(/^\d+ more; these are the longest waits$/);
    },
  );

  it('has at most 30 lines for the largest machine', () => {
    const rows = Array.from(
      { length: 64 },
      (_, spu): TransferRow => [spu, 0, 'put', spu, spu, 5, 0, 1 + (spu % 3), spu % 2, spu, spu % 3],
    );

    const lines = sketched({ N: 1024, K: 64 }, rows, 8).trimEnd().split('\n');

    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines).toContainEqual(expect.stringMatching(/^113 more/));
  });

  it('says so when nothing was transferred', () => {
    expect(sketched({ N: 2, K: 1 }, [], 3)).toContain('no transfers');
  });
});
