import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { decompose } from '../../actors/tca/himeno/decomposition.ts';
import { exchangeOrders } from '../../actors/tca/himeno/faces.ts';
import { gridSizes } from '../../actors/tca/himeno/grid.ts';
import { type Variant, variants } from '../../actors/tca/himeno/initial-values.ts';
import type { HimenoResult } from '../../actors/tca/himeno/problem.ts';
import type { HimenoIteration } from '../../machines/tca/himeno-program.ts';
import { type HimenoSetting, himenoSizes } from '../../machines/tca/himeno-setting.ts';
import { himenoGoldenSchema } from '../../scenarios/tca/himeno-cases.ts';
import { type HimenoRun, runHimeno } from '../../scenarios/tca/himeno-run.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { writeOutput } from '../output.ts';
import { projectFile } from '../project.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';

interface HimenoWords {
  readonly size: (typeof himenoSizes)[number];
  readonly decomposition: readonly [number, number];
  readonly data: Variant;
  readonly order: (typeof exchangeOrders)[number];
  readonly iterations: number;
  readonly channels: readonly number[];
  readonly stop: 'counter' | 'ideal';
  readonly json?: boolean;
  readonly plot?: string;
}

const iterationsMost = 1000;

/** `lockstep tca himeno`: the Himeno benchmark on nodes under GASNet (TCA specification 13). */
export function declareHimeno(command: Command, session: Session): void {
  command
    .option('--size <size>', himenoSizes.join(', '), wordOption('--size', himenoSizes), 'XS')
    .option('--decomposition <AxB>', 'blocks along i and j, one a node', decompositionOption, [2, 2] as const)
    .option('--data <set>', variants.join(' or '), wordOption('--data', variants), 'mixed')
    .option(
      '--order <order>',
      `${exchangeOrders.join(' or ')}: axes in turn, or all faces from one snapshot`,
      wordOption('--order', exchangeOrders),
      'sequential',
    )
    .option('--iterations <number>', `1 to ${iterationsMost}`, iterationsOption, 3)
    .option('--channels <set>', 'channels of each chip: 0 to 0123', channelsOption, [0, 1, 2, 3])
    .option(
      '--stop <way>',
      'counter or ideal: how a channel is known to have stopped',
      wordOption('--stop', ['counter', 'ideal'] as const),
      'counter',
    )
    .option('--json', 'one JSON object on standard output')
    .option('--plot <file.svg>', 'draw the last iteration over time, a row a rank')
    .action(async (words: HimenoWords) => {
      session.exitCode = await himeno(words, session);
    });
}

async function himeno(words: HimenoWords, { terminal }: Session): Promise<number> {
  const { size, decomposition, data, order, iterations, channels, stop } = words;
  const setting: HimenoSetting = {
    decomposition: decompose(gridSizes[size], ...decomposition),
    data,
    order,
    iterations,
  };
  const interrupt = new Interrupt(terminal);
  let run: HimenoRun;
  try {
    run = runHimeno(setting, { channels, stopDetect: stop }, { shouldStop: () => interrupt.asked });
  } finally {
    interrupt.release();
  }
  if (run.simulation.interrupted) return exitCodes.interrupted;
  const { result } = run;
  if (!result) {
    terminal.err(`himeno ended without a result: ${JSON.stringify(run.simulation.outcome)}\n`);
    return exitCodes.failed;
  }
  const golden = goldenOf(setting);
  const agrees = golden === undefined ? undefined : golden === result.pCrc32;
  if (words.json) terminal.out(`${JSON.stringify(asJson(words, run, result, agrees))}\n`);
  else terminal.out(asText(words, run, result, agrees));
  if (words.plot !== undefined) {
    const { himenoPicture } = await import('../../scenarios/tca/himeno-picture.ts');
    const title = `Himeno ${size} ${decomposition.join('x')}x1, ${order}: last iteration`;
    writeOutput(terminal, words.plot, himenoPicture(title, run.iterations));
    terminal.err(`picture written: ${words.plot}\n`);
  }
  // In the other order edges are old by design.
  return agrees === false && order === 'sequential' ? exitCodes.failed : exitCodes.ok;
}

const goldenFile = projectFile('properties/tca/golden/himeno.json');

/** CRC-32 of p after as many iterations of a sequential run, where the golden data has it. */
function goldenOf({ decomposition: { size }, data, iterations }: HimenoSetting): string | undefined {
  const { cases } = himenoGoldenSchema.parse(JSON.parse(readFileSync(goldenFile, 'utf8')));
  return cases.find(
    (one) =>
      one.variant === data &&
      one.iterations === iterations &&
      (['imax', 'jmax', 'kmax'] as const).every((axis) => one[axis] === size[axis]),
  )?.pCrc32;
}

const partNames = ['calculation', 'halo', 'convergence'] as const;

const partsOf = ({ begun, calculated, exchanged, converged }: HimenoIteration) => ({
  calculation: calculated - begun,
  halo: exchanged - calculated,
  convergence: converged - exchanged,
});

/** Nanoseconds of the parts of the last iteration, of the rank that took longest for each. */
const slowest = ({ iterations }: HimenoRun) => {
  const parts = iterations.map((own) => partsOf(own.at(-1)!));
  return Object.fromEntries(partNames.map((name) => [name, Math.max(...parts.map((one) => one[name]))]));
};

function asJson(words: HimenoWords, run: HimenoRun, result: HimenoResult, agrees: boolean | undefined) {
  const { plot: _plot, json: _json, ...asked } = words;
  const { outcome, fingerprint } = run.simulation;
  return {
    ...asked,
    ...result,
    ...(agrees !== undefined && { asGolden: agrees }),
    ns: run.simulation.result.ns,
    lastIterationNs: slowest(run),
    ranks: run.iterations.map((own) => own.map(partsOf)),
    deliveries: outcome.deliveries,
    fingerprint,
  };
}

function asText(
  words: HimenoWords,
  { iterations, simulation }: HimenoRun,
  result: HimenoResult,
  agrees: boolean | undefined,
): string {
  const { pCrc32, pFnv1a64, pMidBits, pSumF64, gosaF64, gosaF32Seq } = result;
  const golden = agrees === undefined ? '' : agrees ? '  as the golden data' : '  not as the golden data';
  const us = (ns: number): string => (ns / 1000).toFixed(3).padStart(12);
  const head = `${'rank'.padEnd(6)}${partNames.map((name) => name.padStart(12)).join('')}  us of the last iteration`;
  const rows = iterations.map((own, rank) => {
    const parts = partsOf(own.at(-1)!);
    return `${String(rank).padEnd(6)}${partNames.map((name) => us(parts[name])).join('')}`;
  });
  return [
    `Himeno ${words.size} ${words.decomposition.join('x')}x1, ${words.data}, ${words.order}, ${words.iterations} iterations`,
    `pCrc32    ${pCrc32}${golden}`,
    `pFnv1a64  ${pFnv1a64}`,
    `pMidBits  ${pMidBits}`,
    `pSumF64   ${pSumF64}`,
    `gosaF64   ${gosaF64}${gosaF32Seq === undefined ? '' : `, summed in 32 bits ${gosaF32Seq}`}`,
    `time      ${(simulation.result.ns / 1000).toFixed(3)} us, loading and gathering included`,
    head,
    ...rows,
    '',
  ].join('\n');
}

/** Blocks along i and j: 1, 2, 4 or 8 together. Errors: `UsageError`. */
function decompositionOption(text: string): readonly [number, number] {
  const [A, B] = /^[1-8]x[1-8]$/.test(text) ? text.split('x').map(Number) : [];
  if (A !== undefined && B !== undefined && [1, 2, 4, 8].includes(A * B)) return [A, B];
  throw new UsageError(
    `--decomposition: found "${text}", expected AxB with 1, 2, 4 or 8 blocks`,
    'a sum over all ranks needs a power of two (TCA specification 12.6); for example --decomposition 2x2',
  );
}

/** Errors: `UsageError`. */
function iterationsOption(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= iterationsMost) return value;
  throw new UsageError(
    `--iterations: found "${text}", expected a whole number from 1 to ${iterationsMost}`,
    'for example --iterations 10',
  );
}

/** One set of channels in rising order. Errors: `UsageError`. */
function channelsOption(text: string): readonly number[] {
  if (text !== '' && /^0?1?2?3?$/.test(text)) return [...text].map(Number);
  throw new UsageError(
    `--channels: found "${text}", expected a set of the channels 0 to 3`,
    'for example --channels 0123',
  );
}
