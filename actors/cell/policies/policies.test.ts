import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../kernel/testing/effort.ts';
import { type ArbitrationInstance, arbitrate, checkPlacements, type InstanceRequest } from '../arbitrate.ts';
import { type RingDirection, segmentNodeCount } from '../rings.ts';
import { arbitraryInstance } from './instances.arbitrary.ts';
import { createPolicy, policyNames } from './policies.ts';
import type { ArbitrationView, Policy, PolicyState } from './policy.ts';

const runs = { numRuns: effort({ short: 24, long: 60 }) };
const fair = { factor: 0.5, cap: null } as const;
const exact = ['etalon-hol', 'etalon-ff', 'fifo-both', 'sjf-detour'] as const;
const everyPolicy = policyNames.flatMap((name) => [[name, null] as const, [name, fair] as const]);

function waits(instance: ArbitrationInstance, policy: Policy): number[] {
  const { placements } = arbitrate(instance, policy);
  return placements.map(([start], index) => start - instance.requests[index]![0] - 1);
}

function mapped(
  instance: ArbitrationInstance,
  change: (request: InstanceRequest) => InstanceRequest,
): ArbitrationInstance {
  return { ...instance, requests: instance.requests.map(change) };
}

describe.each(everyPolicy)('%s, bounded wait %j', (name, boundedWait) => {
  test('every request starts once, after its issue, and no two transfers meet', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 30 }), (instance) => {
        const { placements } = arbitrate(instance, createPolicy(name, { ...instance, boundedWait }));

        expect(checkPlacements(instance, placements)).toBeNull();
      }),
      runs,
    );
  });

  test('with as many rings as requests nobody waits (P-5)', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 8 }), (few) => {
        const instance = { ...few, K: Math.max(1, few.requests.length) };

        expect(arbitrate(instance, createPolicy(name, { ...instance, boundedWait })).totalWait).toBe(0);
      }),
      runs,
    );
  });

  test('one cycle later at the issue is one cycle later at the start (P-6)', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 30 }), (instance) => {
        const later = mapped(instance, ([issue, src, dst, size]) => [issue + 1, src, dst, size]);

        const now = arbitrate(instance, createPolicy(name, { ...instance, boundedWait }));
        const then = arbitrate(later, createPolicy(name, { ...instance, boundedWait }));

        expect(then.placements).toEqual(now.placements.map(([start, dir, ring]) => [start + 1, dir, ring]));
      }),
      runs,
    );
  });

  test('the total wait is the number of waiting requests, summed over the cycles (P-10)', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 30 }), (instance) => {
        const policy = createPolicy(name, { ...instance, boundedWait });
        let waiting = 0;
        const counting: Policy = {
          ...policy,
          decidesOnlyOnChange: false,
          restsAfterEmptyRound: false,
          decide(view, state) {
            const grants = policy.decide(view, state);
            waiting += view.pending.length - grants.length;
            return grants;
          },
        };

        expect(arbitrate(instance, counting).totalWait).toBe(waiting);
      }),
      runs,
    );
  });

  test('the cycles its flags allow to jump over change nothing', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 30 }), (instance) => {
        const policy = createPolicy(name, { ...instance, boundedWait });
        const asked: Policy = { ...policy, decidesOnlyOnChange: false, restsAfterEmptyRound: false };

        expect(arbitrate(instance, asked).placements).toEqual(arbitrate(instance, policy).placements);
      }),
      runs,
    );
  });

  test('it remembers in its state alone, which survives JSON, and leaves the view as it was', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 30 }), (instance) => {
        const fresh = () => createPolicy(name, { ...instance, boundedWait, seed: 5 });
        const restored: Policy = {
          ...fresh(),
          decide(view, state) {
            const before = viewText(view);
            const copy = JSON.parse(JSON.stringify(state)) as PolicyState;
            const grants = fresh().decide(view, copy);
            expect(viewText(view)).toBe(before);
            Object.assign(state, copy);
            return grants;
          },
        };

        expect(arbitrate(instance, restored).placements).toEqual(arbitrate(instance, fresh()).placements);
      }),
      { numRuns: effort({ short: 10, long: 25 }) },
    );
  });
});

function viewText(view: ArbitrationView): string {
  const free: number[] = [];
  for (const dir of [0, 1] as const) {
    for (let ring = 0; ring < view.K; ring++) {
      for (let node = 0; node < view.N; node++) {
        free.push(
          view.board.freeFromAt(dir, ring, node),
          Number(view.board.fits(dir, ring, node, view.N, 1000)),
        );
        free.push(view.board.longestRun(dir, node));
      }
    }
  }
  return JSON.stringify([view.pending, view.board.now, free]);
}

describe.each(['etalon-ff', 'fifo-both'] as const)('%s', (name) => {
  test('leaves no request waiting that has a free segment (P-4)', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 40 }), (instance) => {
        const policy = createPolicy(name, instance);
        expect(policy.workConserving).toBe(true);
        const watched: Policy = {
          ...policy,
          decide(view, state) {
            const grants = policy.decide(view, state);
            const board = view.board.fork();
            const started = new Set(grants.map((grant) => grant.index));
            const segment = (index: number, dir: RingDirection): [src: number, nodes: number] => {
              const { src, dst } = view.pending[index]!;
              return [src, segmentNodeCount(view.N, dir, src, dst)];
            };
            for (const { index, dir, ring } of grants) {
              board.reserve(dir, ring, ...segment(index, dir), view.t + view.pending[index]!.size);
            }
            for (let index = 0; index < view.pending.length; index++) {
              for (const dir of [0, 1] as const) {
                for (let ring = 0; ring < view.K; ring++) {
                  expect(started.has(index) || !board.isFree(dir, ring, ...segment(index, dir), view.t)).toBe(
                    true,
                  );
                }
              }
            }
            return grants;
          },
        };

        arbitrate(instance, watched);
      }),
      runs,
    );
  });
});

describe.each(exact)('%s', (name) => {
  test('turning the ring leaves all waits as they are (P-7)', () => {
    fc.assert(
      fc.property(arbitraryInstance({ requestsMax: 30 }), fc.nat(63), (instance, by) => {
        const { N } = instance;
        const turned = mapped(instance, ([issue, src, dst, size]) => [
          issue,
          (src + by) % N,
          (dst + by) % N,
          size,
        ]);

        expect(waits(turned, createPolicy(name, instance))).toEqual(
          waits(instance, createPolicy(name, instance)),
        );
      }),
      runs,
    );
  });
});

test('fifo-both sees no difference in a mirror, where no two ways are equally long (P-8)', () => {
  fc.assert(
    fc.property(arbitraryInstance({ requestsMax: 30 }), (any) => {
      const odd = { ...any, N: any.N | 1 };
      const instance = { ...odd, requests: odd.requests.filter(([, src, dst]) => src !== dst) };
      const { N } = instance;
      const mirrored = mapped(instance, ([issue, src, dst, size]) => [
        issue,
        (N - src) % N,
        (N - dst) % N,
        size,
      ]);

      const here = arbitrate(instance, createPolicy('fifo-both', instance));
      const there = arbitrate(mirrored, createPolicy('fifo-both', instance));

      expect(there.placements).toEqual(here.placements.map(([start, dir, ring]) => [start, 1 - dir, ring]));
    }),
    runs,
  );
});

describe('createPolicy', () => {
  test('makes every policy of the catalogue under its name', () => {
    expect(policyNames.map((name) => createPolicy(name, { N: 8, K: 2 }).name)).toEqual([...policyNames]);
  });

  test('says what it knows when asked for something else', () => {
    expect(() => createPolicy('sjf', { N: 8, K: 2 })).toThrow(
      'unknown arbitration policy "sjf"; known policies: etalon-hol, etalon-ff, fifo-both, sjf-detour, sjf-plan',
    );
  });

  test('refuses a negative factor and a negative cap', () => {
    const make = (factor: number, cap: number | null) =>
      createPolicy('fifo-both', { N: 8, K: 2, boundedWait: { factor, cap } });

    expect(() => make(-1, null)).toThrow('boundedWait.factor is -1');
    expect(() => make(Number.NaN, null)).toThrow('boundedWait.factor is NaN');
    expect(() => make(4, -1)).toThrow('boundedWait.cap is -1');
  });
});
