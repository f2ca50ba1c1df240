import fc from 'fast-check';
import type { HostCall } from '../../actors/grape/host-calls.ts';
import type { HostRecord, HostValue } from '../../actors/grape/host-words.ts';
import { feedbackSource, functionalSource } from './functional-programs.arbitrary.ts';
import { macroData, macroRemarks, macroStatements } from './macro-lines.arbitrary.ts';
import { type PlainVariable, plainProgram } from './plain/plain-program.ts';
import { rawSource, sourceFrom } from './programs.arbitrary.ts';

/*
 * Programs of all statements of the language with calls of the host that suit them. What they work on is put into their memories before their first
 * line, and after their last one everything that they leave is shown.
 */

/** A program and the calls of a host for a chip of so many blocks and PEs. */
export interface WholeProgram {
  readonly name: string;
  readonly source: string;
  readonly host: readonly HostCall[];
  readonly config: object;
  readonly define?: Readonly<Record<string, string | number>>;
}

/** Fractions at the edges of the roundings to 25, 50 and 61 bits: just between two of the shorter ones, just beside that, all ones above it. */
const edges = [36n, 11n, 35n].flatMap((dropped) => {
  const half = 1n << (dropped - 1n);
  const top = ((1n << 60n) - 1n) ^ ((1n << dropped) - 1n);
  const last = 1n << dropped;
  return [
    half,
    half + 1n,
    half - 1n,
    half | last,
    top | half,
    top | (half - 1n),
    top,
    last,
    top | (last - 1n),
  ];
});
const fraction = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: (1n << 60n) - 1n }) },
  { weight: 3, arbitrary: fc.constantFrom(...edges) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0n,
      1n,
      1n << 59n,
      (1n << 60n) - 1n,
      (1n << 60n) - 2n,
      0xfff_ffffn << 32n,
      0xfff_fffn,
    ),
  },
);

/** Words of 18 digits: floats of all signs near one, so far apart that sums lose digits, the ends of the exponents, small integers and counts of shifts, any bits. */
const word = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.boolean(), fc.integer({ min: 1019, max: 1027 }), fraction) },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.boolean(),
      fc.constantFrom(
        ...[-93, -63, -62, -61, -60, -59, -37, -36, -31, -30, -29, -26, -25, -24].map((one) => 1023 + one),
      ),
      fraction,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.boolean(),
      fc.constantFrom(0, 1, 2, 25, 511, 512, 1535, 2045, 2046, 2047),
      fraction,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant(false),
      fc.constant(0),
      fc.oneof(
        fc.bigInt({ min: 0n, max: 80n }),
        fc.constantFrom(0n, 1n, 12n, 24n, 35n, 36n, 37n, 59n, 60n, 70n, 71n, 72n, 73n, 144n),
      ),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.boolean(), fc.nat(2047), fc.constantFrom(0n, (1n << 60n) - 1n)) },
);
const digitsOf = ([negative, exponent, fraction]: readonly [boolean, number, bigint]): string =>
  ((negative ? 1n << 71n : 0n) | (BigInt(exponent) << 60n) | fraction).toString(16);

const seedWords = fc.array(word.map(digitsOf), { minLength: 24, maxLength: 24 });

/** So many words as programs are begun with, the same for the same seed. */
export const wordsDrawn = (count: number, seed: number): readonly bigint[] =>
  fc.sample(word, { numRuns: count, seed }).map((one) => BigInt(`0x${digitsOf(one)}`));

/** First long word of broadcast memory that the words lie in: above the variables. */
const seedAt = 960;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Fills registers, some of local memory, T and masks of every PE, each otherwise. */
function seeding(words: readonly string[], pes: number): readonly string[] {
  const places = [0, 8, 16, 24, 32, 40, 48, 56].flatMap((addr) => [`$lr${addr}v`, `$lm${addr}v`]);
  const loads = [...places, '$t'].flatMap((place, at) =>
    upTo(pes).map((pe) => `bm $lb${2 * (seedAt + ((5 * at + 3 * pe) % 20))}v ${place} ${pe}`),
  );
  const masks = [1, 2, 3, 4, 5, 6, 7].flatMap((mask) => [
    `mof ${mask}`,
    `fadd $lr${8 * mask}v $lr${8 * mask}v`,
  ]);
  return [
    'vlen 4',
    `IDP ${words.length} ${seedAt} 0 0`,
    ...words.map((one) => `HEX ${one}`),
    ...loads,
    'nop 2',
    ...masks,
    'nop 2',
  ];
}

/** Shows everything that a program may have changed. */
const dumps = (blocks: number, pes: number): readonly string[] => [
  'nop 2',
  ...upTo(blocks).flatMap((bb) => [
    `DBG BM ${bb} 0 60`,
    ...upTo(pes).flatMap((pe) => [
      `DBG BB ${bb} ${pe} GRF 0 31`,
      `DBG BB ${bb} ${pe} LM 0 255`,
      `DBG BB ${bb} ${pe} TREG`,
      ...[1, 2, 3, 4, 5, 6, 7].map((mask) => `DBG BB ${bb} ${pe} MREG ${mask}`),
    ]),
  ]),
];

const values: Readonly<Record<string, fc.Arbitrary<HostValue>>> = {
  flt: fc.oneof(
    fc.integer({ min: -64, max: 64 }).map((quarters) => quarters / 4),
    fc.integer({ min: -9_999_999, max: 9_999_999 }).map((sevenths) => sevenths / 7),
    fc.constantFrom(1e-300, -1e300, 0.1, 1e-320, 1.0000000298023224),
  ),
  // As text where a scenario has no such number.
  fix: fc.oneof(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
};

const valueFor = ({ transfer }: PlainVariable): fc.Arbitrary<HostValue> =>
  values[transfer!.conversion.slice(0, 3)]!;

/** A record of these variables; `each` for one value of every vector, as particles have them. */
function recordOf(variables: readonly PlainVariable[], each: boolean): fc.Arbitrary<HostRecord> {
  const fields = variables.map((variable): [string, fc.Arbitrary<HostRecord[string]>] => {
    const value = valueFor(variable);
    if (!variable.vector || each) return [variable.name, value];
    return [variable.name, fc.array(value, { minLength: 4, maxLength: 4 })];
  });
  return fc.record(Object.fromEntries(fields));
}

/** Calls that suit a program, in an order in which it has something to do, with some that are refused. */
export function callsFor(source: string, type: 1 | 2, pes: number): fc.Arbitrary<readonly HostCall[]> {
  const { variables } = plainProgram(source, { type, roundPolicy: 'anyShort' });
  const tables = (kind: 'elt' | 'hlt') =>
    [...new Set(variables.flatMap(({ transfer }) => (transfer?.kind === kind ? [transfer.table] : [])))].map(
      (num) => ({
        num,
        members: variables.filter(({ transfer }) => transfer?.kind === kind && transfer.table === num),
      }),
    );
  const records = tables('elt').map(({ num, members }) =>
    fc.record({
      call: fc.constant('sendEltData' as const),
      num: fc.constant(num),
      record: recordOf(members, false),
      index: fc.nat(9),
    }),
  );
  const particles = fc.array(
    recordOf(
      tables('hlt')
        .filter(({ num }) => num === 0)
        .flatMap(({ members }) => members),
      true,
    ),
    { minLength: 1, maxLength: 4 * pes },
  );
  const others = tables('hlt').map(({ num, members }) =>
    fc.record({
      call: fc.constant('sendHltData' as const),
      num: fc.constant(num),
      record: recordOf(members, false),
      peindex: fc.constantFrom(0, 0, 0, 1),
    }),
  );
  const passes = fc.constantFrom(1, 2, 3, 0, -1);
  const run = passes.map((n): HostCall => (type === 1 ? { call: 'run', n } : { call: 'type2Run', n }));
  const step = fc.oneof<fc.MaybeWeightedArbitrary<HostCall>[]>(
    ...records.map((arbitrary) => ({ weight: 3, arbitrary })),
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
    { weight: 2, arbitrary: particles.map((all): HostCall => ({ call: 'sendIParticle', particles: all })) },
    { weight: 1, arbitrary: fc.constant({ call: 'registerIParticleConversion' as const }) },
    { weight: 3, arbitrary: run },
    { weight: 2, arbitrary: fc.constant({ call: 'getResult' as const }) },
    { weight: 1, arbitrary: refusedCall(type, particles) },
    { weight: 1, arbitrary: fc.constant({ call: 'alone' as const }) },
  );
  const session = fc
    .tuple(
      particles,
      records.length > 0 ? fc.array(fc.oneof(...records), { maxLength: 6 }) : fc.constant([]),
      run,
    )
    .map(([all, sent, last]): readonly HostCall[] => [
      { call: 'sendIParticle', particles: all },
      ...sent,
      last,
      ...(type === 1 ? [{ call: 'getResult' as const }] : []),
    ]);
  return fc
    .tuple(fc.boolean(), fc.array(session, { maxLength: 2 }), fc.array(step, { maxLength: 6 }))
    .map(([alone, sessions, steps]) => [
      ...(alone ? [{ call: 'alone' as const }] : []),
      { call: 'init' as const },
      ...sessions.flat(),
      ...steps,
    ]);
}

/** What the library answers with a code. */
const refusedCall = (type: 1 | 2, particles: fc.Arbitrary<readonly HostRecord[]>): fc.Arbitrary<HostCall> =>
  fc.oneof(
    fc.constant<HostCall>(type === 1 ? { call: 'type2Run', n: 1 } : { call: 'run', n: 1 }),
    fc.constant<HostCall>({ call: 'sendEltData', num: 9, record: {}, index: 0 }),
    fc.constant<HostCall>({ call: 'sendEltData', num: 0, record: {}, index: -1 }),
    fc.constant<HostCall>({ call: 'sendHltData', num: 9, record: {}, peindex: 0 }),
    particles.map((all): HostCall => ({ call: 'sendIParticle', particles: all, n: all.length + 1 })),
    particles.map((all): HostCall => ({ call: 'sendIParticle', particles: all, n: all.length - 1 })),
  );

const chip = fc.record({ blocks: fc.integer({ min: 1, max: 3 }), pes: fc.integer({ min: 1, max: 3 }) });

/** Random sources, alone and with a host. */
const randomPrograms: fc.Arbitrary<WholeProgram> = fc
  .tuple(chip, rawSource(24), seedWords, fc.constantFrom('preamble', 'initialization', 'loop initialization'))
  .chain(([{ blocks, pes }, raw, words, at]) => {
    const { source: text, type } = sourceFrom(raw, { blocks, pes, keepsToPorts: true });
    const source = [
      ...(at === 'preamble' ? [] : [at]),
      ...seeding(words, pes),
      text,
      ...dumps(blocks, pes),
      '',
    ].join('\n');
    return callsFor(source, type, pes).map((host) => ({
      name: 'any program',
      source,
      host,
      config: { nBB: blocks, nPE: pes, type, portPolicy: 'stall' },
    }));
  });

/** Programs for functional mode, as they are or reordered for the pipeline. */
const functionalPrograms: fc.Arbitrary<WholeProgram> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: functionalSource(14) }, { weight: 1, arbitrary: feedbackSource }),
    seedWords,
    fc.boolean(),
  )
  .map(([text, words, schedule]) => ({
    name: schedule ? 'reordered' : 'functional',
    source: [...seeding(words, 2), schedule ? text.replaceAll('$fb', '$t') : text, ...dumps(2, 2), ''].join(
      '\n',
    ),
    host: [{ call: 'alone' as const }],
    config: { nBB: 2, nPE: 2, ...(schedule ? { schedule } : { mode: 'functional' }) },
  }));

/** Packets whose words macros make. */
const macroPrograms: fc.Arbitrary<WholeProgram> = fc
  .tuple(macroData, fc.array(fc.constantFrom(...macroStatements), { maxLength: 3 }), macroRemarks)
  .map(([data, lines, remarks]) => ({
    name: 'macros',
    source: [
      `IDP ${data.length} 0 0 0`,
      ...data,
      ...lines,
      'bm $lb0v $lr0v',
      `DBG BM 0 0 ${data.length}`,
      ...remarks,
      '',
    ].join('\n'),
    host: [{ call: 'alone' as const }],
    config: { nBB: 1, nPE: 1 },
    define: { pause: 2 },
  }));

/** Whole programs of all kinds. */
export const wholePrograms: fc.Arbitrary<WholeProgram> = fc.oneof(
  { weight: 5, arbitrary: randomPrograms },
  { weight: 2, arbitrary: functionalPrograms },
  { weight: 2, arbitrary: macroPrograms },
);
