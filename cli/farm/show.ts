import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { bundleFilesOf, campaignOf, type FarmCampaign } from '../../farm/campaign.ts';
import type { Database } from '../../farm/database.ts';
import { FarmError } from '../../farm/farm-error.ts';
import { type RecordedFinding, recordedFindingOf } from '../../farm/status.ts';
import { plannedRun } from '../../properties/explore/campaign.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { type Move, movedText } from '../../scenarios/moved.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { numberArgument } from '../number-argument.ts';
import { Outputs } from '../output.ts';
import { grouped } from '../progress.ts';
import { ChildRunner } from './child-runner.ts';
import { findingsFolder } from './findings-folder.ts';
import { declareFarmPlace, type FarmPlace, readingFarm } from './opened-farm.ts';

interface ShowWords extends FarmPlace {
  readonly out: string;
  readonly json?: boolean;
}

/** `lockstep farm show ID`. */
export function declareShow(command: Command, session: Session): void {
  declareFarmPlace(command)
    .argument('<finding>', 'its number, as `lockstep farm findings` tells it', numberArgument('finding'))
    .option('--out <dir>', 'folder for its recording, explanation and scenario', findingsFolder)
    .option('--json', 'one JSON object on standard output')
    .action(async (id: number, { out, json, ...place }: ShowWords) => {
      const { terminal } = session;
      const outputs = new Outputs();
      const shown = await readingFarm(place, async (database) => {
        const finding = await findingCalled(database, id);
        const campaign = await campaignOf(database, finding.campaign);
        return { ...(await written(database, campaign, finding, out, outputs)), finding, campaign };
      });
      const { finding, campaign, files, page } = shown;
      const { verdict, what, smallest, failures, first } = finding;
      const { strategy, seed } = plannedRun(campaign.identity, smallest);
      terminal.err(
        [
          `finding ${id} of campaign ${campaign.id}, ${campaign.what}; ${verdict}: ${what}`,
          `${grouped(failures)} ${failures === 1 ? 'run fails' : 'runs fail'} so, first run ${first}; smallest: run ${smallest} (${strategy}, seed ${seed})`,
          ...(files.length > 0 ? [`written: ${files.join(', ')}`] : []),
          '',
          page.trimEnd(),
          '',
        ].join('\n'),
      );
      if (json) terminal.out(`${JSON.stringify({ ...finding, strategy, seed, files, ...outputs.json })}\n`);
      outputs.settle();
      session.exitCode = exitCodes.failed;
    });
}

async function findingCalled(database: Database, id: number): Promise<RecordedFinding> {
  const finding = await recordedFindingOf(database, id);
  if (finding) return finding;
  throw new FarmError(
    `${database.place}: found no finding ${id}, expected one of those that were found`,
    'list them: lockstep farm findings',
  );
}

interface Written {
  readonly files: readonly string[];
  readonly page: string;
}

async function written(
  database: Database,
  campaign: FarmCampaign,
  finding: RecordedFinding,
  out: string,
  outputs: Outputs,
): Promise<Written> {
  const { id, record, note, smallest } = finding;
  const { machine, scenario } = campaign.identity;
  const own = `finding-${id}`;
  const move: Move = {
    from: join(findingsFolder, own),
    to: join(out, own),
    ...(scenario === null && { machine }),
  };
  if (!record)
    return withoutRecord(
      database,
      campaign,
      finding,
      move,
      outputs,
      note ?? `it is made simple yet: a worker does that; run ${smallest} is the one`,
    );
  const files: string[] = [];
  for (const [name, text] of record.files) {
    const file = join(out, name);
    if (outputs.attempt(() => writeFileAtomically(file, movedText(text, name.slice(own.length), move))))
      files.push(file);
  }
  return { files, page: movedText(record.page, '.txt', move) };
}

/** What can be said of a run that is not recorded: how it is carried out again. */
async function withoutRecord(
  database: Database,
  campaign: FarmCampaign,
  { smallest }: RecordedFinding,
  move: Move,
  outputs: Outputs,
  why: string,
): Promise<Written> {
  const { strategy, seed } = plannedRun(campaign.identity, smallest);
  const given = campaign.subject as { readonly file?: string };
  const schedule = `--schedule ${strategy}${strategy === 'fifo' ? '' : ` --seed ${seed}`}`;
  if (given.file !== undefined)
    return { files: [], page: `${why}\ncarry it out: npx lockstep run ${given.file} ${schedule}` };
  const runner = new ChildRunner(
    campaign,
    campaign.bundle === null ? undefined : await bundleFilesOf(database, campaign.bundle),
  );
  try {
    const text = movedText(await runner.scenario(smallest), '.yaml', move);
    const file = `${move.to}.yaml`;
    const files = outputs.attempt(() => writeFileAtomically(file, text)) ? [file] : [];
    return {
      files,
      page: `${why}\ncarry it out: npx lockstep run ${relative(process.cwd(), file)} ${schedule}`,
    };
  } finally {
    runner.end();
  }
}
