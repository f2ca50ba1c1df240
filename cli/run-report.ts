import type { Injection } from '../kernel/faults.ts';
import type { Failure, Livelock, Outcome, Round, Violation } from '../kernel/outcome.ts';
import { cycleText } from '../kernel/wait-cycle.ts';
import type { Figure, Machine } from '../machines/machine.ts';
import { briefly, MachineError, ofMachine } from '../machines/machine-error.ts';
import { byProperty, neverCame, waitingText } from '../properties/explore/failure-summary.ts';
import { idleWords, standstillWords } from '../properties/explore/standstill-words.ts';
import { differenceText } from '../scenarios/judge.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Simulation } from '../scenarios/simulate.ts';
import { thrownAt } from '../scenarios/thrown-at.ts';
import { faultsJson, faultsText } from './fault-report.ts';
import type { ToldView, WrittenFile } from './observation.ts';
import { standardOutput } from './output.ts';
import { grouped } from './progress.ts';
import type { RunVerdict } from './run-verdict.ts';

/** What is told about a run. */
export interface RunReport {
  readonly scenario: Scenario;
  readonly machine: Machine;
  readonly simulation: Simulation;
  readonly verdict: RunVerdict;
  readonly engine: string;
  /** What ordered the deliveries, in words: `random, seed 7`. */
  readonly schedule: string;
  /** In what the schedule differed from the default one, in words that follow `schedule: `. */
  readonly scheduleText: string;
  /** Sentences of the properties that watched. */
  readonly watched: readonly string[];
  /** Those of them that had nothing to judge in this run; none when absent. */
  readonly notJudged?: readonly string[];
  /** The first faults that struck. */
  readonly struck?: readonly Injection[];
  /** What led to the first violation: its lines, oldest first, and whether it was found only when the run was over. */
  readonly past?: { readonly lines: readonly string[]; readonly late: boolean };
  readonly sketch?: string;
  /** Views that were asked for. */
  readonly views?: readonly ToldView[];
  readonly files: readonly WrittenFile[];
  /** The recording that the run replays: it has no other. */
  readonly replayed?: string;
  /** The recording of the run, when there is one. */
  readonly recording?: string;
  readonly wallSeconds: number;
}

/** The run as one object for scripts (design, section 7). */
export function runJson(report: RunReport): object {
  const { scenario, machine, simulation, verdict, engine, schedule, watched, files, recording } = report;
  const { outcome, result, fingerprint, interrupted, until } = simulation;
  const { deadlock, livelock, failure } = outcome;
  const { asExpected, differences } = verdict;
  return {
    machine: machine.name,
    scenario: scenario.name,
    verdict: outcome.verdict,
    ticks: outcome.ticks,
    deliveries: outcome.deliveries,
    violations: outcome.violations,
    result,
    fingerprint,
    engine,
    schedule,
    wallSeconds: report.wallSeconds,
    properties: watched,
    ...(report.notJudged?.length && { notJudged: report.notJudged }),
    ...(asExpected !== undefined && { asExpected, differences: differences.map(plainDifference) }),
    ...(deadlock && { deadlock }),
    ...(livelock && { livelock }),
    ...(failure && { failure: plainFailure(failure) }),
    ...faultsJson(scenario.faults, simulation, report.struck ?? []),
    ...(report.views && { views: report.views }),
    ...(until !== undefined && { until }),
    ...(outcome.cut && { cut: true }),
    ...(outcome.round && { round: outcome.round }),
    ...(interrupted && { interrupted }),
    ...(recording !== undefined && { recording }),
    ...(files.length > 0 && { files }),
  };
}

const plainFailure = ({ tick, actor, event, message }: Failure) => ({ tick, actor, event, message });

const plainDifference = ({ path, expected, found }: RunVerdict['differences'][number]) => ({
  path: path.map(String).join('.'),
  expected,
  found: found ?? null,
});

/** The run for people. */
export function runText(report: RunReport): string {
  const { scenario, simulation, verdict, sketch } = report;
  const { outcome } = simulation;
  const sections = [
    headline(report),
    ...(sketch === undefined ? [] : [sketch.trimEnd()]),
    table(figuresOf(report.machine, simulation.result, outcome)),
    ...(report.views ?? []).map(({ text }) => text.trimEnd()),
    faultsText(scenario.faults, simulation, report.struck ?? []),
    outcome.round && roundText(outcome.round),
    outcome.deadlock && whyStill(report),
    outcome.livelock && livelockText(outcome.livelock),
    outcome.failure && failureText(outcome.failure),
    findingsText(report),
    differencesText(scenario, verdict),
    howToSeeItAgain(report),
  ];
  return `${sections.filter((section) => section !== undefined && section !== '').join('\n\n')}\n`;
}

function headline(report: RunReport): string {
  const { scenario, machine, simulation, verdict, engine, schedule, wallSeconds } = report;
  const { outcome, interrupted, until } = simulation;
  // A rate over a few milliseconds says nothing about the machine.
  const rate =
    wallSeconds >= rateSecondsMin
      ? ` (${grouped(Math.round(outcome.deliveries / wallSeconds))} a second)`
      : '';
  const last = until ?? (outcome.cut ? outcome.ticks - 1 : undefined);
  const stop = last === undefined ? '' : `, ${interrupted ? 'interrupted' : 'cut'} after tick ${last}`;
  const unexpected = verdict.asExpected === false ? ', not as the scenario expects' : '';
  const about = scenario.about?.trim();
  return [
    `${scenario.name} (${machine.name}): ${outcome.verdict}${stop === '' || outcome.verdict !== 'ok' ? '' : ' so far'}${stop}${unexpected}`,
    ...(about ? [about] : []),
    `${grouped(outcome.ticks)} ticks, ${grouped(outcome.deliveries)} deliveries in ${wallSeconds.toFixed(3)} s${rate}; engine ${engine}, schedule ${schedule}`,
  ].join('\n');
}

/** Why a run was cut that goes round. */
const roundText = ({ from, to }: Round): string =>
  [
    `it goes round: tick ${to} ended as tick ${from} did, with the same states and the same messages under way`,
    'help: say how far it is to go with "until" in the scenario; that something must happen is a sentence for check (Liveness, in the guide)',
  ].join('\n');

/** Seconds below which no rate is told. */
const rateSecondsMin = 0.2;

function table(figures: readonly { readonly label: string; readonly value: string }[]): string {
  const width = Math.max(0, ...figures.map(({ label }) => label.length));
  return figures.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`).join('\n');
}

/** What the properties found, or which of them watched and found nothing. */
function findingsText({ simulation, watched, notJudged = [], past }: RunReport): string {
  const { violations, deadlock, livelock } = simulation.outcome;
  if (violations.length === 0) return propertiesText(watched, notJudged, simulation);
  // When a run got stuck, what its properties miss afterwards is a consequence: why it is stuck stands above.
  return past?.late && (deadlock || livelock)
    ? consequencesText(violations)
    : violationsText(simulation.outcome, past);
}

function consequencesText(violations: readonly Violation[]): string {
  const groups = byProperty(violations);
  const shown = groups.slice(0, findingsShown);
  return [
    'properties miss, now that nothing moves any more:',
    ...shown.flatMap(([one, ...others]) => {
      const { property, actors, why } = one!;
      const more = others.length > 0 ? ` (and ${grouped(others.length)} more of this property)` : '';
      return [`  ${property}`, `    ${[...actors, why].join(': ')}${more}`];
    }),
    ...(groups.length > shown.length ? [`  and ${groups.length - shown.length} more properties`] : []),
  ].join('\n');
}

/** How many further findings a report names. */
const findingsShown = 12;

/** What the properties came to in one line: which they are is in `lockstep list` and in the JSON. */
function propertiesText(
  watched: readonly string[],
  notJudged: readonly string[],
  { run, outcome }: Simulation,
): string {
  if (watched.length === 0) return 'no properties watched';
  const judged = watched.length - notJudged.length;
  // In a run that got stuck nothing more can happen, but it is no run of which one would say that all is well.
  const one = judged === 1;
  const what =
    outcome.verdict !== 'ok'
      ? 'found nothing'
      : `${one ? 'holds' : 'hold'}${run.ended && !outcome.cut ? '' : ' so far'}`;
  const idle = notJudged.length === 0 ? '' : `; ${notJudged.length} had nothing to judge in this run`;
  return `${judged} ${one ? 'property' : 'properties'} ${what}${idle}`;
}

function pastText(past: RunReport['past'], outcome: Outcome): readonly string[] {
  if (!past || past.lines.length === 0) return [];
  const idle = past.late ? idleWords(outcome) : undefined;
  const title = past.late ? 'found when the run was over; the last messages until then:' : 'what led to it:';
  return [title, ...past.lines.map((line) => `  ${line}`), ...(idle ? [`  still ${idle}`] : [])];
}

/** The first violation in full, of the others how many: the sentence, the tick, who did what (house style, section 7). */
function violationsText(outcome: Outcome, past: RunReport['past']): string {
  const { violations } = outcome;
  const [first] = violations as readonly [Violation, ...Violation[]];
  const counts = new Map<string, { count: number; tick: number; why: string }>();
  for (const { property, tick, why } of violations.slice(1)) {
    const known = counts.get(property);
    if (known) known.count++;
    else counts.set(property, { count: 1, tick, why });
  }
  const others = [...counts].map(
    ([property, { count, tick, why }]) => `  ${count} × ${property} (first in tick ${tick}): ${why}`,
  );
  return [
    `violated: ${first.property}`,
    `in tick ${first.tick}${first.actors.length > 0 ? `, ${first.actors.join(', ')}` : ''}: ${first.why}`,
    ...pastText(past, outcome),
    ...(others.length > 0 ? [`and ${violations.length - 1} more:`, ...others.slice(0, findingsShown)] : []),
    ...(others.length > findingsShown ? [`  and ${others.length - findingsShown} more properties`] : []),
  ].join('\n');
}

/** In the words of the machine, when it has any. */
function whyStill({ machine, simulation }: RunReport): string {
  const lines = machine.standStill?.(simulation.result) ?? [];
  return lines.length > 0 ? lines.join('\n') : deadlockText(simulation.outcome);
}

/** Who waits, in which state, since when, for what, and the circle among them (design, section 2). */
export function deadlockText(outcome: Pick<Outcome, 'deadlock' | 'idle'>): string {
  const { tick, waiting, cycle } = outcome.deadlock!;
  const idle = idleWords(outcome);
  const shown = waiting.slice(0, 24).map((one) => `  ${waitingText(one)}`);
  return [
    `deadlock in tick ${tick}: ${standstillWords(outcome)}`,
    ...(idle ? [`  ${idle}`] : []),
    ...shown,
    ...(waiting.length > shown.length ? [`  and ${waiting.length - shown.length} more`] : []),
    cycle.length > 0
      ? `circle: ${cycleText(cycle)}`
      : `no circle among them: what they wait for ${neverCame}`,
  ].join('\n');
}

/** The tick that did not end and the messages that repeat (design, section 2). */
export function livelockText({ tick, budget, repeating }: Livelock): string {
  return [
    `livelock in tick ${tick}: more than ${budget} deliveries in one tick`,
    'among its last deliveries these repeat:',
    ...repeating.slice(0, 12).map(({ from, to, type, count }) => `  ${count} × ${from} -> ${to}  ${type}`),
  ].join('\n');
}

/** What an actor could not handle, why, and where in the user's files it was thrown. */
export function failureText({ tick, actor, event, message, error }: Failure): string {
  const place = thrownAt(error);
  const lines = [...message.split('\n'), ...(place === undefined ? [] : [`thrown at ${place}`])];
  return [`error in tick ${tick}: ${actor} could not handle "${event}"`, ...lines].join('\n  ');
}

function differencesText({ expect, file }: Scenario, { asExpected, differences }: RunVerdict): string {
  if (expect === undefined) return '';
  if (asExpected === undefined) return 'not compared with what the scenario expects: the run was cut short';
  if (asExpected) {
    const kept = Object.keys(expect).map((key) => (key === 'verdict' ? `verdict ${expect.verdict}` : key));
    return `as ${file} expects: ${kept.join(', ')}`;
  }
  return [
    `not as ${file} expects:`,
    ...differences.map((difference) => `  expect.${differenceText(difference)}`),
  ].join('\n');
}

/** How the schedule differs, the command that replays the run, the files (house style, section 7). */
function howToSeeItAgain(report: RunReport): string {
  const { verdict, scheduleText, replayed, files, simulation } = report;
  const isInFile = report.recording !== standardOutput;
  const recording = isInFile ? report.recording : undefined;
  const lost = simulation.interrupted && report.recording === undefined && replayed === undefined;
  const noteworthy = verdict.exitCode !== 0 || simulation.outcome.verdict !== 'ok';
  const failed = simulation.outcome.verdict !== 'ok';
  return [
    ...(noteworthy ? [`schedule: ${scheduleText}`] : []),
    ...(recording === undefined ? [] : [`replay it: npx lockstep replay ${recording}`]),
    ...(failed && !lost ? [`explain it: ${howToExplain(recording ?? replayed)}`] : []),
    ...(failed ? watchedInBrowser(recording ?? replayed) : []),
    ...(report.recording === undefined
      ? []
      : [`recording written: ${isInFile ? recording : 'to standard output'}`]),
    ...(lost ? ['nothing recorded; the same command with --record FILE keeps what ran'] : []),
    ...files.map(({ kind, file, cut }) => {
      const what = `${kind === 'plot' ? 'picture' : kind} written: ${file}`;
      return cut === undefined ? what : `${what}: ${cut}`;
    }),
  ].join('\n');
}

const watchedInBrowser = (recording: string | undefined): readonly string[] =>
  recording === undefined ? [] : [`watch it in a browser: npx lockstep view ${recording}`];

const howToExplain = (recording: string | undefined): string =>
  recording === undefined
    ? 'the same command with --record FILE, then npx lockstep explain FILE'
    : `npx lockstep explain ${recording}`;

/** The figures of a result. Errors: a `MachineError` for figures that are none. */
function figuresOf(machine: Machine, result: unknown, outcome: Outcome): readonly Figure[] {
  const figures = ofMachine(machine.name, 'figures', () => machine.figures(result as object, outcome));
  const isFigure = (one: Partial<Figure> | null): boolean =>
    typeof one?.label === 'string' && typeof one.value === 'string';
  if (Array.isArray(figures) && figures.every(isFigure)) return figures;
  throw new MachineError(
    machine.name,
    `its figures are ${briefly(figures)}, expected a list of { label, value }, both texts`,
  );
}
