import { expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { ScenarioErrors } from '../../scenarios/errors.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';

const scenario = (conversion: string, particle: string, call = 'sendIParticle') => `name: a
machine: grape
config: { nBB: 1, nPE: 1 }
programs:
  source: |
    var vector long a hlt ${conversion}
    var vector long q rrn fix72to64r 0
    bvar long j elt flt64to72
    loop initialization
    upassa a a q
    loop body
    nop
  host:
    - { call: init }
    - ${call === 'sendIParticle' ? `{ call: sendIParticle, particles: [ { a: 1 }, ${particle} ] }` : `{ call: sendEltData, num: 0, index: 0, record: ${particle} }`}
    - { call: run, n: 0 }
    - { call: getResult }
`;

async function errorsOf(text: string): Promise<readonly string[]> {
  try {
    await parseScenario(text, 'a.yaml', machines);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioErrors)) throw error;
    return error.errors.map(({ message }) => message);
  }
}

test.each([
  [
    'a fraction for an integer',
    scenario('fix64to72ru', '{ a: 3.7 }'),
    /^a\.yaml:15:58 SCN030 programs\.host\[1\]\.particles\[1\]\.a: found 3\.7 for a member of type int64, expected a whole number/,
  ],
  [
    'a member that there is not',
    scenario('fix64to72ru', '{ b: 3 }'),
    /^a\.yaml:15:58 SCN030 programs\.host\[1\]\.particles\[1\]\.b: found a member "b" that the table does not have, expected one of its members: a/,
  ],
  [
    'the same in a record',
    scenario('fix64to72ru', '{ j: 1, k: 2 }', 'sendEltData'),
    /^a\.yaml:15:65 SCN030 programs\.host\[1\]\.record\.k: found a member "k"/,
  ],
  [
    'an integer that a number does not hold',
    scenario('fix64to72ru', '{ a: 9007199254740993 }'),
    /^a\.yaml:15:58 SCN013 found the integer 9007199254740993, which as a number becomes 9007199254740992, expected one that a number holds exactly\n.*write it as text: "9007199254740993"/,
  ],
])('%s is refused at its place', async (_what, text, message) => {
  expect(await errorsOf(text)).toEqual([expect.stringMatching(message)]);
});

test('an integer of 64 bits that is given as text comes back to the last bit', async () => {
  const { scenario: read, machine } = await parseScenario(
    scenario('fix64to72ru', '{ a: "9007199254740993" }'),
    'a.yaml',
    machines,
  );
  const { result } = simulate(read, machine);

  expect(JSON.stringify(result, (_key, one) => (typeof one === 'bigint' ? `${one}` : one))).toContain(
    '9007199254740993',
  );
});

test('integers that a number holds are read, however long they are', async () => {
  expect(await errorsOf(scenario('flt64to72', '{ a: 18446744073709551616 }'))).toEqual([]);
});
