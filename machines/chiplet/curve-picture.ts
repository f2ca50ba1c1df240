import { chart } from '../pictures/chart.ts';
import { written } from '../pictures/drawing.ts';
import type { CurvePoint } from './load-curve.ts';

/** A curve with its name. */
export interface NamedCurve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

/** Draws delay over offered load; delays above four times the least one are drawn at the edge. */
export function curvePicture(title: string, curves: readonly NamedCurve[]): string {
  const delays = curves
    .flatMap(({ points }) => points.map(({ delay }) => delay))
    .filter((delay) => delay > 0);
  const [least, most] = [Math.min(1000, ...delays), Math.max(0, ...delays)];
  const drawn = chart({
    title,
    x: { label: 'offered load, flits a router and cycle' },
    y: { label: 'delay, cycles', ...(most > 4 * least && { max: 4 * least }) },
    series: curves.map(({ name, points }) => ({
      name,
      points: points.map(({ offered, accepted, delay }) => ({
        x: offered,
        y: delay,
        tooltip: `offered ${offered}, accepted ${accepted.toFixed(4)}, delay ${delay.toFixed(2)}`,
      })),
    })),
  });
  return written(title, drawn);
}
