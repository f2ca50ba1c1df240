import { describe, expect, test } from 'vitest';
import { arbitrate, checkPlacements, type InstanceRequest } from './arbitrate.ts';
import { createPolicy } from './policies/policies.ts';
import type { Policy } from './policies/policy.ts';

const oneRing = { N: 4, K: 1 };

function granting(...starts: ReturnType<Policy['decide']>[]): Policy {
  let call = 0;
  const flags = { workConserving: false, decidesOnlyOnChange: false, restsAfterEmptyRound: false };
  return { name: 'scripted', ...flags, initialState: () => ({}), decide: () => starts[call++] ?? [] };
}

describe('arbitrate', () => {
  test('a free ring is used in the cycle after the request, a freed one in the cycle after the last byte', () => {
    // cycle      1 2 3 4 5 6 7
    // 0 to 1     r a a a . . .     dir 0, issued in 1, 3 bytes
    // 1 to 0     r b b b . . .     dir 1
    // 0 to 1     . r . . c c .     waits for both
    const requests: InstanceRequest[] = [
      [1, 0, 1, 3],
      [1, 1, 0, 3],
      [2, 0, 1, 2],
    ];

    const result = arbitrate({ ...oneRing, requests }, createPolicy('etalon-ff', oneRing));

    expect(result.placements).toEqual([
      [2, 0, 0],
      [2, 1, 0],
      [5, 0, 0],
    ]);
    expect([result.totalWait, result.maxWait, result.meanWait]).toEqual([2, 2, 2 / 3]);
  });

  test('an instance without requests has no waits', () => {
    const result = arbitrate({ ...oneRing, requests: [] }, createPolicy('sjf-detour', oneRing));

    expect(result).toEqual({ placements: [], totalWait: 0, maxWait: 0, meanWait: 0 });
  });

  test('refuses requests out of order or out of range', () => {
    const run = (...requests: InstanceRequest[]) =>
      arbitrate({ ...oneRing, requests }, createPolicy('etalon-ff', oneRing));

    expect(() => run([5, 0, 1, 1], [4, 0, 1, 1])).toThrow('request 1 is issued in 4, after 5');
    expect(() => run([0, 0, 4, 1])).toThrow('request 0 goes 0 to 4, nodes are 0..3');
    expect(() => run([0, 0, 1, 0])).toThrow('request 0 has size 0');
  });

  test('refuses grants that are not pending, doubled or on a busy segment', () => {
    const requests: InstanceRequest[] = [
      [0, 0, 1, 3],
      [0, 1, 2, 3],
    ];
    const run = (...starts: Parameters<typeof granting>) =>
      arbitrate({ ...oneRing, requests }, granting(...starts));

    expect(() => run([{ index: 2, dir: 0, ring: 0 }])).toThrow('granted 2, which is not pending');
    expect(() =>
      run([
        { index: 0, dir: 0, ring: 0 },
        { index: 1, dir: 0, ring: 0 },
      ]),
    ).toThrow('a busy segment of ring 0, direction 0, in cycle 1');
    expect(() =>
      run([
        { index: 0, dir: 0, ring: 0 },
        { index: 0, dir: 1, ring: 0 },
      ]),
    ).toThrow('granted request 0 twice');
  });

  test('a policy that leaves requests waiting on free rings is reported, not waited for', () => {
    const lazy: Policy = { ...granting(), decidesOnlyOnChange: true };

    expect(() => arbitrate({ ...oneRing, requests: [[0, 0, 1, 1]] }, lazy)).toThrow(
      'leaves 1 requests waiting',
    );
  });
});

describe('checkPlacements', () => {
  const requests: InstanceRequest[] = [
    [0, 0, 1, 3],
    [0, 1, 2, 3],
  ];

  test('accepts transfers that follow each other without a gap', () => {
    const placements = [
      [1, 0, 0],
      [4, 0, 0],
    ] as const;

    expect(checkPlacements({ ...oneRing, requests }, placements)).toBeNull();
  });

  test.each([
    [
      'a shared end point one cycle too early',
      [1, 0, 0],
      [3, 0, 0],
      'requests 0 and 1 meet at node 1 in cycle 3',
    ],
    ['a start in the cycle of the request', [0, 0, 0], [4, 0, 0], 'request 0 starts in cycle 0, issued in 0'],
    ['a ring that does not exist', [1, 0, 0], [4, 0, 1], 'request 1 uses ring 1 of 1'],
    ['a direction that does not exist', [1, 2, 0], [4, 0, 0], 'request 0 goes in direction 2'],
    [
      'a start between cycles',
      [1.5, 0, 0],
      [9, 0, 0],
      'request 0 starts in cycle 1.5, which is not an integer',
    ],
  ] as const)('names %s', (_, first, second, expected) => {
    expect(checkPlacements({ ...oneRing, requests }, [first, second])).toBe(expected);
  });

  test('names a missing placement', () => {
    expect(checkPlacements({ ...oneRing, requests }, [[1, 0, 0]])).toBe('1 placements for 2 requests');
  });
});
