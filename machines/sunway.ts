import type { CpeState } from '../actors/sunway/cpe/cpe-state.ts';
import type { MpeState } from '../actors/sunway/mpe/mpe-state.ts';
import type { PortCounts } from '../actors/sunway/network/router-input.ts';
import { type NodeWordContext, wordsOf } from '../actors/sunway/node-word.ts';
import type { MpeProgram } from '../actors/sunway/program.ts';
import { invariant } from '../kernel/errors.ts';
import type { Address } from '../kernel/message.ts';
import type { Run } from '../kernel/run.ts';
import { memberOf } from '../kernel/wiring.ts';
import type { Assembly, Given, Machine } from './machine.ts';
import { mutantSentences, withMutants } from './mutant.ts';
import { type GroupParts, soundParts, wireNode } from './sunway/assembly.ts';
import {
  cacheBytesOf,
  layoutOf,
  type SunwayConfig,
  type SunwayPrograms,
  sunwayConfig,
  sunwayPrograms,
} from './sunway/config.ts';
import { type ActivityRecord, activityOf } from './sunway/monitors/activity/activity-log.ts';
import { ActivityRecorder } from './sunway/monitors/activity/activity-recorder.ts';
import { timelineSketch } from './sunway/monitors/activity/timeline-sketch.ts';
import { type TransferReport, transferReport } from './sunway/monitors/activity/transfer-report.ts';
import { CircleWatch } from './sunway/monitors/deadlock/circle-watch.ts';
import { analyseDeadlock, circleSentence } from './sunway/monitors/deadlock/deadlock-analysis.ts';
import { deadlockText } from './sunway/monitors/deadlock/deadlock-text.ts';
import { DeadlockWatch } from './sunway/monitors/deadlock/deadlock-watch.ts';
import { type LinkFlits, linkFlits, type RouterFlits, routerFlits } from './sunway/monitors/mesh-flits.ts';
import { ProgramPlaces } from './sunway/monitors/program-places.ts';
import { coreName } from './sunway/monitors/race/race-event.ts';
import { raceText } from './sunway/monitors/race/race-report.ts';
import { type RaceFindings, raceProperty, watchRaces } from './sunway/monitors/race-monitor.ts';
import { type NodeTotals, TotalsMeter } from './sunway/monitors/totals.ts';
import { sunwayMutants } from './sunway/mutants.ts';
import { filesOf } from './sunway/node-files.ts';
import { sunwayScene } from './sunway/scene.ts';
import { timingOf } from './sunway/timing.ts';
import { activityPicture } from './sunway/views/activity-picture.ts';
import { sunwayViews } from './sunway/views/sunway-views.ts';
import { programFindings } from './sunway/written-check.ts';
import { hostProgramOf } from './sunway/written-program.ts';

/** What a run of a Sunway node came to. */
export interface SunwayResult {
  /** CPE cycles until the last event, or until signal 35 stopped the job. */
  readonly cycles: number;
  /** The same in microseconds of a clock of 2.25 GHz. */
  readonly microseconds: number;
  /** What engines moved and what CPEs waited for, over the whole run. */
  readonly totals: NodeTotals;
  /** What each host program has told, by name, and its CPEs: `CPE 5: sum`. */
  readonly told: readonly Readonly<Record<string, number | string>>[];
  /** How often anybody has added to each word on which cores meet, parity counters among them: `array 0`, `spe 0 5` (specification 5.3). */
  readonly counters: Readonly<Record<string, number>>;
  /** The files of the node, two hexadecimal digits a byte, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Why a run stands still, line by line, or which cores never go on while others do; empty for one that came to its end. */
  readonly deadlock: readonly string[];
  /** Pairs of accesses that nothing orders, told or not, and warnings (specification 7.3). */
  readonly races: { readonly errors: number; readonly warnings: number };
  /** What observers found worth telling that is no violation. */
  readonly warnings: readonly string[];
  /** Bandwidth and advice about transfers, when the configuration asks for them. */
  readonly transfers?: TransferReport;
}

type SunwayGiven = Given<SunwayConfig, SunwayPrograms>;

/** The sentence that a circle of waiting cores contradicts. */
const circleProperty = 'no cores wait for each other in a circle';

/** A node of core groups, each a host core and an array of 64 CPEs with scratchpads, and the CRTS runtime. */
export const sunwayMachine: Machine<SunwayConfig, SunwayPrograms, SunwayResult> = {
  name: 'sunway',
  // A CPE cycle at 2.25 GHz (Sunway specification 1).
  tickFemtoseconds: () => 444_444,
  config: sunwayConfig,
  programs: sunwayPrograms,
  mutants: mutantSentences(sunwayMutants),
  check: (config, programs) => {
    const { cgs, job } = config;
    return [
      ...ldmFindings(config),
      ...(Array.isArray(programs) ? programs : [programs]).flatMap((one, index) =>
        'slave' in one
          ? programFindings(
              one,
              Array.isArray(programs) ? ['programs', index] : ['programs'],
              config.cpesPerCg,
            )
          : [],
      ),
      ...(Array.isArray(programs) && programs.length !== cgs
        ? [
            {
              path: ['programs'],
              found: `${programs.length} host programs`,
              expected: `${cgs}, one a core group, or a single one for all`,
            },
          ]
        : []),
      ...job.kill.flatMap(({ cgn }, index) =>
        cgn < cgs
          ? []
          : [
              {
                path: ['config', 'job', 'kill', index, 'cgn'],
                found: `core group ${cgn}`,
                expected: `one of 0 to ${cgs - 1}`,
              },
            ],
      ),
    ];
  },
  assemble,
  figures: ({ cycles, microseconds, totals, told, races, warnings, transfers }) => [
    { label: 'cycles', value: `${cycles}, ${microseconds} us` },
    {
      label: 'transfers',
      value: `${totals.transfers} of ${totals.bytes} bytes together${kindsText(totals)}`,
    },
    {
      label: 'CPEs waited',
      value: Object.entries(totals.waits)
        .map(([awaited, waited]) => `${waited} for ${awaited}`)
        .join(', '),
    },
    ...meshFigures(totals),
    ...told.flatMap((one, cgn) =>
      Object.entries(one).map(([name, value]) => ({ label: `core group ${cgn}`, value: `${name} ${value}` })),
    ),
    ...(races.errors > 0 ? [{ label: 'races', value: String(races.errors) }] : []),
    ...(races.warnings > 0
      ? [{ label: 'warnings', value: `${races.warnings}, the first: ${warnings[0]?.replaceAll('\n', ';')}` }]
      : []),
    ...(transfers?.lines ?? []).map((value) => ({ label: 'transfers', value })),
  ],
  standStill: ({ deadlock }) => deadlock,
  logHeader: ({ name, config: { cgs, cpesPerCg } }) => ({
    record: 'header',
    machine: 'sunway',
    name,
    cgs,
    cpesPerCg,
  }),
  picture: ({ name }, records) => activityPicture(name, activityOf(records)),
  sketch: (_given, records, width) => timelineSketch(activityOf(records), width),
  views: sunwayViews,
};

/** What is wrong with how each LDM is divided. */
function ldmFindings(config: SunwayConfig) {
  const { cacheKiB, ldm, stackInLdm, sldm } = config;
  const findings = [];
  if (ldm.preset === 'cache32' && cacheKiB !== 0 && cacheKiB !== 32)
    findings.push({
      path: ['config', 'cacheKiB'],
      found: `${cacheKiB} KiB of data cache beside the preset cache32`,
      expected: '32 KiB, or leave one of the two out',
    });
  if (layoutOf(config) === undefined)
    findings.push({
      path: ['config', 'sldm', 'sizeKiB'],
      found: `${sldm.sizeKiB} KiB shared, ${cacheBytesOf(config) / 1024} KiB of data cache${stackInLdm ? ', 16 KiB of stack' : ''}`,
      expected: 'together with the 4 KiB of the runtime at most the 256 KiB of an LDM',
    });
  if (sldm.interleaveBytes > 0 && (sldm.sizeKiB * 1024) % sldm.interleaveBytes !== 0)
    findings.push({
      path: ['config', 'sldm', 'interleaveBytes'],
      found: `blocks of ${sldm.interleaveBytes} bytes`,
      expected: `a divisor of the ${sldm.sizeKiB * 1024} bytes that each CPE shares`,
    });
  return findings;
}

/** CPEs of a node up to which each transfer and memory job is an actor of its own when nobody says anything else. */
const explicitCpesMax = 8;

/** Plain code in the place of actors is sound parts only: what a mutant or a fault is planted in are the actors. */
function isFast({
  config,
  mutants,
  faults = [],
}: Pick<SunwayGiven, 'config' | 'mutants' | 'faults'>): boolean {
  const { detail, cgs, cpesPerCg } = config;
  if (detail === 'explicit' || mutants.length > 0 || faults.length > 0) return false;
  return detail === 'fast' || cgs * cpesPerCg > explicitCpesMax;
}

function assemble({ config, programs, mutants, faults = [] }: SunwayGiven): Assembly<SunwayResult> {
  const hosts = programsOf(config, programs);
  const { wiring, groups, nodeWords } = wireNode(
    config,
    hosts,
    withMutants(soundParts, sunwayMutants, mutants),
    isFast({ config, mutants, faults }),
  );
  let races: RaceFindings | undefined;
  let places: ProgramPlaces | undefined;
  /** Made when first asked for: it has to listen before those who ask it. */
  const placesIn = (run: Run): ProgramPlaces => {
    places ??= new ProgramPlaces(
      run,
      groups.map(({ mpe }, cgn) => ({ mpe, program: hosts[cgn]! })),
    );
    return places;
  };
  const watch = new DeadlockWatch(config);
  const circles: string[] = [];
  const meter = new TotalsMeter(config);
  const { cpe: megahertz } = timingOf(config).clk;
  const records: ActivityRecord[] = [];
  const recorder = config.advise ? new ActivityRecorder(config, (record) => records.push(record)) : undefined;
  return {
    wiring,
    scene: (run) => sunwayScene(config, run),
    follow: (run, take, atEnd) => {
      const follower = new ActivityRecorder(config, take);
      follower.attach(run, placesIn(run));
      atEnd(() => follower.finish());
    },
    ...(config.race.policy !== 'off' && { judgedInRuns: [raceProperty] }),
    attach: (run) => {
      races = watchRaces(run, config, config.race.policy === 'off' ? undefined : placesIn(run));
      watch.attach(run);
      new CircleWatch(config).attach(run, (circle, cycle) => {
        const why = circleSentence(watch.standStill(cycle), circle);
        circles.push(`deadlock since cycle ${cycle}, though others go on: ${why}`);
        run.report(circle.map(coreName), { property: circleProperty, why });
      });
      meter.attach(run);
      recorder?.attach(run, placesIn(run));
    },
    result: (run: Run) => ({
      warnings: (races?.warnings ?? []).map((report) => raceText(report)),
      races: { errors: races?.errorCount ?? 0, warnings: races?.warningCount ?? 0 },
      deadlock: run.outcome.deadlock
        ? deadlockText(analyseDeadlock(watch.standStill(run.now)), places).split('\n')
        : circles,
      ...(recorder && { transfers: reported(recorder, records, config) }),
      cycles: cyclesOf(run, config),
      microseconds: Number((cyclesOf(run, config) / megahertz).toFixed(3)),
      totals: { ...meter.totals, ...(config.fidelity === 'flit' && { mesh: meshOf(run, groups) }) },
      told: groups.map((group) => toldIn(run, group)),
      counters: countersIn(run, nodeWords, config.cgs),
      files: filesOf(run).files,
    }),
  };
}

function reported(
  recorder: ActivityRecorder,
  records: readonly ActivityRecord[],
  config: SunwayConfig,
): TransferReport {
  recorder.finish();
  return transferReport(activityOf(records), timingOf(config));
}

/** How many transfers of each kind: `: 64 dmaGet, 1 rmaBcast`. */
function kindsText({ kinds }: NodeTotals): string {
  const each = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  return each.length > 0 ? `: ${each.join(', ')}` : '';
}

/** The traffic of the routers in two lines. */
function meshFigures({ mesh, ldmConflicts }: NodeTotals) {
  if (mesh === undefined) return [];
  const sent = mesh.reduce((sum, { L, fromMemory }) => sum + L + fromMemory, 0);
  const busiest = linkFlits(mesh).reduce<LinkFlits | undefined>(
    (most, one) => (one.flits > (most?.flits ?? 0) ? one : most),
    undefined,
  );
  const link = busiest
    ? `, most of them (${busiest.flits}) from cluster ${busiest.from} to ${busiest.to} of core group ${busiest.group}`
    : '';
  return [
    { label: 'flits', value: `${sent} into the network${link}` },
    { label: 'LDM conflicts', value: String(ldmConflicts) },
  ];
}

/** What went through the ports of all routers. */
const meshOf = (run: Run, groups: readonly GroupParts[]): readonly RouterFlits[] =>
  groups.flatMap(({ mesh }, cgn) =>
    (mesh?.routers ?? []).map((at, router) => routerFlits(cgn, router, contextOf<PortCounts>(run, at))),
  );

/** CPE cycles until the last event; a job that signal 35 stops ends in its cycle, whatever was under way (specification 5.7). */
const cyclesOf = (run: Run, { job }: SunwayConfig): number => {
  const stops = job.bsignal.filter(({ signal }) => signal === 35).map(({ at }) => at);
  return Math.min(Math.max(0, run.outcome.ticks - 1), ...stops);
};

/** What the host of a core group has told, and its CPEs under their names. */
const toldIn = (run: Run, { mpe, cpes }: GroupParts): Readonly<Record<string, number | string>> => ({
  ...contextOf<MpeState>(run, mpe).told,
  ...Object.fromEntries(
    cpes.flatMap((at, tid) =>
      Object.entries(contextOf<CpeState>(run, at).told).map(([name, value]) => [
        `CPE ${tid}: ${name}`,
        value,
      ]),
    ),
  ),
});

/** What a part knows; its type follows from what was placed there. */
/** What the words of the node hold that anybody has added to. */
const countersIn = (run: Run, nodeWords: Address, cgs: number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    wordsOf(cgs).flatMap((word, k) => {
      const context = run.partAt(memberOf(nodeWords, k))?.context as NodeWordContext | undefined;
      return context === undefined || context.value === 0 ? [] : [[word, context.value]];
    }),
  );

const contextOf = <Context>(run: Run, at: Address): Context => run.part(at).context as unknown as Context;

/** The host programs of all core groups, in order. */
function programsOf({ cgs, cpesPerCg }: SunwayConfig, programs: SunwayPrograms): readonly MpeProgram[] {
  return Array.from({ length: cgs }, (_, cgn) => {
    const given = Array.isArray(programs) ? programs[cgn] : programs;
    invariant(given, `core group ${cgn} has a program`);
    if ('slave' in given) return hostProgramOf(given, cpesPerCg);
    invariant(given.program, `the program ${given.module} was not loaded`);
    return given.program;
  });
}
