import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import { arraySide, columnOf, rowOf, tidAt } from './array/identity.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from './jitter.ts';
import type { BarrierKind, SyncArrive, SyncOffline, SyncRelease } from './messages.ts';

/** The barrier wires of one array, and whom they join. */
export interface SyncNetInput extends JitterInput {
  /** The CPEs by tid. */
  readonly cpes: readonly Address[];
  /** Cycles from the last arrival to the release, without distance; and for each step between clusters (specification 9.4). */
  readonly base: number;
  readonly hop: number;
}

/** A barrier that some have arrived at. */
interface OpenBarrier {
  readonly kind: BarrierKind;
  readonly index: number;
  readonly mask: number;
  arrived: number[];
  /** The fingerprint that the first collective came with, 0 for none so far, and whether all that came after it had the same. */
  agreement: number;
  agreed: boolean;
}

type Line = Pick<OpenBarrier, 'kind' | 'index' | 'mask'>;

/** The barrier wires of one array. */
export interface SyncNetContext extends Jittered {
  readonly spec: Fixed<SyncNetInput>;
  /** CPEs that take part in nothing any more. */
  offline: number[];
  /** By kind, index and mask. Only barriers that somebody waits at. */
  open: Map<string, OpenBarrier>;
  /** Releases so far, by the same key. */
  epochs: Map<string, number>;
}

type SyncNetEvent = SyncArrive | SyncOffline;

const { act, choose } = component<SyncNetContext, SyncNetEvent, SyncRelease>();

/** The CPEs that a hardware barrier joins, offline ones included (specification 6.2). */
export function barrierMembers(kind: BarrierKind, index: number, mask: number): readonly number[] {
  if (kind === 'pair') return [index, mask];
  const members: number[] = [];
  for (let bit = 0; bit < arraySide; bit++)
    if ((mask >> bit) & 1) members.push(kind === 'row' ? tidAt(index, bit) : tidAt(bit, index));
  return members;
}

/**
 * Cycles from the last arrival to the release (specification 9.4).
 *
 * Details: of two points, the sums of their coordinates or the differences lie as far apart as their way is long, so that the extremes of both tell
 * the longest way without looking at every pair.
 */
export function barrierLatency(
  members: readonly number[],
  { base, hop }: Pick<SyncNetInput, 'base' | 'hop'>,
): number {
  let [leastSum, mostSum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [leastDifference, mostDifference] = [leastSum, mostSum];
  for (const tid of members) {
    const [x, y] = [columnOf(tid) >> 1, rowOf(tid) >> 1];
    leastSum = Math.min(leastSum, x + y);
    mostSum = Math.max(mostSum, x + y);
    leastDifference = Math.min(leastDifference, x - y);
    mostDifference = Math.max(mostDifference, x - y);
  }
  const farthest = members.length === 0 ? 0 : Math.max(mostSum - leastSum, mostDifference - leastDifference);
  return base + hop * farthest;
}

/** Keys by kind, and by line and mask as one number: one text for each is found faster than a new one. */
const keys: Readonly<Record<BarrierKind, Map<number, string>>> = {
  row: new Map(),
  column: new Map(),
  pair: new Map(),
};

function keyOf({ kind, index, mask }: Line): string {
  const number = index * 256 + mask;
  let key = keys[kind].get(number);
  if (key === undefined) {
    key = `${kind} ${index} ${mask}`;
    keys[kind].set(number, key);
  }
  return key;
}

/** Members that can still come. */
function membersOf({ spec, offline }: SyncNetContext, { kind, index, mask }: Line): readonly number[] {
  const members = barrierMembers(kind, index, mask);
  const { length } = spec.value.cpes;
  const isPresent = (tid: number): boolean => tid < length && !offline.includes(tid);
  return members.every(isPresent) ? members : members.filter(isPresent);
}

/** Releases a barrier that all its members have arrived at. An arrival has taken one cycle already. */
function releaseIfComplete(c: SyncNetContext, barrier: OpenBarrier, out: Outbox<SyncRelease>): void {
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
function reportMismatch(c: SyncNetContext, arrival: Line, tid: number, out: Outbox<SyncRelease>): void {
  if (arrival.kind === 'pair') return;
  for (const other of c.open.values()) {
    if (other.kind !== arrival.kind || other.index !== arrival.index || other.mask === arrival.mask) continue;
    const [here, there] = [membersOf(c, arrival), membersOf(c, other)];
    const met = other.arrived.find((one) => here.includes(one) && there.includes(tid));
    if (met !== undefined)
      out.report({
        property: 'CPEs of one line that wait for each other name the same mask',
        why: `MaskMismatch: CPE ${met} waits in ${other.kind} ${other.index} with mask ${hexadecimal(other.mask)}, CPE ${tid} with mask ${hexadecimal(arrival.mask)}`,
      });
  }
}

const hexadecimal = (mask: number): string => `0x${mask.toString(16).toUpperCase().padStart(2, '0')}`;

/**
 * The barrier wires of one array: row, column and pair barriers (specification 6.2, 8.6).
 *
 * Details: a barrier is identified by its kind, its line and its mask; it releases when every member that is not offline has arrived.
 */
export const syncNet = setup({
  types: {} as { context: SyncNetContext; events: SyncNetEvent; input: SyncNetInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    arrive: act<'sync.arrive'>((c, { kind, index, mask, tid, agreement }, out) => {
      const line = { kind, index, mask };
      // Its host has halted the array in the very cycle in which it came.
      if (c.offline.includes(tid)) return;
      if (!barrierMembers(kind, index, mask).includes(tid)) {
        out.report({
          property: 'a CPE arrives only at barriers that it is a member of',
          why: `E_MASK: CPE ${tid} arrives at ${kind} ${index} with mask ${hexadecimal(mask)}`,
        });
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
  id: 'syncNet',
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
