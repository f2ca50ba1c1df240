/** Instructions of WebAssembly as bytes, what they take in front of them: every function here makes one expression of others. */
export type Code = readonly number[];

/** An unsigned number in groups of seven bits, the lowest first (WebAssembly specification, 5.2.2). */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** A signed number in groups of seven bits: the last group's highest bit is the sign. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest >= -64n && rest < 64n) return [...bytes, Number(rest & 0x7fn)];
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}

const binary =
  (opcode: number) =>
  (a: Code, b: Code): Code => [...a, ...b, opcode];
const unary =
  (opcode: number) =>
  (a: Code): Code => [...a, opcode];

/** Reads a local. */
export const get = (local: number): Code => [0x20, ...unsigned(local)];

/** Sets a local. */
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];

/** One of two values: the first where the condition is not 0. Both are worked out. */
export const select = (first: Code, second: Code, condition: Code): Code => [
  ...first,
  ...second,
  ...condition,
  0x1b,
];

/** Code that leaves nothing behind, where a condition holds and where it does not. */
export const branch = (condition: Code, yes: Code, no: Code): Code => [
  ...condition,
  0x04,
  0x40,
  ...yes,
  0x05,
  ...no,
  0x0b,
];

/** Repeats code, at least once, as long as a condition holds after it. */
export const repeat = (body: Code, condition: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...condition,
  0x0d,
  0x00,
  0x0b,
];

/** Whole numbers of 32 bits; comparisons give them too. */
export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(BigInt(value | 0))],
  load: (address: Code, offset: number): Code => [...address, 0x28, 2, ...unsigned(offset)],
  store: (address: Code, offset: number, value: Code): Code => [
    ...address,
    ...value,
    0x36,
    2,
    ...unsigned(offset),
  ],
  isZero: unary(0x45),
  equal: binary(0x46),
  lessUnsigned: binary(0x49),
  greater: binary(0x4a),
  greaterUnsigned: binary(0x4b),
  add: binary(0x6a),
  subtract: binary(0x6b),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shiftLeft: binary(0x74),
  shiftRight: binary(0x76),
  /** The lower half of a number of 64 bits. */
  lower: unary(0xa7),
} as const;

/** Whole numbers of 64 bits. */
export const i64 = {
  constant: (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))],
  isZero: unary(0x50),
  equal: binary(0x51),
  notEqual: binary(0x52),
  lessUnsigned: binary(0x54),
  greaterUnsigned: binary(0x56),
  leadingZeros: unary(0x79),
  add: binary(0x7c),
  subtract: binary(0x7d),
  multiply: binary(0x7e),
  and: binary(0x83),
  or: binary(0x84),
  shiftLeft: binary(0x86),
  shiftRight: binary(0x88),
  /** To the right with copies of the sign. */
  shiftRightSigned: binary(0x87),
  /** A number of 32 bits, taken as unsigned. */
  of: unary(0xad),
} as const;

/** A function of a module: parameters of 32 bits, no result; its locals come after the parameters. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  /** How many locals there are of 32 bits, and after them of 64. */
  readonly locals32: number;
  readonly locals64: number;
  readonly body: Code;
}

const typeI32 = 0x7f;
const typeI64 = 0x7e;

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(list(items))];
const text = (name: string): Code => sized([...name].map((letter) => letter.charCodeAt(0)));

/**
 * A module of functions over one memory, which it exports as `memory` (WebAssembly specification, 5.5).
 *
 * Details: `pages` of 64 KiB, fixed. Names are ASCII.
 */
export function wasmModule(functions: readonly WasmFunction[], pages: number): Uint8Array {
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const parameters = (count: number): Code => list(Array.from({ length: count }, () => [typeI32]));
  return Uint8Array.from([
    ...magicAndVersion,
    ...section(
      1,
      functions.map((one) => [0x60, ...parameters(one.parameters), 0]),
    ),
    ...section(
      3,
      functions.map((_, type) => unsigned(type)),
    ),
    ...section(5, [[1, ...unsigned(pages), ...unsigned(pages)]]),
    ...section(7, [
      [...text('memory'), 2, 0],
      ...functions.map(({ name }, at) => [...text(name), 0, ...unsigned(at)]),
    ]),
    ...section(
      10,
      functions.map(({ locals32, locals64, body }) =>
        sized([
          ...list([
            [...unsigned(locals32), typeI32],
            [...unsigned(locals64), typeI64],
          ]),
          ...body,
          0x0b,
        ]),
      ),
    ),
  ]);
}
