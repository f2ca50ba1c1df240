import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { fourWordKernel } from './four-word-kernel.ts';
import { type GpuCase, runCase } from './gpu-case.ts';
import type { CaseTexture } from './gpu-case-textures.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * Textures and surfaces against the formulas of the programming guide, computed here in another way: texels are extended to both sides as their addressing says, and a
 * linear filter is a sum over all of them, weighted by how near they are.
 */

const version = '.version 7.0\n.target sm_75';

/** A kernel in which each thread has four words of `in` as %x0 to %x3 (reals %f0 to %f3) and stores %r0 to %r3. */
function kernelOf(body: string, before = '', parameters = '.param .u64 handle') {
  const text = fourWordKernel(version, body, before, parameters);
  const program = compilePtx([{ file: 'texture.ptx', text }]);
  return { program, kernel: program.kernels.get('k')! };
}

const handle = 'ld.param.u64 %tex, [handle];';
const bitsOf = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
const realOf = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!;

const caseOf = (
  rows: readonly (readonly number[])[],
  more: Partial<GpuCase>,
  params: GpuCase['params'] = [{ texture: 'image' }],
): GpuCase => ({
  name: 'k',
  entry: 'k',
  grid: [1, 1, 1],
  block: [rows.length, 1, 1],
  params: [{ ptr: 'in' }, { ptr: 'out' }, ...params],
  ...more,
  buffers: {
    ...more.buffers,
    in: { type: 'u32', data: rows.flatMap((row) => [0, 1, 2, 3].map((at) => row[at] ?? 0)) },
    out: { type: 'u32', data: rows.flatMap(() => [0, 0, 0, 0]) },
  },
});

/** The four words that each thread stores. */
function wordsOf(made: ReturnType<typeof kernelOf>, given: GpuCase): readonly (readonly number[])[] {
  const { out = [] } = runCase(made.program, made.kernel, given).buffers;
  return Array.from({ length: out.length / 4 }, (_, row) => out.slice(4 * row, 4 * row + 4));
}

/** Texel `at` of a row that goes on to both sides. */
function extended(row: readonly number[], at: number, addressing: string): number {
  const reach = 64;
  const middle = reach * row.length;
  const back = [...row].reverse();
  const sides: Readonly<Record<string, (copy: number) => readonly number[]>> = {
    wrap: () => row,
    mirror: (copy) => (copy % 2 === 0 ? row : back),
    border: (copy) => (copy === reach ? row : row.map(() => 0)),
    clamp: (copy) => (copy === reach ? row : row.map(() => (copy < reach ? row[0]! : back[0]!))),
  };
  return Array.from({ length: 2 * reach + 1 }, (_, copy) => sides[addressing]!(copy)).flat()[middle + at]!;
}

/** What a row comes to at a place in texels. */
function filtered(row: readonly number[], place: number, filter: string, addressing: string): number {
  if (filter === 'point') return extended(row, Math.floor(place), addressing);
  const centre = Math.round((place - 0.5) * 256) / 256;
  let sum = 0;
  for (let at = Math.floor(centre) - 1; at <= centre + 2; at++)
    sum += Math.max(0, 1 - Math.abs(centre - at)) * extended(row, at, addressing);
  return sum;
}

/** What four neighbours of a plane come to: the share of the one beyond in both directions is a whole 256th, as an H200 has it. */
function filteredPlane(
  rows: readonly (readonly number[])[],
  x: number,
  y: number,
  addressing: string,
): number {
  const [across, down] = [x, y].map((place) => Math.floor((place - 0.5) * 256 + 0.5));
  const [a, b] = [across! & 255, down! & 255];
  const both = Math.floor((a * b + 128) / 256);
  const shares = [
    [256 - a - b + both, a - both],
    [b - both, both],
  ];
  let sum = 0;
  for (const [dy, row] of shares.entries())
    for (const [dx, share] of row.entries()) {
      const column = rows.map((one) => extended(one, (across! >> 8) + dx, addressing));
      sum += share * extended(column, (down! >> 8) + dy, addressing);
    }
  return sum / 256;
}

const coordinate = fc.integer({ min: -4000, max: 4000 }).map((one) => one / 512 + 1 / 2048);

describe('tex', () => {
  const plane = kernelOf(
    `${handle} tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0, %f1}];
     mov.b32 %r0, %v0; mov.b32 %r1, %v1; mov.b32 %r2, %v2; mov.b32 %r3, %v3;`,
  );

  test('filters and extends as the guide says, in both directions', () => {
    fc.assert(
      fc.property(
        fc.record({
          width: fc.integer({ min: 1, max: 5 }),
          height: fc.integer({ min: 1, max: 4 }),
          filter: fc.constantFrom('point', 'linear'),
          addressing: fc.constantFrom('clamp', 'border', 'wrap', 'mirror'),
          normalized: fc.boolean(),
          places: fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 12 }),
          seed: fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 20, maxLength: 20 }),
        }),
        ({ width, height, filter, addressing, normalized, places, seed }) => {
          const rows = Array.from({ length: height }, (_, y) => seed.slice(width * y, width * (y + 1)));
          const image = {
            buffer: 'texels',
            channel: 'f32',
            width,
            height,
            filter,
            addressing,
            normalized,
          } as CaseTexture;
          const found = wordsOf(
            plane,
            caseOf(
              places.map(([x, y]) => [bitsOf(x), bitsOf(y)]),
              { buffers: { texels: { type: 'f32', data: rows.flat() } }, textures: { image } },
            ),
          );
          // Addressing that repeats is for normalized coordinates only.
          const kept = normalized || addressing === 'border' ? addressing : 'clamp';
          for (const [at, [x, y]] of places.entries()) {
            const [across, down] = normalized ? [x * width, y * height] : [x, y];
            const column = rows.map((row) => filtered(row, across, filter, kept));
            const expected =
              filter === 'linear'
                ? filteredPlane(rows, across, down, kept)
                : filtered(column, down, filter, kept);
            expect(realOf(found[at]![0]!)).toBeCloseTo(expected, 3);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('gives 0 for channels that there are not', () => {
    const given = caseOf([[bitsOf(0.5), bitsOf(0.5)]], {
      buffers: { texels: { type: 'f32', data: [4.5] } },
      textures: { image: { buffer: 'texels', channel: 'f32', width: 1 } },
    });

    expect(wordsOf(plane, given)[0]!.map(realOf)).toEqual([4.5, 0, 0, 0]);
  });

  test.each([
    ['u8', [0, 51, 255, 128], [0, 51 / 255, 1, 128 / 255]],
    ['s8', [-128, -127, 127, 64], [-1, -1, 1, 64 / 127]],
    ['u16', [0, 1, 65535, 300], [0, 1 / 65535, 1, 300 / 65535]],
    ['s16', [-32768, -32767, 32767, 5], [-1, -1, 1, 5 / 32767]],
  ] as const)('reads four channels of %s as reals', (channel, data, expected) => {
    const given = caseOf([[bitsOf(0.5), bitsOf(0.5)]], {
      buffers: { texels: { type: channel, data } },
      textures: { image: { buffer: 'texels', channel, channels: 4, width: 1, asReals: true } },
    });

    expect(wordsOf(plane, given)[0]!.map(realOf)).toEqual(expected.map(Math.fround));
  });

  test('reads halves as reals', () => {
    const given = caseOf([[bitsOf(0.5), bitsOf(0.5)]], {
      buffers: { texels: { type: 'u16', data: [0x3e00, 0xbc00] } },
      textures: { image: { buffer: 'texels', channel: 'f16', channels: 2, width: 1 } },
    });

    expect(wordsOf(plane, given)[0]!.map(realOf)).toEqual([1.5, -1, 0, 0]);
  });

  test('tld4 gives one channel of four texels, from the lower left one against the clock', () => {
    const four = kernelOf(`${handle} tld4.g.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%tex, {%f0, %f1}];`);
    const data = Array.from({ length: 12 }, (_, at) => [10 * at, 10 * at + 1]).flat();
    const given = caseOf(
      [
        [bitsOf(1.9), bitsOf(1.2)],
        [bitsOf(-3), bitsOf(9)],
      ],
      {
        buffers: { texels: { type: 'u32', data } },
        textures: { image: { buffer: 'texels', channel: 'u32', channels: 2, width: 4, height: 3 } },
      },
    );

    expect(wordsOf(four, given)).toEqual([
      [51, 61, 21, 11],
      [81, 81, 81, 81],
    ]);
  });

  test('reads integers at whole places, beyond the border nothing', () => {
    const line = kernelOf(`${handle} tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%tex, {%x0}];`);
    const given = caseOf([[0], [2], [3], [-1 >>> 0]], {
      buffers: { texels: { type: 's32', data: [-7, 8, 9] } },
      textures: { image: { buffer: 'texels', channel: 's32', width: 3 } },
    });

    expect(wordsOf(line, given).map(([first]) => first! | 0)).toEqual([-7, 9, 0, 0]);
  });

  test('shares of the four texels of a linear filter are whole 256ths, as an H200 answered', () => {
    const answers = [
      [2.9099998474121094, 4.357999801635742, 90],
      [3.06499981880188, 3.9820001125335693, 70],
      [3.0339999198913574, 4.781000137329102, 98],
      [2.940999984741211, 4.40500020980835, 102],
      [3.560999870300293, 5.015999794006348, 116],
      [2.5999999046325684, 3.9820001125335693, 12],
      [3.2199997901916504, 3.9820001125335693, 88],
      [3.2819998264312744, 4.40500020980835, 181],
    ] as const;
    const given = caseOf(
      answers.map(([x, y]) => [bitsOf(x), bitsOf(y)]),
      {
        buffers: {
          texels: { type: 'f32', data: Array.from({ length: 64 }, (_, at) => (at === 35 ? 1 : 0)) },
        },
        textures: { image: { buffer: 'texels', channel: 'f32', width: 8, height: 8, filter: 'linear' } },
      },
    );

    expect(wordsOf(plane, given).map(([first]) => 256 * realOf(first!))).toEqual(
      answers.map(([, , share]) => share),
    );
  });

  test('bytes that a linear filter makes reals of have 16 bits', () => {
    const given = caseOf([[bitsOf(1.25), bitsOf(0.5)]], {
      buffers: { texels: { type: 'u8', data: [100, 201, 7] } },
      textures: { image: { buffer: 'texels', channel: 'u8', width: 3, filter: 'linear', asReals: true } },
    });

    const mean = (100 + 3 * 201) / 4;
    expect(realOf(wordsOf(plane, given)[0]![0]!)).toBe(Math.fround(Math.round(mean * 257) / 65535));
  });

  test.each([
    ['a1d', '{%x0, %f1}', [1, bitsOf(1.5)], 5],
    ['a1d', '{%x0, %f1}', [9, bitsOf(0.5)], 10],
    ['a2d', '{%x0, %f1, %f2, %f2}', [1, bitsOf(0.5), bitsOf(1.5)], 6],
    ['3d', '{%f0, %f1, %f2, %f2}', [bitsOf(1.5), bitsOf(1.5), bitsOf(1.5)], 7],
  ])('chooses a layer or a plane: %s %s %j', (geometry, places, row, expected) => {
    const made = kernelOf(
      `${handle} tex.${geometry}.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, ${places}]; mov.b32 %r0, %v0;`,
    );
    const height = geometry === 'a1d' ? 1 : 2;
    const depth = geometry === 'a1d' ? 6 : 3;
    const given = caseOf([row], {
      buffers: {
        texels: {
          type: 'f32',
          data: Array.from(
            { length: 12 },
            (_, at) =>
              (geometry === 'a1d'
                ? [0, 2, 4, 5, 0, 0, 0, 0, 0, 0, 10, 0]
                : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])[at]!,
          ),
        },
      },
      textures: { image: { buffer: 'texels', channel: 'f32', width: 2, height, depth } },
    });

    expect(realOf(wordsOf(made, given)[0]![0]!)).toBe(expected);
  });

  // Texel 4 f + 2 row + column is on face f of 2 x 2; each direction leads to the middle of a texel.
  test.each([
    ['x, left below', [1, -0.5, 0.5], 2],
    ['-x', [-1, 0.5, 0.5], 5],
    ['y', [-0.5, 2, 0.5], 10],
    ['-y', [0.5, -1, 0.5], 13],
    ['z', [0.25, -0.25, 0.5], 19],
    ['-z', [0.5, 0.5, -1], 20],
  ])('chooses a face of a cube: %s', (_name, direction, expected) => {
    const cube = kernelOf(
      `${handle} tex.cube.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0, %f1, %f2, %f2}]; mov.b32 %r0, %v0;`,
    );
    const cubes = kernelOf(
      `${handle} mov.u32 %x1, 1; tex.acube.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%x1, %f0, %f1, %f2}]; mov.b32 %r0, %v0;`,
    );
    const given = caseOf([direction.map(bitsOf)], {
      buffers: { texels: { type: 'f32', data: Array.from({ length: 48 }, (_, at) => at) } },
      textures: {
        image: { buffer: 'texels', channel: 'f32', width: 2, height: 2, depth: 12, normalized: true },
      },
    });

    expect(realOf(wordsOf(cube, given)[0]![0]!)).toBe(expected);
    expect(realOf(wordsOf(cubes, given)[0]![0]!)).toBe(expected + 24);
  });

  test('takes gradients, and tells that its texels are there', () => {
    const made = kernelOf(
      `setp.ne.u32 %p, %t, %t;
       tex.grad.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}|%p, [image, {%f0}], {%f1}, {%f2}; mov.b32 %r0, %v0; selp.u32 %r1, 1, 0, %p;`,
      '.global .texref image;',
      '.param .u64 spare',
    );
    const given = caseOf(
      [[bitsOf(1)]],
      {
        buffers: { texels: { type: 'f32', data: [10, 20] } },
        textures: { image: { buffer: 'texels', channel: 'f32', width: 2 } },
      },
      [{ texture: 'image' }],
    );

    expect(wordsOf(made, given)[0]!.slice(0, 2)).toEqual([bitsOf(20), 1]);
  });

  test('takes variables and parameters of .texref, levels, and samplers of their own', () => {
    const made = kernelOf(
      `tex.level.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [image, {%f0}], %f3; mov.b32 %r0, %v0;
       tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [image, smooth, {%f0}]; mov.b32 %r1, %v0;
       tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [other, {%f0}]; mov.b32 %r2, %v0;
       txq.width.b32 %r3, [image];`,
      '.global .texref image;\n.global .samplerref smooth;',
      '.param .texref other',
    );
    const given = caseOf(
      [[bitsOf(1)]],
      {
        buffers: { texels: { type: 'f32', data: [10, 20] }, more: { type: 'f32', data: [5, 6, 7] } },
        textures: {
          image: { buffer: 'texels', channel: 'f32', width: 2 },
          second: { buffer: 'more', channel: 'f32', width: 3 },
        },
        samplers: { smooth: { filter: 'linear' } },
      },
      [{ texture: 'second' }],
    );
    const [row] = wordsOf(made, given);

    expect([...row!.slice(0, 3).map(realOf), row![3]]).toEqual([20, 15, 6, 2]);
  });

  test('a surface tells its sizes', () => {
    const made = kernelOf(
      'suq.width.b32 %r0, [image]; suq.height.b32 %r1, [image];',
      '.global .surfref image;',
    );
    const given = caseOf([[0, 0]], {
      buffers: { texels: { type: 's32', data: [1, 2, 3, 4, 5, 6] } },
      textures: { image: { buffer: 'texels', channel: 's32', width: 3, height: 2 } },
    });
    expect(wordsOf(made, given)[0]!.slice(0, 2)).toEqual([3, 2]);
  });

  test('is timed as a load, and gives the same', () => {
    const given = caseOf([[bitsOf(0.5), bitsOf(0.5)]], {
      buffers: { texels: { type: 'f32', data: [4.5] } },
      textures: { image: { buffer: 'texels', channel: 'f32', width: 1 } },
    });
    const timed = timedCase(plane.program, plane.kernel, given);
    timed.run.toEnd();
    const { buffers, report } = timed.outcome();
    const outOf = ({ out }: typeof buffers) => out;

    expect(outOf(buffers)).toEqual(outOf(runCase(plane.program, plane.kernel, given).buffers));
    expect(report!.statistics.counts.globalLoads).toBe(3);
  });
});

describe('a surface', () => {
  const texels = { type: 'u8', data: Array.from({ length: 32 }, (_, at) => at) } as const;
  const image = { buffer: 'texels', channel: 'u8', channels: 4, width: 2, height: 3, rowBytes: 12 } as const;

  test.each([
    ['suld.b.2d.b32.trap {%r0}, [%tex, {%x0, %x1}];', [4, 1], [0x13121110]],
    [
      'suld.b.2d.v2.b16.clamp {%h0, %h1}, [%tex, {%x0, %x1}]; cvt.u32.u16 %r0, %h0; cvt.u32.u16 %r1, %h1;',
      [40, 9],
      [0x1d1c, 0x1f1e],
    ],
    ['suld.b.2d.v2.b32.zero {%r0, %r1}, [%tex, {%x0, %x1}];', [8, 0], [0, 0]],
    ['suld.b.2d.b8.trap {%h0}, [%tex, {%x0, %x1}]; cvt.u32.u16 %r0, %h0;', [7, 2], [31]],
  ])('is read byte by byte: %s', (line, row, expected) => {
    const given = caseOf([row], { buffers: { texels }, textures: { image } });

    expect(wordsOf(kernelOf(handle + line), given)[0]!.slice(0, expected.length)).toEqual(expected);
  });

  test.each([
    [
      'sust.b.2d.b32.trap [%tex, {%x0, %x1}], {%x2};',
      [0, 1, 0x0a0b0c0d],
      [
        [12, 0x0d],
        [13, 0x0c],
        [14, 0x0b],
        [15, 0x0a],
      ],
    ],
    ['sust.b.2d.b32.zero [%tex, {%x0, %x1}], {%x2};', [8, 0, 0x0a0b0c0d], []],
    ['cvt.u16.u32 %h0, %x2; sust.b.2d.b8.clamp [%tex, {%x0, %x1}], {%h0};', [100, 0, 0x63], [[7, 0x63]]],
  ])('is written byte by byte: %s', (line, row, changes) => {
    const { program, kernel } = kernelOf(handle + line);
    const { texels: left } = runCase(
      program,
      kernel,
      caseOf([row], { buffers: { texels }, textures: { image } }),
    ).buffers;
    const expected: number[] = [...texels.data];
    for (const [at, value] of changes) expected[at!] = value!;

    expect(left).toEqual(expected);
  });
});

describe('what cannot be is told', () => {
  const read = 'tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0}];';
  const texels = { type: 'u32', data: [1, 2] } as const;
  const image = { buffer: 'texels', channel: 'u32', width: 2 } as const;

  test.each([
    [`mov.u64 %tex, 64; ${read}`, image, 'found the handle 0x40, expected that of a texture or surface'],
    [handle + read, image, 'found a read of reals from a texture that gives integers'],
    [
      `${handle} suld.b.1d.b32.trap {%r0}, [%tex, {8}];`,
      image,
      'found an access of 4 bytes at (8, 0, 0) of a surface, expected coordinates of at most (4, 0, 0)',
    ],
    [`${handle} suld.b.1d.b32.trap {%r0}, [%tex, {2}];`, image, 'expected a multiple of its 4 bytes'],
    [
      handle + read,
      { ...image, width: 3 },
      'found 8 bytes in rows of 12 for the texture image, expected at least 12',
    ],
    [
      handle + read,
      { ...image, filter: 'linear' as const },
      'found a linear filter for the texture image of integers',
    ],
    [handle + read, { ...image, buffer: 'pixels' }, 'found the buffer "pixels" for a texture'],
  ])('%s', (line, made, finding) => {
    const { program, kernel } = kernelOf(line);

    expect(() =>
      runCase(program, kernel, caseOf([[0]], { buffers: { texels }, textures: { image: made } })),
    ).toThrow(finding);
  });

  test.each([
    ['tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0}];', 'found 1 coordinates, expected 2'],
    ['tex.cube.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0}];', 'found 1 coordinates, expected 4'],
    ['tex.2dms.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%tex, {%f0}];', 'found "2dms"'],
    ['suld.b.2d.b32.trap {%r0}, [%tex, %tex, {%x0, %x1}];', 'suld.b with [surface, {coordinates}]'],
    ['tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%f0}];', 'expected a handle of 64 bits'],
  ])('when it is compiled: %s', (line, finding) => {
    expect(() => kernelOf(line)).toThrow(finding);
  });
});
