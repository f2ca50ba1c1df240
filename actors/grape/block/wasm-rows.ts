import type { Planes } from './planes.ts';
import { type RowArithmetic, scriptRows } from './row-arithmetic.ts';
import { wasmModule } from './wasm-code.ts';
import { wasmKernels } from './wasm-kernels.ts';
import { wasmLanesMax, wasmPages, wasmPlanes } from './wasm-words.ts';

/** What is used of WebAssembly: browsers and Node have it, and neither's types are among those of the project. */
interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** What the module gives. */
interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer };
  addLong(count: number, flip: number): void;
  addShort(count: number, flip: number): void;
  addPartsLong(count: number, flip: number): void;
  addPartsShort(count: number, flip: number): void;
  multiplyLong(count: number): void;
  multiplyShort(count: number): void;
  multiplyPart0(count: number): void;
  multiplyPart1(count: number): void;
  shiftLeft(count: number): void;
  shiftRight(count: number): void;
  shiftRightSigned(count: number): void;
}

/**
 * Arithmetic in WebAssembly, or in JavaScript where there is none: the module is made here, of `wasm-kernels.ts`.
 *
 * Details: results are those of the reference, bit for bit (GRAPE specification 13.9). All blocks share the one memory, which holds operands and
 * results of one operation at a time; nothing in it outlives the operation. Rows of more than 4096 lanes go through JavaScript.
 */
export function wasmRows(host: WebAssemblyHost | null = hostHere()): RowArithmetic {
  if (host === null) return scriptRows;
  const { exports } = new host.Instance(new host.Module(wasmModule(wasmKernels, wasmPages)));
  const kernels = exports as Kernels;
  const planes = (at: (typeof wasmPlanes)['a'], lanes: number): Planes => ({
    se: new Int32Array(kernels.memory.buffer, at.se, lanes),
    high: new Int32Array(kernels.memory.buffer, at.high, lanes),
    low: new Int32Array(kernels.memory.buffer, at.low, lanes),
  });
  const [a, b] = [planes(wasmPlanes.a, wasmLanesMax), planes(wasmPlanes.b, wasmLanesMax)];
  const results = resultsBySize((lanes) => planes(wasmPlanes.result, lanes));
  /** Runs a kernel on the first words of two operands. */
  const through = (left: Planes, right: Planes, result: Planes, count: number, run: () => void): void => {
    bring(left, a, count);
    bring(right, b, count);
    run();
    take(results(count), result);
  };
  return {
    operands: (lanes) =>
      lanes > wasmLanesMax
        ? scriptRows.operands(lanes)
        : { a: planes(wasmPlanes.a, lanes), b: planes(wasmPlanes.b, lanes) },
    add(left, right, result, count, sub, round) {
      if (count > wasmLanesMax) scriptRows.add(left, right, result, count, sub, round);
      else {
        const add = round ? kernels.addShort : kernels.addLong;
        through(left, right, result, count, () => add(count, sub ? negative : 0));
      }
    },
    addParts(left, right, result, count, sub, round) {
      if (count > wasmLanesMax) scriptRows.addParts(left, right, result, count, sub, round);
      else {
        const add = round ? kernels.addPartsShort : kernels.addPartsLong;
        through(left, right, result, count, () => add(count, sub ? negative : 0));
      }
    },
    multiply(left, right, result, count, round) {
      if (count > wasmLanesMax) scriptRows.multiply(left, right, result, count, round);
      else {
        const multiply = round ? kernels.multiplyShort : kernels.multiplyLong;
        through(left, right, result, count, () => multiply(count));
      }
    },
    multiplyPart(left, right, result, count, second) {
      if (count > wasmLanesMax) scriptRows.multiplyPart(left, right, result, count, second);
      else {
        const multiply = second ? kernels.multiplyPart1 : kernels.multiplyPart0;
        through(left, right, result, count, () => multiply(count));
      }
    },
    shift(op, signed, left, right, result, count) {
      if (count > wasmLanesMax) scriptRows.shift(op, signed, left, right, result, count);
      else {
        const { shiftLeft, shiftRight, shiftRightSigned } = kernels;
        const shift = op === 'lsl' ? shiftLeft : signed ? shiftRightSigned : shiftRight;
        through(left, right, result, count, () => shift(count));
      }
    },
  };
}

/** The sign of a word, where it lies in its plane. */
const negative = 0x800;

const hostHere = (): WebAssemblyHost | null =>
  (globalThis as { readonly WebAssembly?: WebAssemblyHost }).WebAssembly ?? null;

/** Views of the result by their length, made once each: a copy of a whole array is the fastest. */
function resultsBySize(make: (lanes: number) => Planes): (lanes: number) => Planes {
  const made: Planes[] = [];
  return (lanes) => {
    made[lanes] ??= make(lanes);
    return made[lanes];
  };
}

/** Brings the first words of an operand to its place in memory, unless it was made there. */
function bring(from: Planes, to: Planes, count: number): void {
  if (from.se.buffer === to.se.buffer && from.se.byteOffset === to.se.byteOffset) return;
  const whole = from.se.length === count;
  to.se.set(whole ? from.se : from.se.subarray(0, count));
  to.high.set(whole ? from.high : from.high.subarray(0, count));
  to.low.set(whole ? from.low : from.low.subarray(0, count));
}

function take(from: Planes, to: Planes): void {
  to.se.set(from.se);
  to.high.set(from.high);
  to.low.set(from.low);
}
