import { floatSum } from '../exact-words.ts';
import { integer, product } from './plain-arithmetic.ts';
import type { Place, PlainSlot } from './plain-program.ts';

const lower = (1n << 36n) - 1n;
/** Sizes of the memories of a block, in short words. */
export interface PlainSizes {
  readonly nPE: number;
  readonly lmShort: number;
  readonly grfShort: number;
  readonly bmShort: number;
  readonly functional: boolean;
}

/** Memories of a PE by short word; T, masks and latches by element. */
interface PlainPe {
  readonly lm: bigint[];
  readonly grf: bigint[];
  readonly t: bigint[];
  /** By register and element. */
  readonly masks: boolean[][];
  forwarded: (bigint | undefined)[];
  products: bigint[];
}

/** A place in a memory and what it will hold. */
interface Write {
  readonly memory: (bigint | boolean)[];
  readonly at: number;
  readonly value: bigint | boolean;
}

const carryOut = ({ memory, at, value }: Write): void => {
  memory[at] = value;
};

/** The word of element k of a place of a PE. */
type Reader = (pe: number, place: Place, k: number) => bigint;

/** A block and its PEs, word by word (GRAPE specification 2, 4.2). */
export class PlainBlock {
  readonly #sizes: PlainSizes;
  readonly #number: number;
  #pes: PlainPe[] = [];
  #bm: bigint[] = [];
  /** Writes of the slot in the units, and of the one before it, which come true when the one behind it ends. */
  #now: Write[] = [];
  #due: Write[] = [];
  #forwarded: (bigint | undefined)[][] = [];
  #products: bigint[][] = [];

  constructor(number: number, sizes: PlainSizes) {
    this.#number = number;
    this.#sizes = sizes;
    this.reset();
  }

  reset(): void {
    const { nPE, lmShort, grfShort, bmShort } = this.#sizes;
    this.#bm = new Array<bigint>(bmShort).fill(0n);
    this.#pes = Array.from({ length: nPE }, () => ({
      lm: new Array<bigint>(lmShort).fill(0n),
      grf: new Array<bigint>(grfShort).fill(0n),
      t: [0n, 0n, 0n, 0n],
      masks: Array.from({ length: 8 }, () => [true, true, true, true]),
      forwarded: [undefined, undefined, undefined, undefined],
      products: [0n, 0n, 0n, 0n],
    }));
    this.#now = [];
    this.#due = [];
  }

  begin(): void {
    this.#now = [];
    this.#forwarded = this.#pes.map(() => [undefined, undefined, undefined, undefined]);
    this.#products = this.#pes.map(() => [0n, 0n, 0n, 0n]);
  }

  /** Element k of a slot in every PE. */
  element(slot: PlainSlot, k: number): void {
    for (const [number, pe] of this.#pes.entries()) {
      const active = slot.mask === 0 || pe.masks[slot.mask]![k]!;
      const read = (place: Place) => this.#read(number, place, k);
      const write = (to: readonly Place[], long: bigint, short: bigint, forwards: boolean) => {
        if (forwards && to.some(({ kind }) => kind === 't')) this.#forwarded[number]![k] = long;
        if (active) for (const place of to) this.#write(number, place, k, long, short);
      };
      const flag = (register: number, on: boolean) => {
        if (register > 0) this.#now.push({ memory: pe.masks[register]!, at: k, value: on && active });
      };
      const { mul, add, alu } = slot;
      if (mul) {
        const word = product(read(mul.a), read(mul.b), mul.on);
        this.#products[number]![k] = word;
        write(mul.to, word, word >> 36n, true);
      }
      if (add) {
        const b = read(add.b) ^ (add.flags.includes('S') ? 1n << 71n : 0n);
        const word = floatSum(read(add.a), b, add.flags, add.short);
        write(add.to, word, word >> 36n, true);
        flag(slot.floatFlag, word >> 71n === 1n && word !== 1n << 71n);
      }
      if (alu) {
        const { pattern, signed } = alu;
        const extended = pattern !== undefined && signed && pattern >> 35n === 1n ? lower << 36n : 0n;
        const word =
          pattern === undefined ? integer(alu.op, signed, read(alu.a!), read(alu.b!)) : extended | pattern;
        write(alu.to, word, pattern ?? word >> 36n, true);
        flag(slot.integerFlag, word === 0n);
      }
      if (slot.bm && (slot.bm.pe < 0 || slot.bm.pe === number) && active) {
        const { toPe, there, here } = slot.bm;
        const [from, to] = toPe ? [there, here] : [here, there];
        const word = read(from);
        write([to], word, word >> 36n, false);
      }
    }
  }

  /** The slot ends: what the one before it wrote is seen from now on. */
  retire(slot: PlainSlot): void {
    if (this.#sizes.functional) {
      for (const write of this.#now) carryOut(write);
      if (slot.mul) for (const [at, pe] of this.#pes.entries()) pe.products = this.#products[at]!;
      return;
    }
    this.drain();
    this.#due = this.#now;
    for (const [at, pe] of this.#pes.entries()) {
      pe.forwarded = this.#forwarded[at]!;
      pe.products = this.#products[at]!;
    }
  }

  /** A slot ends in which nothing happened. */
  pass(): void {
    if (this.#sizes.functional) return;
    this.drain();
    for (const pe of this.#pes) {
      pe.forwarded = [undefined, undefined, undefined, undefined];
      pe.products = [0n, 0n, 0n, 0n];
    }
  }

  drain(): void {
    for (const write of this.#due) carryOut(write);
    this.#due = [];
  }

  readBroadcast(addr: number, long: boolean): bigint {
    return (this.#bm[addr]! << 36n) | (long ? this.#bm[addr + 1]! : 0n);
  }

  writeBroadcast(addr: number, long: boolean, word: bigint): void {
    if (long) [this.#bm[addr], this.#bm[addr + 1]] = [word >> 36n, word & lower];
    else this.#bm[addr] = word;
  }

  /** What `looks` sees when all writes are done, which changes nothing. */
  settled<T>(looks: (read: Reader, masks: (pe: number, register: number) => readonly boolean[]) => T): T {
    const before = this.#due.map(({ memory, at }) => memory[at]!);
    for (const write of this.#due) carryOut(write);
    const seen = looks(
      (number, place, k) => this.#read(number, place, k),
      (pe, register) => [...(register === 0 ? [true, true, true, true] : this.#pes[pe]!.masks[register]!)],
    );
    for (let last = before.length - 1; last >= 0; last--) {
      const { memory, at } = this.#due[last]!;
      memory[at] = before[last]!;
    }
    return seen;
  }

  #address(number: number, { kind, addr, long, step }: Place, k: number): number {
    if (kind !== 'ind') return addr + k * step;
    const at = Number(this.#pes[number]!.t[k]! % BigInt(this.#sizes.lmShort));
    return long ? at - (at % 2) : at;
  }

  #read(number: number, place: Place, k: number): bigint {
    const pe = this.#pes[number]!;
    const at = this.#address(number, place, k);
    const from = (memory: readonly bigint[]): bigint =>
      (memory[at]! << 36n) | (place.long ? memory[at + 1]! : 0n);
    switch (place.kind) {
      case 'bm':
        return from(this.#bm);
      case 'grf':
        return from(pe.grf);
      case 'lm':
      case 'ind':
        return from(pe.lm);
      case 't':
        return pe.t[k]!;
      case 'ti':
        return pe.forwarded[k] ?? pe.t[k]!;
      case 'fb':
        return pe.products[k]!;
      case 'pe':
        return BigInt(number);
      case 'bb':
        return BigInt(this.#number);
    }
  }

  #write(number: number, place: Place, k: number, long: bigint, short: bigint): void {
    const pe = this.#pes[number]!;
    if (place.kind === 't') {
      this.#now.push({ memory: pe.t, at: k, value: long });
      return;
    }
    const memory = place.kind === 'bm' ? this.#bm : place.kind === 'grf' ? pe.grf : pe.lm;
    const at = this.#address(number, place, k);
    this.#now.push({ memory, at, value: place.long ? long >> 36n : short });
    if (place.long) this.#now.push({ memory, at: at + 1, value: long & lower });
  }
}
