import { describe, expect, test } from 'vitest';
import { inPlaceRounds, partnersInOrder } from './exchange.ts';

const everyTid = Array.from({ length: 64 }, (_, tid) => tid);

/** Carries out the rounds on all CPEs: everybody fetches, then everybody overwrites. */
function inPlace(units: number[][], scratchUnits: number, available: (tid: number) => boolean): void {
  const present = everyTid.filter(available);
  const rounds = present.map((tid) => inPlaceRounds(tid, scratchUnits, available));
  for (let round = 0; round < rounds[0]!.length; round++) {
    const scratch = present.map((tid, index) => {
      const slots: number[] = [];
      for (const { partner, slot } of rounds[index]![round]!) slots[slot] = units[partner]![tid]!;
      return slots;
    });
    present.forEach((tid, index) => {
      for (const { partner, slot } of rounds[index]![round]!) {
        if (slot >= scratchUnits) throw new Error(`slot ${slot} of ${scratchUnits}`);
        units[tid]![partner] = scratch[index]![slot]!;
      }
    });
  }
}

describe('an exchange of all with all', () => {
  test('meets every other CPE once, and nobody is the partner of two in one step', () => {
    const orders = everyTid.map((tid) => partnersInOrder(tid, () => true));

    for (const [tid, partners] of orders.entries())
      expect([...partners].sort((a, b) => a - b)).toEqual(everyTid.filter((one) => one !== tid));
    for (let step = 0; step < 63; step++)
      expect(new Set(orders.map((partners) => partners[step])).size).toBe(64);
  });

  test('in place is the transposition for scratch of every size, and twice is the identity', () => {
    for (let scratchUnits = 1; scratchUnits <= 64; scratchUnits += scratchUnits < 9 ? 1 : 11) {
      const units = everyTid.map((tid) => everyTid.map((unit) => 1000 * tid + unit));

      inPlace(units, scratchUnits, () => true);
      expect(units[5]!.slice(0, 4).concat(units[5]![63]!)).toEqual([5, 1005, 2005, 3005, 63_005]);
      expect(units).toEqual(everyTid.map((tid) => everyTid.map((unit) => 1000 * unit + tid)));
      inPlace(units, scratchUnits, () => true);
      expect(units).toEqual(everyTid.map((tid) => everyTid.map((unit) => 1000 * tid + unit)));
    }
  });

  test('in place takes fewer rounds with more scratch', () => {
    const rounds = [1, 2, 8, 63, 64, 100].map((units) => inPlaceRounds(3, units, () => true).length);

    expect(rounds).toEqual([63, 32, 8, 1, 1, 1]);
  });

  test('in place leaves the units of offline CPEs as they are', () => {
    const available = (tid: number) => tid < 40;
    const units = everyTid.map((tid) => everyTid.map((unit) => 1000 * tid + unit));

    inPlace(units, 5, available);

    expect(units[7]![30]).toBe(30_007);
    expect(units[7]![50]).toBe(7050);
  });
});
