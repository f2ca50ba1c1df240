import { element, page, svgNumber, textElement } from '../../machines/svg.ts';
import type { HimenoIteration } from './himeno-program.ts';

const width = 860;
const left = 80;
const right = 24;
const top = 50;
const rowHeight = 30;
const ink = '#43505e';

const parts = [
  { name: 'calculation', from: 'begun', to: 'calculated', fill: '#5b8db8' },
  { name: 'halo exchange', from: 'calculated', to: 'exchanged', fill: '#d98c3f' },
  { name: 'convergence', from: 'exchanged', to: 'converged', fill: '#7a9e57' },
] as const;

/**
 * Draws the last iteration of every rank over time: a row a rank, calculation, halo exchange and convergence one after the other.
 *
 * Details: SVG, 860 px wide. Every rank has at least one iteration.
 */
export function himenoPicture(title: string, iterations: readonly (readonly HimenoIteration[])[]): string {
  const last = iterations.map((own) => own.at(-1)!);
  const first = Math.min(...last.map(({ begun }) => begun));
  const end = Math.max(...last.map(({ converged }) => converged));
  const x = (ns: number): number => left + ((ns - first) / (end - first)) * (width - left - right);
  const bottom = top + rowHeight * last.length;
  const step = tickOf((end - first) / 1000);
  const ticks = Array.from({ length: Math.floor((end - first) / 1000 / step) + 1 }, (_, k) => k * step);
  return page(
    { width, height: bottom + 70, title },
    textElement({ x: left, y: 26, 'font-size': 15, fill: '#1d2733' }, title),
    ...ticks.flatMap((us) => [
      element('line', {
        x1: x(first + 1000 * us),
        x2: x(first + 1000 * us),
        y1: top,
        y2: bottom,
        stroke: '#dde2e8',
      }),
      textElement(
        {
          x: x(first + 1000 * us),
          y: bottom + 18,
          'text-anchor': 'middle',
          'font-size': 11,
          fill: ink,
        },
        svgNumber(us),
      ),
    ]),
    ...last.flatMap((times, rank) => [
      textElement(
        {
          x: left - 10,
          y: top + rowHeight * rank + 20,
          'text-anchor': 'end',
          'font-size': 12,
          fill: ink,
        },
        `rank ${rank}`,
      ),
      ...parts.map(({ from, to, fill }) =>
        element('rect', {
          x: x(times[from]),
          y: top + rowHeight * rank + 4,
          width: x(times[to]) - x(times[from]),
          height: rowHeight - 8,
          fill,
        }),
      ),
    ]),
    ...parts.flatMap(({ name, fill }, index) => [
      element('rect', { x: left + 150 * index, y: bottom + 36, width: 14, height: 14, fill }),
      textElement({ x: left + 150 * index + 20, y: bottom + 48, 'font-size': 12, fill: ink }, name),
    ]),
    textElement({ x: left + 460, y: bottom + 48, 'font-size': 12, fill: ink }, 'microseconds'),
  );
}

/** Microseconds between ticks: 1, 2 or 5 times a power of ten, about ten of them. */
function tickOf(us: number): number {
  const power = 10 ** Math.floor(Math.log10(us / 10));
  return power * (us / power > 50 ? 10 : us / power > 20 ? 5 : 2);
}
