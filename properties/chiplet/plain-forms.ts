/*
 * The instructions of PTX that a plain thread can follow, by what they work on (chiplet specification 7.1).
 */

const integers16 = ['u16', 's16'];
export const integers32 = ['u32', 's32'];
export const integers64 = ['u64', 's64'];
const integers = [...integers16, ...integers32, ...integers64];
const bits = ['b16', 'b32', 'b64'];
const reals = ['f32', 'f64'];

/** An instruction: its name, a type, and the types of its operands, the target first. `#` is a small number, `?` a
 * predicate, `??` two of them, `n32` an amount in a register, `u32.b1` a part of one, `=` and a text that text, `4f32`
 * four registers of a matrix. */
export type Form = readonly [name: string, ...operands: string[]];
const same = (name: string, types: readonly string[], sources: number): readonly Form[] =>
  types.map((type): Form => [`${name}.${type}`, ...new Array<string>(sources + 1).fill(type)]);
const orders = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const unordered = ['equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan'];
const unsignedOrders = ['lo', 'ls', 'hi', 'hs'];

const arithmetic: readonly Form[] = [
  ...['add', 'sub', 'mul.lo', 'div', 'rem', 'min', 'max'].flatMap((name) => same(name, integers, 2)),
  ...['add.sat', 'sub.sat'].flatMap((name) => same(name, ['s32'], 2)),
  ...same('mul.hi', integers, 2),
  ...same('mad.lo', integers, 3),
  ...same('mad.hi', integers32, 3),
  ...same('sad', integers, 3),
  ...[...integers16, ...integers32].flatMap((type): readonly Form[] => {
    const wide = `${type[0]}${2 * Number(type.slice(1))}`;
    return [
      [`mul.wide.${type}`, wide, type, type],
      [`mad.wide.${type}`, wide, type, type, wide],
    ];
  }),
  ...['mul24.lo', 'mul24.hi'].flatMap((name) => same(name, integers32, 2)),
  ...['mad24.lo', 'mad24.hi'].flatMap((name) => same(name, integers32, 3)),
  ...['abs', 'neg'].flatMap((name) => same(name, ['s16', 's32', 's64'], 1)),
];
const logic: readonly Form[] = [
  ...['and', 'or', 'xor'].flatMap((name) => same(name, [...bits, 'pred'], 2)),
  ...same('not', [...bits, 'pred'], 1),
  ...same('cnot', bits, 1),
  ...same('mov', ['b32', 'b64', 'f32', 'f64', 'pred', 'b16'], 1),
  ...bits.map((type): Form => [`shl.${type}`, type, type, '#']),
  ...[...bits, ...integers].map((type): Form => [`shr.${type}`, type, type, '#']),
  ...bits.map((type): Form => [`shl.${type}`, type, type, 'n32']),
  ...[...bits, ...integers].map((type): Form => [`shr.${type}`, type, type, 'n32']),
  ...['popc', 'clz'].flatMap((name) => bits.slice(1).map((type): Form => [`${name}.${type}`, 'u32', type])),
  ...same('brev', bits.slice(1), 1),
  ...[...integers32, ...integers64].flatMap((type): readonly Form[] => [
    [`bfe.${type}`, type, type, '#', '#'],
    [`bfe.${type}`, type, type, 'n32', 'n32'],
  ]),
  ...bits.slice(1).flatMap((type): readonly Form[] => [
    [`bfi.${type}`, type, type, type, '#', '#'],
    [`bfi.${type}`, type, type, type, 'n32', 'n32'],
  ]),
  ...['bfind', 'bfind.shiftamt'].flatMap((name) =>
    [...integers32, ...integers64].map((type): Form => [`${name}.${type}`, 'u32', type]),
  ),
  ...['', '.f4e', '.b4e', '.rc8', '.ecl', '.ecr', '.rc16'].map(
    (mode): Form => [`prmt.b32${mode}`, 'b32', 'b32', 'b32', 'b32'],
  ),
  ['lop3.b32', 'b32', 'b32', 'b32', 'b32', '#'],
  ...['l', 'r'].flatMap((way) =>
    ['clamp', 'wrap'].map((mode): Form => [`shf.${way}.${mode}.b32`, 'b32', 'b32', 'b32', 'n32']),
  ),
];
const choices: readonly Form[] = [
  ...[...integers, ...bits, ...reals].map((type): Form => [`selp.${type}`, type, type, type, '?']),
  ...integers32.map((type): Form => [`slct.${type}.s32`, type, type, type, 's32']),
  ...reals.map((type): Form => [`slct.${type}.f32`, type, type, type, 'f32']),
  ...integers.flatMap((type) => orders.map((order): Form => [`setp.${order}.${type}`, '?', type, type])),
  ...['u16', 'u32', 'u64'].flatMap((type) =>
    unsignedOrders.map((order): Form => [`setp.${order}.${type}`, '?', type, type]),
  ),
  ...reals.flatMap((type) =>
    [...orders, ...unordered].map((order): Form => [`setp.${order}.${type}`, '?', type, type]),
  ),
  ...['and', 'or', 'xor'].flatMap((join) => [
    ...integers32.map((type): Form => [`setp.lt.${join}.${type}`, '??', type, type, '?']),
    ...reals.map((type): Form => [`setp.ge.${join}.${type}`, '?', type, type, '?']),
  ]),
  ...integers32.map((type): Form => [`setp.ne.${type}`, '??', type, type]),
  ...[...integers32, 'f32'].flatMap((to) =>
    [...integers32, ...reals].map((type): Form => [`set.le.${to}.${type}`, to, type, type]),
  ),
];
const realForms: readonly Form[] = [
  ...['add', 'sub', 'mul', 'min', 'max'].flatMap((name) => same(name, reals, 2)),
  ...['add.sat', 'mul.sat', 'sub.sat'].flatMap((name) => same(name, ['f32'], 2)),
  ...same('div.rn', reals, 2),
  ...same('fma.rn', reals, 3),
  ...['neg', 'abs', 'sqrt.rn', 'rcp.rn'].flatMap((name) => same(name, reals, 1)),
  ...same('copysign', reals, 2),
  ...['rz', 'rm', 'rp'].flatMap((mode) => [
    ...['add', 'sub', 'mul', 'div'].flatMap((name) => same(`${name}.${mode}`, reals, 2)),
    ...same(`fma.${mode}`, reals, 3),
    ...['sqrt', 'rcp'].flatMap((name) => same(`${name}.${mode}`, reals, 1)),
    ...same(`add.${mode}.ftz`, ['f32'], 2),
    ...same(`mul.${mode}.sat`, ['f32'], 2),
  ]),
  ...['add', 'sub', 'mul', 'min', 'max', 'div.rn', 'min.NaN', 'max.NaN', 'div.full'].flatMap((name) =>
    same(name.endsWith('NaN') || name.endsWith('full') ? name : `${name}.ftz`, ['f32'], 2),
  ),
  ...same('fma.rn.ftz', ['f32'], 3),
  ...['neg.ftz', 'abs.ftz', 'sqrt.rn.ftz', 'rcp.rn.ftz', 'rcp.approx', 'sqrt.approx'].flatMap((name) =>
    same(name, ['f32'], 1),
  ),
  ...['ex2', 'lg2', 'sin', 'cos', 'tanh', 'rsqrt'].flatMap((name) => same(`${name}.approx`, ['f32'], 1)),
  ...reals.flatMap((type) =>
    ['finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal'].map(
      (what): Form => [`testp.${what}.${type}`, '?', type],
    ),
  ),
];
const conversions: readonly Form[] = [
  ...integers.flatMap((to) =>
    integers
      .filter((from) => from !== to)
      .flatMap((from): readonly Form[] => [
        [`cvt.${to}.${from}`, to, from],
        [`cvt.sat.${to}.${from}`, to, from],
      ]),
  ),
  ...['u8', 's8'].flatMap((to): readonly Form[] => [
    [`cvt.${to}.u32`, 'b32', 'u32'],
    [`cvt.sat.${to}.s32`, 'b32', 's32'],
  ]),
  ...['u8', 's8'].map((from): Form => [`cvt.s32.${from}`, 's32', 'b32']),
  ...reals.flatMap((from) =>
    integers.flatMap((to) =>
      ['rni', 'rzi', 'rmi', 'rpi'].map((mode): Form => [`cvt.${mode}.${to}.${from}`, to, from]),
    ),
  ),
  ...reals.flatMap((to) => integers.map((from): Form => [`cvt.rn.${to}.${from}`, to, from])),
  ['cvt.f64.f32', 'f64', 'f32'],
  ...['u', 's'].flatMap((sign): readonly Form[] => [
    [`cvt.pack.sat.${sign}16.s32`, 'b32', 's32', 's32'],
    [`cvt.pack.sat.${sign}8.s32.b32`, 'b32', 's32', 's32', 'b32'],
  ]),
  ...['rn', 'rz', 'rm', 'rp'].map((mode): Form => [`cvt.${mode}.f32.f64`, 'f32', 'f64']),
  ...reals.flatMap((type) =>
    ['rni', 'rzi', 'rmi', 'rpi'].map((mode): Form => [`cvt.${mode}.${type}.${type}`, type, type]),
  ),
];

/** All of them, by what they do. */
export const groups: readonly (readonly Form[])[] = [arithmetic, logic, choices, realForms, conversions];

/** Reals of 16 bits, one and two in a register. */
const halves = ['f16', 'bf16', 'f16x2', 'bf16x2'];
const ofHalf = (name: string, type: string, sources: number): Form => [
  `${name}.${type}`,
  type,
  ...new Array<string>(sources).fill(type),
];
const halfForms: readonly Form[] = [
  ...halves.flatMap((type) => [
    ...[
      'add',
      'sub',
      'mul',
      'add.rn',
      'min',
      'max',
      'min.NaN',
      'max.NaN',
      'min.xorsign.abs',
      'max.xorsign.abs',
    ].map((name) => ofHalf(name, type, 2)),
    ...['fma.rn', 'fma.rn.relu'].map((name) => ofHalf(name, type, 3)),
    ...['neg', 'abs', type.startsWith('b') ? 'ex2.approx.ftz' : 'ex2.approx', 'tanh.approx'].map((name) =>
      ofHalf(name, type, 1),
    ),
  ]),
  ...['f16', 'f16x2'].flatMap((type) => [
    ...[
      'add.ftz',
      'sub.ftz',
      'mul.ftz',
      'add.sat',
      'sub.sat',
      'mul.sat',
      'mul.ftz.sat',
      'min.ftz',
      'max.ftz',
      'min.ftz.NaN',
    ].map((name) => ofHalf(name, type, 2)),
    ...['fma.rn.ftz', 'fma.rn.sat', 'fma.rn.ftz.sat', 'fma.rn.ftz.relu'].map((name) => ofHalf(name, type, 3)),
    ...['neg.ftz', 'abs.ftz'].map((name) => ofHalf(name, type, 1)),
  ]),
];
const halfChoices: readonly Form[] = [...orders, ...unordered].flatMap((order): readonly Form[] => [
  ...['f16', 'bf16'].flatMap((type): readonly Form[] => [
    [`setp.${order}.${type}`, '?', type, type],
    [`set.${order}.${type}.${type}`, type, type, type],
    [`set.${order}.u32.${type}`, 'u32', type, type],
    [`setp.${order}.and.${type}`, '??', type, type, '?'],
  ]),
  ...['f16x2', 'bf16x2'].flatMap((type): readonly Form[] => [
    [`setp.${order}.${type}`, '??', type, type],
    [`set.${order}.${type}.${type}`, type, type, type],
    [`set.${order}.u32.${type}`, 'u32', type, type],
  ]),
  [`setp.${order}.ftz.f16`, '?', 'f16', 'f16'],
  [`setp.${order}.ftz.f32`, '?', 'f32', 'f32'],
  [`set.${order}.ftz.f32.f32`, 'f32', 'f32', 'f32'],
]);
const realModes = ['rn', 'rz', 'rm', 'rp'];
const smallConversions: readonly Form[] = [
  ...['f16', 'bf16'].flatMap((to): readonly Form[] => [
    // From .f64 what is no number keeps its bits, which a plain number does not: answers of a GPU judge that.
    ...['f32', ...integers].flatMap((from) =>
      realModes.map((mode): Form => [`cvt.${mode}.${to}.${from}`, to, from]),
    ),
    ...['relu', 'satfinite', 'relu.satfinite'].flatMap((word) =>
      ['rn', 'rz'].map((mode): Form => [`cvt.${mode}.${word}.${to}.f32`, to, 'f32']),
    ),
    [`cvt.f32.${to}`, 'f32', to],
    [`cvt.f64.${to}`, 'f64', to],
    ...['rni', 'rzi', 'rmi', 'rpi'].flatMap((mode) => [
      ...[...integers16, ...integers32].map((whole): Form => [`cvt.${mode}.${whole}.${to}`, whole, to]),
      [`cvt.${mode}.${to}.${to}`, to, to] as Form,
    ]),
  ]),
  ['cvt.rn.sat.f16.f32', 'f16', 'f32'],
  ['cvt.rn.ftz.f16.f32', 'f16', 'f32'],
  ['cvt.sat.f32.f16', 'f32', 'f16'],
  ...realModes.map((mode): Form => [`cvt.${mode}.bf16.f16`, 'bf16', 'f16']),
  ...['f16x2', 'bf16x2'].flatMap((to) =>
    ['rn', 'rz', 'rn.relu', 'rz.relu', 'rn.satfinite'].map(
      (word): Form => [`cvt.${word}.${to}.f32`, to, 'f32', 'f32'],
    ),
  ),
  ...['e4m3x2', 'e5m2x2'].flatMap((small): readonly Form[] => [
    [`cvt.rn.satfinite.${small}.f32`, small, 'f32', 'f32'],
    [`cvt.rn.satfinite.relu.${small}.f32`, small, 'f32', 'f32'],
    [`cvt.rn.satfinite.${small}.f16x2`, small, 'f16x2'],
    [`cvt.rn.satfinite.relu.${small}.f16x2`, small, 'f16x2'],
    [`cvt.rn.f16x2.${small}`, 'f16x2', small],
    [`cvt.rn.relu.f16x2.${small}`, 'f16x2', small],
  ]),
  ['cvt.rna.tf32.f32', 'b32', 'f32'],
];
const moreConversions: readonly Form[] = [
  ...reals.flatMap((to) =>
    integers.flatMap((from) => realModes.map((mode): Form => [`cvt.${mode}.${to}.${from}`, to, from])),
  ),
  ...integers.flatMap((from): readonly Form[] => [[`cvt.rn.sat.f32.${from}`, 'f32', from]]),
  ['cvt.sat.f32.f32', 'f32', 'f32'],
  ['cvt.ftz.f32.f32', 'f32', 'f32'],
  ['cvt.ftz.f64.f32', 'f64', 'f32'],
  ...realModes.flatMap((mode): readonly Form[] => [
    [`cvt.${mode}.ftz.f32.f64`, 'f32', 'f64'],
    [`cvt.${mode}.sat.f32.f64`, 'f32', 'f64'],
  ]),
  ...['rni', 'rzi', 'rmi', 'rpi'].flatMap((mode): readonly Form[] => [
    [`cvt.${mode}.ftz.s32.f32`, 's32', 'f32'],
    [`cvt.${mode}.sat.f32.f32`, 'f32', 'f32'],
  ]),
];
const pieces: readonly Form[] = [
  ...integers32.flatMap((a) =>
    integers32.flatMap((b): readonly Form[] => {
      const c = a === 's32' || b === 's32' ? 's32' : 'u32';
      return [
        [`dp4a.${a}.${b}`, c, a, b, c],
        [`dp2a.lo.${a}.${b}`, c, a, b, c],
        [`dp2a.hi.${a}.${b}`, c, a, b, c],
      ];
    }),
  ),
  ...['clamp', 'wrap'].flatMap((mode): readonly Form[] => [
    [`bmsk.${mode}.b32`, 'b32', 'n32', 'n32'],
    ...integers32.map((type): Form => [`szext.${mode}.${type}`, type, type, 'n32']),
  ]),
  ['fns.b32', 'b32', 'b32', '#', '='.concat('1')],
  ...['-3', '-1', '0', '2', '5'].map((offset): Form => ['fns.b32', 'b32', 'b32', `=${17}`, `=${offset}`]),
  ...['add', 'min', 'max'].flatMap((name) => same(name, ['u16x2', 's16x2'], 2)),
  ...['min.relu', 'max.relu'].flatMap((name) => same(name, ['s32', 's16x2'], 2)),
];
const partsOf = ['', '.h0', '.h1', '.b0', '.b1', '.b2', '.b3'];
/** One of these words each, so that all are met and the list stays short. */
const turned = <T>(all: readonly T[], at: number): T => all[at % all.length]!;
const video: readonly Form[] = [
  ...['add', 'sub', 'absdiff', 'min', 'max'].flatMap((what) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((at): readonly Form[] => {
      const [to, a, b] = [turned(integers32, at), turned(integers32, at >> 1), turned(integers32, at >> 2)];
      const types = `${to}.${a}.${b}`;
      const [pa, pb, pd] = [
        turned(partsOf, 3 * at),
        turned(partsOf, 5 * at + 1),
        turned(partsOf, at + 1) || '.b1',
      ];
      return [
        [`v${what}.${types}`, to, `${a}${pa}`, `${b}${pb}`],
        [`v${what}.${types}.sat`, to, `${a}${pb}`, `${b}${pa}`],
        [`v${what}.${types}.sat`, `${to}${pd}`, `${a}${pa}`, `${b}${pb}`, to],
        [`v${what}.${types}`, `${to}${pd}`, `${a}${pb}`, `${b}${pa}`, to],
        [`v${what}.${types}.${turned(['add', 'min', 'max'], at)}`, to, `${a}${pa}`, `${b}${pb}`, to],
      ];
    }),
  ),
  ...['shl', 'shr'].flatMap((what) =>
    [0, 1, 2, 3].flatMap((at): readonly Form[] => {
      const [to, a] = [turned(integers32, at), turned(integers32, at >> 1)];
      const [pa, pb] = [turned(partsOf, 3 * at), turned(['', '.b0', '.h0'], at)];
      return ['clamp', 'wrap'].flatMap((mode): readonly Form[] => [
        [`v${what}.${to}.${a}.u32.${mode}`, to, `${a}${pa}`, `n32${pb}`],
        [`v${what}.${to}.${a}.u32.sat.${mode}.add`, to, `${a}${pa}`, `n32${pb}`, to],
      ]);
    }),
  ),
  ...orders.flatMap((order, at): readonly Form[] => [
    [
      `vset.${turned(integers32, at)}.${turned(integers32, at >> 1)}.${order}`,
      'u32',
      `u32${turned(partsOf, at)}`,
      `u32${turned(partsOf, at + 3)}`,
    ],
    [
      `vset.s32.u32.${order}.add`,
      'u32',
      `u32${turned(partsOf, at + 1)}`,
      `u32${turned(partsOf, at + 2)}`,
      'u32',
    ],
    [`vset2.${turned(integers32, at)}.${turned(integers32, at >> 1)}.${order}`, 'u32', 'u32', 'u32', 'u32'],
    [
      `vset4.${turned(integers32, at)}.${turned(integers32, at >> 1)}.${order}.add`,
      'u32',
      'u32',
      'u32',
      'u32',
    ],
  ]),
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((at): readonly Form[] => {
    const [to, a, b] = [turned(integers32, at), turned(integers32, at >> 1), turned(integers32, at >> 2)];
    const types = `${to}.${a}.${b}`;
    const [pa, pb] = [turned(partsOf, 3 * at), turned(partsOf, 5 * at + 1)];
    return [
      ...['', '.shr7', '.shr15', '.sat', '.sat.shr7', '.po'].map(
        (word): Form => [`vmad.${types}${word}`, to, `${a}${pa}`, `${b}${pb}`, to],
      ),
      ...['add', 'sub', 'avrg', 'absdiff', 'min', 'max'].flatMap((what) =>
        ['2', '4'].flatMap((count) =>
          ['', '.sat', '.add'].map((word): Form => [`v${what}${count}.${types}${word}`, to, a, b, to]),
        ),
      ),
    ];
  }),
];

/** What works on parts of registers. */
export const smallGroups: readonly (readonly Form[])[] = [
  halfForms,
  halfChoices,
  smallConversions,
  moreConversions,
  pieces,
  video,
];

/** What lanes do together, all of them. */
export const exchanges: readonly Form[] = [
  ...['any', 'all', 'uni'].map((mode): Form => [`vote.sync.${mode}.pred`, '?', '?', '=-1']),
  ['vote.sync.ballot.b32', 'b32', '?', '=-1'],
  ...['up', 'down', 'bfly', 'idx'].flatMap((mode): readonly Form[] => [
    [`shfl.sync.${mode}.b32`, 'b32', 'b32', '#', mode === 'up' ? '=0' : '=31', '=-1'],
    [`shfl.sync.${mode}.b32`, 'b32', 'b32', 'n32', mode === 'up' ? '=6144' : '=6175', '=-1'],
    [`shfl.sync.${mode}.b32`, 'b32', 'b32', 'n32', mode === 'up' ? '=7171' : '=7171', '=-1'],
  ]),
  ['match.any.sync.b32', 'b32', 'b32', '=-1'],
  ['match.any.sync.b64', 'b32', 'b64', '=-1'],
  ['match.all.sync.b32', 'b32', 'n32', '=-1'],
  ['match.all.sync.b64', 'b32', 'b64', '=-1'],
  ...['add', 'min', 'max'].flatMap((what) =>
    integers32.map((type): Form => [`redux.sync.${what}.${type}`, type, type, '=-1']),
  ),
  ...['and', 'or', 'xor'].map((what): Form => [`redux.sync.${what}.b32`, 'b32', 'b32', '=-1']),
];

/** Products of matrices by all lanes. */
export const matrices: readonly Form[] = [
  ...['f16', 'bf16'].flatMap((type) =>
    (type === 'f16' ? ['f32', 'f16'] : ['f32']).flatMap((sum): readonly Form[] => {
      const c = sum === 'f32' ? '4f32' : '2f16x2';
      return [
        [`mma.sync.aligned.m16n8k8.row.col.${sum}.${type}.${type}.${sum}`, c, `2${type}x2`, `1${type}x2`, c],
        [`mma.sync.aligned.m16n8k16.row.col.${sum}.${type}.${type}.${sum}`, c, `4${type}x2`, `2${type}x2`, c],
      ];
    }),
  ),
  ['mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32', '4f32', '2tf32', '1tf32', '4f32'],
  ['mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32', '4f32', '4tf32', '2tf32', '4f32'],
  ...['e4m3', 'e5m2'].flatMap((a) =>
    ['e4m3', 'e5m2'].flatMap((b) =>
      ['f32', 'f16'].flatMap((sum): readonly Form[] => {
        const c = sum === 'f32' ? '4f32' : '2f16x2';
        const types = `${sum}.${a}.${b}.${sum}`;
        return [
          [`mma.sync.aligned.m16n8k16.row.col.${types}`, c, '2b32', '1b32', c],
          [`mma.sync.aligned.m16n8k32.row.col.${types}`, c, '4b32', '2b32', c],
          [`mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.${types}`, c, '4b32', '2b32', c],
        ];
      }),
    ),
  ),
  ...['s4.s4', 's4.u4', 'u4.s4', 'u4.u4', 'b1.b1'].flatMap((types) =>
    (types === 'b1.b1' ? ['.xor.popc', '.and.popc'] : ['']).flatMap((what): readonly Form[] => {
      const [short, long] = types === 'b1.b1' ? [128, 256] : [32, 64];
      const form = (shape: string) => `mma.sync.aligned.${shape}.row.col.s32.${types}.s32${what}`;
      return [
        [form(`m8n8k${short}`), '2b32', '1b32', '1b32', '2b32'],
        [form(`m16n8k${short}`), '4b32', '2b32', '1b32', '4b32'],
        [form(`m16n8k${long}`), '4b32', '4b32', '2b32', '4b32'],
      ];
    }),
  ),
  ...['s8', 'u8'].flatMap((a) =>
    ['s8', 'u8'].flatMap((b) =>
      ['', '.satfinite'].flatMap((word): readonly Form[] => {
        const types = `s32.${a}.${b}.s32`;
        return [
          [`mma.sync.aligned.m8n8k16.row.col${word}.${types}`, '2b32', '1b32', '1b32', '2b32'],
          [`mma.sync.aligned.m16n8k16.row.col${word}.${types}`, '4b32', '2b32', '1b32', '4b32'],
          [`mma.sync.aligned.m16n8k32.row.col${word}.${types}`, '4b32', '4b32', '2b32', '4b32'],
        ];
      }),
    ),
  ),
];
