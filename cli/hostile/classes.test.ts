import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

// Kinds of bad input that the campaign has found, one of each.

const home = process.cwd();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-classes-'));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

async function called(args: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const terminal = new KeptTerminal();
  return { exitCode: await main(args.split(' '), terminal), err: terminal.stderr };
}

const graph = 'graph { 0 -- 1; 1 -- 3; 3 -- 2; 2 -- 0 }\n';
const popnet = 'chiplet popnet -A 4 -c 1 -T 500 -R 5 -G g.gv -I t.txt -C p.txt';
const shaky = `
import { defineMachine, Wiring } from '${home}/index.ts';
import { z } from '${import.meta.resolve('zod')}';
export const shaky = defineMachine({
  name: 'shaky',
  summary: 'a machine whose schema throws',
  config: z.strictObject({ n: z.int().default(1).refine(() => { throw new Error('not today'); }) }),
  assemble: () => ({ wiring: new Wiring({}), result: () => ({}) }),
});
`;
const copy = 'name: c\nmachine: single-copy\nconfig: { servers: 1, clients: 2 }\nprograms: []\n';

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  [
    'macros with more open brackets than the parser can follow',
    'grape lint deep.vsm',
    { 'deep.vsm': `<%= ${'('.repeat(200)} %>\n` },
    'found Ruby that is nested too deep',
  ],
  [
    'a program whose name ends in something that is longer than a pattern may be',
    'run long.yaml',
    {
      'long.yaml': `name: l\nmachine: grape\nprograms: { source: { file: a.vsm${'9'.repeat(200_000)} }, host: [{ call: init }] }\n`,
    },
    'SCN022',
  ],
  [
    'a schema of a machine that throws',
    'run s.yaml',
    { 'machine.ts': shaky, 's.yaml': 'name: s\nmachine: machine.ts#shaky\nprograms: []\n' },
    's.yaml:2:10 SCN020 machine: found a schema of its configuration that throws: not today',
  ],
  [
    'a module that throws as it is loaded, with the place in the one that it imports',
    'run t.yaml',
    {
      'one.ts': "import { two } from './two.ts';\nexport const one = two;\n",
      'two.ts': "export const two = 1;\n('x' as unknown as () => void)();\n",
      't.yaml': 'name: t\nmachine: one.ts#one\nprograms: []\n',
    },
    '"one.ts" does not load: "x" is not a function, at two.ts:2:',
  ],
  [
    'a map of a trace that throws, with its place',
    'trace c.yaml l.jsonl --map map.ts#toEvent',
    {
      'c.yaml': copy,
      'l.jsonl': '{}\n',
      'map.ts': 'export const toEvent = (): object => {\n  throw new Error("no map");\n};\n',
    },
    'l.jsonl:1: the function of --map threw: no map, at map.ts:2:',
  ],
  [
    'more periods than a list holds',
    popnet,
    { 'g.gv': graph, 't.txt': '0 0 1 1\n', 'p.txt': '1e300 100\n4 0 1 2 3\n1\n0 3 1\n' },
    'expected the number of edges of period 1',
  ],
  [
    'more edges than a list holds',
    popnet,
    { 'p.txt': '1 100\n4 0 1 2 3\n1e300\n0 3 1\n' },
    'expected the source of an edge',
  ],
  [
    'another number of nodes than those of a graph, with its file',
    'chiplet popnet -A 3 -c 1 -T 500 -R 4 -G g.gv -I t.txt',
    {},
    'E-OPT -A with -G g.gv: found A = 3, 4 nodes in the graph',
  ],
])('%s is told', async (_, args, files, told) => {
  const { exitCode, err } = await called(args, files);

  expect(err).toContain(told);
  expect(exitCode).toBe(2);
});

test('macros that break the parser do not break what is parsed after them', async () => {
  const text = `<%= ${'['.repeat(100_000)} %>\n`;

  const broken = await called('grape asm broken.vsm --expand', { 'broken.vsm': text });
  const right = await called('grape asm right.vsm --expand', {
    'right.vsm': '<% n = 4 %>\n# <%= n * 2 %>\n',
  });

  expect([broken.exitCode, right.exitCode]).toEqual([2, 0]);
  expect(broken.err).toContain('E_MACRO SyntaxError: found Ruby that is nested too deep');
});

test('a value of no branch of a union is told in plain words', async () => {
  const golden = JSON.parse(
    readFileSync(join(home, 'properties/chiplet/golden/interchiplet/golden.json'), 'utf8'),
  );
  golden.cases[0].rounds[2].logs['0,0'][1][2] = {};

  const { err } = await called('verify golden.json', { 'golden.json': JSON.stringify(golden) });

  expect(err).toContain('found an empty mapping, expected another value');
});
