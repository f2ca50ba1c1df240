import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { type Trace, traceCompiled } from '../../kernel/equivalence.ts';
import { mutex } from './mutex.ts';

const party = fc.integer({ min: 1, max: 4 });
const events = fc.record({ type: fc.constantFrom('mutex.acquire', 'mutex.release'), by: party });

const acquire = (by: number) => ({ type: 'mutex.acquire', by });
const release = (by: number) => ({ type: 'mutex.release', by });

const outputs = (trace: Trace, kind: string) =>
  trace.steps.flatMap(({ out }) =>
    (out as [string, Record<string, unknown>][]).filter(([one]) => one === kind).map(([, what]) => what),
  );
const granted = (trace: Trace) => outputs(trace, 'post').map(({ to }) => to);

for (const { sentence, failures } of [
  ...contractOf('mutex', { machine: mutex, input: () => ({}), events }),
  ...contractOf('mutex of any order', { machine: mutex, input: () => ({ order: 'any' }), events }),
]) {
  test(sentence, () => expect(failures()).toEqual([]));
}

describe('a mutex', () => {
  test('is granted in the order of asking', () => {
    const trace = traceCompiled(mutex, {}, [
      acquire(3),
      acquire(1),
      acquire(2),
      release(3),
      release(1),
      release(2),
    ]);

    expect(granted(trace)).toEqual([3, 1, 2]);
    expect(trace.steps.map(({ value }) => value)).toEqual([
      'free',
      'held',
      'contended',
      'contended',
      'contended',
      'held',
      'free',
    ]);
  });

  test.each([
    [0, 1],
    [1, 2],
    [2, 4],
  ])('that promises no order goes to waiter %i when the pick says so', (pick, next) => {
    const trace = traceCompiled(
      mutex,
      { order: 'any' },
      [acquire(3), acquire(1), acquire(2), acquire(4), release(3)],
      [pick],
    );

    expect(granted(trace)).toEqual([3, next]);
    expect(trace.steps.at(-1)!.picks).toEqual([['next holder', 3, pick]]);
  });

  test('has one holder at most, and grants exactly once to whoever asks', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 1 }),
        fc.constantFrom('fifo', 'any'),
        fc.array(fc.nat(4)),
        (askers, order, tape) => {
          const trace = traceCompiled(mutex, { order }, [...askers.map(acquire)], tape);
          // Whoever holds it gives it back, until nobody does.
          const events = [...askers.map(acquire)];
          let latest = trace;
          for (
            let holder = (latest.steps.at(-1)!.context as { holder: number | null }).holder;
            holder !== null;
          ) {
            events.push(release(holder) as never);
            latest = traceCompiled(mutex, { order }, events, tape);
            holder = (latest.steps.at(-1)!.context as { holder: number | null }).holder;
          }

          expect(granted(latest).toSorted()).toEqual(askers.toSorted());
          expect(outputs(latest, 'report')).toEqual([]);
          if (order === 'fifo') expect(granted(latest)).toEqual(askers);
        },
      ),
      { numRuns: 40, seed: 7 },
    );
  });

  test('reports a release by somebody else, and goes on', () => {
    const trace = traceCompiled(mutex, {}, [
      release(1),
      acquire(1),
      release(2),
      acquire(2),
      release(2),
      release(1),
    ]);

    expect(outputs(trace, 'report').map(({ why }) => why)).toEqual([
      'mutex.release by address 1 while nobody holds it',
      'mutex.release by address 2 while address 1 holds it',
      'mutex.release by address 2 while address 1 holds it and it is in the queue',
    ]);
    expect(granted(trace)).toEqual([1, 2]);
  });

  test('reports a second acquire by its holder and by one who waits already', () => {
    const trace = traceCompiled(mutex, {}, [
      acquire(1),
      acquire(1),
      acquire(2),
      acquire(1),
      acquire(2),
      release(1),
      release(2),
    ]);

    expect(outputs(trace, 'report').map(({ why }) => why)).toEqual([
      'mutex.acquire by address 1 while address 1 holds it',
      'mutex.acquire by address 1 while address 1 holds it',
      'mutex.acquire by address 2 while address 1 holds it and it is in the queue',
    ]);
    expect(granted(trace)).toEqual([1, 2]);
    expect(trace.steps.at(-1)!.value).toBe('free');
  });
});
