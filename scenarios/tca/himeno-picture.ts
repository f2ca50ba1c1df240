import { written } from '../../machines/pictures/drawing.ts';
import { colourOf } from '../../machines/pictures/palette.ts';
import { timeline } from '../../machines/pictures/timeline.ts';
import type { HimenoIteration } from '../../machines/tca/himeno-program.ts';

const parts = [
  { name: 'calculation', from: 'begun', to: 'calculated' },
  { name: 'halo exchange', from: 'calculated', to: 'exchanged' },
  { name: 'convergence', from: 'exchanged', to: 'converged' },
] as const;

/**
 * Draws the last iteration of every rank over time: a row a rank, calculation, halo exchange and convergence one after the other.
 *
 * Details: SVG; time begins with the first rank that began. Every rank has at least one iteration.
 */
export function himenoPicture(title: string, iterations: readonly (readonly HimenoIteration[])[]): string {
  const last = iterations.map((own) => own.at(-1)!);
  const first = Math.min(...last.map(({ begun }) => begun));
  const microseconds = (ns: number): number => (ns - first) / 1000;
  const drawn = timeline({
    title,
    unit: 'time since the first rank began the iteration, µs',
    panels: [
      {
        rows: last.map((times, rank) => ({
          label: `rank ${rank}`,
          spans: parts.map(({ name, from, to }) => ({
            from: microseconds(times[from]),
            to: microseconds(times[to]),
            kind: name,
            tooltip: `${name}: ${microseconds(times[from])} to ${microseconds(times[to])} µs`,
          })),
        })),
      },
    ],
    kinds: parts.map(({ name }, index) => ({ name, colour: colourOf(index) })),
  });
  return written(title, drawn);
}
