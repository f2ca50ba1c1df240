import { element, page, svgNumber, textElement } from '../../machines/svg.ts';
import type { BenchRow } from './bench.ts';

const [width, height] = [760, 480];
const plot = { left: 70, top: 46, width: 500, height: 370 };
const ink = '#43505e';

/** Bytes a nanosecond, which is GB/s. */
export const speedOf = ({ bytes, ns }: Pick<BenchRow, 'bytes' | 'ns'>): number => bytes / ns;

/**
 * Draws bandwidth over size, both axes logarithmic: a line a series; dots are the prototype, rings what was measured on a real machine.
 *
 * Details: SVG, 760 x 480 px. There is at least one row.
 */
export function bandwidthPicture(title: string, rows: readonly BenchRow[]): string {
  const [x, y] = scalesOf(rows);
  const names = [...new Set(rows.map(({ series }) => series))];
  const point = (bytes: number, ns: number): string =>
    `${svgNumber(x.at(bytes))},${svgNumber(y.at(bytes / ns))}`;
  const curves = names.flatMap((name, index) => {
    const stroke = `hsl(${Math.round((360 * index) / names.length + 210) % 360} 60% 42%)`;
    const own = rows.filter(({ series }) => series === name);
    const line = own.map(({ bytes, ns }) => point(bytes, ns)).join(' ');
    const labelAt = { x: plot.left + plot.width + 16, y: plot.top + 14 + 20 * index };
    return [
      element('polyline', { points: line, fill: 'none', stroke, 'stroke-width': 1.8 }),
      ...own.flatMap((row) => marksOf(row, stroke, x.at, y.at)),
      element('line', {
        x1: labelAt.x,
        x2: labelAt.x + 18,
        y1: labelAt.y - 4,
        y2: labelAt.y - 4,
        stroke,
        'stroke-width': 3,
      }),
      textElement({ x: labelAt.x + 24, y: labelAt.y, 'font-size': 12, fill: ink }, name),
    ];
  });
  const { left, top, width: wide, height: tall } = plot;
  return page(
    { width, height, title },
    element('rect', { x: left, y: top, width: wide, height: tall, fill: '#f6f8fa' }),
    ...x.ticks.flatMap((tick) => [
      element('line', { x1: x.at(tick), x2: x.at(tick), y1: top, y2: top + tall, stroke: '#dde2e8' }),
      textElement(
        { x: x.at(tick), y: top + tall + 18, 'text-anchor': 'middle', 'font-size': 11, fill: ink },
        bytesText(tick),
      ),
    ]),
    ...y.ticks.flatMap((tick) => [
      element('line', { x1: left, x2: left + wide, y1: y.at(tick), y2: y.at(tick), stroke: '#dde2e8' }),
      textElement(
        { x: left - 8, y: y.at(tick) + 4, 'text-anchor': 'end', 'font-size': 11, fill: ink },
        String(tick),
      ),
    ]),
    ...curves,
    textElement({ x: left, y: 26, 'font-size': 15, fill: '#1d2733' }, title),
    textElement(
      { x: left, y: height - 16, 'font-size': 12, fill: ink },
      'bytes; GB/s upwards; dots: prototype, rings: PEACH2 as measured, squares: MPI over InfiniBand',
    ),
  );
}

/** The prototype as a dot, PEACH2 as a ring, MPI as a square. */
function marksOf(
  { bytes, goldenNs, publishedNs, mpiNs }: BenchRow,
  stroke: string,
  x: (bytes: number) => number,
  y: (speed: number) => number,
): readonly string[] {
  const cx = x(bytes);
  return [
    ...(goldenNs === undefined
      ? []
      : [element('circle', { cx, cy: y(bytes / goldenNs), r: 2.6, fill: stroke })]),
    ...(publishedNs === undefined
      ? []
      : [element('circle', { cx, cy: y(bytes / publishedNs), r: 5, fill: 'none', stroke: '#b5475a' })]),
    ...(mpiNs === undefined
      ? []
      : [
          element('rect', {
            x: cx - 2.5,
            y: y(bytes / mpiNs) - 2.5,
            width: 5,
            height: 5,
            fill: 'none',
            stroke: '#9aa3ad',
          }),
        ]),
  ];
}

interface Scale {
  at(value: number): number;
  readonly ticks: readonly number[];
}

function scalesOf(rows: readonly BenchRow[]): readonly [Scale, Scale] {
  const speeds = rows.flatMap(({ bytes, ns, goldenNs, publishedNs, mpiNs }) =>
    [ns, goldenNs, publishedNs, mpiNs].filter((one) => one !== undefined).map((one) => bytes / one),
  );
  const sizes = rows.map(({ bytes }) => bytes);
  const { left, top, width: wide, height: tall } = plot;
  return [
    logarithmic(sizes, 4, (share) => left + share * wide),
    logarithmic(speeds, 10, (share) => top + (1 - share) * tall),
  ];
}

/** A logarithmic scale from the power of `base` below all values to the one above, with a tick at each power. */
function logarithmic(values: readonly number[], base: number, place: (share: number) => number): Scale {
  const power = (value: number): number => Math.log(value) / Math.log(base);
  const first = Math.floor(power(Math.min(...values)) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(power(Math.max(...values)) - 1e-9));
  return {
    at: (value) => place((power(value) - first) / (last - first)),
    ticks: Array.from({ length: last - first + 1 }, (_, index) =>
      Number((base ** (first + index)).toPrecision(6)),
    ),
  };
}

function bytesText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${bytes / 2 ** 20} Mi`;
  return bytes >= 1024 ? `${bytes / 1024} Ki` : String(bytes);
}
