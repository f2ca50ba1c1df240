import { describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Machine } from '../../machines/machine.ts';
import { abd, paxos, singleCopy } from '../../machines/protocols/put-get.ts';
import { twoPhaseCommit } from '../../machines/protocols/two-phase-commit.ts';
import { type RefinementOptions, refinement } from '../refinement/refinement.ts';
import { putGetIsLinearizable } from './put-get.ts';
import { atomicRegister, resourceManagers, transaction } from './specifications.ts';

const known = [abd, paxos, singleCopy, twoPhaseCommit];

/** Makes wirings of a machine, without programs. */
function wirings(name: string, given: object, ...mutants: readonly string[]) {
  const machine = known.find((one) => one.name === name)! as Machine;
  const config = machine.config.parse(given);
  return () => machine.assemble({ name, config, programs: [], mutants, scheduled: true }).wiring;
}

async function refines(
  options: RefinementOptions,
  name: string,
  given: object,
  ...mutants: readonly string[]
) {
  const observers = [refinement('it refines', options)];
  const { findings, states } = new Explorer(wirings(name, given, ...mutants), { observers }).toEnd();
  const first = findings.find(({ what }) => what === 'it refines');
  return { refused: first?.why, actors: first?.actors, states };
}

describe('two-phase commit is a transaction', () => {
  const commit = (count: number, ...mutants: readonly string[]) =>
    refines(
      { specification: transaction({ resourceManagers: count }), map: resourceManagers },
      'two-phase-commit',
      { resourceManagers: count },
      ...mutants,
    );

  test('with 3 and with 4 resource managers, which adds no states', async () => {
    expect(await commit(3)).toMatchObject({ refused: undefined, states: 288 });
    expect(await commit(4)).toMatchObject({ refused: undefined, states: 6 ** 4 + 4 ** 4 + 2 ** 4 });
  });

  test('not when one commits before all are prepared: the step, what is compared, and what could have been', async () => {
    const { refused, actors } = await commit(3, 'hasty-manager');

    expect(actors).toContain('ResourceManager[0]');
    expect(refused).toBe(
      'turn.next from Turns to Turns, then turn.take for=0 from Turns to ResourceManager[0] takes what is compared from ["prepared","working","working"] to ["committed","working","working"] ([0]: "prepared" to "committed"), which is no step of the specification: there it could stay as it is; or abort 0 ([0]: "prepared" to "aborted"); or prepare 1 ([1]: "working" to "prepared"); or abort 1 ([1]: "working" to "aborted"); or prepare 2 ([2]: "working" to "prepared"); or abort 2 ([2]: "working" to "aborted")',
    );
  });

  test('not when one gives up after its promise', async () => {
    const { refused } = await commit(3, 'broken-promise');

    expect(refused).toMatch(/^turn\.next .* takes what is compared from \["\w+","\w+","\w+"\] to .*no step/);
  });
});

describe('a register that exists once', () => {
  const small = { specification: atomicRegister({ clients: 2 }) };
  const wired = { specification: wirings('single-copy', { servers: 1, clients: 2 }) };
  const cases: readonly (readonly [name: string, servers: number, mutants: readonly string[]])[] = [
    ['single-copy', 1, []],
    ['abd', 2, []],
    ['abd', 2, ['oldest-response']],
    ['abd', 2, ['acks-without-recording']],
    ['abd', 2, ['adopts-older']],
    ['abd', 2, ['same-number']],
    ['abd', 3, ['oldest-response']],
    ['abd', 3, ['acks-without-recording']],
    ['single-copy', 1, ['lost-put']],
    ['single-copy', 1, ['get-takes-away']],
    ['single-copy', 1, ['stale-get']],
    ['single-copy', 2, []],
    ['paxos', 2, []],
  ];

  test.each(cases)(
    'is refined by %s with %i servers exactly when that is linearizable %s',
    async (name, servers, mutants) => {
      const given = { servers, clients: 2 };
      // The tester looks for an order of all operations, and shares no code with the specifications.
      const tester = new Explorer(wirings(name, given, ...mutants), {
        observers: [putGetIsLinearizable],
      });
      const linearizable = tester.toEnd().findings.length === 0;

      const results = [
        await refines(small, name, given, ...mutants),
        await refines(wired, name, given, ...mutants),
      ];

      expect(results.map(({ refused }) => refused === undefined)).toEqual([linearizable, linearizable]);
      if (!linearizable)
        for (const { refused } of results)
          expect(refused).toMatch(
            /^Client\[\d\] shows \{"at":"Client\[\d\]","event":"operation\.returned","result":".?"\}, which the specification cannot show there: it could show .*; the nearest differs in result: expected /,
          );
    },
  );
});
