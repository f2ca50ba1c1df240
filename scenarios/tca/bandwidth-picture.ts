import { chart, type Series } from '../../machines/pictures/chart.ts';
import { written } from '../../machines/pictures/drawing.ts';
import { type BenchRow, speedOf } from './bench.ts';

/** What a row is shown beside. */
const beside = [
  { of: 'goldenNs', mark: 'cross', words: 'the prototype' },
  { of: 'publishedNs', mark: 'ring', words: 'PEACH2 as measured' },
  { of: 'mpiNs', mark: 'square', words: 'MPI over InfiniBand' },
] as const;

/**
 * Draws bandwidth over size, both axes logarithmic: a line a series, marks of its colour for what it is shown beside.
 *
 * Details: there is at least one row.
 */
export function bandwidthPicture(title: string, rows: readonly BenchRow[]): string {
  const names = [...new Set(rows.map(({ series }) => series))];
  const measured = names.map((name, colour): Series => {
    const own = rows.filter(({ series }) => series === name);
    return { name, colour, points: own.map((row) => pointOf(name, row, row.ns)) };
  });
  const others = beside.flatMap(({ of, mark, words }, index): readonly Series[] => {
    const known = rows.flatMap((row) => (row[of] === undefined ? [] : [{ row, ns: row[of] }]));
    if (known.length === 0) return [];
    // What does not depend on the series is drawn once: marks of several series would hide each other.
    const speeds = new Map(known.map(({ row, ns }) => [row.bytes, ns]));
    if (known.every(({ row, ns }) => speeds.get(row.bytes) === ns)) {
      const points = known.map(({ row, ns }) => pointOf(words, row, ns));
      const once = points.filter(({ x }, at) => points.findIndex((other) => other.x === x) === at);
      return [{ name: words, mark, colour: names.length + index, points: once }];
    }
    return names.flatMap((series, colour) => {
      const name = `${series}, ${words}`;
      const own = known.filter(({ row }) => row.series === series);
      return own.length === 0
        ? []
        : [{ name, mark, colour, points: own.map(({ row, ns }) => pointOf(name, row, ns)) }];
    });
  });
  const drawn = chart({
    title,
    x: { label: 'size, bytes', logarithmic: 4, format: bytesText },
    y: { label: 'bandwidth, GB/s', logarithmic: 10 },
    series: [...measured, ...others],
  });
  return written(title, drawn);
}

const pointOf = (name: string, { bytes }: BenchRow, ns: number): Series['points'][number] => ({
  x: bytes,
  y: speedOf({ bytes, ns }),
  tooltip: `${name}: ${bytes} bytes in ${ns} ns, ${speedOf({ bytes, ns }).toFixed(3)} GB/s`,
});

function bytesText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${bytes / 2 ** 20} Mi`;
  return bytes >= 1024 ? `${bytes / 1024} Ki` : String(bytes);
}
