import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ArbitrationInstance, arbitrate, type InstanceRequest } from '../arbitrate.ts';
import { RingBoard, segmentNodes } from '../rings.ts';
import { type BoundedWait, boundedWait } from './bounded-wait.ts';
import { arbitraryInstance } from './instances.arbitrary.ts';
import { createPolicy, policyNames } from './policies.ts';
import type { PendingRequest, Policy } from './policy.ts';

/** U of Cell specification 17.5 from the node lists. */
function backlogWait(N: number, K: number, pending: readonly PendingRequest[], factor: number): number {
  const short = ({ src, dst }: PendingRequest): number =>
    Math.min(segmentNodes(N, 0, src, dst).length, segmentNodes(N, 1, src, dst).length);
  const nodeCycles = pending.reduce((sum, request) => sum + request.size * short(request), 0);
  return Math.floor(factor * (nodeCycles / (2 * K * N) + Math.max(...pending.map(({ size }) => size)))) + 1;
}

/** The first request that starts later than the bound of Cell specification 17.5 allows, as text, or null. */
function late(instance: ArbitrationInstance, policy: Policy, { factor, cap }: BoundedWait): string | null {
  const latest = new Map<number, number>();
  const largest = Math.max(0, ...instance.requests.map(([, , , size]) => size));
  const watched: Policy = {
    ...policy,
    decide(view, state) {
      const limit = backlogWait(view.N, view.K, view.pending, factor);
      for (const [older, request] of view.pending.entries()) {
        const wait = view.t - request.issue - 1;
        if (latest.has(request.id) || (wait < limit && (cap === null || wait < cap))) continue;
        latest.set(request.id, view.t + (older + 1) * largest);
      }
      return policy.decide(view, state);
    },
  };
  const { placements } = arbitrate(instance, watched);
  const index = placements.findIndex(([start], id) => start > (latest.get(id) ?? start));
  return index < 0 ? null : `request ${index} starts in ${placements[index]![0]}, bound ${latest.get(index)}`;
}

const options = fc.record({ factor: fc.constantFrom(0, 0.3, 1, 4), cap: fc.constantFrom(null, 0, 5, 40) });

test.each(policyNames)(
  '%s: an urgent request starts within the bound of Cell specification 17.5 (P-17)',
  (name) => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 40 }), options, (instance, option) => {
        const policy = createPolicy(name, { ...instance, boundedWait: option });

        expect(late(instance, policy, option)).toBeNull();
      }),
      { numRuns: 60 },
    );
  },
);

/** A long way of 30 bytes that a stream of small transfers, two a ring at any time, never leaves free. */
function starving(): { instance: ArbitrationInstance; long: number } {
  const requests: InstanceRequest[] = [];
  for (let cycle = 0; cycle < 400; cycle++) {
    requests.push([cycle, 0, 1, 2], [cycle, 1, 0, 2]);
    if (cycle === 3) requests.push([cycle, 0, 2, 30]);
  }
  return { instance: { N: 4, K: 1, requests }, long: 8 };
}

test('a stream of small transfers starves a large one, and bounded wait ends that', () => {
  const { instance, long } = starving();
  const option = { factor: 0, cap: 100 };

  const unbounded = arbitrate(instance, createPolicy('sjf-detour', instance));
  const bounded = arbitrate(instance, createPolicy('sjf-detour', { ...instance, boundedWait: option }));

  expect(instance.requests[long]![3]).toBe(30);
  expect(unbounded.placements[long]![0]).toBeGreaterThan(400);
  expect(bounded.placements[long]![0]).toBeLessThan(40);
});

test('the bound is missed by a policy that only claims to be bounded', () => {
  const { instance } = starving();

  const unbounded = createPolicy('sjf-detour', instance);

  expect(late(instance, unbounded, { factor: 0, cap: 0 })).toMatch('request 8 starts in');
});

// Behind etalon-hol nobody starts beside the held request, which is the head of its line.
test.each(policyNames.filter((name) => name !== 'etalon-hol'))(
  '%s: beside a held segment a transfer may start only if it ends before the hold begins',
  (name) => {
    // Upward 0 to 1 is busy until 11. The third, 0 to 2 with 9 bytes, gets the ring from 11 on; downward 0 and 1 are busy until 30.
    const spec = { N: 6, K: 1 };
    const run = (size: number) =>
      arbitrate(
        {
          ...spec,
          requests: [
            [0, 0, 1, 10],
            [0, 1, 0, 29],
            [0, 0, 2, 9],
            [3, 2, 3, size],
          ],
        },
        boundedWait(spec, createPolicy(name, spec), { factor: 0, cap: 0 }),
      ).placements.slice(2);

    expect(run(7)).toEqual([
      [11, 0, 0],
      [4, 0, 0],
    ]);
    expect(run(8)).toEqual([
      [11, 0, 0],
      [20, 0, 0],
    ]);
  },
);

test('an urgent request stays urgent when the backlog grows', () => {
  const spec = { N: 4, K: 1 };
  const policy = boundedWait(spec, createPolicy('sjf-detour', spec), { factor: 1, cap: null });
  const state = policy.initialState();
  const old: PendingRequest = { src: 0, dst: 1, size: 2, issue: 0, initiator: 0, id: 0 };
  const crowd = Array.from({ length: 18 }, (_, id) => ({ ...old, size: 1, issue: 4, initiator: 1, id }));
  const board = new RingBoard(4, 1);
  board.reserve(0, 0, 0, 4, 9);
  board.reserve(1, 0, 0, 4, 9);

  // Alone it is urgent after floor(4/8 + 2) + 1 = 3 cycles; among the crowd it would be after floor(40/8 + 2) + 1 = 8.
  const urgentThrough = [3, 4, 5].map((t) => {
    policy.decide({ t, pending: t < 5 ? [old] : [old, ...crowd], board, ...spec }, state);
    return state['urgentThrough'];
  });

  expect(urgentThrough).toEqual([-1, 0, 0]);
});
