import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../kernel/explore/explorer.ts';
import type { Observer } from '../kernel/explore/observer.ts';
import { component } from '../kernel/kit.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import { property, watch } from './property.ts';
import { refinement } from './refinement/refinement.ts';

/* What a property remembers of what it was shown does not change when the run goes on: a run finds what the exhaustive checker finds. */

interface Log {
  readonly log: number[];
}
type LogEvent = { readonly type: 'add' | 'cut' };
type LogProbe = { readonly type: 'log.shown'; readonly log: number[] };
const { act } = component<Log, LogEvent, LogEvent, LogProbe>();
const keeper = setup({
  types: {} as { context: Log; events: LogEvent },
  actions: {
    add: act((me, _event, out) => {
      me.log.push(me.log.length);
      out.probe({ type: 'log.shown', log: me.log });
    }),
    cut: act((me, _event, out) => {
      me.log.pop();
      out.probe({ type: 'log.shown', log: me.log });
    }),
  },
}).createMachine({
  id: 'keeper',
  context: () => ({ log: [] }),
  initial: 'on',
  states: { on: { on: { add: { actions: 'add' }, cut: { actions: 'cut' } } } },
});

const make = (): Wiring => {
  const wiring = new Wiring();
  const to = wiring.place('Keeper', keeper, undefined);
  for (const [delay, type] of (['add', 'add', 'cut'] as const).entries()) wiring.begin({ to, type, delay });
  return wiring;
};
const shrinks = (last: readonly number[] | undefined, log: readonly number[]) =>
  last !== undefined && log.length < last.length ? { actors: ['Keeper'], why: 'it did' } : undefined;
const remembered = { begin: (): { last?: readonly number[] } => ({}) };

const properties: readonly (readonly [string, Observer])[] = [
  [
    'of states',
    property({
      sentence: 'a log does not shrink',
      ...remembered,
      seeState: (memory: { last?: readonly number[] }, state) => {
        const { log } = state.actor<Log>('Keeper').context;
        const found = shrinks(memory.last, log);
        memory.last = log;
        return found;
      },
    }) as Observer,
  ],
  [
    'of probes',
    property({
      sentence: 'a log does not shrink',
      ...remembered,
      see: (memory: { last?: readonly number[] }, observation) => {
        if (observation.kind !== 'probe') return undefined;
        const { log } = observation.probe as LogProbe;
        const found = shrinks(memory.last, log);
        memory.last = log;
        return found;
      },
    }) as Observer,
  ],
  [
    'of a refinement',
    refinement('a log only grows', {
      specification: {
        initial: [[]] as number[][],
        next: (log) => (log.length < 4 ? [{ action: 'add', state: [...log, log.length] }] : []),
      },
      map: { state: (state) => state.actor<Log>('Keeper').context.log },
    }) as Observer,
  ],
];

test.each(properties)('%s', (_name, observer) => {
  const { verdict, findings } = new Explorer(make, { observers: [observer] }).toEnd();
  const run = new Run(make());
  const watching = watch(run, [observer]);
  run.toEnd();
  watching.end();

  expect([verdict, findings.length]).toEqual(['violated', 1]);
  expect([run.outcome.verdict, run.outcome.violations.map(({ tick }) => tick)]).toEqual(['violated', [2]]);
});

test('what one property makes of what it is shown, others do not see', () => {
  const greedy = property({
    sentence: 'nobody else',
    begin: () => ({}),
    watches: ['log.shown'],
    see: (_memory, observation) => {
      if (observation.kind === 'probe') (observation.probe as LogProbe).log.push(9, 9, 9);
      return undefined;
    },
  }) as Observer;
  const observers = [greedy, properties[1]![1]];
  const run = new Run(make());
  const watching = watch(run, observers);
  run.toEnd();
  watching.end();

  expect(new Explorer(make, { observers }).toEnd().verdict).toBe('violated');
  expect(run.outcome.violations.map(({ tick }) => tick)).toEqual([2]);
});

test('a memory that is one object every time is refused, in a run as in a check', () => {
  const memory = { count: 0 };
  const list: number[] = [];
  const counts = (begin: () => object) =>
    property({ sentence: 'few', watches: ['log.shown'], begin, see: () => undefined }) as Observer;

  expect(() => new Explorer(make, { observers: [counts(() => memory)] }).toEnd()).toThrow(
    'KRN024 property "few": begin gives the same object every time, expected a new one',
  );
  expect(() => new Explorer(make, { observers: [counts(() => ({ list }))] }).toEnd()).toThrow(
    'KRN024 property "few": begin gives the same list every time',
  );
  const again = counts(() => memory);
  for (let attempt = 0; attempt < 2; attempt++) {
    const run = new Run(make());
    watch(run, [again]);
    expect(run.outcome.violations.map(({ why }) => why)).toEqual([
      expect.stringContaining('begin gives the same object every time'),
    ]);
  }
});
