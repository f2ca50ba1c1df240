import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import { MessageFault } from '../ptx/lane-messages.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { segmentBytes } from '../ptx/touched.ts';
import { KernelTrap, MemoryFault } from '../ptx/warp.ts';
import { CoreState } from './core-state.ts';
import type {
  BlockAssign,
  BlockDone,
  CoreFault,
  CoreTurn,
  MailboxAnswer,
  MailboxRequest,
  MemoryData,
  MemoryRead,
  MemoryWrite,
} from './messages.ts';
import type { GpuTiming } from './timing.ts';
import { warpIssued } from './warp-issued.ts';

/** A core, and whom it knows. */
export interface SimtCoreInput {
  readonly self: Address;
  /** Number of the core in its chiplet. */
  readonly number: number;
  readonly dispatcher: Address;
  readonly channels: readonly Address[];
  readonly mailbox: Address;
  readonly timing: GpuTiming;
  /** The chiplet, where a message in the name of another one is a fault; absent where it is not. */
  readonly own?: ChipletAddress | undefined;
  /** The memory of the chiplet, which all its cores and its host share. */
  readonly memory: DeviceMemory;
}

/** What a core remembers. */
export interface SimtCoreContext {
  readonly spec: Omit<SimtCoreInput, 'memory'>;
  readonly state: CoreState;
  readonly memory: DeviceMemory;
  /** Number of the kernel launch that its blocks are of. */
  launch: number;
  /** The cycle of its next turn; infinite when everything in it waits. */
  next: number;
  cycle: number;
  /** The scheduler whose turn it is, where the order of warps is a choice. */
  scheduler: number;
  /** The warp that was picked among those that can issue. */
  pick: number;
  /** True once it did what it may not. */
  failed: boolean;
}

type SimtCoreEvent = BlockAssign | CoreTurn | MemoryData | MailboxAnswer;
type SimtCoreSends = BlockDone | CoreFault | CoreTurn | MailboxRequest | MemoryRead | MemoryWrite;

const { act, choose, update, when } = component<SimtCoreContext, SimtCoreEvent, SimtCoreSends>();

const channelOf = (segment: number, channels: readonly Address[], stripeBytes: number): Address =>
  channels[Math.floor((segment * segmentBytes) / stripeBytes) % channels.length]!;

/** Tells the others what came of a cycle. Everything is due before the cycle in which it has its effect. */
function tell(c: SimtCoreContext, now: number, out: Outbox<SimtCoreSends>): void {
  const { self, channels, mailbox, dispatcher, number, timing } = c.spec;
  const { stripeBytes } = timing.memory;
  const from = c.state.output;
  for (const { request, segment, cycle, lead } of from.reads)
    out.post({
      to: channelOf(segment, channels, stripeBytes),
      type: 'memory.read',
      core: self,
      request,
      segment,
      cycle,
      lead,
      delay: cycle - 1 - now,
    });
  for (const { segment, cycle } of from.writes)
    out.post({
      to: channelOf(segment, channels, stripeBytes),
      type: 'memory.write',
      segment,
      cycle,
      delay: cycle - 1 - now,
    });
  for (const { slot, lanes } of from.messages)
    out.post({
      to: mailbox,
      type: 'mailbox.request',
      asker: self,
      ticket: slot,
      launch: c.launch,
      items: lanes.map(({ operation, own, peer, value }) => ({ operation, own, peer, value })),
      afterCycles: timing.messageCycles,
      receiveCycles: 0,
      cycle: now + 1,
    });
  for (const block of from.ended)
    out.post({
      to: dispatcher,
      type: 'block.done',
      core: number,
      block,
      statistics: c.state.takeStatistics(),
      cycle: now + 1,
    });
  from.empty();
}

/** Asks for a turn in a cycle, unless there is one before. */
function wake(c: SimtCoreContext, now: number, out: Outbox<SimtCoreSends>): void {
  const next = c.state.nextCycle(now);
  if (next >= c.next) return;
  c.next = next;
  out.post({ to: c.spec.self, type: 'core.turn', cycle: next, delay: next - now });
}

/** What the program of a kernel did wrong; what is not its fault is thrown on. */
function noteFault(c: SimtCoreContext, error: unknown, now: number, out: Outbox<SimtCoreSends>): void {
  if (!(error instanceof MemoryFault || error instanceof MessageFault || error instanceof KernelTrap))
    throw error;
  c.failed = true;
  out.report({ property: 'a kernel keeps to its memory and to the rules of messages', why: error.message });
  const { dispatcher, number } = c.spec;
  out.post({ to: dispatcher, type: 'core.fault', core: number, why: error.message, cycle: now + 1 });
}

/** Issues from a slot, and shows it to those who look. */
function issueFrom(
  c: SimtCoreContext,
  slot: number,
  scheduler: number,
  cycle: number,
  out: Outbox<SimtCoreSends>,
): void {
  if (out.observed) out.probe(warpIssued(c.state.nextOf(slot), slot, cycle));
  c.state.issue(slot, scheduler, cycle, c.memory);
}

/** Each scheduler issues from a warp by its written rule. */
function issueAll(c: SimtCoreContext, cycle: number, out: Outbox<SimtCoreSends>): void {
  const { state } = c;
  const { schedulersPerCore, issuesPerWarp } = c.spec.timing;
  for (let scheduler = 0; scheduler < schedulersPerCore; scheduler++) {
    state.beginCycle(scheduler, cycle);
    const slot = state.chosen(scheduler, cycle);
    if (slot < 0) {
      state.idle(scheduler);
      continue;
    }
    if (issuesPerWarp === 1) issueFrom(c, slot, scheduler, cycle, out);
    else issueSeveral(c, slot, scheduler, cycle, out);
  }
}

/** Issues from a slot as often as a scheduler may in a cycle: not behind control flow, and as long as registers and units are free. */
function issueSeveral(
  c: SimtCoreContext,
  slot: number,
  scheduler: number,
  cycle: number,
  out: Outbox<SimtCoreSends>,
): void {
  const { state } = c;
  for (let count = 1; ; count++) {
    const { kind } = state.nextOf(slot);
    issueFrom(c, slot, scheduler, cycle, out);
    const goesOn = kind === 'lanes' || kind === 'together' || kind === 'memory';
    const isLast = count >= c.spec.timing.issuesPerWarp;
    if (isLast || !goesOn || !state.issuesAgain(slot, scheduler, cycle)) return;
  }
}

const closeTurn = (c: SimtCoreContext, now: number, out: Outbox<SimtCoreSends>): void => {
  c.next = Number.POSITIVE_INFINITY;
  if (c.failed) return;
  tell(c, now, out);
  wake(c, now, out);
};

/** A SIMT core (chiplet specification 7.3): takes blocks, issues from their warps, asks memory and mailbox for what they wait for. */
export const simtCore = setup({
  types: {} as { context: SimtCoreContext; events: SimtCoreEvent; input: SimtCoreInput },
  guards: {
    stale: when<'core.turn'>((c, { cycle }) => cycle !== c.next || c.failed),
    chosen: when((c) => c.spec.timing.scheduler === 'any'),
    empty: when((c) => c.state.empty && !c.failed),
    failed: when((c) => c.failed),
    asleep: when((c) => c.next === Number.POSITIVE_INFINITY),
    awake: when((c) => c.next !== Number.POSITIVE_INFINITY),
  },
  actions: {
    take: act<'block.assign'>((c, { launch, number, block, cycle }, out) => {
      c.launch = number;
      c.state.assign(launch.value, block, c.spec.timing.cores, c.memory, cycle);
      wake(c, cycle - 1, out);
    }),
    issue: act<'core.turn'>((c, { cycle }, out) => {
      try {
        issueAll(c, cycle, out);
      } catch (error) {
        noteFault(c, error, cycle, out);
      }
      closeTurn(c, cycle, out);
    }),
    openTurn: update<'core.turn'>((c, { cycle }) => {
      c.scheduler = 0;
      c.cycle = cycle;
    }),
    chooseWarp: choose<'core.turn'>(
      'warp that issues',
      (c, { cycle }) => Math.max(1, c.state.issuable(c.scheduler, cycle).length),
      (c, _event, pick) => {
        c.pick = pick;
      },
    ),
    issueChosen: act<'core.turn'>((c, { cycle }, out) => {
      const { state, scheduler, failed } = c;
      if (failed || scheduler >= c.spec.timing.schedulersPerCore) return;
      state.beginCycle(scheduler, cycle);
      const slot = state.issuable(scheduler, cycle)[c.pick];
      c.scheduler++;
      if (slot === undefined) {
        state.idle(scheduler);
        return;
      }
      try {
        issueFrom(c, slot, scheduler, cycle, out);
      } catch (error) {
        noteFault(c, error, cycle, out);
      }
    }),
    closeTurn: act<'core.turn'>((c, { cycle }, out) => closeTurn(c, cycle, out)),
    takeSegment: act<'memory.data'>((c, { request, cycle }, out) => {
      c.state.answerMemory(request, cycle);
      if (!c.failed) wake(c, cycle - 1, out);
    }),
    takeValues: act<'mailbox.answer'>((c, { ticket, values, cycle }, out) => {
      if (c.failed) return;
      c.state.answerMessage(ticket, values, cycle);
      tell(c, cycle - 1, out);
      wake(c, cycle - 1, out);
    }),
  },
}).createMachine({
  id: 'simtCore',
  context: ({ input: { memory, ...spec } }) => ({
    spec,
    state: new CoreState(spec.number, spec.timing, spec.own),
    memory,
    launch: 0,
    next: Number.POSITIVE_INFINITY,
    cycle: 0,
    scheduler: 0,
    pick: 0,
    failed: false,
  }),
  on: {
    'block.assign': { actions: 'take' },
    'memory.data': { actions: 'takeSegment' },
    'mailbox.answer': { actions: 'takeValues' },
    'core.turn': [
      { guard: 'stale' },
      {
        guard: 'chosen',
        actions: [
          'openTurn',
          'chooseWarp',
          'issueChosen',
          'chooseWarp',
          'issueChosen',
          'chooseWarp',
          'issueChosen',
          'chooseWarp',
          'issueChosen',
          'closeTurn',
        ],
      },
      { actions: 'issue' },
    ],
  },
  initial: 'idle',
  states: {
    idle: {
      always: [
        { guard: 'failed', target: 'failed' },
        { guard: 'awake', target: 'issuing' },
      ],
    },
    issuing: {
      always: [
        { guard: 'failed', target: 'failed' },
        { guard: 'empty', target: 'idle' },
        { guard: 'asleep', target: 'waiting' },
      ],
    },
    waiting: {
      tags: ['waiting'],
      meta: waitsFor<SimtCoreContext>('memory, a message or a barrier', ({ spec }) => [
        ...spec.channels,
        spec.mailbox,
      ]),
      always: [
        { guard: 'failed', target: 'failed' },
        { guard: 'empty', target: 'idle' },
        { guard: 'awake', target: 'issuing' },
      ],
    },
    failed: {},
  },
});
