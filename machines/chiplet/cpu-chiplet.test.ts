import { describe, expect, test } from 'vitest';
import { Run } from '../../kernel/run.ts';
import { systemMachine } from './system.ts';
import { systemConfig, systemPrograms } from './system-config.ts';

/*
 * The CPU chiplet (chiplet specification 8): what its operations cost, on its clock, and its power.
 */

type Steps = readonly Readonly<Record<string, unknown>>[];

/** What one chiplet did that carries out steps; `changes` are of its entry, `others` of the configuration. */
function chipletOf(steps: Steps, changes: object = {}, others: object = {}) {
  const given = {
    name: 'one chiplet',
    config: systemConfig.parse({
      mode: 'decoupled',
      network: { A: 2, F: 1 },
      chiplets: [
        { x: 0, y: 0, kind: 'cpu', program: 'own', ...changes },
        { x: 1, y: 1, kind: 'cpu', program: 'other' },
      ],
      ...others,
    }),
    programs: systemPrograms.parse({
      hosts: { own: { steps }, other: { steps: [{ op: 'receive', from: [0, 0], count: 0, as: 'nothing' }] } },
      data: { numbers: [3, 1, 4, 1, 5, 9] },
    }),
    mutants: [],
    scheduled: false,
  };
  const assembly = systemMachine.assemble(given);
  const run = new Run(assembly.wiring);
  run.toEnd();
  const { chiplets, power } = assembly.result(run);
  return { ...chiplets[0]!, power };
}

const compute = (instructions: number) => ({ op: 'compute', instructions });
const access = (elements: number) => ({ op: 'access', elements });

describe('cycles of a CPU chiplet', () => {
  test.each<[string, Steps, object, number]>([
    ['an instruction is a cycle', [compute(10), compute(5)], {}, 15],
    ['cpi says how many', [compute(10), compute(4)], { cpi: 2.5 }, 35],
    [
      'or what part of one, up to whole cycles for an operation',
      [compute(10), compute(5)],
      { cpi: 0.3 },
      3 + 2,
    ],
    ['an element read or written is a cycle', [access(7), access(1)], {}, 8],
    ['or as many as configured', [access(7), access(2)], { cyclesPerElement: 1.5 }, 11 + 3],
    ['none where they cost nothing', [access(7), compute(1)], { cyclesPerElement: 0 }, 1],
    [
      'a file is read an element a cycle',
      [{ op: 'loadInts', data: 'numbers', from: 1, to: 5, as: 'a' }],
      {},
      4,
    ],
    ['an output is written an element a cycle', [{ op: 'output', name: 'o', values: [1, 2, 3] }], {}, 3],
    ['a message is a value and a cycle', [{ op: 'send', to: [1, 1], values: [1, 2, 3, 4] }], {}, 4],
    ['nothing takes no time', [compute(0), access(0), { op: 'send', to: [1, 1], values: [] }], {}, 0],
  ])('%s', (_what, steps, changes, cycles) => {
    expect(chipletOf(steps, changes)).toMatchObject({ ended: true, cycles, systemCycles: cycles });
  });

  test.each([0.5, 2, 4])('count on a clock of its own: %f of them in a cycle of the network', (clockRate) => {
    expect(chipletOf([compute(60)], { clockRate })).toMatchObject({
      cycles: 60,
      systemCycles: 60 / clockRate,
    });
  });
});

describe('power of a CPU chiplet', () => {
  test('is constant', () => {
    expect(chipletOf([compute(10)]).watts).toBe(35);
    const { watts, power } = chipletOf([compute(10)], {}, { cpuPowerWatts: 12.5 });
    expect([watts, power.cpu]).toEqual([12.5, 25]);
  });

  test.each([
    [1, 2],
    [2, 4],
    [0.5, 1],
  ])(
    'or energy over time: at a clock rate of %f, 2000 picojoules a cycle are %f watts',
    (clockRate, expected) => {
      const { watts } = chipletOf([compute(100)], { clockRate }, { cpuPicojoulesPerCycle: 2000 });

      expect(watts).toBeCloseTo(expected, 12);
      expect(chipletOf([], { clockRate }, { cpuPicojoulesPerCycle: 2000 }).watts).toBe(0);
    },
  );
});

describe('steps as data', () => {
  test('copy reals to a device and back', () => {
    const { outputs, cycles } = chipletOf(
      [
        { op: 'malloc', as: 'm', bytes: 16 },
        { op: 'copyIn', to: 'm', type: 'f64', values: [0.1, -2.5] },
        { op: 'copyOut', from: 'm', type: 'f64', count: 2, as: 'back' },
        { op: 'output', name: 'o', values: 'back' },
      ],
      { kind: 'gpu' },
    );

    expect(outputs).toEqual({ o: [0.1, -2.5] });
    expect(cycles).toBe(0);
  });

  test('hold whole numbers where their type does', () => {
    const given = systemPrograms.safeParse({
      hosts: { own: { steps: [{ op: 'copyIn', to: 'm', type: 's32', values: [1.5] }] } },
    });

    expect(given.error?.issues[0]?.message).toBe('expected whole numbers, or the type f32 or f64');
    expect(given.error?.issues[0]?.path).toEqual(['hosts', 'own', 'steps', 0, 'values']);
  });
});
