import { portfolioWord, strategiesOption } from '../cli/fuzz/strategies-option.ts';
import { judgeRun } from '../cli/run-verdict.ts';
import { machineNamed, machines } from '../manifests/machines.ts';
import { bugOf } from '../properties/explore/bug.ts';
import { Campaign } from '../properties/explore/campaign.ts';
import { generatedSubject } from '../properties/generated-subject.ts';
import { judgedScenario } from '../properties/judged-scenario.ts';
import { kernelTrial } from '../properties/kernel/kernel-trial.ts';
import type { Watch } from '../properties/property.ts';
import { loadScenario } from '../scenarios/load.ts';
import { simulate } from '../scenarios/simulate.ts';
import { type JudgeOrder, type JudgeReport, kernelTrials } from './judge-order.ts';
import { reachedFlag } from './mutant.ts';
import { placesFlag } from './places.ts';

const order: JudgeOrder = JSON.parse(process.argv[2] ?? '{}');
let noticed = false;
const tell = (report: JudgeReport) => {
  noticed ||= report.kind === 'noticed';
  process.send?.(report);
};
// Nobody waits for the answer any more.
process.on('disconnect', () => process.exit());
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Milliseconds between two signs of life. */
const beatMs = 200;
let beaten = performance.now();
function beat(what: string): boolean {
  if (performance.now() - beaten < beatMs) return false;
  beaten = performance.now();
  tell({ kind: 'beat', what });
  return true;
}

/** Runs each scenario once; the first that does not end as it does without the change is told. */
async function scenarios(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, before] of Object.entries(files)) {
    tell({ kind: 'beat', what: file });
    await turn();
    const began = performance.now();
    const now = await outcomeOf(file, before === '' ? scenarioMsMax : 3 * scenarioMsMax);
    tell({ kind: 'scenario', file, outcome: now, milliseconds: performance.now() - began });
    if (before !== '' && now !== before) {
      tell({ kind: 'noticed', how: `${file}: ${now}` });
      return;
    }
  }
}

/** Milliseconds of one scenario on the sources as they are; with a change it may take three times as long. */
const scenarioMsMax = 5000;

async function outcomeOf(file: string, msMax: number): Promise<string> {
  const began = performance.now();
  try {
    const { scenario, machine, properties } = await judgedScenario(await loadScenario(file, machines));
    let watching: Watch | undefined;
    const simulation = simulate(scenario, machine, {
      checkpoints: 0,
      shouldStop: () => performance.now() - began > msMax,
      observe: (run, { given, assembly }) => {
        watching = properties?.watch(run, given, assembly);
      },
      onEnd: () => watching?.end(),
    });
    if (simulation.interrupted) return 'takes long';
    const { exitCode, differences } = judgeRun(scenario, simulation, false);
    return `exit ${exitCode}${differences.length > 0 ? ', not as expected' : ''}`;
  } catch (error) {
    return `throws ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}

/** Forgets which places were carried out so far: those that loading a module carries out are of no run. */
function forgetPlaces(): void {
  (Reflect.get(globalThis, placesFlag) as number[]).length = 0;
}

const placesSeen = (): readonly number[] => Object.keys(Reflect.get(globalThis, placesFlag)).map(Number);

/** Trials of the kernel on random machines, which no machine of the project contains. */
async function tryKernel(): Promise<void> {
  const { runs, seed, known, keepGoing } = order;
  Reflect.set(globalThis, reachedFlag, false);
  forgetPlaces();
  const reached = () => Reflect.get(globalThis, reachedFlag) === true;
  const failures: string[] = [];
  for (let number = 0; number < runs; number++) {
    if (beat(`trial ${number}`)) await turn();
    let why: string | undefined;
    try {
      why = kernelTrial(number, seed);
    } catch (error) {
      why = `throws: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    }
    if (why === undefined) continue;
    const how = `trial ${number}: ${why}`;
    if (known.includes(how)) continue;
    failures.push(how);
    if (keepGoing) continue;
    tell({ kind: 'fuzzed', machine: kernelTrials, ends: '', reached: reached() });
    tell({ kind: 'noticed', how });
    return;
  }
  tell({
    ...{ kind: 'fuzzed', machine: kernelTrials, ends: '', reached: reached() },
    failures,
    places: placesSeen(),
  });
}

/** Runs of a campaign over generated scenarios of one machine, `grape/10` for a tenth of them; with `keepGoing` all of them, else until one shows what the sound sources do not. */
async function fuzz(machine: string): Promise<void> {
  const { seed, known, keepGoing } = order;
  const [name = '', share = '1'] = machine.split('/');
  const runs = Math.ceil(order.runs / Number(share));
  const subject = await generatedSubject(machineNamed(name)!, seed);
  const campaign = new Campaign(subject, {
    seed,
    strategies: strategiesOption(portfolioWord),
    coverage: false,
    // Faults in parts that have fast twins are to be met, too.
    fast: false,
  });
  const failures: string[] = [];
  let [ends, reached] = [0x811c9dc5, false];
  Reflect.set(globalThis, reachedFlag, false);
  forgetPlaces();
  for (let run = 0; run < runs; run++) {
    if (beat(`${machine}, run ${run}`)) await turn();
    let bug: string | undefined;
    try {
      const { fingerprint, failure } = campaign.attempt(run);
      for (const digit of fingerprint) ends = Math.imul(ends ^ digit.charCodeAt(0), 0x01000193) >>> 0;
      if (failure) bug = bugOf(failure);
    } catch (error) {
      bug = `throws: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`.replace(
        /run \d+ .*?: /,
        '',
      );
    }
    reached ||= Reflect.get(globalThis, reachedFlag) === true;
    if (bug === undefined) continue;
    const how = `${machine}, run ${run}: ${bug}`;
    if (known.includes(how)) continue;
    failures.push(how);
    if (keepGoing) continue;
    tell({ kind: 'fuzzed', machine, ends: '', reached });
    tell({ kind: 'noticed', how });
    return;
  }
  tell({
    kind: 'fuzzed',
    machine,
    ends: ends.toString(16),
    reached,
    failures,
    places: placesSeen(),
  });
}

if (order.judge === 'scenarios') await scenarios(order.scenarios);
else
  for (const machine of order.machines) {
    if (machine === kernelTrials) await tryKernel();
    else await fuzz(machine);
    if (noticed) break;
  }
tell({ kind: 'end' });
process.disconnect?.();
