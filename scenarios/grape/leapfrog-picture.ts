import { element, page, textElement } from '../../machines/svg.ts';

/** Bodies followed step by step: energies, and places, three numbers a body. */
export interface LeapfrogTrace {
  readonly energies: readonly number[];
  readonly places: readonly Float64Array[];
}

const side = 520;
const margin = 24;
const chartLeft = side + 2 * margin + 70;
const chartWidth = 520;
const height = side + 2 * margin + 30;
const width = chartLeft + chartWidth + margin;
/** Paths that are drawn at most: more would hide each other. */
const pathsMax = 96;

/**
 * Draws the paths of bodies, seen along their axis, and how their energy changes: on the chip and in double precision.
 *
 * Details: SVG, 1,182 px wide; every path fades in towards its end.
 */
export function leapfrogPicture(chip: LeapfrogTrace, exact: LeapfrogTrace, dt: number): string {
  const count = chip.places[0]!.length / 3;
  const reach = Math.max(
    ...chip.places.map((x) => x.reduce((most, one) => Math.max(most, Math.abs(one)), 0)),
  );
  const at = (value: number): number => margin + (side / 2) * (1 + value / reach);
  const shown = Math.min(count, pathsMax);
  const paths = Array.from({ length: shown }, (_, body) => {
    const points = chip.places.map(
      (x) => `${at(x[3 * body]!).toFixed(1)},${at(x[3 * body + 1]!).toFixed(1)}`,
    );
    const hue = Math.round((360 * body) / shown);
    const [x, y] = points.at(-1)!.split(',') as [string, string];
    return (
      element('polyline', {
        points: points.join(' '),
        fill: 'none',
        stroke: `hsl(${hue} 55% 48%)`,
        'stroke-width': 0.9,
        'stroke-opacity': 0.75,
      }) + element('circle', { cx: x, cy: y, r: 1.8, fill: `hsl(${hue} 60% 38%)` })
    );
  });
  const title = `${count} bodies under their own gravity, ${chip.energies.length - 1} steps`;
  return page(
    { width, height, title },
    element('rect', { x: margin, y: margin, width: side, height: side, fill: '#f6f8fa' }),
    ...paths,
    textElement({ x: margin, y: height - 18, 'font-size': 13, fill: '#43505e' }, title),
    ...energyChart(chip, exact, dt),
  );
}

/** Change of the energy against the first, over time. */
function energyChart(chip: LeapfrogTrace, exact: LeapfrogTrace, dt: number): readonly string[] {
  const changes = [exact, chip].map(({ energies }) => energies.map((energy) => energy / energies[0]! - 1));
  const most = Math.max(1e-12, ...changes.flat().map(Math.abs));
  const steps = Math.max(1, chip.energies.length - 1);
  const top = margin + 20;
  const tall = side - 60;
  const x = (step: number): number => chartLeft + (chartWidth * step) / steps;
  const y = (change: number): number => top + (tall / 2) * (1 - change / most);
  const styles = [
    { stroke: '#9aa3ad', 'stroke-width': 4, name: 'double precision' },
    { stroke: '#b5475a', 'stroke-width': 1.5, name: 'chip' },
  ];
  const lines = changes.map((line, at) => {
    const { name: _name, ...style } = styles[at]!;
    const points = line.map((change, step) => `${x(step).toFixed(1)},${y(change).toFixed(1)}`).join(' ');
    return element('polyline', { points, fill: 'none', ...style });
  });
  const label = { 'font-size': 12, fill: '#43505e' };
  return [
    element('rect', { x: chartLeft, y: top, width: chartWidth, height: tall, fill: '#f6f8fa' }),
    element('line', { x1: chartLeft, x2: chartLeft + chartWidth, y1: y(0), y2: y(0), stroke: '#c6ced6' }),
    ...lines,
    textElement({ x: chartLeft, y: top - 8, ...label }, 'change of the energy, relative'),
    textElement(
      { x: chartLeft - 8, y: top + 10, 'text-anchor': 'end', ...label },
      `+${most.toExponential(1)}`,
    ),
    textElement(
      { x: chartLeft - 8, y: top + tall, 'text-anchor': 'end', ...label },
      `-${most.toExponential(1)}`,
    ),
    textElement(
      { x: chartLeft + chartWidth, y: top + tall + 16, 'text-anchor': 'end', ...label },
      `time ${(steps * dt).toFixed(2)}`,
    ),
    ...styles.flatMap(({ name, stroke }, at) => [
      element('rect', { x: chartLeft + 130 * at, y: top + tall + 30, width: 12, height: 4, fill: stroke }),
      textElement({ x: chartLeft + 130 * at + 18, y: top + tall + 36, ...label }, name),
    ]),
  ];
}
