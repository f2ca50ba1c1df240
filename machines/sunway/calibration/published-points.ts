/** A measured time or rate that the simulator has to come near (Sunway specification 9.2, 9.3). */
export interface PublishedPoint {
  readonly name: string;
  readonly measure: PointMeasure;
  /** Measured values; several where the runs of the measurement differ, and any of them will do. */
  readonly measured: readonly number[];
  readonly unit: 'cycles' | 'bytes a cycle' | 'times';
  /** Largest difference, as a part of the measured value. */
  readonly tolerance: number;
}

/** What was measured. Sizes and offsets in bytes; rates are those of all CPEs together. */
export type PointMeasure =
  /** Time of one transfer of each CPE, in a loop when they are several. */
  | {
      readonly kind: 'dmaTime';
      readonly transfer: 'get' | 'iput' | 'put';
      readonly cpes: number;
      readonly bytes: number;
      readonly offset: number;
    }
  | {
      readonly kind: 'dmaRate';
      readonly transfer: 'get' | 'put';
      readonly cpes: number;
      readonly bytes: number;
    }
  /** Half of a round trip of puts between two CPEs. */
  | { readonly kind: 'pingPong'; readonly from: number; readonly to: number; readonly bytes: number }
  /** Puts to the neighbour, so many before each wait: cycles a put. */
  | { readonly kind: 'putStream'; readonly window: number; readonly bytes: number }
  /** All CPEs put at an offset: time of a put as a multiple of that at offset 0. */
  | { readonly kind: 'putSlowdown'; readonly bytes: number; readonly offset: number }
  /** Each CPE of a cluster puts to the three others at once. */
  | { readonly kind: 'clusterFlows'; readonly bytes: number };

const dmaTime = (
  transfer: 'get' | 'iput' | 'put',
  cpes: number,
  bytes: number,
  measured: readonly number[],
  tolerance: number,
  offset = 0,
): PublishedPoint => ({
  name: `${cpes} CPE ${transfer} ${bytes} B${offset === 0 ? '' : ` at offset ${offset}`}`,
  measure: { kind: 'dmaTime', transfer, cpes, bytes, offset },
  measured,
  unit: 'cycles',
  tolerance,
});

const dmaRate = (
  transfer: 'get' | 'put',
  cpes: number,
  measured: readonly number[],
  tolerance: number,
  kibibytes = 128,
): PublishedPoint => ({
  name: `${cpes} CPE ${transfer} ${kibibytes} KiB together`,
  measure: { kind: 'dmaRate', transfer, cpes, bytes: 1024 * kibibytes },
  measured,
  unit: 'bytes a cycle',
  tolerance,
});

const pingPong = (name: string, to: number, bytes: number, cycles: number): PublishedPoint => ({
  name: `ping-pong of ${bytes} B ${name}`,
  measure: { kind: 'pingPong', from: 0, to, bytes },
  measured: [cycles],
  unit: 'cycles',
  tolerance: 0.07,
});

/** The CPE that is so many clusters to the right of CPE 0, and so many below. */
const clusterAt = (columns: number, rows: number): number => 16 * rows + 2 * columns;

const clusters = [0, 1, 2, 3] as const;
/** The line that was fitted to 4032 pairs with 8 bytes, at each distance (9.3). */
const fittedByDistance = clusters.flatMap((rows) =>
  clusters.map((columns) =>
    pingPong(
      `${columns} clusters right, ${rows} down (fitted line)`,
      columns + rows === 0 ? 1 : clusterAt(columns, rows),
      8,
      98.48 + 3.97 * columns + 4.36 * rows,
    ),
  ),
);
/** The line that was fitted to 8 to 256 bytes, at its ends. */
const fittedBySize = [64, 128, 256].flatMap((bytes) =>
  [0, 3].map((apart) =>
    pingPong(
      `${apart} clusters right and down (fitted line)`,
      apart === 0 ? 1 : clusterAt(apart, apart),
      bytes,
      97.98 + 0.0355 * bytes + 3.97 * apart + 4.03 * apart,
    ),
  ),
);

const putStream = (window: number, bytes: number, measured: number, unit: PublishedPoint['unit']) => ({
  name: `put stream of ${bytes} B, ${window} at a time`,
  measure: { kind: 'putStream' as const, window, bytes },
  measured: [measured],
  unit,
  tolerance: 0.07,
});

const crowds = [1, 2, 4, 8, 16, 32, 64] as const;
const getRates = [16.7, 16.9, 19.5, 20.9, 21.1, 21.4, 20.9] as const;
const putRates = [18.1, 18.7, 21.3, 20.6, 20.5, 18.4, 15.4] as const;

/**
 * The published measurements, made on the successor chip SW39000, with the tolerances of the specification.
 *
 * Details: for RMA, whose tolerance the specification gives as the largest error of its model, that is 7 %.
 */
export const publishedPoints: readonly PublishedPoint[] = [
  dmaTime('get', 1, 8, [441], 0.05),
  dmaTime('get', 1, 128, [441], 0.05),
  dmaTime('get', 1, 1024, [543], 0.05),
  dmaTime('get', 1, 4096, [711], 0.05),
  dmaTime('get', 1, 65_536, [4178], 0.05),
  dmaTime('iput', 1, 8, [234], 0.05),
  dmaTime('iput', 1, 128, [240], 0.05),
  dmaTime('iput', 1, 1024, [287], 0.05),
  dmaTime('iput', 1, 4096, [456], 0.05),
  dmaTime('iput', 1, 65_536, [3729], 0.05),
  dmaTime('get', 64, 64, [1147], 0.12),
  dmaTime('get', 64, 256, [1666], 0.12),
  dmaTime('get', 64, 1024, [4017], 0.12),
  dmaTime('get', 64, 4096, [12_313], 0.12),
  dmaTime('get', 64, 65_536, [197_570], 0.12),
  dmaRate('get', 64, [20.5, 21.3], 0.1, 4),
  dmaRate('get', 64, [20.5, 21.3], 0.1, 64),
  dmaTime('get', 64, 128, [1151], 0.12),
  dmaTime('get', 64, 128, [1645], 0.12, 4),
  dmaTime('put', 64, 128, [439, 533], 0.2),
  dmaTime('put', 64, 128, [5180, 6764], 0.2, 4),
  {
    name: '64 CPE put 128 B at offset 4 beside offset 0',
    measure: { kind: 'putSlowdown', bytes: 128, offset: 4 },
    measured: [11.8, 12.7],
    unit: 'times',
    tolerance: 0.2,
  },
  dmaTime('put', 64, 64, [1917], 0.15),
  dmaTime('put', 64, 64, [3579], 0.15, 4),
  ...crowds.map((cpes, index) => dmaRate('get', cpes, [getRates[index]!], 0.15)),
  ...crowds.map((cpes, index) => dmaRate('put', cpes, [putRates[index]!], 0.2)),
  pingPong('in one cluster', 1, 8, 98),
  pingPong('from corner to corner', 63, 8, 123),
  ...fittedByDistance,
  ...fittedBySize,
  ...[114, 86, 72, 65, 61.5].map((cycles, index) => putStream(2 ** index, 8, cycles, 'cycles')),
  putStream(1, 1024, 6.61, 'bytes a cycle'),
  putStream(16, 1024, 15, 'bytes a cycle'),
  putStream(1, 4096, 14.95, 'bytes a cycle'),
  putStream(16, 4096, 24.34, 'bytes a cycle'),
  putStream(1, 65_536, 24.5, 'bytes a cycle'),
  {
    name: '12 put streams of 64 KiB in one cluster',
    measure: { kind: 'clusterFlows', bytes: 65_536 },
    measured: [23.9],
    unit: 'bytes a cycle',
    tolerance: 0.07,
  },
];
