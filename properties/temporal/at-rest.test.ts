import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { Network } from '../../kernel/network.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { property, watch } from '../property.ts';
import { always, atRest } from './temporal.ts';

interface Replica {
  others: Address[];
  number: number;
  stamp: number;
  value: string;
}
type Heard = { type: 'write' } | { type: 'state'; stamp: number; value: string };
const { act, update, when } = component<Replica, Heard>();

/** A register whose last writer wins; of two who wrote at once, none, unless `ties` says how. */
const replica = (isNewer: (me: Replica, stamp: number, value: string) => boolean) =>
  setup({
    types: {} as {
      context: Replica;
      events: Heard;
      input: Pick<Replica, 'others' | 'number'>;
    },
    guards: {
      isNewer: when<'state'>((me, { stamp, value }) => isNewer(me, stamp, value)),
    },
    actions: {
      write: act((me, _event, out) => {
        me.stamp++;
        me.value = `${me.number}`;
        for (const to of me.others) out.post({ to, type: 'state', stamp: me.stamp, value: me.value });
      }),
      take: update<'state'>((me, { stamp, value }) => {
        me.stamp = stamp;
        me.value = value;
      }),
    },
  }).createMachine({
    id: 'replica',
    context: ({ input }) => ({ ...input, stamp: 0, value: '' }),
    on: { write: { actions: 'write' }, state: { guard: 'isNewer', actions: 'take' } },
  });

const right = replica((me, stamp, value) => stamp > me.stamp || (stamp === me.stamp && value > me.value));
const wrong = replica((me, stamp) => stamp > me.stamp);

const register = (machine: typeof right, network?: Network) => () => {
  const wiring = new Wiring(network);
  const all = [0, 1, 2].map((index) => wiring.reserve(`Replica[${index}]`));
  for (const [number, at] of all.entries()) {
    wiring.place(at, machine, { number, others: all.filter((other) => other !== at) });
    if (number < 2) wiring.begin({ to: at, type: 'write' });
  }
  return wiring;
};

const values = (state: GlobalState) => state.named<Replica>('Replica[*]').map(({ context }) => context.value);
const agree = atRest('all replicas agree', (state) => {
  const found = values(state);
  return new Set(found).size === 1 || found.join(' and ');
});

const checked = (make: () => Wiring, observer: Observer, reduction = true) => {
  const { verdict, findings, quiet, idle } = new Explorer(make, { observers: [observer], reduction }).toEnd();
  return { verdict, quiet: quiet > 0, idle, why: [...new Set(findings.map(({ why }) => why))].sort() };
};

test.each([true, false])(
  'how everything stands at rest is judged under every schedule, reduction %s',
  (reduction) => {
    for (const network of [{}, { order: 'perChannel' }] as const) {
      expect(checked(register(right, network), agree, reduction)).toEqual({
        verdict: 'ok',
        quiet: true,
        idle: [],
        why: [],
      });
      expect(checked(register(wrong, network), agree, reduction).verdict).toBe('violated');
    }

    expect(checked(register(right, { lossy: 1 }), agree, reduction).verdict).toBe('violated');
  },
);

test('where what changes nothing stays under way, no state without messages tells of the end', () => {
  const emptyIsRight = always(
    'all replicas agree where nothing is under way',
    (state) => state.messages.length > 0 || new Set(values(state)).size === 1,
  );

  expect(checked(register(wrong, {}), emptyIsRight).verdict).toBe('ok');
  expect(checked(register(wrong, {}), agree).why).toContain('0 and 1 and 0');
});

/** What one run of a clocked wiring shows. */
const foundIn = (machine: typeof right, observer: Observer, last?: number) => {
  const run = new Run(register(machine)());
  const watching = watch(run, [observer]);
  run.until(last);
  watching.end();
  return { found: run.outcome.violations.map(({ why }) => why), judged: watching.judged };
};

test('a run judges it once it has come to rest, and not before', () => {
  expect(foundIn(wrong, agree)).toEqual({ found: ['0 and 1 and 0'], judged: [agree.sentence] });
  expect(foundIn(right, agree)).toEqual({ found: [], judged: [agree.sentence] });
  expect(foundIn(wrong, agree, -1)).toEqual({ found: [], judged: [] });
});

test('a property of your own may have a memory beside it', () => {
  const told = property({
    sentence: 'the last state that was told is everywhere',
    watches: ['state'],
    begin: () => ({ last: '' }),
    see(memory, observation) {
      if (observation.kind === 'message') memory.last = (observation.event as { value?: string }).value ?? '';
      return undefined;
    },
    seeRest: ({ last }, state) =>
      values(state).every((value) => value === last) ? undefined : { actors: [], why: `not ${last}` },
  });
  const alone = property({
    sentence: 'somebody has written',
    begin: () => ({}),
    seeRest: (_memory, state) =>
      values(state).includes('') ? { actors: ['Replica[0]'], why: 'nobody' } : undefined,
  });

  expect(checked(register(wrong, {}), told).why.every((why) => /^not [01]$/.test(why))).toBe(true);
  expect(checked(register(wrong, {}), told).verdict).toBe('violated');
  expect(checked(register(right, {}), alone).verdict).toBe('ok');
});

test('one that throws is a finding; one without what it asks is refused where it is made', () => {
  const broken = atRest('it is as it is', (state) => state.actor('Nobody').waits);

  expect(foundIn(right, broken).found[0]).toMatch(/the property itself fails: .*found no actor "Nobody"/);
  expect(checked(register(right, {}), broken).why[0]).toMatch(/the property itself fails/);
  expect(() => atRest('it is as it is', undefined as never)).toThrow(
    /expected a function of the state of the whole machine/,
  );
});
