import { expect, test } from 'vitest';
import { tcaMachine } from '../../machines/tca.ts';
import { segmentsHoldWhatProgramsSay } from './segments-hold-what-programs-say.ts';
import { trial } from './trial.ts';

/*
 * Calls that something else than a barrier orders: what a byte is then is not for the sequential memory to say, and the other bytes still are.
 */

const config = () =>
  tcaMachine.config.parse({
    topology: 'pair',
    cpuBytes: 524_288,
    gpuBytes: 65_536,
    stopDetect: 'ideal',
    gasnet: { channels: [0], slots: 2, slotBytes: 576 },
  });
const barrier = { op: 'barrier' };
const fill = (to: readonly unknown[], seed: number) => ({ op: 'fill', to, size: 64, seed });
const get = { op: 'get', from: [1, 'cpu', 0], to: [0, 'gpu', 1536], size: 64 };
const reply = [
  { op: 'message', kind: 'short', to: [1, 'cpu', 16], args: [7], reply: 'short' },
  { op: 'sync', of: 'replies' },
];

const parsed = (one: readonly unknown[], other: readonly unknown[]) =>
  tcaMachine.programs.parse([{ gasnet: one }, { gasnet: other }]);
const raised = (one: readonly unknown[], other: readonly unknown[]) =>
  trial({ config: config(), programs: parsed(one, other), mutants: [] } as never).raised;

test.each([
  ['a message and its reply', [...reply, get]],
  ['nothing', [get]],
])('a get that %s orders behind a fill is no alarm', (_, calls) => {
  expect(raised([...calls, barrier], [fill([1, 'cpu', 0], 9), barrier])).toEqual([]);
});

test('what barriers order is judged beside it', () => {
  const behind = { op: 'get', from: [1, 'cpu', 4096], to: [0, 'gpu', 4096], size: 64 };
  const programs = [
    [get, barrier, behind, barrier],
    [fill([1, 'cpu', 0], 9), fill([1, 'cpu', 4096], 5), barrier, barrier],
  ] as const;

  expect(raised(...programs)).toEqual([]);
  // Where nothing was ever written.
  const known = { config: config(), programs: parsed(...programs) };
  const judge = segmentsHoldWhatProgramsSay(known);
  expect(judge.pending?.(judge.begin()).map(({ why }) => why)).toEqual([
    'byte 4096 of its segment in GPU memory is 0, not 205',
    'byte 4096 of its segment in CPU memory is 0, not 205',
  ]);
});
