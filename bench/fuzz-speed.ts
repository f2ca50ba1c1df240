/** Usage: npx tsx bench/fuzz-speed.ts [--scenarios 20] [--coverage] [--machines cell,tca] [--json] */
import { parseArgs } from 'node:util';
import { setup } from 'xstate';
import { canonical, RandomChoices, RecordingChoices } from '../kernel/choices.ts';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { Run } from '../kernel/run.ts';
import { PctChoices } from '../kernel/schedules/pct.ts';
import { PosChoices } from '../kernel/schedules/pos.ts';
import { Wiring } from '../kernel/wiring.ts';
import { machineNamed } from '../manifests/machines.ts';
import { Campaign } from '../properties/explore/campaign.ts';
import { GeneratedSubject } from '../properties/explore/subject.ts';
import { generationOf } from '../properties/generated-subject.ts';
import { scheduleKinds } from '../scenarios/schedule.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * Schedules a second: eight actors that pass eight tokens at once, 64 deliveries a run, each run built, carried out under a schedule of its own, and
 * its end looked at, by processor time. The goal is 100,000 on one thread.
 *
 * Then for each machine the runs of a campaign over generated scenarios, all strategies in turn: judged as `fuzz` judges them, against the same runs of the kernel alone, generated, built,
 * carried out and hashed, with nobody looking. Both by processor time, in turn, so that their ratio holds on a computer that has other things to do. A judged campaign also
 * carries out what its properties compare with: the canonical run of each scenario, and runs that nobody watches or that go on from a snapshot.
 */

const { values } = parseArgs({
  options: {
    scenarios: { type: 'string', default: '20' },
    coverage: { type: 'boolean', default: false },
    machines: { type: 'string', default: 'cell,tca,sunway,grape,chiplet,raft' },
    json: { type: 'boolean', default: false },
  },
});

interface Node {
  readonly next: Address;
  seen: number;
}
interface Token {
  readonly type: 'token';
  readonly left: number;
}

const { update, post } = component<Node, Token>();

const node = setup({
  types: {} as { context: Node; events: Token; input: Node },
  actions: {
    count: update<'token'>((context) => {
      context.seen++;
    }),
    pass: post<'token'>(({ next }, { left }) =>
      left > 1 ? { to: next, type: 'token', left: left - 1 } : [],
    ),
  },
}).createMachine({
  id: 'node',
  context: ({ input }) => ({ ...input }),
  on: { token: { actions: ['count', 'pass'] } },
});

const actors = 8;
const wiring = new Wiring();
wiring.zeroCopy = true;
const addresses = Array.from({ length: actors }, (_, at) => wiring.reserve(`Node[${at}]`));
for (const [at, self] of addresses.entries()) {
  wiring.place(self, node, { next: addresses[(at + 1) % actors]!, seen: 0 });
  wiring.boot.push({ to: self, type: 'token', left: 8 } as never);
}

const runs = 4000;
const variant = (
  name: string,
  choicesOf: (seed: number) => ConstructorParameters<typeof RecordingChoices>[0],
): Variant => ({
  name,
  run: () => {
    const before = process.cpuUsage();
    for (let seed = 0; seed < runs; seed++) {
      const { verdict, deliveries } = new Run(wiring, { choices: choicesOf(seed) }).toEnd();
      if (verdict !== 'ok' || deliveries !== 64) throw new Error(`${verdict} after ${deliveries} deliveries`);
    }
    const { user, system } = process.cpuUsage(before);
    return { work: runs, seconds: (user + system) / 1e6 };
  },
});

const measurement = measure(
  [
    variant('first come, first served', () => canonical),
    variant('random', (seed) => new RandomChoices(seed)),
    variant('random, recorded', (seed) => new RecordingChoices(new RandomChoices(seed))),
    variant('pct', (seed) => new PctChoices(seed)),
    variant('pos', (seed) => new PosChoices(seed)),
  ],
  { unit: 'schedules', baseline: 'first come, first served' },
);

const strategies = scheduleKinds.filter((kind) => kind !== 'fifo');

/** Deliveries a second of processor time, judged and plain, in runs of the same scenarios under the same schedules. */
async function judgedRate(name: string, scenarios: number) {
  const generation = await generationOf(machineNamed(name)!);
  if (!generation) throw new Error(`found no generator of ${name}`);
  const campaign = (properties: typeof generation.properties, coverage: boolean) =>
    new Campaign(new GeneratedSubject({ ...generation, properties, seed: 1 }), {
      seed: 1,
      strategies,
      coverage,
    });
  const sides = [campaign(generation.properties, values.coverage), campaign(undefined, false)] as const;
  const seconds = [0, 0];
  let deliveries = 0;
  // The first ones compile what is needed, and do not count.
  for (let scenario = -scenarios; scenario < scenarios; scenario++)
    for (const [side, one] of sides.entries()) {
      const before = process.cpuUsage();
      const batch = one.batch((scenario + scenarios) * strategies.length, strategies.length, false);
      const { user, system } = process.cpuUsage(before);
      if (scenario < 0) continue;
      seconds[side]! += (user + system) / 1e6;
      if (side === 0) deliveries += batch.deliveries;
    }
  const [judged, plain] = seconds.map((took) => deliveries / took) as [number, number];
  return { name, runs: scenarios * strategies.length, deliveries, judged, plain, ratio: judged / plain };
}

const judged = [];
for (const name of values.machines.split(',')) judged.push(await judgedRate(name, Number(values.scenarios)));
console.log(
  values.json
    ? JSON.stringify({ schedules: measurement, judged })
    : [
        reportMeasurement(measurement, false),
        '',
        'deliveries a second of processor time; judged / kernel alone',
        ...judged.map(
          (one) =>
            `${one.name.padEnd(8)} ${(one.judged / 1e3).toFixed(1).padStart(8)} k  ${(one.plain / 1e3).toFixed(1).padStart(8)} k  ${one.ratio.toFixed(3)}  (${one.runs} runs, ${one.deliveries} deliveries)`,
        ),
      ].join('\n'),
);
