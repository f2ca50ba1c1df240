/** Usage: npx tsx bench/tca-speed.ts [--json] [--most BYTES] */

import { decompose } from '../actors/tca/himeno/decomposition.ts';
import { gridSizes } from '../actors/tca/himeno/grid.ts';
import { nanoseconds } from '../actors/tca/parameters.ts';
import type { Run } from '../kernel/run.ts';
import { runHimeno } from '../scenarios/tca/himeno-run.ts';
import { tuningRounds } from '../scenarios/tca/measure.ts';
import { contiguous } from '../scenarios/tca/transfers.ts';

/*
 * Himeno S on four nodes, three iterations: goal under 10 s for one. Then the sweep of figure 5 on four channels, 8 B to 4 MiB, with all tuning rounds
 * that differ: goal under 30 s. Of both simulated microseconds, packets and messages a second of wall time, in one process on one core.
 */

const asJson = process.argv.includes('--json');
const mostAt = process.argv.indexOf('--most');
const most = mostAt < 0 ? 4 * 2 ** 20 : Number(process.argv[mostAt + 1]);
if (!Number.isInteger(most) || most < 8) throw new Error('--most: expected a number of bytes from 8');
const goalSeconds = 30;
const himenoIterations = 3;

interface Row {
  readonly bytes: number;
  readonly seconds: number;
  readonly simulatedUs: number;
  readonly packets: number;
  readonly messages: number;
  /** Microseconds of the best round. */
  readonly bestUs: number;
}

/** Packets that went over all links of a run. */
const packetsOf = (run: Run): number =>
  run.parts
    .filter(({ name }) => name.includes('.Link.'))
    .reduce((sum, { context }) => sum + Number(context['packets']), 0);

function sweep(bytes: number): Row {
  let [simulatedUs, packets, messages] = [0, 0, 0];
  const began = process.hrtime.bigint();
  const rounds = tuningRounds(contiguous(bytes), [0, 1, 2, 3], undefined, {}, (run: Run) => {
    const { ticks, deliveries } = run.outcome;
    simulatedUs += nanoseconds(ticks) / 1000;
    messages += deliveries;
    packets += packetsOf(run);
  });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const bestUs = Math.min(...rounds.map(({ totalNs }) => totalNs)) / 1000;
  return { bytes, seconds, simulatedUs, packets, messages, bestUs };
}

// The compiler settles on a small one that does not count.
sweep(4096);
const rows: Row[] = [];
for (let bytes = 8; bytes <= most; bytes *= 2) rows.push(sweep(bytes));
const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
const seconds = sum((row) => row.seconds);
/** Himeno S in 2 x 2 blocks, loading and gathering apart: what more iterations take beyond those of a shorter run. */
function himenoS() {
  const decomposition = decompose(gridSizes.S, 2, 2);
  const timed = (iterations: number) => {
    const began = process.hrtime.bigint();
    const { simulation } = runHimeno({ decomposition, data: 'mixed', order: 'sequential', iterations });
    const { outcome, result, run } = simulation;
    return {
      seconds: Number(process.hrtime.bigint() - began) / 1e9,
      simulatedUs: result.ns / 1000,
      packets: packetsOf(run),
      messages: outcome.deliveries,
    };
  };
  timed(1);
  const [short, whole] = [timed(1), timed(himenoIterations + 1)];
  const seconds = whole.seconds - short.seconds;
  return {
    whole,
    secondsPerIteration: seconds / himenoIterations,
    goalSecondsPerIteration: 10,
    simulatedUsPerSecond: whole.simulatedUs / whole.seconds,
    packetsPerSecond: whole.packets / whole.seconds,
    messagesPerSecond: whole.messages / whole.seconds,
  };
}

const himeno = himenoS();
const total = {
  seconds,
  goalSeconds,
  simulatedUsPerSecond: sum((row) => row.simulatedUs) / seconds,
  packetsPerSecond: sum((row) => row.packets) / seconds,
  messagesPerSecond: sum((row) => row.messages) / seconds,
};

if (asJson) console.log(JSON.stringify({ bench: 'tca-speed', himeno, rows, total }));
else {
  const cells = (row: readonly (string | number)[]) => row.map((cell) => String(cell).padStart(14)).join('');
  console.log(cells(['bytes', 'best us', 'packets', 'messages', 'seconds']));
  for (const { bytes, bestUs, packets, messages, seconds: one } of rows)
    console.log(cells([bytes, bestUs.toFixed(3), packets, messages, one.toFixed(3)]));
  console.log(
    `\nwhole sweep: ${seconds.toFixed(2)} s (goal ${goalSeconds} s); a second: ${total.simulatedUsPerSecond.toFixed(0)} us simulated, ` +
      `${total.packetsPerSecond.toFixed(0)} packets on links, ${total.messagesPerSecond.toFixed(0)} messages`,
  );
  console.log(
    `Himeno S on 4 nodes: ${himeno.secondsPerIteration.toFixed(2)} s an iteration (goal ${himeno.goalSecondsPerIteration} s), ` +
      `${himeno.whole.seconds.toFixed(2)} s with loading and gathering; a second: ${himeno.simulatedUsPerSecond.toFixed(0)} us simulated, ` +
      `${himeno.packetsPerSecond.toFixed(0)} packets on links, ${himeno.messagesPerSecond.toFixed(0)} messages`,
  );
}
