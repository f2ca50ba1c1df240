import { unseenIn } from '../../kernel/coverage-unseen.ts';
import { runsOf } from '../../properties/explore/campaign.ts';
import { unseenShare } from '../../properties/explore/distinct.ts';
import type { Ledger } from '../../properties/explore/ledger.ts';
import { idleText } from '../check/check-report.ts';
import type { JudgedCase } from '../ci-report.ts';
import { grouped } from '../progress.ts';
import { coverageFigures, coverageLine } from './coverage-figures.ts';
import type { KeptFinding } from './keep-finding.ts';

/** What is told about a campaign. */
export interface FuzzReport {
  readonly ledger: Ledger;
  /** What was fuzzed, as the user named it. */
  readonly subject: string;
  /** Runs that the ledger had before. */
  readonly before: number;
  readonly kept: readonly KeptFinding[];
  readonly interrupted: boolean;
  readonly workers: number;
  /** Seconds that the runs took, without what was done about failures. */
  readonly wallSeconds: number;
  /** The command that goes on from here. */
  readonly goOn: string;
  readonly ledgerFile: string;
}

/** The campaign as one object for scripts. */
export function fuzzJson(report: FuzzReport): object {
  const { ledger, before, kept, interrupted, workers, wallSeconds, ledgerFile, subject } = report;
  const { machine, seed, strategies, coverage } = ledger.campaign;
  return {
    subject,
    machine,
    seed,
    verdict: ledger.findings.length > 0 ? 'failed' : ledger.runs === 0 ? 'incomplete' : 'ok',
    runs: ledger.runs,
    ...(isGenerated(ledger) && { scenarios: scenariosOf(ledger) }),
    runsBefore: before,
    runsPerSecond: rateOf(report),
    deliveries: ledger.deliveries,
    ...(ledger.cut !== undefined && { cut: ledger.cut }),
    ends: {
      different: ledger.ends.count,
      once: ledger.ends.once,
      exact: ledger.ends.exact,
      // Runs of one generated scenario are no independent samples.
      ...(isGenerated(ledger) ? {} : { unseen: unseenShare(ledger.ends, ledger.runs) }),
    },
    ...(coverage && { coverage: { ...coverageFigures(ledger.coverage), ...unseenIn(ledger.coverage) } }),
    strategies: strategies.map((strategy) => ({
      strategy,
      runs: runsOf(strategy, ledger.runs, ledger.campaign),
    })),
    idle: ledger.idle,
    findings: kept.map(
      ({ finding, simplified, run, recording, explanation, scenario, picks, attempts, complete }) => ({
        ...finding.kind,
        simplified,
        run,
        by: finding.by.map((one) => ({
          ...one,
          afterRuns: runsOf(one.strategy, one.first + 1, ledger.campaign),
        })),
        recording,
        explanation,
        ...(scenario !== undefined && { scenario }),
        picks,
        attempts,
        complete,
      }),
    ),
    furtherFailures: ledger.furtherFailures,
    interrupted,
    workers,
    ledger: ledgerFile,
    wallSeconds,
  };
}

/** What the campaign came to: one case when it found nothing, else each kind of failure. */
export function casesOf({ ledger, kept }: FuzzReport, file: string): readonly JudgedCase[] {
  const { runs, findings } = ledger;
  if (runs === 0) return [{ name: 'no run', file, failure: { kind: 'incomplete', message: nothingJudged } }];
  if (findings.length === 0) return [{ name: `${runs} runs`, file }];
  return findings.map(({ kind: { verdict, what } }, index) => {
    const page = kept[index]?.page;
    return {
      name: what,
      file,
      failure: { kind: verdict, message: what, ...(page !== undefined && { detail: page }) },
    };
  });
}

/** What a campaign without runs came to. */
export const nothingJudged = 'no run was carried out, so nothing is judged';

/** The campaign for people. */
export function fuzzText(report: FuzzReport): string {
  const table = report.ledger.runs === 0 ? '' : strategiesText(report.ledger);
  const sections = [headline(report), table, ...findingsText(report), ending(report)];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function rateOf({ ledger, before, wallSeconds }: FuzzReport): number {
  return wallSeconds > 0 ? Math.round((ledger.runs - before) / wallSeconds) : 0;
}

function headline(report: FuzzReport): string {
  const { ledger, subject, before, interrupted, workers, wallSeconds } = report;
  const { runs, findings } = ledger;
  if (runs === 0) return `${subject}: ${nothingJudged}${interrupted ? ', interrupted' : ''}`;
  const verdict = findings.length === 0 ? 'no failure' : `${counted(findings.length, 'kind')} of failure`;
  const done = before === 0 ? '' : `${counted(before, 'run')} before; `;
  const threads = workers === 1 ? '' : `, ${workers} threads`;
  return [
    `${subject}: ${verdict} in ${counted(runs, 'run')}${interrupted ? ', interrupted' : ''}`,
    `seed ${ledger.campaign.seed}; ${done}${grouped(ledger.deliveries)} deliveries; ${wallSeconds.toFixed(1)} s${threads}, ${grouped(rateOf(report))} runs/s`,
    endsText(ledger),
    ...cutText(ledger),
    ...(ledger.campaign.coverage ? [coveredText(ledger)] : []),
  ].join('\n');
}

/** In how many different ends the runs ended. */
export function endsText({ ends, runs, ...ledger }: Pick<Ledger, 'ends' | 'runs' | 'campaign'>): string {
  const different = `${ends.exact ? '' : 'about '}${counted(ends.count, 'different end')}`;
  if (isGenerated(ledger)) {
    const scenarios = scenariosOf({ ...ledger, runs });
    return `${counted(scenarios, 'generated scenario')}, each under up to ${counted(ledger.campaign.strategies.length, 'schedule')}: ${different}`;
  }
  return `${different}, ${grouped(ends.once)} seen once: the next run ends in a new one with a probability of about ${share(unseenShare(ends, runs))}`;
}

/** How many runs were cut, when some were: nothing is known of what they would have come to. */
export const cutText = ({ cut = 0, runs }: Pick<Ledger, 'cut' | 'runs'>): readonly string[] =>
  cut === 0
    ? []
    : [
        `${grouped(cut)} of the ${counted(runs, 'run')} were cut where they left the boundary, went round or had taken as many steps as a run may: what comes later was not judged`,
      ];

/** What the runs have covered. */
export function coveredText(ledger: Ledger): string {
  const covered = `covered: ${coverageLine(coverageFigures(ledger.coverage))}`;
  if (isGenerated(ledger)) return covered;
  const { expectedInNextRun = 0 } = unseenIn(ledger.coverage);
  return `${covered}; the next run is expected to show about ${Number(expectedInNextRun.toPrecision(2))} new ones`;
}

/** Scenarios are generated, and each is run under one schedule of each strategy: such runs are no independent samples, from which something follows about the next. */
const isGenerated = ({ campaign }: Pick<Ledger, 'campaign'>): boolean => campaign.scenario === null;

/** How many scenarios the runs had. */
const scenariosOf = ({ campaign, runs }: Pick<Ledger, 'campaign' | 'runs'>): number =>
  Math.ceil(runs / campaign.strategies.length);

/** What each strategy did and found. */
export function strategiesText(ledger: Ledger): string {
  const { campaign, findings, runs } = ledger;
  const rows = campaign.strategies.map((strategy) => {
    const found = findings.flatMap(({ by }, index) =>
      by
        .filter((one) => one.strategy === strategy)
        .map(
          ({ first, failures }) =>
            `failure ${index + 1} after ${counted(runsOf(strategy, first + 1, campaign), 'run')}${failures > 1 ? ` (${failures} times)` : ''}`,
        ),
    );
    return [strategy, grouped(runsOf(strategy, runs, campaign)), found.join(', ') || 'nothing'];
  });
  const table = [['strategy', 'runs', 'found'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map(
    ([strategy, made, found]) => `  ${strategy!.padEnd(widths[0]!)}  ${made!.padStart(widths[1]!)}  ${found}`,
  );
  return lines.join('\n') + idleText('the properties', ledger.idle);
}

/** The first finding with its explanation, the others in short. */
function findingsText({ kept, ledger }: FuzzReport): readonly string[] {
  const sections = kept.map((one, index) => {
    const { finding, run, picks, attempts, complete, page, recording, explanation, scenario, simplified } =
      one;
    const { verdict, what } = finding.kind;
    const limit = complete ? '' : ', then time ran out';
    const files = [...(scenario === undefined ? [] : [scenario]), recording, explanation];
    return [
      `failure ${index + 1}, ${verdict}: ${what}`,
      ...(simplified.what === what ? [] : [`made simple it is ${simplified.verdict}: ${simplified.what}`]),
      `first in run ${run}; ${counted(picks.found, 'pick')} made simple to ${picks.left} in ${counted(attempts, 'run')}${limit}`,
      `written: ${files.join(', ')}`,
      ...(index === 0 ? ['', page.trimEnd()] : [`explain it: npx lockstep explain ${recording}`]),
      `watch it in a browser: npx lockstep view ${recording}`,
    ].join('\n');
  });
  const more = ledger.findings.length - kept.length;
  return more > 0
    ? [...sections, `and ${counted(more, 'further kind')} of failure, in the ledger`]
    : sections;
}

function ending({ ledger, interrupted, goOn, ledgerFile }: FuzzReport): string {
  return [
    `ledger written: ${ledgerFile}`,
    ...(ledger.campaign.coverage
      ? [`what is covered and what is not: npx lockstep coverage ${ledgerFile}`]
      : []),
    ...(interrupted ? [`go on with: ${goOn}`] : []),
  ].join('\n');
}

const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;

const share = (part: number): string => `${Number((100 * part).toPrecision(part < 0.1 ? 2 : 3))} %`;
