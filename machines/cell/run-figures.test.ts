import { expect, test } from 'vitest';
import { Run } from '../../kernel/run.ts';
import { cellMachine } from '../cell.ts';
import type { Machine } from '../machine.ts';
import { cellbeMachine } from './cellbe-machine.ts';

/** What people are told of a run, by label. */
function told<Config, Programs, Result>(
  machine: Machine<Config, Programs, Result>,
  config: unknown,
  programs: unknown,
): Readonly<Record<string, string>> {
  const given = { config: machine.config.parse(config), programs: machine.programs.parse(programs) };
  const assembly = machine.assemble({ name: 'test', ...given, mutants: [], scheduled: false });
  const run = new Run(assembly.wiring);
  const outcome = run.toEnd();
  return Object.fromEntries(
    machine.figures(assembly.result(run), outcome).map(({ label, value }) => [label, value]),
  );
}

// Two puts of 16 bytes from cycle 0 to 15, node 0 to 2 up and 2 to 4 the long way, over 7 of 8 nodes; both directions have one ring of 8 nodes.
test('what is told of a run of the ring', () => {
  const put = (from: number, to: number) => [0, 'put', from, to, 128, 16];
  const outside = [20, 'put', 0, 1, 255, 9];

  const figures = told(cellMachine, { N: 8, K: 1, memSize: 256, policy: 'etalon-ff' }, [
    [put(0, 2)],
    [],
    [put(16, 4), outside],
  ]);

  expect(figures).toMatchObject({
    cycles: '21',
    'bytes moved': '32 (1.52 per cycle)',
    requests: '2',
    'total wait': '0 cycles (mean 0.00, 95 % 0, 99 % 0, longest 0)',
    'running transfers': 'mean 1.52, peak 2',
    'ring occupation': '28.6 %, 66.7 %',
    detours: '50.0 %',
    'exception in SPU 2': 'address in SPU 1 255 with 9 bytes is outside 0..255',
  });
});

test('a request that is left when a run of some cycles is over is told of', () => {
  const figures = told(cellMachine, { N: 2, memSize: 64, run: { cycles: 4 } }, [[[0, 'put', 0, 1, 32, 16]]]);

  expect(figures['requests']).toBe('1, not all finished');
});

// A packet of 128 bytes takes 140 bus cycles over one hop, one of 16 bytes 7 less (Cell specification 19); the last byte comes at 333.
test('what is told of a run of the bus of the real chip, in its units', () => {
  const figures = told(
    cellbeMachine,
    {},
    {
      SPE1: [
        [100, 'put', 0, 'SPE3', 0, 128],
        [200, 'put', 0, 'SPE3', 128, 16],
      ],
    },
  );

  expect(figures).toMatchObject({
    throughput: '0.7 GB/s (ideal arbiter)',
    'bus cycles': '333 (0.21 us)',
    bytes: '144 in 2 packets of 2 commands',
    'latency of a command': 'mean 85 ns, 83 to 88 ns',
    SPE1: 'sent 0.7 GB/s, received 0.0 GB/s',
    SPE3: 'sent 0.0 GB/s, received 0.7 GB/s',
  });
  expect(Object.keys(figures)).not.toContain('SPE5');
});

// 128 packets hold six of the twelve links of one ring, each for its 8 beats, of 1156 cycles: 6 * 1024 / (12 * 1156).
test('a ring that carries a long transfer over half of its links is nearly half occupied', () => {
  const figures = told(cellbeMachine, {}, { SPE1: [[0, 'put', 0, 'SPE6', 0, 16384]] });

  expect(figures['bus cycles']).toBe('1156 (0.72 us)');
  expect(figures['ring occupation']).toBe('44.3 %, 0.0 %, 0.0 %, 0.0 %');
});

test('a cycle of the bus of the real chip is 0.625 ns long', () => {
  const { tickFemtoseconds, config } = cellbeMachine;

  expect(tickFemtoseconds?.(config.parse({}))).toBe(625_000);
  expect(tickFemtoseconds?.(config.parse({ busClockGHz: 3 }))).toBe(333_333);
});
