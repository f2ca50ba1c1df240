import { describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { inTurns } from '../../kernel/explore/testing/in-turns.ts';
import type { Network } from '../../kernel/network.ts';
import { assembled } from '../../machines/machine.ts';
import { loadedMachine, propertiesNamed } from '../../manifests/testing/named.ts';
import { registerObject } from '../consistency/sequential-object.ts';
import { isConsistent, type OperationHistory } from '../consistency/tester.ts';

/** How a machine is explored: what wires it, and what it is judged by. */
async function exploration(name: string, config: object, network?: Network) {
  const machine = await loadedMachine(name);
  const given = {
    name,
    config: machine.config.parse(config),
    programs: [],
    mutants: [],
    scheduled: true,
    network,
  };
  const properties = (await propertiesNamed(name))!;
  const observers = properties.observers!(given, assembled(machine, given));
  return { make: () => assembled(machine, given).wiring, observers };
}

/* Specification of protocols, 3.2 and 3.3: counts of an independent breadth-first search, equal to published ones. */
describe('the states and transitions of a protocol over an asynchronous network are those published', () => {
  const lossyTwice: Network = { lossy: true, duplicating: true };
  test.each<[string, object, Network | undefined, number, number | undefined]>([
    ['single-copy', { servers: 1, clients: 2 }, undefined, 93, 120],
    ['single-copy', { servers: 2, clients: 2 }, undefined, 62, undefined],
    ['paxos', { servers: 3, clients: 2 }, undefined, 16_668, 32_970],
    ['ping-pong', { limit: 1 }, lossyTwice, 14, undefined],
    ['ping-pong', { limit: 5 }, undefined, 11, undefined],
    ['ping-pong', { limit: 5 }, { duplicating: true }, 11, undefined],
  ])('%s %j %j: %i states, %s transitions', async (name, config, network, states, transitions) => {
    const { make, observers } = await exploration(name, config, network);

    for (const reduction of [true, false]) {
      const found = new Explorer(make, {
        observers,
        reduction,
        findingsMax: Number.MAX_SAFE_INTEGER,
      }).toEnd();

      expect(found.states).toBe(states);
      if (transitions !== undefined) expect(found.transitions).toBe(transitions);
    }
  });

  test('twenty of the states of two copies are not linearizable', async () => {
    const { make, observers } = await exploration('single-copy', { servers: 2, clients: 2 });
    const explorer = new Explorer(make, { observers, findingsMax: Number.MAX_SAFE_INTEGER });
    explorer.toEnd();
    const histories = [...explorer.states()].map(({ memories }) => memories[0] as OperationHistory);
    const wrong = histories.filter((history) => !isConsistent(history, registerObject('')));

    expect(wrong.length).toBe(20);
  });

  test('that two copies are wrong is found after four deliveries', async () => {
    const { make, observers } = await exploration('single-copy', { servers: 2, clients: 2 });
    const explorer = new Explorer(make, { observers });
    const [finding] = explorer.toEnd().findings;

    expect(finding?.what).toBe('the register is linearizable');
    expect(explorer.routeTo(finding!).steps.length).toBe(4);
  });

  test('two threads that share the states count as the explorer does', async () => {
    const { make, observers } = await exploration('paxos', { servers: 3, clients: 2 });
    const figures = inTurns(make, { observers }, 2, [1000, 300]);

    expect(figures).toMatchObject({ states: 16_668, transitions: 32_970 });
  });
});
