import { deviceBase, parameterWindow } from './address-space.ts';
import type { Definition, Definitions, Lowered } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import { type LaneWriter, nameOfKind, OperandMismatch } from './lane-writer.ts';
import { elementsOf, loadPart, storePart } from './memory-instructions.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, bytesOf } from './value-type.ts';

/*
 * Reads of textures, reads and writes of surfaces, and questions about them (PTX ISA, texture and surface instructions).
 */

/** A geometry: dimensions of one layer, whether there are layers, and whether these are the six faces of cubes. */
interface Shape {
  readonly dimensions: number;
  readonly layered: boolean;
  readonly cubes?: 'one' | 'many';
}

/** Geometries of surfaces. */
const flat: Readonly<Record<string, Shape>> = {
  '1d': { dimensions: 1, layered: false },
  '2d': { dimensions: 2, layered: false },
  '3d': { dimensions: 3, layered: false },
  a1d: { dimensions: 1, layered: true },
  a2d: { dimensions: 2, layered: true },
};
/** Geometries of textures. */
const geometries: Readonly<Record<string, Shape>> = {
  ...flat,
  cube: { dimensions: 2, layered: true, cubes: 'one' },
  acube: { dimensions: 2, layered: true, cubes: 'many' },
};

const unitText = 'const unit = w.textureUnit;';

type TexelOperand = Extract<ResolvedOperand, { kind: 'texel' }>;

const geometryOf = ({ words, written }: Form) => {
  const geometry = geometries[words.find((word) => Object.hasOwn(geometries, word)) ?? ''];
  if (geometry === undefined) throw new UnknownForm(written, `one of ${Object.keys(geometries).join(', ')}`);
  return geometry;
};

const texelOf = (operand: ResolvedOperand): TexelOperand => {
  if (operand.kind === 'texel') return operand;
  throw new OperandMismatch(nameOfKind(operand), '[texture, {coordinates}]');
};

/** The handle of a texture, surface or sampler as a number: in a register, in a parameter, or the address of a variable. */
function handleText(writer: LaneWriter, operand: ResolvedOperand): string {
  if (operand.kind === 'symbol' && operand.space === 'param') {
    const at = writer.constant((operand.address - parameterWindow) >>> 2);
    return `(w.parameters.words[${at}] >>> 0) + (w.parameters.words[${at} + 1] >>> 0) * 4294967296`;
  }
  if (operand.kind === 'register' && bitsOf(operand.register.type) !== 64)
    throw new OperandMismatch(`${operand.register.name} of .${operand.register.type}`, 'a handle of 64 bits');
  const { low, high } = writer.wide(operand, 'b64');
  return `(${low} >>> 0) + (${high} >>> 0) * 4294967296`;
}

/** The statements that put coordinates into `k`: x, y and z, the layer in place of z. */
function coordinatesText(
  writer: LaneWriter,
  form: Form,
  { coordinates }: TexelOperand,
  real: boolean,
): string {
  const { dimensions, layered, cubes } = geometryOf(form);
  if (cubes !== undefined) return cubeText(writer, form, coordinates, real, cubes === 'many');
  const used = dimensions + (layered ? 1 : 0);
  // Vectors have 1, 2 or 4 elements; the last of 4 stands for nothing where only 3 are used.
  const given = used === 3 ? 4 : used;
  if (coordinates.length !== given)
    throw new OperandMismatch(`${coordinates.length} coordinates`, `${given} of them`);
  const type = real ? 'f32' : 's32';
  const own = coordinates
    .slice(layered ? 1 : 0, used)
    .map((one, at) => `k[${at}] = ${writer.value(one, type)};`);
  const layer = layered ? [`k[2] = ${writer.value(coordinates[0]!, 'u32')} >>> 0;`] : [];
  return ['const k = unit.coordinates;', ...own, ...layer].join(' ');
}

/** The statements that put the place on a face of a cube into `k`: a direction chooses both. */
function cubeText(
  writer: LaneWriter,
  { written }: Form,
  coordinates: readonly ResolvedOperand[],
  real: boolean,
  many: boolean,
): string {
  if (!real) throw new UnknownForm(written, 'coordinates of .f32');
  if (coordinates.length !== 4) throw new OperandMismatch(`${coordinates.length} coordinates`, '4 of them');
  const [x, y, z] = coordinates.slice(many ? 1 : 0).map((one) => writer.value(one, 'f32'));
  const cube = many ? `${writer.value(coordinates[0]!, 'u32')} >>> 0` : '0';
  return `unit.onCube(${x}, ${y}, ${z}, ${cube});`;
}

const formatted: Definition = {
  words: ['level', 'base', 'grad', ...Object.keys(geometries), 'v4'],
  exclusive: [Object.keys(geometries), ['level', 'base', 'grad']],
  types: [
    ['u32', 's32', 'f32'],
    ['s32', 'f32'],
  ],
  ...uniform([2, 4], 'memory', 'global'),
  lower: (writer, form, operands) => {
    const { words, written } = form;
    const [d, a] = operands;
    const wanted = words.includes('level') ? 3 : words.includes('grad') ? 4 : 2;
    if (!words.includes('v4') || operands.length !== wanted)
      throw new UnknownForm(written, 'tex with v4, tex.level with a level, tex.grad with two gradients');
    // A texture has one level here, which any level or gradient comes to.
    return texelsRead(writer, form, d!, a!, -1);
  },
};

/** Four numbers of a texture: the channels of a texel, or one channel of four. */
function texelsRead(
  writer: LaneWriter,
  form: Form,
  d: ResolvedOperand,
  a: ResolvedOperand,
  channel: number,
): Lowered {
  const [result, coordinate] = form.types;
  const texel = texelOf(a);
  const { dimensions, layered } = geometryOf(form);
  const at = coordinatesText(writer, form, texel, coordinate === 'f32');
  const sampler = texel.sampler === null ? '-1' : handleText(writer, texel.sampler);
  const [colours, resident] = d.kind === 'pair' ? [d.first, d.second] : [d];
  const puts = elementsOf(colours!, 4).map((part, index) =>
    result === 'f32' ? writer.put(part, 'f32', `t[${index}]`) : writer.put(part, result!, `t[${index}] | 0`),
  );
  const read = `const t = unit.texel(${handleText(writer, texel.texture)}, ${sampler}, ${dimensions}, ${layered}, ${coordinate === 'f32'}, ${result === 'f32'}, l, ${channel});`;
  return {
    // All texels are there.
    run: writer.lanes(`${at} ${read} ${puts.join(' ')}`, unitText, resident && writer.putMask(resident, 'm')),
    access: { space: 'global', what: 'load', bytes: 4 },
  };
}

const components = ['r', 'g', 'b', 'a'];

/** tld4: one channel of four texels. */
const gathered: Definition = {
  words: [...components, '2d', 'a2d', 'v4'],
  exclusive: [components, ['2d', 'a2d']],
  types: [['u32', 's32', 'f32'], ['f32']],
  ...uniform([2, 2], 'memory', 'global'),
  lower: (writer, form, [d, a]) => {
    const channel = components.findIndex((word) => form.words.includes(word));
    if (channel < 0 || !form.words.includes('v4') || form.types.length !== 2)
      throw new UnknownForm(form.written, 'tld4 with r, g, b or a, a geometry, v4 and two types');
    return texelsRead(writer, form, d!, a!, channel);
  },
};

const bounds = ['trap', 'clamp', 'zero'];
const surfaceWords = ['b', ...Object.keys(flat), 'v2', 'v4', 'ca', 'cg', 'cs', 'cv', 'wb', 'wt'];

/** The statement that sets `at` to the address of the bytes of a surface, -1 for none. */
function surfaceText(writer: LaneWriter, form: Form, operand: ResolvedOperand, bytes: number): string {
  const { dimensions, layered } = geometryOf(form);
  const texel = texelOf(operand);
  if (!form.words.includes('b') || texel.sampler !== null)
    throw new UnknownForm(form.written, `${form.base}.b with [surface, {coordinates}]`);
  const bound = Math.max(
    0,
    bounds.findIndex((word) => form.words.includes(word)),
  );
  const at = coordinatesText(writer, form, texel, false);
  return `${at} const at = unit.surface(${handleText(writer, texel.texture)}, ${dimensions}, ${layered}, ${bytes}, ${bound}, l);`;
}

const surface = (what: 'load' | 'store'): Definition => ({
  words: [...surfaceWords, ...bounds],
  exclusive: [Object.keys(flat), bounds, ['v2', 'v4']],
  types: [['b8', 'b16', 'b32', 'b64']],
  ...uniform([2, 2], 'memory', 'global'),
  lower: (writer, form, operands) => {
    const type = form.types[0]!;
    const count = form.words.includes('v4') ? 4 : form.words.includes('v2') ? 2 : 1;
    const bytes = bytesOf(type) * count;
    if (bytes > 16) throw new UnknownForm(form.written, 'at most 16 bytes in one instruction');
    const [value, place] = what === 'load' ? operands : [operands[1], operands[0]];
    const located = surfaceText(writer, form, place!, bytes);
    const parts = elementsOf(value!, count);
    const part = what === 'load' ? loadPart : storePart;
    const moves = parts.map((one, index) => part(writer, type, one, index * bytesOf(type))).join(' ');
    const text =
      what === 'load'
        ? `${located} const { bytes, halves, words } = at < 0 ? unit.zeros : w.memory, x = at < 0 ? 0 : at - ${deviceBase}; ${moves}`
        : `${located} if (at >= 0) { const { bytes, halves, words } = w.memory, x = at - ${deviceBase}; ${moves} }`;
    return {
      run: writer.lanes(text, what === 'store' ? `w.memory.claim(); ${unitText}` : unitText),
      access: { space: 'global', what, bytes },
    };
  },
});

const questions = ['width', 'height', 'depth', 'array_size', 'channel_count', 'normalized_coords'];

/** txq, suq: what a texture or surface is. */
const question: Definition = {
  words: questions,
  exclusive: [questions],
  types: [['b32']],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { words, written }, [d, a]) => {
    const [asked] = words;
    if (asked === undefined || a!.kind !== 'memory' || a!.offset !== (a!.base === null ? a!.offset : 0))
      throw new UnknownForm(written, `one of ${questions.join(', ')}, and [texture]`);
    const handle: ResolvedOperand =
      a!.base === null
        ? {
            kind: 'symbol',
            space: a!.space === 'param' ? 'param' : 'global',
            address: a!.offset + (a!.space === 'param' ? parameterWindow : 0),
          }
        : { kind: 'register', register: a!.base };
    return {
      run: writer.lanes(
        writer.put(
          d!,
          'b32',
          `w.textureUnit.fact(${handleText(writer, handle)}, ${questions.indexOf(asked)}, l)`,
        ),
      ),
    };
  },
};

/** Textures and surfaces. */
export const textureInstructions: Definitions = {
  tex: formatted,
  tld4: gathered,
  suld: surface('load'),
  sust: surface('store'),
  txq: question,
  suq: question,
};
