import { type PublishedPoint, publishedPoints } from '../../machines/sunway/calibration/published-points.ts';
import type { SunwayConfig } from '../../machines/sunway/config.ts';
import { modelled } from './micro-benchmark.ts';

/** A published point beside what the machine comes to. */
export interface CalibrationRow {
  readonly name: string;
  readonly unit: PublishedPoint['unit'];
  readonly measured: readonly number[];
  readonly model: number;
  /** Difference from the nearest measured value, as a part of it; with sign. */
  readonly error: number;
  readonly tolerance: number;
  readonly holds: boolean;
}

/** How near a family of points comes. Errors as parts of the measured values. */
export interface CalibrationFit {
  readonly family: string;
  readonly points: number;
  readonly median: number;
  readonly largest: number;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Judges what a model comes to for a point: the nearest of several measured values counts. */
export function judged(point: PublishedPoint, model: number): CalibrationRow {
  const errors = point.measured.map((measured) => model / measured - 1);
  const error = errors.reduce((least, one) => (Math.abs(one) < Math.abs(least) ? one : least));
  const { name, unit, measured, tolerance } = point;
  return {
    name,
    unit,
    measured: measured.map((value) => rounded(value, 2)),
    model: rounded(model, 2),
    error: rounded(error, 4),
    tolerance,
    holds: Math.abs(error) <= tolerance,
  };
}

/** Measures points on the machine, one after the other; `detail` as in its configuration. */
export function* calibration(
  points: readonly PublishedPoint[] = publishedPoints,
  detail: SunwayConfig['detail'] = 'auto',
): Iterable<CalibrationRow> {
  for (const point of points) yield judged(point, modelled(point.measure, point.unit, detail));
}

const families: readonly (readonly [string, RegExp])[] = [
  ['DMA, one CPE', /^1 CPE i?(get|put) \d+ B/],
  ['DMA gets, 64 CPEs', /^64 CPE get \d+ B/],
  ['DMA puts, 64 CPEs', /^64 CPE put \d+ B/],
  ['DMA rates', /together$/],
  ['RMA ping-pong', /^ping-pong/],
  ['RMA put streams', /^put stream/],
];

/** The fit figures of measured rows, by family; families without rows are left out. */
export function fitsOf(rows: readonly CalibrationRow[]): readonly CalibrationFit[] {
  return families.flatMap(([family, pattern]) => {
    const errors = rows
      .filter(({ name }) => pattern.test(name))
      .map(({ error }) => Math.abs(error))
      .sort((a, b) => a - b);
    if (errors.length === 0) return [];
    const middle = errors.length >> 1;
    const median = errors.length % 2 === 1 ? errors[middle]! : (errors[middle - 1]! + errors[middle]!) / 2;
    return [{ family, points: errors.length, median: rounded(median, 4), largest: errors.at(-1)! }];
  });
}
