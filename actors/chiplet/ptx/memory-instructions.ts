import { deviceBase, localWindow, sharedWindow } from './address-space.ts';
import type { Definition, Definitions } from './definition.ts';
import { UnknownForm } from './definition.ts';
import type { AccessSpace, InstructionClass } from './instruction.ts';
import { type LaneWriter, nameOfKind, OperandMismatch, registerOf } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, bytesOf, isReal, isSigned, type ValueType, valueTypes } from './value-type.ts';

/*
 * Loads, stores and atomics (chiplet specification 7.1, 7.2): lanes in order, each with its checks, addresses left in `w.touched` for statistics and
 * timing.
 */

const spaces = ['global', 'shared', 'const', 'local', 'param'];
const orders = [
  'volatile',
  'weak',
  'relaxed',
  'acquire',
  'release',
  'acq_rel',
  'sys',
  'gpu',
  'cta',
  'cluster',
  'nc',
];
const caches = ['ca', 'cg', 'cs', 'lu', 'cv', 'wb', 'wt'];
const vectors: Readonly<Record<string, number>> = { v2: 2, v4: 4 };
const inMemory = valueTypes.filter((type) => type !== 'pred');

/** The space that an instruction names. Parameters of called functions lie in local memory. */
const spaceOf = ({ words }: Form, [first, second]: readonly ResolvedOperand[]): AccessSpace | 'frame' => {
  const named = (words.find((word) => spaces.includes(word)) ?? 'generic') as AccessSpace;
  const memory = first?.kind === 'memory' ? first : second;
  return named === 'param' && memory?.kind === 'memory' && memory.space === 'frame' ? 'frame' : named;
};

type MemoryOperand = Extract<ResolvedOperand, { kind: 'memory' }>;

const memoryOf = (operand: ResolvedOperand): MemoryOperand => {
  if (operand.kind !== 'memory') throw new OperandMismatch(nameOfKind(operand), 'an address in brackets');
  return operand;
};

/** The address of a lane, as a number. */
function addressText(writer: LaneWriter, { base, offset }: MemoryOperand): string {
  const by = writer.constant(offset);
  if (base === null) return by;
  if (base.special) throw new OperandMismatch(base.name, 'a register with an address');
  if (base.type === 'pred' || bitsOf(base.type) < 32)
    throw new OperandMismatch(base.name, 'a register of 32 or 64 bits');
  const at = writer.source(base);
  return bitsOf(base.type) === 64
    ? `(i[${at} + 2 * l] >>> 0) + i[${at} + 2 * l + 1] * 4294967296 + ${by}`
    : `(i[${at} + l] >>> 0) + ${by}`;
}

/** What has to be at hand before the lanes, and the statements that check `at` and set `x`, an index of bytes in the views. */
interface Place {
  readonly before: string;
  readonly locate: string;
}

/** Where the bytes of an address are. `size` is what a lane touches. */
function placeOf(space: AccessSpace | 'frame', size: number, writes: boolean): Place {
  const aligned = `if (at % ${size} !== 0) w.misaligned(at, ${size}, l);`;
  const device = `if (at < low || at + ${size} > high) { if (!memory.find(at, ${size})) w.outside(at, ${size}, l); low = memory.low; high = memory.high; }`;
  const claim = writes ? 'memory.claim();' : '';
  const beforeDevice = `const memory = w.memory; ${claim} let low = memory.low, high = memory.high; const touched = w.touched;`;
  const shared = `if (!(at >= 0 && at + ${size} <= near.bytes.length)) w.outside(at, ${size}, l, 'shared');`;
  const local = `if (!(at >= 0 && at + ${size} <= w.localBytes)) w.outside(at, ${size}, l, 'local');`;
  const localTouched = '(at >>> 2) * 128 + l * 4';
  switch (space) {
    case 'global':
    case 'const':
      return {
        before: `${beforeDevice} const { bytes, halves, words } = memory;`,
        locate: `${device} ${aligned} touched[l] = at; const x = at - ${deviceBase};`,
      };
    case 'shared':
      return {
        before: 'const near = w.shared; const { bytes, halves, words } = near; const touched = w.touched;',
        locate: `${shared} ${aligned} touched[l] = at; const x = at;`,
      };
    case 'local':
    case 'frame':
      return {
        before: 'const { bytes, halves, words } = w.local; const touched = w.touched;',
        locate: `${local} ${aligned} touched[l] = ${localWindow} + w.localTouched + ${localTouched}; const x = w.localOf(l) + at;`,
      };
    default:
      return {
        before: `${beforeDevice} const near = w.shared, own = w.local;`,
        locate: `let at = generic, x, views; if (generic >= ${sharedWindow}) { at -= ${sharedWindow}; ${shared} x = at; views = near; touched[l] = generic; } else if (generic >= ${localWindow}) { at -= ${localWindow}; ${local} x = w.localOf(l) + at; views = own; touched[l] = ${localWindow} + w.localTouched + ${localTouched}; } else { ${device} x = at - ${deviceBase}; views = memory; touched[l] = at; } ${aligned} const { bytes, halves, words } = views;`,
      };
  }
}

const addressName = (space: AccessSpace | 'frame'): string => (space === 'generic' ? 'generic' : 'at');

/** The element at byte `by` after `x`, as text: an integer of up to 32 bits. */
function elementText(type: ValueType, by: number): string {
  const at = by === 0 ? 'x' : `x + ${by}`;
  switch (bytesOf(type)) {
    case 1:
      return isSigned(type) ? `(bytes[${at}] << 24 >> 24)` : `bytes[${at}]`;
    case 2:
      return isSigned(type) ? `(halves[${at} >>> 1] << 16 >> 16)` : `halves[${at} >>> 1]`;
    default:
      return `words[${at} >>> 2]`;
  }
}

const elementsOf = (operand: ResolvedOperand, count: number): readonly ResolvedOperand[] => {
  if (count === 1) return [operand];
  if (operand.kind !== 'vector' || operand.parts.length !== count)
    throw new OperandMismatch(nameOfKind(operand), `${count} registers in braces`);
  return operand.parts;
};

const vectorOf = ({ words }: Form): number => vectors[words.find((word) => word in vectors) ?? ''] ?? 1;

const classes: Readonly<Record<AccessSpace, InstructionClass>> = {
  global: 'global',
  generic: 'global',
  local: 'global',
  shared: 'shared',
  const: 'constant',
  param: 'constant',
};

const accessClass = (form: Form): InstructionClass => classes[spaceOf(form, []) as AccessSpace];

const shown = (space: AccessSpace | 'frame'): AccessSpace => (space === 'frame' ? 'param' : space);

const load: Definition = {
  words: [...spaces, ...orders, ...caches, ...Object.keys(vectors)],
  types: [inMemory],
  operands: [2, 2],
  kind: 'memory',
  class: accessClass,
  lower: (writer, form, operands) => {
    const [d, a] = operands;
    const type = form.types[0]!;
    const memory = memoryOf(a!);
    const space = spaceOf(form, operands);
    const parts = elementsOf(d!, vectorOf(form));
    const access = { space: shown(space), what: 'load', bytes: bytesOf(type) * parts.length } as const;
    if (space === 'param') {
      if (memory.base !== null || memory.space !== 'param')
        throw new OperandMismatch('an address in a register', 'the name of a parameter');
      const puts = parts.map((part, at) => loadPart(writer, type, part, at * bytesOf(type)));
      const x = writer.constant(memory.offset);
      return {
        run: writer.lanes(
          `const x = ${x}; ${puts.join(' ')}`,
          'const { bytes, halves, words } = w.parameters;',
        ),
        access,
      };
    }
    const place = placeOf(space, access.bytes, false);
    const puts = parts.map((part, at) => loadPart(writer, type, part, at * bytesOf(type)));
    const text = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate} ${puts.join(' ')}`;
    return { run: writer.lanes(text, place.before), access };
  },
};

/** The register may be wider than what is loaded: signed types fill it with the sign, others with zeros. */
function loadPart(writer: LaneWriter, type: ValueType, part: ResolvedOperand, by: number): string {
  if (part.kind === 'sink') return '';
  if (bitsOf(type) === 64)
    return writer.putWide(part, type, { low: elementText('b32', by), high: elementText('b32', by + 4) });
  const register = registerOf(part);
  const plain: ValueType = isReal(type) ? 'b32' : type;
  // A real goes where reals go.
  if (isReal(type) && bitsOf(register.type) !== 32)
    throw new OperandMismatch(`${register.name} of .${register.type}`, 'a register of 32 bits');
  return writer.put(part, plain, elementText(plain, by), true);
}

const store: Definition = {
  words: [...spaces, ...orders, ...caches, ...Object.keys(vectors)],
  types: [inMemory],
  operands: [2, 2],
  kind: 'memory',
  class: accessClass,
  lower: (writer, form, operands) => {
    const [a, d] = operands;
    const type = form.types[0]!;
    const memory = memoryOf(a!);
    const space = spaceOf(form, operands);
    if (space === 'const' || space === 'param')
      throw new OperandMismatch(`an address of .${space}`, 'memory that can be written');
    const parts = elementsOf(d!, vectorOf(form));
    const access = { space: shown(space), what: 'store', bytes: bytesOf(type) * parts.length } as const;
    const place = placeOf(space, access.bytes, true);
    const puts = parts.map((part, at) => storePart(writer, type, part, at * bytesOf(type)));
    const text = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate} ${puts.join(' ')}`;
    return { run: writer.lanes(text, place.before), access };
  },
};

function storePart(writer: LaneWriter, type: ValueType, part: ResolvedOperand, by: number): string {
  const at = by === 0 ? 'x' : `x + ${by}`;
  if (bitsOf(type) === 64) {
    const { low, high } = writer.wide(part, type);
    return `words[${at} >>> 2] = ${low}; words[(${at} >>> 2) + 1] = ${high};`;
  }
  const plain: ValueType = isReal(type) ? 'b32' : type;
  const value = writer.value(part, plain, true);
  const view = { 1: `bytes[${at}]`, 2: `halves[${at} >>> 1]`, 4: `words[${at} >>> 2]` }[bytesOf(type)]!;
  return `${view} = ${value};`;
}

/** New content from the old one and the operands b, c. */
const changes: Readonly<Record<string, (type: ValueType) => string | undefined>> = {
  add: (type) => (type === 'f32' ? 'h.bitsOfReal(h.realOf(old) + h.realOf(b))' : 'old + b | 0'),
  min: (type) => lesser(type, '<'),
  max: (type) => lesser(type, '>'),
  and: () => 'old & b',
  or: () => 'old | b',
  xor: () => 'old ^ b',
  exch: () => 'b',
  cas: () => 'old === b ? c : old',
  inc: () => '(old >>> 0 >= b >>> 0 ? 0 : old + 1 | 0)',
  dec: () => '(old === 0 || old >>> 0 > b >>> 0 ? b : old - 1 | 0)',
};

const lesser = (type: ValueType, order: string): string | undefined =>
  isReal(type)
    ? undefined
    : isSigned(type)
      ? `(b ${order} old ? b : old)`
      : `(b >>> 0 ${order} old >>> 0 ? b : old)`;

const wideChanges: Readonly<Record<string, string>> = {
  add: 'rl = ol + bl | 0; rh = oh + bh + (rl >>> 0 < ol >>> 0 ? 1 : 0) | 0;',
  exch: 'rl = bl; rh = bh;',
  cas: 'if (ol === bl && oh === bh) { rl = cl; rh = ch; } else { rl = ol; rh = oh; }',
  and: 'rl = ol & bl; rh = oh & bh;',
  or: 'rl = ol | bl; rh = oh | bh;',
  xor: 'rl = ol ^ bl; rh = oh ^ bh;',
};

const atomicTypes: readonly ValueType[] = ['b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64'];

/** atom and red: one lane after the other, none between the reading and the writing of another (chiplet specification 7.2). */
const atomic = (returns: boolean): Definition => ({
  words: ['global', 'shared', ...orders, ...Object.keys(changes)],
  types: [atomicTypes],
  operands: returns ? [3, 4] : [2, 3],
  kind: 'memory',
  class: () => 'atomic',
  lower: (writer, form, operands) => {
    const [d, a, b, c] = returns ? operands : [{ kind: 'sink' } as const, ...operands];
    const type = form.types[0]!;
    const what = form.words.find((word) => word in changes) ?? '';
    const wide = bitsOf(type) === 64;
    const change = wide ? wideChanges[what] : changes[what]?.(type);
    if (change === undefined || (what === 'cas') !== (c !== undefined)) throw new UnknownForm(form.written);
    if (isReal(type) && what !== 'add' && what !== 'exch') throw new UnknownForm(form.written);
    const memory = memoryOf(a!);
    const space = spaceOf(form, operands);
    const place = placeOf(space, bytesOf(type), true);
    const address = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate}`;
    const access = { space: shown(space), what: 'atomic', bytes: bytesOf(type) } as const;
    if (wide) {
      const [y, z] = [writer.wide(b!, type), c === undefined ? undefined : writer.wide(c, type)];
      const read = `const bl = ${y.low}, bh = ${y.high}, ol = words[x >>> 2], oh = words[(x >>> 2) + 1]; let rl, rh;`;
      const third = z === undefined ? '' : `const cl = ${z.low}, ch = ${z.high};`;
      const written = 'words[x >>> 2] = rl; words[(x >>> 2) + 1] = rh;';
      const result = writer.putWide(d!, type, { low: 'ol', high: 'oh' });
      return {
        run: writer.lanes(`${address} ${read} ${third} ${change} ${written} ${result}`, place.before),
        access,
      };
    }
    const plain: ValueType = isReal(type) ? 'b32' : type;
    const third = c === undefined ? '' : `const c = ${writer.value(c, plain)};`;
    const read = `const b = ${writer.value(b!, plain)}, old = words[x >>> 2]; ${third}`;
    const result = d!.kind === 'sink' ? '' : writer.put(d!, plain, 'old');
    return {
      run: writer.lanes(`${address} ${read} words[x >>> 2] = ${change}; ${result}`, place.before),
      access,
    };
  },
});

/** Loads, stores, atomics. */
export const memoryInstructions: Definitions = {
  ld: load,
  ldu: load,
  st: store,
  atom: atomic(true),
  red: atomic(false),
};
