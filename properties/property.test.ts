import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../kernel/explore/explorer.ts';
import type { Observation } from '../kernel/explore/observer.ts';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import { type Property, property, watch } from './property.ts';

type Beat = { readonly type: 'beat'; readonly n: number };
const { post, probe, report } = component<{ self: Address }, Beat>();

/** Counts down to 0, a tick a number; reports the number 2. */
const countdown = setup({
  types: {} as { context: { self: Address }; events: Beat; input: { self: Address } },
  actions: {
    show: probe((_c, { n }) => ({ type: 'number', n })),
    complain: report((_c, { n }) =>
      n === 2 ? { property: 'no number is 2', why: 'the part says so' } : undefined,
    ),
    goOn: post((c, { n }) => (n === 0 ? undefined : { to: c.self, type: 'beat', n: n - 1, delay: 1 })),
  },
}).createMachine({
  id: 'countdown',
  context: ({ input }) => input,
  on: { beat: { actions: ['show', 'complain', 'goOn'] } },
});

const counting = (from: number): Run => new Run(countingWiring(from));

function countingWiring(from: number): Wiring {
  const wiring = new Wiring();
  const self = wiring.reserve('Countdown');
  wiring.place(self, countdown, { self });
  wiring.boot.push({ to: self, type: 'beat', n: from } as never);
  return wiring;
}

const numberIn = (observation: Observation): number =>
  observation.kind === 'probe' ? (observation.probe as unknown as Beat).n : -1;

const noOne: Property = property({
  sentence: 'no number is 1',
  watches: ['number'],
  begin: () => ({}),
  see: (_memory, observation) => {
    if (observation.kind === 'probe' && numberIn(observation) === 1)
      return { actors: [observation.actor], why: 'it was 1' };
  },
});

test.each([
  ['what sets the scene alone', 9, false, ['late']],
  ['something to judge', 0, true, []],
])('with %s a property has judged or not, in runs and explorations', (_, least, judged, idle) => {
  const late = property({
    sentence: 'late',
    watches: ['number'],
    judges: (observation) => numberIn(observation) <= 0 && numberIn(observation) >= least,
    begin: () => ({}),
    see: () => undefined,
    seeState: () => undefined,
  });
  const run = counting(2);
  const watching = watch(run, [late]);
  run.toEnd();

  expect(watching.judged).toEqual(judged ? ['late'] : []);
  expect(new Explorer(() => countingWiring(1), { observers: [late] }).toEnd().idle).toEqual(idle);
});

test('a property of states needs no see, and watches nothing', () => {
  const early = property({
    sentence: 'nothing happens after tick 1',
    begin: () => ({ ticks: 0 }),
    seeState: (memory) => (++memory.ticks > 2 ? { actors: [], why: `tick ${memory.ticks}` } : undefined),
  });
  const run = counting(2);
  const watching = watch(run, [early]);

  run.toEnd();
  watching.end();

  expect(early.watches).toEqual([]);
  expect(watching.judged).toEqual([early.sentence]);
  expect(run.outcome.violations.map(({ property }) => property)).toContain(early.sentence);
});

test('a finding becomes a violation of the run in its tick', () => {
  const run = counting(3);
  const watching = watch(run, [noOne]);

  run.toEnd();
  watching.end();

  expect(run.outcome.violations).toEqual([
    { property: 'no number is 2', tick: 1, actors: ['Countdown'], why: 'the part says so' },
    { property: 'no number is 1', tick: 2, actors: ['Countdown'], why: 'it was 1' },
  ]);
  expect(run.outcome.verdict).toBe('violated');
});

test('a property can judge at the end what never came, and learns whether the run was cut short', () => {
  const sevenComes: Property = property({
    sentence: 'a seven comes',
    watches: ['number'],
    begin: () => ({ seen: false }),
    see: (memory, observation) => {
      memory.seen ||= numberIn(observation) === 7;
      return undefined;
    },
    atRest: ({ seen }) => (seen ? undefined : { actors: [], why: 'it did not come' }),
  });
  const [whole, cut] = [counting(3), counting(3)];
  const [first, second] = [watch(whole, [sevenComes]), watch(cut, [sevenComes])];

  whole.toEnd();
  first.end();
  cut.until(0);
  second.end();

  expect(whole.outcome.violations.map(({ property }) => property)).toContain('a seven comes');
  expect(cut.outcome.violations).toEqual([]);
});

test('one property serves several runs without mixing them up', () => {
  const rising: Property = property({
    sentence: 'numbers come once',
    watches: ['number'],
    begin: () => ({ seen: new Set<number>() }),
    see: ({ seen }, observation) => {
      const n = numberIn(observation);
      const again = seen.has(n);
      seen.add(n);
      return again ? { actors: [], why: `${n} came again` } : undefined;
    },
  });

  const outcomes = [1, 1].map((from) => {
    const run = counting(from);
    const watching = watch(run, [rising]);
    run.toEnd();
    watching.end();
    return run.outcome.violations;
  });

  expect(outcomes).toEqual([[], []]);
});

test('a property that throws is a finding, and the run is carried out all the same', () => {
  const broken: Property = property({
    sentence: 'all is well',
    watches: ['number'],
    begin: () => ({}),
    see: () => {
      throw new Error('out of order');
    },
  });
  const run = counting(3);
  const watching = watch(run, [broken]);

  const outcome = run.toEnd();

  expect(outcome.ticks).toBe(4);
  watching.end();
  expect(run.outcome.violations).toContainEqual({
    property: 'all is well',
    tick: 0,
    actors: [],
    why: 'the property itself fails: Error: out of order',
  });
});
