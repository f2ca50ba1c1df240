import { expect, test } from 'vitest';
import { canonical } from '../../kernel/choices.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { Trials } from '../explore/trial.ts';
import { judgedScenario } from '../judged-scenario.ts';

/** Conversions that keep small integers as they are, by width. */
const widths = { short: 'fix32to36ru', long: 'fix64to72ru' } as const;
type Width = keyof typeof widths;

/** What two PEs hold of variables of these widths once so many particles were sent. */
function held(variables: readonly Width[], particles: number, timing: object) {
  const source = [
    ...variables.map((width, v) => `var vector ${width} h${v} hlt ${widths[width]}`),
    'loop initialization',
    ...[0, 1].flatMap((pe) => variables.map((_, v) => `print 0 ${pe} i h${v}`)),
    '',
  ].join('\n');
  const lib = new GrapeLibrary(assemble(source, { type: 1 }).program, { nBB: 1, nPE: 2, ...timing });
  lib.init();
  lib.sendIParticle(
    Array.from({ length: particles }, (_, i) =>
      Object.fromEntries(variables.map((_, v) => [`h${v}`, 10 * v + i + 1])),
    ),
  );
  lib.run(0);
  return lib.outputs.map((one) => ('values' in one ? one.values.map(String) : []));
}

const sent = (variables: readonly Width[], particles: number) =>
  [0, 1].flatMap((pe) =>
    variables.map((_, v) =>
      [0, 1, 2, 3].map((element) => {
        const i = 4 * pe + element;
        return String(i < particles ? 10 * v + i + 1 : 0);
      }),
    ),
  );

const mixes: readonly (readonly Width[])[] = [
  ['short'],
  ['long'],
  ['short', 'short'],
  ['short', 'short', 'short'],
  ['long', 'long', 'long'],
  ['short', 'long', 'short'],
  ['long', 'short', 'long'],
];

test('data that are sent come to their places whatever the cycles of slots and ports', () => {
  const wrong: unknown[] = [];
  for (const variables of mixes)
    for (const particles of [3, 4, 5, 8])
      for (const slotMin of [1, 2, 3, 4, 6, 9])
        for (const idpHeader of [0, 1, 2, 5])
          for (const idpLatency of [1, 4]) {
            const timing = { slotMin, idpHeader, idpLatency };
            const got = held(variables, particles, timing);
            if (JSON.stringify(got) !== JSON.stringify(sent(variables, particles)))
              wrong.push({ variables, particles, ...timing });
          }
  expect(wrong).toEqual([]);
});

test('and no later than the plain chip finds that they can', async () => {
  for (const variables of mixes)
    for (const particles of [3, 5, 6])
      for (const [slotMin, idpHeader] of [
        [4, 1],
        [1, 0],
      ]) {
        const records = Array.from({ length: particles }, (_, i) =>
          Object.fromEntries(variables.map((_width, v) => [`h${v}`, 10 * v + i + 1])),
        );
        const text = [
          'name: sent',
          'machine: grape',
          `config: { nBB: 1, nPE: 2, slotMin: ${slotMin}, idpHeader: ${idpHeader} }`,
          'programs:',
          '  source: |',
          ...variables.map((width, v) => `    var vector ${width} h${v} hlt ${widths[width]}`),
          '    loop body',
          '    nop',
          `  host: ${JSON.stringify([{ call: 'init' }, { call: 'sendIParticle', particles: records }, { call: 'run', n: 0 }])}`,
        ].join('\n');
        const { scenario, machine, properties } = await judgedScenario(
          await parseScenario(text, 'sent.yaml', machines),
        );

        const { outcome, judged } = new Trials(scenario, machine, properties).attempt(canonical);

        expect([text, outcome.violations]).toEqual([text, []]);
        expect(judged).toContain(
          'the chip does what a plain loop over its cycles does: codes, cycles, slots, results, warnings',
        );
      }
});
