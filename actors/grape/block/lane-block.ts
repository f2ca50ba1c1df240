import type { Hasher } from '../../../kernel/hash.ts';
import { add } from '../arithmetic/adder.ts';
import { alu } from '../arithmetic/alu.ts';
import { multiplierWords, multiply } from '../arithmetic/multiplier.ts';
import { longMask, shortMask, type Word } from '../arithmetic/word.ts';
import type { AddOp, AluOp, BmOp, MultiplyOp, Ref, Slot } from '../program.ts';
import type { Block, BlockSpec } from './block.ts';
import { addLanes } from './lane-adder.ts';
import { aluLanes, worksOnLanes } from './lane-alu.ts';
import { multiplyLanes } from './lane-multiplier.ts';
import { copyPlanes, half, type Planes, planesOf, putWord, wordAt } from './planes.ts';

const elements = 4;
const maskRegisters = 8;

/** A memory of all PEs: sign and exponent, and 24 bits of fraction, of each short word; the PEs of one address lie together. */
interface Memory {
  readonly se: Uint16Array;
  readonly fraction: Int32Array;
}

const memoryOf = (words: number): Memory => ({
  se: new Uint16Array(words),
  fraction: new Int32Array(words),
});

/** What a slot leaves behind: its results, and where they go. They become visible after the next slot. */
interface Issued {
  slot: Slot | undefined;
  readonly products: Planes;
  readonly sums: Planes;
  /** Words on their way through `bm`. */
  readonly moved: Planes;
  /** By element and PE: 1 where it takes part, and the flags of adder or ALU. */
  readonly active: Uint8Array;
  readonly flags: Uint8Array;
  /** By element and PE: what T held when the slot was issued, as an address in local memory. */
  readonly addresses: Int32Array;
}

/**
 * A block whose PEs go side by side through typed arrays, element by element (GRAPE specification 10).
 *
 * Details: does what `ReferenceBlock` does, word for word; a property test compares them. A slot computes from what is visible, then the results of
 * the slot before are written. The multiplier's and the adder's usual forms, and most ALU functions, work on whole rows of PEs; the others word
 * by word with bigints.
 */
export class LaneBlock implements Block {
  readonly spec: BlockSpec;
  readonly #lanes: number;
  readonly #lm: Memory;
  readonly #grf: Memory;
  readonly #bm: Memory;
  /** By element and PE. */
  readonly #t: Planes;
  /** By register, element and PE. */
  readonly #masks: Uint8Array;
  #last: Issued;
  #next: Issued;
  /** True while the results of the last slot are not written yet. */
  #pending = false;
  /** True between the begin of a slot and its end. */
  #begun = false;
  readonly #a: Planes;
  readonly #b: Planes;

  constructor(spec: BlockSpec) {
    const { nPE, lmShort, grfShort, bmShort } = spec;
    this.spec = spec;
    this.#lanes = nPE;
    this.#lm = memoryOf(lmShort * nPE);
    this.#grf = memoryOf(grfShort * nPE);
    this.#bm = memoryOf(bmShort);
    this.#t = planesOf(elements * nPE);
    this.#masks = new Uint8Array(maskRegisters * elements * nPE).fill(1);
    this.#last = issuedOf(nPE);
    this.#next = issuedOf(nPE);
    this.#a = planesOf(nPE);
    this.#b = planesOf(nPE);
  }

  issue(slot: Slot): void {
    this.begin(slot);
    for (let k = 0; k < slot.vlen; k++) this.element(k);
    this.retire();
  }

  begin(slot: Slot): void {
    this.#next.slot = slot;
    this.#begun = true;
  }

  element(k: number): void {
    const issued = this.#next;
    const slot = issued.slot!;
    this.#note(issued, slot, k);
    if (slot.mul) this.#multiply(slot.mul, issued, k);
    if (slot.add) this.#add(slot.add, slot, issued, k);
    if (slot.bm) this.#fetch(slot.bm, issued, k);
  }

  retire(): void {
    const issued = this.#next;
    const slot = issued.slot!;
    this.#begun = false;
    if (this.spec.mode === 'functional') {
      this.#commit(issued);
      if (slot.mul) this.#keepProducts(issued.products, slot.vlen);
      return;
    }
    if (this.#pending) this.#commit(this.#last);
    this.#next = this.#last;
    this.#last = issued;
    this.#pending = true;
  }

  /** In functional mode the latest products stay; elements that had none are 0. */
  #keepProducts({ se, high, low }: Planes, vlen: number): void {
    const { products } = this.#last;
    const used = vlen * this.#lanes;
    for (const [from, to] of [
      [se, products.se],
      [high, products.high],
      [low, products.low],
    ] as const) {
      to.set(from.subarray(0, used));
      to.fill(0, used);
    }
  }

  pass(): void {
    if (this.spec.mode === 'functional') return;
    if (this.#pending) this.#commit(this.#last);
    this.#pending = false;
    this.#last.slot = undefined;
  }

  drain(): void {
    if (this.#pending) this.#commit(this.#last);
    this.#pending = false;
  }

  readBroadcast(addr: number, long: boolean): Word {
    return loadWord(this.#bm, addr, 1, long);
  }

  writeBroadcast(addr: number, long: boolean, word: Word): void {
    const left = long ? word : word << 36n;
    this.#bm.se[addr] = Number(left >> 60n);
    this.#bm.fraction[addr] = Number((left >> 36n) & 0xff_ffffn);
    if (!long) return;
    this.#bm.se[addr + 1] = Number((left >> 24n) & 0xfffn);
    this.#bm.fraction[addr + 1] = Number(left & 0xff_ffffn);
  }

  peek(pe: number, ref: Ref, element: number): Word {
    const settled = this.#pending ? this.fork() : this;
    settled.drain();
    settled.#read(ref, element, settled.#a);
    return wordAt(settled.#a, pe);
  }

  peekMask(pe: number, register: number): number {
    const settled = this.#pending ? this.fork() : this;
    settled.drain();
    let bits = 0;
    for (let k = 0; k < elements; k++)
      if (register === 0 || settled.#masks[this.#maskAt(register, k) + pe] === 1) bits |= 1 << k;
    return bits;
  }

  fork(): LaneBlock {
    const copy = new LaneBlock(this.spec);
    for (const [from, to] of [
      [this.#lm, copy.#lm],
      [this.#grf, copy.#grf],
      [this.#bm, copy.#bm],
    ] as const) {
      to.se.set(from.se);
      to.fraction.set(from.fraction);
    }
    copyPlanes(this.#t, copy.#t);
    copy.#masks.set(this.#masks);
    copyIssued(this.#last, copy.#last);
    copy.#pending = this.#pending;
    if (this.#begun) copyIssued(this.#next, copy.#next);
    copy.#begun = this.#begun;
    return copy;
  }

  hash(into: Hasher): void {
    for (const { se, fraction } of [this.#lm, this.#grf, this.#bm]) {
      into.numbers(se);
      into.numbers(fraction);
    }
    for (const plane of [this.#t.se, this.#t.high, this.#t.low, this.#masks]) into.numbers(plane);
    into.number(this.#pending ? 1 : 0);
    hashIssued(this.#last, into);
    into.number(this.#begun ? 1 : 0);
    if (this.#begun) hashIssued(this.#next, into);
  }

  #maskAt(register: number, k: number): number {
    return (register * elements + k) * this.#lanes;
  }

  /** Notes who takes part in element k, and where T points. */
  #note({ active, addresses }: Issued, slot: Slot, k: number): void {
    const { mi } = slot;
    const lanes = this.#lanes;
    const from = k * lanes;
    if (mi === 0) active.fill(1, from, from + lanes);
    else {
      const at = this.#maskAt(mi, k);
      for (let pe = 0; pe < lanes; pe++) active[from + pe] = this.#masks[at + pe]!;
    }
    if (!writesIndirectly(slot)) return;
    for (let pe = 0; pe < lanes; pe++) addresses[from + pe] = this.#addressInT(k, pe);
  }

  /** A short-word address in T, modulo the size of local memory. */
  #addressInT(k: number, pe: number): number {
    const at = k * this.#lanes + pe;
    const { lmShort } = this.spec;
    const { se, high, low } = this.#t;
    if (se[at] === 0 && high[at] === 0) return low[at]! % lmShort;
    return Number(wordAt(this.#t, at) % BigInt(lmShort));
  }

  #multiply({ bits, a, b }: MultiplyOp, issued: Issued, k: number): void {
    const lanes = this.#lanes;
    const from = k * lanes;
    this.#read(a, k, this.#a);
    this.#read(b, k, this.#b);
    if (bits === multiplierWords.fmulShort || bits === multiplierWords.fmulLong) {
      multiplyLanes(this.#a, 0, this.#b, 0, issued.products, from, lanes, bits === multiplierWords.fmulShort);
      return;
    }
    for (let pe = 0; pe < lanes; pe++)
      putWord(issued.products, from + pe, multiply(wordAt(this.#a, pe), wordAt(this.#b, pe), bits).word);
  }

  #add(op: AddOp | AluOp, slot: Slot, { sums, flags }: Issued, k: number): void {
    const lanes = this.#lanes;
    const from = k * lanes;
    if (op.a && op.b) {
      this.#read(op.a, k, this.#a);
      this.#read(op.b, k, this.#b);
    }
    if (op.unit === 'fadd') {
      if (op.normA && op.normB && op.normO)
        addLanes(this.#a, 0, this.#b, 0, sums, from, lanes, op.sub, op.round);
      else
        for (let pe = 0; pe < lanes; pe++)
          putWord(sums, from + pe, add(wordAt(this.#a, pe), wordAt(this.#b, pe), op).word);
    } else if (op.op === 'imm') {
      const word = op.signed ? BigInt.asIntN(36, op.imm!) & longMask : op.imm!;
      for (let pe = 0; pe < lanes; pe++) putWord(sums, from + pe, word);
    } else if (worksOnLanes(op.op, op.signed)) aluLanes(op.op, this.#a, 0, this.#b, 0, sums, from, lanes);
    else
      for (let pe = 0; pe < lanes; pe++)
        putWord(sums, from + pe, alu(op.op, op.signed, wordAt(this.#a, pe), wordAt(this.#b, pe)));
    const register = op.unit === 'fadd' ? slot.mof : slot.moi;
    if (register === 0) return;
    const { se, high, low } = sums;
    for (let pe = from; pe < from + lanes; pe++) {
      const nothing = high[pe] === 0 && low[pe] === 0;
      // The adder tells of a negative result, the ALU of zero (GRAPE specification 2.4, 2.7).
      flags[pe] =
        op.unit === 'fadd'
          ? se[pe]! >= 0x800 && !(nothing && se[pe] === 0x800)
            ? 1
            : 0
          : nothing && se[pe] === 0
            ? 1
            : 0;
    }
  }

  /** Takes the words of `bm` from where they come. */
  #fetch({ toPe, bm, pe, peid }: BmOp, { moved }: Issued, k: number): void {
    const from = k * this.#lanes;
    if (toPe) {
      putWord(moved, from, loadWord(this.#bm, elementOf(bm, k), 1, bm.long));
      return;
    }
    this.#read(pe, k, this.#a);
    moved.se[from] = this.#a.se[peid!]!;
    moved.high[from] = this.#a.high[peid!]!;
    moved.low[from] = this.#a.low[peid!]!;
  }

  /** Element k of an operand, of all PEs, as a unit receives it. */
  #read(ref: Ref, k: number, into: Planes): void {
    const lanes = this.#lanes;
    switch (ref.kind) {
      case 'grf':
        loadRow(this.#grf, elementOf(ref, k) * lanes, lanes, ref.long, into);
        return;
      case 'lm':
        loadRow(this.#lm, elementOf(ref, k) * lanes, lanes, ref.long, into);
        return;
      case 'ind':
        for (let pe = 0; pe < lanes; pe++) {
          const addr = this.#addressInT(k, pe);
          putWord(into, pe, loadWord(this.#lm, (ref.long ? addr & ~1 : addr) * lanes + pe, lanes, ref.long));
        }
        return;
      case 'bm':
        fillRow(into, loadWord(this.#bm, elementOf(ref, k), 1, ref.long));
        return;
      case 't':
        copyRow(this.#t, k * lanes, lanes, into);
        return;
      case 'ti':
        copyRow(this.#forwarded(k) ?? this.#t, k * lanes, lanes, into);
        return;
      case 'fb':
        this.#readProduct(k, into);
        return;
      case 'pe':
        for (let pe = 0; pe < lanes; pe++) putWord(into, pe, BigInt(pe));
        return;
      case 'bb':
        fillRow(into, BigInt(this.spec.number));
        return;
    }
  }

  /** The results of the last slot that go to T: of the adder or ALU before those of the multiplier. */
  #forwarded(k: number): Planes | undefined {
    const { slot, sums, products } = this.#last;
    if (this.spec.mode === 'functional' || slot === undefined || k >= slot.vlen) return undefined;
    if (slot.add && writesT(slot.add.dst)) return sums;
    return slot.mul && writesT(slot.mul.dst) ? products : undefined;
  }

  #readProduct(k: number, into: Planes): void {
    const { slot, products } = this.#last;
    const there = this.spec.mode === 'functional' || (slot?.mul !== undefined && k < slot.vlen);
    if (there) copyRow(products, k * this.#lanes, this.#lanes, into);
    else fillRow(into, 0n);
  }

  /** Writes the results of a slot: multiplier, then adder or ALU, then `bm`, element by element. */
  #commit(issued: Issued): void {
    const slot = issued.slot;
    if (slot === undefined) return;
    const { mul, add: adder, bm, vlen } = slot;
    for (let k = 0; k < vlen; k++) {
      if (mul) for (const ref of mul.dst) this.#write(ref, k, issued.products, issued);
      if (adder) this.#commitSums(adder, slot, issued, k);
      if (bm) this.#commitMoved(bm, issued, k);
    }
  }

  #commitSums(op: AddOp | AluOp, slot: Slot, issued: Issued, k: number): void {
    const lanes = this.#lanes;
    for (const ref of op.dst) {
      if (op.unit === 'ialu' && op.op === 'imm' && !ref.long) this.#writeImmediate(ref, k, op.imm!, issued);
      else this.#write(ref, k, issued.sums, issued);
    }
    const register = op.unit === 'fadd' ? slot.mof : slot.moi;
    if (register === 0) return;
    const at = this.#maskAt(register, k);
    for (let pe = 0; pe < lanes; pe++)
      this.#masks[at + pe] = issued.flags[k * lanes + pe]! & issued.active[k * lanes + pe]!;
  }

  /** A short place receives the pattern itself (GRAPE specification 2.7). */
  #writeImmediate(ref: Ref, k: number, pattern: Word, issued: Issued): void {
    const row = planesOf(elements * this.#lanes);
    for (let pe = 0; pe < this.#lanes; pe++) putWord(row, k * this.#lanes + pe, pattern << 36n);
    this.#write(ref, k, row, issued);
  }

  #commitMoved({ toPe, bm, pe: side, peid }: BmOp, issued: Issued, k: number): void {
    const lanes = this.#lanes;
    const from = k * lanes;
    if (!toPe) {
      if (issued.active[from + peid!] === 1)
        this.writeBroadcast(
          elementOf(bm, k),
          bm.long,
          bm.long ? wordAt(issued.moved, from) : wordAt(issued.moved, from) >> 36n,
        );
      return;
    }
    const { se, high, low } = issued.moved;
    for (let pe = 1; pe < lanes; pe++) {
      se[from + pe] = se[from]!;
      high[from + pe] = high[from]!;
      low[from + pe] = low[from]!;
    }
    this.#write(side, k, issued.moved, issued, peid);
  }

  /** Writes a row of results to a place, where it takes part: in all PEs, or in one. */
  #write(ref: Ref, k: number, from: Planes, { active, addresses }: Issued, only?: number): void {
    const lanes = this.#lanes;
    const row = k * lanes;
    const first = only ?? 0;
    const end = only === undefined ? lanes : only + 1;
    if (ref.kind === 't') {
      for (let pe = first; pe < end; pe++) {
        if (active[row + pe] === 0) continue;
        this.#t.se[row + pe] = from.se[row + pe]!;
        this.#t.high[row + pe] = from.high[row + pe]!;
        this.#t.low[row + pe] = from.low[row + pe]!;
      }
      return;
    }
    const { se, fraction } = ref.kind === 'grf' ? this.#grf : this.#lm;
    const place = ref.kind === 'ind' ? 0 : elementOf(ref, k) * lanes;
    for (let pe = first; pe < end; pe++) {
      if (active[row + pe] === 0) continue;
      const addr = addresses[row + pe]!;
      const at = ref.kind === 'ind' ? (ref.long ? addr & ~1 : addr) * lanes + pe : place + pe;
      const high = from.high[row + pe]!;
      se[at] = from.se[row + pe]!;
      fraction[at] = high >>> 6;
      if (!ref.long) continue;
      const low = from.low[row + pe]!;
      se[at + lanes] = ((high & 0x3f) << 6) | (low >>> 24);
      fraction[at + lanes] = low & 0xff_ffff;
    }
  }
}

const issuedOf = (nPE: number): Issued => ({
  slot: undefined,
  products: planesOf(elements * nPE),
  sums: planesOf(elements * nPE),
  moved: planesOf(elements * nPE),
  active: new Uint8Array(elements * nPE),
  flags: new Uint8Array(elements * nPE),
  addresses: new Int32Array(elements * nPE),
});

function copyIssued(from: Issued, to: Issued): void {
  to.slot = from.slot;
  copyPlanes(from.products, to.products);
  copyPlanes(from.sums, to.sums);
  copyPlanes(from.moved, to.moved);
  to.active.set(from.active);
  to.flags.set(from.flags);
  to.addresses.set(from.addresses);
}

function hashIssued({ slot, products, sums, moved, active, flags, addresses }: Issued, into: Hasher): void {
  for (const planes of [products, sums, moved])
    for (const plane of [planes.se, planes.high, planes.low]) into.numbers(plane);
  for (const bytes of [active, flags, addresses]) into.numbers(bytes);
  into.value(slot ?? null);
}

const isIndirect = ({ kind }: Ref): boolean => kind === 'ind';

/** True when some result goes where T points. */
const writesIndirectly = ({ mul, add: adder, bm }: Slot): boolean =>
  (mul?.dst.some(isIndirect) ?? false) ||
  (adder?.dst.some(isIndirect) ?? false) ||
  (bm?.toPe === true && isIndirect(bm.pe));

const writesT = (refs: readonly Ref[]): boolean => refs.some(({ kind }) => kind === 't');

const elementOf = ({ addr, long, vector, stride }: Ref, k: number): number =>
  vector ? addr + k * stride * (long ? 2 : 1) : addr;

/** A word of a memory, left aligned; its halves lie `step` apart. */
function loadWord({ se, fraction }: Memory, at: number, step: number, long: boolean): Word {
  const upper = (BigInt(se[at]!) << 24n) | BigInt(fraction[at]!);
  const lower = long ? (BigInt(se[at + step]!) << 24n) | BigInt(fraction[at + step]!) : 0n;
  return (upper << 36n) | (lower & shortMask);
}

function loadRow({ se, fraction }: Memory, at: number, lanes: number, long: boolean, into: Planes): void {
  for (let pe = 0; pe < lanes; pe++) {
    into.se[pe] = se[at + pe]!;
    const high = fraction[at + pe]! << 6;
    if (!long) {
      into.high[pe] = high;
      into.low[pe] = 0;
      continue;
    }
    const seLow = se[at + lanes + pe]!;
    into.high[pe] = high | (seLow >>> 6);
    into.low[pe] = ((seLow & 0x3f) << 24) | fraction[at + lanes + pe]!;
  }
}

function copyRow(from: Planes, at: number, lanes: number, into: Planes): void {
  for (let pe = 0; pe < lanes; pe++) {
    into.se[pe] = from.se[at + pe]!;
    into.high[pe] = from.high[at + pe]!;
    into.low[pe] = from.low[at + pe]!;
  }
}

function fillRow(into: Planes, word: Word): void {
  into.se.fill(Number(word >> 60n));
  into.high.fill(Number((word >> 30n) & BigInt(half)));
  into.low.fill(Number(word & BigInt(half)));
}
