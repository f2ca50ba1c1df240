import type { Command } from 'commander';
import { ledgerOfCampaign } from '../../farm/ledger-of-campaign.ts';
import { type FarmProgress, progressOf, refusalsOf, workersOf } from '../../farm/status.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import type { Session } from '../command.ts';
import { saveLedger } from '../fuzz/ledger-file.ts';
import { numberArgument } from '../number-argument.ts';
import { duration, grouped } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { declareFarmPlace, type FarmPlace, placeWords, readingFarm } from './opened-farm.ts';

interface StatusWords extends FarmPlace {
  readonly ledger?: string;
  readonly json?: boolean;
}

/** `lockstep farm status [CAMPAIGN]`. */
export function declareStatus(command: Command, session: Session): void {
  declareFarmPlace(command)
    .argument('[campaign]', 'number of a campaign; all when absent', numberArgument('campaign'))
    .option('--ledger <file>', 'write the ledger of the campaign, as fuzz has it, when all its runs are done')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep farm status
  lockstep farm status 1 --ledger out/all/ledger.json && lockstep coverage out/all/ledger.json`,
    )
    .action(async (id: number | undefined, { ledger: file, json, ...place }: StatusWords) => {
      const { terminal } = session;
      if (file !== undefined && id === undefined)
        throw new UsageError(
          'found --ledger without a campaign, expected its number',
          'for example farm status 1 --ledger out/ledger.json',
        );
      const isMeant = (one: { readonly campaign: number }) => id === undefined || one.campaign === id;
      await readingFarm(place, async (database) => {
        const campaigns = (await progressOf(database)).filter(isMeant);
        const refusals = (await refusalsOf(database)).filter(isMeant);
        const workers = await workersOf(database);
        if (id !== undefined && campaigns.length === 0)
          throw new UsageError(
            `found no campaign ${id}, expected one that was added`,
            'list them: lockstep farm status',
          );
        terminal.err(
          [
            ...(campaigns.length === 0
              ? ['no campaign: add one with lockstep farm add']
              : campaigns.map(lineOf)),
            ...refusals.map(
              ({ campaign, message, ranges }) =>
                `campaign ${campaign}: ${grouped(ranges)} refused ${ranges === 1 ? 'range' : 'ranges'}: ${message}\n  help: when it is mended: lockstep farm retry ${campaign}${placeWords(place)}`,
            ),
            workers.length === 0
              ? 'nobody is at work'
              : `at work: ${workers.map(({ name, version, runs }) => `${name}${version === lockstepVersion ? '' : ` (Lockstep ${version})`}, ${grouped(runs)} runs`).join('; ')}`,
            '',
          ].join('\n'),
        );
        if (json) terminal.out(`${JSON.stringify({ campaigns, refusals, workers })}\n`);
        if (file !== undefined) {
          demandWhole(campaigns[0]!, placeWords(place));
          saveLedger(file, await ledgerOfCampaign(database, id!));
          terminal.err(`ledger written: ${file}\n`);
        }
      });
    });
}

/** Errors: `UsageError` for a campaign of which runs are missing: nobody could tell that from its ledger. */
function demandWhole({ campaign, done, runs, cancelled, refused }: FarmProgress, where: string): void {
  if (done >= runs) return;
  throw new UsageError(
    `--ledger: found ${grouped(done)} of ${grouped(runs)} runs of campaign ${campaign} done, expected all of them`,
    cancelled + refused > 0
      ? `take up what was cancelled or refused: lockstep farm retry ${campaign}${where}`
      : `wait until the workers are done, or start some: lockstep farm work${where}`,
  );
}

function lineOf(one: FarmProgress): string {
  const { campaign, what, version, runs, done, waiting, underWay, cancelled, refused, findings, failures } =
    one;
  const left = waiting + underWay;
  const parts = [
    `campaign ${campaign}: ${what}, ${grouped(done)} of ${grouped(runs)} runs (${Math.floor((100 * done) / runs)} %)`,
    ...(underWay > 0 ? [`${grouped(underWay)} under way`] : []),
    ...(cancelled > 0 ? [`${grouped(cancelled)} cancelled`] : []),
    ...(refused > 0 ? [`${grouped(refused)} refused`] : []),
    ...(one.givenBack > 0 ? [`ranges given back: ${grouped(one.givenBack)}`] : []),
    ...(left > 0 && one.runsPerSecond > 0
      ? [`${grouped(Math.round(one.runsPerSecond))} runs/s, about ${duration(left / one.runsPerSecond)} left`]
      : []),
    findings === 0
      ? 'no failure'
      : `${grouped(findings)} ${findings === 1 ? 'kind' : 'kinds'} of failure in ${grouped(failures)} runs`,
    ...(left > 0 && version !== lockstepVersion
      ? [
          `it waits for workers with Lockstep ${version}, this is ${lockstepVersion}: npm install lockstep@${version}`,
        ]
      : []),
  ];
  return parts.join('; ');
}
