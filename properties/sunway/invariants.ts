import { barrierOperationsOrder } from './barrier-operations-order.ts';
import { barriersHoldEverybody } from './barriers-hold-everybody.ts';
import { cachesKeepWhatIsStored } from './caches-keep-what-is-stored.ts';
import type { SunwayProperty } from './context.ts';
import { copiesReachTheirSet } from './copies-reach-their-set.ts';
import { coresKnowTheirPlace } from './cores-know-their-place.ts';
import { dataComeFirst } from './data-come-first.ts';
import { groupBarriersHoldEverybody } from './group-barriers-hold-everybody.ts';
import { heapsGiveWhatIsFree } from './heaps-give-what-is-free.ts';
import { lanesMeetTheirEntries } from './lanes-meet-their-entries.ts';
import { ldmsKeepWhatIsWritten } from './ldms-keep-what-is-written.ts';
import { locksExclude } from './locks-exclude.ts';
import { memoryEndsAsWritten } from './memory-ends-as-written.ts';
import { memoryKeepsWhatIsPut } from './memory-keeps-what-is-put.ts';
import { packetsArriveOnce } from './packets-arrive-once.ts';
import { signalsArriveOnce } from './signals-arrive-once.ts';
import { tasksAreHandedOutOnce } from './tasks-are-handed-out-once.ts';
import { transfersCountOnce } from './transfers-count-once.ts';
import { transfersTakeTheirTime } from './transfers-take-their-time.ts';
import { waitsWakeUp } from './waits-wake-up.ts';

/** How one invariant of the specification is shown, and that it can fail. */
export interface Invariant {
  /** As the specification has it (Sunway specification 12). */
  readonly id: `P${number}`;
  /** What it is about, in a few words. */
  readonly about: string;
  /** Properties that watch every run. */
  readonly properties: readonly SunwayProperty[];
  /** Test files that show it, from the root; each with the beginning of the name of a test. */
  readonly tests: readonly (readonly [string, string])[];
  /** Planted faults, each with the property that must catch it; null for one that a test catches. */
  readonly faults: Readonly<Record<string, SunwayProperty | null>>;
  /** Scenarios that are wrong on purpose, where the fault is one of the program. */
  readonly wrongScenarios?: readonly string[];
}

const here = 'properties/sunway';
const generated = `${here}/generated.test.ts`;
const ofGenerated = [generated, 'a generated program ends with the memory of'] as const;

/** P1 to P24: what shows each, and what it catches. */
export const invariants: readonly Invariant[] = [
  {
    id: 'P1',
    about: 'reply words add up',
    properties: [ldmsKeepWhatIsWritten, transfersCountOnce],
    tests: [],
    faults: { 'S-20': ldmsKeepWhatIsWritten },
  },
  {
    id: 'P2',
    about: 'increments of the table, each once',
    properties: [transfersCountOnce],
    tests: [],
    faults: { 'S-01': transfersCountOnce },
  },
  {
    id: 'P3',
    about: 'data before their count',
    properties: [dataComeFirst],
    tests: [],
    faults: { 'S-02': dataComeFirst },
  },
  {
    id: 'P4',
    about: 'strided gets and puts copy, and touch nothing else',
    properties: [memoryKeepsWhatIsPut, copiesReachTheirSet, ldmsKeepWhatIsWritten],
    tests: [['actors/sunway/transfer/strided.test.ts', 'fetches the window of the worked example']],
    faults: { 'S-03': copiesReachTheirSet, 'S-05': memoryKeepsWhatIsPut },
  },
  {
    id: 'P5',
    about: 'one final memory, whatever schedule and level of detail',
    properties: [memoryEndsAsWritten],
    tests: [ofGenerated],
    faults: {},
  },
  {
    id: 'P6',
    about: 'barriers hold everybody',
    properties: [barriersHoldEverybody],
    tests: [],
    faults: { 'S-09': barriersHoldEverybody },
  },
  {
    id: 'P7',
    about: 'barriers let everybody go in time',
    properties: [barriersHoldEverybody],
    tests: [],
    faults: { 'S-21': barriersHoldEverybody },
  },
  {
    id: 'P8',
    about: 'the barrier of a group is one barrier',
    properties: [groupBarriersHoldEverybody],
    tests: [
      [`${here}/barrier-functions.test.ts`, 'each of the eighteen barriers'],
      ['actors/sunway/sync/sync.test.ts', 'let nobody go before all members have come'],
    ],
    faults: { 'S-22': groupBarriersHoldEverybody, 'S-35': groupBarriersHoldEverybody },
  },
  {
    id: 'P9',
    about: 'locks exclude, in order, and are granted',
    properties: [locksExclude],
    tests: [],
    faults: { 'S-10': locksExclude, 'S-11': locksExclude, 'S-23': locksExclude },
  },
  {
    id: 'P10',
    about: 'no lost wake-up, no lost signal',
    properties: [waitsWakeUp, signalsArriveOnce],
    tests: [],
    faults: { 'S-07': waitsWakeUp, 'S-08': waitsWakeUp, 'S-36': signalsArriveOnce },
  },
  {
    id: 'P11',
    about: 'the allocator of LDM',
    properties: [heapsGiveWhatIsFree],
    tests: [['actors/sunway/ldm/allocator.test.ts', 'never gives overlapping blocks']],
    faults: { 'S-24': heapsGiveWhatIsFree },
  },
  {
    id: 'P12',
    about: 'order of clusters, groups of CPEs',
    properties: [coresKnowTheirPlace],
    tests: [
      ['actors/sunway/array/identity.test.ts', 'transform between hardware order and cluster order'],
      ['actors/sunway/sync/sync.test.ts', 'makes the groups of the cluster order'],
    ],
    faults: { 'S-25': coresKnowTheirPlace },
  },
  {
    id: 'P13',
    about: 'copies reach their receivers alone',
    properties: [copiesReachTheirSet],
    tests: [],
    faults: { 'S-04': copiesReachTheirSet, 'S-34': copiesReachTheirSet },
  },
  {
    id: 'P14',
    about: 'all to all',
    properties: [memoryEndsAsWritten],
    tests: [
      [`${here}/exchanges.test.ts`, 'with scratch for every number of units'],
      ['actors/sunway/alltoall/exchange.test.ts', 'in place is the transposition'],
    ],
    faults: { 'S-26': memoryEndsAsWritten },
  },
  {
    id: 'P15',
    about: 'reductions',
    properties: [memoryEndsAsWritten],
    tests: [['actors/sunway/reduction/reduction.test.ts', 'combines neighbours in a row first']],
    faults: { 'S-27': memoryEndsAsWritten },
  },
  {
    id: 'P16',
    about: 'parallel tables',
    properties: [lanesMeetTheirEntries, ldmsKeepWhatIsWritten],
    tests: [['actors/sunway/table/parallel-table.test.ts', 'answers the lookup of example (c)']],
    faults: { 'S-28': lanesMeetTheirEntries },
  },
  {
    id: 'P17',
    about: 'task pools',
    properties: [tasksAreHandedOutOnce],
    tests: [[`${here}/task-pool-killed.test.ts`, 'that is stopped at random points and resumed']],
    faults: { 'S-29': tasksAreHandedOutOnce },
  },
  {
    id: 'P18',
    about: 'data caches',
    properties: [cachesKeepWhatIsStored],
    tests: [[`${here}/cache.test.ts`, 'one CPE sees plain memory whatever its cache does']],
    faults: { 'S-30': cachesKeepWhatIsStored },
  },
  {
    id: 'P19',
    about: 'bytes are conserved',
    properties: [copiesReachTheirSet, packetsArriveOnce],
    tests: [],
    faults: { 'S-12': packetsArriveOnce, 'S-13': packetsArriveOnce, 'S-31': copiesReachTheirSet },
  },
  {
    id: 'P20',
    about: 'barrier operations',
    properties: [barrierOperationsOrder],
    tests: [],
    faults: { 'S-06': barrierOperationsOrder },
  },
  {
    id: 'P21',
    about: 'skipping, replay and snapshots change nothing',
    properties: [],
    tests: [
      [generated, 'a generated program goes on from a snapshot'],
      [generated, 'a generated program whose idle cycles are visited'],
      [generated, 'a recorded run of a generated program'],
      [`${here}/clock.test.ts`, 'a run that visits idle cycles is the run that skips them'],
      [`${here}/snapshots.test.ts`, 'goes on from snapshots as if it had never stopped'],
    ],
    faults: { 'S-32': null },
  },
  {
    id: 'P22',
    about: 'the race detector',
    properties: [],
    tests: [
      [`${here}/races.test.ts`, ''],
      [
        `${here}/race-edits.test.ts`,
        'without the guard of a deed its two operations are told and nothing else',
      ],
    ],
    faults: {},
    wrongScenarios: ['axpy-unwaited', 'axpy-refilled', 'wavefront-unmarked', 'unlocked-append'],
  },
  {
    id: 'P23',
    about: 'times: calibrated, growing with length, never below those of an idle machine',
    properties: [transfersTakeTheirTime],
    tests: [
      [`${here}/calibration.test.ts`, ''],
      [`${here}/lengths.test.ts`, 'transfers of whole blocks take longer'],
    ],
    faults: { 'S-33': transfersTakeTheirTime },
  },
  {
    id: 'P24',
    about: 'the deadlock monitor',
    properties: [],
    tests: [
      ['machines/sunway/monitors/deadlock/deadlock-analysis.test.ts', ''],
      ['machines/sunway/monitors/deadlock/root-causes.test.ts', 'every blocked core reaches a root cause'],
      [
        'machines/sunway/monitors/deadlock/circle-watch.test.ts',
        'a circle is told in the cycle in which it closes',
      ],
    ],
    faults: {},
    wrongScenarios: ['deadlocks/lock-circle', 'deadlocks/absent-at-barrier', 'deadlocks/silent-reply'],
  },
];

/** The property that each planted fault must be caught by; null where a test catches it. */
export const caughtBy: ReadonlyMap<string, SunwayProperty | null> = new Map(
  invariants.flatMap(({ faults }) => Object.entries(faults)),
);

/** The table as a document. */
export const invariantsText = (): string =>
  [
    '| id | about | holds in every run | tests | planted faults |',
    '|---|---|---|---|---|',
    ...invariants.map(({ id, about, properties, tests, faults, wrongScenarios = [] }) => {
      const sentences = properties.map(({ sentence }) => sentence).join('; ');
      const files = [...new Set(tests.map(([file]) => file))].map((file) => `\`${file}\``).join(' ');
      const wrong = wrongScenarios.map((name) => `\`${name}.yaml\``);
      return `| ${id} | ${about} | ${sentences} | ${files} | ${[...Object.keys(faults), ...wrong].join(', ')} |`;
    }),
  ].join('\n');
