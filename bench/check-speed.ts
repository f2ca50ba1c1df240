import { readFileSync } from 'node:fs';
import { explorationOf } from '../cli/check/exploration.ts';
import { WorkerPool } from '../cli/check/worker-pool.ts';
import { type Exploration, Explorer } from '../kernel/explore/explorer.ts';
import { cellConfig, cellPrograms } from '../machines/cell/config.ts';
import { cellMachine } from '../machines/cell.ts';
import type { Assembly } from '../machines/machine.ts';
import { twoPhaseCommit } from '../machines/protocols/two-phase-commit.ts';
import { machines } from '../manifests/machines.ts';
import { judgedScenario } from '../properties/judged-scenario.ts';
import { parseScenario } from '../scenarios/load.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * The exhaustive checker on two-phase commit and on a Cell machine of three SPUs, one ring in each direction and three transfers that need it at once. A transition is one delivery that was
 * carried out. One thread, contexts and tables made anew in each run, no sentences judged; then the same beside worker pools of one and of two threads, sentences judged, in rounds of all. Arguments: `--json`; `--workers` does only
 * the latter; `--library` tells transitions a second of processor time of protocols of the library, and whether reduction ever costs more than it saves; `--large` explores two-phase commit of 9 resource managers
 * once (10,340,352 states; needs `node --max-old-space-size=8192` at most), and tells how much memory that takes; `--memory` tells how many bytes a state takes, and how many it would with words of 32 bits.
 */

type Make = () => Assembly;

const commit =
  (resourceManagers: number): Make =>
  () =>
    twoPhaseCommit.assemble({
      name: 'two-phase commit',
      config: { resourceManagers },
      programs: [],
      mutants: [],
      scheduled: true,
    });

const config = cellConfig.parse({ N: 3, K: 1, memSize: 64 });
const cell =
  (size: number): Make =>
  () =>
    cellMachine.assemble({
      name: 'three transfers',
      config,
      programs: cellPrograms.parse([
        [[0, 'put', 0, 1, 32, size]],
        [[0, 'put', 0, 2, 32, size]],
        [[0, 'get', 0, 1, 32, size]],
      ]),
      mutants: [],
      scheduled: true,
    });

function explored(make: Make, reduction: boolean): Exploration {
  const { deliveriesPerTickMax = 1_000_000 } = make();
  const found = new Explorer(() => make().wiring, {
    reduction,
    deliveriesPerTickMax,
    statesMax: 20_000_000,
  }).toEnd();
  if (found.verdict !== 'ok') throw new Error(`expected the verdict ok, found ${found.verdict}`);
  return found;
}

/** A variant for each unit, so that states and transitions are told apart; both are counted in the same run. */
function variant(name: string, make: Make, reduction: boolean, unit: 'states' | 'transitions'): Variant {
  return { name, run: () => ({ work: explored(make, reduction)[unit] }) };
}

const asJson = process.argv.includes('--json');
const roundsOfPools = 3;
const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0;
const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');

if (process.argv.includes('--large')) large();
else if (process.argv.includes('--memory')) await memory();
else if (process.argv.includes('--library')) await library();
else {
  if (!process.argv.includes('--workers')) alone();
  await withWorkers();
}

function alone(): void {
  for (const [title, make] of [
    ['two-phase commit, 5 resource managers', commit(5)],
    ['two-phase commit, 7 resource managers', commit(7)],
    ['Cell, N=3 K=1, three transfers of 4 bytes', cell(4)],
  ] as const) {
    const { states, transitions } = explored(make, true);
    const full = title.includes('7') ? undefined : explored(make, false).transitions;
    const against = full === undefined ? '' : `, ${grouped(full)} without reduction`;
    if (!asJson)
      console.log(`${title}: ${grouped(states)} states, ${grouped(transitions)} transitions${against}`);
    for (const unit of ['states', 'transitions'] as const) {
      const variants = [variant('reduced', make, true, unit)];
      if (full !== undefined) variants.push(variant('every order', make, false, unit));
      console.log(reportMeasurement(measure(variants, { unit, rounds: 3 }), asJson));
    }
    console.log('');
  }
}

/** Bytes a state with its index, sentences judged. */
async function memory(): Promise<void> {
  for (const machine of ['two-phase-commit', 'paxos']) {
    const config = machine === 'paxos' ? '' : 'config: { resourceManagers: 7 }\n';
    const text = `name: memory\nmachine: ${machine}\n${config}`;
    const order = { file: `${machine}.yaml`, text, reduction: true, statesMax: 300_000, symmetry: false };
    const judged = await judgedScenario(await parseScenario(text, order.file, machines));
    const { make, options } = explorationOf(judged, order);
    const explorer = new Explorer(make, options);
    const { states } = explorer.toEnd();
    const { bytes, unpacked } = explorer.memory;
    const row = {
      machine,
      states,
      bytes: bytes / states,
      unpacked: unpacked / states,
      ratio: bytes / unpacked,
    };
    console.log(
      asJson
        ? JSON.stringify(row)
        : `${machine}: ${grouped(states)} states, ${row.bytes.toFixed(1)} bytes a state, ${row.unpacked.toFixed(1)} with words of 32 bits, ratio ${row.ratio.toFixed(2)}`,
    );
  }
}

/** Seconds of processor time of the fastest of three explorations, the first of which does not count, and what it came to. */
async function fastest(
  file: string,
  reduction: boolean,
  text: string = readFileSync(file, 'utf8'),
): Promise<{ readonly seconds: number; readonly transitions: number }> {
  const order = { file, text, reduction, statesMax: 300_000, symmetry: false };
  const judged = await judgedScenario(await parseScenario(text, order.file, machines));
  const { make, options } = explorationOf(judged, order);
  const all = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    const { transitions } = new Explorer(make, options).toEnd();
    const { user, system } = process.cpuUsage(before);
    return { seconds: (user + system) / 1e6, transitions };
  });
  return all.slice(1).reduce((one, other) => (other.seconds < one.seconds ? other : one));
}

function tellRate(machine: string, { seconds, transitions }: { seconds: number; transitions: number }): void {
  const rate = transitions / seconds;
  console.log(
    asJson
      ? JSON.stringify({ machine, transitions, rate })
      : `${machine}: ${grouped(rate)} transitions a second of processor time`,
  );
}

/** What is measured of the library: the protocols of asynchronous networks, in which nothing is reduced, and machines of ticks, with and without reduction. */
async function library(): Promise<void> {
  const asynchronous = ['protocols/paxos', 'protocols/abd', 'library/raft', 'library/mesi'];
  const ofTicks = ['two-phase-commit', 'ping-pong', 'recoverable-commit', 'dekker', 'peterson'];
  const fileOf = (name: string) => `scenarios/${name}.yaml`;
  for (const machine of asynchronous) tellRate(machine, await fastest(fileOf(machine), true));
  // The scenario has 874 transitions: what its two servers cost is the beginning.
  const text = 'name: abd\nmachine: abd\nconfig: { servers: 3, clients: 2 }\nprograms: []\n';
  tellRate('abd, three servers', await fastest('abd.yaml', true, text));
  for (const machine of ofTicks) {
    const file = fileOf(`protocols/${machine}`);
    const [reduced, full] = [await fastest(file, true), await fastest(file, false)];
    const ratio = full.seconds / reduced.seconds;
    console.log(
      asJson
        ? JSON.stringify({ machine, reduced, full, ratio })
        : `${machine}: ${grouped(reduced.transitions)} transitions with reduction, ${grouped(full.transitions)} without, ${ratio.toFixed(2)} times as fast with it`,
    );
  }
}

/** Transitions a second by the clock, and a second of processor time, which is fair on a computer that has other things to do. */
interface Rate {
  readonly byClock: number;
  readonly byProcessor: number;
}

async function rateOf(explore: () => Promise<Exploration>): Promise<Rate> {
  const before = process.cpuUsage();
  const began = performance.now();
  const { transitions } = await explore();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { byClock: transitions / seconds, byProcessor: transitions / ((user + system) / 1e6) };
}

/**
 * The explorer of one thread, a worker pool of one and a worker pool of two, in each round, all with the sentences that a check judges; threads have begun when they are measured, and
 * the first round does not count. A worker pool's threads run cold code each time, the explorer does not.
 */
async function withWorkers(): Promise<void> {
  const resourceManagers = 7;
  const order = {
    file: 'commit.yaml',
    text: `name: commit\nmachine: two-phase-commit\nconfig: { resourceManagers: ${resourceManagers} }\n`,
    reduction: true,
    statesMax: 20_000_000,
    symmetry: false,
    shared: true,
  };
  const judged = await judgedScenario(await parseScenario(order.text, order.file, machines));
  const { make, options } = explorationOf(judged, order);
  const alone = (): Promise<Rate> => rateOf(async () => new Explorer(make, options).toEnd());
  const workerPoolOf = async (size: number): Promise<Rate & { readonly waited: number }> => {
    const workerPool = new WorkerPool(order, size, { onProgress: () => {}, shouldStop: () => false });
    try {
      await workerPool.begun();
      const rate = await rateOf(async () => (await workerPool.explore()).exploration);
      const { seconds, waited } = workerPool.busy;
      return { ...rate, waited: waited / seconds };
    } finally {
      await workerPool.end();
    }
  };
  const rounds: {
    readonly alone: Rate;
    readonly one: Rate;
    readonly two: Rate & { readonly waited: number };
  }[] = [];
  for (let round = 0; round <= roundsOfPools; round++)
    rounds.push({ alone: await alone(), one: await workerPoolOf(1), two: await workerPoolOf(2) });
  const [, ...measured] = rounds;
  const summary = {
    rounds: roundsOfPools,
    alone: median(measured.map((round) => round.alone.byClock)),
    oneThread: median(measured.map(({ one }) => one.byClock)),
    twoThreads: median(measured.map(({ two }) => two.byClock)),
    ratio: median(measured.map(({ one, two }) => two.byClock / one.byClock)),
    ratioMax: Math.max(...measured.map(({ one, two }) => two.byClock / one.byClock)),
    overAlone: median(measured.map((round) => round.two.byClock / round.alone.byClock)),
    perProcessorSecond: median(measured.map(({ one, two }) => two.byProcessor / one.byProcessor)),
    // What two do beyond one, both do: in a share of the time of one, no thread helps.
    everybodys: median(measured.map(({ one, two }) => one.byProcessor / two.byProcessor - 1)),
    waited: median(measured.map(({ two }) => two.waited)),
    aloneByProcessor: median(measured.map((round) => round.alone.byProcessor)),
  };
  console.log(
    asJson
      ? JSON.stringify(summary)
      : `two-phase commit, ${resourceManagers} resource managers, its sentences judged; median of ${roundsOfPools} rounds
explorer       ${grouped(summary.alone)} transitions/s, ${grouped(summary.aloneByProcessor)} a second of processor time
one worker     ${grouped(summary.oneThread)} transitions/s
two workers    ${grouped(summary.twoThreads)} transitions/s
two to one     ${summary.ratio.toFixed(2)} by the clock (best ${summary.ratioMax.toFixed(2)}), ${summary.perProcessorSecond.toFixed(2)} by processor time a transition
two to alone   ${summary.overAlone.toFixed(2)} by the clock
of one worker's processor time every further worker repeats ${(100 * summary.everybodys).toFixed(1)} %; two wait ${(100 * summary.waited).toFixed(1)} % of their time for each other`,
  );
}

/** The largest classical instance, once. */
function large(): void {
  const began = process.hrtime.bigint();
  const { states, transitions, depth } = explored(commit(9), true);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const { rss } = process.memoryUsage();
  if (asJson) console.log(JSON.stringify({ states, transitions, depth, seconds, rss }));
  else
    console.log(
      `two-phase commit, 9 resource managers: ${grouped(states)} states, ${grouped(transitions)} transitions, ${depth} ticks deep in ${seconds.toFixed(1)} s: ${grouped(states / seconds)} states/s, ${grouped(transitions / seconds)} transitions/s, ${grouped(rss / 2 ** 20)} MiB, ${(rss / states).toFixed(0)} bytes a state`,
    );
}
