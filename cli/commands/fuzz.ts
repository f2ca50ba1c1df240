import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Campaign, dealtRuns, runNumber, type Shard } from '../../properties/explore/campaign.ts';
import { type CampaignIdentity, Ledger } from '../../properties/explore/ledger.ts';
import { OutputError } from '../../scenarios/output-error.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import { patiently } from '../background/patiently.ts';
import { type CiFiles, ciOptions, writeCiFiles } from '../ci-report.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { faultWord } from '../fuzz/fault-option.ts';
import { casesOf, fuzzJson, fuzzText } from '../fuzz/fuzz-report.ts';
import { type KeptFinding, keepFinding, keptMax } from '../fuzz/keep-finding.ts';
import { loadLedger, saveLedger, staleLedger } from '../fuzz/ledger-file.ts';
import { type CampaignOrder, openCampaign } from '../fuzz/order.ts';
import { declarePlan, type PlanOptions, planWords, subjectWords } from '../fuzz/plan-options.ts';
import { type CampaignLimits, runCampaign } from '../fuzz/run-campaign.ts';
import { type SimplifiedFinding, simplifiedFinding } from '../fuzz/simplified-finding.ts';
import { targetOf } from '../fuzz/target.ts';
import { campaignThreads, interruptedBatches } from '../fuzz/timed-batch.ts';
import { naturalOption } from '../natural-option.ts';
import { Outputs } from '../output.ts';
import { shardFlags, shardOption, shardWord } from '../shard-option.ts';
import type { Terminal } from '../terminal.ts';
import { ownThread } from '../threads/worker-pool.ts';
import { UsageError } from '../usage-error.ts';
import { withProgress } from '../with-progress.ts';

interface FuzzOptions extends CiFiles, PlanOptions {
  readonly runs?: number;
  readonly seconds?: number;
  readonly out?: string;
  readonly shard?: Shard;
  readonly workers: number;
  readonly keepGoing?: boolean;
  readonly json?: boolean;
}

/** Runs when neither a number nor a time is given. */
const runsDefault = 1000;
/** Threads that one campaign may have. */
const workersMax = 256;
/** Columns of an explanation at most: longer lines are hard to read. */
const pageColumnsMax = 100;
/** Milliseconds after which the ledger is saved again, so that little is lost when the power fails. */
const saveMilliseconds = 20_000;
/** Between two words of progress of threads that carry out long runs. */
const tellMilliseconds = 1000;

/** `lockstep fuzz SCENARIO|MACHINE` (design, section 6). */
export function declareFuzz(command: Command, session: Session): void {
  declarePlan(
    command
      .argument('<what>', 'a scenario file, or a machine: then scenarios are generated')
      .option(
        '--runs <n>',
        `runs in all; ${runsDefault} when no --seconds are given`,
        naturalOption('--runs'),
      )
      .option('--seconds <s>', 'seconds after which no run is begun', naturalOption('--seconds')),
  )
    .option('--out <dir>', 'folder of a campaign that is kept and goes on when called again')
    .option(
      '--workers <n>',
      'threads; what is found does not depend on them',
      naturalOption('--workers', workersMax),
      1,
    )
    .option(...shardFlags, shardOption)
    .option('--keep-going', 'go on after a failure; tells one of each kind')
    .option(...ciOptions[0])
    .option(...ciOptions[1])
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep fuzz scenarios/cell/get-against-put.yaml --runs 200
  lockstep fuzz cell --mutant M-05 --out out/m-05
  lockstep fuzz raft --runs 100000 --shard 3/16 --out out/shard-3
  lockstep fuzz raft --seconds 60 --workers 4 --keep-going --junit out/raft.xml`,
    )
    .action(async (what: string, options: FuzzOptions) => {
      session.exitCode = await fuzz(what, options, session);
    });
}

async function fuzz(what: string, options: FuzzOptions, { terminal }: Session): Promise<number> {
  const { seed, strategy: strategies, mutant: mutants, workers, coverage, keepGoing = false } = options;
  const shard = options.shard ?? null;
  const faults = options.fault.map(faultWord);
  if (workers === 0)
    throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
  const target = await targetOf(what, mutants, options.fault);
  const order: CampaignOrder = { subject: target.subject, plan: { seed, strategies, coverage, shard } };
  const campaign = await openCampaign(order);
  const folder =
    options.out ??
    join('out', 'fuzz', shard ? `${target.name}-shard-${shard.number}-of-${shard.of}` : target.name);
  const ledgerFile = join(folder, 'ledger.json');
  const { machine, scenario } = target;
  const identity: CampaignIdentity = {
    version: lockstepVersion,
    machine,
    scenario,
    mutants: [...mutants],
    seed,
    strategies: [...strategies],
    coverage,
    faults,
    shard,
  };
  // Only a folder that the user names is a campaign that goes on: otherwise what was found before a change would be told after it.
  const ledger =
    (options.out === undefined ? undefined : continued(ledgerFile, identity, campaign)) ??
    new Ledger(identity);
  const before = ledger.runs;
  const runsAsked = options.runs ?? (options.seconds === undefined ? runsDefault : undefined);
  const runs = runsAsked === undefined ? Number.MAX_SAFE_INTEGER : dealtRuns(order.plan, runsAsked);
  if (before > 0)
    terminal.err(
      before < runs
        ? `${ledgerFile}: goes on after ${before} runs\n`
        : `${ledgerFile}: has ${before} runs already, and ${runs} are asked for; to go on give more --runs\n`,
    );

  const outputs = new Outputs();
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const { interrupted } = await carriedOut(order, campaign, ledger, {
    terminal,
    workers,
    ledgerFile,
    outputs,
    runs,
    stopAtFailure: !keepGoing,
    shouldStop: () => options.seconds !== undefined && seconds() >= options.seconds,
  });
  const wallSeconds = seconds();

  const kept: KeptFinding[] = [];
  let hurried = interrupted;
  for (const [index, finding] of ledger.findings.slice(0, keptMax).entries()) {
    const place = {
      folder,
      name: `failure-${index + 1}`,
      generated: scenario === null,
      width: Math.min(pageColumnsMax, terminal.columns),
    };
    const one = await outputs.attempted(() =>
      keepFinding(campaign, finding, place, async (what) => {
        const simple = await patiently<SimplifiedFinding>(
          terminal,
          {
            here: (heed) => simplifiedFinding(campaign, what, heed),
            order: { kind: 'finding', campaign: order, ...what },
          },
          hurried,
        );
        hurried = simple.interrupted;
        return simple.done;
      }),
    );
    if (one) kept.push(one);
  }
  const report = {
    ledger,
    subject: subjectWords(what, options) + (shard ? ` shard ${shardWord(shard)}` : ''),
    before,
    kept,
    interrupted,
    workers,
    wallSeconds,
    goOn: commandLine(what, options, folder),
    ledgerFile,
  };
  terminal.err(fuzzText(report));
  writeCiFiles(options, 'fuzz', casesOf(report, what), wallSeconds, outputs, terminal);
  if (options.json) terminal.out(`${JSON.stringify({ ...fuzzJson(report), ...outputs.json })}\n`);
  outputs.settle();
  if (ledger.findings.length > 0) return exitCodes.failed;
  if (interrupted) return exitCodes.interrupted;
  return ledger.runs === 0 ? exitCodes.open : exitCodes.ok;
}

/** The ledger that lies there, when the last of its runs still ends as it did. Errors: `LedgerError`. */
function continued(file: string, identity: CampaignIdentity, campaign: Campaign): Ledger | undefined {
  const ledger = loadLedger(file, identity);
  if (!ledger || ledger.runs === 0) return ledger;
  const last = runNumber(campaign.plan, ledger.runs - 1);
  const { fingerprint } = campaign.attempt(last);
  if (fingerprint !== ledger.lastEnd) throw staleLedger(file, last, fingerprint, ledger);
  return ledger;
}

interface HowCarriedOut extends CampaignLimits {
  readonly terminal: Terminal;
  readonly workers: number;
  readonly ledgerFile: string;
  readonly outputs: Outputs;
}

/** Carries the campaign on with progress on the terminal and Ctrl-C heeded; the ledger is saved whatever happens. */
async function carriedOut(
  order: CampaignOrder,
  campaign: Campaign,
  ledger: Ledger,
  { terminal, workers, ledgerFile, outputs, ...limits }: HowCarriedOut,
): Promise<{ readonly interrupted: boolean }> {
  const before = ledger.runs;
  const [deliveriesBefore, last] = [ledger.deliveries, Math.max(0, limits.runs - before)];
  const until = limits.runs === Number.MAX_SAFE_INTEGER ? undefined : last;
  return withProgress(
    terminal,
    until,
    async ({ onProgress, shouldStop }) => {
      const workerPool =
        workers === 1 ? ownThread(interruptedBatches(campaign, shouldStop)) : campaignThreads(order, workers);
      const update = (more: number) =>
        onProgress(ledger.runs - before, ledger.deliveries - deliveriesBefore + more);
      // A run may have no end: what goes on is told during a run as well, of threads by the clock.
      campaign.onProgress = update;
      const ticking = workers > 1 ? setInterval(() => update(0), tellMilliseconds) : undefined;
      let saved = performance.now();
      let isNew = false;
      try {
        const isThere = existsSync(ledgerFile);
        beginLedger(ledgerFile, ledger);
        isNew = !isThere;
        await runCampaign(
          workerPool,
          ledger,
          {
            ...limits,
            shouldStop: () => shouldStop() || limits.shouldStop(),
            isInterrupted: shouldStop,
          },
          () => {
            update(0);
            if (performance.now() - saved < saveMilliseconds) return;
            outputs.attempt(() => saveLedger(ledgerFile, ledger));
            saved = performance.now();
          },
        );
        return { interrupted: shouldStop() };
      } catch (error) {
        // Of a campaign without a run nothing remains.
        if (isNew && ledger.runs === 0) rmSync(ledgerFile, { force: true });
        throw error;
      } finally {
        if (ledger.runs > before) outputs.attempt(() => saveLedger(ledgerFile, ledger));
        clearInterval(ticking);
        await workerPool.end();
      }
    },
    'runs',
  );
}

/** Writes the ledger before any work is done, since a folder that cannot be written would lose it. Errors: `UsageError`. */
function beginLedger(file: string, ledger: Ledger): void {
  try {
    saveLedger(file, ledger);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new UsageError(
      `--out: ${file} cannot be written: ${error.why}`,
      'give a folder that can be written',
    );
  }
}

/** The command that goes on with a campaign in this folder. */
function commandLine(what: string, options: FuzzOptions, folder: string): string {
  const { runs, seconds, shard, workers, keepGoing } = options;
  return [
    `npx lockstep fuzz ${what} --out ${folder}`,
    ...planWords(options),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
    ...(seconds === undefined ? [] : [`--seconds ${seconds}`]),
    ...(shard === undefined ? [] : [`--shard ${shardWord(shard)}`]),
    ...(workers === 1 ? [] : [`--workers ${workers}`]),
    ...(keepGoing ? ['--keep-going'] : []),
  ].join(' ');
}
