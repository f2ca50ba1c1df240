import type { Command } from 'commander';
import { campaignOf, retryRefused } from '../../farm/campaign.ts';
import type { Session } from '../command.ts';
import { numberArgument } from '../number-argument.ts';
import { grouped } from '../progress.ts';
import { declareFarmPlace, type FarmPlace, placeWords, withFarm } from './opened-farm.ts';

const ofCampaign = (command: Command): Command =>
  declareFarmPlace(command)
    .argument('<campaign>', 'its number, as `lockstep farm status` tells it', numberArgument('campaign'))
    .option('--json', 'one JSON object on standard output');

type Words = FarmPlace & { readonly json?: boolean };

/** `lockstep farm cancel CAMPAIGN`. */
export function declareCancel(command: Command, { terminal }: Session): void {
  ofCampaign(command).action(async (id: number, { json, ...place }: Words) => {
    const runs = await withFarm(place, {}, async (database, queue) => {
      await campaignOf(database, id);
      return queue.cancel(id);
    });
    terminal.err(
      `campaign ${id}: ${grouped(runs)} runs cancelled; take them up again: npx lockstep farm retry ${id}${placeWords(place)}\n`,
    );
    if (json) terminal.out(`${JSON.stringify({ campaign: id, cancelled: runs })}\n`);
  });
}

/** `lockstep farm retry CAMPAIGN`. */
export function declareRetry(command: Command, { terminal }: Session): void {
  ofCampaign(command).action(async (id: number, { json, ...place }: Words) => {
    const runs = await withFarm(place, {}, async (database, queue) => {
      const campaign = await campaignOf(database, id);
      return (await queue.resume(id)) + (await retryRefused(database, queue, campaign));
    });
    terminal.err(`campaign ${id}: ${grouped(runs)} runs back in the queue\n`);
    if (json) terminal.out(`${JSON.stringify({ campaign: id, retried: runs })}\n`);
  });
}
