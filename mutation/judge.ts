import { portfolioWord, strategiesOption } from '../cli/fuzz/strategies-option.ts';
import { judgeRun } from '../cli/run-verdict.ts';
import { machines } from '../machines/machines.ts';
import { bugOf } from '../properties/explore/bug.ts';
import { Campaign } from '../properties/explore/campaign.ts';
import { GeneratedSubject } from '../properties/explore/subject.ts';
import { generationOf } from '../properties/generated-subject.ts';
import { propertiesOf } from '../properties/properties.ts';
import type { Watch } from '../properties/property.ts';
import { loadScenario } from '../scenarios/load.ts';
import { simulate } from '../scenarios/simulate.ts';
import type { JudgeOrder, JudgeReport } from './judge-order.ts';
import { reachedFlag } from './mutant.ts';

const order: JudgeOrder = JSON.parse(process.argv[2] ?? '{}');
const tell = (report: JudgeReport) => process.send?.(report);

/** Milliseconds between two signs of life. */
const beatMs = 200;
let beaten = performance.now();
function beat(what: string): void {
  if (performance.now() - beaten < beatMs) return;
  beaten = performance.now();
  tell({ kind: 'beat', what });
}

/** Runs each scenario once; the first that does not end as it does without the change is told. */
async function scenarios(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, before] of Object.entries(files)) {
    tell({ kind: 'beat', what: file });
    const began = performance.now();
    const now = await outcomeOf(file);
    tell({ kind: 'scenario', file, outcome: now, milliseconds: performance.now() - began });
    if (before !== '' && now !== before) {
      tell({ kind: 'noticed', how: `${file}: ${now}` });
      return;
    }
  }
}

async function outcomeOf(file: string): Promise<string> {
  try {
    const { scenario, machine } = await loadScenario(file, machines);
    const properties = await propertiesOf(machine.name);
    let watching: Watch | undefined;
    const simulation = simulate(scenario, machine, {
      checkpoints: 0,
      observe: (run, { given, assembly }) => {
        watching = properties?.watch(run, given, assembly);
      },
      onEnd: () => watching?.end(),
    });
    const { exitCode, differences } = judgeRun(scenario, simulation, false);
    return `exit ${exitCode}${differences.length > 0 ? ', not as expected' : ''}`;
  } catch (error) {
    return `throws ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}

/** Runs of a campaign over generated scenarios of one machine; with `keepGoing` all of them, else until one shows what the sound sources do not. */
async function fuzz(machine: string): Promise<void> {
  const { runs, seed, known, keepGoing } = order;
  const subject = new GeneratedSubject({ ...(await generationOf(machine)), seed });
  const campaign = new Campaign(subject, {
    seed,
    strategies: strategiesOption(portfolioWord),
    coverage: false,
  });
  const kinds = new Set<string>();
  let [ends, reached] = [0x811c9dc5, false];
  Reflect.set(globalThis, reachedFlag, false);
  for (let run = 0; run < runs; run++) {
    beat(`${machine}, run ${run}`);
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
    if (bug === undefined || known.includes(bug)) continue;
    kinds.add(bug);
    if (keepGoing) continue;
    tell({ kind: 'fuzzed', machine, ends: '', reached });
    tell({ kind: 'noticed', how: `${machine}, run ${run}: ${bug}` });
    return;
  }
  tell({ kind: 'fuzzed', machine, ends: ends.toString(16), reached, kinds: [...kinds] });
}

if (order.judge === 'scenarios') await scenarios(order.scenarios);
else for (const machine of order.machines) await fuzz(machine);
tell({ kind: 'end' });
process.disconnect?.();
