import { describe, expect, test } from 'vitest';
import { Run } from '../../kernel/run.ts';
import { systemMachine } from './system.ts';
import { systemConfig, systemPrograms } from './system-config.ts';

/*
 * What a system of chiplets warns of (chiplet specification 13).
 */

/** The warnings of a GPU chiplet that launches one kernel with a block of threads. */
function warningsOf(
  body: string,
  threads: number,
  after: readonly object[] = [],
  others: object = {},
): readonly string[] {
  const text = `.version 7.0
.target sm_75
.visible .entry k()
{
  .reg .pred %p<3>;
  .reg .b32 %t, %r<5>;
  mov.u32 %t, %tid.x;
  ${body}
  ret;
}`;
  const launch = { op: 'launch', kernel: 'k', block: [threads, 1, 1] };
  const assembly = systemMachine.assemble({
    name: 'one kernel',
    config: systemConfig.parse({
      mode: 'decoupled',
      network: { A: 2, F: 1 },
      chiplets: [
        { x: 1, y: 0, kind: 'gpu', program: 'own', cores: 1 },
        { x: 0, y: 1, kind: 'cpu', program: 'peer' },
      ],
      ...others,
    }),
    programs: systemPrograms.parse({
      kernels: [{ name: 'k.ptx', text }],
      hosts: {
        own: { steps: [launch, ...after] },
        peer: { steps: [{ op: 'send', to: [1, 0], values: [8, 9] }] },
      },
    }),
    mutants: [],
    scheduled: false,
  });
  const run = new Run(assembly.wiring);
  run.toEnd();
  return assembly.result(run).warnings;
}

const read = [{ op: 'receive', from: [0, 1], count: 2, as: 'all' }];

describe('a barrier that a warp comes to', () => {
  test.each([
    ['in one piece is nothing to speak of', 'bar.sync 0;', 40, 0],
    ['while lanes of it are elsewhere is told', 'setp.lt.u32 %p1, %t, 3; @%p1 bar.sync 0;', 40, 1],
    ['while lanes of it have ended is told', 'setp.lt.u32 %p1, %t, 3; @%p1 exit; bar.sync 0;', 40, 1],
    ['after other warps have ended is nothing', 'setp.ge.u32 %p1, %t, 32; @%p1 exit; bar.sync 0;', 40, 0],
  ])('%s', (_what, body, threads, count) => {
    expect(warningsOf(body, threads, read)).toEqual(
      count === 0
        ? []
        : [
            `E-BARDIV (1, 0) warps of k came ${count} times to a barrier while lanes of theirs were elsewhere or had ended`,
          ],
    );
  });
});

test('values that nobody has read are told with their number', () => {
  expect(warningsOf('', 1)).toEqual(['W-UNREAD (1, 0) has 2 values of (0, 1) unread']);
});

test('a receive by another index than its number is told', () => {
  // The parameter says: (1, 0) receives from (0, 1).
  expect(warningsOf('addc.u32 %r1, 10000011, 5; addc.u32 %r2, 10000011, 1;', 1)).toEqual([
    'W-INDEX (1, 0) took 1 values by another index than their number in the kernel, first index 5 of (0, 1) for value 0',
  ]);
});

test('a send in the name of another chiplet is told', () => {
  // The parameter says: (1, 1) sends to (0, 1).
  expect(warningsOf('addc.u32 %r1, 10100010, 5;', 1, read)).toContain(
    'E-OPCODE (1, 0) sent 1 messages in the name of another chiplet',
  );
});
