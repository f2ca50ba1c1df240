import { describe, expect, test } from 'vitest';
import { type EibSpec, publishedEib } from './eib-spec.ts';
import type { Packet } from './protocol.ts';
import { RingScheduler } from './ring-scheduler.ts';

const packet = (source: number, target: number, part = 0, size = 128): Packet => ({
  initiator: source,
  issuer: source,
  command: 0,
  part,
  source,
  target,
  sourceAddress: 0,
  targetAddress: 0,
  size,
});

/** One line a cycle with starts: `cycle: source>target direction.ring hold`, until nothing waits. */
function startsOf(packets: readonly Packet[], changes: Partial<EibSpec> = {}): string[] {
  const scheduler = new RingScheduler({ ...publishedEib, ...changes });
  for (const one of packets) scheduler.admit(one, 0);
  const lines: string[] = [];
  for (let t: number | undefined = 1; t !== undefined; t = scheduler.nextChange(t)) {
    const starts = scheduler
      .decide(t)
      .map(({ packet: { source, target }, dir, ring, hold }) => `${source}>${target} ${dir}.${ring} ${hold}`);
    if (starts.length > 0) lines.push(`${t}: ${starts.join(', ')}`);
  }
  return lines;
}

describe('the data arbiter', () => {
  test('sends packets of one element one after the other, 8 cycles each', () => {
    expect(startsOf([packet(1, 2), packet(1, 2), packet(1, 5)])).toEqual([
      '1: 1>2 0.0 8',
      '9: 1>2 0.0 8',
      '17: 1>5 0.0 8',
    ]);
  });

  test('lets a receiver take one packet at a time', () => {
    expect(startsOf([packet(1, 3), packet(5, 3)])).toEqual(['1: 1>3 0.0 8', '9: 5>3 1.0 8']);
  });

  test('lets packets that meet at an element share a ring, three cycles apart at least', () => {
    expect(startsOf([packet(1, 2), packet(2, 3)], { ringsPerDirection: 1 })).toEqual([
      '1: 1>2 0.0 8',
      '4: 2>3 0.0 8',
    ]);
  });

  test('makes packets that share a link wait or take another ring', () => {
    expect(startsOf([packet(1, 4), packet(3, 5)])).toEqual(['1: 1>4 0.0 8, 3>5 0.1 8']);
    expect(startsOf([packet(1, 4), packet(3, 5)], { ringsPerDirection: 1 })).toEqual([
      '1: 1>4 0.0 8',
      '9: 3>5 0.0 8',
    ]);
  });

  test('goes the short way round, and either way when both have six hops', () => {
    expect(startsOf([packet(1, 8), packet(0, 6)], { ringsPerDirection: 1 })).toEqual([
      '1: 0>6 0.0 8, 1>8 1.0 8',
    ]);
    expect(startsOf([packet(1, 7), packet(0, 6)], { ringsPerDirection: 1 })).toEqual([
      '1: 0>6 0.0 8, 1>7 1.0 8',
    ]);
  });

  test('puts at most three packets on a ring', () => {
    const four = [packet(1, 2), packet(3, 4), packet(5, 6), packet(7, 8)];

    expect(startsOf(four, { ringsPerDirection: 1, ringStartGapBusCycles: 1 })).toEqual([
      '1: 1>2 0.0 8',
      '2: 3>4 0.0 8',
      '3: 5>6 0.0 8',
      '9: 7>8 0.0 8',
    ]);
  });

  test('serves the memory first, then who was served longest ago', () => {
    const one = { ringsPerDirection: 1 };

    expect(startsOf([packet(8, 5), packet(1, 5), packet(11, 5), packet(11, 5)], one)).toEqual([
      '1: 11>5 0.0 8',
      '9: 11>5 0.0 8',
      '17: 1>5 0.0 8',
      '25: 8>5 1.0 8',
    ]);
    expect(startsOf([packet(1, 5), packet(1, 5), packet(2, 5), packet(2, 5)], one)).toEqual([
      '1: 1>5 0.0 8',
      '9: 2>5 0.0 8',
      '17: 1>5 0.0 8',
      '25: 2>5 0.0 8',
    ]);
  });

  test('lets the memory send or receive, not both', () => {
    expect(startsOf([packet(11, 0), packet(1, 11)])).toEqual(['1: 11>0 0.0 8', '9: 1>11 1.0 8']);
    expect(startsOf([packet(11, 0), packet(1, 11)], { sharedPort: [] })).toEqual([
      '1: 11>0 0.0 8, 1>11 1.0 8',
    ]);
  });

  test('holds a short packet for its beats only', () => {
    expect(startsOf([packet(1, 2, 0, 1), packet(1, 2, 0, 48)])).toEqual(['1: 1>2 0.0 1', '2: 1>2 0.1 3']);
  });

  test('calibrated, keeps 8 hops a ring in sum and a lone six-hop packet for 10 cycles', () => {
    const calibrated = { calibrated: true, ringsPerDirection: 1 };

    expect(startsOf([packet(1, 6), packet(7, 10)], calibrated)).toEqual(['1: 1>6 0.0 8', '4: 7>10 0.0 8']);
    expect(startsOf([packet(1, 6), packet(7, 11)], calibrated)).toEqual(['1: 1>6 0.0 8', '9: 7>11 0.0 8']);
    expect(startsOf([packet(0, 6), packet(1, 7), packet(2, 8)], calibrated)).toEqual([
      '1: 0>6 0.0 10, 1>7 1.0 10',
      '11: 2>8 0.0 10',
    ]);
  });

  test('a copy goes on as the original does, and neither shows on the other', () => {
    const scheduler = new RingScheduler(publishedEib);
    for (const part of [0, 1, 2]) scheduler.admit(packet(1, 4, part), 0);
    scheduler.decide(1);
    const copy = scheduler.fork();

    const original = [scheduler.decide(9), scheduler.decide(17)];

    expect(scheduler.eligibleCount).toBe(0);
    expect(copy.eligibleCount).toBe(2);
    expect([copy.decide(9), copy.decide(17)]).toEqual(original);
  });
});
