import * as arithmetic from './arithmetic.ts';
import type { CompileOptions } from './compile-options.ts';
import type { LaneFunction, LaneValue } from './instruction.ts';
import type { Register, ResolvedOperand } from './resolved.ts';
import * as specialFunctions from './special-functions.ts';
import type { ValueType } from './value-type.ts';
import { bitsOf, isBits, isHalf, isReal, isSigned } from './value-type.ts';

/*
 * Functions over the 32 lanes of a warp, written as text and made once for each text: places of registers and constants are handed to them, so that
 * all additions of a program share one function.
 *
 * In the text `i`, `f`, `d` are the registers as integers, 32-bit and 64-bit reals, `l` is the lane, `m` the mask, `h` the arithmetic, `u` the unit for
 * special functions.
 */

type Maker = (h: typeof arithmetic, u: typeof specialFunctions, ...values: number[]) => LaneFunction;

/** The same text always makes the same function. */
const makers = new Map<string, Maker>();

/** The halves of a 64-bit integer, as text. */
export interface WideText {
  readonly low: string;
  readonly high: string;
}

/** Why an operand does not fit; the caller knows the place. */
export class OperandMismatch extends Error {
  constructor(
    readonly found: string,
    readonly expected: string,
  ) {
    super(`found ${found}, expected ${expected}`);
  }
}

/** Writes the function of one instruction. */
export class LaneWriter {
  readonly #values: number[] = [];

  constructor(
    /** To which end of its bound an approximate result is moved; 0 for not at all. */
    readonly side: -1 | 0 | 1 = 0,
    readonly approximations: NonNullable<CompileOptions['approximations']> = 'exact',
  ) {}

  readonly read: Register[] = [];
  readonly written: Register[] = [];

  /** A constant of the function. */
  constant(value: number): string {
    this.#values.push(value);
    return `k${this.#values.length - 1}`;
  }

  /** The place of a register that is read. */
  source(register: Register): string {
    this.read.push(register);
    return this.constant(register.slot);
  }

  /** The place of a register that is written. */
  target(register: Register): string {
    this.written.push(register);
    return this.constant(register.slot);
  }

  /** An operand as a number: an integer of up to 32 bits, sign or zero extended by its type, or a real. `loose` lets wider registers pass. */
  value(operand: ResolvedOperand, type: ValueType, loose = false): string {
    const bits = bitsOf(type);
    switch (operand.kind) {
      case 'register': {
        const { register } = operand;
        checkKind(register, type);
        const time = timeOf(register.name);
        if (time !== undefined)
          return narrowed(register.name.endsWith('_hi') ? `(${time.high} | 0)` : time.low, type);
        if (!register.special) checkWidth(register, type, loose);
        if (type === 'f32') return `f[${this.source(register)} + l]`;
        if (type === 'f64') return `d[${this.#half(register)} + l]`;
        const lane = bitsOf(register.type) === 64 ? '2 * l' : 'l';
        return narrowed(`i[${this.source(register)} + ${lane}]`, type);
      }
      case 'whole':
        if (type === 'f32') return this.constant(Math.fround(Number(operand.value)));
        if (type === 'f64') return this.constant(Number(operand.value));
        return this.constant(
          Number(
            isSigned(type) || bits === 32
              ? BigInt.asIntN(bits, operand.value)
              : BigInt.asUintN(bits, operand.value),
          ),
        );
      case 'real':
        if (type === 'b32') return this.constant(arithmetic.bitsOfReal(operand.value));
        if (!isReal(type)) throw new OperandMismatch('a real number', `a value of .${type}`);
        return this.constant(type === 'f32' ? Math.fround(operand.value) : operand.value);
      case 'symbol':
        if (bits !== 32) throw new OperandMismatch('an address', `a value of .${type}`);
        return this.#address(operand);
      default:
        throw new OperandMismatch(nameOfKind(operand), `a register or a value of .${type}`);
    }
  }

  /** What `value` gives, for a real its bits: they are moved as they are, not as numbers. */
  valueBits(operand: ResolvedOperand, type: ValueType, loose = false): string {
    if (type !== 'f32') return this.value(operand, type, loose);
    if (operand.kind === 'register') checkKind(operand.register, type);
    if (operand.kind === 'whole') return this.valueBits({ kind: 'real', value: Number(operand.value) }, type);
    return this.value(operand, 'b32', loose);
  }

  /** What `put` does, for a real with its bits. */
  putBits(operand: ResolvedOperand, type: ValueType, bits: string, loose = false): string {
    if (type !== 'f32') return this.put(operand, type, bits, loose);
    if (operand.kind === 'register') checkKind(operand.register, type);
    return this.put(operand, 'b32', bits, loose);
  }

  /** An operand as the halves of a 64-bit value. */
  wide(operand: ResolvedOperand, type: ValueType): WideText {
    switch (operand.kind) {
      case 'register': {
        const { register } = operand;
        checkKind(register, type);
        if (bitsOf(register.type) !== 64) checkWidth(register, type, false);
        const time = timeOf(register.name);
        if (time !== undefined) return time;
        const at = this.source(register);
        return { low: `i[${at} + 2 * l]`, high: `i[${at} + 2 * l + 1]` };
      }
      case 'whole':
        if (type === 'f64') return this.wide({ kind: 'real', value: Number(operand.value) }, type);
        return {
          low: this.constant(Number(BigInt.asIntN(32, operand.value))),
          high: this.constant(Number(BigInt.asIntN(32, operand.value >> 32n))),
        };
      case 'real': {
        if (type !== 'f64' && type !== 'b64')
          throw new OperandMismatch('a real number', `a value of .${type}`);
        const bits = new Int32Array(new Float64Array([operand.value]).buffer);
        return { low: this.constant(bits[0]!), high: this.constant(bits[1]!) };
      }
      case 'symbol':
        return { low: this.#address(operand), high: this.constant(0) };
      default:
        throw new OperandMismatch(nameOfKind(operand), `a register or a value of .${type}`);
    }
  }

  /** The words of values of 32, 64 or 128 bits, one behind the other. */
  words(operands: readonly ResolvedOperand[], type: ValueType): readonly string[] {
    return operands.flatMap((operand) => {
      if (bitsOf(type) === 32) return [this.value(operand, 'b32')];
      if (bitsOf(type) === 64) return Object.values(this.wide(operand, 'b64'));
      if (operand.kind === 'whole')
        return [0n, 32n, 64n, 96n].map((by) => this.constant(Number(BigInt.asIntN(32, operand.value >> by))));
      const at = this.source(registerOf(operand, type));
      return [0, 1, 2, 3].map((word) => `i[${at} + 4 * l + ${word}]`);
    });
  }

  /** The statements that put words into registers of 32, 64 or 128 bits. */
  putWords(operands: readonly ResolvedOperand[], type: ValueType, words: readonly string[]): string {
    const count = bitsOf(type) / 32;
    const puts = operands.map((operand, index) => {
      const [low = '', high = '', ...more] = words.slice(index * count, (index + 1) * count);
      if (count === 1) return this.put(operand, 'b32', low);
      if (count === 2) return this.putWide(operand, 'b64', { low, high });
      if (operand.kind === 'sink') return '';
      const at = this.target(registerOf(operand, type));
      return [low, high, ...more].map((text, word) => `i[${at} + 4 * l + ${word}] = ${text};`).join(' ');
    });
    return puts.join(' ');
  }

  /** A predicate as a word with one bit a lane. */
  mask(operand: ResolvedOperand): string {
    if (operand.kind === 'whole') return operand.value === 0n ? '0' : '-1';
    if (operand.kind !== 'register' && operand.kind !== 'negated')
      throw new OperandMismatch(nameOfKind(operand), 'a predicate');
    checkPredicate(operand.register);
    const word = `i[${this.source(operand.register)}]`;
    return operand.kind === 'negated' ? `~${word}` : word;
  }

  /** An operand that a step reads lane by lane. */
  laneValue(operand: ResolvedOperand): LaneValue {
    if (operand.kind === 'whole') return { slot: -1, value: Number(BigInt.asIntN(32, operand.value)) };
    if (operand.kind !== 'register' || bitsOf(operand.register.type) !== 32)
      throw new OperandMismatch(nameOfKind(operand), 'a register of 32 bits or a number');
    this.read.push(operand.register);
    return { slot: operand.register.slot, value: 0 };
  }

  /** A register with an address, which a step reads lane by lane. */
  laneAddress(operand: ResolvedOperand): void {
    if (operand.kind !== 'register' || operand.register.special || bitsOf(operand.register.type) < 32)
      throw new OperandMismatch(nameOfKind(operand), 'a register of 32 or 64 bits with an address');
    this.read.push(operand.register);
  }

  /** The statement that puts a number into a register, rounded or cut to its type. `loose` lets wider registers pass. */
  put(operand: ResolvedOperand, type: ValueType, value: string, loose = false): string {
    if (operand.kind === 'sink') return `${value};`;
    const register = registerOf(operand);
    checkKind(register, type);
    checkWidth(register, type, loose);
    // What is no number has always the same bits, of 32 those of a GPU; other bits would depend on how this program was compiled.
    if (bitsOf(register.type) === 64) {
      if (type === 'f64')
        return `{ const at = ${this.#halfTarget(register)} + l, real = ${value}; d[at] = real; if (real !== real) { i[2 * at] = 0; i[2 * at + 1] = 2146959360; } }`;
      const at = this.target(register);
      const high = isSigned(type) ? 'v >> 31' : '0';
      return `{ const v = ${value}; i[${at} + 2 * l] = v; i[${at} + 2 * l + 1] = ${high}; }`;
    }
    const at = this.target(register);
    if (type === 'f32')
      return `{ const real = ${value}; f[${at} + l] = real; if (real !== real) i[${at} + l] = 2147483647; }`;
    const cut =
      bitsOf(register.type) === 16
        ? `(${value}) & 65535`
        : bitsOf(register.type) === 8
          ? `(${value}) & 255`
          : value;
    return `i[${at} + l] = ${cut};`;
  }

  /** The statement that puts the halves of a 64-bit value into a register. */
  putWide(operand: ResolvedOperand, type: ValueType, { low, high }: WideText): string {
    if (operand.kind === 'sink') return '';
    const register = registerOf(operand);
    checkKind(register, type);
    checkWidth(register, type, false);
    const at = this.target(register);
    return `i[${at} + 2 * l] = ${low}; i[${at} + 2 * l + 1] = ${high};`;
  }

  /** The statement that puts a word of lane bits into a predicate, for the lanes of the mask. */
  putMask(operand: ResolvedOperand, word: string): string {
    if (operand.kind === 'sink') return '';
    const register = registerOf(operand);
    checkPredicate(register);
    const at = this.target(register);
    return `i[${at}] = i[${at}] & ~m | ${word} & m;`;
  }

  /** The function that does `body` in each lane of the mask, between what comes before and after. */
  lanes(body: string, before = '', after = ''): LaneFunction {
    return this.whole(
      `${before} if (m === -1) for (let l = 0; l < 32; l++) { ${body} } else for (let l = 0; l < 32; l++) if (m >>> l & 1) { ${body} } ${after}`,
    );
  }

  /** The function with this body. */
  whole(body: string): LaneFunction {
    const names = this.#values.map((_, at) => `k${at}`);
    const key = `${names.length} ${body}`;
    let maker = makers.get(key);
    if (maker === undefined) {
      const text = `return function (w, m) { const i = w.i, f = w.f, d = w.d; ${body} }`;
      maker = new Function('h', 'u', ...names, text) as Maker;
      makers.set(key, maker);
    }
    return maker(arithmetic, specialFunctions, ...this.#values);
  }

  /** An address: that of a frame depends on who calls. */
  #address({ address, framed }: Extract<ResolvedOperand, { kind: 'symbol' }>): string {
    const first = this.constant(address | 0);
    return framed ? `(${first} + w.frame)` : first;
  }

  #half(register: Register): string {
    this.read.push(register);
    return this.constant(register.slot >> 1);
  }

  #halfTarget(register: Register): string {
    this.written.push(register);
    return this.constant(register.slot >> 1);
  }
}

/** The register that an operand must be, of the width of a type where one is given. */
export function registerOf(operand: ResolvedOperand, type?: ValueType): Register {
  if (operand.kind !== 'register') throw new OperandMismatch(nameOfKind(operand), 'a register');
  if (operand.register.special)
    throw new OperandMismatch(operand.register.name, 'a register that can be written');
  if (type !== undefined) checkWidth(operand.register, type, false);
  return operand.register;
}

/** The text of an integer taken as its type: cut, and extended to 32 bits. */
export function narrowed(text: string, type: ValueType): string {
  if (bitsOf(type) === 8) return isSigned(type) ? `(${text} << 24 >> 24)` : `(${text} & 255)`;
  if (bitsOf(type) === 16) return isSigned(type) ? `(${text} << 16 >> 16)` : `(${text} & 65535)`;
  return text;
}

function checkPredicate(register: Register): void {
  if (register.type !== 'pred')
    throw new OperandMismatch(`${register.name} of .${register.type}`, 'a predicate');
}

const kindOf = (type: ValueType): string => {
  if (isBits(type)) return 'b';
  if (isReal(type)) return 'f';
  return isHalf(type) || /^e|^tf32|^f32x2/.test(type) ? type : 'i';
};

/** What the registers that tell time read, as text: cycles, or nanoseconds, of which a cycle counts as one. */
const timeOf = (name: string): WideText | undefined =>
  name.startsWith('%clock') || name.startsWith('%globaltimer')
    ? { low: '(w.clock | 0)', high: 'Math.floor(w.clock / 4294967296)' }
    : undefined;

/** Reals and integers do not stand for each other; registers and instructions of plain bits take both. */
export function checkKind(register: Register, type: ValueType): void {
  const kinds = [register.type, type].map(kindOf);
  if (register.type === 'pred' || kinds.includes('b') || kinds[0] === kinds[1]) return;
  throw new OperandMismatch(
    `${register.name} of .${register.type}`,
    `a register of .${type} or of plain bits`,
  );
}

function checkWidth(register: Register, type: ValueType, loose: boolean): void {
  const has = bitsOf(register.type);
  const wants = bitsOf(type);
  const fits = register.type !== 'pred' && (loose ? has >= wants : has === wants);
  if (!fits)
    throw new OperandMismatch(`${register.name} of .${register.type}`, `a register of ${wants} bits`);
}

/** What kind of operand it is, in words. */
export function nameOfKind(operand: ResolvedOperand): string {
  const names = {
    register: 'a register',
    part: 'a part of a register',
    opposite: 'a number with a minus',
    whole: 'a number',
    real: 'a real number',
    symbol: 'an address',
    memory: 'an address in brackets',
    texel: 'a place in a texture',
    vector: 'a list in braces',
    pair: 'two names',
    negated: 'a negated predicate',
    sink: '"_"',
    label: 'a label',
  } as const;
  return names[operand.kind];
}
