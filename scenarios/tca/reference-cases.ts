import { z } from 'zod';
import type { Row } from '../reference-row.ts';
import { type DecompositionName, decompositions, haloNs } from './halo.ts';
import { directNs, type TcaSettings, tunedPut, tuningRounds } from './measure.ts';
import { blockStride, contiguous, type Shape } from './transfers.ts';

const putSchema = z.strictObject({
  fixed_ns: z.number(),
  tuned_ns: z.number(),
  tuned_split: z.array(z.number()).length(4),
});
const channelSets = ['ch0', 'ch01', 'ch012', 'ch0123'] as const;
const setsSchema = z.strictObject({
  ch0: putSchema,
  ch01: putSchema,
  ch012: putSchema,
  ch0123: putSchema,
  ratio4: z.number(),
});
const size = z.string().regex(/^\d+$/);

/** What the timing rules give for the figures (TCA specification 18, 21 A3); a key that nobody compares is refused. */
export const predictionsSchema = z.strictObject({
  origin: z.string(),
  definitions: z.record(z.string(), z.string()),
  fig1_GBs: z.record(size, z.array(z.number()).length(4)),
  direct_ch0_us: z.record(size, z.number()),
  direct_ch0_blockstride_us: z.record(size, z.number()),
  fig5: z.record(size, setsSchema),
  fig6: z.record(size, z.strictObject({ block: setsSchema, blockstride: setsSchema })),
  fig7_halo_per_iteration: z.partialRecord(
    z.enum(Object.keys(decompositions) as [DecompositionName, ...DecompositionName[]]),
    z.strictObject({
      ch0_ns: z.number(),
      ch0_idealstop_ns: z.number(),
      ch0123_ns: z.number(),
      ch0123_idealstop_ns: z.number(),
      reduction: z.number(),
      reduction_idealstop: z.number(),
    }),
  ),
  whatif_32_32: z.record(size, z.strictObject({ ch0: z.number(), four: z.number(), two32: z.number() })),
});

/** What the timing rules give for the figures. */
export type Predictions = Readonly<z.output<typeof predictionsSchema>>;

/** How far a model that follows the timing rules may be from the prototype (TCA specification 21, A3). */
const tolerance = 0.03;

const within = (id: string, what: string, expected: number, found: number): Row => ({
  id,
  what,
  expected,
  found,
  tolerance,
  passed: Math.abs(found - expected) <= tolerance * Math.abs(expected),
});

/** Settings of the machine with two channels of 32 tags. */
export const twoOf32: TcaSettings = { parameters: { tagsPerChannel: [32, 32, 0, 0] } };

/** The channels of a set as its name has them: `ch012` is 0, 1, 2. */
export const channelsNamed = (name: string): readonly number[] => [...name.replace(/^ch/, '')].map(Number);

/** Compares with every number of the predictions. */
export function* predictionRows(golden: Predictions): Iterable<Row> {
  for (const [bytes, speeds] of Object.entries(golden.fig1_GBs))
    for (const [channel, speed] of speeds.entries()) {
      const ns = directNs(contiguous(Number(bytes)), channel, 'cpu');
      yield within(
        `fig1 ${bytes} B CH${channel}`,
        'GB/s, GPU to remote CPU memory',
        speed,
        Number(bytes) / ns,
      );
    }
  for (const [bytes, us] of Object.entries(golden.direct_ch0_us))
    yield within(`direct ${bytes} B`, 'us, GPU to GPU', us, directNs(contiguous(Number(bytes)), 0) / 1000);
  for (const [N, us] of Object.entries(golden.direct_ch0_blockstride_us))
    yield within(
      `direct block-stride N=${N}`,
      'us, GPU to GPU',
      us,
      directNs(blockStride(Number(N)), 0) / 1000,
    );
  for (const [bytes, sets] of Object.entries(golden.fig5))
    yield* putRows(`fig5 ${bytes} B`, contiguous(Number(bytes)), sets);
  for (const [N, { block, blockstride }] of Object.entries(golden.fig6)) {
    yield* putRows(`fig6 N=${N} block`, contiguous(8 * Number(N) ** 2), block);
    yield* putRows(`fig6 N=${N} block-stride`, blockStride(Number(N)), blockstride);
  }
  for (const [name, halo] of Object.entries(golden.fig7_halo_per_iteration))
    yield* haloRows(name as DecompositionName, halo);
  for (const [bytes, times] of Object.entries(golden.whatif_32_32)) {
    const shape = contiguous(Number(bytes));
    const id = `whatif ${bytes} B`;
    yield within(`${id} ch0`, 'ns, one channel', times.ch0, tunedPut(shape, [0]).tuned.totalNs);
    yield within(`${id} four`, 'ns, four channels', times.four, tunedPut(shape, [0, 1, 2, 3]).tuned.totalNs);
    const two = tunedPut(shape, [0, 1], twoOf32).tuned.totalNs;
    yield within(`${id} two32`, 'ns, two channels of 32 tags', times.two32, two);
  }
}

function* putRows(id: string, shape: Shape, sets: z.output<typeof setsSchema>): Iterable<Row> {
  const times = new Map<string, number>();
  for (const name of channelSets) {
    const golden = sets[name];
    const { fixed, tuned } = tunedPut(shape, channelsNamed(name));
    times.set(name, tuned.totalNs);
    yield within(`${id} ${name} fixed`, 'ns, split by tags', golden.fixed_ns, fixed.totalNs);
    yield within(`${id} ${name} tuned`, 'ns, best of eight rounds', golden.tuned_ns, tuned.totalNs);
    for (const [channel, part] of golden.tuned_split.entries())
      yield within(
        `${id} ${name} part of CH${channel}`,
        'part in the best round',
        part,
        tuned.split[channel]!,
      );
  }
  yield within(
    `${id} ratio4`,
    'four channels against one',
    sets.ratio4,
    times.get('ch0')! / times.get('ch0123')!,
  );
}

function* haloRows(
  name: DecompositionName,
  golden: NonNullable<Predictions['fig7_halo_per_iteration'][DecompositionName]>,
): Iterable<Row> {
  for (const [stop, suffix] of [
    ['charged', ''],
    ['ideal', '_idealstop'],
  ] as const) {
    const [one, four] = [haloNs(name, [0], stop), haloNs(name, [0, 1, 2, 3], stop)];
    yield within(`fig7 ${name} ch0${suffix}`, 'ns of one exchange', golden[`ch0${suffix}_ns`], one);
    yield within(`fig7 ${name} ch0123${suffix}`, 'ns of one exchange', golden[`ch0123${suffix}_ns`], four);
    const [expected, found] = [golden[`reduction${suffix}`], 1 - four / one];
    yield {
      id: `fig7 ${name} reduction${suffix}`,
      what: `share of the time that four channels save, within ${tolerance} of that time`,
      expected,
      found,
      tolerance: null,
      passed: Math.abs(found - expected) <= tolerance,
    };
  }
}

/** The tuning of splits round by round (TCA specification 12.8); a key that nobody compares is refused. */
export const weightsSchema = z.strictObject({
  origin: z.string(),
  rule: z.string(),
  traces: z.record(
    size,
    z
      .array(
        z.strictObject({
          iteration: z.int().min(0),
          split: z.array(z.int().min(0)).length(4),
          total_ns: z.number(),
          channel_ns: z.array(z.number()).length(4),
        }),
      )
      .min(1)
      .max(8),
  ),
});

/** Compares with every round of the tuning: splits exactly, times within 3 percent. */
export function* weightRows({ traces }: z.output<typeof weightsSchema>): Iterable<Row> {
  for (const [bytes, trace] of Object.entries(traces)) {
    const rounds = tuningRounds(contiguous(Number(bytes)), [0, 1, 2, 3], trace.length);
    for (const [index, { iteration, split, total_ns, channel_ns }] of trace.entries()) {
      const round = rounds[index]!;
      const id = `${bytes} B round ${iteration}`;
      const [expected, found] = [split.join(' '), round.split.join(' ')];
      yield {
        id: `${id} split`,
        what: 'parts',
        expected,
        found,
        tolerance: null,
        passed: expected === found,
      };
      yield within(`${id} total`, 'ns until every flag was seen', total_ns, round.totalNs);
      for (const [channel, ns] of channel_ns.entries())
        yield within(`${id} CH${channel}`, 'ns from its doorbell to its flag', ns, round.channelNs[channel]!);
    }
  }
}

const interval = z.tuple([z.number(), z.number()]);

/** Measurements of the real machine (TCA specification 18, 21 A2). */
export const measurementsSchema = z.strictObject({
  origin: z.string(),
  peach2_direct_ch0_pingpong_us: z.record(size, z.number()),
  peach2_direct_ch0_blockstride_us: z.object({ note: z.string() }).catchall(interval),
  mpi_gdr_pingpong_us: z.record(size, z.number()),
  mpi_gdr_blockstride_packunpack_us: z.record(size, z.number()),
  other_public_facts: z.record(z.string(), z.unknown()),
});

/** Measurements of the real machine. */
export type Measurements = Readonly<z.output<typeof measurementsSchema>>;

const skip = (id: string, expected: unknown, skipped: string): Row => ({
  id,
  what: 'not compared',
  expected,
  found: null,
  tolerance: null,
  passed: true,
  skipped,
});

/** Compares with measurements: contiguous within 6 percent up to 512 KiB, block-stride within 10 percent of what was seen (TCA specification 21, A2). */
export function* measurementRows(golden: Measurements): Iterable<Row> {
  for (const [bytes, us] of Object.entries(golden.peach2_direct_ch0_pingpong_us)) {
    const id = `PEACH2 ${bytes} B`;
    if (Number(bytes) > 512 * 1024) {
      yield skip(
        id,
        us,
        'the model leaves out what slows transfers of 1 MiB and more (TCA specification 18)',
      );
      continue;
    }
    const found = directNs(contiguous(Number(bytes)), 0) / 1000;
    yield {
      id,
      what: 'us one way, CH0, GPU to GPU',
      expected: us,
      found,
      tolerance: 0.06,
      passed: Math.abs(found - us) <= 0.06 * us,
    };
  }
  const { note: _note, ...intervals } = golden.peach2_direct_ch0_blockstride_us;
  for (const [N, [least, most]] of Object.entries(intervals)) {
    const found = directNs(blockStride(Number(N)), 0) / 1000;
    yield {
      id: `PEACH2 block-stride N=${N}`,
      what: 'us one way, CH0, GPU to GPU, within 10 percent of the interval',
      expected: `${least} to ${most}`,
      found,
      tolerance: null,
      passed: found >= 0.9 * least && found <= 1.1 * most,
    };
  }
  const input = 'a measurement of MPI, which is a table here and no model';
  for (const [bytes, us] of Object.entries(golden.mpi_gdr_pingpong_us))
    yield skip(`MPI ${bytes} B`, us, input);
  for (const [N, us] of Object.entries(golden.mpi_gdr_blockstride_packunpack_us))
    yield skip(`MPI block-stride N=${N}`, us, input);
  for (const [name, value] of Object.entries(golden.other_public_facts))
    yield skip(name, value, 'the acceptance list sets no tolerance (TCA specification 21, A2)');
}
