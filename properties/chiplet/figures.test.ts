import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { busy, givenOf, trial } from './trial.ts';

/** One packet alone in a mesh of 5 by 5. */
const alone = fc.record({
  T: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 0.001, max: 50, noNaN: true })),
  from: fc.tuple(fc.nat(4), fc.nat(4)),
  to: fc.tuple(fc.nat(4), fc.nat(4)),
  flits: fc.integer({ min: 1, max: 20 }),
});

describe('delay without other traffic (chiplet specification 5.5)', () => {
  test('is five cycles a hop and one a flit behind the head', () => {
    fc.assert(
      fc.property(alone, ({ T, from, to, flits }) => {
        const { result, raised } = trial(
          givenOf({ A: 5, B: 12, O: 12, F: 1 }, { packets: [[T, ...from, ...to, flits]] }),
        );
        const hops = Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]);
        const seen = T === 0 ? 1 : Math.ceil(T);

        expect(raised).toEqual([]);
        expect(result.avgDelay).toBeCloseTo(5 * hops + flits - 1 + seen - T, 8);
      }),
      { numRuns: effort({ short: 12, long: 60 }), seed: 27 },
    );
  });

  test.each([
    [{ O: 1 }, 3, 2],
    [{ B: 1 }, 1, 5],
    [{ B: 1 }, 3, 6],
    [{ B: 2 }, 3, 3],
    [{ B: 3 }, 3, 2],
  ])('with %j over %d hops a flit behind the head costs %d cycles', (network, hops, each) => {
    const flits = 7;

    const { result } = trial(
      givenOf({ A: 5, B: 12, O: 12, ...network }, { packets: [[1, 0, 0, 0, hops, flits]] }),
    );

    expect(result.avgDelay).toBe(5 * hops + (flits - 1) * each);
  });
});

describe('when packets are seen (chiplet specification 5.3)', () => {
  test.each([
    ['the first one at cycle 0 is late for its turns', [0], [6]],
    ['a first one at a whole cycle is in time', [7], [5]],
    ['of several at one cycle only the first is in time', [7, 7, 7], [5, 6, 6]],
    ['one in the cycle before makes the next one late', [6.5, 7], [5.5, 6]],
    ['one at the cycle before, in time itself, does not', [6, 7], [5, 5]],
  ])('%s', (_, times, delays) => {
    // Senders of different rows, so that packets do not meet.
    const packets = times.map((time, row) => [time, row, 0, row, 1, 1]);

    const { result } = trial(givenOf({ O: 4, B: 8 }, { packets }));

    expect(result.totalDelay).toBe(delays.reduce((sum, delay) => sum + delay, 0));
  });
});

describe('counters of a network that has come to rest (chiplet specification 14, N13, N14)', () => {
  const shapes = fc.record({
    A: fc.integer({ min: 2, max: 5 }),
    V: fc.integer({ min: 2, max: 5 }),
    B: fc.integer({ min: 1, max: 9 }),
    O: fc.integer({ min: 1, max: 3 }),
    F: fc.integer({ min: 1, max: 5 }),
    R: fc.integer({ min: 0, max: 1 }),
    seed: fc.integer({ min: 0, max: 99 }),
  });

  test('follow from packets and hops', () => {
    fc.assert(
      fc.property(shapes, fc.nat(999), (shape, seed) => {
        const { raised, result, run } = trial(givenOf(shape, { ...busy, packets: 60, seed }));
        const { counters } = result;

        expect(raised).toEqual([]);
        expect(run.outcome.verdict).toBe('ok');
        expect(result.finished).toBe(result.injectedPackets);
        expect(counters.linkWords).toBe(shape.F * result.flitHops);
        expect(counters.bufReadWords).toBe(counters.linkWords);
        expect(counters.bufWriteWords).toBe(shape.F * result.injectedFlits + counters.linkWords);
        // On and over all links words change as they do out of the switch.
        expect(counters.linkToggles).toBe(counters.xbarOutToggles);
        expect(counters.vcGrantChanges).toBeLessThanOrEqual(counters.vcGrants);
      }),
      { numRuns: effort({ short: 5, long: 25 }), seed: 27 },
    );
  });

  test('a longer link costs power on links only', () => {
    const { L: _, ...short } = { L: 1000 };
    const [one, two] = [1000, 2000].map((L) => trial(givenOf({ ...short, L }, busy)).result);

    expect(two!.linkPower).toBeGreaterThan(1.9 * one!.linkPower);
    expect({ ...two, linkPower: 0, totalPower: 0 }).toEqual({ ...one, linkPower: 0, totalPower: 0 });
  });
});
