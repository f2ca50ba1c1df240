import { resultOf } from './plain-arithmetic.ts';
import { matrixProducts } from './plain-matrices.ts';
import { isVideo, videoResult } from './plain-pieces.ts';
import { comparedSmall } from './plain-small-reals.ts';
import { bitsOfReal, held, realOfBits, type Value, widthOf } from './plain-values.ts';

/*
 * Kernels as sequences of single threads: each runs by itself up to where it needs the others, at a barrier or in an exchange between the lanes of its
 * warp (chiplet specification 7.2; 14, G2). It reads the PTX that generated kernels use, one instruction a line.
 */

/** A launch: blocks and threads along x, and the values of the parameters by name. */
export interface PlainLaunch {
  readonly blocks: number;
  readonly threads: number;
  /** Shapes of the grid and of a block; along x when absent. */
  readonly grid?: Dimensions;
  readonly block?: Dimensions;
  readonly parameters: Readonly<Record<string, bigint>>;
}

/** Counts along x, y and z. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** Memory of a device: bytes by address. */
export type Bytes = Map<number, number>;

interface Line {
  readonly guard?: { readonly register: string; readonly negated: boolean };
  readonly words: readonly string[];
  /** Of the words behind the first, those that are types, and the others. */
  readonly types: readonly string[];
  readonly modifiers: readonly string[];
  readonly args: readonly string[];
}

/** What a thread needs of others before it goes on, and what they give it. */
type Meeting =
  | { readonly kind: 'barrier' }
  | { readonly kind: 'lanes'; readonly line: Line; readonly values: readonly Value[] };

const warpLanes = 32;
/** Far above what a generated thread does. */
const instructionsMost = 100_000;
const typeForm = /^(pred|[busf](8|16|32|64)|bf16|b?f16x2|[us]16x2|e4m3x2|e5m2x2|tf32)$/;

/** Instructions by place, and places by label. */
interface Kernel {
  readonly lines: readonly Line[];
  readonly labels: ReadonlyMap<string, number>;
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** The whole text, where functions are. */
  readonly text: string;
  /** The constants of the file, which has one array of words of 32 bits. */
  readonly constants: Bytes;
  /** Functions that were called. */
  readonly functions: Map<string, Kernel>;
}

/** The text of one entry or function of a file, one instruction a line. */
export function plainKernel(text: string, name: string): Kernel {
  const body = text.slice(text.indexOf('{', text.indexOf(` ${name}(`)) + 1).split('\n}')[0]!;
  const constants: Bytes = new Map();
  const [, length = '0', given = ''] = /\.const [^;]*\[(\d+)\] = \{([^}]*)\}/.exec(text) ?? [];
  const words = given === '' ? [] : given.split(',').map(BigInt);
  for (let k = 0; k < Number(length); k++) store(constants, BigInt(4 * k), 'u32', words[k] ?? 0n);
  const lines: Line[] = [];
  const labels = new Map<string, number>();
  const tables = new Map<string, readonly string[]>();
  for (const raw of body.split('\n')) {
    const line = raw.trim();
    const label = /^(\w+):(.*)$/.exec(line);
    if (label && label[2] === '') labels.set(label[1]!, lines.length);
    else if (label)
      tables.set(
        label[1]!,
        label[2]!
          .replace('.branchtargets', '')
          .replace(';', '')
          .split(',')
          .map((one) => one.trim()),
      );
    if (line === '' || label || line.startsWith('.') || line === '{' || line === '}') continue;
    const [, negated, register, instruction, rest] = /^(?:@(!?)(%\w+)\s+)?([\w.:]+)\s*(.*);$/.exec(line)!;
    const words = instruction!.split('.');
    lines.push({
      ...(register !== undefined && { guard: { register, negated: negated === '!' } }),
      words,
      types: words.slice(1).filter((word) => typeForm.test(word)),
      modifiers: words.slice(1).filter((word) => !typeForm.test(word)),
      args: rest === '' ? [] : rest!.match(/\{[^}]*\}|\[[^\]]*\]|[^,\s]+/g)!,
    });
  }
  return { lines, labels, tables, text, constants, functions: new Map() };
}

/** Carries a launch out, thread by thread, block by block; gives how many instructions all threads carried out. */
export function runPlain(kernel: Kernel, launch: PlainLaunch, memory: Bytes): number {
  let carriedOut = 0;
  for (let block = 0; block < launch.blocks; block++) {
    const shared: Bytes = new Map();
    const threads = Array.from({ length: launch.threads }, (_, number) => {
      const thread = new Thread(kernel, launch, memory, shared, block, number);
      return { thread, running: thread.run(), meeting: undefined as Meeting | undefined, ended: false };
    });
    const goOn = (one: (typeof threads)[number], given?: readonly Value[]) => {
      const { done, value } = one.running.next(given ?? []);
      one.ended = done === true;
      one.meeting = done ? undefined : value;
    };
    for (const one of threads) goOn(one);
    while (threads.some(({ ended }) => !ended)) {
      // Lanes of a warp exchange first; then everybody stands at the barrier.
      const asking = threads.findIndex(({ meeting }) => meeting?.kind === 'lanes');
      if (asking < 0) {
        for (const one of threads) if (!one.ended) goOn(one);
        continue;
      }
      const first = asking - (asking % warpLanes);
      const warp = threads.slice(first, first + warpLanes);
      const given = exchanged(warp.map(({ meeting }) => meeting as Extract<Meeting, { kind: 'lanes' }>));
      for (const [lane, one] of warp.entries()) goOn(one, given[lane]!);
    }
    for (const { thread } of threads) carriedOut += thread.carriedOut;
  }
  return carriedOut;
}

/** What lanes get of each other: shuffles and votes. */
function exchanged(lanes: readonly Extract<Meeting, { kind: 'lanes' }>[]): readonly (readonly Value[])[] {
  const { words } = lanes[0]!.line;
  const values = lanes.map((lane) => lane.values);
  if (words[0] === 'vote') {
    const holds = values.map(([one]) => one as boolean);
    const ballot = holds.reduce((sum, one, lane) => sum | (one ? 1n << BigInt(lane) : 0n), 0n);
    const all = holds.every((one) => one);
    const any = holds.some((one) => one);
    const answer = words.includes('ballot')
      ? ballot
      : words.includes('all')
        ? all
        : words.includes('any')
          ? any
          : all || !any;
    return values.map(() => [answer]);
  }
  if (words[0] === 'mma') return matrixProducts(words, values);
  if (words[0] === 'match')
    return matched(
      words,
      values.map(([one]) => one as bigint),
    );
  if (words[0] === 'redux') {
    const [type, what] = [words.at(-1)!, words.find((word) => /^(add|min|max|and|or|xor)$/.test(word))!];
    const result = values.map(([one]) => one!).reduce((all, one) => resultOf(what, [], [type], [all, one])!);
    return values.map(() => [result]);
  }
  return values.map(([, by, limits], lane) => {
    const n = Number((by as bigint) & 31n);
    // Lanes exchange within segments, up to a last lane (PTX ISA, shfl).
    const segment = Number(((limits as bigint) >> 8n) & 31n);
    const edge = (lane & segment) | (Number((limits as bigint) & 31n) & ~segment & 31);
    const source = words.includes('up')
      ? lane - n
      : words.includes('down')
        ? lane + n
        : words.includes('bfly')
          ? lane ^ n
          : (lane & segment) | (n & ~segment & 31);
    const there = words.includes('up') ? source >= edge : source <= edge;
    return [values[there ? source : lane]![0]!, there];
  });
}

/** Which lanes have the same value as each, or all of them where all have the same. */
function matched(words: readonly string[], values: readonly bigint[]): readonly (readonly Value[])[] {
  const together = (one: bigint): bigint =>
    values.reduce((sum, other, lane) => sum | (other === one ? 1n << BigInt(lane) : 0n), 0n);
  if (words.includes('any')) return values.map((one) => [together(one)]);
  const all = values.every((one) => one === values[0]);
  return values.map(() => [all ? together(values[0]!) : 0n, all]);
}

class Thread {
  readonly #kernel: Kernel;
  readonly #launch: PlainLaunch;
  readonly #memory: Bytes;
  readonly #shared: Bytes;
  readonly #local: Bytes = new Map();
  readonly #block: number;
  readonly #number: number;
  readonly #registers = new Map<string, Value>();
  /** What was stored in parameters of calls, and what a function is given or gives back. */
  readonly #given: Map<string, Value>;
  #carry = 0n;
  /** Instructions of it, those of functions that it called among them. */
  carriedOut = 0;
  /** Special registers. */
  readonly #places: ReadonlyMap<string, bigint>;

  constructor(
    kernel: Kernel,
    launch: PlainLaunch,
    memory: Bytes,
    shared: Bytes,
    block: number,
    number: number,
    given: Map<string, Value> = new Map(),
  ) {
    this.#given = given;
    this.#kernel = kernel;
    this.#launch = launch;
    this.#memory = memory;
    this.#shared = shared;
    this.#block = block;
    this.#number = number;
    this.#places = this.#whereItIs();
  }

  *run(): Generator<Meeting, void, readonly Value[]> {
    const { lines, labels, tables } = this.#kernel;
    let left = instructionsMost;
    for (let at = 0; at < lines.length; ) {
      const line = lines[at++]!;
      if (left-- === 0) throw new Error(`a plain thread does not end in ${instructionsMost} instructions`);
      const { guard, words, args } = line;
      if (guard && this.#value(guard.register, 'pred') === guard.negated) continue;
      this.carriedOut++;
      switch (words[0]) {
        case 'bra':
          at = labels.get(args[0]!)!;
          break;
        case 'brx':
          at = labels.get(tables.get(args[1]!)![Number(this.#value(args[0]!, 'u32'))]!)!;
          break;
        case 'ret':
        case 'exit':
          return;
        case 'bar':
          yield { kind: 'barrier' };
          break;
        case 'membar':
          break;
        case 'call':
          this.#call(args.map((one) => one.replace(/[()]/g, '')));
          break;
        case 'mma': {
          const values = args
            .slice(1)
            .flatMap(namesIn)
            .map((one) => this.#value(one, 'b32'));
          const given = yield { kind: 'lanes', line, values };
          for (const [k, name] of namesIn(args[0]!).entries()) this.#put(name, given[k]!);
          break;
        }
        case 'shfl':
        case 'match':
        case 'redux':
        case 'vote': {
          const values = args.slice(1).map((one) => this.#value(one, 'b32'));
          const given = yield { kind: 'lanes', line, values };
          for (const [k, name] of args[0]!.split('|').entries()) this.#put(name, given[k]!);
          break;
        }
        default:
          this.#carryOut(line);
      }
    }
  }

  /** A function has registers of its own; what it is given has the names that it gives them. */
  #call([result, name, ...values]: readonly string[]): void {
    const { functions, text } = this.#kernel;
    const called = functions.get(name!) ?? plainKernel(text, name!);
    functions.set(name!, called);
    const head = text.split(` ${name}(`);
    const names = head[1]!.split(')')[0]!.match(/\w+(?=,|$)/g)!;
    const back = /(\w+)\)\s*$/.exec(head[0]!)![1]!;
    const given = new Map(names.map((one, k) => [one, this.#given.get(values[k]!)!] as const));
    const inside = new Thread(
      called,
      this.#launch,
      this.#memory,
      this.#shared,
      this.#block,
      this.#number,
      given,
    );
    inside.run().next();
    this.carriedOut += inside.carriedOut;
    this.#given.set(result!, given.get(back)!);
  }

  #carryOut({ words, types, modifiers, args }: Line): void {
    const [base = ''] = words;
    const type = types[0] ?? '';
    switch (base) {
      case 'ld': {
        const parameter = modifiers[0] === 'param' && this.#given.get(args[1]!.slice(1, -1));
        if (typeof parameter === 'bigint') {
          this.#put(args[0]!, parameter);
          return;
        }
        const [memory, first] = this.#place(modifiers[0]!, args[1]!);
        for (const [k, name] of namesIn(args[0]!).entries())
          this.#put(name, load(memory, first + BigInt((k * widthOf(type)) / 8), type));
        return;
      }
      case 'st': {
        if (modifiers[0] === 'param') {
          this.#given.set(args[0]!.slice(1, -1), this.#value(args[1]!, type));
          return;
        }
        const [memory, first] = this.#place(modifiers[0]!, args[0]!);
        for (const [k, name] of namesIn(args[1]!).entries())
          store(memory, first + BigInt((k * widthOf(type)) / 8), type, this.#value(name, type));
        return;
      }
      case 'atom':
      case 'red': {
        const returns = base === 'atom';
        const [memory, at] = this.#place(modifiers[0]!, args[returns ? 1 : 0]!);
        const old = load(memory, at, type);
        const operands = args.slice(returns ? 2 : 1).map((one) => this.#value(one, type));
        store(memory, at, type, atomic(modifiers[1]!, type, old, operands));
        if (returns) this.#put(args[0]!, old);
        return;
      }
      case 'add':
      case 'sub':
      case 'addc':
      case 'subc':
        if (base.endsWith('c') || modifiers.includes('cc')) {
          const [x, y] = args.slice(1).map((one) => BigInt.asUintN(32, this.#value(one, type) as bigint));
          // A difference is the sum with the complement of what is taken away.
          const adds = base.startsWith('add');
          const before = base.endsWith('c') ? this.#carry : adds ? 0n : 1n;
          const whole = x! + (adds ? y! : 0xffffffffn - y!) + before;
          if (modifiers.includes('cc')) this.#carry = whole >> 32n;
          this.#put(args[0]!, whole);
          return;
        }
        break;
      case 'mov':
        if (args[0]!.startsWith('{') || args[1]!.startsWith('{')) {
          this.#pack(type, args);
          return;
        }
    }
    if (base === 'cvt' && modifiers[0] === 'pack') {
      // Two numbers, held at the bounds of their type, and above them what a third operand has below.
      const width = BigInt(widthOf(type));
      const [upper, lower] = args
        .slice(1, 3)
        .map((one) =>
          BigInt.asUintN(Number(width), held(type, BigInt.asIntN(32, this.#value(one, 's32') as bigint))),
        );
      const above = args[3] === undefined ? 0n : (this.#value(args[3], 'b32') as bigint);
      this.#put(args[0]!, BigInt.asUintN(32, (above << (2n * width)) | (upper! << width) | lower!));
      return;
    }
    if (isVideo(base)) {
      const [target = '', into] = args[0]!.split('.');
      const pieces = args.slice(1).map((one) => {
        const [register = '', part] = one.split('.');
        return { bits: this.#value(register, 'b32') as bigint, part };
      });
      this.#put(target, videoResult(base, modifiers, types, into, pieces));
      return;
    }
    const sourceType = (k: number): string => {
      if (base === 'cvt' || base === 'set') return base === 'set' && k === 2 ? 'pred' : types[1]!;
      if ((base === 'selp' || base === 'setp') && k === 2) return 'pred';
      if (base === 'slct' && k === 2) return types[1]!;
      if ((base === 'shl' || base === 'shr') && k === 1) return 'u32';
      if ((base === 'bfe' && k > 0) || (base === 'bfi' && k > 1)) return 'u32';
      if (base === 'mad' && modifiers.includes('wide') && k === 2) return `${type[0]}${2 * widthOf(type)}`;
      return type;
    };
    const values = args.slice(1).map((one, k) => this.#value(one, sourceType(k)));
    const [target, opposite] = args[0]!.split('|') as [string, string | undefined];
    if (base === 'setp' && type.endsWith('x2')) {
      // A comparison for each of two numbers.
      const [lower, upper] = comparedSmall(modifiers, type, values);
      this.#put(target, lower!);
      this.#put(opposite!, upper!);
      return;
    }
    const result = resultOf(base, modifiers, types, values);
    if (result === undefined) throw new Error(`a plain thread does not know ${words.join('.')}`);
    this.#put(target, result);
    if (opposite === undefined) return;
    // The second predicate is that of the opposite comparison.
    const [a, b, c] = values;
    const [comparison, join] = modifiers;
    const turned = !resultOf('setp', [comparison!], types, [a!, b!]);
    this.#put(opposite, join === undefined ? turned : resultOf(join, [], ['pred'], [turned, c!])!);
  }

  #pack(type: string, args: readonly string[]): void {
    const half = widthOf(type) / 2;
    if (args[1]!.startsWith('{')) {
      const [low, high] = namesIn(args[1]!).map((one) =>
        BigInt.asUintN(half, this.#value(one, `b${half}`) as bigint),
      );
      this.#put(args[0]!, low! | (high! << BigInt(half)));
      return;
    }
    const whole = this.#value(args[1]!, type) as bigint;
    const [low, high] = namesIn(args[0]!);
    this.#put(low!, BigInt.asUintN(half, whole));
    this.#put(high!, BigInt.asUintN(half, whole >> BigInt(half)));
  }

  /** The memory of a space and an address in it; parameters have one of their own. */
  #place(space: string, text: string): readonly [Bytes, bigint] {
    const [, base, offset] = /^\[([%\w]+)(?:\+(-?\d+))?\]$/.exec(text)!;
    const by = BigInt(offset ?? 0);
    if (space === 'param') {
      const bytes: Bytes = new Map();
      store(bytes, 0n, 'u64', this.#launch.parameters[base!]!);
      return [bytes, by];
    }
    const { constants } = this.#kernel;
    const memory = { global: this.#memory, shared: this.#shared, local: this.#local, const: constants }[
      space
    ]!;
    const first = base!.startsWith('%') ? (this.#value(base!, 'u64') as bigint) : 0n;
    return [memory, first + by];
  }

  #value(text: string, type: string): Value {
    if (text.startsWith('%')) {
      const held = this.#registers.get(text) ?? this.#places.get(text);
      if (held === undefined) throw new Error(`the register ${text} has no value`);
      return held;
    }
    if (/^0f[0-9A-Fa-f]{8}$/.test(text)) return realOfBits('f32', BigInt(`0x${text.slice(2)}`));
    if (text.startsWith('0d')) return realOfBits('f64', BigInt(`0x${text.slice(2)}`));
    // A variable of shared or local memory: each kernel has one, at the beginning.
    if (/^[a-z]/.test(text)) return 0n;
    return type.startsWith('f') ? Number(text) : BigInt(text);
  }

  #whereItIs(): ReadonlyMap<string, bigint> {
    const { blocks, threads, grid = [blocks, 1, 1], block = [threads, 1, 1] } = this.#launch;
    const lane = this.#number % warpLanes;
    const below = 2 ** lane - 1;
    const places: Readonly<Record<string, number>> = {
      ...alongAxes('%tid', placeIn(block, this.#number)),
      ...alongAxes('%ntid', block),
      ...alongAxes('%ctaid', placeIn(grid, this.#block)),
      ...alongAxes('%nctaid', grid),
      '%laneid': lane,
      '%warpid': Math.floor(this.#number / warpLanes),
      '%nwarpid': Math.ceil(threads / warpLanes),
      '%lanemask_eq': 2 ** lane,
      '%lanemask_lt': below,
      '%lanemask_le': below + 2 ** lane,
      '%lanemask_ge': 2 ** 32 - 1 - below,
      '%lanemask_gt': 2 ** 32 - 1 - below - 2 ** lane,
    };
    return new Map(Object.entries(places).map(([name, one]) => [name, BigInt(one)]));
  }

  #put(name: string, value: Value): void {
    const width = { '%h': 16, '%r': 32, '%d': 64, '%x': 64 }[name.slice(0, 2)];
    this.#registers.set(name, width !== undefined ? BigInt.asUintN(width, value as bigint) : value);
  }
}

const placeIn = ([x, y]: Dimensions, number: number): Dimensions => [
  number % x,
  Math.floor(number / x) % y,
  Math.floor(number / (x * y)),
];
const alongAxes = (name: string, [x, y, z]: Dimensions) => ({
  [`${name}.x`]: x,
  [`${name}.y`]: y,
  [`${name}.z`]: z,
});

const namesIn = (text: string): readonly string[] =>
  text
    .replace(/[{}]/g, '')
    .split(',')
    .map((one) => one.trim());

/** A value in memory, its lowest byte first. */
export function load(memory: Bytes, at: bigint, type: string): Value {
  const first = Number(at);
  /** Four bytes at most. */
  const part = (from: number, count: number): number => {
    let sum = 0;
    for (let k = count - 1; k >= 0; k--) sum = sum * 256 + (memory.get(from + k) ?? 0);
    return sum;
  };
  const bytes = widthOf(type) / 8;
  const low = BigInt(part(first, Math.min(4, bytes)));
  const bits = bytes > 4 ? low | (BigInt(part(first + 4, 4)) << 32n) : low;
  if (type.startsWith('f')) return realOfBits(type, bits);
  return type.startsWith('s') ? BigInt.asIntN(widthOf(type), bits) : bits;
}

/** Writes a value into memory. */
export function store(memory: Bytes, at: bigint, type: string, value: Value): void {
  const bits = BigInt.asUintN(
    widthOf(type),
    typeof value === 'number' ? bitsOfReal(type, value) : (value as bigint),
  );
  const first = Number(at);
  let rest = Number(bits & 0xffff_ffffn);
  for (let k = 0; k < widthOf(type) / 8; k++) {
    if (k === 4) rest = Number(bits >> 32n);
    memory.set(first + k, rest % 256);
    rest = Math.floor(rest / 256);
  }
}

function atomic(operation: string, type: string, old: Value, [a, b]: readonly Value[]): Value {
  switch (operation) {
    case 'exch':
      return a!;
    case 'cas':
      return BigInt.asUintN(64, old as bigint) === BigInt.asUintN(widthOf(type), a as bigint) ? b! : old;
    case 'inc':
      return (old as bigint) >= BigInt.asUintN(32, a as bigint) ? 0n : (old as bigint) + 1n;
    case 'dec': {
      const limit = BigInt.asUintN(32, a as bigint);
      return old === 0n || (old as bigint) > limit ? limit : (old as bigint) - 1n;
    }
    default:
      return resultOf(operation, [], [type], [old, a!])!;
  }
}
