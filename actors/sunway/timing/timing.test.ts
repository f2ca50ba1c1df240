import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { putShape } from '../transfer/strided.ts';
import {
  controllerGet,
  controllerPut,
  engineGet,
  getReply,
  putReply,
  unloadedGet,
  unloadedPut,
} from './dma-time.ts';
import { arrival, engineSlot, farthest, getRequestArrival, localReply, senderTax } from './rma-time.ts';
import {
  arrayBarrierCycles,
  cpeCyclesOfMpe,
  lineBarrierCycles,
  nodeBarrierCycles,
  pairBarrierCycles,
  remoteAccessCycles,
} from './sync-time.ts';
import { thousandths, wholeCycles } from './thousandths.ts';
import { estimatedParameters, timingRows, timingTable } from './timing-table.ts';

const timing = timingTable();
const put = (offset: number, bytes: number) => putShape({ memory: offset, bytes, blockSize: 0, stride: 0 });
const within = (value: number, measured: number, tolerance: number) =>
  expect(Math.abs(value / measured - 1), `${value} for ${measured}`).toBeLessThanOrEqual(tolerance);

describe('the table of times', () => {
  test('keeps its defaults where nothing is changed', () => {
    const changed = timingTable({ dma: { getLatency: 500 }, sync: { base: undefined } });

    expect(changed.dma.getLatency).toBe(500);
    expect(changed.dma.getRamp).toBe(14.2);
    expect(changed.sync.base).toBe(14);
  });

  test('names what is an estimate', () => {
    expect(estimatedParameters).toContain('sync.base');
    expect(estimatedParameters).not.toContain('dma.getLatency');
    expect(Object.keys(timing)).toEqual(Object.keys(timingRows));
  });

  test('has no number with more than three digits after the point', () => {
    const values = Object.values(timing).flatMap((group) => Object.values<number>(group));

    expect(values.filter((value) => thousandths(value) !== Math.round(value * 1e9) / 1e6)).toEqual([]);
  });
});

describe('a DMA transfer on an idle machine', () => {
  test('takes what the formulas give, to the thousandth', () => {
    expect(unloadedGet(timing, 1)).toBe(441_000);
    expect(unloadedGet(timing, 8)).toBe(540_400);
    expect(unloadedGet(timing, 512)).toBe(4_154_080);
    expect(unloadedPut(timing, put(0, 128))).toBe(240_830);
    expect(unloadedPut(timing, put(4, 128))).toBe(234_000 + 2 * 6830 + 135_000);
    expect(unloadedPut(timing, put(0, 128), true)).toBe(246_830);
  });

  test('takes what was measured, within 5 %', () => {
    const gets = [
      [8, 441],
      [128, 441],
      [1024, 543],
      [4096, 711],
      [65_536, 4178],
    ] as const;
    const puts = [
      [8, 234],
      [128, 240],
      [1024, 287],
      [4096, 456],
      [65_536, 3729],
    ] as const;

    for (const [bytes, cycles] of gets)
      within(unloadedGet(timing, Math.ceil(bytes / 128)) / 1000, cycles, 0.05);
    for (const [bytes, cycles] of puts) within(unloadedPut(timing, put(0, bytes)) / 1000, cycles, 0.05);
  });

  test('never becomes shorter with its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), (blocks) => {
        expect(unloadedGet(timing, blocks + 1)).toBeGreaterThan(unloadedGet(timing, blocks));
        expect(unloadedPut(timing, put(0, 128 * blocks + 128))).toBeGreaterThan(
          unloadedPut(timing, put(0, 128 * blocks)),
        );
      }),
    );
  });
});

describe('a controller under the load of 64 CPEs', () => {
  test('gives the measured times per operation', () => {
    const get = (blocks: number) => (64 * controllerGet(timing, blocks)) / 1000;

    within(get(1), 1147, 0.12);
    within(get(2), 1666, 0.12);
    within(get(8), 4017, 0.12);
    within(get(32), 12_313, 0.12);
    within(get(512), 197_570, 0.12);
  });

  test('gives the measured times of puts, full and partial', () => {
    const of = (offset: number, bytes: number) => (64 * controllerPut(timing, put(offset, bytes), 64)) / 1000;

    expect(of(0, 128)).toBe(512);
    within(of(4, 128), 5180, 0.2);
    within(of(0, 64), 1917, 0.15);
    within(of(4, 64), 3579, 0.15);
    within(128 / (of(0, 131_072) / 64 / 1024), 15.4, 0.2);
  });

  test('adds the mix of full and partial blocks once', () => {
    expect(controllerPut(timing, put(64, 512), 64)).toBe(3 * 8000 + 2 * 27_500 + 7000);
    expect(controllerPut(timing, put(0, 128), 1)).toBe(6000);
    expect(controllerPut(timing, put(0, 1024), 1)).toBe(48_004);
  });

  test('holds back replies until it has served them', () => {
    expect(getReply(timing, 5000, 1, 9000)).toBe(446_000);
    expect(getReply(timing, 5000, 1, 900_000)).toBe(1_000_000);
    expect(putReply(timing, 0, put(0, 128), 100_000)).toBe(240_830);
    expect(putReply(timing, 0, put(0, 128), 700_000)).toBe(720_000);
  });

  test('is fed by engines at their own rate', () => {
    expect(engineGet(timing, 1)).toBe(7171);
  });
});

describe('an RMA transfer', () => {
  /** Puts issued back to back, then one wait for all of them. */
  const stream = (bytes: number, count: number): number => {
    let free = 0;
    let reply = 0;
    for (let issue = 1; issue <= count; issue++) {
      const slot = engineSlot(timing, free, issue * thousandths(timing.rma.issueCost), bytes);
      free = slot.end;
      reply = localReply(timing, slot.end);
    }
    return reply;
  };

  test('of 8 bytes in a stream takes the times of the table', () => {
    const perPut = [1, 2, 4, 8, 16].map((count) => Math.round((stream(8, count) / count / 1000) * 10) / 10);

    expect(perPut).toEqual([114.3, 86.2, 72.1, 65, 61.5]);
    within(1024 / (stream(1024, 1) / 1000), 6.65, 0.01);
    within((16 * 1024) / (stream(1024, 16) / 1000), 16, 0.01);
    within(4096 / (stream(4096, 1) / 1000), 14.95, 0.01);
    within((16 * 4096) / (stream(4096, 16) / 1000), 24.51, 0.01);
    within(65_536 / (stream(65_536, 1) / 1000), 24.51, 0.01);
  });

  test('in a stream takes what the closed form says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 20 }), (words, count) => {
        const bytes = 4 * words;
        const move = engineSlot(timing, 0, 0, bytes).end;

        expect(stream(bytes, count)).toBe(Math.max(58_000 * count + move, 58_000 + count * move) + 56_000);
      }),
    );
  });

  test('arrives after the way between the clusters, which for a far one is after the local reply', () => {
    const { end } = engineSlot(timing, 0, 58_000, 8);

    expect(wholeCycles(arrival(timing, end, { x: 0, y: 0 }))).toBe(99);
    expect(arrival(timing, end, { x: 0, y: 0 }) - localReply(timing, end)).toBe(-16_000);
    expect(arrival(timing, end, { x: 3, y: 3 }) - localReply(timing, end)).toBe(8000);
    within(arrival(timing, end, { x: 3, y: 3 }) / 1000, 123, 0.01);
  });

  test('asks the way there and comes the way back when it is a get', () => {
    const distance = { x: 2, y: 1 };
    const ready = getRequestArrival(timing, 58_000, distance);
    const { end } = engineSlot(timing, 0, ready, 256);

    expect(ready).toBe(58_000 + 12_000 + 40_000);
    expect(arrival(timing, end, distance)).toBe(58_000 + 12_000 + 40_000 + 10_000 + 40_000 + 12_000);
  });

  test('to many takes the longest way', () => {
    const ways = [
      { x: 1, y: 1 },
      { x: 3, y: 0 },
      { x: 0, y: 1 },
    ];

    expect(farthest(timing, ways)).toEqual({ x: 3, y: 0 });
  });

  test('is slowed by other senders only where the parameter says so', () => {
    expect(senderTax(timing, 4)).toBe(0);
    expect(senderTax(timingTable({ rma: { sharedOpTax: 25 } }), 4)).toBe(75_000);
  });
});

describe('a barrier', () => {
  test('is released after its base and its hops', () => {
    expect(pairBarrierCycles(timing, 0, 1)).toBe(14);
    expect(pairBarrierCycles(timing, 0, 63)).toBe(14 + 24);
    expect(lineBarrierCycles(timing, 0xff)).toBe(26);
    expect(lineBarrierCycles(timing, 0x0f)).toBe(18);
    expect(lineBarrierCycles(timing, 0b1000)).toBe(14);
    expect(lineBarrierCycles(timing, 0b110)).toBe(18);
    expect(arrayBarrierCycles(timing)).toBe(52);
    expect(nodeBarrierCycles(timing)).toBe(2 * 52 + 2 * 430 + 200);
  });
});

describe('other times', () => {
  test('a remote access grows with its hops', () => {
    expect(remoteAccessCycles(timing, 0, 9)).toBe(60);
    expect(remoteAccessCycles(timing, 0, 63)).toBe(84);
  });

  test('cycles of the MPE are longer by 15/14, rounded up', () => {
    expect([1, 14, 15, 28].map((cycles) => cpeCyclesOfMpe(timing, cycles))).toEqual([2, 15, 17, 30]);
  });
});
