import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { called } from './testing/called.ts';

// What an asynchronous network leaves under way, loses and brings too early has to stand on the page.

const folder = temporaryFolder('explain-network');
writeFileSync(
  join(folder, 'machines.mjs'),
  `
import { component, defineMachine, eventually, leadsTo, message, never, refused, waitsFor, Wiring } from 'lockstep';
import { setup } from 'xstate';
const c = component();
const started = (id, actions, states) => setup({ types: {}, actions }).createMachine({
  id, context: ({ input }) => ({ ...input }), entry: 'begin', initial: 'on', states,
});
const made = (name, network, place, properties = []) => defineMachine({
  name, summary: name, asynchronous: true, properties,
  assemble: () => {
    const wiring = new Wiring(network);
    place(wiring);
    return { wiring, result: () => ({}) };
  },
});
const two = (first, second) => (wiring) => {
  const [one, other] = [wiring.reserve('A'), wiring.reserve('B')];
  wiring.place(one, first, { to: other });
  wiring.place(other, second, { to: one });
};
const nothing = c.act(() => {});

const asker = started('asker', { begin: c.post((me) => ({ to: me.to, type: 'get' })) }, {
  on: { tags: ['waiting'], meta: waitsFor('ack', (me) => me.to), on: { forward: refused, ack: 'done' } }, done: {},
});
const forwarder = started('forwarder', { begin: nothing, forward: c.post((me) => ({ to: me.to, type: 'forward' })) }, {
  on: { on: { get: { actions: 'forward' } } },
});
export const refusing = made('refusing', {}, two(asker, forwarder));

const teller = started('teller', { begin: c.post((me) => [{ to: me.to, type: 'add' }, { to: me.to, type: 'remove' }]) }, { on: {} });
const set = started('set', { begin: nothing }, { on: { on: { add: 'in', remove: {} } }, in: { on: { remove: 'on', add: {} } } });
export const doubled = made('doubled', { duplicating: true }, two(teller, set), [
  eventually('it goes elsewhere', (state) => state.actor('B').state === 'elsewhere'),
]);

const send = c.act((me, _event, out) => {
  out.post({ to: me.to, type: 'data' });
  out.setTimer('again');
});
const sender = started('sender', { begin: send, send }, { on: { on: { again: { actions: 'send' } } } });
const receiver = started('receiver', { begin: nothing }, { on: { on: { data: 'got' } }, got: { on: { data: {} } } });
export const lossy = made('lossy', { lossy: true }, (wiring) => {
  two(sender, receiver)(wiring);
  wiring.boundary = (state) => state.messages.length <= 2;
}, [
  eventually('the data come', (state) => state.actor('B').state === 'got'),
]);

// Chang and Roberts, but a node hands smaller numbers on, too.
const node = started('node', {
  begin: c.act((_me, _event, out) => out.setTimer('start')),
  stand: c.act((me, _event, out) => {
    if (me.stands) return;
    me.stands = true;
    out.post({ to: me.to, type: 'elect', id: me.id });
  }),
  take: c.act((me, { id }, out) => {
    if (id === me.id) me.leads = true;
    else out.post({ to: me.to, type: 'elect', id });
    if (id > me.id) me.stands = true;
  }),
}, { on: { on: { start: { actions: 'stand' }, elect: { actions: 'take' } } } });
export const ring = made('ring', { order: 'perChannel' }, (wiring) => {
  const ids = [2, 0, 1];
  const nodes = ids.map((_, at) => wiring.reserve('Node[' + at + ']'));
  ids.forEach((id, at) => wiring.place(nodes[at], node, { id, to: nodes[(at + 1) % 3], stands: false, leads: false }));
}, [never('the smallest leads', (state) => state.actor('Node[1]').context.leads)]);

const echo = started('echo', { begin: nothing, answer: c.post((me) => ({ to: me.to, type: 'answer' })) }, {
  on: { on: { get: { actions: 'answer' } } },
});
const careless = started('careless', { begin: c.post((me) => ({ to: me.to, type: 'get' })) }, { on: { on: { answer: {} } } });
export const unheard = made('unheard', {}, two(careless, echo), [eventually('an answer comes', message('answer'))]);

export const names = made('names', {}, two(teller, set), [
  leadsTo('who asks is answered', message('add', { from: 'Nobody[*]' }), message('answer')),
  never('nothing goes to C', message('add', { to: 'C' })),
  never('B adds nothing', message('add', { from: 'B' })),
]);
`,
);

async function explained(name: string): Promise<string> {
  const recording = join(folder, `${name}.json`);
  expect((await called('check', scenarioOf(name), '--record', recording)).exitCode).toBe(1);
  const { err } = await called('explain', recording);
  return err.replaceAll(/\s+/g, ' ');
}

function scenarioOf(name: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, `name: ${name}\nmachine: ./machines.mjs#${name}\n`);
  return file;
}

test('a deadlock says what stays under way because nobody takes it, and who sent it', async () => {
  const { err } = await called('run', scenarioOf('refusing'), '--no-record');
  expect(err).toContain(
    'deadlock in tick 1: what is under way changes nothing where it goes, and 1 actor waits\n  under way, and changing nothing where it goes: forward (B -> A)\n',
  );

  const page = await explained('refusing');
  expect(page).toContain('B (on) got it in tick 0, and what it sent then stays under way: forward (B -> A)');
  expect(page).toContain('the last it sent stays under way: forward (B -> A)');
  expect(page).toContain('After tick 1 nothing that was under way changed anything where it went.');
  expect(page).not.toContain('sent nothing');
});

test('an answer that changes nothing in its receiver is told to be under way where it is missed', async () => {
  const { err } = await called('run', scenarioOf('unheard'), '--no-record');
  expect(err).toContain('\n  still under way, and changing nothing where it goes: answer (B -> A)\n');

  expect(await explained('unheard')).toContain(
    'this was found: no answer came. Still under way, and changing nothing where it goes: answer (B -> A).',
  );
});

test('what a loop delivers is not said to be left out of it', async () => {
  const page = await explained('doubled');

  expect(page).toMatch(/the loop, again and again: tick \d: A to B: add tick \d: A to B: remove/);
  expect(page).not.toContain('never delivered');
});

test('what the network loses stands in the loop', async () => {
  const page = await explained('lossy');
  expect(page).toContain('the loop, again and again: tick 0: A to B: data: lost tick 1: A to A: again');
  expect(page).toContain('Here the same is chosen round after round, for ever: no choice that is made once');
});

test('a message is a cause that came before one for which the run ended too early', async () => {
  expect(await explained('ring')).toMatch(
    /In tick 0 Node\[1\] got its timer start before elect id=2 from Node\[0\]\. The other way round, and all else the same, the run passes, to its rest after tick \d+\./,
  );
});

test('a sentence that names actors that are not there has judged nothing', async () => {
  const { exitCode, err, out } = await called('check', scenarioOf('names'), '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(out).idle).toEqual(['who asks is answered', 'nothing goes to C']);
  expect(err).toContain('what they look at came in no run:\n  who asks is answered\n  nothing goes to C\n');

  const run = await called('run', scenarioOf('names'), '--no-record');
  expect(run.err).toContain('1 property holds; 2 had nothing to judge in this run');
});
