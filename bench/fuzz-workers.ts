/** Usage: npx tsx bench/fuzz-workers.ts [--rounds 5] [--seconds 2] [--machine cell] [--coverage] [--json] */
import { parseArgs } from 'node:util';
import { type CampaignOrder, openCampaign } from '../cli/fuzz/order.ts';
import { runCampaign } from '../cli/fuzz/run-campaign.ts';
import { type CampaignPool, campaignThreads, timedBatches } from '../cli/fuzz/timed-batch.ts';
import { ownThread } from '../cli/threads/worker-pool.ts';
import { type CampaignIdentity, Ledger } from '../properties/explore/ledger.ts';
import { scheduleKinds } from '../scenarios/schedule.ts';

/*
 * How much faster two threads get through a campaign of small runs than one: the worst case, since small runs have the most to hand over. One round runs
 * one thread, then two. With `--machine` the runs are of its generated scenarios, under all strategies, judged by its properties. Beside the ratio of the rates by the clock stands that of the runs a second of processor time, which says what handing over costs, also
 * on a computer that has other things to do.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    machine: { type: 'string' },
    coverage: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const { machine, coverage } = values;
const strategies: CampaignIdentity['strategies'] =
  machine === undefined ? ['random'] : scheduleKinds.filter((kind) => kind !== 'fifo');
const order: CampaignOrder = {
  subject:
    machine === undefined
      ? {
          file: 'small.yaml',
          text: 'name: small\nmachine: cell\nconfig: { N: 2, K: 1, memSize: 16 }\nprograms: [[[0, put, 0, 1, 8, 1]]]\n',
        }
      : { machine, mutants: [] },
  plan: { seed: 1, strategies, coverage },
};
const identity: CampaignIdentity = {
  version: '',
  machine: machine ?? 'cell',
  scenario: machine === undefined ? '' : null,
  mutants: [],
  seed: 1,
  strategies,
  coverage,
};

const campaign = await openCampaign(order);
const two = campaignThreads(order, 2);

interface Rate {
  /** Runs a second by the clock, and by the processor. */
  readonly byClock: number;
  readonly byProcessor: number;
  readonly deliveriesARun: number;
}

async function rateOf(workerPool: CampaignPool, forSeconds: number): Promise<Rate> {
  const ledger = new Ledger(identity);
  const before = process.cpuUsage();
  const began = performance.now();
  const shouldStop = () => performance.now() - began > 1000 * forSeconds;
  await runCampaign(workerPool, ledger, { runs: Number.MAX_SAFE_INTEGER, stopAtFailure: false, shouldStop });
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const { runs, deliveries } = ledger;
  return {
    byClock: runs / took,
    byProcessor: runs / ((user + system) / 1e6),
    deliveriesARun: deliveries / runs,
  };
}

// Both have compiled what they need when it counts.
await rateOf(ownThread(timedBatches(campaign)), seconds);
await rateOf(two, 2 * seconds);
const measured: { readonly one: Rate; readonly two: Rate }[] = [];
for (let round = 0; round < rounds; round++)
  measured.push({
    one: await rateOf(ownThread(timedBatches(campaign)), seconds),
    two: await rateOf(two, seconds),
  });
await two.end();

const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0;
const summary = {
  rounds,
  deliveriesARun: measured[0]?.one.deliveriesARun ?? 0,
  oneThread: median(measured.map(({ one }) => one.byClock)),
  twoThreads: median(measured.map((round) => round.two.byClock)),
  ratio: median(measured.map((round) => round.two.byClock / round.one.byClock)),
  ratioMax: Math.max(...measured.map((round) => round.two.byClock / round.one.byClock)),
  perProcessorSecond: median(measured.map((round) => round.two.byProcessor / round.one.byProcessor)),
};
console.log(
  values.json
    ? JSON.stringify(summary)
    : `${summary.deliveriesARun.toFixed(0)} deliveries a run; median of ${rounds} rounds
one thread   ${summary.oneThread.toFixed(0)} runs/s
two threads  ${summary.twoThreads.toFixed(0)} runs/s
ratio        ${summary.ratio.toFixed(2)} by the clock (best ${summary.ratioMax.toFixed(2)}), ${summary.perProcessorSecond.toFixed(2)} by processor time a run`,
);
