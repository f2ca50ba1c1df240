import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { ShownBy } from '../../../kernel/protocol/protocol.ts';
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
import type { interchipletProtocol } from './protocol.ts';
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
export interface FunctionalCoordinatorSpec {
  readonly self: Address;
  readonly timingCoordinator: Address;
  /** How many processes there are. */
  readonly processes: number;
}

/** A WAITLAUNCH that waits: `source` is the launcher that it waits for, `asked` the one that it named. */
export type AwaitedLaunch = LaunchCommand & { readonly asked: Place };

/** What the functional coordinator remembers; barriers and locks by uid. */
export interface FunctionalCoordinatorContext extends FunctionalCoordinatorSpec {
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
export type OrderWarning = Extract<ShownBy<typeof interchipletProtocol>, { type: 'order.warning' }>;

export type FunctionalCoordinatorEvent =
  | FunctionalCommand
  | RoundLoad
  | RecordUsed
  | ProcessParked
  | ProcessFreed
  | OrderDoubt;

type Sent = ResultAnswer | RecordsDiscard | OrderDoubt;

/** The kit of functional coordinators, also for planted faults. */
export const functionalCoordinatorKit = component<
  FunctionalCoordinatorContext,
  FunctionalCoordinatorEvent,
  Sent
>();
const { update, act, when } = functionalCoordinatorKit;

type Out = Outbox<Sent>;

function answer(
  coordinator: FunctionalCoordinatorContext,
  out: Out,
  { by }: Pick<Waiter, 'by'>,
  ...values: readonly (string | number)[]
): void {
  delete coordinator.standing[by];
  out.post({ to: by, type: 'answer.result', values });
}

function lockOf(coordinator: FunctionalCoordinatorContext, uid: number): FunctionalLock {
  coordinator.locks[uid] ??= { holder: null, queue: [] };
  return coordinator.locks[uid]!;
}

const lockOrder = (coordinator: FunctionalCoordinatorContext, uid: number): Place[] =>
  coordinator.lockOrders[placeText(uidPlace(uid))] ?? [];

/** Hands a lock to a waiter, whose turn in the recorded order is over by that. */
function grant(
  coordinator: FunctionalCoordinatorContext,
  out: Out,
  uid: number,
  { by, source }: Waiter,
): void {
  lockOf(coordinator, uid).holder = source;
  lockOrder(coordinator, uid).shift();
  answer(coordinator, out, { by });
}

/** Brings a LAUNCH and the WAITLAUNCH that it is for together. */
function pair(
  coordinator: FunctionalCoordinatorContext,
  out: Out,
  launch: LaunchCommand,
  awaited: LaunchCommand,
): void {
  answer(coordinator, out, launch);
  answer(coordinator, out, awaited, launch.source.x, launch.source.y);
  coordinator.launchOrders[placeText(launch.target)]?.shift();
}

const launchFits = (launch: LaunchCommand, { target, source }: LaunchCommand): boolean =>
  samePlace(launch.target, target) && (samePlace(source, anyPlace) || samePlace(source, launch.source));

const launchTurn = (coordinator: FunctionalCoordinatorContext, target: Place): Place | undefined =>
  coordinator.launchOrders[placeText(target)]?.[0];

const keptLocks = ({ locks }: FunctionalCoordinatorContext) =>
  Object.entries(locks).filter(([, { holder, queue }]) => holder === null && queue.length > 0);

/** True when somebody waits only since the recorded order has another one before him. */
const isKept = (coordinator: FunctionalCoordinatorContext): boolean =>
  keptLocks(coordinator).length > 0 ||
  coordinator.launches.some((launch) =>
    coordinator.awaited.some((one) => launchFits(launch, { ...one, source: one.asked })),
  );

const allStand = ({ standing, processes }: FunctionalCoordinatorContext): boolean =>
  Object.keys(standing).length >= processes;

/**
 * Notes that a process cannot go on without another one. When that is true of all, the order is looked at again a tick later: by then everything that was answered
 * meanwhile is known here.
 */
function stand(coordinator: FunctionalCoordinatorContext, out: Out, by: Address): void {
  coordinator.standing[by] = true;
  if (allStand(coordinator) && isKept(coordinator))
    out.post({ to: coordinator.self, type: 'order.doubt', delay: 1, sure: false });
}

/** Drops the records of the round (W-ORDER): from now on nobody goes by them. */
function discard(coordinator: FunctionalCoordinatorContext, out: Out, why: string): void {
  coordinator.warnings.push(`round ${coordinator.round}: W-ORDER ${why}; the records are discarded`);
  coordinator.records = {};
  coordinator.lockOrders = {};
  coordinator.launchOrders = {};
  out.post({ to: coordinator.timingCoordinator, type: 'records.discard' });
  out.probe<OrderWarning>({ type: 'order.warning', round: coordinator.round, why });
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
export const functionalCoordinator = setup({
  types: {} as {
    context: FunctionalCoordinatorContext;
    events: FunctionalCoordinatorEvent;
    input: FunctionalCoordinatorSpec;
  },
  guards: {
    isHopeless: when<'order.doubt'>(
      (coordinator, { sure }) => isKept(coordinator) && (sure || allStand(coordinator)),
    ),
    brings: when<'round.load'>((_desk, { records }) => records.length > 0),
    unexpected: when<FunctionalCommand['type']>((coordinator, command) => {
      const record = firstOfSource(coordinator.records, command.source);
      if (!record) return false;
      return !samePlace(record.target, targetOf(command)) || record.description !== descriptionOf(command);
    }),
  },
  actions: {
    load: update<'round.load'>((coordinator, { round, records }) => {
      coordinator.round = round;
      coordinator.records = bookOf(records);
      coordinator.lockOrders = arrivalOrders(records, 'lock');
      coordinator.launchOrders = arrivalOrders(records, 'launch');
      coordinator.barriers = {};
      coordinator.locks = {};
      coordinator.launches = [];
      coordinator.awaited = [];
      coordinator.standing = {};
    }),
    forget: update<'record.used'>((coordinator, used) => forgetRecord(coordinator.records, used)),
    discardRecords: act<FunctionalCommand['type']>((coordinator, command, out) => {
      const { target, description } = firstOfSource(coordinator.records, command.source)!;
      const why =
        `${named(command.source)} asks for ${command.type.slice('command.'.length).toUpperCase()} to ` +
        `${named(targetOf(command))} with desc ${descriptionOf(command)}; recorded was ${named(target)} with desc ${description}`;
      discard(coordinator, out, why);
    }),
    giveUpOrder: act<'order.doubt'>((coordinator, _event, out) => {
      const locks = keptLocks(coordinator).map(([uid, { queue }]) => {
        const [turn] = lockOrder(coordinator, Number(uid));
        return `lock ${uid} is kept ${turn ? `for ${named(turn)} ` : ''}from ${queue.map(({ source }) => named(source)).join(' and ')}`;
      });
      const launches = coordinator.launches.map(
        ({ source, target }) => `${named(target)} waits for another LAUNCH than that of ${named(source)}`,
      );
      discard(
        coordinator,
        out,
        `nobody can go on in the recorded order: ${[...locks, ...launches].join(', ')}`,
      );
      for (const [uid, { queue }] of keptLocks(coordinator))
        grant(coordinator, out, Number(uid), queue.shift()!);
      const awaited = coordinator.awaited.splice(0).map((one) => ({ ...one, source: one.asked }));
      for (const one of awaited) {
        const at = coordinator.launches.findIndex((launch) => launchFits(launch, one));
        const [launch] = at >= 0 ? coordinator.launches.splice(at, 1) : [];
        if (launch) pair(coordinator, out, launch, one);
        else coordinator.awaited.push(one);
      }
    }),
    noteParked: act<'process.parked'>((coordinator, { process }, out) => stand(coordinator, out, process)),
    noteFreed: update<'process.freed'>((coordinator, { process }) => {
      delete coordinator.standing[process];
    }),
    givePipe: act<PipeCommand['type']>((coordinator, command, out) => {
      const { source, target } = command;
      answer(coordinator, out, command, `../buffer${source.x}_${source.y}_${target.x}_${target.y}`);
    }),
    meet: act<BarrierCommand['type']>((coordinator, { uid, count, by, source }, out) => {
      coordinator.barriers[uid] ??= { count: 0, waiting: [] };
      const barrier = coordinator.barriers[uid]!;
      if (count !== 0) barrier.count = count;
      barrier.waiting.push({ by, source });
      if (barrier.count === 0 || barrier.waiting.length < barrier.count) {
        stand(coordinator, out, by);
        return;
      }
      if (out.observed) out.probe<BarrierOpened>({ type: 'barrier.opened', uid });
      for (const waiter of barrier.waiting) answer(coordinator, out, waiter);
      barrier.waiting = [];
    }),
    lock: act<LockCommand['type']>((coordinator, { uid, by, source }, out) => {
      const { holder, queue } = lockOf(coordinator, uid);
      const [turn] = lockOrder(coordinator, uid);
      const mine = holder ? samePlace(holder, source) : !turn || samePlace(turn, source);
      if (mine) grant(coordinator, out, uid, { by, source });
      else {
        queue.push({ by, source });
        stand(coordinator, out, by);
      }
    }),
    unlock: act<LockCommand['type']>((coordinator, { uid, by }, out) => {
      const lock = lockOf(coordinator, uid);
      answer(coordinator, out, { by });
      if (!lock.holder) return;
      lock.holder = null;
      const [turn] = lockOrder(coordinator, uid);
      const at = turn ? lock.queue.findIndex(({ source }) => samePlace(source, turn)) : 0;
      const [next] = at >= 0 ? lock.queue.splice(at, 1) : [];
      if (next) grant(coordinator, out, uid, next);
    }),
    launch: act<LaunchCommand['type']>((coordinator, command, out) => {
      const turn = launchTurn(coordinator, command.target);
      const mine = !turn || samePlace(turn, command.source);
      const at = mine ? coordinator.awaited.findIndex((one) => launchFits(command, one)) : -1;
      const [awaited] = at >= 0 ? coordinator.awaited.splice(at, 1) : [];
      if (awaited) pair(coordinator, out, command, awaited);
      else {
        coordinator.launches.push(command);
        stand(coordinator, out, command.by);
      }
    }),
    awaitLaunch: act<LaunchCommand['type']>((coordinator, command, out) => {
      const turn = launchTurn(coordinator, command.target);
      const wanted = turn ? { ...command, source: turn } : command;
      const at = coordinator.launches.findIndex((one) => launchFits(one, wanted));
      const [launch] = at >= 0 ? coordinator.launches.splice(at, 1) : [];
      if (launch) pair(coordinator, out, launch, wanted);
      else {
        coordinator.awaited.push({ ...wanted, asked: command.source });
        stand(coordinator, out, command.by);
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
        // Somebody may still wait for a turn of an order that was given up with the records.
        'process.parked': { actions: 'noteParked' },
        'process.freed': { actions: 'noteFreed' },
        'order.doubt': [{ guard: 'isHopeless', actions: 'giveUpOrder' }, refused],
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
