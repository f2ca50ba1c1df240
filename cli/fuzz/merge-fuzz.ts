import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FailedRun, firstRunOf, Ledger } from '../../properties/explore/ledger.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { movedText } from '../../scenarios/moved.ts';
import type { Merge } from '../campaign/merge.ts';
import { exitCodes } from '../exit-codes.ts';
import { grouped } from '../progress.ts';
import { shardWord } from '../shard-option.ts';
import { UsageError } from '../usage-error.ts';
import { coverageFigures } from './coverage-figures.ts';
import { coveredText, cutText, endsText, nothingJudged, strategiesText } from './fuzz-report.ts';
import { keptMax } from './keep-finding.ts';
import { ledgerOf, saveLedger } from './ledger-file.ts';

interface Part {
  readonly file: string;
  readonly ledger: Ledger;
}

/** What is known of a finding of all shards. */
interface MergedFinding {
  readonly finding: FailedRun;
  /** First run that failed so. */
  readonly run: number;
  /** Its files, from the shard that found it first; none where that shard kept none. */
  readonly files: readonly string[];
}

/** Puts ledgers of `fuzz` together, with what was found; gives the exit code. Errors: `UsageError` when they are not of one campaign; `LedgerError`. */
export function mergeFuzz({ files, out, json, outputs, terminal }: Merge): number {
  const parts = files.map((file): Part => {
    const ledger = ledgerOf(file);
    if (ledger) return { file, ledger };
    throw new UsageError(`${file}: found no such file, expected a ledger`, 'give the ledgers of all shards');
  });
  const ledger = merged(parts);
  const ledgerFile = join(out, 'ledger.json');
  outputs.attempt(() => saveLedger(ledgerFile, ledger));
  const findings = ledger.findings.slice(0, keptMax).map((finding, index): MergedFinding => {
    const run = firstRunOf(finding);
    let kept: readonly string[] = [];
    outputs.attempt(() => {
      kept = copiedFiles(parts, run, join(out, `failure-${index + 1}`));
    });
    return { finding, run, files: kept };
  });
  terminal.err(text(ledger, parts.length, findings, ledgerFile));
  if (json)
    terminal.out(`${JSON.stringify({ ...summary(ledger, findings, ledgerFile), ...outputs.json })}\n`);
  if (ledger.findings.length > 0) return exitCodes.failed;
  return ledger.parts.length > 0 || ledger.runs === 0 ? exitCodes.open : exitCodes.ok;
}

function merged(parts: readonly Part[]): Ledger {
  try {
    return Ledger.merged(parts.map(({ ledger }) => ledger));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(error.message, 'give ledgers of the shards of one campaign, each once');
  }
}

const endings = ['.yaml', '.recording.json', '.txt'] as const;

/** Copies the files of the finding that begins with a run from its shard; their texts name each other, and modules, as from their new place. */
function copiedFiles(parts: readonly Part[], run: number, to: string): readonly string[] {
  for (const { file, ledger } of parts) {
    const index = ledger.findings.findIndex((one) => firstRunOf(one) === run);
    if (index < 0) continue;
    const from = join(dirname(file), `failure-${index + 1}`);
    // Where the shard wrote them, which may have been on another computer.
    const page = existsSync(`${from}.txt`) ? readFileSync(`${from}.txt`, 'utf8') : '';
    const before = /^replay it: npx lockstep replay (\S+)\.recording\.json$/m.exec(page)?.[1] ?? from;
    const { machine, scenario } = ledger.campaign;
    const move = { from: before, to, ...(scenario === null && { machine }) };
    return endings
      .filter((ending) => existsSync(from + ending))
      .map((ending) => {
        writeFileAtomically(to + ending, movedText(readFileSync(from + ending, 'utf8'), ending, move));
        return to + ending;
      });
  }
  return [];
}

function text(ledger: Ledger, count: number, findings: readonly MergedFinding[], ledgerFile: string): string {
  const { campaign, runs, parts, deliveries } = ledger;
  const what = [campaign.machine, ...campaign.mutants.map((one) => `with ${one}`)].join(' ');
  const kinds = `${ledger.findings.length} ${ledger.findings.length === 1 ? 'kind' : 'kinds'} of failure`;
  const sections = [
    [
      runs === 0
        ? `${what}: ${nothingJudged}`
        : `${what}: ${ledger.findings.length === 0 ? 'no failure' : kinds} in ${grouped(runs)} runs of ${count} ledgers`,
      `seed ${campaign.seed}; ${grouped(deliveries)} deliveries`,
      endsText(ledger),
      ...cutText(ledger),
      ...(campaign.coverage ? [coveredText(ledger)] : []),
    ].join('\n'),
    strategiesText(ledger),
    ...findings.map(({ finding, run, files }, index) =>
      [
        `failure ${index + 1}, ${finding.kind.verdict}: ${finding.kind.what}`,
        `first in run ${run}`,
        ...(files.length > 0
          ? [`written: ${files.join(', ')}`]
          : ['its recording is not beside the ledger of its shard']),
      ].join('\n'),
    ),
    [...(parts.length > 0 ? [openText(ledger)] : []), `ledger written: ${ledgerFile}`].join('\n'),
  ];
  return `${sections.join('\n\n')}\n`;
}

function openText({ parts }: Ledger): string {
  const of = parts[0]!.shard.of;
  const there = parts.map(({ shard, runs }) => `${shardWord(shard)} with ${grouped(runs)} runs`).join(', ');
  return `not the whole campaign yet: ${parts.length} of ${of} shards, ${there}`;
}

const summary = (ledger: Ledger, findings: readonly MergedFinding[], file: string) => ({
  machine: ledger.campaign.machine,
  seed: ledger.campaign.seed,
  verdict:
    ledger.findings.length > 0 ? 'failed' : ledger.parts.length > 0 || ledger.runs === 0 ? 'open' : 'ok',
  runs: ledger.runs,
  deliveries: ledger.deliveries,
  ...(ledger.cut !== undefined && { cut: ledger.cut }),
  ends: { different: ledger.ends.count, once: ledger.ends.once, exact: ledger.ends.exact },
  ...(ledger.campaign.coverage && { coverage: coverageFigures(ledger.coverage) }),
  idle: ledger.idle,
  findings: findings.map(({ finding, run, files }) => ({
    ...finding.kind,
    run,
    by: finding.by,
    files,
  })),
  furtherFailures: ledger.furtherFailures,
  ...(ledger.parts.length > 0 && { parts: ledger.parts }),
  ledger: file,
});
