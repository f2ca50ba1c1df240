import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../../kernel/kit.ts';
import type { Address, Probe } from '../../../kernel/message.ts';
import {
  type BarrierCommand,
  descriptionOf,
  type FunctionalCommand,
  type LaunchCommand,
  type LockCommand,
  type PipeCommand,
  type ResultAnswer,
  targetOf,
  uidPlace,
} from './commands.ts';
import {
  type ArrivalOrders,
  arrivalOrders,
  bookOf,
  firstOfSource,
  forgetRecord,
  type RecordBook,
} from './latency-records.ts';
import { anyPlace, type Place, placeText, samePlace } from './place.ts';
import type {
  BarrierOpened,
  OrderDoubt,
  ProcessFreed,
  ProcessParked,
  RecordsDiscard,
  RecordUsed,
  RoundLoad,
} from './round-messages.ts';

/** A process that waits for a RESULT, and its chiplet. */
export interface Waiter {
  readonly by: Address;
  readonly source: Place;
}

/** A lock: its holder, and who waits for it in the order of asking. */
export interface FunctionalLock {
  holder: Place | null;
  queue: Waiter[];
}

/** What meets at a barrier: how many, 0 while nobody has said it, and who is there. */
export interface FunctionalBarrier {
  count: number;
  waiting: Waiter[];
}

/** Fixed when the parts are wired. */
export interface FunctionalDeskSpec {
  readonly self: Address;
  readonly timingDesk: Address;
  /** How many processes there are. */
  readonly processes: number;
}

/** A WAITLAUNCH that waits: `source` is the launcher that it waits for, `asked` the one that it named. */
export interface AwaitedLaunch extends LaunchCommand {
  readonly asked: Place;
}

/** What the functional desk remembers; barriers and locks by uid. */
export interface FunctionalDeskContext extends FunctionalDeskSpec {
  round: number;
  /** Records whose transactions have not been asked for yet. */
  records: RecordBook;
  lockOrders: ArrivalOrders;
  launchOrders: ArrivalOrders;
  barriers: Record<string, FunctionalBarrier>;
  locks: Record<string, FunctionalLock>;
  /** LAUNCHes without a WAITLAUNCH, and the other way round, in the order in which they came. */
  launches: LaunchCommand[];
  awaited: AwaitedLaunch[];
  /** By address: processes that cannot go on without another one, as far as this round has records. */
  standing: Record<string, true>;
  /** What was found out of order, one text a round at most. */
  warnings: string[];
}

/** Shown when a command is not the one that the records expect (W-ORDER). */
export interface OrderWarning extends Probe {
  readonly type: 'order.warning';
  readonly round: number;
  readonly why: string;
}

export type FunctionalDeskEvent =
  | FunctionalCommand
  | RoundLoad
  | RecordUsed
  | ProcessParked
  | ProcessFreed
  | OrderDoubt;

type Sent = ResultAnswer | RecordsDiscard | OrderDoubt;

/** The kit of functional desks, also for planted faults. */
export const functionalDeskKit = component<FunctionalDeskContext, FunctionalDeskEvent, Sent>();
const { update, act, when } = functionalDeskKit;

type Out = Outbox<Sent>;

function answer(
  desk: FunctionalDeskContext,
  out: Out,
  { by }: Pick<Waiter, 'by'>,
  ...values: readonly (string | number)[]
): void {
  delete desk.standing[by];
  out.post({ to: by, type: 'answer.result', values });
}

function lockOf(desk: FunctionalDeskContext, uid: number): FunctionalLock {
  desk.locks[uid] ??= { holder: null, queue: [] };
  return desk.locks[uid]!;
}

const lockOrder = (desk: FunctionalDeskContext, uid: number): Place[] =>
  desk.lockOrders[placeText(uidPlace(uid))] ?? [];

/** Hands a lock to a waiter, whose turn in the recorded order is over by that. */
function grant(desk: FunctionalDeskContext, out: Out, uid: number, { by, source }: Waiter): void {
  lockOf(desk, uid).holder = source;
  lockOrder(desk, uid).shift();
  answer(desk, out, { by });
}

/** Brings a LAUNCH and the WAITLAUNCH that it is for together. */
function pair(desk: FunctionalDeskContext, out: Out, launch: LaunchCommand, awaited: LaunchCommand): void {
  answer(desk, out, launch);
  answer(desk, out, awaited, launch.source.x, launch.source.y);
  desk.launchOrders[placeText(launch.target)]?.shift();
}

const launchFits = (launch: LaunchCommand, { target, source }: LaunchCommand): boolean =>
  samePlace(launch.target, target) && (samePlace(source, anyPlace) || samePlace(source, launch.source));

const launchTurn = (desk: FunctionalDeskContext, target: Place): Place | undefined =>
  desk.launchOrders[placeText(target)]?.[0];

const keptLocks = ({ locks }: FunctionalDeskContext) =>
  Object.entries(locks).filter(([, { holder, queue }]) => holder === null && queue.length > 0);

/** True when somebody waits only since the recorded order has another one before him. */
const isKept = (desk: FunctionalDeskContext): boolean =>
  keptLocks(desk).length > 0 ||
  desk.launches.some((launch) =>
    desk.awaited.some((one) => launchFits(launch, { ...one, source: one.asked })),
  );

const allStand = ({ standing, processes }: FunctionalDeskContext): boolean =>
  Object.keys(standing).length >= processes;

/**
 * Notes that a process cannot go on without another one. When that is true of all, the order is looked at again a tick later: by then everything that was answered
 * meanwhile is known here.
 */
function stand(desk: FunctionalDeskContext, out: Out, by: Address): void {
  desk.standing[by] = true;
  if (allStand(desk) && isKept(desk)) out.post({ to: desk.self, type: 'order.doubt', delay: 1, sure: false });
}

/** Drops the records of the round (W-ORDER): from now on nobody goes by them. */
function discard(desk: FunctionalDeskContext, out: Out, why: string): void {
  desk.warnings.push(`round ${desk.round}: W-ORDER ${why}; the records are discarded`);
  desk.records = {};
  desk.lockOrders = {};
  desk.launchOrders = {};
  out.post({ to: desk.timingDesk, type: 'records.discard' });
  out.probe<OrderWarning>({ type: 'order.warning', round: desk.round, why });
}

const named = ({ x, y }: Place): string => `(${x},${y})`;

const commands = {
  'command.send': { actions: 'givePipe' },
  'command.receive': { actions: 'givePipe' },
  'command.barrier': { actions: 'meet' },
  'command.lock': { actions: 'lock' },
  'command.unlock': { actions: 'unlock' },
  'command.launch': { actions: 'launch' },
  'command.waitlaunch': { actions: 'awaitLaunch' },
} as const;

/** A checked command: one that the records do not expect ends their use. */
const checked = <A extends string>(actions: A) =>
  [{ guard: 'unexpected', target: 'unrecorded', actions: ['discardRecords', actions] }, { actions }] as const;

/**
 * Answers functional commands (chiplet specification 9.4): pipes, barriers, locks, launches.
 *
 * Details: in `recorded` each command is compared with the latency records of the last round, which also say in what order locks and launches
 * are granted. The specification is silent on three points. These orders go with the records when those are discarded, since they are made of them.
 * A holder that asks for its lock again uses up its entry in the order: otherwise the entry would stop all that come behind it for ever. And requests
 * arrive in the network in an order that a program may not allow: one far away that asks first, and then tells one close by to ask, arrives last. When
 * nobody can go on for that reason, commands differ from the records as much as those that are compared (W-ORDER), and the records are discarded.
 */
export const functionalDesk = setup({
  types: {} as { context: FunctionalDeskContext; events: FunctionalDeskEvent; input: FunctionalDeskSpec },
  guards: {
    isHopeless: when<'order.doubt'>((desk, { sure }) => isKept(desk) && (sure || allStand(desk))),
    brings: when<'round.load'>((_desk, { records }) => records.length > 0),
    unexpected: when<FunctionalCommand['type']>((desk, command) => {
      const record = firstOfSource(desk.records, command.source);
      if (!record) return false;
      return !samePlace(record.target, targetOf(command)) || record.description !== descriptionOf(command);
    }),
  },
  actions: {
    load: update<'round.load'>((desk, { round, records }) => {
      desk.round = round;
      desk.records = bookOf(records);
      desk.lockOrders = arrivalOrders(records, 'lock');
      desk.launchOrders = arrivalOrders(records, 'launch');
      desk.barriers = {};
      desk.locks = {};
      desk.launches = [];
      desk.awaited = [];
      desk.standing = {};
    }),
    forget: update<'record.used'>((desk, used) => forgetRecord(desk.records, used)),
    discardRecords: act<FunctionalCommand['type']>((desk, command, out) => {
      const { target, description } = firstOfSource(desk.records, command.source)!;
      const why =
        `${named(command.source)} asks for ${command.type.slice('command.'.length).toUpperCase()} to ` +
        `${named(targetOf(command))} with desc ${descriptionOf(command)}; recorded was ${named(target)} with desc ${description}`;
      discard(desk, out, why);
    }),
    giveUpOrder: act<'order.doubt'>((desk, _event, out) => {
      const locks = keptLocks(desk).map(
        ([uid, { queue }]) =>
          `lock ${uid} is kept for ${named(lockOrder(desk, Number(uid))[0] ?? anyPlace)} from ${queue.map(({ source }) => named(source)).join(' and ')}`,
      );
      const launches = desk.launches.map(
        ({ source, target }) => `${named(target)} waits for another LAUNCH than that of ${named(source)}`,
      );
      discard(desk, out, `nobody can go on in the recorded order: ${[...locks, ...launches].join(', ')}`);
      for (const [uid, { queue }] of keptLocks(desk)) grant(desk, out, Number(uid), queue.shift()!);
      const awaited = desk.awaited.splice(0).map((one) => ({ ...one, source: one.asked }));
      for (const one of awaited) {
        const at = desk.launches.findIndex((launch) => launchFits(launch, one));
        const [launch] = at >= 0 ? desk.launches.splice(at, 1) : [];
        if (launch) pair(desk, out, launch, one);
        else desk.awaited.push(one);
      }
    }),
    noteParked: act<'process.parked'>((desk, { process }, out) => stand(desk, out, process)),
    noteFreed: update<'process.freed'>((desk, { process }) => {
      delete desk.standing[process];
    }),
    givePipe: act<PipeCommand['type']>((desk, command, out) => {
      const { source, target } = command;
      answer(desk, out, command, `../buffer${source.x}_${source.y}_${target.x}_${target.y}`);
    }),
    meet: act<BarrierCommand['type']>((desk, { uid, count, by, source }, out) => {
      desk.barriers[uid] ??= { count: 0, waiting: [] };
      const barrier = desk.barriers[uid]!;
      if (count !== 0) barrier.count = count;
      barrier.waiting.push({ by, source });
      if (barrier.count === 0 || barrier.waiting.length < barrier.count) {
        stand(desk, out, by);
        return;
      }
      if (out.observed) out.probe<BarrierOpened>({ type: 'barrier.opened', uid });
      for (const waiter of barrier.waiting) answer(desk, out, waiter);
      barrier.waiting = [];
    }),
    lock: act<LockCommand['type']>((desk, { uid, by, source }, out) => {
      const { holder, queue } = lockOf(desk, uid);
      const [turn] = lockOrder(desk, uid);
      const mine = holder ? samePlace(holder, source) : !turn || samePlace(turn, source);
      if (mine) grant(desk, out, uid, { by, source });
      else {
        queue.push({ by, source });
        stand(desk, out, by);
      }
    }),
    unlock: act<LockCommand['type']>((desk, { uid, by }, out) => {
      const lock = lockOf(desk, uid);
      answer(desk, out, { by });
      if (!lock.holder) return;
      lock.holder = null;
      const [turn] = lockOrder(desk, uid);
      const at = turn ? lock.queue.findIndex(({ source }) => samePlace(source, turn)) : 0;
      const [next] = at >= 0 ? lock.queue.splice(at, 1) : [];
      if (next) grant(desk, out, uid, next);
    }),
    launch: act<LaunchCommand['type']>((desk, command, out) => {
      const turn = launchTurn(desk, command.target);
      const mine = !turn || samePlace(turn, command.source);
      const at = mine ? desk.awaited.findIndex((one) => launchFits(command, one)) : -1;
      const [awaited] = at >= 0 ? desk.awaited.splice(at, 1) : [];
      if (awaited) pair(desk, out, command, awaited);
      else {
        desk.launches.push(command);
        stand(desk, out, command.by);
      }
    }),
    awaitLaunch: act<LaunchCommand['type']>((desk, command, out) => {
      const turn = launchTurn(desk, command.target);
      const wanted = turn ? { ...command, source: turn } : command;
      const at = desk.launches.findIndex((one) => launchFits(one, wanted));
      const [launch] = at >= 0 ? desk.launches.splice(at, 1) : [];
      if (launch) pair(desk, out, launch, wanted);
      else {
        desk.awaited.push({ ...wanted, asked: command.source });
        stand(desk, out, command.by);
      }
    }),
  },
}).createMachine({
  id: 'functionalDesk',
  context: ({ input }) => ({
    ...input,
    round: 0,
    records: {},
    lockOrders: {},
    launchOrders: {},
    barriers: {},
    locks: {},
    launches: [],
    awaited: [],
    standing: {},
    warnings: [],
  }),
  initial: 'unrecorded',
  on: {
    'round.load': [
      { guard: 'brings', target: '.recorded', actions: 'load' },
      { target: '.unrecorded', actions: 'load' },
    ],
  },
  states: {
    unrecorded: {
      on: {
        ...commands,
        'record.used': refused,
        'process.parked': refused,
        'process.freed': refused,
        'order.doubt': refused,
      },
    },
    recorded: {
      on: {
        ...commands,
        'command.send': checked('givePipe'),
        'command.barrier': checked('meet'),
        'command.lock': checked('lock'),
        'command.unlock': checked('unlock'),
        'command.launch': checked('launch'),
        'record.used': { actions: 'forget' },
        'process.parked': { actions: 'noteParked' },
        'process.freed': { actions: 'noteFreed' },
        'order.doubt': [{ guard: 'isHopeless', target: 'unrecorded', actions: 'giveUpOrder' }, refused],
      },
    },
  },
});
