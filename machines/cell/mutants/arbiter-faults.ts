import type { ArbiterContext } from '../../../actors/cell/arbiter.ts';
import {
  ArbitrationScheduler,
  nodesOf,
  type RunningTransfer,
} from '../../../actors/cell/arbitration-scheduler.ts';
import type { ArbiterPhase, RingRequest } from '../../../actors/cell/messages.ts';
import type { Grant, PendingRequest } from '../../../actors/cell/policies/policy.ts';
import { type RingDirection, segmentNodeCount, segmentNodes } from '../../../actors/cell/rings.ts';
import { component } from '../../../kernel/kit.ts';
import { planted, postedBy } from '../../planting.ts';
import type { CellParts } from '../parts.ts';
import type { CellMutant } from './mutant.ts';

const { act, post, probe } = component<ArbiterContext, RingRequest | ArbiterPhase>();

class FreedEarly extends ArbitrationScheduler {
  protected override freeFrom(start: number, size: number): number {
    return start + Math.max(1, size - 1);
  }
}

class FreedLate extends ArbitrationScheduler {
  protected override freeFrom(start: number, size: number): number {
    return start + size + 1;
  }
  // The cycle in which a segment becomes free late is one in which nothing else need happen.
  override nextAfter(t: number): number {
    return this.pending.length > 0 ? t + 1 : super.nextAfter(t);
  }
  override decide(start: number): ReturnType<ArbitrationScheduler['decide']> {
    this.noteChange();
    return super.decide(start);
  }
}

class WithoutReceiver extends ArbitrationScheduler {
  protected override segment(
    dir: RingDirection,
    src: number,
    dst: number,
  ): ReturnType<ArbitrationScheduler['segment']> {
    const { first, nodes } = super.segment(dir, src, dst);
    return { first, nodes: nodes - 1 };
  }
}

class WithoutSender extends ArbitrationScheduler {
  protected override segment(
    dir: RingDirection,
    src: number,
    dst: number,
  ): ReturnType<ArbitrationScheduler['segment']> {
    const { first, nodes } = super.segment(dir, src, dst);
    const { N } = this.spec;
    return { first: (first + (dir === 0 ? 1 : N - 1)) % N, nodes: nodes - 1 };
  }
}

class OneNodeList extends ArbitrationScheduler {
  protected override segment(
    dir: RingDirection,
    src: number,
    dst: number,
  ): ReturnType<ArbitrationScheduler['segment']> {
    // The nodes of direction 0, walked the other way round.
    if (dir === 1) return { first: dst, nodes: segmentNodeCount(this.spec.N, 0, src, dst) };
    return super.segment(dir, src, dst);
  }
  protected override conflict(): undefined {}
}

class RingChanged extends ArbitrationScheduler {
  override release(t: number): readonly RunningTransfer[] {
    const { K } = this.spec;
    return super.release(t).map((one) => {
      if (one.size < 2) return one;
      return K > 1 ? { ...one, ring: (one.ring + 1) % K } : { ...one, dir: one.dir === 0 ? 1 : 0 };
    });
  }
}

class TwoAtOnce extends ArbitrationScheduler {
  protected override choose(start: number): readonly Grant[] {
    const chosen = super.choose(start);
    const [first] = chosen;
    if (first === undefined) return chosen;
    const taken = this.nodesOf(this.pending[first.index]!, first);
    const index = this.pending.findIndex(
      (request, at) =>
        chosen.every((grant) => grant.index !== at) &&
        this.nodesOf(request, first).some((node) => taken.includes(node)),
    );
    return index < 0 ? chosen : [...chosen, { ...first, index }];
  }
  protected override conflict(): undefined {}
  private nodesOf({ src, dst }: PendingRequest, { dir }: Grant): number[] {
    return segmentNodes(this.spec.N, dir, src, dst);
  }
}

class OldestPassedOver extends ArbitrationScheduler {
  protected override choose(start: number): readonly Grant[] {
    const chosen = super.choose(start);
    return this.pending.length > 1 ? chosen.filter(({ index }) => index !== 0) : chosen;
  }
}

const scheduler =
  (make: new (...args: ConstructorParameters<typeof ArbitrationScheduler>) => ArbitrationScheduler) =>
  (parts: CellParts): CellParts => ({ ...parts, scheduler: (spec) => new make(spec) });

/** A grant as the event log has it. */
const shown = (a: ArbiterContext, t: number, one: RunningTransfer) => {
  const { initiator, id, start, dir, ring } = one;
  return { type: 'GRANT', t, spu: initiator, id, start, dir, ring, nodes: nodesOf(a.scheduler.spec.N, one) };
};
const published = (a: ArbiterContext, { initiator, id, start, dir, ring }: RunningTransfer) => ({
  to: a.modules[initiator]!,
  type: 'ring.grant',
  id,
  start,
  dir,
  ring,
});

/** Faults of the data arbiter (Cell specification 21.4). */
export const arbiterFaults: readonly CellMutant[] = [
  {
    id: 'M-01',
    sentence: 'the arbiter grants a request in its issue cycle',
    mustRaise: ['CK-06'],
    scheduleDependent: false,
    mutate: (parts) => ({
      ...parts,
      arbiter: planted(parts.arbiter, {
        actions: {
          // Decides as soon as a request comes, for the cycle that is under way.
          acknowledge: act<'ring.request'>((a, { initiator, id, issue }, out) => {
            a.scheduler.admit();
            out.post({ to: a.modules[initiator]!, type: 'ring.queued', id } as never);
            for (const one of a.scheduler.decide(issue).grants) {
              if (out.observed) out.probe(shown(a, issue, one));
              out.post(published(a, one));
            }
          }),
        },
      }),
    }),
  },
  {
    id: 'M-02',
    sentence: 'a segment is free one cycle early',
    mustRaise: ['CK-10'],
    scheduleDependent: false,
    mutate: scheduler(FreedEarly),
  },
  {
    id: 'M-03',
    sentence: 'a segment is free one cycle late',
    mustRaise: ['CK-25'],
    scheduleDependent: false,
    mutate: scheduler(FreedLate),
  },
  {
    id: 'M-04',
    sentence: "the receiver's point is not reserved",
    mustRaise: ['CK-09', 'CK-10'],
    scheduleDependent: false,
    mutate: scheduler(WithoutReceiver),
  },
  {
    id: 'M-05',
    sentence: "the sender's point is not reserved",
    mustRaise: ['CK-09', 'CK-10'],
    scheduleDependent: false,
    mutate: scheduler(WithoutSender),
  },
  {
    id: 'M-06',
    sentence: 'direction 1 uses the node list of direction 0',
    mustRaise: ['CK-09', 'CK-10'],
    scheduleDependent: false,
    mutate: scheduler(OneNodeList),
  },
  {
    id: 'M-07',
    sentence: 'a transfer changes its ring in the middle',
    mustRaise: ['CK-08'],
    scheduleDependent: false,
    mutate: scheduler(RingChanged),
  },
  {
    id: 'M-22',
    sentence: 'the arbiter grants two conflicting requests in one decision',
    mustRaise: ['CK-10'],
    scheduleDependent: false,
    mutate: scheduler(TwoAtOnce),
  },
  {
    id: 'M-23',
    sentence: 'the arbiter grants a request twice',
    mustRaise: ['CK-22'],
    scheduleDependent: false,
    mutate: (parts) => ({
      ...parts,
      arbiter: planted(parts.arbiter, {
        actions: {
          showGrants: probe((a) => [...a.grants, ...a.grants].map((one) => shown(a, a.t, one))),
          publish: post((a) => [...a.grants, ...a.grants].map((one) => published(a, one))),
        },
      }),
    }),
  },
  {
    id: 'D-03',
    sentence: 'the grant of the second request of a module is lost',
    mustRaise: ['CK-07'],
    scheduleDependent: false,
    mutate: (parts) => {
      const publish = postedBy<ArbiterContext>(parts.arbiter, 'publish');
      return {
        ...parts,
        arbiter: planted(parts.arbiter, {
          actions: {
            publish: post((a, event) =>
              publish({ ...a, grants: a.grants.filter(({ id }) => id !== 1) }, event),
            ),
          },
        }),
      };
    },
  },
  {
    id: 'W-01',
    sentence: 'the oldest request is passed over while others wait',
    mustRaise: ['CK-26'],
    scheduleDependent: false,
    mutate: scheduler(OldestPassedOver),
  },
];
