import { z } from 'zod';
import {
  type CurvePoint,
  type CurveSettings,
  curvePoint,
  kneeOf,
} from '../../machines/chiplet/load-curve.ts';
import { referenceData } from '../../scenarios/json-data.ts';
import type { ReferenceFile, ReferenceKind, Row } from '../../scenarios/reference-kind.ts';
import { detailOf, near } from './popnet-run.ts';

const popnetSchema = z.looseObject({
  rows: z
    .array(
      z.looseObject({
        packetSize: z.number(),
        V: z.number(),
        B: z.number(),
        offeredFlitRate: z.number(),
        acceptedFlitRate: z.number(),
        avgDelayFinished: z.number(),
      }),
    )
    .min(1),
});

const booksimSchema = z.looseObject({
  rows: z
    .array(
      z.looseObject({
        vcs: z.number(),
        buf: z.number(),
        packetSize: z.number(),
        flitRate: z.number(),
        acceptedFlitRate: z.number().optional(),
        packetLatencyAvg: z.number().optional(),
        unstable: z.boolean(),
        traffic: z.string().default('uniform'),
      }),
    )
    .min(1),
});

/** One curve of a reference. */
interface Series {
  readonly id: string;
  readonly settings: CurveSettings;
  readonly points: readonly Omit<CurvePoint, 'finished'>[];
}

/** Cycles that the curves of popnet were cut off at; the same for ours beside BookSim. */
const cycles = 4000;

function seriesOf(
  points: readonly (Omit<CurvePoint, 'finished'> & {
    readonly channels: number;
    readonly buffer: number;
    readonly flits: number;
  })[],
  detail: Pick<CurveSettings, 'detail'>,
): readonly Series[] {
  const series = new Map<string, { settings: CurveSettings; points: Omit<CurvePoint, 'finished'>[] }>();
  for (const { channels, buffer, flits, ...point } of points) {
    const id = `${channels} channel${channels === 1 ? '' : 's'} of ${buffer}, ${flits} flits`;
    const settings = { side: 8, channels, bufferDepth: buffer, flits, cycles, seed: 1, ...detail };
    const known = series.get(id) ?? { settings, points: [] };
    known.points.push(point);
    series.set(id, known);
  }
  return [...series].map(([id, one]) => ({ id, ...one }));
}

/** Shares by which a delay below saturation and a knee may differ (golden data, popnet, curve8x8; booksim). */
const delayTolerance = 0.03;
const kneeTolerance = 0.1;

/** Accepted share of the offered load from which on a network counts as not saturated, and how much its delay may have grown. */
const stillAccepted = 0.9;
const stillQuick = 1.5;

/** Delay over load as popnet has it (golden data, popnet, curve8x8). */
export const popnetCurves: ReferenceKind = {
  name: 'popnet curves',
  summary: 'delays below saturation within 3 percent, the load at which they double within 10 percent',
  recognises: ({ json }) => popnetSchema.safeParse(json).success,
  *rows(file: ReferenceFile): Iterable<Row> {
    const series = seriesOf(
      referenceData(file, popnetSchema).rows.map((row) => ({
        channels: row.V,
        buffer: row.B,
        flits: row.packetSize,
        offered: row.offeredFlitRate,
        accepted: row.acceptedFlitRate,
        delay: row.avgDelayFinished,
      })),
      detailOf(file),
    );
    for (const { id, settings, points } of series) {
      const found = points.map(({ offered }) => curvePoint(settings, offered));
      const limit = stillQuick * points[0]!.delay;
      for (const [at, { offered, accepted, delay }] of points.entries())
        if (accepted >= stillAccepted * offered && delay <= limit)
          yield near(`${id}, load ${offered}`, 'average delay', delay, found[at]!.delay, delayTolerance);
      yield near(
        id,
        'load at which the delay doubles',
        kneeOf(points) ?? 0,
        kneeOf(found) ?? 0,
        kneeTolerance,
      );
      const most = (curve: readonly Omit<CurvePoint, 'finished'>[]): number =>
        Math.max(...curve.map(({ accepted }) => accepted));
      yield near(id, 'most that is accepted', most(points), most(found), kneeTolerance);
    }
  },
};

/** Throughput at saturation as another simulator has it (golden data, booksim). */
export const booksimCurves: ReferenceKind = {
  name: 'booksim curves',
  summary: 'the most that a network accepts, within 10 percent of what another simulator has',
  recognises: ({ json }) => booksimSchema.safeParse(json).success,
  *rows(file: ReferenceFile): Iterable<Row> {
    const series = seriesOf(
      referenceData(file, booksimSchema)
        .rows.filter(({ traffic }) => traffic === 'uniform')
        .map((row) => ({
          channels: row.vcs,
          buffer: row.buf,
          flits: row.packetSize,
          offered: row.flitRate,
          accepted: row.acceptedFlitRate ?? 0,
          delay: row.packetLatencyAvg ?? Number.POSITIVE_INFINITY,
        })),
      detailOf(file),
    );
    for (const { id, settings, points } of series) {
      const expected = Math.max(...points.map(({ accepted }) => accepted));
      // Beyond its knee a network accepts what it can.
      const found = Math.max(...[1.1, 1.3].map((times) => curvePoint(settings, times * expected).accepted));
      yield near(id, 'most that is accepted', expected, found, kneeTolerance);
    }
  },
};
