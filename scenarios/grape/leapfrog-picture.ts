import { chart } from '../../machines/pictures/chart.ts';
import { beside, written } from '../../machines/pictures/drawing.ts';

/** Bodies followed step by step: energies, and places, three numbers a body. */
export interface LeapfrogTrace {
  readonly energies: readonly number[];
  readonly places: readonly Float64Array[];
}

/** Paths that are drawn at most: more would hide each other. */
const pathsMax = 96;
const plot = [520, 520] as const;

/** Draws the paths of bodies, seen along their axis, and how their energy changes, on the chip and in double precision; in SVG. */
export function leapfrogPicture(chip: LeapfrogTrace, exact: LeapfrogTrace, dt: number): string {
  const count = chip.places[0]!.length / 3;
  const shown = Math.min(count, pathsMax);
  const title = `${count} bodies under their own gravity, ${chip.energies.length - 1} steps`;
  const paths = chart({
    title,
    subtitle: `paths${shown < count ? ` of the first ${shown}` : ''}, each with a dot where the body is in the end`,
    x: { label: 'x' },
    y: { label: 'y' },
    size: plot,
    series: Array.from({ length: shown }, (_, body) => ({
      mark: 'path',
      points: chip.places.map((at) => ({
        x: at[3 * body]!,
        y: at[3 * body + 1]!,
        tooltip: `body ${body}`,
      })),
    })),
  });
  const energies = chart({
    title: 'change of the energy since the first step, relative to it',
    x: { label: 'time' },
    y: { label: 'change', format: (value) => String(Number(value.toPrecision(3))) },
    size: plot,
    series: [
      { name: 'double precision', mark: 'path', points: changesOf(exact, dt), colour: 0 },
      // Dashed, since the two may lie on each other.
      { name: 'chip', mark: 'path', points: changesOf(chip, dt), colour: 8 },
    ],
  });
  return written(title, beside([paths, energies]));
}

const changesOf = ({ energies }: LeapfrogTrace, dt: number) =>
  energies.map((energy, step) => ({ x: step * dt, y: energy / energies[0]! - 1 }));
