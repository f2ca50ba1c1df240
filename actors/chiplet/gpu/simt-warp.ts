import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type ChipletEvents, chipletProtocol, type Needs, type WarpWait } from './protocol.ts';
import { units } from './units.ts';

/** A place for a warp. */
export interface SimtWarpInput {
  readonly core: Address;
  readonly mailbox: Address;
  readonly slot: number;
}

/** An entry of the scoreboard: a register with a write that is under way. */
interface PendingWrite {
  readonly register: number;
  /** The cycle from which it can be used; -1 while `load` has not all its segments. */
  readonly usable: number;
  readonly load: Address | null;
}

/** A warp: its scoreboard, and its next instruction. */
export interface SimtWarpContext {
  readonly core: Address;
  readonly mailbox: Address;
  readonly slot: number;
  /** Tells warps apart that were in one slot. */
  age: number;
  /** Its block; the core itself while the slot is free. */
  block: Address;
  needs: Needs;
  /** The first cycle in which its next instruction can issue if its registers can be used. */
  from: number;
  scoreboard: readonly PendingWrite[];
  /** What its request line says: what it waits for, and until which cycle if that is known. */
  waits: WarpWait;
  until: number;
}

const role = chipletProtocol.roles['Core.Warp'];

/** The kit of warps, also for planted faults. */
export const simtWarpKit = role.component<SimtWarpContext>();
const { post, update, when } = simtWarpKit;

type WarpEvent = ChipletEvents<'Core.Warp'>;

type Warp = SimtWarpContext;

const nothing: Needs = { registers: [], unit: units.none };

/** Entries of the scoreboard that its next instruction waits for. */
const needed = ({ scoreboard, needs }: Warp): readonly PendingWrite[] =>
  scoreboard.filter(({ register }) => needs.registers.includes(register));

/** The first cycle in which its next instruction can issue, all loads that it needs being complete (chiplet specification 7.3, scoreboard). */
function earliest({ from, scoreboard, needs }: Warp): number {
  let earliest = from;
  for (const { register, usable } of scoreboard)
    if (usable > earliest && needs.registers.includes(register)) earliest = usable;
  return earliest;
}

/** Loads that its next instruction waits for. */
const neededLoads = (warp: Warp): readonly Address[] =>
  needed(warp).flatMap(({ load }) => (load === null ? [] : [load]));

/** The first cycle in which it may issue after what it hears: in the same cycle only where its scheduler issues several instructions of one warp. */
const firstCycle = (event: WarpEvent): number =>
  'from' in event ? Math.min(event.cycle, event.from) : event.cycle;

/** It waits for something, and its request line says so. */
const waitFor = (what: WarpWait) => [{ type: 'wait', params: { for: what } }, 'tellLine'] as const;

/**
 * A warp of a SIMT core, as far as time is concerned: what keeps it from issuing its next instruction (chiplet specification 7.2, 7.3).
 *
 * Details: an instruction issues when its source and destination registers have no pending write in the scoreboard of the warp (7.3), its unit takes one and its scheduler
 * gives the warp its turn. What the instruction does to registers and memory is done by then: the core keeps them.
 */
export const simtWarp = setup({
  types: role.types<SimtWarpContext, SimtWarpInput>(),
  guards: {
    isFinished: when<'warp.issue' | 'message.values' | 'barrier.open'>((_warp, event) =>
      event.type === 'warp.issue' ? event.outcome === 'finished' : event.needs === null,
    ),
    isAtBarrier: when<'warp.issue'>((_warp, { outcome }) => outcome === 'barrier'),
    isMessage: when<'warp.issue'>((_warp, { outcome }) => outcome === 'message'),
    isOwn: when<'load.complete'>((warp, { age }) => warp.age === age),
    needsLoad: when(({ scoreboard, needs }) =>
      scoreboard.some(({ load, register }) => load !== null && needs.registers.includes(register)),
    ),
    needsResult: when((warp, event) => earliest(warp) > Math.max(firstCycle(event), warp.from)),
    isLater: when((warp, event) => warp.from > firstCycle(event)),
  },
  actions: {
    enter: update<'warp.enter'>((warp, { age, block, needs, cycle }) => {
      warp.age = age;
      warp.block = block;
      warp.needs = needs;
      warp.from = cycle;
    }),
    noteResults: update<'warp.issue'>((warp, { results, usable, load }) => {
      if (results.length === 0) return;
      warp.scoreboard = [
        ...warp.scoreboard.filter(({ register }) => !results.includes(register)),
        ...results.map((register) => ({ register, usable, load })),
      ];
    }),
    fetch: update<'warp.issue' | 'barrier.open' | 'message.values'>((warp, { needs, from }) => {
      warp.needs = needs!;
      warp.from = from;
      // What can be used by then is no write under way any more.
      if (warp.scoreboard.length > 0)
        warp.scoreboard = warp.scoreboard.filter(({ usable, load }) => load !== null || usable > from);
    }),
    fillScoreboard: update<'load.complete'>((warp, { load, usable }) => {
      warp.scoreboard = warp.scoreboard.map((entry) =>
        entry.load === load ? { register: entry.register, usable, load: null } : entry,
      );
    }),
    wait: update<WarpEvent['type'], { for: WarpWait }>((warp, event, _envelope, { for: waits }) => {
      warp.waits = waits;
      if (waits === 'turn') warp.until = Math.max(warp.from, firstCycle(event));
      else warp.until = waits === 'result' || waits === 'target' ? earliest(warp) : 0;
    }),
    tellLine: post((warp, { cycle }) => ({
      to: warp.core,
      type: 'warp.line',
      slot: warp.slot,
      waits: warp.waits,
      unit: warp.needs.unit,
      from: warp.until,
      cycle,
    })),
    clear: update((warp) => {
      warp.age = -1;
      warp.block = warp.core;
      warp.needs = nothing;
      warp.from = 0;
      warp.scoreboard = [];
      warp.waits = 'none';
      warp.until = 0;
    }),
  },
}).createMachine({
  id: 'simtWarp',
  context: ({ input: { core, mailbox, slot } }) => ({
    core,
    mailbox,
    slot,
    age: -1,
    block: core,
    needs: nothing,
    from: 0,
    scoreboard: [],
    waits: 'none',
    until: 0,
  }),
  initial: 'free',
  on: {
    'place.clear': { target: '.free', actions: ['clear', 'tellLine'] },
    'load.complete': [{ guard: 'isOwn', actions: ['fillScoreboard', 'tellLine'] }, { actions: 'tellLine' }],
  },
  states: {
    free: { on: { 'warp.enter': { target: 'decoding', actions: 'enter' } } },
    decoding: {
      always: [
        { guard: 'needsLoad', target: 'waitingForMemory' },
        { guard: 'needsResult', target: 'waitingForResult' },
        { guard: 'isLater', target: 'waitingForTarget' },
        { target: 'ready' },
      ],
    },
    waitingForMemory: {
      ...waitingFor<Warp>('the loads of registers that its next instruction needs', neededLoads),
      entry: waitFor('memory'),
      on: { 'load.complete': { guard: 'isOwn', target: 'decoding', actions: 'fillScoreboard' } },
    },
    waitingForResult: {
      ...waitingFor<Warp>('results of instructions before', ({ core }) => core),
      entry: waitFor('result'),
      on: { 'warp.due': 'ready' },
    },
    waitingForTarget: {
      ...waitingFor<Warp>('its next instruction, behind a branch or a barrier', ({ core }) => core),
      entry: waitFor('target'),
      on: { 'warp.due': 'ready' },
    },
    ready: {
      ...waitingFor<Warp>('its turn and a unit', ({ core }) => core),
      entry: waitFor('turn'),
      on: {
        'warp.issue': [
          { guard: 'isFinished', target: 'finished', actions: 'noteResults' },
          { guard: 'isAtBarrier', target: 'waitingForBarrier', actions: 'noteResults' },
          { guard: 'isMessage', target: 'waitingForMessage', actions: 'noteResults' },
          { target: 'decoding', actions: ['noteResults', 'fetch'] },
        ],
      },
    },
    waitingForBarrier: {
      ...waitingFor<Warp>('the other warps of its block at a barrier', ({ block }) => block),
      entry: waitFor('barrier'),
      on: {
        'barrier.open': { target: 'decoding', actions: 'fetch' },
      },
    },
    waitingForMessage: {
      ...waitingFor<Warp>('the values of its message instruction', ({ mailbox }) => mailbox),
      entry: waitFor('message'),
      on: {
        'message.values': [
          { guard: 'isFinished', target: 'finished' },
          { target: 'decoding', actions: 'fetch' },
        ],
      },
    },
    finished: { entry: waitFor('none') },
  },
});
