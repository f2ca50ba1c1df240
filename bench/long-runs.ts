import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machines } from '../manifests/machines.ts';
import { parseScenario } from '../scenarios/load.ts';
import { loadRecording, recordingOf, saveRecording } from '../scenarios/recording.ts';
import { replay } from '../scenarios/replay.ts';
import { type SimulateOptions, simulate } from '../scenarios/simulate.ts';

/*
 * Long runs of the Cell ring machine: a recording of a million deliveries is small and replays equal, under the default order and a random one;
 * ten million busy cycles need no more memory than the first million, apart from the row that the result has for each request, which is why
 * a load of short requests is measured beside one of long requests. Arguments: `recordings`, `cycles`, or none for both.
 */

const deliveriesWanted = 1_000_000;
const recordingBytesMax = 1_000_000;

interface Busy {
  readonly detail: 'step' | 'burst';
  readonly run: string;
  readonly perSpu: number;
  readonly memSize: number;
  readonly sizeMin: number;
  readonly sizeMax: number;
}

/** A scenario of eight SPUs that always have requests in flight and work on their memories in every cycle. */
const busy = ({ detail, run, perSpu, memSize, sizeMin, sizeMax }: Busy): string => `name: long run
machine: cell
config: { N: 8, K: 2, memSize: ${memSize}, policy: etalon-ff, detail: ${detail}, run: ${run} }
programs: { saturate: { outstanding: 4, perSpu: ${perSpu}, sizeMin: ${sizeMin}, sizeMax: ${sizeMax}, seed: 1, localOps: 1 } }
`;

const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

/** Records a run of a million deliveries, replays it from the file, and tells whether both are as they should be. */
async function recordAndReplay(schedule: 'fifo' | 'random'): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-long-'));
  const file = join(folder, 'recording.json');
  const size = { memSize: 4096, sizeMin: 1, sizeMax: 32 };
  const text = busy({ ...size, detail: 'step', run: 'untilIdle', perSpu: 10_000 });
  const { scenario, machine } = await parseScenario(text, join(folder, 'scenario.yaml'), machines);
  let stop = false;
  const how: SimulateOptions = {
    schedule: { kind: schedule, seed: 7 },
    onProgress: (_tick, deliveries) => {
      stop = deliveries >= deliveriesWanted;
    },
    shouldStop: () => stop,
  };

  const began = performance.now();
  const simulation = simulate(scenario, machine, how);
  const ran = seconds(began);
  saveRecording(file, recordingOf(scenario, simulation));
  const bytes = statSync(file).size;
  const replaying = performance.now();
  const { difference, toEnd, checkpointsEqual } = await replay(loadRecording(file), machines);
  const small = bytes < recordingBytesMax;
  const same = difference === undefined && toEnd;
  console.log(
    [
      `${schedule}: ${grouped(simulation.outcome.deliveries)} deliveries, ${grouped(simulation.outcome.ticks)} cycles in ${ran}`,
      `recording ${grouped(bytes)} bytes (${grouped(simulation.tape.length)} picks)${small ? '' : `, NOT below ${grouped(recordingBytesMax)}`}`,
      `replayed in ${seconds(replaying)}: ${same ? `equal, ${checkpointsEqual} checkpoints and the end` : `NOT equal: ${difference?.text ?? 'the end was not reached'}`}`,
    ].join('; '),
  );
  rmSync(folder, { recursive: true, force: true });
  return small && same;
}

/** What keeps the rings of the long run busy: how often the machine takes note of a request decides how its memory grows. */
const loads = [
  { name: 'long requests', memSize: 2 ** 19, sizeMin: 4096, sizeMax: 8192, millionsOfCycles: 10 },
  { name: 'short requests', memSize: 4096, sizeMin: 1, sizeMax: 32, millionsOfCycles: 2 },
] as const;

/** Runs many busy cycles and prints the memory of the process on the way. */
async function manyCycles(load: (typeof loads)[number]): Promise<void> {
  const cycles = load.millionsOfCycles * 1_000_000;
  const text = busy({ ...load, detail: 'burst', perSpu: 1_000_000_000, run: `{ cycles: ${cycles} }` });
  const { scenario, machine } = await parseScenario(text, 'many-cycles.yaml', machines);
  const began = performance.now();
  console.log(
    `${load.name} (${load.sizeMin} to ${load.sizeMax} bytes), fifo, in bursts; memory of the process in MiB`,
  );
  console.log('     cycles    rss   peak   heap  buffers    time');
  let [next, peak, first, last] = [0, 0, 0, 0];
  const show = (tick: number) => {
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    peak = Math.max(peak, rss);
    if (tick < next) return;
    next += cycles / 20;
    last = rss;
    // What is compiled and warm after a tenth is what a long run starts from.
    if (tick >= cycles / 10 && first === 0) first = rss;
    const columns = [rss, peak, heapUsed].map((bytes) => mebibytes(bytes).padStart(6)).join(' ');
    const time = seconds(began).padStart(8);
    console.log(`${grouped(tick).padStart(11)} ${columns}  ${mebibytes(arrayBuffers).padStart(7)} ${time}`);
  };
  const { outcome, result } = simulate(scenario, machine, { checkpoints: 0, onProgress: show });
  const requests = (result as { transfers: readonly unknown[] }).transfers.length;
  console.log(
    `${outcome.verdict}: ${grouped(outcome.ticks)} cycles, ${grouped(outcome.deliveries)} deliveries, ${grouped(requests)} requests; from a tenth of the run to its end ${mebibytes(last - first)} MiB\n`,
  );
}

const asked = process.argv.slice(2);
const wanted = (part: string) => asked.length === 0 || asked.includes(part);
let good = true;
if (wanted('cycles')) for (const load of loads) await manyCycles(load);
if (wanted('recordings'))
  for (const schedule of ['fifo', 'random'] as const) good = (await recordAndReplay(schedule)) && good;
if (!good) process.exitCode = 1;
