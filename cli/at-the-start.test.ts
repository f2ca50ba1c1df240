import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { called } from './testing/called.ts';

/*
 * Machines of a beginner, which do not get further than their start, and others whose start decides.
 */

const folder = temporaryFolder('start');
const at = (file: string) => join(folder, file);

const machine = `
import { always, component, defineMachine, eventually, never, reachable, Wiring } from 'lockstep';
import { setup } from 'xstate';
const k = component();
const stuck = setup({}).createMachine({
  id: 'stuck', context: {}, initial: 'up', states: { up: { tags: ['waiting'], on: { go: {} } } },
});
const coin = setup({
  actions: { toss: k.act((me, _event, out) => { me.side = out.pick('side', 2); }) },
}).createMachine({ id: 'coin', context: { side: 0 }, initial: 'up', entry: 'toss', states: { up: {} } });
const wheel = setup({
  actions: {
    begin: k.post((_me, _event, { self }) => ({ to: self, type: 'turn' })),
    turn: k.act((me, _event, out) => { me.n = (me.n + 1) % 3; out.probe({ type: 'turned' }); out.post({ to: out.self, type: 'turn' }); }),
  },
}).createMachine({
  id: 'wheel', context: { n: 0 }, initial: 'on', entry: 'begin', states: { on: { on: { turn: { actions: 'turn' } } } },
});
const made = (name, actor, properties = []) => defineMachine({
  name, summary: name, asynchronous: true, properties,
  assemble: () => { const wiring = new Wiring({}); wiring.place('A', actor, undefined); return { wiring, result: () => ({}) }; },
});
const n = (is) => (state) => state.actor('A').context.n === is;
export const waits = made('waits', stuck);
export const tossed = made('tossed', coin, [always('it shows 0', (state) => state.actor('A').context.side === 0)]);
export const turning = made('turning', wheel, [eventually('n is 7', n(7))]);
export const both = made('both', wheel, [never('n is never 1', n(1)), reachable('n can be 7', n(7))]);
`;

beforeAll(() => {
  writeFileSync(at('m.mjs'), machine);
  for (const name of ['waits', 'tossed', 'turning', 'both'])
    writeFileSync(at(`${name}.yaml`), `name: ${name}\nmachine: ./m.mjs#${name}\n`);
});

test('a failure without any delivery is explained', async () => {
  await called('run', at('waits.yaml'), '--record', at('waits.json'));
  const { exitCode, err } = await called('explain', at('waits.json'));

  expect(exitCode).toBe(0);
  expect(err).toContain('deadlock: nothing is under way, and 1 actor waits');
  expect(err).not.toContain('what led to it');
});

test('picks of the start are part of what is told of a schedule', async () => {
  const { out } = await called('check', at('tossed.yaml'), '--no-record');

  expect(out).toContain(
    'schedule: 1 of 1 picks are not the default\'s, first in tick 0: "A side" took number 1',
  );
});

test('a loop that begins before the first step takes all of its steps', async () => {
  const { out } = await called('check', at('turning.yaml'), '--no-record');

  expect(out).toContain(
    'the state before the first tick comes back at the end of tick 2, so ticks 0 to 2 may happen again',
  );
});

test('--keep-going tells of what no run shows beside what is found', async () => {
  const { out } = await called('check', at('both.yaml'), '--keep-going', '--no-record');

  expect(out).toContain('found, one of each kind (2):');
  expect(out).toContain('violated: n can be 7: no run shows it: all 3 states were gone through');
});

test('the last step of a scenario is that of its runs, and of no log', async () => {
  writeFileSync(at('short.yaml'), 'name: short\nmachine: ./m.mjs#both\nuntil: 2\n');
  writeFileSync(at('long.jsonl'), `${JSON.stringify({ at: 'A', event: 'turned' })}\n`.repeat(9));
  const { exitCode, out } = await called('trace', at('short.yaml'), at('long.jsonl'));

  expect([exitCode, out]).toEqual([0, expect.stringContaining('9 of 9 events')]);
});
