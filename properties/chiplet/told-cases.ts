import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { fourWordKernel } from '../../machines/chiplet/four-word-kernel.ts';
import { type GpuCase, runCase } from '../../machines/chiplet/gpu-case.ts';
import type { CaseTexture } from '../../machines/chiplet/gpu-case-textures.ts';
import { timedCase } from '../../machines/chiplet/gpu-case-timed.ts';
import { h100Cold, h100Warm } from '../../machines/chiplet/h100-timing.ts';
import { besideScenario } from '../beside-scenario.ts';
import { Draws } from './draws.ts';
import { bitsOfNumber, numberOfBits } from './plain/plain-small-reals.ts';

/*
 * Launches with what no host of a system hands to kernels, or that go wrong: textures, surfaces, printf, messages of each lane, accesses that cannot be, launches that are refused. What each leaves
 * or says is worked out here by what the CUDA programming guide, the PTX ISA and the chiplet specification say of it.
 */

/** What a launch is, and what it leaves or says. */
export interface ToldCase {
  readonly head?: string;
  /** Parameters behind `in` and `out`. */
  readonly parameters?: string;
  readonly body: string;
  /** Words of `in`, four a thread. */
  readonly rows: readonly (readonly number[])[];
  readonly given?: Partial<GpuCase>;
  readonly params?: GpuCase['params'];
  /** Words of `out`, four a thread; those that are absent are not looked at. */
  readonly leaves?: readonly (readonly number[])[];
  /** What another buffer holds afterwards. */
  readonly buffer?: readonly [name: string, data: readonly number[]];
  readonly prints?: readonly string[];
  readonly sent?: readonly object[];
  /** How the launch, or what the kernel does, is refused: a part of the text. */
  readonly refused?: string;
  /** The thread that goes wrong. */
  readonly thread?: number;
  /** A launch that is carried out without timing only, in order; and after how many instructions it is stopped. */
  readonly untimed?: { readonly stepsMost?: number };
  /** A digest of all words of `out`, in place of the words. */
  readonly digest?: number;
  readonly compiled?: CompileOptions;
}

type Make = (draws: Draws) => ToldCase;

const bitsOf = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Halves and what they are. */
const halves = [
  [0x3c00, 1],
  [0xbc00, -1],
  [0x3e00, 1.5],
  [0, 0],
  [0x4900, 10],
  [0x3400, 0.25],
] as const;
const largest: Readonly<Record<string, number>> = { u8: 255, s8: 127, u16: 65_535, s16: 32_767 };
const channels = ['u8', 's8', 'u16', 's16', 'u32', 's32', 'f16', 'f32'] as const;

/** Texels of an image, some bytes between its rows. */
function imageOf(draws: Draws, width: number, height: number, depth: number, real: boolean) {
  const channel = draws.pick(
    real ? (['f32', 'f32', 'f16', 'u8', 's8', 'u16', 's16'] as const) : channels.slice(0, 6),
  );
  const count = draws.pick([1, 2, 4] as const);
  const asReals = real && channel in largest;
  const bytes = Number(channel.slice(1)) / 8;
  const pitch = width * count + draws.below(3) * count;
  const raw = range(pitch * height * depth).map(() => {
    if (channel === 'f16') return draws.below(halves.length);
    if (channel[0] === 'u') return draws.below(Math.min(99_999, 256 ** bytes));
    return draws.below(200) - 100;
  });
  const image: CaseTexture = {
    ...{ buffer: 'texels', channel, channels: count, width, height, depth, asReals, rowBytes: pitch * bytes },
  };
  const type = channel === 'f16' ? 'u16' : channel;
  const data = channel === 'f16' ? raw.map((at) => halves[at]![0]) : raw;
  const value = (stored: number): number => {
    if (channel === 'f16') return halves[stored]![1];
    return asReals ? Math.max(-1, stored / largest[channel]!) : stored;
  };
  return {
    image,
    buffers: { texels: { type, data } },
    texel: (x: number, y: number, z: number): readonly number[] =>
      range(4).map((at) => (at < count ? value(raw[(z * height + y) * pitch + x * count + at]!) : 0)),
  };
}

/** A whole place brought into a row, step by step; -1 where the border is. */
function inside(at: number, count: number, addressing: string): number {
  if (addressing === 'border') return at >= 0 && at < count ? at : -1;
  if (addressing === 'clamp') return at < 0 ? 0 : at < count ? at : count - 1;
  let place = at;
  while (place < 0 || place >= count) {
    if (addressing === 'wrap') place += place < 0 ? count : -count;
    else place = place < 0 ? -1 - place : 2 * count - 1 - place;
  }
  return place;
}

/** Faces of a cube: which of x, y, z (1 to 3, or their negatives) leads across and down. */
const faces = [
  [-3, -2],
  [3, -2],
  [1, 3],
  [1, -3],
  [1, -2],
  [-1, -2],
] as const;

/** What a linear filter gives: as many bits as a GPU has for these texels. */
function asFiltered({ channel, asReals }: Pick<CaseTexture, 'channel' | 'asReals'>, value: number): number {
  if (channel === 'f16') return numberOfBits('f16', bitsOfNumber('f16', value));
  const most = channel === 'u8' ? 65535 : 32767;
  return asReals && (channel === 'u8' || channel === 's8') ? Math.floor(value * most + 0.5) / most : value;
}

/** A read of a texture by its coordinates. */
const texture: Make = (draws) => {
  const geometry = draws.pick(['1d', '2d', '2d', '3d', 'a1d', 'a2d', 'cube', 'acube', 'a2d', '2d']);
  const cube = geometry.endsWith('cube');
  const dimensions = cube ? 2 : Number(/\d/.exec(geometry)![0]);
  const layered = geometry.startsWith('a') || cube;
  const width = 1 + draws.below(5);
  const height = cube ? width : dimensions > 1 ? 1 + draws.below(4) : 1;
  const depth = cube ? 12 : dimensions > 2 || layered ? 1 + draws.below(3) : 1;
  const real = draws.below(3) > 0;
  const { image, buffers, texel } = imageOf(draws, width, height, depth, real);
  const whole = !cube && draws.once(4);
  const gathers = (geometry === '2d' || geometry === 'a2d') && !whole && draws.once(3);
  const sampler = {
    addressing: draws.pick(['clamp', 'border', 'wrap', 'mirror'] as const),
    filter: real && !cube && draws.once(2) ? ('linear' as const) : ('point' as const),
    normalized: cube || draws.once(2),
  };
  const own = draws.once(3);
  const type = real ? 'f32' : draws.pick(['u32', 's32']);
  const channel = draws.below(4);
  const used = dimensions + (layered ? 1 : 0);
  const names = whole ? '%x' : '%f';
  const place = cube
    ? geometry === 'cube'
      ? '{%f0, %f1, %f2, %f2}'
      : '{%x3, %f0, %f1, %f2}'
    : `{${[...(layered ? ['%x3'] : []), ...range(dimensions).map((at) => `${names}${at}`), ...(used === 3 ? [`${names}0`] : [])].join(', ')}}`;
  const handle = draws.pick(['%tex', 'image', 'given']);
  const level = gathers ? '' : draws.pick(['', '', '.level', '.base', '.grad']);
  const name = gathers ? `tld4.${'rgba'[channel]}` : `tex${level}`;
  const behind = level === '.level' ? ', %f3' : level === '.grad' ? ', {%f0, %f1}, {%f2, %f3}' : '';
  const registers = real ? '%v' : '%r';
  const line = `${name}.${geometry}.v4.${type}.${whole ? 's32' : 'f32'} {${range(4)
    .map((at) => `${registers}${at}`)
    .join(', ')}}, [${handle}, ${own ? 'smooth, ' : ''}${place}]${behind};`;
  const rows = range(1 + draws.below(6)).map(() => {
    const layer = draws.pick([0, 1, 2, 7]);
    if (cube) {
      const [x, y, z] = [1, 2, 3].map((size) => (size + 3 * draws.below(4)) * (draws.once(2) ? 1 : -1));
      return [x!, y!, z!, geometry === 'cube' ? 0 : draws.below(2)];
    }
    if (whole) return [...range(3).map(() => draws.below(16) - 5), layer];
    return [...range(3).map(() => (draws.below(12_000) - 6000) / 1024 + 1 / 4096), layer];
  });
  const inMemory = whole && geometry === '1d';
  const kept =
    (sampler.normalized && !whole) || sampler.addressing === 'border' ? sampler.addressing : 'clamp';
  // Whole places in one direction are for plain memory, which has zeros beyond its ends.
  const addressing = inMemory ? 'border' : kept;
  const expected = (row: readonly number[]): readonly number[] => {
    const counts = [width, height, depth];
    let at: readonly number[] = row.slice(0, 3);
    let layer = Math.min(row[3]!, depth - 1);
    if (cube) {
      const sizes = at.map(Math.abs);
      const axis = sizes.indexOf(Math.max(...sizes));
      const face = 2 * axis + (at[axis]! < 0 ? 1 : 0);
      at = faces[face]!.map((one) => ((Math.sign(one) * row[Math.abs(one) - 1]!) / sizes[axis]! + 1) / 2);
      layer = 6 * row[3]! + face;
    }
    const linear = (sampler.filter === 'linear' || gathers) && !whole;
    const spots = range(3).map((axis): readonly (readonly [number, number])[] => {
      if (axis >= dimensions) return [[axis === 2 && layered ? layer : 0, 1]];
      const on = whole ? at[axis]! : at[axis]! * (sampler.normalized ? counts[axis]! : 1);
      const lies = (one: number): number => inside(one, counts[axis]!, addressing);
      if (!linear) return [[lies(Math.floor(on)), 1]];
      const first = Math.floor(on - 0.5);
      const share = Math.round((on - 0.5 - first) * 256) / 256;
      return [
        [lies(first), 1 - share],
        [lies(first + 1), share],
      ];
    });
    const read = (x: number, y: number, z: number): readonly number[] =>
      Math.min(x, y, z) < 0 ? [0, 0, 0, 0] : texel(x, y, z);
    const [xs, ys, zs] = spots as [(typeof spots)[0], (typeof spots)[0], (typeof spots)[0]];
    if (gathers)
      return [
        [0, 1],
        [1, 1],
        [1, 0],
        [0, 0],
      ].map(([x, y]) => read(xs[x!]![0], ys[y!]![0], zs[0]![0])[channel]!);
    const sum = [0, 0, 0, 0];
    const flat = linear && dimensions === 2;
    // In a plane the share of the texel beyond in both directions is a whole 256th, and the others follow, as a GPU answered.
    const both = flat ? Math.floor(xs[1]![1] * ys[1]![1] * 256 + 0.5) / 256 : 0;
    const shares = flat
      ? [
          [1 - xs[1]![1] - ys[1]![1] + both, ys[1]![1] - both],
          [xs[1]![1] - both, both],
        ]
      : xs.map(([, a]) => ys.map(([, b]) => a * b));
    for (const [i, [x]] of xs.entries())
      for (const [j, [y]] of ys.entries())
        for (const [z, c] of zs)
          for (const [k, one] of read(x, y, z).entries()) sum[k]! += shares[i]![j]! * c * one;
    return linear ? sum.map((one) => asFiltered(image, one)) : sum;
  };
  return {
    head: '.global .texref image;\n.global .samplerref smooth;',
    parameters: '.param .u64 handle, .param .texref given',
    body: `ld.param.u64 %tex, [handle]; ${line} ${
      real
        ? range(4)
            .map((at) => `mov.b32 %r${at}, %v${at};`)
            .join(' ')
        : ''
    }`,
    rows: rows.map((row) => [...row.slice(0, 3).map((one) => (whole ? one : bitsOf(one))), row[3]!]),
    given: {
      buffers,
      textures: { image: { ...image, ...(own ? {} : sampler) } },
      ...(own && { samplers: { smooth: sampler } }),
    },
    params: [{ texture: 'image' }, { texture: 'image' }],
    leaves: rows.map((row) => expected(row).map((one) => (real ? bitsOf(one) : one >>> 0))),
  };
};

/** A read or write of the bytes of a surface, and what it is asked of itself. */
const surface: Make = (draws) => {
  const geometry = draws.pick(['1d', '2d', '3d', 'a1d', 'a2d']);
  const dimensions = Number(/\d/.exec(geometry)![0]);
  const layered = geometry.startsWith('a');
  const [width, height, depth] = [
    2 + 2 * draws.below(2),
    dimensions > 1 ? 1 + draws.below(3) : 1,
    dimensions > 2 || layered ? 1 + draws.below(3) : 1,
  ];
  const [texelBytes, pitch] = [4, 4 * width + 16 * draws.below(2)];
  const data = range(pitch * height * depth + 8).map(() => draws.below(256));
  const size = draws.pick([1, 2, 4, 8]);
  const count = size < 8 ? draws.pick([1, 2, 4].filter((one) => one * size <= 8)) : 1;
  const bytes = size * count;
  const bound = draws.pick(['trap', 'clamp', 'zero']);
  const stores = draws.once(2);
  const used = dimensions + (layered ? 1 : 0);
  const letters = { 1: '%h', 2: '%h', 4: '%r', 8: '%l' }[size]!;
  const names = range(count).map((at) => `${letters}${at}`);
  const value =
    names.length === 1 && draws.once(2)
      ? `{${names[0]}}`
      : names.length === 1
        ? names[0]!
        : `{${names.join(', ')}}`;
  const place = `{${[...(layered ? ['%x2'] : []), ...range(dimensions).map((at) => `%x${at}`), ...(used === 3 ? ['%x0'] : [])].join(', ')}}`;
  const form = `b.${geometry}${count > 1 ? `.v${count}` : ''}.b${8 * size}.${bound}`;
  const most = [texelBytes * width - bytes, height - 1, depth - 1];
  const row = [
    bytes * draws.below(Math.ceil((texelBytes * width + 4) / bytes)) - (draws.once(6) ? bytes : 0),
    draws.below(dimensions > 1 ? height + 1 : 1),
    draws.below(dimensions > 2 || layered ? depth + 1 : 1),
  ];
  const there = row.every((one, at) => one >= 0 && one <= most[at]!);
  const near = row.map((one, at) => Math.min(Math.max(one, 0), most[at]!));
  const first = pitch * (near[2]! * height + near[1]!) + near[0]!;
  // Registers of 8 and 16 bits go through one of 64.
  const fill =
    size === 8
      ? 'mov.u64 %l0, 0x8877665544332211;'
      : range(count)
          .map((at) =>
            size === 4 ? `mov.u32 %r${at}, ${0x1234_5678 + at};` : `mov.u16 %h${at}, ${0x4b3a + at};`,
          )
          .join(' ');
  const written =
    size === 8
      ? [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
      : range(count).flatMap((at) =>
          range(size).map((byte) => (((size === 4 ? 0x1234_5678 : 0x4b3a) + at) >> (8 * byte)) & 255),
        );
  const keep =
    size === 8
      ? 'mov.b64 {%r0, %r1}, %l0;'
      : size === 4
        ? ''
        : names.map((one, at) => `cvt.u32.u16 %r${at}, ${one};`).join(' ');
  const stays = bound === 'trap' && !there;
  const nothing = bound === 'zero' && !there;
  const read = range(bytes).map((at) => (nothing ? 0 : data[first + at]!));
  const words =
    size === 8
      ? [0, 4].map((at) => [read[at]!, read[at + 1]!, read[at + 2]!, read[at + 3]!])
      : range(count).map((at) => read.slice(at * size, (at + 1) * size));
  const changed = data.map((one, at) =>
    !nothing && at >= first && at < first + bytes ? written[at - first]! : one,
  );
  const facts = ['width', 'height'];
  return {
    parameters: '.param .u64 handle',
    body: `ld.param.u64 %tex, [handle]; suq.${facts[0]}.b32 %r2, [%tex]; txq.${facts[1]}.b32 %r3, [%tex]; ${
      stores
        ? `${fill} sust.${form} [%tex, ${place}], ${value};`
        : `suld.${form} ${value}, [%tex, ${place}]; ${keep}`
    }`,
    rows: [row],
    given: {
      buffers: { texels: { type: 'u8', data } },
      textures: {
        image: { buffer: 'texels', channel: 'u8', channels: 4, width, height, depth, rowBytes: pitch },
      },
    },
    params: [{ texture: 'image' }],
    ...(stays
      ? {
          refused: `E-MEM found an access of ${bytes} bytes at (${row.join(', ')}) of a surface, expected coordinates of at most (${most.join(', ')})`,
        }
      : stores
        ? { buffer: ['texels', changed] as const }
        : {
            leaves: [
              words
                .map((one) => one.reduce((sum, byte, at) => sum + byte * 256 ** at, 0))
                .concat(
                  count < 3 && size < 8
                    ? [...range(2 - count).map(() => 0), width, height]
                    : count < 3
                      ? [width, height]
                      : [],
                ),
            ],
          }),
  };
};

/** What a texture or surface says of itself. */
const facts: Make = (draws) => {
  const [width, height, depth] = [1 + draws.below(6), 1 + draws.below(3), 1 + draws.below(3)];
  const [count, normalized] = [draws.pick([1, 2, 4] as const), draws.once(2)];
  const answers = {
    width,
    height,
    depth,
    array_size: depth,
    channel_count: count,
    normalized_coords: Number(normalized),
  };
  const asked = range(4).map(() => draws.pick(Object.keys(answers) as (keyof typeof answers)[]));
  const handles = asked.map(() => draws.pick(['%tex', 'image', 'given']));
  return {
    head: '.global .surfref image;',
    parameters: '.param .u64 handle, .param .surfref given',
    body: `ld.param.u64 %tex, [handle]; ${asked.map((one, at) => `${draws.pick(['txq', 'suq'])}.${one}.b32 %r${at}, [${handles[at]}];`).join(' ')}`,
    rows: [[0]],
    given: {
      buffers: { texels: { type: 'u8', data: range(width * height * depth * count) } },
      textures: {
        image: { buffer: 'texels', channel: 'u8', channels: count, width, height, depth, normalized },
      },
    },
    params: [{ texture: 'image' }, { texture: 'image' }],
    leaves: [asked.map((one) => answers[one])],
  };
};

/** Textures that are bound wrongly, and reads of them that cannot be. */
const wrongTexture: Make = (draws) => {
  const image = { buffer: 'texels', channel: 'u32', width: 2 } as const;
  const read = 'tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0}];';
  const [made, line, refused] = draws.pick<readonly [CaseTexture, string, string]>([
    [
      image,
      `mov.u64 %tex, 64; ${read}`,
      'E-MEM found the handle 0x40, expected that of a texture or surface',
    ],
    [
      image,
      read,
      'found a read of reals from a texture that gives integers, expected the type of its texels',
    ],
    [
      { ...image, channel: 'f32' },
      read.replaceAll('%v', '%r').replace('f32', 'u32'),
      'found a read of integers from a texture that gives reals',
    ],
    [image, 'tex.1d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%tex, %tex, {%f0}];', 'expected that of a sampler'],
    [image, 'suld.b.1d.b32.trap {%r0}, [%tex, {2}];', 'expected a multiple of its 4 bytes'],
    [
      image,
      'suld.b.1d.b32.trap {%r0}, [%tex, {8}];',
      'found an access of 4 bytes at (8, 0, 0) of a surface, expected coordinates of at most (4, 0, 0)',
    ],
    [
      { ...image, width: 3 },
      read,
      'found 8 bytes in rows of 12 for the texture image, expected at least 12 in rows of at least 12',
    ],
    [
      { ...image, rowBytes: 4 },
      read,
      'in rows of 4 for the texture image, expected at least 8 in rows of at least 8',
    ],
    [{ ...image, height: 2 }, read, 'found 8 bytes in rows of 8 for the texture image, expected at least 16'],
    [{ ...image, filter: 'linear' }, read, 'found a linear filter for the texture image of integers'],
    [{ ...image, asReals: true }, read, 'found channels of u32 for the texture image that is read as reals'],
    [{ ...image, buffer: 'pixels' }, read, 'found the buffer "pixels" for a texture'],
  ]);
  return {
    parameters: '.param .u64 handle',
    body: `ld.param.u64 %tex, [handle]; ${line}`,
    rows: [[0]],
    given: { buffers: { texels: { type: 'u32', data: [1, 2] } }, textures: { image: made } },
    params: [{ texture: 'image' }],
    refused,
  };
};

/** Digits of a whole number, as many as asked for. */
const digitsOf = (value: bigint, base: number, least: number): string => {
  let text = '';
  for (let rest = value; rest > 0n; rest /= BigInt(base))
    text = '0123456789abcdef'[Number(rest % BigInt(base))]! + text;
  return value === 0n && least < 0 ? '0' : text.padStart(Math.max(0, least), '0');
};

/** One conversion of printf, what it takes, and what it writes (C standard, fprintf). */
function conversionOf(draws: Draws): readonly [format: string, store: string, bytes: 4 | 8, text: string] {
  const kind = draws.pick(['d', 'i', 'u', 'x', 'X', 'o', 'c', 's', 'f', 'e', 'g', 'p', 'E', 'd', 'x']);
  const real = 'feEg'.includes(kind);
  const plain = 'csp'.includes(kind);
  const flags = plain
    ? draws.pick(['', '-'])
    : draws.pick(['', '-', '0', '+', ' ', '#', '+0']).replace('#', 'xX'.includes(kind) ? '#' : '');
  const width = draws.pick(['', '', '3', '12']);
  const precision =
    kind === 'c' || kind === 'p' || (flags.includes('0') && !real) ? '' : draws.pick(['', '', '.2', '.5']);
  const long = !real && !plain && draws.once(3);
  const format = `%${flags}${width}${precision}${long ? draws.pick(['ll', 'l']) : ''}${kind}`;
  const most = precision === '' ? -1 : Number(precision.slice(1));
  let [text, sign, store, bytes]: [string, string, string, 4 | 8] = ['', '', '', 8];
  if (kind === 'c') [text, store, bytes] = ['Q', 'st.local.u32 [@], 81;', 4];
  else if (kind === 's')
    [text, store] = [
      'lattice'.slice(0, most < 0 ? 99 : most),
      'mov.u64 %l1, word; cvta.global.u64 %l1, %l1; st.local.u64 [@], %l1;',
    ];
  else if (kind === 'p') [text, store] = ['0x2f00', 'st.local.u64 [@], 12032;'];
  else if (real) {
    const [value, fixed, short] = draws.pick([
      [
        1234.5,
        { 6: '1234.500000', 2: '1234.50', 5: '1234.50000' },
        { 6: '1234.5', 2: '1.2e+03', 5: '1234.5' },
      ],
      [-0.03125, { 6: '0.031250', 2: '0.03', 5: '0.03125' }, { 6: '0.03125', 2: '0.031', 5: '0.03125' }],
      [-2, { 6: '2.000000', 2: '2.00', 5: '2.00000' }, { 6: '2', 2: '2', 5: '2' }],
      [
        0.0000152587890625,
        { 6: '0.000015', 2: '0.00', 5: '0.00002' },
        { 6: '1.52588e-05', 2: '1.5e-05', 5: '1.5259e-05' },
      ],
    ] as const);
    const powers = {
      1234.5: ['1.234500', '1.23', '1.23450', 'e+03'],
      [-0.03125]: ['3.125000', '3.12', '3.12500', 'e-02'],
      [-2]: ['2.000000', '2.00', '2.00000', 'e+00'],
      0.0000152587890625: ['1.525879', '1.53', '1.52588', 'e-05'],
    } as const;
    const which = most < 0 ? 6 : (most as 2 | 5);
    const [six, two, five, tail] = powers[value];
    text =
      kind === 'f' ? fixed[which] : kind === 'g' ? short[which] : { 6: six, 2: two, 5: five }[which] + tail;
    if (kind === 'E') text = text.toUpperCase();
    sign = value < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
    store = `st.local.f64 [@], 0d${bitsOfWide(value)};`;
  } else {
    const value = draws.pick([0n, 7n, -1n, -77n, 255n, long ? -5_000_000_000n : -500_000n]);
    bytes = long ? 8 : 4;
    store = `st.local.s${8 * bytes} [@], ${value};`;
    if ('di'.includes(kind)) {
      text = digitsOf(value < 0n ? -value : value, 10, most);
      sign = value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
    } else {
      const whole = BigInt.asUintN(8 * bytes, value);
      text = digitsOf(whole, { u: 10, o: 8 }[kind as 'u'] ?? 16, most);
      if (kind === 'X') text = text.toUpperCase();
      if (flags.includes('#') && whole !== 0n) sign = kind === 'X' ? '0X' : '0x';
    }
  }
  if (text === '' && 'diuxXo'.includes(kind)) text = '0'.repeat(Math.max(most, 1));
  const size = Number(width);
  const zeros = flags.includes('0') ? Math.max(0, size - sign.length - text.length) : 0;
  const body = sign + '0'.repeat(zeros) + text;
  return [format, store, bytes, flags.includes('-') ? body.padEnd(size) : body.padStart(size)];
}

/** The bits of a real as 16 digits. */
const bitsOfWide = (value: number): string =>
  new BigUint64Array(new Float64Array([value]).buffer)[0]!.toString(16).padStart(16, '0');

const bytesOfText = (text: string): string => [...text, '\0'].map((one) => one.charCodeAt(0)).join(', ');

/** What a kernel prints. */
const printed: Make = (draws) => {
  const all = range(1 + draws.below(5)).map(() => conversionOf(draws));
  let at = 0;
  const stores = all.map(([, store, bytes]) => {
    at = Math.ceil(at / bytes) * bytes;
    const line = store.replace('@', `values+${at}`);
    at += bytes;
    return line;
  });
  const format = `${all.map(([one]) => one).join('|')}%%\n`;
  const text = `${all.map(([, , , one]) => one).join('|')}%\n`;
  const threads = 1 + draws.below(3);
  return {
    head: `.global .align 8 .b8 format[${format.length + 1}] = {${bytesOfText(format)}};\n.global .align 8 .b8 word[8] = {${bytesOfText('lattice')}};\n.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);`,
    body: `.local .align 8 .b8 values[64]; ${stores.join(' ')} .param .b64 f; .param .b64 v; .param .b32 r; mov.u64 %l2, format; cvta.global.u64 %l2, %l2; mov.u64 %l3, values; cvta.local.u64 %l3, %l3;
st.param.b64 [f], %l2; st.param.b64 [v], %l3; call.uni (r), vprintf, (f, v); ld.param.b32 %r0, [r];`,
    rows: range(threads).map(() => [0]),
    leaves: range(threads).map(() => [all.length]),
    prints: range(threads).map(() => text),
  };
};

/** What stops a kernel. */
const stopped: Make = (draws) => {
  const thread = draws.below(40);
  const size = draws.pick([1, 2, 4, 8]);
  const [letter, type] = (
    { 1: ['%h0', 'u8'], 2: ['%h0', 'u16'], 4: ['%r0', 'u32'], 8: ['%l0', 'u64'] } as const
  )[size as 4];
  const access = (space: string, address: string): string =>
    draws.pick([
      `ld.${space}.${type} ${letter}, [${address}];`,
      `st.${space}.${type} [${address}], ${letter};`,
    ]);
  const at = (space: string, bytes: number, place: string): string =>
    `E-MEM found an access of ${bytes} bytes at ${place}, expected one within ${space}`;
  const assertion =
    '.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);';
  const text = (name: string, of: string): string =>
    `.global .align 1 .b8 ${name}[${of.length + 1}] = {${bytesOfText(of)}};`;
  const [line, refused, head = ''] = draws.pick<readonly [string, string, string?]>([
    ['trap;', 'E-TRAP found the end of all work'],
    [`mov.u64 %l1, 16; ${access('global', '%l1')}`, at('an allocation', size, '0x10')],
    [`.shared .align 8 .b8 box[32]; ${access('shared', 'box+32')}`, at('shared memory', size, '0x20')],
    [
      `.shared .align 8 .b8 box[32]; mov.u32 %r1, box; ${access('shared', '%r1+-8')}`,
      at('shared memory', size, '0xfffffff8'),
    ],
    [
      `.local .align 8 .b8 own[16]; mov.u64 %l1, own; ${access('local', '%l1+16')}`,
      at('local memory', size, '0x10'),
    ],
    [
      `.shared .align 8 .b8 box[32]; mov.u32 %r1, box; st.shared.u32 [%r1+6], %r1;`,
      'E-MEM found an access at 0x6, expected a multiple of its 4 bytes',
    ],
    [`atom.global.add.u32 %r1, [%out+2], 1;`, 'expected a multiple of its 4 bytes'],
    [`mov.u64 %l1, 32; atom.global.add.u64 %l0, [%l1], %l1;`, at('an allocation', 8, '0x20')],
    [
      `mov.u64 %l1, what; cvta.global.u64 %l1, %l1; { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 c; st.param.b64 [m], %l1; st.param.b64 [f], %l1; st.param.b32 [l], 12; st.param.b64 [n], %l1; st.param.b64 [c], 1; call.uni __assertfail, (m, f, l, n, c); }`,
      'E-ASSERT k < 2:12: k < 2: Assertion `k < 2` failed',
      `${text('what', 'k < 2')}\n${assertion}`,
    ],
    [
      '{ .param .b64 p; st.param.b64 [p], 4096; call.uni free, (p); }',
      'expected one within the heap',
      '.extern .func free(.param .b64 p);',
    ],
    [
      'mov.u64 %l1, 4; { .param .b32 r; look: .callprototype (.param .b32 _) _ (); call (r), %l1, (), look; }',
      'E-MEM found a call of 0x4, expected the address of a function with these parameters',
    ],
    ['barrier.cluster.wait;', 'E-DEADLOCK found a thread that waits without barrier.cluster.arrive before'],
    [
      'barrier.cluster.arrive; barrier.cluster.arrive;',
      'E-DEADLOCK found a thread that arrives twice, expected barrier.cluster.wait between',
    ],
    ['mapa.u64 %l1, %in, 0;', 'E-MEM found the address of other memory, expected one of shared memory'],
    [
      '.shared .align 8 .b8 box[32]; mov.u64 %l1, box; cvta.shared.u64 %l1, %l1; mapa.u64 %l1, %l1, 3;',
      'E-MEM found the rank 3, expected one of the 1 blocks of the cluster',
    ],
    [
      '.shared .align 8 .b8 box[32]; mov.u32 %r1, box; mbarrier.init.shared.b64 [%r1], 0;',
      'found a barrier for 0 arrivals, expected 1 to',
    ],
    [
      '.shared .align 8 .b8 box[32]; mov.u32 %r1, box; mbarrier.init.shared.b64 [%r1], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 2097152;',
      'found more bytes than a barrier can count',
    ],
    ['alloca.u64 %l1, 8193;', 'found alloca of 8193 bytes where 0 are taken, expected at most 8192 in all'],
    [
      'mov.u32 %r1, 10203042; addc.u32 %r1, %r1, 5;',
      'E-OPCODE found the operation 2 in the message parameter 10203042, expected 0 (send) or 1 (receive)',
    ],
    [
      'mov.u32 %r1, 1000000000; addc.u32 %r1, %r1, 5;',
      'E-ADDR found the coordinate 100 in the message parameter 1000000000, expected 0 to 99',
    ],
    [
      'movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;',
      'found a matrix instruction that not all 32 lanes carry out, expected a whole warp',
    ],
    [
      `.shared .align 16 .b8 box[64]; mov.u32 %r1, box; cp.async.ca.shared.global [%r1+${draws.pick([60, 64])}], [%in], 8;`,
      'E-MEM found an access',
    ],
    ['cp.async.bulk.prefetch.L2.global [%in], 16; trap;', 'E-TRAP found the end of all work'],
  ]);
  return {
    head,
    body: `mov.u64 %l0, 1; mov.u32 %r0, 1; mov.u16 %h0, 1; setp.ne.u32 %p, %t, ${thread}; @%p bra over; ${line} over:`,
    rows: range(thread + 1).map(() => [0]),
    refused,
    thread,
  };
};

/** Launches that are refused before anything is carried out. */
const refusedLaunch: Make = (draws) => {
  const [given, refused, parameters = '', params = []] = draws.pick<
    readonly [Partial<GpuCase>, string, string?, GpuCase['params']?]
  >([
    [
      { block: [1025, 1, 1] },
      'found a grid of 1 x 1 x 1 blocks of 1025 x 1 x 1 threads, expected whole numbers from 1 and at most 1024 threads a block',
    ],
    [{ block: [64, 17, 1] }, 'blocks of 64 x 17 x 1 threads'],
    [{ block: [0, 1, 1] }, 'blocks of 0 x 1 x 1 threads'],
    [{ grid: [1, -1, 1] }, 'found a grid of 1 x -1 x 1 blocks'],
    [{ grid: [1, 1.5, 1] }, 'found a grid of 1 x 1.5 x 1 blocks'],
    [
      { grid: [1, 65_536, 1] },
      'found a grid of 1 x 65536 x 1 blocks, expected at most 2147483647 x 65535 x 65535',
    ],
    [{ grid: [1, 1, 65_536] }, 'found a grid of 1 x 1 x 65536 blocks, expected at most'],
    [{ grid: [2 ** 31, 1, 1] }, 'blocks, expected at most'],
    [
      { grid: [3, 1, 1], cluster: [2, 1, 1] },
      'found clusters of 2 x 1 x 1 blocks in a grid of 3 x 1 x 1, expected a grid of whole clusters of at most',
    ],
    [{ grid: [32, 1, 1], cluster: [32, 1, 1] }, 'found clusters of 32 x 1 x 1 blocks'],
    [{ cluster: [0, 1, 1] }, 'found clusters of 0 x 1 x 1 blocks'],
    [{}, 'found 3 parameters, expected 2', '', [{ u32: 1 }]],
    [{}, 'found 2 parameters, expected 3', '.param .u32 more'],
    [{}, 'found 1.5 for more, expected a whole number of 32 bits', '.param .u32 more', [{ u32: 1.5 }]],
    [{}, 'found 1 for more, expected a structure of 12 bytes', '.param .align 4 .b8 more[12]', [{ u32: 1 }]],
    [{}, 'found 8 bytes for more, expected 12', '.param .align 4 .b8 more[12]', [{ bytes: range(8) }]],
    [
      {},
      'found a pointer at byte 5 of parameter 2, expected it within its 12 bytes',
      '.param .align 4 .b8 more[12]',
      [{ bytes: range(12), pointers: [{ offset: 5, ptr: 'in' }] }],
    ],
    [
      {},
      'found the buffer "none" for more, expected one of the case: in, out',
      '.param .u64 more',
      [{ ptr: 'none' }],
    ],
    [
      {},
      'found the texture "none", expected one of the case: it has none',
      '.param .u64 more',
      [{ texture: 'none' }],
    ],
    [{ variables: { none: { type: 'u32', data: [1] } } }, 'none'],
    [
      { variables: { held: { type: 'u32', data: [1, 2, 3] } } },
      'found 12 bytes for the variable held, expected 8 at most',
    ],
  ]);
  return {
    head: '.global .align 4 .b8 held[8];',
    body: '',
    rows: [[0]],
    given,
    params,
    ...(parameters && { parameters }),
    refused,
  };
};

/** Structures with pointers, and variables that hold something else than in the text. */
const handedOver: Make = (draws) => {
  const [a, b, c] = [draws.below(99_999), draws.below(99_999), draws.below(200) - 100];
  const offset = 8 * draws.below(2);
  return {
    head: '.global .align 4 .u32 held[3] = {1, 2, 3};\n.const .align 4 .s32 still[2] = {-4, -5};',
    parameters: '.param .align 8 .b8 both[16], .param .f32 real, .param .s64 long',
    body: `ld.param.u64 %l1, [both+${offset}]; ld.global.u32 %r0, [%l1]; ld.param.u32 %r1, [both+${8 - offset}]; ld.global.u32 %x1, [held+4]; ld.global.u32 %x2, [held+8]; mad.lo.u32 %r2, %x1, 3, %x2; ld.const.s32 %x1, [still]; ld.param.f32 %v0, [real]; cvt.rni.s32.f32 %r3, %v0; add.s32 %r3, %r3, %x1; ld.param.s64 %l2, [long]; cvt.u32.u64 %x3, %l2; add.s32 %r3, %r3, %x3;`,
    rows: [[a]],
    given: { variables: { held: { type: 'u32', data: [9, b] }, still: { type: 's32', data: [c] } } },
    params: [{ bytes: range(16), pointers: [{ offset, ptr: 'in' }] }, { f32: 2.5 }, { s64: -7 }],
    leaves: [[a, [0x0302_0100, 0x0b0a_0908][offset === 0 ? 1 : 0]!, 3 * b + 3, (2 + c - 7) >>> 0]],
  };
};

/** Each lane sends, or takes what waits for it. */
const messages: Make = (draws) => {
  const threads = 1 + draws.below(32);
  const waiting = range(threads).map(() => draws.below(99_999) - 5000);
  const other = draws.below(1000);
  const sends = range(threads).map(() => draws.once(2));
  let taken = 0;
  const leaves = sends.map((send, at) => [send ? (other + at) >>> 0 : waiting[taken++]! >>> 0]);
  return {
    body: `setp.eq.u32 %p, %x0, 1; selp.u32 %x1, 10203040, 10203041, %p; add.u32 %x2, %t, ${other}; addc.u32 %r0, %x1, %x2;`,
    rows: sends.map((send) => [send ? 1 : 0]),
    given: { inbox: [{ src: [3, 4], dst: [1, 2], values: waiting }] },
    leaves,
    sent: sends.flatMap((send, at) => (send ? [{ src: [1, 2], dst: [3, 4], value: other + at }] : [])),
  };
};

/** Warps that never come to an end. */
const stuck: Make = (draws) => {
  const others = 'setp.ge.u32 %p, %t, 32;';
  const box = '.shared .align 8 .b8 box[8]; mov.u32 %r1, box;';
  const stepsMost = 40 + draws.below(200);
  const round = 'E-DEADLOCK kernel k: warps go round in the same state for ever: block 0, warp ';
  const [body, refused, limits = {}] = draws.pick<readonly [string, string, { stepsMost: number }?]>([
    [
      `${others} @%p bar.sync 1, 64; @!%p bar.sync 2, 64;`,
      'E-DEADLOCK kernel k, block 0: warps wait at different barriers: warp 0 at 2, warp 1 at 1',
    ],
    [
      'bar.sync 3, 96;',
      'E-DEADLOCK kernel k, block 0: warps wait at different barriers: warp 0 at 3, warp 1 at 3',
    ],
    [`${box} again: ld.shared.u32 %r2, [%r1]; setp.eq.u32 %p, %r2, 0; @%p bra again;`, `${round}0`],
    [
      `${others} ${box} @!%p bra end; mov.u32 %r2, 0; again: add.u32 %r2, %r2, 1; and.b32 %r2, %r2, 7; st.shared.u32 [%r1], %r2; setp.lt.u32 %p, %r2, 9; @%p bra again; end:`,
      `${round}1`,
    ],
    [
      `${others} @%p bra end; barrier.cluster.arrive; barrier.cluster.wait; bra far; end: bar.sync 1, 64; far:`,
      'E-DEADLOCK kernel k: warps of a cluster wait at different barriers: block 0, warp 0 at that of the cluster, block 0, warp 1 at 1',
    ],
    [
      'mov.u32 %r2, 0; again: add.u32 %r2, %r2, 1; setp.ne.u32 %p, %r2, 0; @%p bra again;',
      `E-LIMIT kernel k has issued stepsMost = ${stepsMost} warp instructions and has not ended`,
      { stepsMost },
    ],
  ]);
  return { body, rows: range(64).map(() => [0]), refused, untimed: limits };
};

/** Digests of what functions give for four lists of arguments. They are those of this machine, all of whose answers were compared with an H100's, bit for bit (`special-functions.ts`). */
const answers: Readonly<Record<string, readonly number[]>> = {
  'rcp.approx': [1_698_206_468, 1_507_323_430, 2_456_368_934, 3_989_945_824],
  'rcp.approx.ftz': [4_192_669_423, 911_505_389, 3_891_422_449, 1_693_139_744],
  'sqrt.approx': [85_199_456, 950_235_174, 3_603_984_476, 4_128_101_581],
  'sqrt.approx.ftz': [4_189_608_459, 147_974_181, 4_036_045_035, 3_846_332_740],
  'rsqrt.approx': [3_190_033_131, 2_346_442_545, 1_430_239_171, 3_879_621_996],
  'rsqrt.approx.ftz': [3_096_994_166, 1_338_817_635, 2_704_364_973, 4_232_280_869],
  'ex2.approx': [2_111_235_201, 397_020_657, 3_393_875_387, 951_889_719],
  'ex2.approx.ftz': [1_551_617_374, 397_020_657, 3_393_875_387, 951_889_719],
  'lg2.approx': [232_618_929, 894_260_824, 560_594_951, 1_958_109_829],
  'lg2.approx.ftz': [1_224_670_494, 4_215_925_183, 908_216_656, 1_983_404_722],
  'sin.approx': [3_890_932_317, 3_473_619_861, 3_537_751_133, 1_437_973_737],
  'sin.approx.ftz': [3_890_932_317, 3_473_619_861, 3_537_751_133, 1_437_973_737],
  'cos.approx': [4_233_240_252, 1_354_768_284, 3_385_865_226, 4_147_272_162],
  'cos.approx.ftz': [4_233_240_252, 1_354_768_284, 3_385_865_226, 4_147_272_162],
  'div.approx': [3_483_196_734, 1_953_524_635, 1_411_963_772, 4_159_830_757],
  'div.approx.ftz': [1_495_116_445, 2_452_660_609, 1_370_112_055, 605_948_764],
  'div.full': [2_682_942_261, 897_837_100, 810_195_575, 2_530_118_380],
  'div.full.ftz': [701_006_203, 1_337_272_450, 2_020_290_971, 101_804_221],
};

/** Arguments: what is special, all exponents, those near 1, and any bits. */
function argumentsOf(part: number): readonly (readonly number[])[] {
  const special = [
    0, 0x8000_0000, 1, 0x8000_0001, 0x7f_ffff, 0x80_0000, 0x80_0001, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000,
    0x3f80_0000, 0xbf80_0000, 0x7e80_0000, 0x7e80_0001, 0x7f00_0000, 0x42fe_0000, 0x4300_0000, 0xc2fc_0000,
    0xc2fe_0000, 0xc316_0000, 0x100_0000, 0xff_ffff,
  ];
  return range(128).map((thread) =>
    range(4).map((at) => {
      const number = 4 * thread + at;
      const any = Math.imul(number + 512 * part + 1, 0x9e37_79b1) >>> 0;
      if (part === 0 && number < special.length ** 2)
        return special[
          at % 2 === 0
            ? (number >> 1) % special.length
            : Math.floor(number / 2 / special.length) % special.length
        ]!;
      if (number % 4 < 2) return ((any & 0x807f_ffff) | ((number % 256) << 23)) >>> 0;
      return number % 4 === 2 ? ((any & 0x801f_ffff) | 0x3f00_0000 | ((number & 0x70) << 17)) >>> 0 : any;
    }),
  );
}

const approximateNames = [
  'rcp.approx',
  'sqrt.approx',
  'rsqrt.approx',
  'ex2.approx',
  'lg2.approx',
  'sin.approx',
  'cos.approx',
  'div.approx',
  'div.full',
] as const;

/** Approximate functions as an H100 gives them. */
const asMeasured: Make = (draws) => {
  const [name, part] = [draws.pick(approximateNames), draws.below(4)];
  const ftz = draws.pick(['', '.ftz']);
  const two = name.startsWith('div');
  return {
    body: range(4)
      .map(
        (at) => `${name}${ftz}.f32 %v${at}, %f${at}${two ? `, %f${at ^ 1}` : ''}; mov.b32 %r${at}, %v${at};`,
      )
      .join(' '),
    rows: argumentsOf(part),
    compiled: { approximations: 'h100' },
    digest: answers[name + ftz]?.[part] ?? -1,
  };
};

const makers: readonly Make[] = [
  ...[texture, texture, texture, surface, surface, facts, wrongTexture],
  ...[asMeasured, asMeasured, stuck, printed, printed, stopped, stopped, refusedLaunch, handedOver, messages],
];

/** How many kinds of cases there are. */
export const toldCaseKinds = makers.length;

/** The case of a kind that these numbers make. */
export const toldCase = (kind: number, draws: Draws): ToldCase => makers[kind % makers.length]!(draws);

const text = ({ head, parameters, body }: ToldCase): string =>
  fourWordKernel('.version 9.0\n.target sm_90', body, head, parameters);

/** What a launch came to, or why it did not. */
type Came = Partial<ReturnType<typeof runCase>> & {
  readonly printed?: readonly string[];
  readonly why?: string;
};

const attempted = (work: () => Came): Came => {
  try {
    return work();
  } catch (error) {
    const { message, name } = error as Error;
    return { why: /^E-/.test(message) ? message : `${name}: ${message}` };
  }
};

/** A number of all words; which bits something has that is no number does not count. */
const digestOf = (words: readonly number[]): number =>
  words.reduce(
    (hash, word) =>
      Math.imul(hash ^ ((word & 0x7fff_ffff) > 0x7f80_0000 ? 0x7fff_ffff : word), 0x0100_0193) >>> 0,
    0x811c_9dc5,
  );

/** How what a launch came to differs from what is told of it. */
function differenceOf(told: ToldCase, came: Came): string | undefined {
  const { refused, thread, leaves, buffer, prints, sent } = told;
  if (refused !== undefined) {
    const place = thread === undefined ? '' : `thread ${thread}, `;
    return came.why?.includes(refused) && came.why.includes(place)
      ? undefined
      : `found ${came.why ?? 'no error'}, expected ${refused}${place && `, ${place}`}`;
  }
  if (came.why !== undefined) return `found ${came.why}`;
  const { out = [] } = came.buffers ?? {};
  if (told.digest !== undefined && digestOf(out) !== told.digest)
    return `the digest of all words is ${digestOf(out)}, not ${told.digest}`;
  for (const [row, words] of (leaves ?? []).entries())
    for (const [at, word] of words.entries())
      if (out[4 * row + at] !== word)
        return `word ${at} of thread ${row} is ${out[4 * row + at]}, not ${word}`;
  const lists = [
    ['the buffer', buffer && came.buffers?.[buffer[0]], buffer?.[1]],
    ['what is printed', came.printed, came.printed && prints],
    ['what is sent', came.sent, sent],
  ] as const;
  for (const [what, found, expected] of lists)
    if (expected && JSON.stringify(found) !== JSON.stringify(expected))
      return `${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`;
  return undefined;
}

const timings = {
  default: defaultTiming,
  'of an H100': { ...h100Warm, cores: 1 },
  'of a first launch of an H100': { ...h100Cold, cores: 1 },
};

/** What is wrong with how a case is carried out, without timing and with one; undefined when nothing is. */
export function caseFault(told: ToldCase, number = 0): string | undefined {
  const rows = told.rows.length;
  const given: GpuCase = {
    ...{ name: 'k', entry: 'k', grid: [1, 1, 1], block: [rows, 1, 1] },
    ...told.given,
    params: [{ ptr: 'in' }, { ptr: 'out' }, ...(told.params ?? [])],
    buffers: {
      in: { type: 'u32', data: told.rows.flatMap((row) => range(4).map((at) => (row[at] ?? 0) >>> 0)) },
      out: { type: 'u32', data: range(4 * rows).map(() => 0) },
      ...told.given?.buffers,
    },
  };
  const program = compilePtx([{ file: 'told.ptx', text: text(told) }], told.compiled);
  const kernel = program.kernels.get('k')!;
  const name = Object.keys(timings)[number % 3] as keyof typeof timings;
  const detail = number % 2 === 0 ? 'core' : 'warp';
  const ways: readonly (readonly [string, () => Came])[] = [
    [
      'without timing',
      () => {
        let turn = number;
        const pick = (count: number): number => turn++ % count;
        return runCase(program, kernel, given, told.untimed ?? (number % 4 === 0 ? { pick } : {}));
      },
    ],
    [
      `with the timing ${name} and an actor for each ${detail}`,
      () => {
        const timed = timedCase(program, kernel, given, timings[name], {}, undefined, detail);
        const [violation] = timed.run.toEnd().violations;
        return violation ? { why: violation.why } : timed.outcome();
      },
    ],
  ];
  for (const [how, work] of told.untimed ? ways.slice(0, 1) : ways) {
    const why = differenceOf(told, attempted(work));
    if (why !== undefined) return `\`${told.body}\` ${how}: ${why}`;
  }
  return undefined;
}

/** Numbers that follow from one. */
export function drawsOf(number: number): Draws {
  let state = (number + 1) * 2_654_435;
  return new Draws(
    range(600).map(() => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return state >>> 8;
    }),
  );
}

/** Cases that are carried out beside each scenario. */
const casesEach = 3;

/** Beside a scenario, launches leave and say what is told of them. */
export const casesDoAsTold = besideScenario((number) => {
  for (let k = 0; k < casesEach; k++) {
    const at = casesEach * number + k;
    const why = caseFault(toldCase(at, drawsOf(at)), at >> 1);
    if (why !== undefined) return why;
  }
  return undefined;
});
