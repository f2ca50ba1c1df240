import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { type SystemResult, systemMachine } from '../../machines/chiplet/system.ts';
import { judge } from '../judge.ts';
import { loadScenario } from '../load.ts';
import { simulate } from '../simulate.ts';

const load = (file: string) =>
  loadScenario(`scenarios/chiplet/${file}.yaml`, [systemMachine as never, networkMachine as never]);

describe('systems that stand still', () => {
  test('a program that has ended is named with what it sent', async () => {
    const { scenario, machine } = await load('system-deadlock');
    const { blocked, circle } = simulate(scenario, machine).result as SystemResult;

    expect(blocked).toEqual([
      expect.stringMatching(
        /^Chip\[1\]\[1\]: a warp wants a value of \(0, 0\) since cycle \d+: its program has ended after sending 3$/,
      ),
    ]);
    expect(circle).toEqual([]);
  });

  test('the circle in a full network is the same under every schedule', async () => {
    const { scenario, machine } = await load('system-routing-loop');
    for (const seed of [1, 2, 3]) {
      const { outcome, result } = simulate(scenario, machine, { choices: new RandomChoices(seed) });

      expect(judge(scenario.expect, { outcome, result })).toEqual([]);
    }
  });

  test('a second channel on the links of the ring lets all messages through', async () => {
    const { scenario, machine } = await load('system-routing-loop');
    const { network, ...config } = scenario.config as { readonly network: object };
    const { outcome, result } = simulate(
      { ...scenario, config: { ...config, network: { ...network, V: 2 } } },
      machine,
    );

    expect(outcome.verdict).toBe('ok');
    expect((result as SystemResult).network).toMatchObject({ finished: 5 });
    expect((result as SystemResult).network.standstill).toBeUndefined();
  });
});
