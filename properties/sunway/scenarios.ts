import fc from 'fast-check';
import type { WrittenScenario } from '../../scenarios/written.ts';
import {
  dmaBroadcasts,
  dmaCollectives,
  multicasts,
  rmaBroadcasts,
  rmaCollectives,
} from './phases/broadcasts.ts';
import { cached, crowded } from './phases/cached.ts';
import { now } from './phases/drawn.ts';
import type { DrawnBy } from './phases/drawn-by.ts';
import { exchanges } from './phases/exchanges.ts';
import { heaps } from './phases/heaps.ts';
import {
  halfMeetings,
  hostLocks,
  hostMeetings,
  interruptionsOf,
  meetings,
  nodeMeetings,
} from './phases/meetings.ts';
import { mistakes } from './phases/mistakes.ts';
import { neighbours } from './phases/neighbours.ts';
import { idleWaits, passes, streams, windows } from './phases/passes.ts';
import { reductions } from './phases/reductions.ts';
import { alarms, askedHosts, askedPlaces, outputs, taskFetches } from './phases/services.ts';
import { sharedCopies, sharedStores } from './phases/shared.ts';
import { handlings, type Phase, Stage } from './phases/stage.ts';
import { tables } from './phases/tables.ts';
import { blockingMoves, bounces, longMoves, marks, moves, overlaps, rereads } from './phases/transfers.ts';
import { declinedTries, hostTries, sums, turns, userLocks } from './phases/turns.ts';

/*
 * Scenarios of a node that must go well, and end with the memory of a sequential reference, whatever the schedule and the level of detail: all
 * CPEs carry out the same phases, in which each touches its own part of main memory and LDM alone, or what a barrier, a lock or a reply word
 * has handed to it. Phases that reach into the LDM of others begin and end with a barrier of the array (Sunway specification 12, P5).
 */

/** Far above what a generated program takes: one that never ends is found soon. */
const lastTick = 2_000_000;
const shareKiB = 1;
/** Signals of a job: no more tasks are handed out, and programs are stopped (Sunway specification 5.7). */
const [drainSignal, stopSignal] = [34, 35];

const machine = fc.record({
  cpesPerCg: fc.constantFrom<number[]>(2, 4, 4, 8, 8, 16, 16, 16, 24, 32),
  fidelity: now<'tlm' | 'functional' | 'flit'>('tlm', 'functional', 'flit'),
  maxJitter: now(0, 1, 17, 300),
  reorder: now(false, true),
  cacheKiB: now<0 | 32 | 128>(0, 32, 32, 128),
  shareMode: now(-1, 0, 1, 2, 2),
  handling: fc.option(fc.constantFrom(...handlings), { nil: undefined, freq: 5 }),
  halts: fc.nat(3).map((one) => one === 3),
  /** When a signal stops the programs, -1 for never: nobody knows how memory ends then. */
  stopAt: fc.oneof({ weight: 7, arbitrary: fc.constant(-1) }, fc.integer({ min: 1, max: 25_000 })),
  oneByOne: fc.boolean(),
  /** What differs from the usual times: unlike ways along rows and columns, senders that slow each other down, engines and buffers that are soon full, threads that start at once. */
  times: fc.record({
    queueDepth: now(8, 1, 2),
    hopX: now(4, 1, 9),
    syncHop: now(4, 7),
    sharedOpTax: now(0, 0, 25),
    rmaBytesPerCycle: now(25.6, 25.6, 0.5),
    writeBuffer: now(64, 8, 1),
    window: now(64, 64, 2),
    spawnLatency: now(9000, 20),
    poll: now(1, 3),
    bufferFlits: now(32, 10),
    putBytesPerCycle: now(18.7, 128),
  }),
  /** Whether transfers, jobs and locks of a larger node are actors of their own, as those of small ones are; and whether a node of blocks and packets is small. */
  isExplicit: fc.nat(9).map((one) => one === 9),
  isSmall: fc.boolean(),
  /** How often threads run; whether dirty lines stay between. */
  spawns: now(1, 1, 2),
  noFlush: now(false, true),
  /** After how many cycles hosts halt arrays that work, -1 for never: nobody knows how memory ends then. */
  haltAfter: fc.oneof({ weight: 11, arbitrary: fc.constant(-1) }, fc.integer({ min: 1, max: 20_000 })),
  /** Whether the clock counts every cycle. */
  ticks: fc.nat(31).map((one) => one === 31),
  /** Whether the last call of a thread is a collective one. */
  endsTogether: now(false, true),
  clockSkew: now(0, 0, 5),
  interleaveBytes: now(0, 0, 64),
  stackInLdm: now(false, false, true),
  halves: now<'manual' | 'header'>('manual', 'manual', 'header'),
  /** What a mid file of an earlier run says, empty for none. */
  midFile: now('', '', '00010001', '01', '0100000007'),
  quitMarksDone: now(true, true, false),
  /** When no more tasks are handed out. */
  drainAt: now(-1, 0, 3000),
  fills: fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.array(fc.nat(250), { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(fc.nat(250), { minLength: 2, maxLength: 3 }) },
  ),
});
/** What a node is made from; whether there is room for transfers of many blocks. */
type Drawn = DrawnBy<typeof machine> & { readonly hasLong?: boolean };

/** What a run of the node may cost decides how large it is. */
const sized = (drawn: DrawnBy<typeof machine>): Drawn => {
  const { fidelity, isSmall, isExplicit, cpesPerCg, fills } = drawn;
  if (fidelity === 'flit' && isSmall)
    return { ...drawn, cpesPerCg: Math.min(cpesPerCg, 8), fills: fills.slice(0, cpesPerCg > 2 ? 1 : 3) };
  return isExplicit ? { ...drawn, fills: fills.slice(0, 1) } : drawn;
};

/** The node as a phase needs it, which would have nothing to do on another one. */
type Suits = (drawn: Drawn) => Partial<Drawn>;
const withLong: Suits = () => ({ hasLong: true });
const withSharing: Suits = ({ shareMode }) => ({ cpesPerCg: 16, shareMode: Math.max(0, shareMode) });
const withHandler: Suits = ({ handling }) => ({ handling: handling ?? 'computes' });
const withGroups: Suits = ({ cpesPerCg, fills }) => ({
  cpesPerCg: cpesPerCg > 8 ? 8 : cpesPerCg,
  fills: fills.length > 1 ? fills : [...fills, 7],
});
const withThreeGroups: Suits = ({ fills }) => ({
  cpesPerCg: 2,
  fills: [...fills, 7, 9].slice(0, 3),
  handling: undefined,
});
const withCache: Suits = ({ cacheKiB }) => ({ cacheKiB: cacheKiB || 32 });
const withLongAndCache: Suits = () => ({ hasLong: true, cacheKiB: 32 });
const withoutCache: Suits = () => ({ cacheKiB: 0 });
const withGroupsAndHandler: Suits = (drawn) => ({ ...withGroups(drawn), ...withHandler(drawn) });
const withHandling =
  (handling: (typeof handlings)[number]): Suits =>
  (drawn) => ({ ...withGroups(drawn), handling });
/** A small node in which blocks and packets move one by one, each an actor, with little room on their ways. */
const withFlits: Suits = ({ times }) => ({
  ...{ fidelity: 'flit', cpesPerCg: 4, fills: [7], hasLong: true, cacheKiB: 0 },
  times: { ...times, bufferFlits: 10, putBytesPerCycle: 128 },
});
/** A node of several rows whose transfers are actors: what goes along a column meets several engines. */
const withRows: Suits = () => ({ cpesPerCg: 24, isExplicit: true, fills: [7] });
/** Core groups that are halted one after the other, while others wait for them. */
const withHalts: Suits = (drawn) => ({
  ...withThreeGroups(drawn),
  times: { ...drawn.times, spawnLatency: 20 },
  haltAfter: 700,
});
/** Engines that fall behind the descriptors of a collective. */
const withSlowEngines: Suits = ({ times }) => ({
  times: { ...times, queueDepth: 1, rmaBytesPerCycle: 0.05 },
});

interface PhaseOf {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Phase>;
  readonly suits?: Suits;
}

/** What programs are made of, and how often. */
const phaseKinds = {
  moves: { weight: 6, arbitrary: moves },
  bounces: { weight: 4, arbitrary: bounces },
  blockingMoves: { weight: 2, arbitrary: blockingMoves },
  passes: { weight: 4, arbitrary: passes },
  windows: { weight: 1, arbitrary: windows },
  rmaBroadcasts: { weight: 3, arbitrary: rmaBroadcasts },
  multicasts: { weight: 2, arbitrary: multicasts },
  rmaCollectives: { weight: 2, arbitrary: rmaCollectives },
  dmaBroadcasts: { weight: 2, arbitrary: dmaBroadcasts },
  dmaCollectives: { weight: 2, arbitrary: dmaCollectives },
  meetings: { weight: 4, arbitrary: meetings },
  halfMeetings: { weight: 1, arbitrary: halfMeetings },
  hostMeetings: { weight: 1, arbitrary: hostMeetings },
  nodeMeetings: { weight: 2, arbitrary: nodeMeetings, suits: withGroups },
  neighbours: { weight: 3, arbitrary: neighbours, suits: withGroups },
  turns: { weight: 4, arbitrary: turns },
  userLocks: { weight: 1, arbitrary: userLocks },
  hostLocks: { weight: 1, arbitrary: hostLocks },
  sums: { weight: 1, arbitrary: sums },
  reductions: { weight: 3, arbitrary: reductions },
  exchanges: { weight: 2, arbitrary: exchanges },
  tables: { weight: 3, arbitrary: tables },
  sharedCopies: { weight: 2, arbitrary: sharedCopies, suits: withSharing },
  sharedStores: { weight: 2, arbitrary: sharedStores, suits: withSharing },
  cached: { weight: 3, arbitrary: cached, suits: withCache },
  heaps: { weight: 2, arbitrary: heaps },
  askedPlaces: { weight: 1, arbitrary: askedPlaces },
  outputs: { weight: 3, arbitrary: outputs },
  taskFetches: { weight: 2, arbitrary: taskFetches },
  mistakes: { weight: 2, arbitrary: mistakes },
  marks: { weight: 1, arbitrary: marks },
  alarms: { weight: 3, arbitrary: alarms, suits: withHandler },
  overlaps: { weight: 3, arbitrary: overlaps },
  longMoves: { weight: 3, arbitrary: longMoves, suits: withLong },
  rereads: { weight: 3, arbitrary: rereads, suits: withoutCache },
  streams: { weight: 3, arbitrary: streams, suits: withLong },
  crowded: { weight: 4, arbitrary: crowded, suits: withLongAndCache },
  interruptions: { weight: 3, arbitrary: interruptionsOf(), suits: withGroupsAndHandler },
  // What a host waits for comes while its handler waits for the same kind of thing.
  interruptedLocks: {
    weight: 2,
    arbitrary: interruptionsOf('lock of the node', 'lock'),
    suits: withHandling('locks'),
  },
  interruptedMeetings: { weight: 2, arbitrary: interruptionsOf('hosts'), suits: withHandling('meets') },
  hostTries: { weight: 1, arbitrary: hostTries },
  declinedTries: { weight: 1, arbitrary: declinedTries, suits: withThreeGroups },
  askedHosts: { weight: 1, arbitrary: askedHosts },
  flitTables: { weight: 1, arbitrary: tables, suits: withFlits },
  flitOverlaps: { weight: 2, arbitrary: overlaps, suits: withFlits },
  flitRereads: { weight: 1, arbitrary: rereads, suits: withFlits },
  flitMoves: { weight: 1, arbitrary: longMoves, suits: withFlits },
  rowBroadcasts: { weight: 1, arbitrary: dmaBroadcasts, suits: withRows },
  haltedMeetings: { weight: 1, arbitrary: nodeMeetings, suits: withHalts },
  fullQueues: { weight: 2, arbitrary: exchanges, suits: withSlowEngines },
  idleWaits: { weight: 2, arbitrary: idleWaits },
} as const satisfies Readonly<Record<string, PhaseOf>>;

/** The name of a kind of phase. */
export type PhaseKind = keyof typeof phaseKinds;

/** Times that differ from the usual ones, as the configuration says them. */
function changedTimes({ times, ticks }: Drawn): object {
  const groups: Record<string, Record<string, number>> = {};
  const change = (group: string, name: string, value: number, usual: number): void => {
    if (value !== usual) groups[group] = { ...groups[group], [name]: value };
  };
  change('dma', 'queueDepth', times.queueDepth, 8);
  change('dma', 'window', times.window, 64);
  change('mc', 'writeBuffer', times.writeBuffer, 64);
  change('rma', 'hopX', times.hopX, 4);
  change('rma', 'sharedOpTax', times.sharedOpTax, 0);
  change('rma', 'bytesPerCycle', times.rmaBytesPerCycle, 25.6);
  change('sync', 'hop', times.syncHop, 4);
  // A clock that counts every cycle counts no idle ones of a start.
  change('spawn', 'latency', ticks ? 20 : times.spawnLatency, 9000);
  change('poll', 'cost', times.poll, 1);
  change('flit', 'bufferFlits', times.bufferFlits, 32);
  change('tbox', 'putBytesPerCycle', times.putBytesPerCycle, 18.7);
  return groups;
}

/** Phases of a node with many CPEs. */
const phasesOfMany = 3;

/** The scenario of some phases on a node: programs as data that say how main memory ends. */
function scenarioOf(drawn: Drawn, phases: readonly Phase[]): WrittenScenario {
  const { cpesPerCg, fidelity, maxJitter, reorder, cacheKiB, shareMode } = drawn;
  const { oneByOne, drainAt, stopAt, halts, hasLong = false, noFlush, midFile } = drawn;
  // A node of many CPEs has one core group and few phases, one of several core groups few CPEs, so that it takes no longer than another.
  const isExplicit = drawn.isExplicit && drawn.fills.length === 1;
  const isLarge = isExplicit || cpesPerCg > 16;
  const fills = drawn.fills.slice(0, cpesPerCg > 8 ? 1 : 3);
  const signals = [
    ...(drainAt >= 0 ? [{ signal: drainSignal, at: drainAt }] : []),
    ...(stopAt >= 0 ? [{ signal: stopSignal, at: stopAt }] : []),
  ];
  const haltAfter = drawn.haltAfter < 0 ? undefined : drawn.haltAfter;
  // A signal may come when the array is halted: nobody is left to meet.
  const handling = haltAfter !== undefined && drawn.handling === 'meets' ? undefined : drawn.handling;
  const interleaveBytes = shareMode < 0 ? 0 : drawn.interleaveBytes;
  const stage = new Stage({
    cgs: fills.length,
    cpes: cpesPerCg,
    shareMode,
    shareBytes: 1024 * shareKiB,
    fills,
    handling,
    oneByOne,
    halts,
    hasLong,
    noFlush,
    haltAfter,
    isFine: fidelity === 'flit',
    cached: cacheKiB > 0,
    crowds: cacheKiB === 32,
    spawns: drawn.spawns,
    halves: drawn.halves,
    endsTogether: drawn.endsTogether,
    isCut: stopAt >= 0 || haltAfter !== undefined,
  });
  stage.perform(isLarge ? phases.slice(0, phasesOfMany) : phases);
  const programs = stage.programs();
  const timing = changedTimes(drawn);
  return {
    name: 'generated: phases',
    config: {
      cpesPerCg,
      memoryMiB: 1,
      ...(fills.length > 1 && { cgs: fills.length }),
      ...(fidelity !== 'tlm' && { fidelity }),
      ...(isExplicit && { detail: 'explicit' }),
      ...((maxJitter > 0 || reorder) && { fuzz: { maxJitter, reorder } }),
      ...(cacheKiB > 0 && { cacheKiB }),
      ...(stage.returnsErrors && { onError: 'return' }),
      ...(Object.keys(timing).length > 0 && { timing }),
      ...(signals.length > 0 && { job: { bsignal: signals } }),
      ...(shareMode >= 0 && {
        sldm: { mode: shareMode, sizeKiB: shareKiB, ...(interleaveBytes > 0 && { interleaveBytes }) },
      }),
      ...(drawn.ticks && { skipAhead: false }),
      ...(drawn.clockSkew > 0 && { clockSkew: drawn.clockSkew }),
      ...(drawn.stackInLdm && cacheKiB < 128 && { stackInLdm: true }),
      ...((stage.isUnordered || haltAfter !== undefined) && { race: { policy: 'off' } }),
      ...(drawn.halves === 'header' && { sync: { colLeftRight: 'header' } }),
      ...(midFile !== '' && { files: { pool: midFile } }),
      ...(!drawn.quitMarksDone && { task: { quitMarksDone: false } }),
    },
    programs: programs.length === 1 ? programs[0] : programs,
    until: lastTick,
  };
}

/** A phase, and the node that it needs. */
interface SuitedPhase {
  readonly phase: Phase;
  readonly suits: Suits;
}

const suitedPhases = ({ weight, arbitrary, suits = () => ({}) }: PhaseOf) => ({
  weight,
  arbitrary: arbitrary.map((phase): SuitedPhase => ({ phase, suits })),
});

/** Generated scenarios of phases of some kinds alone. */
export const sunwayScenariosOf = (...kinds: readonly PhaseKind[]): fc.Arbitrary<WrittenScenario> =>
  fc
    .tuple(
      machine,
      fc.array(fc.oneof(...kinds.map((kind) => suitedPhases(phaseKinds[kind]))), { maxLength: 7 }),
    )
    .map(([drawn, phases]) => {
      // Of two that need unlike nodes the later one has its way, and the other little to do.
      const suited = phases.reduce<Drawn>((node, { suits }) => ({ ...node, ...suits(node) }), sized(drawn));
      return scenarioOf(
        suited,
        phases.map(({ phase }) => phase),
      );
    });

/** Generated scenarios of one to three core groups of 4 to 16 CPEs (Sunway specification 5.2 to 6.11). */
export const sunwayScenarios: fc.Arbitrary<WrittenScenario> = sunwayScenariosOf(
  // The keys are those of the record.
  ...(Object.keys(phaseKinds) as PhaseKind[]),
);
