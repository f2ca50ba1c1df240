import {
  type ArbiterContext,
  enterGrant,
  type GrantedTransfer,
  offerOf,
  requestOf,
  takenSegment,
} from '../../../actors/cell/arbiter.ts';
import type { PendingRequest } from '../../../actors/cell/policies/policy.ts';
import type { CellEvents, CellMessage } from '../../../actors/cell/protocol.ts';
import type { RingRequestContext } from '../../../actors/cell/ring-request.ts';
import { freeRings, type RingState } from '../../../actors/cell/ring-state.ts';
import { segmentNodes } from '../../../actors/cell/rings.ts';
import { component } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import { mutantsOf } from '../../mutant.ts';
import { plantingIn, postedBy, probedBy, together } from '../../planting.ts';
import type { CellParts } from '../parts.ts';
import type { CellFault } from './mutant.ts';

const { act, update, post, when, probe } = component<ArbiterContext, CellEvents<'Arbiter'>>();
const ofRequest = component<RingRequestContext, CellMessage<'segment.offered'>>();

const { replace } = plantingIn<CellParts>();

/** An arbiter that reserves something else than the segment taken, or for another time. */
const reserving = (
  change: (a: ArbiterContext, grant: GrantedTransfer, taken: CellMessage<'segment.taken'>) => GrantedTransfer,
  freeFrom = ({ start, size }: GrantedTransfer): number => start + size,
): object =>
  update<'segment.taken'>((a, taken) => {
    const grant = change(a, takenSegment(a, taken), taken);
    enterGrant(a, grant, freeFrom(grant));
  });
const asTaken = (_a: ArbiterContext, grant: GrantedTransfer): GrantedTransfer => grant;
const neverConflicts = { conflicts: when(() => false) };

/** The rings without the grants of the decision that is going on. */
function ringsBefore(a: ArbiterContext): RingState {
  const rings = freeRings(a.spec.N, a.spec.K);
  for (const one of a.running) {
    if (a.grants.includes(one)) continue;
    for (const node of one.nodes) rings[one.dir * a.spec.K + one.ring]![node] = one.start + one.size;
  }
  return rings;
}

const isOldestOfSeveral = ({ pending }: ArbiterContext, { initiator, id }: PendingRequest): boolean =>
  pending.length > 1 && pending[0]!.initiator === initiator && pending[0]!.id === id;

/** Faults of the data arbiter and of the requests it asks (Cell specification 21.4). */
export const arbiterFaults = mutantsOf<CellParts, CellFault>({
  'M-01': {
    sentence: 'the arbiter grants a request in its issue cycle',
    mustRaise: ['CK-06'],
    mutate: together(
      replace('arbiter', {
        actions: {
          // Asks the request as soon as it comes, for the cycle that is under way, and grants what is free.
          acknowledge: act<'ring.request'>((a, { initiator, id, issue, size }, out) => {
            out.post({ to: a.spec.modules[initiator]!, type: 'ring.queued', id } as never);
            const request = a.newcomers.at(-1)!;
            const t = a.t;
            a.t = issue - 1;
            a.grants = [];
            a.asked = { request, urgent: false, plan: null };
            const way = offerOf(a, a.rings).ways.find(({ ring }) => ring >= 0);
            if (way) {
              a.newcomers.pop();
              const grant = takenSegment(a, way);
              enterGrant(a, grant, grant.start + size);
              const { dir, ring, nodes } = grant;
              const to = requestOf(a, request);
              out.post({ to, type: 'segment.wanted', size } as never);
              // A number of others that no offer has: nobody waits for the answer.
              out.post({ to, ...offerOf(a, a.rings), plan: { dir, ring }, others: -1 } as never);
              if (out.observed)
                out.probe({ type: 'GRANT', t: issue, spu: initiator, id, start: issue, dir, ring, nodes });
              out.post({
                to: a.spec.modules[initiator]!,
                type: 'ring.grant',
                id,
                start: issue,
                dir,
                ring,
              } as never);
            }
            a.t = t;
          }),
        },
      }),
      replace('ringRequest', (machine) => ({
        actions: {
          accept: ofRequest.post<'segment.offered'>((r, offer) =>
            offer.others < 0
              ? undefined
              : (postedBy<RingRequestContext>(machine, 'accept')(r, offer) as Post),
          ),
        },
      })),
    ),
  },
  'M-02': {
    sentence: 'a segment is free one cycle early',
    mustRaise: ['CK-10'],
    mutate: replace('arbiter', {
      actions: { reserve: reserving(asTaken, ({ start, size }) => start + Math.max(1, size - 1)) },
    }),
  },
  'M-03': {
    sentence: 'a segment is free one cycle late',
    mustRaise: ['CK-25'],
    mutate: replace('arbiter', (machine) => ({
      // The cycle in which a segment becomes free late is one in which nothing else need happen.
      guards: { nothingToDecide: when(() => false) },
      actions: {
        reserve: reserving(asTaken, ({ start, size }) => start + size + 1),
        reportDone: post((a, event) => {
          const done = postedBy<ArbiterContext>(machine, 'reportDone')(a, event) as Post;
          return (a.pending.length > 0 ? { ...done, next: a.t + 1 } : done) as Post;
        }),
      },
    })),
  },
  'M-04': {
    sentence: "the receiver's point is not reserved",
    mustRaise: ['CK-09', 'CK-10'],
    mutate: replace('arbiter', {
      actions: { reserve: reserving((_a, grant) => ({ ...grant, nodes: grant.nodes.slice(0, -1) })) },
    }),
  },
  'M-05': {
    sentence: "the sender's point is not reserved",
    mustRaise: ['CK-09', 'CK-10'],
    mutate: replace('arbiter', {
      actions: { reserve: reserving((_a, grant) => ({ ...grant, nodes: grant.nodes.slice(1) })) },
    }),
  },
  'M-06': {
    sentence: 'direction 1 uses the node list of direction 0',
    mustRaise: ['CK-09', 'CK-10'],
    mutate: replace('arbiter', {
      guards: neverConflicts,
      actions: {
        reserve: reserving((a, grant) => {
          const { src, dst } = a.asked!.request;
          return { ...grant, nodes: segmentNodes(a.spec.N, 0, src, dst) };
        }),
      },
    }),
  },
  'M-07': {
    sentence: 'a transfer changes its ring in the middle',
    mustRaise: ['CK-08'],
    mutate: replace('arbiter', (machine) => ({
      actions: {
        showFreed: probe((a, event) => {
          const { K } = a.spec;
          const freed = a.freed.map((one): GrantedTransfer => {
            if (one.size < 2) return one;
            return K > 1 ? { ...one, ring: (one.ring + 1) % K } : { ...one, dir: one.dir === 0 ? 1 : 0 };
          });
          return probedBy<ArbiterContext>(machine, 'showFreed')({ ...a, freed }, event);
        }),
      },
    })),
  },
  'M-22': {
    sentence: 'the arbiter grants two conflicting requests in one decision',
    mustRaise: ['CK-10'],
    mutate: replace('arbiter', {
      guards: neverConflicts,
      actions: {
        offer: post((a) => ({ to: requestOf(a, a.asked!.request), ...offerOf(a, ringsBefore(a)) })),
      },
    }),
  },
  'M-23': {
    sentence: 'the arbiter grants a request twice',
    mustRaise: ['CK-22'],
    mutate: replace('arbiter', (machine) => ({
      actions: {
        showGrants: probe((a, event) => {
          const grants = [...a.grants, ...a.grants];
          return probedBy<ArbiterContext>(machine, 'showGrants')({ ...a, grants }, event);
        }),
        publish: post((a, event) => {
          const grants = [...a.grants, ...a.grants];
          return postedBy<ArbiterContext>(machine, 'publish')({ ...a, grants }, event) as Post[];
        }),
      },
    })),
  },
  'D-03': {
    sentence: 'the grant of the second request of a module is lost',
    mustRaise: ['CK-07'],
    mutate: replace('arbiter', (machine) => ({
      actions: {
        publish: post((a, event) => {
          const grants = a.grants.filter(({ id }) => id !== 1);
          return postedBy<ArbiterContext>(machine, 'publish')({ ...a, grants }, event) as Post[];
        }),
      },
    })),
  },
  'D-05': {
    sentence: 'a request does not answer an offer that it has to decline',
    mustRaise: ['deadlock'],
    mutate: replace('ringRequest', { actions: { decline: ofRequest.post(() => undefined) } }),
  },
  'W-01': {
    sentence: 'the oldest request is passed over while others wait',
    mustRaise: ['CK-26'],
    mutate: replace('arbiter', {
      actions: {
        // It is asked last, and told that no segment is free.
        askNext: update((a) => {
          const at = a.round.findIndex(({ request }) => isOldestOfSeveral(a, request));
          if (at === 0 && a.round.length > 1) a.round.push(a.round.shift()!);
          a.asked = a.round.shift()!;
        }),
        offer: post((a) => {
          const { request } = a.asked!;
          const offer = offerOf(a, a.rings);
          const nothing = {
            plan: null,
            ways: offer.ways.map((way) => ({ ...way, ring: -1, freeFrom: offer.start + 1 })),
          };
          return { to: requestOf(a, request), ...offer, ...(isOldestOfSeveral(a, request) && nothing) };
        }),
      },
    }),
  },
  'W-02': {
    sentence: 'no request becomes urgent',
    mustRaise: ['CK-26'],
    mutate: replace('arbiter', { guards: { waitIsBounded: when(() => false) } }),
  },
  'W-03': {
    sentence: 'a request that cannot start ends the round',
    mustRaise: ['CK-25'],
    mutate: replace('arbiter', { guards: { headBlocks: when(() => true) } }),
  },
  'W-04': {
    sentence: 'requests take detours that do not pay',
    mustRaise: ['requests start when and where they do when they are arbitrated alone'],
    mutate: replace('ringRequest', { guards: { detourPays: ofRequest.when(() => true) } }),
  },
});
