import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { flitsOf } from './bench-line.ts';
import { cycleAt, systemTime } from './clock.ts';
import {
  barrierCountMax,
  type CycleCommand,
  descriptions,
  type SyncAnswer,
  type TransferCommand,
} from './commands.ts';
import { bookOf, firstOfPair, forgetRecord, isAcknowledged, type RecordBook } from './latency-records.ts';
import { type Place, placeText, samePlace } from './place.ts';
import type {
  BarrierOpened,
  BenchAdd,
  ProcessEnded,
  ProcessFreed,
  ProcessParked,
  RecordsDiscard,
  RecordUsed,
  RoundLoad,
} from './round-messages.ts';

/** A lock in time; apart from the functional lock of the same uid. */
export interface TimingLock {
  holder: Place | null;
  /** When the last lock or unlock of this uid was over, in time of the system; null before the first. */
  last: number | null;
  waiting: TransferCommand[];
}

/** A barrier in time: how many meet, 0 while nobody has said it, and who is there. */
export interface TimingBarrier {
  count: number;
  waiting: TransferCommand[];
}

/** Fixed when the parts are wired. */
export interface TimingCoordinatorSpec {
  readonly functionalCoordinator: Address;
  /** Who is told of transactions and ends. */
  readonly rounds: Address;
  /** Rates of the clocks of processes by address; 1 for those that are absent. */
  readonly clockRates: Readonly<Record<string, number>>;
  /** Rate of the clock of the network. */
  readonly networkRate: number;
  /** Bytes that a flit carries. */
  readonly flitBytes: number;
}

/** What the timing coordinator remembers; barriers and locks by their place. */
export interface TimingCoordinatorContext extends TimingCoordinatorSpec {
  records: RecordBook;
  /** WRITEs without their READ, and the other way round, in the order in which they came. */
  writes: TransferCommand[];
  reads: TransferCommand[];
  barriers: Record<string, TimingBarrier>;
  locks: Record<string, TimingLock>;
  /** True in a round that began with records: somebody may wait for his turn in their order, also when they are discarded. */
  recorded: boolean;
  /** By address, in a round with records: who cannot go on without another process. */
  parked: Record<string, true>;
}

type Event = TransferCommand | CycleCommand | RoundLoad | RecordsDiscard;
type Sent = SyncAnswer | BenchAdd | ProcessEnded | ProcessParked | ProcessFreed | RecordUsed;

/** The kit of timing coordinators, also for planted faults. */
export const timingCoordinatorKit = component<TimingCoordinatorContext, Event, Sent>();
const { update, act, when } = timingCoordinatorKit;

/** What a coordinator posts to. */
export type TimingOutbox = Outbox<Sent>;

const rateOf = (coordinator: TimingCoordinatorContext, by: Address): number =>
  coordinator.clockRates[by] ?? 1;

/** When a command was given, in time of the system. */
export const timeOf = (
  coordinator: TimingCoordinatorContext,
  { by, cycle }: CycleCommand | TransferCommand,
): number => systemTime(cycle, rateOf(coordinator, by));

/** Tells a process where it goes on. */
export function sync(
  coordinator: TimingCoordinatorContext,
  out: TimingOutbox,
  { by }: TransferCommand,
  end: number,
): void {
  out.post({ to: by, type: 'answer.sync', cycle: cycleAt(end, rateOf(coordinator, by)) });
  if (!coordinator.parked[by]) return;
  delete coordinator.parked[by];
  out.post({ to: coordinator.functionalCoordinator, type: 'process.freed', process: by });
}

/** Notes that a process goes on only when another one acts, or never: the functional coordinator looks whether anybody can. */
function park(coordinator: TimingCoordinatorContext, out: TimingOutbox, by: Address): void {
  if (!coordinator.recorded || coordinator.parked[by]) return;
  coordinator.parked[by] = true;
  out.post({ to: coordinator.functionalCoordinator, type: 'process.parked', process: by });
}

/** Writes a transaction into the trace of phase 2. */
export function addBench(
  coordinator: TimingCoordinatorContext,
  out: TimingOutbox,
  write: TransferCommand,
  read: TransferCommand = write,
): void {
  const line = {
    sourceCycle: cycleAt(timeOf(coordinator, write), coordinator.networkRate),
    targetCycle: cycleAt(timeOf(coordinator, read), coordinator.networkRate),
    source: write.source,
    target: write.target,
    flits: flitsOf(write.bytes, coordinator.flitBytes),
    description: write.description | read.description,
  };
  out.post({ to: coordinator.rounds, type: 'bench.add', line });
}

/** Ends of a transaction in time of the system; uses up the first record of its pair (chiplet specification 9.5). */
export function ends(
  coordinator: TimingCoordinatorContext,
  out: TimingOutbox,
  write: TransferCommand,
  readTime: number,
): { readonly write: number; readonly read: number } {
  const writeTime = timeOf(coordinator, write);
  const record = firstOfPair(coordinator.records, write.source, write.target);
  if (!record) {
    const both = Math.max(writeTime, readTime) + flitsOf(write.bytes, coordinator.flitBytes);
    return { write: both, read: both };
  }
  forgetRecord(coordinator.records, record);
  out.post({
    to: coordinator.functionalCoordinator,
    type: 'record.used',
    source: record.source,
    line: record.line,
  });
  const [sent = 0, arrived = 0, taken = 0, acknowledgement = 0] = record.latencies;
  const arrival = Math.max(writeTime + arrived, readTime);
  if (isAcknowledged(record)) return { write: arrival + acknowledgement, read: arrival + taken };
  return { write: writeTime + sent, read: arrival };
}

/** Answers both ends of a transfer. */
export function completeTransfer(
  coordinator: TimingCoordinatorContext,
  out: TimingOutbox,
  write: TransferCommand,
  read: TransferCommand,
): void {
  addBench(coordinator, out, write, read);
  const end = ends(coordinator, out, write, timeOf(coordinator, read));
  sync(coordinator, out, write, end.write);
  sync(coordinator, out, read, end.read);
}

/** True for the two ends of one transfer: equal source, target and size. */
export const fitTogether = (one: TransferCommand, other: TransferCommand): boolean =>
  samePlace(one.source, other.source) && samePlace(one.target, other.target) && one.bytes === other.bytes;

/** When the last of a barrier has arrived: by its record of the last round, at its own cycle and size without one. */
export const arrivalAtBarrier = (coordinator: TimingCoordinatorContext, write: TransferCommand): number => {
  const record = firstOfPair(coordinator.records, write.source, write.target);
  return record
    ? record.cycle + (record.latencies[1] ?? 0)
    : timeOf(coordinator, write) + flitsOf(write.bytes, coordinator.flitBytes);
};

function lockOf(coordinator: TimingCoordinatorContext, { target }: TransferCommand): TimingLock {
  const uid = placeText(target);
  coordinator.locks[uid] ??= { holder: null, last: null, waiting: [] };
  return coordinator.locks[uid]!;
}

/** Hands a free lock to a WRITE, behind the last end of this lock. */
function take(coordinator: TimingCoordinatorContext, out: TimingOutbox, write: TransferCommand): void {
  const lock = lockOf(coordinator, write);
  const end = ends(coordinator, out, write, lock.last ?? timeOf(coordinator, write));
  sync(coordinator, out, write, end.write);
  lock.last = end.read;
  lock.holder = write.source;
}

function barrierOf(coordinator: TimingCoordinatorContext, { target }: TransferCommand): TimingBarrier {
  const uid = placeText(target);
  coordinator.barriers[uid] ??= { count: 0, waiting: [] };
  return coordinator.barriers[uid]!;
}

/** Where the other end of a transfer waits, in the list of its kind; -1 when it has not come. */
export function partnerOf({ reads, writes }: TimingCoordinatorContext, end: TransferCommand): number {
  return (end.type === 'command.write' ? reads : writes).findIndex((other) => fitTogether(end, other));
}

const has = (bit: keyof typeof descriptions) =>
  when<'command.write'>((_desk, { description }) => (description & descriptions[bit]) !== 0);
const lockWhere = (holds: (lock: TimingLock, command: TransferCommand) => boolean) =>
  when<'command.write'>((coordinator, write) => {
    const lock = coordinator.locks[placeText(write.target)];
    return lock !== undefined && holds(lock, write);
  });

/**
 * Answers timing commands (chiplet specification 9.5): pairs WRITEs and READs, and says in which cycle each process goes on.
 *
 * Details: time of the system is kept as doubles, cycles of a clock are floors of it. A transaction takes what the network said it took in the
 * last round; without a record, one time unit a flit. The order of commands is the order in which they come here.
 */
export const timingCoordinator = setup({
  types: {} as { context: TimingCoordinatorContext; events: Event; input: TimingCoordinatorSpec },
  guards: {
    isBarrier: has('barrier'),
    isLock: has('lock'),
    isUnlock: has('unlock'),
    partnerWaits: when<TransferCommand['type']>((coordinator, end) => partnerOf(coordinator, end) >= 0),
    allHaveCome: when<'command.write'>((coordinator, { target }) => {
      const { count, waiting } = coordinator.barriers[placeText(target)]!;
      return count !== 0 && waiting.length >= count;
    }),
    isHeld: lockWhere(({ holder }) => holder !== null),
    isOwn: lockWhere(({ holder }, { source }) => holder !== null && samePlace(holder, source)),
    someoneQueues: lockWhere(({ waiting }) => waiting.length > 0),
  },
  actions: {
    load: update<'round.load'>((coordinator, { records }) => {
      coordinator.records = bookOf(records);
      coordinator.recorded = records.length > 0;
      coordinator.parked = {};
      coordinator.writes = [];
      coordinator.reads = [];
      coordinator.barriers = {};
      coordinator.locks = {};
    }),
    discard: update<'records.discard'>((coordinator) => {
      coordinator.records = {};
    }),
    completeTransfer: act<TransferCommand['type']>((coordinator, end, out) => {
      const isWrite = end.type === 'command.write';
      const [other] = (isWrite ? coordinator.reads : coordinator.writes).splice(
        partnerOf(coordinator, end),
        1,
      );
      if (isWrite) completeTransfer(coordinator, out, end, other!);
      else completeTransfer(coordinator, out, other!, end);
    }),
    keepEnd: update<TransferCommand['type']>((coordinator, end) => {
      (end.type === 'command.write' ? coordinator.writes : coordinator.reads).push(end);
    }),
    park: act<TransferCommand['type']>((coordinator, { by }, out) => park(coordinator, out, by)),
    addToTrace: act<'command.write'>((coordinator, write, out) => addBench(coordinator, out, write)),
    arrive: update<'command.write'>((coordinator, write) => {
      const barrier = barrierOf(coordinator, write);
      const count = write.description & barrierCountMax;
      if (count !== 0) barrier.count = count;
      barrier.waiting.push(write);
    }),
    openBarrier: act<'command.write'>((coordinator, write, out) => {
      const barrier = barrierOf(coordinator, write);
      if (out.observed) out.probe<BarrierOpened>({ type: 'barrier.opened', uid: write.target.x });
      const items = barrier.waiting;
      barrier.waiting = [];
      const overflow = Math.max(...items.map((item) => arrivalAtBarrier(coordinator, item)));
      for (const item of items) sync(coordinator, out, item, ends(coordinator, out, item, overflow).write);
    }),
    takeLock: act<'command.write'>((coordinator, write, out) => take(coordinator, out, write)),
    goOn: act<'command.write'>((coordinator, write, out) => {
      sync(coordinator, out, write, ends(coordinator, out, write, timeOf(coordinator, write)).write);
    }),
    queueForLock: update<'command.write'>((coordinator, write) => {
      lockOf(coordinator, write).waiting.push(write);
    }),
    giveBack: act<'command.write'>((coordinator, write, out) => {
      const lock = lockOf(coordinator, write);
      const end = ends(coordinator, out, write, lock.last ?? timeOf(coordinator, write));
      sync(coordinator, out, write, end.write);
      lock.last = end.read;
      lock.holder = null;
    }),
    handOn: act<'command.write'>((coordinator, write, out) => {
      take(coordinator, out, lockOf(coordinator, write).waiting.shift()!);
    }),
    tellEnd: act<'command.cycle'>((coordinator, command, out) => {
      out.post({
        to: coordinator.rounds,
        type: 'process.ended',
        process: command.by,
        time: timeOf(coordinator, command),
      });
      park(coordinator, out, command.by);
    }),
  },
}).createMachine({
  id: 'timingDesk',
  context: ({ input }) => ({
    ...input,
    records: {},
    writes: [],
    reads: [],
    barriers: {},
    locks: {},
    recorded: false,
    parked: {},
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'round.load': { actions: 'load' },
        'records.discard': { actions: 'discard' },
        'command.write': [
          { guard: 'isBarrier', target: 'barrier', actions: ['addToTrace', 'arrive'] },
          { guard: 'isLock', target: 'lock', actions: 'addToTrace' },
          { guard: 'isUnlock', target: 'unlock', actions: 'addToTrace' },
          { target: 'transfer' },
        ],
        'command.read': 'transfer',
        'command.cycle': { actions: 'tellEnd' },
      },
    },
    // What a command comes to, in no time. Who is answered goes on; who is parked waits for the command of another one.
    transfer: {
      always: [
        { guard: 'partnerWaits', target: 'serving', actions: 'completeTransfer' },
        { target: 'serving', actions: ['keepEnd', 'park'] },
      ],
    },
    barrier: {
      always: [
        { guard: 'allHaveCome', target: 'serving', actions: 'openBarrier' },
        { target: 'serving', actions: 'park' },
      ],
    },
    lock: {
      always: [
        { guard: 'isOwn', target: 'serving', actions: 'goOn' },
        { guard: 'isHeld', target: 'serving', actions: ['queueForLock', 'park'] },
        { target: 'serving', actions: 'takeLock' },
      ],
    },
    unlock: {
      always: [
        { guard: 'isHeld', target: 'handingOn', actions: 'giveBack' },
        { target: 'serving', actions: 'goOn' },
      ],
    },
    handingOn: {
      always: [{ guard: 'someoneQueues', target: 'serving', actions: 'handOn' }, { target: 'serving' }],
    },
  },
});
