import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import { type Jittered, jitterCount, keepJitter } from '../jitter.ts';
import type { BarrierKind, SyncArrive, SyncOffline } from '../messages.ts';
import type { BarrierEvent, BarrierSays } from './barrier.ts';
import { type BarrierLine, keyOf, membersOf, mismatch, noMember, type SyncNetInput } from './barrier-line.ts';

/** Barrier wires whose barriers are actors inside them: by kind and line, member 0 of the family whose member is the mask. */
export interface WholeSyncNetInput extends SyncNetInput {
  readonly barriers: Readonly<Record<BarrierKind, readonly Address[]>>;
}

/** The barrier wires of one array: who takes part, and which barriers somebody waits at. */
export interface SyncNetContext extends Jittered {
  readonly spec: Fixed<WholeSyncNetInput>;
  /** CPEs that take part in nothing any more. */
  offline: number[];
  /** Barriers in the making, in the order of their first arrival. */
  open: BarrierLine[];
  /** By tid: the barrier that a CPE waits at. */
  at: Map<number, string>;
  /** Barriers that have not heard yet who is offline. */
  untold: BarrierLine[];
}

type SyncNetEvent = SyncArrive | SyncOffline | BarrierSays;

const { act, choose, report, update, when } = component<SyncNetContext, SyncNetEvent, BarrierEvent>();

const barrierAt = ({ spec }: SyncNetContext, { kind, index, mask }: BarrierLine): Address =>
  memberOf(spec.value.barriers[kind][index]!, mask);
const isOpen = (c: SyncNetContext, line: BarrierLine): boolean =>
  c.open.some((one) => keyOf(one) === keyOf(line));

/** CPEs of a line that wait at other barriers than the one that a CPE arrives at, for that CPE, which would wait for them: one a barrier. */
function metElsewhere(
  c: SyncNetContext,
  { tid, ...arrival }: BarrierLine & { readonly tid: number },
): readonly { readonly other: BarrierLine; readonly met: number }[] {
  if (arrival.kind === 'pair' || isOpen(c, arrival)) return [];
  const here = membersOf(c, arrival);
  return c.open.flatMap((other) => {
    if (other.kind !== arrival.kind || other.index !== arrival.index) return [];
    const isAwaited = membersOf(c, other).includes(tid);
    const key = keyOf(other);
    const met = [...c.at].find(([one, at]) => at === key && here.includes(one) && isAwaited);
    return met === undefined ? [] : [{ other, met: met[0] }];
  });
}

/**
 * The barrier wires of one array: row, column and pair barriers (specification 6.2, 8.6). What a barrier goes through is told by `barrier.ts`, one actor each.
 *
 * Details: a barrier is identified by its kind, its line and its mask; it releases when every member that is not offline has arrived.
 */
export const syncNet = setup({
  types: {} as { context: SyncNetContext; events: SyncNetEvent; input: WholeSyncNetInput },
  guards: {
    // Its host has halted the array in the very cycle in which it came.
    isGone: when<'sync.arrive'>(({ offline }, { tid }) => offline.includes(tid)),
    isNoMember: when<'sync.arrive'>((c, arrival) => !membersOf(c, arrival).includes(arrival.tid)),
    isMismatch: when<'sync.arrive'>((c, arrival) => metElsewhere(c, arrival).length > 0),
    hasUntold: when((c) => c.untold.length > 0),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    refuse: report<'sync.arrive'>((_c, arrival) => noMember(arrival.tid, arrival)),
    reportMismatch: act<'sync.arrive'>((c, arrival, out) => {
      for (const { other, met } of metElsewhere(c, arrival))
        out.report(mismatch(met, other, arrival.tid, arrival.mask));
    }),
    arrive: act<'sync.arrive'>((c, { kind, index, mask, tid, agreement }, out) => {
      const line = { kind, index, mask };
      if (!isOpen(c, line)) c.open.push(line);
      c.at.set(tid, keyOf(line));
      const { jitter } = c;
      const members = membersOf(c, line);
      out.post({ to: barrierAt(c, line), type: 'barrier.arrive', tid, agreement, members, jitter });
    }),
    noteOffline: update<'sync.offline'>((c, { tids }) => {
      for (const tid of tids) if (!c.offline.includes(tid)) c.offline.push(tid);
      c.untold = [...c.open];
    }),
    tellNext: act((c, _event, out) => {
      const line = c.untold.shift()!;
      const { jitter } = c;
      out.post({ to: barrierAt(c, line), type: 'barrier.leave', members: membersOf(c, line), jitter });
    }),
    close: update<'barrier.complete'>((c, { line }) => {
      const key = keyOf(line);
      c.open = c.open.filter((one) => keyOf(one) !== key);
      for (const [tid, at] of [...c.at]) if (at === key) c.at.delete(tid);
    }),
  },
}).createMachine({
  id: 'syncNet',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    offline: [],
    open: [],
    at: new Map(),
    untold: [],
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'sync.arrive': [
          { guard: 'isGone', actions: 'drawJitter' },
          { guard: 'isNoMember', actions: ['drawJitter', 'refuse'] },
          { guard: 'isMismatch', target: 'arriving', actions: ['drawJitter', 'reportMismatch', 'arrive'] },
          { target: 'arriving', actions: ['drawJitter', 'arrive'] },
        ],
        'sync.offline': { target: 'telling', actions: 'noteOffline' },
      },
    },
    arriving: {
      on: { 'barrier.noted': 'idle', 'barrier.complete': { target: 'idle', actions: 'close' } },
    },
    telling: {
      always: [{ guard: 'hasUntold', target: 'told', actions: 'tellNext' }, { target: 'idle' }],
    },
    told: {
      on: { 'barrier.noted': 'telling', 'barrier.complete': { target: 'telling', actions: 'close' } },
    },
  },
});
