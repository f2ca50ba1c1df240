import { describe, expect, it } from 'vitest';
import { measure, reportMeasurement } from './measure.ts';

/** A variant that takes the given seconds, one after another, for 100 units of work each. */
function variant(name: string, seconds: readonly number[], journal: string[] = []) {
  let turn = 0;
  return {
    name,
    run: () => {
      journal.push(name);
      return { work: 100, seconds: seconds[turn++ % seconds.length]! };
    },
  };
}

describe('measure', () => {
  it('gives the median and the ends of the rates, without the warm-up rounds', () => {
    const measurement = measure([variant('a', [1000, 1, 2, 4])], { unit: 'cycles', rounds: 3 });

    expect(measurement.rows).toEqual([{ name: 'a', rate: { median: 50, min: 25, max: 100 } }]);
  });

  it('takes the ratio inside each round, so that a slow spell of the machine cancels out', () => {
    const own = variant('own', [2, 20, 2]);
    const peer = variant('peer', [1, 10, 1]);

    const { rows } = measure([own, peer], { unit: 'cycles', rounds: 3, warmUps: 0, baseline: 'peer' });

    expect(rows[0]?.ratio).toEqual({ median: 0.5, min: 0.5, max: 0.5 });
    expect(rows[1]?.ratio?.median).toBe(1);
  });

  it('runs the variants in turn and lets another one go first in each round', () => {
    const journal: string[] = [];

    measure([variant('a', [1], journal), variant('b', [1], journal)], {
      unit: 'cycles',
      rounds: 3,
      warmUps: 1,
    });

    expect(journal.join('')).toBe('abbaabba');
  });

  it('takes the time of the whole call from the clock when a variant does not keep its own', () => {
    let now = 0;
    const run = () => {
      now += 4;
      return { work: 100 };
    };

    const { rows } = measure([{ name: 'a', run }], { unit: 'cycles', rounds: 1, clock: () => now });

    expect(rows[0]?.rate.median).toBe(25);
  });

  it('refuses unknown baselines, doubled names and runs without work', () => {
    expect(() => measure([variant('a', [1])], { unit: 'cycles', baseline: 'b' })).toThrow(
      'unknown baseline b; variants: a',
    );
    expect(() => measure([variant('a', [1]), variant('a', [1])], { unit: 'cycles' })).toThrow(
      'two variants have one name',
    );
    expect(() => measure([variant('a', [0])], { unit: 'cycles' })).toThrow('a did 100 units in 0 s');
  });
});

describe('reportMeasurement', () => {
  const measurement = measure([variant('slow', [0.00025]), variant('quickest', [0.00005])], {
    unit: 'cycles',
    rounds: 1,
    baseline: 'quickest',
  });

  it('aligns the columns of its table', () => {
    expect(reportMeasurement(measurement, false)).toBe(
      [
        'median of 1  cycles/s        min..max  / quickest      min..max',
        'slow            400 k    400 k..400 k       0.200  0.200..0.200',
        'quickest       2.00 M  2.00 M..2.00 M        1.00    1.00..1.00',
      ].join('\n'),
    );
  });

  it('gives the same figures as one line of JSON', () => {
    expect(JSON.parse(reportMeasurement(measurement, true))).toEqual(measurement);
  });
});
