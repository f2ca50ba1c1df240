import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { type Jittered, jitterCount, keepJitter } from '../../jitter.ts';
import type { SyncArrive, SyncOffline, SyncRelease } from '../../messages.ts';
import {
  type BarrierLine,
  barrierLatency,
  keyOf,
  membersOf,
  mismatch,
  noMember,
  type SyncNetInput,
} from '../barrier-line.ts';

/** A barrier that some have arrived at. */
interface OpenBarrier extends BarrierLine {
  arrived: number[];
  /** The fingerprint that the first collective came with, 0 for none so far, and whether all that came after it had the same. */
  agreement: number;
  agreed: boolean;
}

/** The barrier wires of one array. */
export interface FastSyncNetContext extends Jittered {
  readonly spec: Fixed<SyncNetInput>;
  /** CPEs that take part in nothing any more. */
  offline: number[];
  /** By kind, index and mask. Only barriers that somebody waits at. */
  open: Map<string, OpenBarrier>;
  /** Releases so far, by the same key. */
  epochs: Map<string, number>;
}

type SyncNetEvent = SyncArrive | SyncOffline;

const { act, choose } = component<FastSyncNetContext, SyncNetEvent, SyncRelease>();

/** Releases a barrier that all its members have arrived at. An arrival has taken one cycle already. */
function releaseIfComplete(c: FastSyncNetContext, barrier: OpenBarrier, out: Outbox<SyncRelease>): void {
  const members = membersOf(c, barrier);
  if (barrier.arrived.length < members.length) return;
  if (members.some((tid) => !barrier.arrived.includes(tid))) return;
  const { kind, index, mask, arrived, agreed } = barrier;
  const key = keyOf(barrier);
  const epoch = (c.epochs.get(key) ?? 0) + 1;
  c.epochs.set(key, epoch);
  c.open.delete(key);
  const delay = Math.max(1, barrierLatency(members, c.spec.value) - 1) + c.jitter;
  for (const tid of arrived)
    out.post({
      to: c.spec.value.cpes[tid]!,
      type: 'sync.release',
      kind,
      index,
      mask,
      epoch,
      agreed,
      delay,
    });
}

/** Two CPEs of one line that wait for each other at different barriers can never meet (specification 6.2, E20). */
function reportMismatch(
  c: FastSyncNetContext,
  arrival: BarrierLine,
  tid: number,
  out: Outbox<SyncRelease>,
): void {
  if (arrival.kind === 'pair') return;
  for (const other of c.open.values()) {
    if (other.kind !== arrival.kind || other.index !== arrival.index || other.mask === arrival.mask) continue;
    const [here, there] = [membersOf(c, arrival), membersOf(c, other)];
    const met = other.arrived.find((one) => here.includes(one) && there.includes(tid));
    if (met !== undefined) out.report(mismatch(met, other, tid, arrival.mask));
  }
}

/**
 * The barrier wires of one array as plain code: the fast twin of `../sync-net.ts`, with the same messages in the same order.
 */
export const fastSyncNet = setup({
  types: {} as { context: FastSyncNetContext; events: SyncNetEvent; input: SyncNetInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    arrive: act<'sync.arrive'>((c, { kind, index, mask, tid, agreement }, out) => {
      const line = { kind, index, mask };
      // Its host has halted the array in the very cycle in which it came.
      if (c.offline.includes(tid)) return;
      if (!membersOf(c, line).includes(tid)) {
        out.report(noMember(tid, line));
        return;
      }
      const key = keyOf(line);
      const known = c.open.get(key);
      if (known === undefined) reportMismatch(c, line, tid, out);
      const barrier = known ?? { ...line, arrived: [], agreement: 0, agreed: true };
      barrier.arrived.push(tid);
      if (barrier.agreement === 0) barrier.agreement = agreement;
      else if (agreement !== 0 && agreement !== barrier.agreement) barrier.agreed = false;
      c.open.set(key, barrier);
      releaseIfComplete(c, barrier, out);
    }),
    leave: act<'sync.offline'>((c, { tids }, out) => {
      for (const tid of tids) if (!c.offline.includes(tid)) c.offline.push(tid);
      for (const barrier of [...c.open.values()]) releaseIfComplete(c, barrier, out);
    }),
  },
}).createMachine({
  id: 'fastSyncNet',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    offline: [],
    open: new Map(),
    epochs: new Map(),
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'sync.arrive': { actions: ['drawJitter', 'arrive'] },
        'sync.offline': { actions: 'leave' },
      },
    },
  },
});
