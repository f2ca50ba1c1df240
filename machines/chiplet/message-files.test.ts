import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noStatistics } from '../../actors/chiplet/gpu/statistics.ts';
import { decodeMessage, encodeMessage } from '../../actors/chiplet/ptx/message-code.ts';
import { consoleLines } from './gpu-console.ts';
import { powerOf, powerReport } from './gpu-power.ts';
import {
  bufferName,
  bufferPair,
  bufferText,
  mergedTrace,
  messageFlits,
  parseBuffer,
  parseTrace,
  traceLines,
  traceText,
} from './message-files.ts';

describe('buffer files', () => {
  test('are named by sender and receiver, and read under both old names', () => {
    const pair = { source: [0, 3], target: [2, 2] } as const;

    expect(bufferName(pair)).toBe('buffer_0_3_2_2');
    expect(bufferPair('buffer_0_3_2_2')).toEqual(pair);
    expect(bufferPair('buffer0_3_2_2')).toEqual(pair);
    expect(bufferPair(bufferName(pair, 'receiver-first'), 'receiver-first')).toEqual(pair);
    expect(bufferPair('buffer_0_3_2')).toBeUndefined();
  });

  test('hold one value a line, zero and negative ones too', () => {
    expect(bufferText([5, 0, -7])).toBe('5\n0\n-7\n');
    expect(parseBuffer('5\n0\n-7\n', 'b')).toEqual([5, 0, -7]);
    expect(() => parseBuffer('5\n\n7\n', 'b')).toThrow(
      'b:2 E-FILE found "", expected one whole number of 32 bits',
    );
  });
});

describe('trace files', () => {
  test('are what was written', () => {
    const lines = traceLines([{ cycle: 12, src: [0, 1], dst: [1, 1] }], messageFlits(4));

    expect(traceText(lines)).toBe('12 0 1 1 1 4\n');
    expect(parseTrace(traceText(lines), 'bench.0.1')).toEqual(lines);
    expect(parseTrace('1.4511e-01 0 1 1 1 5\n', 'bench')[0]?.time).toBe(0.14511);
    expect([messageFlits('legosim'), messageFlits('legosim', 65)]).toEqual([2, 3]);
  });

  test('merge by time, then by source, each in its own order', () => {
    const line = (time: number, x: number, flits: number) =>
      ({ time, src: [x, 0], dst: [0, 0], flits }) as const;

    expect(
      mergedTrace([
        [line(3, 1, 1), line(3, 1, 2)],
        [line(1, 2, 3), line(3, 0, 4)],
      ]).map(({ flits }) => flits),
    ).toEqual([3, 4, 1, 2]);
  });

  test.each([
    ['5 0 0 1 1', 1],
    ['5 0 0 1 1 0', 1],
    ['5 0 0 1 1 4\n4 0 0 1 1 4', 2],
    ['-1 0 0 1 1 4', 1],
    ['x 0 0 1 1 4', 1],
  ])('with %j are refused', (text, line) => {
    expect(() => parseTrace(text, 'bench')).toThrow(`bench:${line} E-TRACE`);
  });
});

test('the message parameter says what was put into it (M4)', () => {
  const coordinate = fc.nat(99);
  const address = fc.tuple(coordinate, coordinate);
  fc.assert(
    fc.property(address, address, fc.nat(9), (own, peer, operation) => {
      expect(decodeMessage(encodeMessage({ own, peer, operation }))).toEqual({ own, peer, operation });
      // As a register holds it.
      expect(decodeMessage(encodeMessage({ own, peer, operation }) | 0)).toEqual({ own, peer, operation });
    }),
  );
  expect(decodeMessage(101010)).toEqual({ own: [0, 1], peer: [1, 1], operation: 0 });
});

test('the console lines multiply to the cycles', () => {
  expect(consoleLines({ seconds: 22, instructions: 44_000_000, cycles: 111_826 })).toBe(
    'gpgpu_simulation_time = 0 days, 0 hrs, 0 min, 22 sec (22 sec)\ngpgpu_simulation_rate = 2000000 (inst/sec)\ngpgpu_simulation_rate = 5083 (cycle/sec)\n',
  );
  expect(consoleLines({ seconds: 90_061.5, instructions: 0, cycles: 0 })).toContain(
    '1 days, 1 hrs, 1 min, 1 sec (90061 sec)',
  );
});

test('power is energy by time above what a chiplet always takes', () => {
  const statistics = noStatistics();
  statistics.counts.lanesOfClass[0] = 7_000_000;
  statistics.l1Misses = 350;
  const report = { kernel: 'k', start: 0, cycles: 7000, coresUsed: 1, statistics };
  const power = powerOf([report], { clockMegahertz: 700 });

  // 7e6 additions of 10 pJ and 350 segments of 2000 pJ in 10 microseconds.
  expect(power.dynamicWatts).toBeCloseTo((70e-6 + 0.7e-6) / 10e-6, 9);
  expect(power.watts).toBeCloseTo(27.07, 9);
  expect(powerReport('Chip[0][1]', power)).toContain('total_power_watts = 27.07\n');
});
