import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { called } from './testing/called.ts';

// What is wrong with the state of a whole system is not read from messages alone: who is where, and what is still under way.

const folder = temporaryFolder('explain-states');
const machine = `
import { always, atRest, component, defineMachine, eventually, Wiring } from 'lockstep';
import { createMachine, setup } from 'xstate';
const c = component();
const party = setup({
  types: {},
  guards: { isFirst: c.when((me) => me.first) },
  actions: {
    serve: c.act((me, _event, out) => {
      out.post({ to: me.other, type: 'letter' });
      out.post({ to: me.other, type: 'ball' });
    }),
    back: c.act((me, _event, out) => {
      me.balls += me.counts;
      out.post({ to: me.other, type: 'ball' });
    }),
  },
}).createMachine({
  id: 'party', context: ({ input }) => ({ ...input, balls: 0 }), initial: 'begin',
  states: {
    begin: { always: [{ guard: 'isFirst', target: 'playing', actions: 'serve' }, 'playing'] },
    playing: { on: { ball: { actions: 'back' }, letter: 'reading' } },
    reading: { on: { ball: { actions: 'back' } } },
  },
});
const game = (name, counts, properties) => defineMachine({
  name, summary: name, asynchronous: true, properties,
  assemble: () => {
    const wiring = new Wiring({});
    const [one, two] = [wiring.reserve('One'), wiring.reserve('Two')];
    wiring.place(one, party, { first: true, other: two, counts });
    wiring.place(two, party, { first: false, other: one, counts });
    return { wiring, result: () => ({}) };
  },
});
const isRead = (state) => state.actor('Two').state === 'reading';
export const counted = game('counted', 1, [
  always('the letter comes before the second ball', (state) => isRead(state) || state.actor('Two').context.balls < 2 || 'it is late'),
]);
class Shelf {
  constructor(books) { this.books = books; }
  fork() { return new Shelf(this.books); }
  hash(into) { into.number(this.books); }
  describe() { return { books: this.books }; }
}
const reader = setup({ types: {}, actions: { ask: c.act((me, _event, out) => {
  me.shelf.books++;
  out.post({ to: me.librarian, type: 'ask' });
}) } }).createMachine({
  id: 'reader', context: ({ input }) => ({ ...input }), initial: 'waiting',
  states: { waiting: { entry: 'ask', tags: ['waiting'], meta: { waitsFor: { what: 'a book', on: (me) => me.librarian } } } },
});
const librarian = setup({ types: {}, actions: { note: c.update((me, _event, { from }) => { me.asked = from; }) } }).createMachine({
  id: 'librarian', context: { asked: null }, initial: 'open', states: { open: { on: { ask: { actions: 'note' } } } },
});
export const library = defineMachine({
  name: 'library', summary: 'nobody brings the book', asynchronous: true,
  assemble: () => {
    const wiring = new Wiring({});
    const [desk, chair] = [wiring.reserve('Librarian'), wiring.reserve('Reader')];
    wiring.place(desk, librarian, undefined);
    wiring.place(chair, reader, { librarian: desk, shelf: wiring.share('Shelf', new Shelf(1)) });
    return { wiring, result: () => ({}) };
  },
});
const knocker = setup({ types: {}, actions: {
  come: c.act((_me, _event, out) => { out.setTimer('there'); }),
  knock: c.post((me) => ({ to: me.door, type: 'knock' })),
} }).createMachine({
  id: 'knocker', context: ({ input }) => ({ ...input }), initial: 'outside',
  states: { outside: { entry: 'come', on: { there: { target: 'gone', actions: 'knock' } } }, gone: {} },
});
const door = createMachine({ id: 'door', context: {}, initial: 'shut', states: { shut: {} } });
export const knocked = defineMachine({
  name: 'knocked', summary: 'a door without an answer', asynchronous: true,
  assemble: () => {
    const wiring = new Wiring({});
    const [one, two] = [wiring.reserve('Knocker'), wiring.reserve('Door')];
    wiring.place(one, knocker, { door: two });
    wiring.place(two, door, undefined);
    return { wiring, result: () => ({}) };
  },
});
const minter = setup({ types: {}, actions: { mint: c.post((me) => ({ to: me.to, type: 'coin' })) } }).createMachine({
  id: 'minter', context: ({ input }) => ({ ...input }), initial: 'done', states: { done: { entry: 'mint' } },
});
const keeper = setup({ types: {}, actions: { keep: c.update((me) => { me.coins++; }) } }).createMachine({
  id: 'keeper', context: { coins: 0 }, initial: 'idle', states: { idle: { on: { coin: { actions: 'keep' } } } },
});
const beggar = createMachine({
  id: 'beggar', context: {}, initial: 'begging', states: { begging: { tags: ['waiting'], on: { coin: 'rich' } }, rich: {} },
});
export const kept = defineMachine({
  name: 'kept', summary: 'who has the coin keeps it', asynchronous: true,
  assemble: () => {
    const wiring = new Wiring({});
    const [one, two, three] = [wiring.reserve('Minter'), wiring.reserve('Keeper'), wiring.reserve('Beggar')];
    wiring.place(one, minter, { to: two });
    wiring.place(two, keeper, undefined);
    wiring.place(three, beggar, undefined);
    return { wiring, result: () => ({}) };
  },
});
const writer = setup({
  types: {},
  guards: { isNewer: c.when((me, { stamp }) => stamp > me.stamp) },
  actions: {
    write: c.act((me, _event, out) => {
      me.stamp++;
      me.value = me.own;
      out.post({ to: me.other, type: 'value', stamp: me.stamp, value: me.value });
    }),
    take: c.update((me, { stamp, value }) => { me.stamp = stamp; me.value = value; }),
  },
}).createMachine({
  id: 'writer', context: ({ input }) => ({ ...input, stamp: 0, value: '' }), initial: 'up',
  states: { up: { on: { write: { actions: 'write' }, value: { guard: 'isNewer', actions: 'take' } } } },
});
export const tied = defineMachine({
  name: 'tied', summary: 'who wrote at once never agree', asynchronous: true,
  properties: [atRest('both agree', (state) => {
    const [one, two] = state.actors.map(({ context }) => context.value);
    return one === two || one + ' and ' + two;
  })],
  assemble: () => {
    const wiring = new Wiring({});
    const [one, two] = [wiring.reserve('One'), wiring.reserve('Two')];
    wiring.place(one, writer, { own: 'x', other: two });
    wiring.place(two, writer, { own: 'y', other: one });
    for (const to of [one, two]) wiring.begin({ to, type: 'write' });
    return { wiring, result: () => ({}) };
  },
});
export const left = game('left', 0, [eventually('the letter is read', isRead, { fair: true })]);
`;
writeFileSync(join(folder, 'game.mjs'), machine);

async function explained(name: string) {
  const [scenario, recording] = [join(folder, `${name}.yaml`), join(folder, `${name}.json`)];
  writeFileSync(scenario, `name: ${name}\nmachine: ./game.mjs#${name}\n`);
  const { exitCode } = await called('check', scenario, '--record', recording);
  expect(exitCode).toBe(1);
  return called('explain', recording, '--json');
}

describe('explain', () => {
  test('tells how everything stands where a state is wrong', async () => {
    const { err, out } = await explained('counted');

    expect(err).toContain('violated: the letter comes before the second ball\n  in tick 2: it is late\n');
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'all is well, as far as it was followed, to tick 9999 and 10000 deliveries. In tick 2 Two got ball from One before letter from One. The other way round, and all else the same, the run passes, as far as',
    );
    expect(err).toContain('letter; not delivered by then\n');
    expect(err).toContain(
      'how everything stands at the end of tick 2:\n  One  playing  balls=1\n  Two  playing  balls=2\n  under way: letter (One -> Two), ball (Two -> One)\n',
    );
    expect(JSON.parse(out)).toMatchObject({
      standing: {
        actors: [
          { name: 'One', state: 'playing', fields: 'balls=1' },
          { name: 'Two', state: 'playing', fields: 'balls=2' },
        ],
        underWay: ['letter (One -> Two)', 'ball (Two -> One)'],
      },
    });
  });

  test('tells how everything stands at the end, and what each got last, where that is wrong of nobody', async () => {
    const { err } = await explained('tied');

    expect(err).toContain('violated: both agree\n  in tick 2: x and y\n');
    expect(err).toContain('how everything stands at the end of tick 2:\n  One  up  stamp=1 value=x');
    expect(err).toContain('\n  Two  up  stamp=1 value=y');
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'under way, and changing nothing where it goes: value value=x stamp=1 (One -> Two), value value=y stamp=1 (Two -> One)',
    );
    // What comes behind the rest, and changes nothing there, would have been taken before.
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'In tick 1 Two got write from world before value value=x stamp=1 from One. The other way round, and all else the same, the run passes, to its rest',
    );
    // The writing of either.
    expect(err.match(/▶.* write$/gm)).toHaveLength(2);
  });

  test('tells of a deadlock what those hold who are waited for, and what is shared', async () => {
    const { err } = await explained('library');

    expect(err).toContain('  Librarian, which is waited for, is open and does not wait: asked=');
    expect(err).toContain('\n  Shelf, which is shared: books=2\n');
  });

  test('tells of a deadlock who has what is waited for, when nobody knows from whom it should come', async () => {
    const { err } = await explained('kept');

    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'Beggar (begging) waits since tick 0 for coin the last coin went to Keeper in tick 0, which is idle and has sent nothing since: coins=1',
    );
  });

  test('tells when a message came that could not be handled, though it was never delivered', async () => {
    const { err } = await explained('knocked');

    expect(err).toContain('In tick 1 Door was shut and got knock from Knocker');
    expect(err).toContain('what Door did in tick 1:');
    expect(err).toMatch(/\n {2}sent +knock to Door\n/);
  });

  test('says what a run without end leaves under way, and why it may be fair', async () => {
    const { err } = await explained('left');

    expect(err).toContain(
      'under way all the time, and never delivered:\n  One to Two: letter (the channel delivers ball, and fairness is by channel)\n',
    );
  });
});
