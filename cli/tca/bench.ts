import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type BenchName, type BenchRow, benchNames, benchRows, speedOf } from '../../scenarios/tca/bench.ts';
import { measurementsSchema, predictionsSchema } from '../../scenarios/tca/reference-cases.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { writeOutput } from '../output.ts';
import { projectFile } from '../project.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';

interface BenchWords {
  readonly sizes?: readonly number[];
  readonly channels?: readonly string[];
  readonly json?: boolean;
  readonly plot?: string;
}

/** `lockstep tca bench FIGURE`: the benchmarks of the paper, and what they come to elsewhere (TCA specification 14). */
export function declareBench(command: Command, session: Session): void {
  command
    .argument('<figure>', benchNames.join(', '))
    .option('--sizes <list>', 'bytes, or rows of a plane in fig6: 2048,8192', sizesOption)
    .option('--channels <list>', 'sets of channels: 0,01,0123', setsOption)
    .option('--json', 'one JSON object {bench, rows} on standard output')
    .option('--plot <file.svg>', 'draw bandwidth over size')
    .action(async (figure: string, options: BenchWords) => {
      session.exitCode = await bench(wordOption('FIGURE', benchNames)(figure), options, session);
    });
}

async function bench(name: BenchName, options: BenchWords, { terminal }: Session): Promise<number> {
  checkOptions(name, options);
  const { sizes, channels, plot } = options;
  const rows: BenchRow[] = [];
  const interrupt = new Interrupt(terminal);
  try {
    const measured = benchRows[name]({
      predictions: predictionsSchema.parse(golden('reference-predictions')),
      measurements: measurementsSchema.parse(golden('public-measurements')),
      ...(sizes && { sizes }),
      ...(channels && { channels }),
    });
    for (const row of measured) {
      rows.push(row);
      await new Promise((resolve) => setImmediate(resolve));
      if (interrupt.asked) break;
    }
  } finally {
    interrupt.release();
  }
  if (options.json) terminal.out(`${JSON.stringify({ bench: name, rows })}\n`);
  else terminal.out(table(rows));
  if (plot !== undefined && rows.length > 0) {
    const { bandwidthPicture } = await import('../../scenarios/tca/bandwidth-picture.ts');
    writeOutput(terminal, plot, bandwidthPicture(`TCA ${name}: bandwidth over size`, rows));
    terminal.err(`picture written: ${plot}\n`);
  }
  return interrupt.asked ? exitCodes.interrupted : exitCodes.ok;
}

const golden = (file: string): unknown =>
  JSON.parse(readFileSync(projectFile(`properties/tca/golden/${file}.json`), 'utf8'));

function checkOptions(name: BenchName, { sizes, channels, plot }: BenchWords): void {
  if (name === 'fig7' && (sizes || plot !== undefined))
    throw new UsageError(
      'fig7: found --sizes or --plot, expected neither',
      'its sizes are those of Himeno S',
    );
  if (name === 'whatif' && channels)
    throw new UsageError('whatif: found --channels, expected none', 'it compares three sets of its own');
  const alone = name === 'fig1' || name === 'pingpong';
  const several = channels?.find((set) => set.length > 1);
  if (alone && several !== undefined)
    throw new UsageError(`${name}: found channels "${several}", expected one`, 'for example --channels 0,1');
  const most = name === 'fig6' ? 362 : 16 * 2 ** 20;
  const wrong = sizes?.find((size) => size > most || (name !== 'fig6' && size % 4 !== 0));
  if (wrong !== undefined)
    throw new UsageError(
      `--sizes: found ${wrong}, expected ${name === 'fig6' ? `1 to ${most}` : `a multiple of 4 up to ${most}`}`,
      'a DMA channel moves words of 4 bytes (TCA specification 7)',
    );
}

/** Numbers from 1, separated by commas. Errors: `UsageError`. */
function sizesOption(text: string): readonly number[] {
  if (/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/.test(text)) return text.split(',').map(Number);
  throw new UsageError(`--sizes: found "${text}", expected numbers`, 'for example --sizes 2048,8192');
}

/** Sets of channels in rising order, separated by commas. Errors: `UsageError`. */
function setsOption(text: string): readonly string[] {
  const sets = text.split(',');
  if (sets.every((set) => set !== '' && /^0?1?2?3?$/.test(set))) return sets;
  throw new UsageError(
    `--channels: found "${text}", expected sets of the channels 0 to 3`,
    'for example --channels 0,01,0123',
  );
}

/** Rows for people: times in microseconds, how far the model is from others in percent. */
function table(rows: readonly BenchRow[]): string {
  const head = ['size', 'series', 'us', 'GB/s', 'prototype us', 'PEACH2 us', 'MPI/IB us', 'split'];
  const us = (ns: number | undefined): string => (ns === undefined ? '' : (ns / 1000).toFixed(3));
  const beside = (ns: number, other: number | undefined): string =>
    other === undefined ? '' : `${us(other)} ${percent(ns / other - 1)}`;
  const lines = rows.map((row) => [
    row.at,
    row.series,
    us(row.ns),
    speedOf(row).toFixed(3),
    beside(row.ns, row.goldenNs),
    beside(row.ns, row.publishedNs),
    us(row.mpiNs),
    row.split?.join(' ') ?? '',
  ]);
  const shown = head
    .map((_, column) => column)
    .filter((column) => column < 4 || lines.some((line) => line[column] !== ''));
  const widths = shown.map((column) => Math.max(...[head, ...lines].map((line) => line[column]!.length)));
  return [head, ...lines]
    .map((line) =>
      shown
        .map((column, at) => line[column]!.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

const percent = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;
