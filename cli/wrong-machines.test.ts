import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

// Machines of users with one mistake each, of which no compiler warned: none may be told as a defect of Lockstep.

const folder = 'out/wrong-machines';
const template = readFileSync('templates/typescript/machine.ts', 'utf8');

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the machine of the template with a part of it replaced. */
function written(name: string, part: string, by: string): string {
  const place = `${folder}/${name.replaceAll(/\W+/g, '-')}`;
  expect(template).toContain(part);
  mkdirSync(place, { recursive: true });
  cpSync('templates/typescript/protocol.ts', `${place}/protocol.ts`);
  writeFileSync(`${place}/machine.ts`, template.replace(part, by));
  writeFileSync(
    `${place}/three.yaml`,
    'name: three\nmachine: ./machine.ts#lockServer\nconfig: { clients: 3, rounds: 1 }\n',
  );
  return place;
}

async function called(...words: string[]) {
  const terminal = new KeptTerminal();
  const exitCode = await main(words, terminal);
  return { exitCode, told: terminal.stdout + terminal.stderr };
}

const generator = ".map((config) => ({ name: 'generated: lock server', config, programs: [] }))";
const result = "result: (run) => ({ grants: Number(run.part(lock).context['grants']) })";
const figures = "figures: ({ grants }) => [{ label: 'grants', value: String(grants) }]";

describe('a definition that cannot be', () => {
  test.each([
    [
      'a schema that is none',
      'config: z.strictObject({',
      'config: 5 as never, programs: z.object({',
      'found 5 as config',
    ],
    [
      'a property that is none',
      '  properties,\n',
      '  properties: [5 as never],\n',
      'found 5 as properties[0]',
    ],
    [
      'no property',
      '  properties,\n',
      '  properties: [undefined as never],\n',
      'found nothing as properties[0]',
    ],
    ['a protocol that is none', 'protocol: lockProtocol,', 'protocol: 5 as never,', 'found 5 as protocol'],
    [
      'a role that is none',
      "symmetric: 'Client'",
      "symmetric: 'Nobody'",
      'expected a role of its protocol: Client, Server',
    ],
    [
      'mutants that are none',
      'mutants: mutantSentences(mutants)',
      'mutants: 5 as never',
      'found 5 as mutants',
    ],
    ['a generator that is none', 'generator: fc', 'generator: 7 as never, spare: fc', 'found 7 as generator'],
    ['a name that is none', "name: 'lock-server'", 'name: 5 as never', 'found 5 as name'],
    [
      'no summary',
      "summary: 'clients who share a lock that a server lends'",
      "summary: ''",
      'as summary, expected one sentence',
    ],
    [
      'a key that is none',
      'asynchronous: true',
      'asynchronos: true',
      'found the key asynchronos: did you mean "asynchronous"?',
    ],
    [
      'asynchronous in words',
      'asynchronous: true',
      "asynchronous: 'yes' as never",
      'found "yes" as asynchronous, expected true or false',
    ],
    [
      'a network that is none',
      'new Wiring({})',
      "new Wiring({ order: 'fifo' as never })",
      'KRN016 network.order: found "fifo", expected one of: unordered, perChannel',
    ],
  ])('%s', async (name, part, by, words) => {
    const place = written(name, part, by);

    const { exitCode, told } = await called('run', `${place}/three.yaml`, '--no-record');

    expect(told).toContain(words);
    expect(told).not.toContain('defect of Lockstep');
    expect(exitCode).toBe(2);
  });
});

describe('a function that fails', () => {
  test.each([
    [
      'assemble throws',
      'const wiring = new Wiring({});',
      "throw new Error('no wiring');",
      'its assemble threw: no wiring',
    ],
    [
      'assemble gives nothing',
      `return { wiring, ${result} };`,
      'return undefined as never;',
      'its assemble gives nothing, expected { wiring, result }',
    ],
    [
      'assemble gives no wiring',
      'return { wiring, result',
      'return { wiring: 5 as never, result',
      'expected { wiring, result }',
    ],
    ['assemble gives no result', result, 'result: undefined as never', 'expected { wiring, result }'],
    [
      'an actor is missing',
      'wiring.place(address, client, { server: lock, rounds });',
      ';',
      'nothing was placed there',
    ],
    [
      'result throws',
      result,
      "result: () => { throw new Error('no result'); }",
      'its result threw: no result',
    ],
    [
      'figures throw',
      figures,
      "figures: () => { throw new Error('no figures'); }",
      'its figures threw: no figures',
    ],
    ['figures are none', figures, 'figures: () => 7 as never', 'its figures are 7, expected a list'],
  ])('%s', async (name, part, by, words) => {
    const place = written(name, part, by);

    const { exitCode, told } = await called('run', `${place}/three.yaml`, '--no-record');

    expect(told).toContain(words);
    expect(told).not.toContain('defect of Lockstep');
    expect(exitCode).toBe(2);
  });

  test.each([
    [
      'a generator throws',
      generator,
      ".map((): never => { throw new Error('no scenario'); })",
      'its generator threw: no scenario',
    ],
    [
      'a generator makes no scenario',
      generator,
      '.map(() => 5 as never)',
      'expected a scenario of it: name: ',
    ],
    [
      'a generator leaves the schema',
      'max: 4 })',
      'max: 40, min: 20 } as never)',
      'expected a scenario of it: config.clients: ',
    ],
    [
      'assemble throws in a campaign',
      'const wiring = new Wiring({});',
      "throw new Error('no wiring');",
      'its assemble threw: no wiring',
    ],
  ])('%s', async (name, part, by, words) => {
    const place = written(name, part, by);

    const { exitCode, told } = await called(
      'fuzz',
      `${place}/machine.ts#lockServer`,
      '--runs',
      '5',
      '--out',
      `${place}/fuzz`,
    );

    expect(told).toContain(words);
    expect(told).not.toContain('defect of Lockstep');
    expect(exitCode).toBe(2);
  });
});

describe('a property that fails itself', () => {
  const with_ = (property: string): readonly [string, string] => [
    '  properties,\n',
    `  properties: [{ sentence: 'mine', ${property} } as never],\n`,
  ];

  test.each([
    ['throws as it looks', "begin: () => ({}), see: () => { throw new Error('no look'); }", 'no look'],
    ['gives what is no finding', 'begin: () => ({}), see: () => 7', 'it gives 7, expected nothing'],
    [
      'throws at the end',
      "begin: () => ({}), see: () => undefined, atRest: () => { throw new Error('no end'); }",
      'no end',
    ],
  ])('%s: found by run, check and fuzz alike', async (name, property, words) => {
    const place = written(`property ${name}`, ...with_(property));

    for (const verb of [
      ['run', `${place}/three.yaml`, '--no-record'],
      ['check', `${place}/three.yaml`, '--no-record'],
      ['fuzz', `${place}/machine.ts#lockServer`, '--runs', '5', '--out', `${place}/fuzz`],
    ]) {
      const { exitCode, told } = await called(...verb);

      expect(told, verb[0]).toContain('the property itself fails: ');
      expect(told, verb[0]).toContain(words);
      expect(exitCode, verb[0]).toBe(1);
    }
  });

  test.each([
    ['has no see', 'begin: () => ({})', 'expected a function as see, seeState or seeRest'],
    [
      'has seeState alone and is not made by property',
      'begin: () => ({}), seeState: () => undefined',
      'property({ … }) makes one for a property that has seeState or seeRest alone',
    ],
    ['has no begin', 'see: () => undefined', 'expected a function as begin'],
    [
      'watches no list',
      "watches: 'lock.ask', begin: () => ({}), see: () => undefined",
      'expected a list of types',
    ],
  ])('%s: refused', async (name, property, words) => {
    const place = written(`property ${name}`, ...with_(property));

    const { exitCode, told } = await called('check', `${place}/three.yaml`, '--no-record');

    expect(told).toContain(words);
    expect(exitCode).toBe(2);
  });

  test('a function that gives properties may fail', async () => {
    const place = written(
      'properties throw',
      '  properties,\n',
      "  properties: () => { throw new Error('none'); },\n",
    );

    for (const verb of ['run', 'check']) {
      const { exitCode, told } = await called(verb, `${place}/three.yaml`, '--no-record');

      expect(told).toContain('its properties threw: none');
      expect(exitCode).toBe(2);
    }
  });
});

describe('actors that cannot be', () => {
  /** Writes the machine of the template with a part of its protocol replaced. */
  function withActors(name: string, part: string, by: string): string {
    const place = written(name, template, template);
    const protocol = readFileSync('templates/typescript/protocol.ts', 'utf8');
    expect(protocol).toContain(part);
    writeFileSync(`${place}/protocol.ts`, protocol.replace(part, by));
    return place;
  }
  const context = 'context: ({ input }) => ({ ...input })';
  const lend = 'lend: s.act((me, _event, out) => {';

  test.each([
    [
      'a context throws',
      context,
      "context: () => { throw new Error('no context'); }",
      'its start threw: no context',
    ],
    [
      'an initial state is missing',
      "initial: 'free'",
      "initial: 'fre'",
      'Initial state node "fre" not found',
    ],
  ])('%s: code 2 under run, fuzz and check', async (name, part, by, words) => {
    const place = withActors(name, part, by);

    for (const verb of [
      ['run', `${place}/three.yaml`, '--no-record'],
      ['check', `${place}/three.yaml`, '--no-record'],
      ['fuzz', `${place}/machine.ts#lockServer`, '--runs', '5', '--out', `${place}/fuzz`],
    ]) {
      const { exitCode, told } = await called(...verb);

      expect(told, verb[0]).toContain(words);
      expect(exitCode, verb[0]).toBe(2);
    }
  });

  test('a message to nobody is found, recorded and explained by all of them', async () => {
    const place = withActors(
      'a message to nobody',
      lend,
      `${lend} out.post({ to: 77 as never, type: 'lock.granted' });`,
    );

    for (const verb of [
      ['run', `${place}/three.yaml`, '--no-record'],
      ['check', `${place}/three.yaml`, '--no-record'],
      ['fuzz', `${place}/machine.ts#lockServer`, '--runs', '5', '--out', `${place}/fuzz`],
    ]) {
      const { exitCode, told } = await called(...verb);

      expect(told, verb[0]).toContain('was posted to address 77');
      expect(exitCode, verb[0]).toBe(1);
    }
  });
});
