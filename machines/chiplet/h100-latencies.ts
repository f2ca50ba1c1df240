/*
 * What an H100 takes for instructions, by class and by what it carries out otherwise. All numbers are those of `properties/chiplet/golden/gpu-programs/latencies.json`, or half of them where
 * a step of the chain there is two instructions, and rounded; the key there stands behind each.
 */

/** Cycles until a result can be used, cycles between two such instructions of a scheduler, and the measured chain that says so. */
type Row = readonly [latency: number, interval: number, chain: string];

/** Rows of classes (`instructionClasses`). */
export const h100Classes = {
  intAdd: [4, 2, 'int_add, of which two are one instruction'],
  intMax: [4, 2, 'int_min'],
  intMul: [4, 2, 'int_mul_lo'],
  intMad: [4, 2, 'int_mad_lo'],
  intDiv: [137, 92, 'int_div_s'],
  floatAdd: [4, 1, 'f32_add'],
  floatMax: [5, 2, 'f32_min, half of it'],
  floatMul: [4, 1, 'f32_mul'],
  floatMad: [4, 1, 'f32_fma'],
  floatDiv: [44, 44, 'f32_div_rn'],
  doubleAdd: [8, 2, 'f64_add'],
  doubleMax: [8, 2, 'f64_abs'],
  doubleMul: [8, 2, 'f64_mul'],
  doubleMad: [8, 2, 'f64_fma'],
  doubleDiv: [111, 111, 'f64_div'],
  special: [17, 8, 'f32_ex2_ftz'],
  constant: [4, 1, 'an operand of the instruction that reads it'],
  shared: [23, 1, 'ld_shared'],
  // Of the measured launches: 484 in the chain `atom_global_add`, whose words lie otherwise.
  atomic: [360, 1, 'the launch latency_atomic'],
  shuffle: [24, 2, 'the launch latency_shuffle'],
} as const satisfies Readonly<Record<string, Row>>;

/** Rows of what is not as its class (`sequences`). */
export const h100Sequences = {
  folded: [0, 0, 'no instruction'],
  wideAdd: [6, 4, 'i64_add, of which two are one'],
  wideShift: [8, 4, 'i64_shl'],
  wideMax: [18, 10, 'i64_min'],
  wideMul: [17, 9, 'i64_mul'],
  wideMulHi: [33, 27, 'i64_mul_hi'],
  wideDiv: [313, 312, 'i64_div, i64_div_u, i64_rem'],
  mulWide: [5, 4, 'mul_wide, a third of it'],
  mulHi: [9, 6, 'int_mul_hi'],
  div: [137, 92, 'int_div_s'],
  divConstant: [61, 26, 'int_div7'],
  // A reciprocal less: the chain divides by one register.
  divAgain: [62, 26, 'the launch latency_int_div'],
  field: [8, 8, 'int_bfe'],
  video: [14, 6, 'int_vadd4'],
  count: [17, 8, 'int_popc'],
  countZeros: [23, 12, 'int_clz'],
  wideCount: [35, 22, 'i64_popc'],
  toReal: [6, 4, 'f32_rzi_pair less f32_rni'],
  fromReal: [17, 8, 'f32_rni'],
  doubleConvert: [18, 8, 'f32_f64_pair, half of it'],
  halfConvert: [5, 1, 'cvt_h2f2h, half of it'],
  root: [42, 43, 'f32_sqrt_rn'],
  reciprocal: [63, 63, 'f32_rcp_rn'],
  doubleRoot: [79, 79, 'f64_sqrt'],
  doubleReciprocal: [60, 60, 'f64_rcp'],
  // Not measured: fitted to the launch rounding_double.
  roundedDiv: [250, 250, 'none'],
  approximateDiv: [43, 12, 'f32_div_full, f32_div_approx'],
  approximate: [17, 8, 'f32_ex2_ftz'],
  sine: [23, 8, 'f32_sin'],
  approximateSubnormal: [39, 8, 'f32_lg2'],
  doubleMax: [33, 16, 'f64_min'],
  doubleCompare: [10, 3, 'f64_setp_selp less a choice'],
  halfAdd: [4, 1, 'half_one_fma'],
  vote: [13, 2, 'vote_ballot less a comparison'],
  match: [28, 8, 'match_any'],
  redux: [44, 14, 'redux_add'],
  matrix: [24, 24, 'mma_f16'],
} as const satisfies Readonly<Record<string, Row>>;

/** Rows as the timing of a chiplet has them. */
export const cyclesOf = <Name extends string>(rows: Readonly<Record<Name, Row>>) =>
  Object.fromEntries(
    Object.entries<Row>(rows).map(([name, [latency, interval]]) => [name, { latency, interval }]),
  ) as Readonly<Record<Name, { readonly latency: number; readonly interval: number }>>;
