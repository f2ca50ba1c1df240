import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Campaign } from '../../properties/explore/campaign.ts';
import { type CampaignOrder, openCampaign } from '../fuzz/order.ts';
import { type SimplifiedFinding, simplifiedFinding } from '../fuzz/simplified-finding.ts';
import { KeptTerminal } from '../terminal.ts';
import type { Heed } from './heed.ts';
import { patiently } from './patiently.ts';

const file = 'scenarios/protocols/paxos-keeps-own-proposal.yaml';
const order: CampaignOrder = {
  subject: { file, text: readFileSync(file, 'utf8') },
  plan: { seed: 1, strategies: ['random'], coverage: false },
};

/** The first failure of a campaign, as work that is done here or elsewhere. */
async function work() {
  const campaign: Campaign = await openCampaign(order);
  const [failure] = campaign.batch(0, 200, true).failures;
  const { kind, run } = failure!;
  const what = {
    finding: { kind, by: [{ strategy: 'random' as const, first: run, failures: 1 }] },
    recording: 'found.json',
    file: 'found.yaml',
    width: 100,
  };
  return {
    here: (heed: Heed) => simplifiedFinding(campaign, what, heed),
    order: { kind: 'finding', campaign: order, ...what } as const,
  };
}

test('work that takes long is done in a thread, and comes to what it comes to here', async () => {
  const given = await work();
  const terminal = new KeptTerminal(true);
  const here = await patiently<SimplifiedFinding>(terminal, given);
  const there = await patiently<SimplifiedFinding>(
    terminal,
    { ...given, here: (heed) => ({ ...given.here(heed), page: 'begun' }) },
    false,
    0,
  );

  expect(here).toMatchObject({ interrupted: false, done: { complete: true } });
  expect(here.done.page).toContain('what happened:');
  expect(there).toEqual(here);
});

test('Ctrl-C ends it with what it has', async () => {
  const working = patiently<SimplifiedFinding>(new KeptTerminal(), await work(), false, 0);
  // The thread has not begun.
  setImmediate(() => process.emit('SIGINT'));
  const { done, interrupted } = await working;

  expect(interrupted).toBe(true);
  expect(done.complete).toBe(false);
  expect(done.picks.left).toBe(done.picks.found);
  expect(done.page).toContain('what led to it');
});
