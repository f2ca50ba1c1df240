/** What one run of a variant did: units of work and, when the variant keeps its own clock, the seconds they took. */
export interface Sample {
  /** Units of work, above 0: cycles, messages, states. */
  readonly work: number;
  /** Seconds of the part that counts; without it the whole call is timed. */
  readonly seconds?: number;
}

/** One way to do the work that is compared with the others. */
export interface Variant {
  readonly name: string;
  readonly run: () => Sample;
}

/** How to measure. */
export interface MeasureOptions {
  /** The plural of the unit of work, for the table's head. */
  readonly unit: string;
  /** Rounds that count; each runs every variant once. At least 1, default 5. */
  readonly rounds?: number;
  /** Rounds that run first and do not count, for the compiler to settle; default 1. */
  readonly warmUps?: number;
  /** The variant the others are divided by; without it there are no ratios. */
  readonly baseline?: string;
  /** Seconds since some moment; for tests. */
  readonly clock?: () => number;
}

/** The middle and the ends of a set of figures. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The figures of one variant. */
export interface Row {
  readonly name: string;
  /** Units of work a second. */
  readonly rate: Spread;
  /** The variant's rate divided by the baseline's of the same round. */
  readonly ratio?: Spread;
}

/** What {@link measure} found. */
export interface Measurement {
  readonly unit: string;
  readonly rounds: number;
  readonly baseline?: string;
  readonly rows: readonly Row[];
}

/**
 * Runs the variants in turn for several rounds in one process, and gives the median rate of each and its ratio to a baseline.
 *
 * Ratios are taken inside a round, where a busy neighbour on the machine slows both sides alike, and the variant that goes
 * first changes from round to round. Throws an Error for two variants of one name, an unknown baseline, or a run without work.
 */
export function measure(variants: readonly Variant[], options: MeasureOptions): Measurement {
  const { unit, rounds = 5, warmUps = 1, baseline, clock = secondsNow } = options;
  const names = variants.map(({ name }) => name);
  if (rounds < 1) throw new Error(`expected 1 round or more, found ${rounds}`);
  if (new Set(names).size < names.length) throw new Error(`two variants have one name: ${names.join(', ')}`);
  const baselineIndex = baseline === undefined ? -1 : names.indexOf(baseline);
  if (baseline !== undefined && baselineIndex < 0) {
    throw new Error(`unknown baseline ${baseline}; variants: ${names.join(', ')}`);
  }

  const rates: number[][] = variants.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    for (const turn of variants.keys()) {
      const index = (turn + round + warmUps) % variants.length;
      const rate = rateOf(variants[index]!, clock);
      if (round >= 0) rates[index]!.push(rate);
    }
  }

  const rows = names.map((name, index): Row => {
    const rate = spreadOf(rates[index]!);
    if (baselineIndex < 0) return { name, rate };
    const ratios = rates[index]!.map((own, round) => own / rates[baselineIndex]![round]!);
    return { name, rate, ratio: spreadOf(ratios) };
  });
  return { unit, rounds, ...(baseline === undefined ? {} : { baseline }), rows };
}

/** A measurement as one line of JSON, or as a table whose columns are aligned. */
export function reportMeasurement(measurement: Measurement, asJson: boolean): string {
  return asJson ? JSON.stringify(measurement) : tableOf(measurement);
}

function secondsNow(): number {
  return Number(process.hrtime.bigint()) / 1e9;
}

function rateOf({ name, run }: Variant, clock: () => number): number {
  const began = clock();
  const sample = run();
  const seconds = sample.seconds ?? clock() - began;
  if (!(sample.work > 0 && seconds > 0)) {
    throw new Error(`${name} did ${sample.work} units in ${seconds} s; expected both above 0`);
  }
  return sample.work / seconds;
}

function spreadOf(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle]!;
  const median = sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

function tableOf({ unit, rounds, baseline, rows }: Measurement): string {
  const head = [`median of ${rounds}`, `${unit}/s`, 'min..max'];
  if (baseline !== undefined) head.push(`/ ${baseline}`, 'min..max');
  const body = rows.map(({ name, rate, ratio }) => {
    const cells = [name, rateText(rate.median), `${rateText(rate.min)}..${rateText(rate.max)}`];
    if (ratio) cells.push(ratioText(ratio.median), `${ratioText(ratio.min)}..${ratioText(ratio.max)}`);
    return cells;
  });
  const lines = [head, ...body];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .join('\n');
}

/** Three significant digits with the letter of the thousands: 1.94 M. */
function rateText(rate: number): string {
  const [divisor, letter] =
    rate >= 1e9 ? [1e9, ' G'] : rate >= 1e6 ? [1e6, ' M'] : rate >= 1e3 ? [1e3, ' k'] : [1, ''];
  return `${threeDigits(rate / divisor)}${letter}`;
}

function ratioText(ratio: number): string {
  return threeDigits(ratio);
}

function threeDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
