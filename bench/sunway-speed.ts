/** Usage: npx tsx bench/sunway-speed.ts [--json] [--order 512] */

import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../machines/sunway/config.ts';
import { sunwayMachine } from '../machines/sunway.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { simulate } from '../scenarios/simulate.ts';
import { largeProduct, smallProduct } from '../scenarios/sunway/matrix-product.ts';

/*
 * The speed of the Sunway machine: the product of matrices of doubles, broadcast along rows and columns of 64 CPEs, at `tlm`; goal under 60 s on one
 * core for 512 x 512. Once without and once with the race detector. A run includes the arithmetic of its programs, and the loop on one core that the
 * host compares with.
 */

const asJson = process.argv.includes('--json');
const orderAt = process.argv.indexOf('--order');
const order = orderAt < 0 ? 512 : Number(process.argv[orderAt + 1]);
if (order !== 64 && order !== 512) throw new Error('--order: expected 64 or 512');
const goalSeconds = 60;

function timed(policy: SunwayConfig['race']['policy']) {
  const scenario: Scenario<SunwayConfig, SunwayPrograms> = {
    file: 'bench',
    text: '',
    name: 'bench',
    machine: sunwayMachine.name,
    config: sunwayConfig.parse({ race: { policy } }),
    programs: { module: 'bench', program: order === 512 ? largeProduct : smallProduct },
    faults: [],
    schedule: { kind: 'fifo', seed: 0 },
  };
  const began = process.hrtime.bigint();
  const { outcome, result } = simulate(scenario, sunwayMachine, { checkpoints: 0 });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const right = result.told[0]?.['right'];
  if (outcome.verdict !== 'ok' || right !== order * order)
    throw new Error(`the product ended with ${outcome.verdict} and ${right} right elements`);
  return {
    policy,
    seconds,
    cycles: result.cycles,
    messages: outcome.deliveries,
    cyclesPerSecond: result.cycles / seconds,
    messagesPerSecond: outcome.deliveries / seconds,
  };
}

const rows = (['off', 'lenient'] as const).map(timed);

if (asJson) console.log(JSON.stringify({ bench: 'sunway-speed', order, goalSeconds, rows }));
else
  for (const { policy, seconds, cycles, messages, cyclesPerSecond, messagesPerSecond } of rows)
    console.log(
      `${order} x ${order} doubles on 64 CPEs, race detector ${policy}: ${cycles} cycles, ${messages} messages in ${seconds.toFixed(2)} s ` +
        `(goal ${goalSeconds} s); a second: ${cyclesPerSecond.toFixed(0)} cycles of the array, ${messagesPerSecond.toFixed(0)} messages`,
    );
