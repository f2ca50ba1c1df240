import type { Hasher } from '../../../kernel/hash.ts';
import { add, isNegative } from '../arithmetic/adder.ts';
import { alu } from '../arithmetic/alu.ts';
import { multiply } from '../arithmetic/multiplier.ts';
import { longMask, shortMask, type Word } from '../arithmetic/word.ts';
import type { AddOp, AluOp, BmOp, Ref, Slot } from '../program.ts';
import type { Block, BlockSpec } from './block.ts';

/** Elements of a vector. */
const elements = 4;
const maskRegisters = 8;

/** A short word, a word of T, or a mask bit that is to be written. */
interface Write {
  readonly memory: 'lm' | 'grf' | 'bm' | 't' | 'mask';
  readonly index: number;
  readonly value: bigint;
}

/** A slot between its begin and its end: what its elements so far have to write and to hand on. */
interface Begun {
  readonly slot: Slot;
  readonly writes: Write[];
  readonly forwarded: (Word | undefined)[];
  readonly products: Word[];
}

/** A result on its way to its destinations: the long word, and of `imm` the pattern for short places. */
interface Result {
  readonly long: Word;
  readonly short: Word;
}

/**
 * A block word by word and PE by PE, with words as bigints: slow and plain, what the fast engine is compared with.
 *
 * Details: a slot reads what is visible, collects its writes, and then makes the writes of the slot before visible (GRAPE specification 4.2).
 */
export class ReferenceBlock implements Block {
  readonly spec: BlockSpec;
  readonly #lm: Word[];
  readonly #grf: Word[];
  readonly #bm: Word[];
  /** By PE and element. */
  readonly #t: Word[];
  /** By PE, register and element: 1 where the element takes part. */
  readonly #masks: bigint[];
  /** Results of the last slot by PE and element: for T, undefined where there was none; of the multiplier, 0 where there was none. */
  #forwarded: (Word | undefined)[];
  #products: Word[];
  #pending: readonly Write[] = [];
  #begun: Begun | undefined;

  constructor(spec: BlockSpec) {
    const { nPE, lmShort, grfShort, bmShort } = spec;
    this.spec = spec;
    this.#lm = new Array<Word>(nPE * lmShort).fill(0n);
    this.#grf = new Array<Word>(nPE * grfShort).fill(0n);
    this.#bm = new Array<Word>(bmShort).fill(0n);
    this.#t = new Array<Word>(nPE * elements).fill(0n);
    this.#masks = new Array<bigint>(nPE * maskRegisters * elements).fill(1n);
    this.#forwarded = new Array<Word | undefined>(nPE * elements).fill(undefined);
    this.#products = new Array<Word>(nPE * elements).fill(0n);
  }

  issue(slot: Slot): void {
    this.begin(slot);
    for (let k = 0; k < slot.vlen; k++) this.element(k);
    this.retire();
  }

  begin(slot: Slot): void {
    const count = this.spec.nPE * elements;
    this.#begun = {
      slot,
      writes: [],
      forwarded: new Array(count).fill(undefined),
      products: new Array(count).fill(0n),
    };
  }

  element(k: number): void {
    const { slot, writes, forwarded, products } = this.#begun!;
    for (let pe = 0; pe < this.spec.nPE; pe++) {
      const at = pe * elements + k;
      const active = this.#isActive(pe, slot.mi, k);
      const store = (refs: readonly Ref[], result: Result) => {
        if (active) for (const ref of refs) this.#store(writes, pe, ref, k, result);
      };
      const { mul, add: adder } = slot;
      if (mul) {
        const { word } = multiply(this.#read(pe, mul.a, k), this.#read(pe, mul.b, k), mul.bits);
        products[at] = word;
        if (writesT(mul.dst)) forwarded[at] = word;
        store(mul.dst, resultOf(word));
      }
      if (adder) {
        const result = this.#added(pe, adder, k);
        if (writesT(adder.dst)) forwarded[at] = result.long;
        store(adder.dst, result);
        const flag = adder.unit === 'fadd' ? isNegative(result.long) : result.long === 0n;
        const register = adder.unit === 'fadd' ? slot.mof : slot.moi;
        if (register > 0)
          writes.push({
            memory: 'mask',
            index: this.#maskIndex(pe, register, k),
            value: flag && active ? 1n : 0n,
          });
      }
    }
    if (slot.bm) this.#transfer(writes, slot.bm, slot.mi, k);
  }

  given(k: number): Word | undefined {
    const { mi, bm: transfer } = this.#begun!.slot;
    const { bm, pe: side, peid } = transfer!;
    if (!this.#isActive(peid!, mi, k)) return undefined;
    const { long, short } = resultOf(this.#read(peid!, side, k));
    return bm.long ? long : short;
  }

  retire(): void {
    const { slot, writes, forwarded, products } = this.#begun!;
    this.#begun = undefined;
    if (this.spec.mode === 'functional') {
      this.#commit(writes);
      if (slot.mul) this.#products = products;
      return;
    }
    this.#commit(this.#pending);
    this.#pending = writes;
    this.#forwarded = forwarded;
    this.#products = products;
  }

  pass(): void {
    if (this.spec.mode === 'functional') return;
    this.#commit(this.#pending);
    this.#pending = [];
    this.#forwarded.fill(undefined);
    this.#products.fill(0n);
  }

  drain(): void {
    this.#commit(this.#pending);
    this.#pending = [];
  }

  reset(): void {
    for (const memory of [this.#lm, this.#grf, this.#bm, this.#t, this.#products]) memory.fill(0n);
    this.#masks.fill(1n);
    this.#forwarded.fill(undefined);
    this.#pending = [];
    this.#begun = undefined;
  }

  readBroadcast(addr: number, long: boolean): Word {
    return this.#load(this.#bm, addr, long);
  }

  writeBroadcast(addr: number, long: boolean, word: Word): void {
    if (long) {
      this.#bm[addr] = word >> 36n;
      this.#bm[addr + 1] = word & shortMask;
    } else this.#bm[addr] = word;
  }

  settled(): ReferenceBlock {
    if (this.#pending.length === 0) return this;
    const settled = this.fork();
    settled.drain();
    return settled;
  }

  peek(pe: number, ref: Ref, element: number): Word {
    return this.settled().#read(pe, ref, element);
  }

  peekMask(pe: number, register: number): number {
    const settled = this.settled();
    let bits = 0;
    for (let k = 0; k < elements; k++) if (settled.#isActive(pe, register, k)) bits |= 1 << k;
    return bits;
  }

  fork(): ReferenceBlock {
    const copy = new ReferenceBlock(this.spec);
    const memories = [
      [copy.#lm, this.#lm],
      [copy.#grf, this.#grf],
      [copy.#bm, this.#bm],
      [copy.#t, this.#t],
      [copy.#masks, this.#masks],
    ] as const;
    for (const [to, from] of memories)
      from.forEach((word, at) => {
        to[at] = word;
      });
    copy.#forwarded = [...this.#forwarded];
    copy.#products = [...this.#products];
    copy.#pending = this.#pending;
    if (this.#begun)
      copy.#begun = {
        slot: this.#begun.slot,
        writes: [...this.#begun.writes],
        forwarded: [...this.#begun.forwarded],
        products: [...this.#begun.products],
      };
    return copy;
  }

  hash(into: Hasher): void {
    for (const memory of [this.#lm, this.#grf, this.#bm, this.#t, this.#masks, this.#products])
      for (const word of memory) into.string(word.toString(16));
    for (const word of this.#forwarded) into.string(word === undefined ? '' : word.toString(16));
    into.value(this.#begun ?? null);
    for (const { memory, index, value } of this.#pending) {
      into.string(memory);
      into.number(index);
      into.string(value.toString(16));
    }
  }

  #maskIndex(pe: number, register: number, k: number): number {
    return (pe * maskRegisters + register) * elements + k;
  }

  #isActive(pe: number, register: number, k: number): boolean {
    return register === 0 || this.#masks[this.#maskIndex(pe, register, k)] === 1n;
  }

  #added(pe: number, op: AddOp | AluOp, k: number): Result {
    if (op.unit === 'fadd') return resultOf(add(this.#read(pe, op.a, k), this.#read(pe, op.b, k), op).word);
    if (op.op !== 'imm')
      return resultOf(alu(op.op, op.signed, this.#read(pe, op.a!, k), this.#read(pe, op.b!, k)));
    const pattern = op.imm!;
    const extended = op.signed ? BigInt.asIntN(36, pattern) & longMask : pattern;
    return { long: extended, short: pattern };
  }

  #transfer(writes: Write[], { toPe, bm, pe: side, peid }: BmOp, mi: number, k: number): void {
    if (!toPe) {
      const pe = peid!;
      if (!this.#isActive(pe, mi, k)) return;
      this.#put(writes, 'bm', this.#addressOf(0, bm, k), bm.long, resultOf(this.#read(pe, side, k)));
      return;
    }
    const word = this.#load(this.#bm, this.#addressOf(0, bm, k), bm.long);
    for (let pe = 0; pe < this.spec.nPE; pe++)
      if ((peid === undefined || peid === pe) && this.#isActive(pe, mi, k))
        this.#store(writes, pe, side, k, resultOf(word));
  }

  /** A word as a unit receives it: 72 bits, short words left aligned. */
  #read(pe: number, ref: Ref, k: number): Word {
    const at = pe * elements + k;
    switch (ref.kind) {
      case 'lm':
      case 'ind':
        return this.#load(this.#lm, pe * this.spec.lmShort + this.#addressOf(pe, ref, k), ref.long);
      case 'grf':
        return this.#load(this.#grf, pe * this.spec.grfShort + this.#addressOf(pe, ref, k), ref.long);
      case 'bm':
        return this.#load(this.#bm, this.#addressOf(pe, ref, k), ref.long);
      case 't':
        return this.#t[at]!;
      case 'ti':
        return this.#forwarded[at] ?? this.#t[at]!;
      case 'fb':
        return this.#products[at]!;
      case 'pe':
        return BigInt(pe + (this.spec.firstPe ?? 0));
      case 'bb':
        return BigInt(this.spec.number);
    }
  }

  #load(memory: readonly Word[], index: number, long: boolean): Word {
    return (memory[index]! << 36n) | (long ? memory[index + 1]! : 0n);
  }

  /** Short-word address of element k in its memory. An address in T is taken modulo the size of local memory, even for long words. */
  #addressOf(pe: number, { kind, addr, long, vector, stride }: Ref, k: number): number {
    if (kind !== 'ind') return vector ? addr + k * stride * (long ? 2 : 1) : addr;
    const at = Number(this.#t[pe * elements + k]! % BigInt(this.spec.lmShort));
    return long ? at & ~1 : at;
  }

  #store(writes: Write[], pe: number, ref: Ref, k: number, result: Result): void {
    if (ref.kind === 't') writes.push({ memory: 't', index: pe * elements + k, value: result.long });
    else {
      const memory = ref.kind === 'grf' ? 'grf' : 'lm';
      const size = memory === 'grf' ? this.spec.grfShort : this.spec.lmShort;
      this.#put(writes, memory, pe * size + this.#addressOf(pe, ref, k), ref.long, result);
    }
  }

  #put(writes: Write[], memory: Write['memory'], index: number, long: boolean, result: Result): void {
    if (!long) {
      writes.push({ memory, index, value: result.short });
      return;
    }
    writes.push({ memory, index, value: result.long >> 36n });
    writes.push({ memory, index: index + 1, value: result.long & shortMask });
  }

  #commit(writes: readonly Write[]): void {
    const memories = { lm: this.#lm, grf: this.#grf, bm: this.#bm, t: this.#t, mask: this.#masks };
    for (const { memory, index, value } of writes) memories[memory][index] = value;
  }
}

const resultOf = (word: Word): Result => ({ long: word, short: word >> 36n });

const writesT = (refs: readonly Ref[]): boolean => refs.some(({ kind }) => kind === 't');
