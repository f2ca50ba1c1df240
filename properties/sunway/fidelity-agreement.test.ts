import { expect, test } from 'vitest';
import { agreement, unloadedTransfers } from '../../scenarios/sunway/fidelity-agreement.ts';

/** In one cluster beside the memory; from one corner of the array to the other; each size at one of them, the largest once. */
test.each([
  [0, 1, [8, 256, 4096, 65_536]],
  [63, 0, [8, 128, 1024, 16_384]],
] as const)(
  'what CPE %i moves while all others are still takes as long in flits as by the formulas, within 20 %%',
  (issuer, partner, sizes) => {
    const rows = agreement(issuer, partner, unloadedTransfers(sizes));

    expect(rows).toHaveLength(40);
    expect(rows.filter(({ holds }) => !holds)).toEqual([]);
    expect(rows.filter(({ flit, tlm }) => !(flit > 50 && tlm > 50))).toEqual([]);
  },
  90_000,
);
