import { deviceBase, localWindow, sharedWindow } from './address-space.ts';
import { fused64 } from './arithmetic.ts';
import type { Definition, Definitions, Lowered } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import { bits16, realOf16, realOfBfloat, realOfE4m3, realOfE5m2 } from './half-reals.ts';
import type { LaneFunction } from './instruction.ts';
import { type LaneWriter, OperandMismatch, registerOf } from './lane-writer.ts';
import { type Fragment, mmaFragment, type Shape, shapeOf, wmmaFragment } from './matrix-layout.ts';
import { alignedSum, sumByFours, sumOfBytes } from './matrix-sum.ts';
import { elementsOf } from './memory-instructions.ts';
import { memoryOf } from './memory-place.ts';
import type { Form, Register, ResolvedOperand } from './resolved.ts';
import { bitsOf, type ValueType } from './value-type.ts';
import type { Views } from './views.ts';
import type { Warp } from './warp.ts';

/*
 * Products of small matrices by a whole warp (PTX ISA, warp-level matrix instructions): wmma and mma, with the types f16, bf16, tf32, f64, e4m3, e5m2, s8, u8, s4, u4 and b1.
 *
 * How reals are added the manual leaves open; here as tensor cores of the H100 do (`matrix-sum.ts`).
 */

/** Shapes by the type of their multiplicands. */
const wmmaShapes: Readonly<Partial<Record<ValueType, readonly string[]>>> = {
  f16: ['m16n16k16', 'm8n32k16', 'm32n8k16'],
  bf16: ['m16n16k16', 'm8n32k16', 'm32n8k16'],
  s8: ['m16n16k16', 'm8n32k16', 'm32n8k16'],
  u8: ['m16n16k16', 'm8n32k16', 'm32n8k16'],
  tf32: ['m16n16k8'],
  f64: ['m8n8k4'],
  s4: ['m8n8k32'],
  u4: ['m8n8k32'],
  b1: ['m8n8k128'],
};
const mmaShapes: Readonly<Partial<Record<ValueType, readonly string[]>>> = {
  f16: ['m16n8k8', 'm16n8k16'],
  bf16: ['m16n8k8', 'm16n8k16'],
  tf32: ['m16n8k4', 'm16n8k8'],
  s8: ['m8n8k16', 'm16n8k16', 'm16n8k32'],
  u8: ['m8n8k16', 'm16n8k16', 'm16n8k32'],
  f64: ['m8n8k4', 'm16n8k4', 'm16n8k8', 'm16n8k16'],
  e4m3: ['m16n8k16', 'm16n8k32'],
  e5m2: ['m16n8k16', 'm16n8k32'],
  s4: ['m8n8k32', 'm16n8k32', 'm16n8k64'],
  u4: ['m8n8k32', 'm16n8k32', 'm16n8k64'],
  b1: ['m8n8k128', 'm16n8k128', 'm16n8k256'],
};
const shapes = [...new Set([...Object.values(wmmaShapes), ...Object.values(mmaShapes)].flat())];

const multiplicands = Object.keys(mmaShapes) as readonly ValueType[];
/** Types of which one may be multiplied with the other. */
const mixed: readonly (readonly ValueType[])[] = [
  ['s8', 'u8'],
  ['s4', 'u4'],
  ['e4m3', 'e5m2'],
];
const results: readonly ValueType[] = ['f16', 'f32', 's32', 'f64'];

/** What sums of such products are. */
const sumsOf = (type: ValueType): readonly ValueType[] => {
  if (type === 'f16') return ['f16', 'f32'];
  if (type === 'f64') return ['f64'];
  if (type.startsWith('e')) return ['f16', 'f32'];
  return bitsOf(type) <= 8 ? ['s32'] : ['f32'];
};

function checkedShape(form: Form, type: ValueType, known: typeof wmmaShapes): Shape {
  const word = form.words.find((one) => shapes.includes(one)) ?? '';
  const choice = known[type] ?? [];
  if (!choice.includes(word))
    throw new UnknownForm(form.written, `${form.base} of ${type} with one of ${choice.join(', ')}`);
  return shapeOf(word)!;
}

/** Checks that multiplicands and sums fit each other, and that no word is missing. */
function checkTypes(form: Form, [d, a, b, c]: readonly ValueType[]): void {
  const sameKind = a === b || mixed.some((types) => types.includes(a!) && types.includes(b!));
  const sums = sumsOf(a!);
  if (!sameKind || !sums.includes(d!) || !sums.includes(c!))
    throw new UnknownForm(form.written, `.${a} for A and B, and one of ${sums.join(', ')} for C and D`);
}

/** Words that must all stand there. */
function checkWords(form: Form, needed: readonly string[]): void {
  const missing = needed.find((word) => !form.words.includes(word));
  if (missing !== undefined) throw new UnknownForm(form.written, `${form.base} with .${missing}`);
}

/** Registers of a fragment, each with the bits that it must have. */
function fragmentRegisters(operand: ResolvedOperand, { registers, type }: Fragment): readonly Register[] {
  const parts = operand.kind === 'vector' ? operand.parts : [operand];
  if (parts.length !== registers)
    throw new OperandMismatch(`${parts.length} registers`, `${registers} of them for a fragment of .${type}`);
  return parts.map((one) => registerOf(one, bitsOf(type) === 64 ? 'b64' : 'b32'));
}

/** An element of a register. */
function elementOf({ i, f, d }: Warp, slot: number, lane: number, type: ValueType, index: number): number {
  switch (type) {
    case 'f64':
      return d[(slot >> 1) + lane]!;
    case 'f32':
      return f[slot + lane]!;
    case 's32':
      return i[slot + lane]!;
    case 'f16':
      return realOf16((i[slot + lane]! >>> (16 * index)) & 0xffff);
    case 'bf16':
      return realOfBfloat((i[slot + lane]! >>> (16 * index)) & 0xffff);
    case 'e4m3':
      return realOfE4m3((i[slot + lane]! >>> (8 * index)) & 255);
    case 'e5m2':
      return realOfE5m2((i[slot + lane]! >>> (8 * index)) & 255);
    case 's8':
    case 's4':
    case 'u8':
    case 'u4':
    case 'b1': {
      const bits = bitsOf(type);
      const upper = i[slot + lane]! << (32 - bits * (index + 1));
      return type[0] === 's' ? upper >> (32 - bits) : upper >>> (32 - bits);
    }
    default:
      // tf32: the last 13 bits do not count.
      scratchBits[0] = i[slot + lane]! & ~0x1fff;
      return scratchReal[0]!;
  }
}

const scratchReal = new Float32Array(1);
const scratchBits = new Int32Array(scratchReal.buffer);

/** The matrix that a fragment holds, row by row. */
function gathered(warp: Warp, fragment: Fragment, slots: readonly number[]): Float64Array {
  const { rows, columns, packed, type, place } = fragment;
  const matrix = new Float64Array(rows * columns);
  for (let lane = 0; lane < 32; lane++)
    for (const [at, slot] of slots.entries())
      for (let index = 0; index < packed; index++) {
        const [row, column] = place(lane, at, index);
        matrix[row * columns + column] = elementOf(warp, slot, lane, type, index);
      }
  return matrix;
}

function scattered(warp: Warp, fragment: Fragment, slots: readonly number[], matrix: Float64Array): void {
  const { columns, packed, type, place } = fragment;
  const { i, f, d } = warp;
  for (let lane = 0; lane < 32; lane++)
    for (const [at, slot] of slots.entries()) {
      const elementAt = (index: number): number => {
        const [row, column] = place(lane, at, index);
        return matrix[row * columns + column]!;
      };
      if (type === 'f64') d[(slot >> 1) + lane] = elementAt(0);
      else if (type === 's32') i[slot + lane] = elementAt(0);
      else if (packed === 2) i[slot + lane] = bits16(elementAt(0)) | (bits16(elementAt(1)) << 16);
      else {
        f[slot + lane] = elementAt(0);
        if (Number.isNaN(elementAt(0))) i[slot + lane] = 0x7fffffff;
      }
    }
}

/** d = a b + c: `sum` adds a row of products and an element of c. */
function multiplied(
  { m, n, k }: Shape,
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  sum: Sum,
): Float64Array {
  const d = new Float64Array(m * n);
  const row = new Float64Array(k);
  const column = new Float64Array(k);
  for (let y = 0; y < m; y++)
    for (let x = 0; x < n; x++) {
      for (let at = 0; at < k; at++) {
        row[at] = a[y * k + at]!;
        column[at] = b[at * n + x]!;
      }
      d[y * n + x] = sum(row, column, c[y * n + x]!);
    }
  return d;
}

/** The sum of the products of two rows and one more number. */
type Sum = (a: Float64Array, b: Float64Array, c: number) => number;

/** Reals of 64 bits: each product is fused with the sum before it, in the order of the rows. */
function fusedSum(a: Float64Array, b: Float64Array, c: number): number {
  let sum = c;
  for (let at = 0; at < a.length; at++) sum = fused64(a[at]!, b[at]!, sum);
  return sum;
}

function plainSum(a: Float64Array, b: Float64Array, c: number): number {
  let sum = c;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** Bits that are set in one of two rows only, and one more number. */
function differences(a: Float64Array, b: Float64Array, c: number): number {
  let sum = c;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) sum++;
  return sum | 0;
}

/** How sums are made: integers wrap, or are held with `satfinite`; of bits those count that are in both rows, or with `xor` in one. */
function sumOf({ base, words }: Form, type: ValueType, factor: ValueType): Sum {
  if (words.includes('xor')) return differences;
  const held = words.includes('satfinite');
  if (type === 'f64') return fusedSum;
  if (factor === 'tf32' && base === 'wmma') return sumByFours;
  if (factor === 'e4m3' || factor === 'e5m2') return sumOfBytes;
  if (type !== 's32') return alignedSum;
  return (a, b, c) => {
    const sum = plainSum(a, b, c);
    return held ? Math.min(Math.max(sum, -(2 ** 31)), 2 ** 31 - 1) : sum | 0;
  };
}

/** Work that needs all lanes: a warp with fewer stops. */
const byAll =
  (run: (warp: Warp) => void): LaneFunction =>
  (warp, mask) => {
    if (mask !== -1)
      warp.fault(
        'found a matrix instruction that not all 32 lanes carry out, expected a whole warp',
        31 - Math.clz32(mask & -mask),
      );
    run(warp);
  };

type Layout = typeof mmaFragment;

function product(
  writer: LaneWriter,
  form: Form,
  operands: readonly ResolvedOperand[],
  types: readonly ValueType[],
  shape: Shape,
  layout: Layout,
): Lowered {
  checkTypes(form, types);
  const ofBits = ['xor', 'and', 'popc'].filter((word) => form.words.includes(word));
  if (ofBits.length !== (types[1] === 'b1' ? 2 : 0))
    throw new UnknownForm(form.written, 'xor.popc or and.popc for .b1, and for no other type');
  const [d, a, b, c] = (['d', 'a', 'b', 'c'] as const).map((part, at) => {
    const fragment = layout(shape, part, types[at]!);
    const registers = fragmentRegisters(operands[at]!, fragment);
    (part === 'd' ? writer.written : writer.read).push(...registers);
    return { fragment, slots: registers.map(({ slot }) => slot) };
  });
  const sum = sumOf(form, types[0]!, types[1]!);
  return {
    run: byAll((warp) => {
      const [first, second, addend] = [a!, b!, c!].map(({ fragment, slots }) =>
        gathered(warp, fragment, slots),
      );
      scattered(warp, d!.fragment, d!.slots, multiplied(shape, first!, second!, addend!, sum));
    }),
    members: { slot: -1, value: -1 },
  };
}

/** Says of reals of a byte that they are such: what else it may say, of fewer bits, there is not. */
const ofBytes = 'kind::f8f6f4';

/** mma: fragments in the layout of the manual. */
const mma: Definition = {
  words: ['sync', 'aligned', 'row', 'col', ...shapes, 'satfinite', 'xor', 'and', 'popc', ofBytes],
  exclusive: [shapes, ['xor', 'and']],
  types: [results, multiplicands, multiplicands, results],
  ...uniform([4, 4], 'lanes', 'floatMad'),
  lower: (writer, form, operands) => {
    checkWords(form, ['sync', 'aligned', 'row', 'col']);
    const { words, types, written } = form;
    if (words.includes(ofBytes) && !(types[1]!.startsWith('e') && words.includes('m16n8k32')))
      throw new UnknownForm(written, `.${ofBytes} with m16n8k32 and .e4m3 or .e5m2`);
    return product(
      writer,
      form,
      operands,
      form.types,
      checkedShape(form, form.types[1]!, mmaShapes),
      mmaFragment,
    );
  },
};

/** Where bytes of an address are, in a space or at a generic address. */
function bytesAt(
  warp: Warp,
  space: string,
  address: number,
  size: number,
  lane: number,
): { readonly views: Pick<Views, 'bytes' | 'halves' | 'words'>; readonly x: number } {
  if (address % size !== 0) warp.misaligned(address, size, lane);
  const isShared = space === 'shared' || (space === 'generic' && address >= sharedWindow);
  if (isShared) {
    const x = space === 'shared' ? address : address - sharedWindow;
    if (x < 0 || x + size > warp.shared.bytes.length) warp.outside(x, size, lane, 'shared');
    return { views: warp.shared, x };
  }
  if (address >= localWindow || !warp.memory.find(address, size)) warp.outside(address, size, lane);
  return { views: warp.memory, x: address - deviceBase };
}

/** The value of a register or number in a lane. */
function reader(writer: LaneWriter, operand: ResolvedOperand): (warp: Warp, lane: number) => number {
  const { slot, value } = writer.laneValue(operand);
  return ({ i }, lane) => (slot < 0 ? value : i[slot + lane]!);
}

/** The address in a lane. */
function addressReader(writer: LaneWriter, operand: ResolvedOperand): (warp: Warp, lane: number) => number {
  const { base, offset, framed } = memoryOf(operand);
  if (base === null) return (warp) => offset + (framed ? warp.frame : 0);
  writer.laneAddress({ kind: 'register', register: base });
  const { slot } = base;
  return bitsOf(base.type) === 64
    ? ({ i }, lane) => (i[slot + 2 * lane]! >>> 0) + i[slot + 2 * lane + 1]! * 4294967296 + offset
    : ({ i }, lane) => (i[slot + lane]! + offset) >>> 0;
}

/** wmma.load, wmma.store: all elements of the fragments, in rows or columns that are `stride` elements apart. */
function moved(
  writer: LaneWriter,
  form: Form,
  operands: readonly ResolvedOperand[],
  stores: boolean,
): Lowered {
  const { words, types, written } = form;
  const part = (['a', 'b', 'c', 'd'] as const).find((one) => words.includes(one));
  const type = types[0]!;
  const [list, address] = stores ? [operands[1], operands[0]] : operands;
  const isSum = part === 'c' || part === 'd';
  const order = words.includes('row') ? 'row' : 'col';
  if (part === undefined || stores !== (part === 'd') || types.length !== 1 || layoutsIn(words) !== 1)
    throw new UnknownForm(written, 'wmma.load of a, b or c, wmma.store of d, each in rows or columns');
  const word = words.find((one) => shapes.includes(one)) ?? '';
  const fits = multiplicands.some(
    (one) => (isSum ? sumsOf(one).includes(type) : one === type) && wmmaShapes[one]!.includes(word),
  );
  if (!fits) throw new UnknownForm(written, 'a shape and type of wmma that go together');
  const fragment = wmmaFragment(shapeOf(word)!, part, type);
  const registers = fragmentRegisters(list!, fragment);
  (stores ? writer.read : writer.written).push(...registers);
  const space = words.find((one) => one === 'global' || one === 'shared') ?? 'generic';
  const addressOf = addressReader(writer, address!);
  const strideOf = operands[2] === undefined ? undefined : reader(writer, operands[2]);
  const bits = bitsOf(type);
  const size = Math.max(1, bits >> 3);
  const { rows, columns, packed, place } = fragment;
  return {
    run: byAll((warp) => {
      if (stores) warp.memory.claim();
      for (let lane = 0; lane < 32; lane++) {
        const stride = strideOf?.(warp, lane) ?? (order === 'row' ? columns : rows);
        const base = addressOf(warp, lane);
        for (const [at, { slot }] of registers.entries()) {
          let word = 0;
          for (let index = 0; index < packed; index++) {
            const [row, column] = place(lane, at, index);
            // Of elements below a byte several lie in one, the first in its lowest bits.
            const bit = bits * (order === 'row' ? row * stride + column : column * stride + row);
            const from = base + Math.floor(bit / 8);
            const { views, x } = bytesAt(warp, space, from, size, lane);
            warp.touched[lane] = from;
            const { bytes, halves, words: memory } = views;
            if (size === 8) {
              const there = x >>> 2;
              for (const half of [0, 1])
                if (stores) memory[there + half] = warp.i[slot + 2 * lane + half]!;
                else warp.i[slot + 2 * lane + half] = memory[there + half]!;
            } else if (stores) {
              const value = warp.i[slot + lane]! >>> (8 * size * index);
              if (size === 2) halves[x >>> 1] = value;
              else memory[x >>> 2] = value;
            } else {
              const value =
                bits < 8
                  ? (bytes[x]! >>> (bit % 8)) & ((1 << bits) - 1)
                  : size === 1
                    ? bytes[x]!
                    : size === 2
                      ? halves[x >>> 1]!
                      : memory[x >>> 2]!;
              word |= value << (bits * index);
            }
          }
          if (!stores && size < 8) warp.i[slot + lane] = word;
        }
      }
    }),
    access: { space: space as 'global' | 'shared' | 'generic', what: stores ? 'store' : 'load', bytes: size },
  };
}

/** How many words say whether a matrix lies in rows or columns. */
const layoutsIn = (words: readonly string[]): number =>
  words.filter((word) => word === 'row' || word === 'col').length;

const wmmaTypes: readonly ValueType[] = [...new Set([...results, ...multiplicands])];
const moves = ['load', 'store', 'mma'];

const wmma: Definition = {
  words: [
    ...[...moves, 'a', 'b', 'c', 'd', 'sync', 'aligned', 'row', 'col', 'global', 'shared', 'rn'],
    ...['xor', 'and', 'popc', ...shapes, 'satfinite'],
  ],
  exclusive: [moves, ['a', 'b', 'c', 'd'], shapes, ['global', 'shared'], ['xor', 'and']],
  repeated: ['row', 'col'],
  types: [wmmaTypes, wmmaTypes, wmmaTypes, wmmaTypes],
  typesLeast: 0,
  operands: [2, 4],
  operandsOf: ({ words }) => (words.includes('mma') ? [4, 4] : [2, 3]),
  kind: 'lanes',
  kindOf: ({ words }) => (words.includes('mma') ? 'lanes' : 'memory'),
  class: ({ words }) => (words.includes('mma') ? 'floatMad' : words.includes('shared') ? 'shared' : 'global'),
  lower: (writer, form, operands) => {
    checkWords(form, ['sync', 'aligned']);
    if (!form.words.includes('mma')) return moved(writer, form, operands, form.words.includes('store'));
    // Of f16 the multiplicands are not written.
    const { types } = form;
    const all = types.length === 2 ? ([types[0]!, 'f16', 'f16', types[1]!] as const) : types;
    if (all.length !== 4) throw new UnknownForm(form.written, 'the types of D, A, B and C');
    if (layoutsIn(form.words) !== 2) throw new UnknownForm(form.written, 'the layouts of A and B');
    return product(writer, form, operands, all, checkedShape(form, all[1]!, wmmaShapes), wmmaFragment);
  },
};

/** ldmatrix, stmatrix: matrices of 8 by 8 halves in shared memory; lane 8q + r gives the address of row r of matrix q. */
const rowsOfHalves = (stores: boolean): Definition => ({
  words: ['sync', 'aligned', 'm8n8', 'x1', 'x2', 'x4', 'trans', 'shared'],
  exclusive: [['x1', 'x2', 'x4']],
  types: [['b16']],
  ...uniform([2, 2], 'memory', 'shared'),
  lower: (writer, form, operands) => {
    checkWords(form, ['sync', 'aligned', 'm8n8']);
    const count = Number(form.words.find((word) => /^x\d$/.test(word))?.slice(1));
    if (!count) throw new UnknownForm(form.written, `${form.base} with x1, x2 or x4`);
    const [list, address] = stores ? [operands[1], operands[0]] : operands;
    const registers = elementsOf(list!, count).map((one) => registerOf(one, 'b32'));
    (stores ? writer.read : writer.written).push(...registers);
    const addressOf = addressReader(writer, address!);
    const space = form.words.includes('shared') ? 'shared' : 'generic';
    const across = form.words.includes('trans');
    return {
      run: byAll((warp) => {
        // All addresses are read before a register is written.
        const places = Array.from({ length: 8 * count }, (_, lane) => {
          const at = addressOf(warp, lane);
          warp.touched[lane] = at;
          return bytesAt(warp, space, at, 16, lane);
        });
        for (let lane = 8 * count; lane < 32; lane++) warp.touched[lane] = warp.touched[0]!;
        for (let lane = 0; lane < 32; lane++)
          for (const [q, { slot }] of registers.entries()) {
            let word = 0;
            for (const index of [0, 1]) {
              const [g, pair] = [lane >> 2, 2 * (lane & 3) + index];
              const [row, column] = across ? [pair, g] : [g, pair];
              const { views, x } = places[8 * q + row]!;
              if (stores) views.halves[(x >>> 1) + column] = warp.i[slot + lane]! >>> (16 * index);
              else word |= views.halves[(x >>> 1) + column]! << (16 * index);
            }
            if (!stores) warp.i[slot + lane] = word;
          }
      }),
      access: { space: 'shared', what: stores ? 'store' : 'load', bytes: 16 },
    };
  },
});

/** movmatrix: a matrix of 8 by 8 halves with its rows as columns. */
const transposed: Definition = {
  words: ['sync', 'aligned', 'm8n8', 'trans'],
  types: [['b16']],
  ...uniform([2, 2], 'lanes', 'shuffle'),
  lower: (writer, form, operands) => {
    checkWords(form, ['sync', 'aligned', 'm8n8', 'trans']);
    const [to, from] = operands.map((one) => registerOf(one, 'b32'));
    writer.written.push(to!);
    writer.read.push(from!);
    return {
      run: byAll(({ i }) => {
        const before = i.slice(from!.slot, from!.slot + 32);
        // Lane 4r + c has the halves 2c and 2c + 1 of row r.
        const half = (row: number, column: number): number =>
          (before[4 * row + (column >> 1)]! >>> (16 * (column & 1))) & 0xffff;
        for (let lane = 0; lane < 32; lane++) {
          const [row, column] = [lane >> 2, 2 * (lane & 3)];
          i[to!.slot + lane] = half(column, row) | (half(column + 1, row) << 16);
        }
      }),
    };
  },
};

/** Matrices. */
export const matrixInstructions: Definitions = {
  mma,
  wmma,
  ldmatrix: rowsOfHalves(false),
  stmatrix: rowsOfHalves(true),
  movmatrix: transposed,
};
