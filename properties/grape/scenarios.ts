import fc from 'fast-check';
import type { HostCall } from '../../actors/grape/host-calls.ts';
import type { HostRecord } from '../../actors/grape/host-words.ts';
import { grapeConfig } from '../../machines/grape/config.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { wholePrograms } from './whole-programs.arbitrary.ts';
import { hurriedSource, kernelSource, streamSource } from './workloads.ts';

/*
 * Scenarios of the chip that must go well whatever the schedule: few blocks and PEs, one of a few programs, any calls of the host in any order.
 * What a call may not do at its time it answers with a code, which is no failure.
 */

/** Far above what a generated program takes, so that a faulty chip that goes on for ever ends soon. */
const lastTick = 200_000;

/** The least that a type I program does: a sum over the j records for each i particle. */
const sumSource = `var vector long xi hlt flt64to72
bvar long xj elt flt64to72
var vector long sum rrn flt72to64 fadd
loop initialization
vlen 4
uxor $t $t $t
upassa $ti $ti $lr40v
loop body
vlen 1
bm xj $lr0v
vlen 4
nop
fsub $lr0 xi $t
fadd $lr40v $ti $lr40v
loop finalization
vlen 4
upassa $lr40v $lr40v sum
`;

/** The least that a type II program does: a record goes through the blocks and back to the host. */
const echoSource = `bvar long a elt flt64to72
evar jdata 0 64
loop body
vlen 4
idp jdata
nop 4
rrn fadd a flt72to64
`;

/**
 * A transfer to one block alone, which is under way when the program is over: all blocks together tell whether another one has got it, too. The word of
 * the transfer to all is read before it has come.
 */
const tailSource = `bvar long a elt flt64to72
bvar vector long w elt1 flt64to72
evar jdata 0 64
evar wide 1 16
loop body
vlen 4
idp jdata
bm a $lr40v
nop 3
rrn fadd w 4 flt72to64
nop 4
rrn fadd a flt72to64
idp wide 1 0
`;

/** A long reduction at the end of each pass: the next one waits for its port, and the chip for the last one when the program is over. */
const outflowSource = `bvar vector long w elt flt64to72
bvar vector long more
evar jdata 0 64
loop body
vlen 4
idp jdata
nop 8
rrn fadd w 8 flt72to64
`;

/** Few digits, towards which a failure shrinks; as many as a double has, so that sums have more; the ends of the range. */
const number = fc.oneof(
  fc.integer({ min: -64, max: 64 }).map((quarters) => quarters / 4),
  fc.integer({ min: -9_999_999, max: 9_999_999 }).map((sevenths) => sevenths / 7),
  fc.constantFrom(1e-300, -1e300, 0.1),
);
const integer = fc.integer({ min: -99, max: 99 });

/** A program with the records that the host sends it. */
interface Kind {
  readonly name: string;
  readonly source: string;
  /** Broadcast blocks, and PEs in each, that it needs since it names them. */
  readonly least: number;
  /** Its transfers wait for the ports by nops that fit the usual timing alone. */
  readonly waitsByItself: boolean;
  /** Records by table. */
  readonly tables: readonly fc.Arbitrary<HostRecord>[];
  /** Absent for a type II program. */
  readonly particle?: fc.Arbitrary<HostRecord>;
}

const kinds: readonly Kind[] = [
  {
    name: 'sum',
    source: sumSource,
    least: 1,
    waitsByItself: false,
    tables: [fc.record({ xj: number })],
    particle: fc.record({ xi: number }),
  },
  {
    name: 'echo',
    source: echoSource,
    least: 1,
    waitsByItself: true,
    tables: [fc.record({ a: number })],
  },
  {
    name: 'kernel',
    source: kernelSource,
    least: 1,
    waitsByItself: false,
    tables: [fc.record({ xj: number, mj: number, nj: integer })],
    particle: fc.record({ xi: number }),
  },
  {
    name: 'stream',
    source: streamSource,
    least: 2,
    waitsByItself: true,
    tables: [
      fc.record({ a: number, b: number, c: number }),
      fc.record({ w: fc.tuple(integer, integer, integer, integer) }),
    ],
  },
  {
    name: 'tail',
    source: tailSource,
    least: 1,
    waitsByItself: true,
    tables: [fc.record({ a: number }), fc.record({ w: fc.tuple(number, number, number, number) })],
  },
  {
    name: 'outflow',
    source: outflowSource,
    least: 1,
    waitsByItself: true,
    tables: [fc.record({ w: fc.tuple(number, number, number, number) })],
  },
  {
    name: 'hurried',
    source: hurriedSource,
    least: 1,
    waitsByItself: true,
    tables: [fc.record({ a: number })],
  },
];

/** A parameter with its usual value, towards which it shrinks, or now and then one of these. */
const now = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(usual) },
    fc.constantFrom(...others),
  );

/** Nearly always there, and left out where a failure does not need it. */
const mostly = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 15, arbitrary },
  );

/** Sizes, timing and readings of the manual (GRAPE specification 0.1, 1, 6.4, 6.5). */
const options = fc.record({
  nBB: fc.integer({ min: 1, max: 5 }),
  nPE: fc.integer({ min: 1, max: 3 }),
  timing: fc.record({
    slotMin: now(4, 1, 2, 7),
    idpHeader: now(1, 0, 3),
    idpLatency: now(4, 1, 9),
    levelCycles: now(2, 1, 5),
    outCycles: now(2, 1, 4),
    emLatency: now(8, 0, 30),
  }),
  hostCall: now(20, 0, 300),
  hostWord: now(4, 0, 11),
  jPolicy: now<'overlap' | 'serial'>('overlap', 'serial'),
  engine: fc.constantFrom('wasm' as const, 'lanes' as const, 'reference' as const),
  peActors: now(false, false, true),
  detail: now<'slot' | 'element'>('slot', 'element'),
  mode: now<'pipelined' | 'functional'>('pipelined', 'functional'),
  compat: fc.record({
    narrowMode: now<'nearest' | 'truncate'>('nearest', 'truncate'),
    roundPolicy: now<'anyShort' | 'first' | 'allShort'>('anyShort', 'first', 'allShort'),
    autoRegister: now(false, true),
    emClobber: now(false, true),
  }),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;

/** Calls of the host for a program, in any order; the first is mostly that which the others need. */
function callsOf({ tables, particle }: Kind): fc.Arbitrary<readonly HostCall[]> {
  const index = fc.nat(12);
  const passes = fc.nat(4);
  const records = tables.map((table, num) =>
    fc.record({ call: fc.constant('sendEltData' as const), num: fc.constant(num), record: table, index }),
  );
  const send =
    particle &&
    fc.record({
      call: fc.constant('sendIParticle' as const),
      particles: fc.array(particle, { minLength: 1, maxLength: 13 }),
    });
  const run = passes.map((n): HostCall => (particle ? { call: 'run', n } : { call: 'type2Run', n }));
  const results: readonly HostCall[] = particle ? [{ call: 'getResult' }] : [];
  const others = [...(send ? [send] : []), run, ...results.map((one) => fc.constant(one))];
  const call = fc.oneof<fc.MaybeWeightedArbitrary<HostCall>[]>(
    ...records.map((arbitrary) => ({ weight: Math.ceil(6 / records.length), arbitrary })),
    ...others.map((arbitrary) => ({ weight: Math.ceil(6 / others.length), arbitrary })),
  );
  // In the order in which a host uses the chip: what is calculated is seen where it is fetched.
  const session = fc
    .tuple(
      send ? mostly(send) : fc.constant(undefined),
      fc.array(fc.oneof(...records), { maxLength: 8 }),
      mostly(run),
      mostly(fc.constant(results)),
      // Once more with what the chip has: external memory is as it was, or gone.
      fc.boolean(),
    )
    .map(([first, sent, last, end = [], again]): readonly HostCall[] => [
      ...(first ? [first] : []),
      ...sent,
      ...(last ? [last] : []),
      ...end,
      ...(again && last ? [last, ...end] : []),
    ]);
  const calls = fc.oneof(
    fc.array(call, { maxLength: 24 }),
    fc.array(session, { maxLength: 2 }).map((sessions) => sessions.flat()),
  );
  return fc
    .tuple(now(true, false), calls)
    .map(([begins, more]) => (begins ? [{ call: 'init' as const }, ...more] : more));
}

/** The configuration as a scenario writes it, without what is a default. */
function configOf(
  { timing, compat, ...sizes }: Options,
  { least, waitsByItself }: Pick<Kind, 'least' | 'waitsByItself'>,
): WrittenScenario['config'] {
  const defaults = grapeConfig.parse({});
  const changedCompat = changed(compat, defaults.compat);
  return {
    ...changed({ ...sizes, ...timing }, defaults),
    nBB: Math.max(least, sizes.nBB),
    nPE: Math.max(least, sizes.nPE),
    ...(waitsByItself && { portPolicy: 'stall' }),
    ...(Object.keys(changedCompat).length > 0 && { compat: changedCompat }),
  };
}

const changed = (written: object, defaults: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(written).filter(
      ([key, value]) => value !== (defaults as Readonly<Record<string, unknown>>)[key],
    ),
  );

const fewCalls: fc.Arbitrary<WrittenScenario> = fc.oneof(
  ...kinds.map((kind) =>
    fc.tuple(options, callsOf(kind)).map(
      ([chosen, host]): WrittenScenario => ({
        name: `generated: ${kind.name}`,
        config: configOf(chosen, kind),
        programs: { source: kind.source, host },
        until: lastTick,
      }),
    ),
  ),
);

/** Programs of all statements; their own numbers of blocks and PEs go before those that are drawn. */
const anyProgram: fc.Arbitrary<WrittenScenario> = fc
  .tuple(options, wholePrograms)
  .map(([chosen, { name, source, host, config, define }]): WrittenScenario => {
    const { nBB: _nBB, nPE: _nPE, ...rest } = configOf(chosen, { least: 1, waitsByItself: false });
    return {
      name: `generated: ${name}`,
      config: { ...rest, ...config },
      programs: { source, host, ...(define && { define }) },
      until: lastTick,
    };
  });

/** Generated scenarios of the chip: sizes, timing, programs, calls of the host. */
export const grapeScenarios: fc.Arbitrary<WrittenScenario> = fc.oneof(fewCalls, anyProgram);
