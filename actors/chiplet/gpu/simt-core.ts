import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import { stepped } from '../ptx/step.ts';
import { CoreAccount } from './core-account.ts';
import { type CoreBorder, type SimtCoreInput, tellFault, tellOthers } from './core-border.ts';
import { type CoreOutput, noOutput } from './core-output.ts';
import { LoadStoreUnit } from './load-store-unit.ts';
import { keepValues } from './message-values.ts';
import type { BlockAssign, CoreTurn, MailboxAnswer, MemoryData } from './messages.ts';
import { ownMessages } from './own-messages.ts';
import { ResidentBlocks } from './resident-blocks.ts';
import { WarpsAhead } from './run-ahead.ts';
import {
  canIssue,
  chosenSlot,
  dueSlots,
  issuable,
  keepLine,
  nextIssue,
  occupy,
  restingSchedulers,
  type Scheduling,
  stallOf,
} from './scheduling.ts';
import { barrierCyclesOf, type CyclesByIndex, cyclesByIndex, pauseBehind } from './timing.ts';
import { units } from './units.ts';
import { warpIssued } from './warp-issued.ts';
import type { BlockEvent, InsideSays, IssueOutcome, LoadEvent, Needs, WarpEvent } from './within-core.ts';

/** A core whose warps, loads and blocks are actors inside it. */
export interface WholeSimtCoreInput extends SimtCoreInput {
  /** Member 0 of the families of its warps (by slot), loads and blocks. */
  readonly warps: Address;
  readonly loads: Address;
  readonly blocks: Address;
}

/** What came of the instruction that has just issued. */
interface Issued {
  readonly outcome: IssueOutcome;
  readonly results: readonly number[];
  readonly usable: number;
  /** Number of the load that the results wait for; -1 for none. */
  readonly load: number;
  /** The first cycle in which the next instruction can issue. */
  readonly from: number;
  /** Whether others of its block may be waiting for it. */
  readonly meets: boolean;
  /** Whether the warp may issue another one in the same cycle. */
  readonly again: boolean;
  /** Whether it was an instruction of its own. */
  readonly takesSlot: boolean;
}

/** What a core remembers besides what its warps, loads and blocks do. */
export interface SimtCoreContext extends Scheduling {
  readonly spec: Fixed<Omit<WholeSimtCoreInput, 'memory'> & { readonly cycles: CyclesByIndex }>;
  readonly memory: DeviceMemory;
  readonly residents: ResidentBlocks;
  readonly unit: LoadStoreUnit;
  readonly ahead: WarpsAhead;
  readonly account: CoreAccount;
  readonly output: CoreOutput;
  /** Number of the kernel launch that its blocks are of. */
  launch: number;
  /** The cycle of its next turn; infinite when everything in it waits. */
  next: number;
  /** The cycle of the present turn, or the one in which it hears of something. */
  cycle: number;
  /** The scheduler whose turn it is; -1 outside the turns of the core. */
  scheduler: number;
  /** The warp that issues, or that goes on, and the warps that have still to be told the same: slots. After a fault: addresses of all inside it. */
  slot: number;
  serving: number[];
  issued: Issued;
  /** Instructions that the scheduler has issued in its turn. */
  issues: number;
  /** Loads in use, ascending, and blocks by place: the slot of their first warp, -1 for a free place. */
  loadsUsed: number[];
  blockPlaces: number[];
  /** The segment that came. */
  segment: number;
  failed: boolean;
}

type SimtCoreEvent = BlockAssign | CoreTurn | MemoryData | MailboxAnswer | InsideSays;
type SimtCoreSends = CoreBorder | WarpEvent | LoadEvent | BlockEvent;
type Core = SimtCoreContext;

/** The kit of cores, also for planted faults. */
export const simtCoreKit = component<Core, SimtCoreEvent, SimtCoreSends>();
const { act, choose, update, when } = simtCoreKit;

const nothingIssued: Issued = {
  outcome: 'goesOn',
  results: [],
  usable: 0,
  load: -1,
  from: 0,
  meets: false,
  again: false,
  takesSlot: true,
};

const warpAt = ({ spec }: Core, slot: number): Address => memberOf(spec.value.warps, slot);
const loadAt = ({ spec }: Core, load: number): Address => memberOf(spec.value.loads, load);

/** The actor of the block that a warp is of. */
function blockOf({ spec, residents, blockPlaces }: Core, slot: number): Address {
  return memberOf(spec.value.blocks, blockPlaces.indexOf(residents.homeOf(slot).slots[0]!));
}

function needsOf({ residents, spec }: Core, slot: number): Needs | null {
  if (residents.warpOf(slot).finished) return null;
  const next = residents.nextOf(slot);
  return { registers: next.registers, unit: spec.value.cycles.unit[next.timing]! };
}

/** Puts a number into the first free place of a list. */
function placeIn(list: number[], free: number, value: number): number {
  const at = list.indexOf(free);
  if (at < 0) return list.push(value) - 1;
  list[at] = value;
  return at;
}

const outcomes: Readonly<Record<number, IssueOutcome>> = {
  [stepped.barrier]: 'barrier',
  [stepped.message]: 'message',
  [stepped.finished]: 'finished',
};

/** Issues the next instruction of the chosen warp: what it does to registers and memory, the unit that it keeps busy, and when its results can be used. */
function issue(c: Core): void {
  const { spec, residents, slot, scheduler, cycle, account, unit, output, ahead } = c;
  const { timing, own, cycles } = spec.value;
  const { statistics } = account;
  const instruction = residents.nextOf(slot);
  const parted = statistics.counts.divergentBranches;
  const index = instruction.timing;
  const latency = cycles.latency[index]!;
  const isOwn = latency !== 0;
  c.last[scheduler] = slot;
  if (isOwn) account.issue(scheduler, cycle);
  const effect = residents.carryOut(slot, cycle, c.memory, statistics.counts);
  const warp = residents.warpOf(slot);
  const of = cycles.unit[index]!;
  let usable = cycle + latency;
  let load = -1;
  if (warp.active !== 0) {
    const lead = ahead.lead(slot, instruction, cycle);
    const early = usable - lead;
    if (latency > 0) usable = Math.max(cycle + 1, early);
    if (of === units.memory) {
      const next = c.loadsUsed.indexOf(0) < 0 ? c.loadsUsed.length : c.loadsUsed.indexOf(0);
      usable = unit.access(warp, next, instruction, cycle, lead, output, statistics);
      if (unit.missing.length > 0) load = placeIn(c.loadsUsed, 0, 1);
    }
    occupy(c, scheduler, of, of === units.memory ? unit.free : cycle + cycles.interval[index]!, timing);
    ahead.issued(slot, instruction, instruction.access === null ? early : usable, load);
  }
  if (effect === stepped.message) output.messages.push({ slot, lanes: ownMessages(warp, instruction, own) });
  if (isOwn) c.issues++;
  // By `any` one at a time, and none behind a branch or a barrier.
  const again =
    effect === stepped.on &&
    timing.scheduler !== 'any' &&
    (!isOwn ||
      (c.issues < timing.issuesPerWarp &&
        (instruction.kind === 'lanes' || instruction.kind === 'together' || instruction.kind === 'memory')));
  const penalty = isOwn && statistics.counts.divergentBranches > parted ? timing.divergencePenalty : 0;
  const pause = again ? 0 : pauseBehind(warp, instruction, timing);
  c.issued = {
    outcome: outcomes[effect] ?? 'goesOn',
    results: warp.active === 0 ? [] : instruction.results,
    usable: load < 0 ? usable : -1,
    load,
    from: cycle + (again ? 0 : 1) + (effect === stepped.on ? penalty + pause : 0),
    again,
    takesSlot: isOwn,
    meets: effect === stepped.barrier || effect === stepped.arrived || effect === stepped.finished,
  };
}

/** Tells several warps the same, one after the other; then it goes on with `next`. */
const tellEach = <const Tell extends string>(tell: Tell, next: string) =>
  ({
    initial: 'next',
    states: {
      next: {
        always: [{ guard: 'someoneLeft', target: 'telling', actions: tell }, { target: next }],
      },
      telling: { on: { 'warp.line': { target: 'next', actions: 'keepLine' } } },
    },
  }) as const;

/**
 * A SIMT core (chiplet specification 7.3): takes blocks, gives their warps their turns, asks memory and mailbox for what they wait for. What keeps a warp from issuing is told by
 * `simt-warp.ts`, one actor each; loads that wait for memory by `memory-load.ts`, blocks and their barriers by `block-place.ts`.
 *
 * Details: a message is handled to its end, by all actors that are inside the core, before the next one comes.
 */
export const simtCore = setup({
  types: {} as { context: Core; events: SimtCoreEvent; input: WholeSimtCoreInput },
  guards: {
    isStale: when<'core.turn'>((c, { cycle }) => cycle !== c.next),
    isChoice: when(({ spec }) => spec.value.timing.scheduler === 'any'),
    allHadTurn: when((c) => c.scheduler >= c.spec.value.timing.schedulersPerCore),
    inTurn: when((c) => c.scheduler >= 0),
    nobodyCanIssue: when((c) => c.slot < 0),
    someoneLeft: when((c) => c.serving.length > 0),
    hasToLoad: when((c) => c.issued.load >= 0),
    issuesAgain: when<'warp.line'>((c, line) => c.issued.again && canIssue(c, line, c.cycle)),
    tookNoSlot: when((c) => !c.issued.takesSlot),
    meetsOthers: when((c) => c.issued.meets),
    blockHasEnded: when((c) => c.residents.homeOf(c.slot).block.finished),
    hasFailed: when((c) => c.failed),
    isEmpty: when((c) => c.residents.empty),
    allWait: when((c) => c.next === Number.POSITIVE_INFINITY),
  },
  actions: {
    takeBlock: act<'block.assign'>((c, { launch, number, block, cycle }, out) => {
      c.launch = number;
      c.cycle = cycle - 1;
      if (c.residents.empty) c.account.begin(cycle);
      const { slots } = c.residents.take(launch.value, block, c.spec.value.timing.cores, c.memory);
      for (const slot of slots) c.ahead.enter(slot, c.residents.warpOf(slot).home.kernel.registerCount);
      c.serving = [...slots];
      placeIn(c.blockPlaces, -1, slots[0]!);
      out.post({ to: blockOf(c, slots[0]!), type: 'block.enter', number: block, cycle });
    }),
    enterWarp: act((c, _event, out) => {
      const slot = c.serving.shift()!;
      out.post({
        to: warpAt(c, slot),
        type: 'warp.enter',
        age: c.residents.ageOf(slot),
        block: blockOf(c, slot),
        needs: needsOf(c, slot)!,
        cycle: c.cycle + 1,
      });
    }),
    keepLine: update<'warp.line'>((c, line) => keepLine(c, line)),
    findLoads: update<'memory.data'>((c, { request, cycle }) => {
      const found = c.unit.answered(request);
      c.cycle = cycle - 1;
      c.segment = found?.segment ?? -1;
      c.serving = [...(found?.loads ?? [])];
    }),
    tellLoad: act((c, _event, out) => {
      const load = c.serving.shift()!;
      out.post({
        to: loadAt(c, load),
        type: 'segment.came',
        segment: c.segment,
        cycle: c.cycle + 1,
      });
    }),
    completeLoad: act<'load.over'>((c, { load, slot, age, usable, cycle }, out) => {
      c.loadsUsed[load] = 0;
      c.ahead.complete(load, usable);
      out.post({ to: warpAt(c, slot), type: 'load.complete', load: loadAt(c, load), age, usable, cycle });
    }),
    takeValues: act<'mailbox.answer'>((c, { ticket: slot, values, cycle }, out) => {
      const { residents, account } = c;
      c.cycle = cycle - 1;
      c.slot = slot;
      keepValues(residents.warpOf(slot), residents.nextOf(slot), values, account.statistics);
      const needs = needsOf(c, slot);
      c.issued = { ...nothingIssued, meets: needs === null };
      out.post({ to: warpAt(c, slot), type: 'message.values', needs, from: cycle, cycle });
    }),
    openTurn: update<'core.turn'>((c, { cycle }) => {
      c.cycle = cycle;
      c.next = Number.POSITIVE_INFINITY;
      c.scheduler = 0;
      c.serving = dueSlots(c, cycle);
    }),
    wakeWarp: act((c, _event, out) => {
      out.post({ to: warpAt(c, c.serving.shift()!), type: 'warp.due', cycle: c.cycle });
    }),
    chooseByRule: update((c) => {
      c.slot = chosenSlot(c, c.spec.value.timing, c.scheduler, c.cycle);
    }),
    chooseWarp: choose(
      'warp that issues',
      (c) => Math.max(1, issuable(c, c.scheduler, c.cycle).length),
      (c, _event, pick) => {
        c.slot = issuable(c, c.scheduler, c.cycle)[pick] ?? -1;
      },
    ),
    noteStall: update((c) => {
      c.account.passTo(c.scheduler, c.cycle);
      c.account.stall(c.scheduler, stallOf(c, c.scheduler));
    }),
    nextScheduler: update((c) => {
      c.scheduler++;
      c.issues = 0;
    }),
    issue: act((c, _event, out) => {
      c.account.passTo(c.scheduler, c.cycle);
      if (out.observed) out.probe(warpIssued(c.residents.nextOf(c.slot), c.slot, c.cycle));
      try {
        issue(c);
      } catch (error) {
        c.failed = true;
        tellFault(c.spec.value, error, c.cycle, out);
      }
    }),
    openLoad: act((c, _event, out) => {
      const { slot, issued, unit } = c;
      out.post({
        to: loadAt(c, issued.load),
        type: 'load.open',
        slot,
        age: c.residents.ageOf(slot),
        segments: unit.missing,
        usable: unit.done,
        cycle: c.cycle + 1,
      });
    }),
    tellIssue: act((c, _event, out) => {
      const { slot, issued } = c;
      const { outcome, results, usable, load, from } = issued;
      out.post({
        to: warpAt(c, slot),
        type: 'warp.issue',
        outcome,
        results,
        usable,
        load: load < 0 ? null : loadAt(c, load),
        needs: outcome === 'goesOn' ? needsOf(c, slot) : null,
        from,
        cycle: c.cycle + 1,
      });
    }),
    openBarriers: act((c, _event, out) => {
      const { residents, slot, account } = c;
      const home = residents.homeOf(slot);
      for (const released of [residents.openBarrier(home), residents.openClusterBarrier(home)]) {
        if (released === undefined) continue;
        account.statistics.counts.barriersCompleted++;
        c.serving.push(...released);
      }
      const { waiting, missing } = residents.gathering(home);
      out.post({
        to: blockOf(c, slot),
        type: 'block.gather',
        waiting: waiting.map((one) => warpAt(c, one)),
        missing: missing.map((one) => warpAt(c, one)),
        cycle: c.cycle + 1,
      });
    }),
    letWarpGo: act((c, _event, out) => {
      const slot = c.serving.shift()!;
      out.post({
        to: warpAt(c, slot),
        type: 'barrier.open',
        needs: needsOf(c, slot),
        from: c.cycle + barrierCyclesOf(c.spec.value.timing, c.residents.homeOf(slot).slots.length),
        cycle: c.cycle + 1,
      });
    }),
    endBlock: act((c, _event, out) => {
      const home = c.residents.homeOf(c.slot);
      const to = blockOf(c, c.slot);
      c.blockPlaces[c.blockPlaces.indexOf(home.slots[0]!)] = -1;
      c.residents.leave(home);
      c.output.ended.push(home.block.number);
      c.serving = [...home.slots];
      out.post({ to, type: 'place.clear', cycle: c.cycle + 1 });
    }),
    clearWarp: act((c, _event, out) => {
      const slot = c.serving.shift()!;
      c.lines = c.lines.filter((line) => line.slot !== slot);
      out.post({ to: warpAt(c, slot), type: 'place.clear', cycle: c.cycle + 1 });
    }),
    findAll: update((c) => {
      const { spec, lines, loadsUsed, blockPlaces } = c;
      c.serving = [
        ...lines.map(({ slot }) => warpAt(c, slot)),
        ...loadsUsed.flatMap((used, load) => (used ? [loadAt(c, load)] : [])),
        ...blockPlaces.flatMap((slot, place) => (slot < 0 ? [] : [memberOf(spec.value.blocks, place)])),
      ];
    }),
    clearPlace: act((c, _event, out) => {
      out.post({ to: c.serving.shift() as Address, type: 'place.clear', cycle: c.cycle + 1 });
    }),
    tellOthers: act((c, _event, out) => {
      const { spec, account, output, cycle } = c;
      const inTurn = c.scheduler >= 0;
      if (!inTurn) account.settle(cycle + 1, (scheduler) => stallOf(c, scheduler));
      tellOthers(spec.value, c.launch, output, account, cycle, out);
      const next = nextIssue(c, cycle);
      if (inTurn && next !== cycle + 1) account.settle(cycle, (scheduler) => stallOf(c, scheduler));
      // Nothing of the handling is left behind.
      c.cycle = 0;
      c.scheduler = -1;
      c.slot = -1;
      c.segment = -1;
      c.issued = nothingIssued;
      if (next >= c.next) return;
      c.next = next;
      out.post({ to: spec.value.self, type: 'core.turn', cycle: next, delay: next - cycle });
    }),
  },
}).createMachine({
  id: 'simtCore',
  context: ({ input: { memory, ...spec } }) => ({
    spec: fixed({ ...spec, cycles: cyclesByIndex(spec.timing) }),
    memory,
    residents: new ResidentBlocks(spec.number, spec.timing.warpsPerCore),
    unit: new LoadStoreUnit(spec.timing, spec.timing.l1),
    ahead: new WarpsAhead(spec.timing.hoistsLoads),
    account: new CoreAccount(spec.timing.schedulersPerCore),
    output: noOutput(),
    ...restingSchedulers(spec.timing.schedulersPerCore),
    launch: 0,
    next: Number.POSITIVE_INFINITY,
    cycle: 0,
    scheduler: -1,
    slot: -1,
    serving: [],
    issued: nothingIssued,
    issues: 0,
    loadsUsed: [],
    blockPlaces: [],
    segment: -1,
    failed: false,
  }),
  initial: 'resting',
  states: {
    resting: {
      initial: 'idle',
      on: {
        'block.assign': { target: 'entering', actions: 'takeBlock' },
        'memory.data': { target: 'filling', actions: 'findLoads' },
        'mailbox.answer': { target: 'answering', actions: 'takeValues' },
        'core.turn': [{ guard: 'isStale' }, { target: 'turn', actions: 'openTurn' }],
      },
      states: {
        idle: {},
        // It has asked for a turn.
        counting: {},
        waiting: {
          ...waitingFor<Core>('what its warps wait for', (c) => c.lines.map(({ slot }) => warpAt(c, slot))),
        },
      },
    },
    entering: {
      initial: 'block',
      states: {
        block: { on: { 'block.noted': 'warps' } },
        warps: tellEach('enterWarp', '#simtCore.settling'),
      },
    },
    filling: {
      initial: 'next',
      states: {
        next: {
          always: [
            { guard: 'someoneLeft', target: 'telling', actions: 'tellLoad' },
            { target: '#simtCore.settling' },
          ],
        },
        telling: {
          on: { 'load.noted': 'next', 'load.over': { target: 'completing', actions: 'completeLoad' } },
        },
        completing: { on: { 'warp.line': { target: 'next', actions: 'keepLine' } } },
      },
    },
    answering: {
      on: {
        'warp.line': [
          { guard: 'meetsOthers', target: 'meeting', actions: 'keepLine' },
          { target: 'settling', actions: 'keepLine' },
        ],
      },
    },
    turn: {
      initial: 'waking',
      states: {
        waking: tellEach('wakeWarp', '#simtCore.turn.choosing'),
        choosing: {
          always: [
            { guard: 'allHadTurn', target: '#simtCore.settling' },
            { guard: 'isChoice', target: 'chosen', actions: 'chooseWarp' },
            { target: 'chosen', actions: 'chooseByRule' },
          ],
        },
        chosen: {
          always: [
            { guard: 'nobodyCanIssue', target: 'choosing', actions: ['noteStall', 'nextScheduler'] },
            { target: 'issuing', actions: 'issue' },
          ],
        },
        issuing: {
          always: [
            { guard: 'hasFailed', target: '#simtCore.stopping' },
            { guard: 'hasToLoad', target: 'loading', actions: 'openLoad' },
            { target: 'issued', actions: 'tellIssue' },
          ],
        },
        loading: { on: { 'load.noted': { target: 'issued', actions: 'tellIssue' } } },
        issued: {
          on: {
            'warp.line': [
              { guard: 'meetsOthers', target: '#simtCore.meeting', actions: ['keepLine', 'nextScheduler'] },
              { guard: 'issuesAgain', target: 'issuing', actions: ['keepLine', 'issue'] },
              { guard: 'tookNoSlot', target: 'choosing', actions: 'keepLine' },
              { target: 'choosing', actions: ['keepLine', 'nextScheduler'] },
            ],
          },
        },
      },
    },
    meeting: {
      initial: 'judging',
      states: {
        judging: {
          always: [
            { guard: 'blockHasEnded', target: 'ending', actions: 'endBlock' },
            { target: 'gathering', actions: 'openBarriers' },
          ],
        },
        gathering: { on: { 'block.noted': 'releasing' } },
        releasing: tellEach('letWarpGo', '#simtCore.meeting.over'),
        ending: { on: { 'block.noted': 'clearing' } },
        clearing: {
          initial: 'next',
          states: {
            next: {
              always: [
                { guard: 'someoneLeft', target: 'telling', actions: 'clearWarp' },
                { target: '#simtCore.meeting.over' },
              ],
            },
            telling: { on: { 'warp.line': 'next' } },
          },
        },
        over: {
          always: [{ guard: 'inTurn', target: '#simtCore.turn.choosing' }, { target: '#simtCore.settling' }],
        },
      },
    },
    settling: {
      entry: 'tellOthers',
      always: [
        { guard: 'isEmpty', target: 'resting.idle' },
        { guard: 'allWait', target: 'resting.waiting' },
        { target: 'resting.counting' },
      ],
    },
    stopping: {
      entry: 'findAll',
      initial: 'next',
      states: {
        next: {
          always: [
            { guard: 'someoneLeft', target: 'clearing', actions: 'clearPlace' },
            { target: '#simtCore.failed' },
          ],
        },
        clearing: { on: { 'warp.line': 'next', 'load.noted': 'next', 'block.noted': 'next' } },
      },
    },
    failed: { on: { 'block.assign': {}, 'memory.data': {}, 'mailbox.answer': {}, 'core.turn': {} } },
  },
});
