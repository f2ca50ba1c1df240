import type { Command } from 'commander';
import type { SequenceFilter } from '../scenarios/exports/run-sequence.ts';
import { UsageError } from './usage-error.ts';

/** What is drawn of a run, as commander hands it in. */
export interface PlotWords {
  readonly plot?: string;
  readonly plotActors?: readonly string[];
  readonly plotMessages?: readonly string[];
  readonly plotTicks?: readonly [number, number];
}

/** Declares `--plot` and the options that draw a part of a run as a sequence diagram. */
export const declarePlot = (command: Command): Command =>
  command
    .option(
      '--plot <file.svg>',
      'write the picture of the run: its sequence diagram where the machine has none',
    )
    .option('--plot-actors <names>', 'draw the messages of these actors only: Cache[0],Bus or Cache*', list)
    .option('--plot-messages <types>', 'draw messages of these types only: bus.grant or bus.*', list)
    .option('--plot-ticks <first-last>', 'draw the messages of these ticks only', ticks);

/** What an observation is asked for. Errors: `UsageError` for a filter without `--plot`. */
export function plotWanted(words: PlotWords): { readonly plot?: string; readonly sequence?: SequenceFilter } {
  const { plot, plotActors, plotMessages, plotTicks } = words;
  const filtered = plotActors !== undefined || plotMessages !== undefined || plotTicks !== undefined;
  if (plot === undefined && filtered)
    throw new UsageError('found a filter of the picture, expected --plot, too', 'add --plot out/run.svg');
  return {
    ...(plot !== undefined && { plot }),
    ...(filtered && {
      sequence: {
        ...(plotActors && { actors: plotActors }),
        ...(plotMessages && { messages: plotMessages }),
        ...(plotTicks && { ticks: plotTicks }),
      },
    }),
  };
}

const list = (text: string): readonly string[] => text.split(',');

function ticks(text: string): readonly [number, number] {
  const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (first !== undefined && last !== undefined && Number(first) <= Number(last))
    return [Number(first), Number(last)];
  throw new UsageError(
    `--plot-ticks: found "${text}", expected FIRST-LAST`,
    'for example --plot-ticks 10-40',
  );
}
