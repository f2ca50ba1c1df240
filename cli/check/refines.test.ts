import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('refines');

/** Specifications of two counts that follow each other, some of them wrong. */
const specification = `
const count = (step) => ({ initial: [0], next: (n) => [{ action: 'count', state: step(n) }] });
export const counts = count((n) => n + 1);
export const stays = { initial: [0], next: () => [] };
export const beginsLater = { initial: [1], next: (n) => [{ state: n + 1 }] };
export const made = ({ limit }) => count((n) => Math.min(n + 1, 2 * (limit + 1)));
export const throwing = { initial: [0], next: () => { throw new Error('no next'); } };
export const number = 7;
export const sum = (state) => state.actors.reduce((all, { context }) => all + context.count, 0);
export const both = { state: sum, of: (n) => n };
export const broken = (state) => state.nothing.at;
export const heard = { event: (observation) => (observation.kind === 'message' ? observation.event.type : undefined) };
export const deaf = { event: (observation) => observation.tpye };
export const rally = { initial: ['Ping'], next: (type) => [{ state: type === 'Ping' ? 'Pong' : 'Ping', shows: type }] };
export const neither = { state: 3 };
`;

beforeAll(() => writeFileSync(join(folder, 'spec.mjs'), specification));

const at = (name: string): string => `${join(folder, 'spec.mjs')}#${name}`;
const scenario = (network = ''): string => {
  const file = join(folder, 'ping.yaml');
  writeFileSync(file, `name: ping\nmachine: ping-pong\nconfig: { limit: 2 }\nprograms: []\n${network}\n`);
  return file;
};
const check = async (...args: readonly string[]) => {
  const { out, ...rest } = await called('check', scenario(), '--json', '--no-record', ...args);
  return { ...rest, report: JSON.parse(out) };
};

describe('check --refines', () => {
  test.each([
    ['counts', 'sum'],
    ['counts', 'both'],
    ['made', 'sum'],
    ['rally', 'heard'],
  ])('%s, seen as %s, is what it does', async (machine, map) => {
    const { exitCode, report } = await check('--refines', at(machine), '--map', at(map));

    expect([exitCode, report.verdict]).toEqual([0, 'ok']);
    expect(report.properties).toContain(`it refines spec.mjs#${machine}`);
  });

  test('is named where its map compares nothing', async () => {
    for (const workers of ['1', '2']) {
      const words = ['--refines', at('rally'), '--map', at('deaf'), '--workers', workers];
      const { report, err } = await check(...words);

      expect(report.idle).toEqual(['it refines spec.mjs#rally']);
      expect(err).toContain('it refines spec.mjs#rally');
    }
  });

  test('tells the step that is refused, and a recording replays and explains it from another folder', async () => {
    const recording = join(folder, 'out', 'refused.json');

    const { exitCode, out } = await called(
      'check',
      scenario(),
      '--json',
      '--refines',
      at('stays'),
      '--map',
      at('sum'),
      '--record',
      recording,
    );

    const why =
      'Ping value=0 from Pinger to Ponger takes what is compared from 0 to 1 (0 to 1), which is no step of the specification: there it could stay as it is';
    expect([exitCode, JSON.parse(out).counterexample]).toEqual([
      1,
      expect.objectContaining({ what: 'it refines spec.mjs#stays', actors: ['Ponger'], why }),
    ]);
    expect(JSON.parse(readFileSync(recording, 'utf8')).refines).toEqual({
      specification: '../spec.mjs#stays',
      map: '../spec.mjs#sum',
    });
    const replayed = await called('replay', recording, '--json');
    expect([replayed.exitCode, JSON.parse(replayed.out)]).toEqual([
      1,
      expect.objectContaining({ same: true, violations: [expect.objectContaining({ why })] }),
    ]);
    const explained = await called('explain', recording);
    expect([explained.exitCode, explained.err]).toEqual([
      0,
      expect.stringContaining('violated: it refines spec.mjs#stays'),
    ]);
  });

  test('begins where the specification does', async () => {
    const { exitCode, report } = await check('--refines', at('beginsLater'), '--map', at('sum'));

    expect([exitCode, report.counterexample.why]).toEqual([1, 'it begins as 0, and the specification as 1']);
  });

  test('is judged by threads where what is shown is compared, and stays open where states are', async () => {
    const shown = await check('--refines', at('rally'), '--map', at('heard'), '--workers', '2');
    const states = await check('--refines', at('counts'), '--map', at('sum'), '--workers', '2');

    const open = (report: { open: { sentence: string }[] }) => report.open.map(({ sentence }) => sentence);
    expect(open(shown.report)).toEqual([]);
    expect(shown.report.properties).toContain('it refines spec.mjs#rally');
    expect([states.exitCode, open(states.report)]).toEqual([4, ['it refines spec.mjs#counts']]);
  });

  test.each([
    [['--refines', 'spec'], '--refines: found "spec", expected file.ts#export'],
    [['--refines', at('count')], 'did you mean "counts"?'],
    [['--refines', at('number')], 'found 7 as'],
    [['--refines', at('throwing'), '--map', at('sum')], 'next(0) of the specification threw: no next'],
    [['--refines', at('counts'), '--map', at('broken')], 'the function "state" of the map threw'],
    [['--refines', at('counts'), '--map', at('neither')], 'expected a function of the state'],
    [
      ['--refines', 'scenarios/protocols/ping-pong.yaml', '--map', at('sum')],
      'without what of its states is compared',
    ],
    [['--map', at('sum')], '--map: found without --refines'],
  ])('is refused with %j', async (options, words) => {
    const { exitCode, err } = await check(...options);

    expect([exitCode, err]).toEqual([2, expect.stringContaining(words)]);
  });
});
