import { describe, expect, test } from 'vitest';
import { HazardFinder, type HazardReport } from './hazards.ts';
import { referenceLog, type TimedInstruction } from './reference-log.ts';

function hazards(...programs: readonly (readonly TimedInstruction[])[]): HazardReport {
  const { header, events } = referenceLog({ name: 'hazards', N: 4, K: 2, memSize: 64, programs });
  const finder = new HazardFinder(header);
  for (const event of events) finder.event(event);
  return finder.finish();
}

const partiesOf = (report: HazardReport) => report.hazards.map((hazard) => hazard.parties.join(' / '));

describe('hazard report', () => {
  test('an access to a byte that an own unfinished get writes is a hazard', () => {
    const report = hazards([
      [0, 'g', 10, 1, 20, 4],
      [2, 'r', 12],
    ]);

    expect(report.hazards).toMatchObject([{ cycle: 2, mem: 0, address: 12, requests: [{ spu: 0, id: 0 }] }]);
    expect(partiesOf(report)).toEqual(['Spu[0] request 0 / Spu[0]']);
  });

  test('reading what a put reads is none, writing it is one', () => {
    expect(
      hazards([
        [0, 'p', 10, 1, 20, 4],
        [2, 'r', 12],
      ]).count,
    ).toBe(0);
    expect(
      hazards([
        [0, 'p', 10, 1, 20, 4],
        [2, 'w', 12, 1],
      ]).count,
    ).toBe(1);
  });

  test('after the FINISHED answer the bytes are safe, even in the same cycle', () => {
    expect(
      hazards([
        [0, 'g', 10, 1, 20, 4],
        [5, 's', 0],
        [5, 'r', 12],
      ]).count,
    ).toBe(0);
    expect(
      hazards([
        [0, 'g', 10, 1, 20, 4],
        [5, 'r', 12],
        [5, 's', 0],
      ]).count,
    ).toBe(1);
    expect(
      hazards([
        [0, 'g', 10, 1, 20, 4],
        [4, 's', 0],
        [5, 'r', 12],
      ]).count,
    ).toBe(1);
  });

  test('an access before the request in program order is safe', () => {
    expect(
      hazards([
        [0, 'w', 12, 5],
        [0, 'p', 10, 1, 20, 4],
      ]).count,
    ).toBe(0);
  });

  test('the access of another SPU in the issue cycle is a hazard on either side of the request', () => {
    const before = hazards([[0, 'r', 21]], [[0, 'p', 10, 0, 20, 4]]);
    const after = hazards([[0, 'p', 10, 1, 20, 4]], [[0, 'r', 21]]);

    expect(partiesOf(before)).toEqual(['Spu[0] / Spu[1] request 0']);
    expect(partiesOf(after)).toEqual(['Spu[0] request 0 / Spu[1]']);
  });

  test('another SPU may use the bytes from the cycle of the FINISHED answer on', () => {
    const put: readonly TimedInstruction[] = [
      [0, 'p', 10, 1, 20, 4],
      [6, 's', 0],
    ];

    expect(hazards(put, [[5, 'r', 21]]).count).toBe(1);
    expect(hazards(put, [[6, 'r', 21]]).count).toBe(0);
  });

  test('two requests with a common target byte are a hazard unless the first was seen to finish', () => {
    const first = [0, 'p', 10, 2, 20, 4] as const;
    const second = [6, 'p', 10, 2, 23, 4] as const;

    expect(hazards([first, second]).hazards).toMatchObject([{ mem: 2, address: 23 }]);
    expect(hazards([first, [5, 's', 0], second]).count).toBe(0);
    expect(hazards([first], [[1, 'p', 10, 2, 0, 4]]).count).toBe(0);
  });

  test('two requests that read the same bytes are none', () => {
    expect(
      hazards([
        [0, 'p', 10, 2, 20, 4],
        [0, 'p', 10, 3, 20, 4],
      ]).count,
    ).toBe(0);
  });
});
