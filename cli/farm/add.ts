import { relative } from 'node:path';
import type { Command } from 'commander';
import { addCampaign, type NewCampaign } from '../../farm/campaign.ts';
import type { Campaign } from '../../properties/explore/campaign.ts';
import type { CampaignIdentity } from '../../properties/explore/ledger.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import type { Session } from '../command.ts';
import { faultWord } from '../fuzz/fault-option.ts';
import { type CampaignOrder, openCampaign } from '../fuzz/order.ts';
import { declarePlan, type PlanOptions, subjectWords } from '../fuzz/plan-options.ts';
import { targetOf } from '../fuzz/target.ts';
import { naturalOption } from '../natural-option.ts';
import { grouped } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { bundleOf } from './bundle.ts';
import { declareFarmPlace, type FarmPlace, placeWords, withFarm } from './opened-farm.ts';

interface AddOptions extends FarmPlace, PlanOptions {
  readonly runs: number;
  readonly range?: number;
  readonly lease: number;
  readonly json?: boolean;
}

const runsDefault = 1000;
const leaseDefault = 60;
/** Runs of a campaign, and of a range. */
const [runsMax, rangeMax] = [2 ** 40, 100_000];
const leaseMax = 24 * 3600;
/** Seconds that a range should take; less, down to a tenth, where a campaign would have fewer ranges than `rangesMin`. */
const [rangeSeconds, rangesMin] = [5, 64];
/** Milliseconds in which runs are timed. */
const timedMilliseconds = 300;

/** `lockstep farm add SCENARIO|MACHINE …`. */
export function declareAdd(command: Command, session: Session): void {
  declareFarmPlace(
    declarePlan(
      command
        .argument('<what...>', 'scenario files, or machines: then scenarios are generated')
        .option('--runs <n>', 'runs of each campaign', naturalOption('--runs', runsMax), runsDefault),
    )
      .option(
        '--range <n>',
        'runs that a worker takes at once; those of some seconds when absent',
        naturalOption('--range', rangeMax),
      )
      .option(
        '--lease <s>',
        'seconds after which a range whose worker shows nothing goes to another',
        naturalOption('--lease', leaseMax),
        leaseDefault,
      ),
  )
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep farm add raft --runs 10000 && lockstep farm work --workers 2
  lockstep farm add raft --runs 1000000 --database postgres://farm@db.example/farm`,
    )
    .action(async (words: readonly string[], options: AddOptions) => {
      for (const name of ['runs', 'range', 'lease'] as const)
        if (options[name] === 0)
          throw new UsageError(`--${name}: found "0", expected at least 1`, `for example --${name} 100`);
      const prepared: NewCampaign[] = [];
      for (const word of words) prepared.push(await prepare(word, options));
      const added = await withFarm(options, { makes: true }, async (database, queue) => {
        const ids = [];
        for (const one of prepared) ids.push(await addCampaign(database, queue, one));
        return ids;
      });
      const { terminal } = session;
      for (const [index, { what, runs, rangeRuns }] of prepared.entries())
        terminal.err(
          `campaign ${added[index]}: ${what}, ${grouped(runs)} runs in ranges of ${grouped(rangeRuns)}\n`,
        );
      terminal.err(`carry it out: npx lockstep farm work${placeWords(options)}\n`);
      if (options.json)
        terminal.out(
          `${JSON.stringify({ campaigns: prepared.map(({ what, runs, rangeRuns }, index) => ({ id: added[index], what, runs, rangeRuns })) })}\n`,
        );
    });
}

/** Opens a campaign here first, so that what is wrong with it is told to whoever adds it. */
async function prepare(word: string, options: AddOptions): Promise<NewCampaign> {
  const { seed, strategy: strategies, mutant: mutants, fault, coverage, runs, lease: leaseSeconds } = options;
  const target = await targetOf(word, mutants, fault);
  const { subject, machine, scenario } = named(target);
  const campaign = await openCampaign({ subject, plan: { seed, strategies, coverage } });
  const identity: CampaignIdentity = {
    version: lockstepVersion,
    machine,
    scenario,
    mutants: [...mutants],
    seed,
    strategies: [...strategies],
    coverage,
    faults: fault.map(faultWord),
    shard: null,
  };
  return {
    what: subjectWords(word, options),
    identity,
    subject,
    bundle: await bundleOf(subject),
    runs,
    rangeRuns: options.range ?? fittingRange(campaign, runs, strategies.length),
    leaseSeconds,
    firstEnd: campaign.attempt(0).fingerprint,
  };
}

/** A scenario file as workers name it: they have it in a folder of their own. */
function named<T extends { readonly subject: CampaignOrder['subject'] }>(target: T): T {
  const { subject } = target;
  return 'file' in subject
    ? { ...target, subject: { ...subject, file: relative(process.cwd(), subject.file) } }
    : target;
}

/** How many runs take some seconds; those of a scenario stay together. */
function fittingRange(campaign: Campaign, runs: number, together: number): number {
  campaign.attempt(0);
  const began = performance.now();
  let timed = 0;
  while (timed < runs && performance.now() - began < timedMilliseconds) campaign.attempt(timed++);
  const fitting = (1000 * rangeSeconds * timed) / Math.max(1, performance.now() - began);
  const most = Math.min(fitting, Math.max(fitting / 10, runs / rangesMin), rangeMax - together);
  return Math.max(1, Math.ceil(most / together)) * together;
}
