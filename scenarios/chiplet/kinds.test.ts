import { describe, expect, test } from 'vitest';
import { type ChipletConfig, chipletMachine, kindOf } from '../../machines/chiplet.ts';
import { parseScenario } from '../load.ts';
import { simulate } from '../simulate.ts';

const traffic = 'programs: { packets: [[0, 0, 0, 1, 1, 4]] }';
const chiplets = 'programs: { hosts: { main: { steps: [{ op: compute, instructions: 5 }] } } }';
const processes = 'programs: [{ x: 0, y: 0, script: [[compute, 7]] }]';
const onGrid =
  'config: { network: { A: 2 }, chiplets: [{ x: 0, y: 0, kind: cpu, program: main }], mode: decoupled }';

const load = (...lines: readonly string[]) =>
  parseScenario(['name: test', 'machine: chiplet', ...lines, ''].join('\n'), 'kinds.yaml', [
    chipletMachine as never,
  ]);

describe('what a scenario has makes its kind', () => {
  test.each([
    ['traffic alone is a network', 'network', ['config: { network: { A: 2 } }', traffic], { finished: 1 }],
    ['no configuration at all is a network', 'network', [traffic], { finished: 1 }],
    ['chiplets are a system', 'system', [onGrid, chiplets], { mode: 'decoupled', complete: true }],
    ['a coordinator has processes', 'coordinator', ['config: { coordinator: {} }', processes], { cycles: 7 }],
  ])('%s', async (_, kind, lines, expected) => {
    const { scenario, machine } = await load(...lines);

    expect(kindOf(scenario.config as ChipletConfig)).toBe(kind);
    const { outcome, result } = simulate(scenario, machine);
    expect(outcome.verdict).toBe('ok');
    expect(result).toMatchObject(expected);
    expect(machine.figures(result, outcome).length).toBeGreaterThan(0);
  });

  test.each([
    ['programs without chiplets', [chiplets], 'found programs of chiplets in a scenario whose'],
    ['chiplets with traffic', [onGrid, traffic], 'expected programs of chiplets, or network alone'],
    ['processes without a coordinator', [processes], 'expected traffic, or coordinator in the configuration'],
  ])('%s are told apart where the file has them', async (_, lines, message) => {
    await expect(load(...lines)).rejects.toThrow(message);
    await expect(load(...lines)).rejects.toThrow(/kinds\.yaml:\d+:\d+ SCN030 programs: /);
  });

  test('a wrong key of a system is told as one of a system', async () => {
    const wrong = onGrid.replace('mode:', 'mod:');

    await expect(load(wrong, chiplets)).rejects.toThrow(/unknown key "mod" in config[\s\S]*"mode"/);
  });
});
