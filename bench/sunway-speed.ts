/** Usage: npx tsx bench/sunway-speed.ts [--json] [--order 512] [--runs 20] */

import type { MpeProgram } from '../actors/sunway/program.ts';
import { RandomChoices } from '../kernel/choices.ts';
import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../machines/sunway/config.ts';
import { sunwayMachine } from '../machines/sunway.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type SimulateOptions, simulate } from '../scenarios/simulate.ts';
import { axpyBlocking } from '../scenarios/sunway/axpy.ts';
import { concurrentAppend } from '../scenarios/sunway/concurrent-append.ts';
import { hello } from '../scenarios/sunway/hello.ts';
import { largeProduct, smallProduct } from '../scenarios/sunway/matrix-product.ts';
import { oneToAll } from '../scenarios/sunway/one-to-all.ts';
import { persistentKernel } from '../scenarios/sunway/persistent-kernel.ts';
import { sixGroups } from '../scenarios/sunway/six-groups.ts';
import { stridedTile } from '../scenarios/sunway/strided-tile.ts';
import { wavefront } from '../scenarios/sunway/wavefront.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * The speed of the Sunway machine.
 *
 * A long run: the product of matrices of doubles, broadcast along rows and columns of 64 CPEs, at `tlm`; goal under 60 s on one core for 512 x 512.
 * Once without and once with the race detector. A run includes the arithmetic of its programs, and the loop on one core that the host compares with.
 *
 * Many short runs, as a campaign makes them: each built, carried out under a random schedule of its own and looked at; goal 15 ms of processor time
 * for a small scenario. All processor time of the process counts, that of the collector and the compiler of JavaScript included, and no waiting.
 */

const asJson = process.argv.includes('--json');
const numberOf = (option: string, usual: number): number => {
  const at = process.argv.indexOf(option);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};
const order = numberOf('--order', 512);
if (order !== 64 && order !== 512) throw new Error('--order: expected 64 or 512');
const runs = numberOf('--runs', 20);
if (!(Number.isInteger(runs) && runs >= 1)) throw new Error('--runs: expected a whole number from 1');
const goalSeconds = 60;
const goalMilliseconds = 15;

type Policy = SunwayConfig['race']['policy'];

const simulated = (program: MpeProgram, config: object, policy: Policy, options: SimulateOptions = {}) => {
  const scenario: Scenario<SunwayConfig, SunwayPrograms> = {
    file: 'bench',
    text: '',
    name: 'bench',
    machine: sunwayMachine.name,
    config: sunwayConfig.parse({ ...config, race: { policy } }),
    programs: { module: 'bench', program },
    faults: [],
    schedule: { kind: 'fifo', seed: 0 },
  };
  const simulation = simulate(scenario, sunwayMachine, { checkpoints: 0, ...options });
  const { verdict } = simulation.outcome;
  if (verdict !== 'ok') throw new Error(`a run ended with ${verdict}`);
  return simulation;
};

function timed(policy: Policy) {
  const began = process.hrtime.bigint();
  const { outcome, result } = simulated(order === 512 ? largeProduct : smallProduct, {}, policy);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const right = result.told[0]?.['right'];
  if (right !== order * order) throw new Error(`the product ended with ${right} right elements`);
  return {
    policy,
    seconds,
    cycles: result.cycles,
    messages: outcome.deliveries,
    cyclesPerSecond: result.cycles / seconds,
    messagesPerSecond: outcome.deliveries / seconds,
  };
}

const inSchedules = (
  name: string,
  program: MpeProgram,
  config: object,
  policy: Policy,
  times = runs,
): Variant => {
  let seed = 0;
  return {
    name: policy === 'off' ? name : `${name}, race detector ${policy}`,
    run: () => {
      const began = process.cpuUsage();
      for (let run = 0; run < times; run++)
        simulated(program, config, policy, { choices: new RandomChoices(seed++) });
      const { user, system } = process.cpuUsage(began);
      return { work: times, seconds: (user + system) / 1e6 };
    },
  };
};

/** What a campaign runs, from few deliveries to many. */
const small: readonly (readonly [string, MpeProgram])[] = [
  ['hello', hello],
  ['strided tile', stridedTile],
  ['concurrent append', concurrentAppend],
  ['one to all', oneToAll],
  ['persistent kernel', persistentKernel],
  ['axpy, blocking', axpyBlocking],
  ['wavefront', wavefront],
];

const variants = [
  ...small.map(([name, program]) => inSchedules(name, program, {}, 'off')),
  inSchedules('one to all', oneToAll, {}, 'lenient'),
  inSchedules('axpy, blocking', axpyBlocking, {}, 'lenient'),
  inSchedules('six groups', sixGroups, { cgs: 6 }, 'off', 1),
];

const schedules = measure(variants, { unit: 'runs', rounds: 3, baseline: 'one to all' });
const rows = (['off', 'lenient'] as const).map(timed);

if (asJson)
  console.log(
    JSON.stringify({ bench: 'sunway-speed', order, goalSeconds, goalMilliseconds, rows, schedules }),
  );
else {
  for (const { policy, seconds, cycles, messages, cyclesPerSecond, messagesPerSecond } of rows)
    console.log(
      `${order} x ${order} doubles on 64 CPEs, race detector ${policy}: ${cycles} cycles, ${messages} messages in ${seconds.toFixed(2)} s ` +
        `(goal ${goalSeconds} s); a second: ${cyclesPerSecond.toFixed(0)} cycles of the array, ${messagesPerSecond.toFixed(0)} messages`,
    );
  console.log(
    `Runs of scenarios under random schedules, a second of processor time; goal ${(1000 / goalMilliseconds).toFixed(0)}:`,
  );
  console.log(reportMeasurement(schedules, false));
}
