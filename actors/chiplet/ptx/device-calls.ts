import { deviceBase, localWindow, sharedWindow } from './address-space.ts';
import type { Definition, Definitions } from './definition.ts';
import { OperandMismatch } from './lane-writer.ts';
import { realText } from './printf-reals.ts';
import type { ResolvedOperand } from './resolved.ts';
import type { Warp } from './warp.ts';

/*
 * Functions that the system of a GPU brings and that a text only declares: vprintf, malloc, free, __assertfail (CUDA programming guide, formatted output, dynamic
 * global memory allocation, assertion).
 */

/** A value of up to 64 bits that a lane has in its local memory. */
function localValue(warp: Warp, lane: number, offset: number, bytes: 4 | 8): number {
  const { words } = warp.local;
  const at = (warp.localOf(lane) + offset) >>> 2;
  return (words[at]! >>> 0) + (bytes === 8 ? words[at + 1]! * 4294967296 : 0);
}

function putLocal(warp: Warp, lane: number, offset: number, value: number): void {
  const { words } = warp.local;
  const at = (warp.localOf(lane) + offset) >>> 2;
  words[at] = value | 0;
  words[at + 1] = Math.floor(value / 4294967296);
}

/** The byte at a generic address. Errors: `MemoryFault`. */
function byteAt(warp: Warp, lane: number, address: number): number {
  if (address >= sharedWindow)
    return warp.shared.bytes[address - sharedWindow] ?? warp.outside(address, 1, lane, 'shared');
  if (address >= localWindow) {
    const at = address - localWindow;
    if (at >= warp.localBytes) warp.outside(at, 1, lane, 'local');
    return warp.local.bytes[warp.localOf(lane) + at]!;
  }
  if (!warp.memory.find(address, 1)) warp.outside(address, 1, lane);
  return warp.memory.bytes[address - deviceBase]!;
}

/** Characters that a text may have: what is longer has no end in it. */
const textMost = 4096;

function textAt(warp: Warp, lane: number, address: number): string {
  const bytes: number[] = [];
  while (bytes.length < textMost) {
    const byte = byteAt(warp, lane, address + bytes.length);
    if (byte === 0) break;
    bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Arguments of printf, one behind the other, each at a multiple of its size. */
class Arguments {
  #at: number;

  constructor(
    readonly warp: Warp,
    readonly lane: number,
    first: number,
  ) {
    this.#at = first;
  }

  next(bytes: 4 | 8): DataView {
    this.#at = Math.ceil(this.#at / bytes) * bytes;
    const view = new DataView(new ArrayBuffer(8));
    for (let at = 0; at < bytes; at++) view.setUint8(at, byteAt(this.warp, this.lane, this.#at + at));
    this.#at += bytes;
    return view;
  }
}

const conversion = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|z|t|j)?([diouxXcspeEfFgGaA%])/g;

/** Widths and precisions up to which every C library goes. */
const countMax = 4095;

/** What printf writes. */
function formatted(format: string, values: Arguments): string {
  return format.replace(conversion, (_, flags: string, given = '', precision, size = '', kind: string) => {
    if (kind === '%') return '%';
    const count = (text: string): number => {
      const asked = text === '*' ? values.next(4).getInt32(0, true) : Number(text);
      return Math.max(-countMax, Math.min(asked, countMax));
    };
    const width = count(given);
    const wide = Math.abs(width);
    const most = precision === undefined ? -1 : count(precision);
    // A precision below 0 counts as none.
    const digits = most < 0 ? undefined : most;
    const body = converted(kind, size, digits, flags, values);
    if (flags.includes('-') || width < 0) return body.padEnd(wide);
    const isReal = 'eEfFgGaA'.includes(kind);
    // Infinities and what is no number are filled up with spaces.
    const zeros =
      flags.includes('0') && !'cs'.includes(kind) && (isReal ? !/[ni]/i.test(body) : digits === undefined);
    if (!zeros) return body.padStart(wide);
    const sign = /^[-+ ]/.exec(body)?.[0] ?? '';
    const mark = /^0x/i.exec(body.slice(sign.length))?.[0] ?? '';
    const front = sign + mark;
    return front + body.slice(front.length).padStart(wide - front.length, '0');
  });
}

function converted(
  kind: string,
  size: string,
  digits: number | undefined,
  flags: string,
  values: Arguments,
): string {
  const long = ['l', 'll', 'z', 't', 'j'].includes(size) || kind === 'p';
  const bits = long ? 64 : size === 'hh' ? 8 : size === 'h' ? 16 : 32;
  const plus = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const padded = (text: string): string =>
    digits === 0 && text === '0' ? '' : text.padStart(digits ?? 0, '0');
  switch (kind) {
    case 'd':
    case 'i': {
      const view = values.next(long ? 8 : 4);
      const value = BigInt.asIntN(bits, long ? view.getBigInt64(0, true) : BigInt(view.getInt32(0, true)));
      return value < 0n ? `-${padded(String(-value))}` : `${plus}${padded(String(value))}`;
    }
    case 'c':
      return String.fromCharCode(values.next(4).getUint8(0));
    case 's':
      return textAt(values.warp, values.lane, Number(values.next(8).getBigUint64(0, true))).slice(0, digits);
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p': {
      const view = values.next(long ? 8 : 4);
      const value = BigInt.asUintN(bits, view.getBigUint64(0, true));
      const text = padded(value.toString({ u: 10, o: 8 }[kind as 'u' | 'o'] ?? 16));
      if (kind === 'o') return flags.includes('#') && !text.startsWith('0') ? `0${text}` : text;
      const marked =
        kind === 'p' || (flags.includes('#') && 'xX'.includes(kind) && value !== 0n) ? `0x${text}` : text;
      return kind === 'X' ? marked.toUpperCase() : marked;
    }
    default: {
      const value = values.next(8).getFloat64(0, true);
      const text = realText(Math.abs(value), kind.toLowerCase(), digits, flags.includes('#'));
      return (value < 0 || Object.is(value, -0) ? '-' : plus) + (kind < 'a' ? text.toUpperCase() : text);
    }
  }
}

/** Number of values that a format asks for. */
const countOf = (format: string): number =>
  [...format.matchAll(conversion)].filter(([, , , , , kind]) => kind !== '%').length;

type Values = (at: number, bytes: 4 | 8) => number;

/** What a function does in a lane; its result, if it has one. */
const functions: Readonly<
  Record<
    string,
    { readonly operands: number; run(warp: Warp, lane: number, value: Values): number | undefined }
  >
> = {
  vprintf: {
    operands: 2,
    run: (warp, lane, value) => {
      const format = textAt(warp, lane, value(0, 8));
      warp.memory.print(formatted(format, new Arguments(warp, lane, value(1, 8))));
      return countOf(format);
    },
  },
  malloc: { operands: 1, run: (warp, _, value) => warp.memory.allocateOnHeap(value(0, 8)) },
  free: {
    operands: 1,
    run: (warp, lane, value) => {
      const address = value(0, 8);
      if (address !== 0 && !warp.memory.freeOnHeap(address))
        warp.outside(address, 1, lane, 'the heap, which is no device');
      return undefined;
    },
  },
  __assertfail: {
    operands: 5,
    run: (warp, lane, value) =>
      warp.failAssertion(
        `${textAt(warp, lane, value(1, 8))}:${value(2, 4)}: ${textAt(warp, lane, value(3, 8))}: Assertion \`${textAt(warp, lane, value(0, 8))}\` failed`,
        lane,
      ),
  },
};

const offsetOf = (operand: ResolvedOperand): number => {
  if (operand.kind !== 'memory' || operand.base !== null)
    throw new OperandMismatch('another operand', 'a variable of .param');
  return operand.offset;
};

const define = (name: string): Definition => ({
  words: [],
  types: [],
  operands: [functions[name]!.operands, functions[name]!.operands + 1],
  kind: 'lanes',
  class: () => 'control',
  lower: (_writer, _form, operands) => {
    const one = functions[name]!;
    const given = operands.slice(operands.length - one.operands).map(offsetOf);
    const [result] = operands.length > one.operands ? [offsetOf(operands[0]!)] : [];
    return {
      run: (warp, mask) => {
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          const value = one.run(warp, lane, (at, bytes) =>
            localValue(warp, lane, given[at]! + warp.frame, bytes),
          );
          if (result !== undefined && value !== undefined) putLocal(warp, lane, result + warp.frame, value);
        }
      },
    };
  },
});

/** The word that such a call has in the flat code; no text can have it, since a blank is in it. */
export const deviceCall = (name: string): string => `call ${name}`;

/** True for a function that the system brings. */
export const isDeviceFunction = (name: string): boolean => Object.hasOwn(functions, name);

/** Functions of the system, by their words. */
export const deviceCalls: Definitions = Object.fromEntries(
  Object.keys(functions).map((name) => [deviceCall(name), define(name)]),
);
