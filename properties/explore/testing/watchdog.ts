import { setup } from 'xstate';
import { z } from 'zod';
import type { InjectedFault } from '../../../kernel/faults.ts';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';
import type { Scenario } from '../../../scenarios/scenario.ts';
import { Trials } from '../trial.ts';

/*
 * A toy machine for tests: a node that sends three heartbeats, a watchdog that counts them, and two clerks who write to a board in the first tick.
 * The board takes their notes in any order, but asks one question more when the second clerk comes first.
 */

interface BoardContext {
  notes: number;
  last: number;
}
type BoardEvent = { type: 'note'; by: number };
const board = component<BoardContext, BoardEvent>();

const boardMachine = setup({
  types: {} as { context: BoardContext; events: BoardEvent; input: null },
  guards: { comesEarly: board.when((c, { by }) => by === 1 && c.notes === 0) },
  actions: {
    count: board.update((c) => {
      c.notes++;
    }),
    ponder: board.choose('ink', 3, (c, _event, pick) => {
      c.last = pick;
    }),
  },
}).createMachine({
  id: 'board',
  context: { notes: 0, last: 0 },
  initial: 'open',
  states: {
    open: { on: { note: [{ guard: 'comesEarly', actions: ['ponder', 'count'] }, { actions: 'count' }] } },
  },
});

interface NodeContext {
  readonly self: Address;
  readonly watchdog: Address;
  beats: number;
}
const node = component<NodeContext, { type: 'beat' }>();

const nodeMachine = setup({
  types: {} as { context: NodeContext; events: { type: 'beat' }; input: Omit<NodeContext, 'beats'> },
  guards: { goesOn: node.when((c) => c.beats < 3) },
  actions: {
    send: node.post((c) => ({ to: c.watchdog, type: 'heartbeat', number: c.beats }) as never),
    again: node.post((c) => ({ to: c.self, type: 'beat', delay: 1 }) as never),
    count: node.update((c) => {
      c.beats++;
    }),
  },
}).createMachine({
  id: 'node',
  context: ({ input }) => ({ ...input, beats: 0 }),
  initial: 'on',
  states: { on: { on: { beat: [{ guard: 'goesOn', actions: ['send', 'count', 'again'] }, {}] } } },
});

interface WatchdogContext {
  readonly self: Address;
  /** What is too few. */
  readonly least: number;
  readonly alarmAt: number;
  heard: number;
}
type WatchdogEvent = { type: 'heartbeat' } | { type: 'start' } | { type: 'alarm' } | { type: 'late.alarm' };
const watchdog = component<WatchdogContext, WatchdogEvent>();

const watchdogMachine = setup({
  types: {} as { context: WatchdogContext; events: WatchdogEvent; input: Omit<WatchdogContext, 'heard'> },
  guards: { tooFew: watchdog.when((c) => c.heard < c.least) },
  actions: {
    hear: watchdog.update((c) => {
      c.heard++;
    }),
    arm: watchdog.post((c) => [
      { to: c.self, type: 'alarm', delay: 5 } as never,
      ...(c.alarmAt > 0 ? [{ to: c.self, type: 'late.alarm', delay: c.alarmAt } as never] : []),
    ]),
    complain: watchdog.report<WatchdogEvent['type']>((c) => ({
      property: 'all heartbeats are heard',
      why: `${c.heard} of 3 were heard`,
    })),
  },
}).createMachine({
  id: 'watchdog',
  context: ({ input }) => ({ ...input, heard: 0 }),
  initial: 'watching',
  states: {
    watching: {
      on: {
        start: { actions: 'arm' },
        heartbeat: { actions: 'hear' },
        alarm: [{ guard: 'tooFew', actions: 'complain' }, {}],
        'late.alarm': { actions: 'complain' },
      },
    },
  },
});

interface ClerkContext {
  readonly board: Address;
  readonly number: number;
}
const clerk = component<ClerkContext, { type: 'start' }>();
const clerkMachine = setup({
  types: {} as { context: ClerkContext; events: { type: 'start' }; input: ClerkContext },
  actions: { write: clerk.post((c) => ({ to: c.board, type: 'note', by: c.number }) as never) },
}).createMachine({
  id: 'clerk',
  context: ({ input }) => input,
  initial: 'on',
  states: { on: { on: { start: { actions: 'write' } } } },
});

const config = z.strictObject({ lateAlarm: z.int().default(0) });

const machine: Machine<z.output<typeof config>> = {
  name: 'watchdog',
  config,
  programs: z.unknown(),
  mutants: new Map(),
  assemble: ({ config: { lateAlarm } }) => {
    const wiring = new Wiring();
    const [self, dog] = [wiring.reserve('Node'), wiring.reserve('Watchdog')];
    const board = wiring.place('Board', boardMachine, null);
    wiring.place(self, nodeMachine, { self, watchdog: dog });
    wiring.place(dog, watchdogMachine, { self: dog, least: 3, alarmAt: lateAlarm });
    for (const number of [0, 1]) {
      const to = wiring.place(`Clerk[${number}]`, clerkMachine, { board, number });
      wiring.boot.push({ to, type: 'start', delay: 1 });
    }
    wiring.boot.push({ to: dog, type: 'start', delay: 1 }, { to: self, type: 'beat', delay: 1 });
    return { wiring, result: () => null };
  },
  figures: () => [],
};

/** A drop of heartbeats that the choices decide on, at most once. */
const drop: InjectedFault = { kind: 'drop', type: 'heartbeat' };

/** Trials of the toy machine; with a late alarm it fails in that tick in any case. */
export function watchdogTrials(lateAlarm = 0): Trials {
  const scenario: Scenario = {
    file: 'watchdog.yaml',
    text: '',
    name: 'watchdog',
    machine: 'watchdog',
    config: { lateAlarm },
    programs: [],
    faults: [drop],
    schedule: { kind: 'fifo', seed: 0 },
  };
  return new Trials(scenario, machine as unknown as Machine, undefined);
}
