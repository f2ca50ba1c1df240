import { element, escapeXml, svgNumber } from '../svg.ts';
import type { CurvePoint } from './load-curve.ts';

/** A curve with its name. */
export interface NamedCurve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

const size = { width: 640, height: 400 };
const frame = { left: 60, right: 620, top: 40, bottom: 350 };
const colours = ['#1f6fb4', '#d1495b', '#2e8b57', '#b8860b', '#6a4c93', '#444444'];

/** Draws delay over offered load, up to four times the delay at the lowest load. */
export function curvePicture(title: string, curves: readonly NamedCurve[]): string {
  const all = curves.flatMap(({ points }) => points);
  const loadMax = Math.max(...all.map(({ offered }) => offered), 0.01);
  const delayMax = 4 * Math.min(...all.map(({ delay }) => delay).filter((delay) => delay > 0), 1000);
  const x = (load: number): number => frame.left + ((frame.right - frame.left) * load) / loadMax;
  const y = (delay: number): number =>
    frame.bottom - ((frame.bottom - frame.top) * Math.min(delay, delayMax)) / delayMax;
  const label = (attributes: object, text: string): string =>
    element('text', { 'font-size': 11, ...attributes }, escapeXml(text));
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const grid = steps.flatMap((share) => [
    element('line', {
      x1: frame.left,
      x2: frame.right,
      y1: y(share * delayMax),
      y2: y(share * delayMax),
      stroke: '#dddddd',
    }),
    label(
      { x: frame.left - 6, y: y(share * delayMax) + 4, 'text-anchor': 'end' },
      (share * delayMax).toFixed(0),
    ),
    label(
      { x: x(share * loadMax), y: frame.bottom + 16, 'text-anchor': 'middle' },
      (share * loadMax).toFixed(3),
    ),
  ]);
  const lines = curves.flatMap(({ name, points }, index) => {
    const stroke = colours[index % colours.length]!;
    const path = points
      .map(({ offered, delay }) => `${svgNumber(x(offered))},${svgNumber(y(delay))}`)
      .join(' ');
    return [
      element('polyline', { points: path, fill: 'none', stroke, 'stroke-width': 2 }),
      ...points.map(({ offered, accepted, delay }) =>
        element(
          'circle',
          { cx: svgNumber(x(offered)), cy: svgNumber(y(delay)), r: 3, fill: stroke },
          element(
            'title',
            {},
            `offered ${offered}, accepted ${accepted.toFixed(4)}, delay ${delay.toFixed(2)}`,
          ),
        ),
      ),
      label({ x: frame.left + 12, y: frame.top + 16 + 15 * index, fill: stroke }, name),
    ];
  });
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      'font-family': 'sans-serif',
      role: 'img',
    },
    element('rect', { ...size, fill: '#ffffff' }),
    label({ x: frame.left, y: 22, 'font-size': 14 }, title),
    ...grid,
    ...lines,
    label(
      { x: (frame.left + frame.right) / 2, y: frame.bottom + 36, 'text-anchor': 'middle' },
      'offered load, flits a router and cycle',
    ),
    label({ x: frame.left, y: frame.top - 6 }, 'delay, cycles'),
  )}\n`;
}
