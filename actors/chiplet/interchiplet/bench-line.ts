import { readLines } from './located-line.ts';
import { type Place, placeWords } from './place.ts';

/** One transaction as the network is given it, in cycles of the network (chiplet specification 9.7). */
export interface BenchLine {
  readonly sourceCycle: number;
  readonly targetCycle: number;
  readonly source: Place;
  readonly target: Place;
  readonly flits: number;
  readonly description: number;
}

const form = 'src_cycle dst_cycle src_x src_y dst_x dst_y flits desc';

/** Bytes that a flit carries (chiplet specification 9.5). */
export const flitBytesUsual = 64;

/** Flits of a transfer: a header and one for each so many bytes. */
export const flitsOf = (bytes: number, flitBytes: number): number => Math.ceil(bytes / flitBytes) + 1;

/** Lines of `bench.txt`; with the width of a grid, as newer editions have them, nodes instead of places: `src_cycle dst_cycle src dst flits desc`. */
export const benchTextOf =
  (width?: number) =>
  ({ sourceCycle, targetCycle, source, target, flits, description }: BenchLine): string =>
    `${sourceCycle} ${targetCycle} ${placeWords(source, width)} ${placeWords(target, width)} ${flits} ${description}`;

/** A line of `bench.txt`. */
export const benchText = benchTextOf();

/** The transactions of a `bench.txt`. Errors: `TraceError` with line and column. */
export const parseBench = (text: string, file: string): readonly BenchLine[] =>
  readLines(text, file, form, (line) => ({
    sourceCycle: line.whole('src_cycle'),
    targetCycle: line.whole('dst_cycle'),
    source: line.place('the source'),
    target: line.place('the target'),
    flits: line.whole('flits', 1),
    description: line.whole('desc', 0, 0xffffffff),
  }));

/** The lines of a trace by source cycle; equal ones keep the order in which they came. */
export const inBenchOrder = (lines: readonly BenchLine[]): readonly BenchLine[] =>
  [...lines].sort((one, other) => one.sourceCycle - other.sourceCycle);
