import { filter, map } from 'rxjs';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import { judged, type Property, property, watch } from './property.ts';

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

function counting(from: number): Run {
  const wiring = new Wiring();
  const self = wiring.reserve('Countdown');
  wiring.place(self, countdown, { self });
  wiring.boot.push({ to: self, type: 'beat', n: from } as never);
  return new Run(wiring);
}

const noOne: Property = property('no number is 1', (run) =>
  run.probes$.pipe(
    filter(({ probe }) => (probe as unknown as Beat).n === 1),
    map(({ actor }) => ({ actors: [actor], why: 'it was 1' })),
  ),
);

test('a finding becomes a violation of the run in its tick', () => {
  const run = counting(3);
  const watching = watch(run, [noOne], undefined);

  run.toEnd();
  watching.end();

  expect(run.outcome.violations).toEqual([
    { property: 'no number is 2', tick: 1, actors: ['Countdown'], why: 'the part says so' },
    { property: 'no number is 1', tick: 2, actors: ['Countdown'], why: 'it was 1' },
  ]);
  expect(run.outcome.verdict).toBe('violated');
});

test('a property can judge at the end what never came, and learns whether the run was cut short', () => {
  const sevenComes: Property = property('a seven comes', (run) =>
    judged(run.probes$, (found) => {
      let seen = false;
      return {
        see: ({ probe }) => {
          seen ||= (probe as unknown as Beat).n === 7;
        },
        end: () => {
          if (!seen && run.ended) found([], 'it did not come');
        },
      };
    }),
  );
  const [whole, cut] = [counting(3), counting(3)];
  const [first, second] = [watch(whole, [sevenComes], undefined), watch(cut, [sevenComes], undefined)];

  whole.toEnd();
  first.end();
  cut.until(0);
  second.end();

  expect(whole.outcome.violations.map(({ property }) => property)).toContain('a seven comes');
  expect(cut.outcome.violations).toEqual([]);
});

test('properties hear what parts report, and not what properties report', () => {
  const heard: string[] = [];
  const listener: Property = property('nobody reports', (run) =>
    judged(run.reports$, () => ({ see: ({ property }) => heard.push(property) })),
  );
  const run = counting(3);
  const watching = watch(run, [noOne, listener], undefined);

  run.toEnd();
  watching.end();

  expect(heard).toEqual(['no number is 2']);
});

test('one property serves several runs without mixing them up', () => {
  const rising: Property = property('numbers come once', (run) =>
    judged(run.probes$, (found) => {
      const seen = new Set<number>();
      return {
        see: ({ probe }) => {
          const { n } = probe as unknown as Beat;
          if (seen.has(n)) found([], `${n} came again`);
          seen.add(n);
        },
      };
    }),
  );

  const outcomes = [1, 1].map((from) => {
    const run = counting(from);
    const watching = watch(run, [rising], undefined);
    run.toEnd();
    watching.end();
    return run.outcome.violations;
  });

  expect(outcomes).toEqual([[], []]);
});

test('a property that throws is a finding, and the run is carried out all the same', () => {
  const broken: Property = property('all is well', (run) =>
    judged(run.probes$, () => ({
      see: () => {
        throw new Error('out of order');
      },
    })),
  );
  const run = counting(3);
  const watching = watch(run, [broken], undefined);

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
