import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { assembled } from '../../machines/machine.ts';
import { loadedMachine, propertiesNamed } from '../../manifests/testing/named.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { Trials } from '../explore/trial.ts';
import { smallProtocols } from './testing/small-protocols.ts';

const found = {
  commit: 'no resource manager commits while another one aborts',
  register: 'the register is linearizable',
  players: 'the players have counted alike, or the ponger one more',
  processes: 'at most one process is in its critical section',
};

/** The network of those that must stand anything. */
const badNetwork = { lossy: true, duplicating: true };

/** The machines that the properties are of. */
const protocols = await Promise.all(smallProtocols.map(loadedMachine));

/** What the checker comes to for a machine in a configuration, with planted faults or without. */
async function checked(name: string, config: object, mutants: readonly string[]) {
  const machine = protocols.find((one) => one.name === name)!;
  const network = name === 'ping-pong' ? badNetwork : undefined;
  const given = {
    name,
    config: machine.config.parse(config),
    programs: [],
    mutants,
    scheduled: true,
    network,
  };
  const observers = (await propertiesNamed(name))!.observers!(given, assembled(machine, given));
  const { verdict, findings, states } = new Explorer(() => assembled(machine, given).wiring, {
    observers,
  }).toEnd();
  return { verdict, what: findings[0]?.what, states };
}

/** What the first of two thousand random runs that fails comes to. */
async function random(name: string, config: object, mutants: readonly string[]) {
  const faults = mutants.map((mutant) => ({ mutant }));
  const network = name === 'ping-pong' ? { network: badNetwork } : {};
  const text = JSON.stringify({ name, machine: name, config, faults, ...network });
  const { scenario, machine } = await parseScenario(text, 'test.yaml', protocols);
  const trials = new Trials(scenario, machine, await propertiesNamed(name));
  for (let seed = 0; seed < 2000; seed++) {
    const { failure } = trials.attempt(new RandomChoices(seed));
    if (failure) return failure;
  }
  return { verdict: 'ok', what: undefined };
}

describe('a sound protocol', () => {
  test.each([
    ['two-phase-commit', { resourceManagers: 1 }],
    ['two-phase-commit', { resourceManagers: 4 }],
    ['register', { clients: 3, copies: 1, writes: 1, reads: 2 }],
    ['register', { clients: 2, copies: 1, writes: 2, reads: 2 }],
    ['mutual-exclusion', { algorithm: 'peterson', rounds: 0 }],
    ['mutual-exclusion', { algorithm: 'peterson', rounds: 3 }],
    ['mutual-exclusion', { algorithm: 'dekker', rounds: 0 }],
    ['mutual-exclusion', { algorithm: 'dekker', rounds: 3 }],
    ['single-copy', { servers: 1, clients: 3 }],
    ['abd', { servers: 2, clients: 2 }],
    ['abd', { servers: 3, clients: 1 }],
  ])('keeps its property under every schedule: %s %j', async (name, config) => {
    expect(await checked(name, config, [])).toMatchObject({ verdict: 'ok', what: undefined });
  });
});

test('what the property of two-phase commit remembers adds no state', async () => {
  expect((await checked('two-phase-commit', { resourceManagers: 3 }, [])).states).toBe(288);
});

describe('a planted fault', () => {
  test.each([
    ['two-phase-commit', { resourceManagers: 2 }, 'hasty-manager', 'violated', found.commit],
    ['two-phase-commit', { resourceManagers: 2 }, 'broken-promise', 'violated', found.commit],
    [
      'two-phase-commit',
      { resourceManagers: 2 },
      'lost-decision',
      'deadlock',
      'ResourceManager[1] in prepared',
    ],
    ['register', { copies: 1, reads: 1 }, 'lost-write', 'violated', found.register],
    ['register', { copies: 1, reads: 1 }, 'early-answer', 'violated', found.register],
    ['mutual-exclusion', { algorithm: 'peterson' }, 'writes-swapped', 'violated', found.processes],
    ['mutual-exclusion', { algorithm: 'dekker' }, 'writes-swapped', 'violated', found.processes],
    ['single-copy', {}, 'lost-put', 'violated', found.register],
    ['single-copy', {}, 'get-takes-away', 'violated', found.register],
    ['single-copy', {}, 'stale-get', 'violated', found.register],
    ['abd', { clients: 1 }, 'acks-without-recording', 'violated', found.register],
    ['abd', { clients: 1 }, 'oldest-response', 'violated', found.register],
    ['abd', { clients: 1 }, 'same-number', 'violated', found.register],
    ['paxos', {}, 'forgets-accepted', 'violated', found.register],
    ['paxos', {}, 'keeps-own-proposal', 'violated', found.register],
    ['ping-pong', {}, 'counts-old-balls', 'violated', found.players],
    ['ping-pong', {}, 'counts-any-ball', 'violated', found.players],
    ['ping-pong', {}, 'skips', 'violated', found.players],
  ])('is found by the checker and by random runs: %s %j %s', async (name, config, mutant, verdict, what) => {
    expect(await checked(name, config, [mutant])).toMatchObject({ verdict, what });
    expect(await random(name, config, [mutant])).toMatchObject({ verdict, what });
  });

  test('that makes two registers of one is found, when there are two', async () => {
    const config = { clients: 2, copies: 2, writes: 1, reads: 2 };

    expect(await checked('register', config, [])).toMatchObject({
      verdict: 'violated',
      what: found.register,
    });
    expect(await random('register', config, [])).toEqual({ verdict: 'violated', what: found.register });
  });

  test('that few schedules show is found by the checker, or by random runs', async () => {
    expect(await checked('paxos', {}, ['accepts-lower'])).toMatchObject({
      verdict: 'violated',
      what: found.register,
    });
    expect(await random('abd', {}, ['adopts-older'])).toEqual({ verdict: 'violated', what: found.register });
  });

  test('is found for each machine and each entry of its catalogue', () => {
    const tried = [
      'hasty-manager',
      'broken-promise',
      'lost-decision',
      'lost-write',
      'early-answer',
      'writes-swapped',
      'lost-put',
      'get-takes-away',
      'stale-get',
      'acks-without-recording',
      'oldest-response',
      'same-number',
      'adopts-older',
      'forgets-accepted',
      'keeps-own-proposal',
      'accepts-lower',
      'counts-old-balls',
      'counts-any-ball',
      'skips',
    ];

    const catalogue = protocols.flatMap(({ mutants }) => [...mutants.keys()]);

    expect(catalogue.sort()).toEqual(tried.sort());
  });
});
