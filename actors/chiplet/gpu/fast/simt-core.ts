import { setup } from 'xstate';
import { waitingFor } from '../../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import type { DeviceMemory } from '../../ptx/device-memory.ts';
import { type CoreAddresses, type SimtCoreInput, tellFault, tellOthers } from '../core-border.ts';
import { type ChipletOutbox, chipletProtocol } from '../protocol.ts';
import { warpIssued } from '../warp-issued.ts';
import { CoreState } from './core-state.ts';

/** What a core remembers. */
export interface FastCoreContext {
  readonly spec: Fixed<CoreAddresses>;
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

const role = chipletProtocol.roles.Core;
const { act, choose, update, when } = role.component<FastCoreContext>();

/** Asks for a turn in a cycle, unless there is one before. */
function wake(c: FastCoreContext, now: number, out: ChipletOutbox<'Core'>): void {
  const next = c.state.nextCycle(now);
  if (next >= c.next) return;
  c.next = next;
  out.post({ to: c.spec.value.self, type: 'core.turn', cycle: next, delay: next - now });
}

/** Keeps that the program of a kernel did something wrong. */
function noteFault(c: FastCoreContext, error: unknown, now: number, out: ChipletOutbox<'Core'>): void {
  tellFault(c.spec.value, error, now, out);
  c.failed = true;
}

/** Issues from a slot, and shows it to those who look; false for an instruction that takes no turn of the scheduler. */
function issueFrom(
  c: FastCoreContext,
  slot: number,
  scheduler: number,
  cycle: number,
  out: ChipletOutbox<'Core'>,
): boolean {
  if (out.observed) out.probe(warpIssued(c.state.nextOf(slot), slot, cycle));
  return c.state.issue(slot, scheduler, cycle, c.memory);
}

/** Each scheduler issues from a warp by its written rule. */
function issueAll(c: FastCoreContext, cycle: number, out: ChipletOutbox<'Core'>): void {
  const { state } = c;
  const { schedulersPerCore } = c.spec.value.timing;
  for (let scheduler = 0; scheduler < schedulersPerCore; scheduler++) {
    state.account.passTo(scheduler, cycle);
    // Until an instruction has taken the turn.
    for (;;) {
      const slot = state.chosen(scheduler, cycle);
      if (slot < 0) state.idle(scheduler);
      else if (!issueSeveral(c, slot, scheduler, cycle, out)) continue;
      break;
    }
  }
}

/** Issues from a slot as often as a scheduler may in a cycle: not behind control flow, and as long as registers and units are free. False when the last one took no turn. */
function issueSeveral(
  c: FastCoreContext,
  slot: number,
  scheduler: number,
  cycle: number,
  out: ChipletOutbox<'Core'>,
): boolean {
  const { state } = c;
  const { issuesPerWarp } = c.spec.value.timing;
  for (let count = 0; ; ) {
    const { kind } = state.nextOf(slot);
    const isOwn = issueFrom(c, slot, scheduler, cycle, out);
    if (isOwn) {
      count++;
      if (count >= issuesPerWarp) return true;
      const goesOn = kind === 'lanes' || kind === 'together' || kind === 'memory';
      if (!goesOn) return true;
    }
    if (!state.issuesAgain(slot, scheduler, cycle)) return isOwn;
  }
}

const closeTurn = (c: FastCoreContext, now: number, out: ChipletOutbox<'Core'>): void => {
  c.next = Number.POSITIVE_INFINITY;
  if (c.failed) return;
  tell(c, now, out);
  wake(c, now, out);
};

const tell = ({ spec, launch, state }: FastCoreContext, now: number, out: ChipletOutbox<'Core'>): void =>
  tellOthers(spec.value, launch, state.output, state.account, now, out);

/** The fast twin of `simtCore`: the same messages and probes, with all warps of the core in one piece of plain code. */
export const fastSimtCore = setup({
  types: role.types<FastCoreContext, SimtCoreInput>(),
  guards: {
    stale: when<'core.turn'>((c, { cycle }) => cycle !== c.next || c.failed),
    chosen: when((c) => c.spec.value.timing.scheduler === 'any'),
    empty: when((c) => c.state.empty && !c.failed),
    failed: when((c) => c.failed),
    asleep: when((c) => c.next === Number.POSITIVE_INFINITY),
    awake: when((c) => c.next !== Number.POSITIVE_INFINITY),
  },
  actions: {
    take: act<'block.assign'>((c, { launch, number, block, cycle }, out) => {
      c.launch = number;
      c.state.assign(launch.value, block, c.spec.value.timing.cores, c.memory, cycle);
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
      (c, { cycle }) => (c.failed ? 1 : Math.max(1, c.state.issuable(c.scheduler, cycle).length)),
      (c, _event, pick) => {
        c.pick = pick;
      },
    ),
    issueChosen: act<'core.turn'>((c, { cycle }, out) => {
      const { state, scheduler, failed } = c;
      if (failed || scheduler >= c.spec.value.timing.schedulersPerCore) return;
      state.account.passTo(scheduler, cycle);
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
  id: 'fastSimtCore',
  context: ({ input: { memory, ...spec } }) => ({
    spec: fixed(spec),
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
      ...waitingFor<FastCoreContext>('memory, a message or a barrier', ({ spec }) => [
        ...spec.value.channels,
        spec.value.mailbox,
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
