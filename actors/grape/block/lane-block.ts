import type { Hasher } from '../../../kernel/hash.ts';
import { add } from '../arithmetic/adder.ts';
import type { AluFunction } from '../arithmetic/alu.ts';
import { multiplierWords, multiply } from '../arithmetic/multiplier.ts';
import { longMask, shortMask, type Word } from '../arithmetic/word.ts';
import type { AddOp, AluOp, BmOp, MultiplyOp, Ref, Slot } from '../program.ts';
import type { Block, BlockSpec } from './block.ts';
import { aluLanes } from './lane-alu.ts';
import { copyPlanes, half, type Planes, planesOf, putWord, wordAt } from './planes.ts';
import { type RowArithmetic, scriptRows, wordByWord } from './row-arithmetic.ts';

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

/** Results of the last slot, of so many elements. */
interface Results {
  readonly planes: Planes;
  readonly elements: number;
}

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
 * the slot before are written. The ALU, the usual forms of multiplier and adder and those of long products work on whole rows of PEs; the others
 * word by word with bigints.
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
  readonly #rows: RowArithmetic;
  readonly #a: Planes;
  readonly #b: Planes;

  constructor(spec: BlockSpec, rows = scriptRows) {
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
    this.#rows = rows;
    const { a, b } = rows.operands(elements * nPE);
    this.#a = a;
    this.#b = b;
  }

  issue(slot: Slot): void {
    this.begin(slot);
    for (let k = 0; k < slot.vlen; k++) this.element(k);
    this.retire();
  }

  begin(slot: Slot): void {
    const issued = this.#next;
    issued.slot = slot;
    this.#begun = true;
    // What adder, ALU and multiplier read does not change before the slot ends, so that all elements go at once.
    this.#note(issued, slot);
    if (slot.mul) this.#multiply(slot.mul, issued, slot.vlen);
    if (slot.add) this.#add(slot.add, slot, issued);
    if (slot.bm && !slot.bm.toPe) this.#fetchFromPe(slot.bm, issued, slot.vlen);
    // Words that come element by element are not there yet: nothing of an earlier slot may stand for them.
    if (slot.bm?.toPe) for (let k = 0; k < slot.vlen; k++) putWord(issued.moved, k * this.#lanes, 0n);
  }

  element(k: number): void {
    const { bm } = this.#next.slot!;
    // The input port may write broadcast memory between two elements.
    if (bm?.toPe)
      putWord(this.#next.moved, k * this.#lanes, loadWord(this.#bm, elementOf(bm.bm, k), 1, bm.bm.long));
  }

  given(k: number): Word | undefined {
    const { slot, active, moved } = this.#next;
    const { bm, peid } = slot!.bm!;
    const at = k * this.#lanes;
    if (active[at + peid!] === 0) return undefined;
    return wordFor(bm, moved, at);
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

  reset(): void {
    for (const { se, fraction } of [this.#lm, this.#grf, this.#bm]) {
      se.fill(0);
      fraction.fill(0);
    }
    for (const plane of [this.#t.se, this.#t.high, this.#t.low]) plane.fill(0);
    this.#masks.fill(1);
    this.#last = issuedOf(this.#lanes);
    this.#next = issuedOf(this.#lanes);
    this.#pending = false;
    this.#begun = false;
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

  settled(): LaneBlock {
    if (!this.#pending) return this;
    const settled = this.fork();
    settled.drain();
    return settled;
  }

  peek(pe: number, ref: Ref, element: number): Word {
    const settled = this.settled();
    settled.#load(ref, element, settled.#a, 0);
    return wordAt(settled.#a, pe);
  }

  peekMask(pe: number, register: number): number {
    const settled = this.settled();
    let bits = 0;
    for (let k = 0; k < elements; k++)
      if (register === 0 || settled.#masks[this.#maskAt(register, k) + pe] === 1) bits |= 1 << k;
    return bits;
  }

  fork(): LaneBlock {
    const copy = new (this.constructor as typeof LaneBlock)(this.spec);
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
    if (this.spec.mode === 'functional') hashPlanes(this.#last.products, elements * this.#lanes, into);
    else hashIssued(this.#last, this.#lanes, this.#pending, into);
    into.number(this.#pending ? 1 : 0);
    into.number(this.#begun ? 1 : 0);
    if (this.#begun) hashIssued(this.#next, this.#lanes, true, into);
  }

  #maskAt(register: number, k: number): number {
    return (register * elements + k) * this.#lanes;
  }

  /** Notes who takes part, and where T points. */
  #note({ active, addresses }: Issued, slot: Slot): void {
    const { mi, vlen } = slot;
    const count = vlen * this.#lanes;
    if (mi === 0) active.fill(1, 0, count);
    else {
      const at = this.#maskAt(mi, 0);
      for (let lane = 0; lane < count; lane++) active[lane] = this.#masks[at + lane]!;
    }
    if (!writesIndirectly(slot)) return;
    for (let lane = 0; lane < count; lane++) addresses[lane] = this.#addressInT(lane);
  }

  /** A short-word address in T, by element and PE, modulo the size of local memory. */
  #addressInT(at: number): number {
    const { lmShort } = this.spec;
    const { se, high, low } = this.#t;
    if (se[at] === 0 && high[at] === 0) return low[at]! % lmShort;
    return Number(wordAt(this.#t, at) % BigInt(lmShort));
  }

  #multiply({ bits, a, b }: MultiplyOp, { products }: Issued, vlen: number): void {
    const count = vlen * this.#lanes;
    const left = this.#read(a, vlen, this.#a);
    const right = this.#read(b, vlen, this.#b);
    if (bits === multiplierWords.fmulShort || bits === multiplierWords.fmulLong) {
      this.#rows.multiply(left, right, products, count, bits === multiplierWords.fmulShort);
      return;
    }
    if (bits === multiplierWords.dmul0 || bits === multiplierWords.dmul1) {
      this.#rows.multiplyPart(left, right, products, count, bits === multiplierWords.dmul1);
      return;
    }
    wordByWord(left, right, products, count, (x, y) => multiply(x, y, bits).word);
  }

  #add(op: AddOp | AluOp, slot: Slot, { sums, flags }: Issued): void {
    const count = slot.vlen * this.#lanes;
    if (op.unit === 'ialu' && op.op === 'imm') {
      const word = op.signed ? BigInt.asIntN(36, op.imm!) & longMask : op.imm!;
      for (let lane = 0; lane < count; lane++) putWord(sums, lane, word);
    } else {
      const a = this.#read(op.a!, slot.vlen, this.#a);
      const b = this.#read(op.b!, slot.vlen, this.#b);
      this.sum(op, a, b, sums, count);
    }
    const register = op.unit === 'fadd' ? slot.mof : slot.moi;
    if (register === 0) return;
    const { se, high, low } = sums;
    for (let lane = 0; lane < count; lane++) {
      const nothing = high[lane] === 0 && low[lane] === 0;
      // The adder tells of a negative result, the ALU of zero (GRAPE specification 2.4, 2.7).
      flags[lane] =
        op.unit === 'fadd'
          ? se[lane]! >= 0x800 && !(nothing && se[lane] === 0x800)
            ? 1
            : 0
          : nothing && se[lane] === 0
            ? 1
            : 0;
    }
  }

  /** What adder or ALU make of the first `count` words, by element and PE: where a planted fault can change it. */
  protected sum(op: AddOp | AluOp, a: Planes, b: Planes, sums: Planes, count: number): void {
    calculate(op, a, b, sums, count, this.#rows);
  }

  /** Takes the words that `bm` moves from one PE. */
  #fetchFromPe({ pe, peid }: BmOp, { moved }: Issued, vlen: number): void {
    const { se, high, low } = this.#read(pe, vlen, this.#a);
    for (let k = 0; k < vlen; k++) {
      const row = k * this.#lanes;
      moved.se[row] = se[row + peid!]!;
      moved.high[row] = high[row + peid!]!;
      moved.low[row] = low[row + peid!]!;
    }
  }

  /** Elements 0 to `vlen - 1` of an operand, of all PEs, as a unit receives them: in planes of its own, or brought into `scratch`. */
  #read(ref: Ref, vlen: number, scratch: Planes): Planes {
    if (ref.kind === 't') return this.#t;
    if (ref.kind === 'ti' || ref.kind === 'fb') {
      const known = ref.kind === 'ti' ? this.#forwarded() : this.#products();
      if (known !== undefined && known.elements >= vlen) return known.planes;
      const first = Math.min(vlen, known?.elements ?? 0);
      if (known) copyRow(known.planes, 0, first * this.#lanes, scratch, 0);
      const rest = (vlen - first) * this.#lanes;
      if (ref.kind === 'ti') copyRow(this.#t, first * this.#lanes, rest, scratch, first * this.#lanes);
      else fillRow(scratch, 0n, first * this.#lanes, rest);
      return scratch;
    }
    if (isOneRow(ref)) {
      this.#load(ref, 0, scratch, 0);
      repeatRow(scratch, this.#lanes, vlen);
    } else if (liesTogether(ref)) {
      const memory = ref.kind === 'grf' ? this.#grf : this.#lm;
      loadRow(memory, ref.addr * this.#lanes, vlen * this.#lanes, false, scratch, 0);
    } else for (let k = 0; k < vlen; k++) this.#load(ref, k, scratch, k * this.#lanes);
    return scratch;
  }

  /** Element k of an operand that is no register of the pipeline, of all PEs. */
  #load(ref: Ref, k: number, into: Planes, at: number): void {
    const lanes = this.#lanes;
    switch (ref.kind) {
      case 'grf':
        loadRow(this.#grf, elementOf(ref, k) * lanes, lanes, ref.long, into, at);
        return;
      case 'lm':
        loadRow(this.#lm, elementOf(ref, k) * lanes, lanes, ref.long, into, at);
        return;
      case 'ind':
        for (let pe = 0; pe < lanes; pe++) {
          const addr = this.#addressInT(k * lanes + pe);
          const place = (ref.long ? addr & ~1 : addr) * lanes + pe;
          putWord(into, at + pe, loadWord(this.#lm, place, lanes, ref.long));
        }
        return;
      case 'bm':
        fillRow(into, loadWord(this.#bm, elementOf(ref, k), 1, ref.long), at, lanes);
        return;
      case 'pe':
        for (let pe = 0; pe < lanes; pe++) putWord(into, at + pe, BigInt(pe + (this.spec.firstPe ?? 0)));
        return;
      case 'bb':
        fillRow(into, BigInt(this.spec.number), at, lanes);
        return;
      default:
        copyRow(this.#read(ref, elements, this.#b), k * lanes, lanes, into, at);
    }
  }

  /** The results of the last slot that go to T: of the adder or ALU before those of the multiplier. */
  #forwarded(): Results | undefined {
    const { slot, sums, products } = this.#last;
    if (this.spec.mode === 'functional' || slot === undefined) return undefined;
    if (slot.add && writesT(slot.add.dst)) return { planes: sums, elements: slot.vlen };
    return slot.mul && writesT(slot.mul.dst) ? { planes: products, elements: slot.vlen } : undefined;
  }

  /** The products of the last slot; in functional mode the latest. */
  #products(): Results | undefined {
    const { slot, products } = this.#last;
    if (this.spec.mode === 'functional') return { planes: products, elements };
    return slot?.mul ? { planes: products, elements: slot.vlen } : undefined;
  }

  /** Writes the results of a slot: multiplier, then adder or ALU, then `bm`, element by element. */
  #commit(issued: Issued): void {
    const slot = issued.slot;
    if (slot === undefined) return;
    const { mul, add: adder, bm, vlen } = slot;
    if (slot.mi === 0 && meetNowhere(slot)) {
      for (const ref of mul?.dst ?? []) this.#writeAll(ref, issued.products, vlen);
      for (const ref of adder?.dst ?? []) this.#writeAll(ref, issued.sums, vlen);
      return;
    }
    for (let k = 0; k < vlen; k++) {
      if (mul) for (const ref of mul.dst) this.#write(ref, k, issued.products, issued);
      if (adder) this.#commitSums(adder, slot, issued, k);
      if (bm) this.#commitMoved(bm, issued, k);
    }
  }

  /** Writes all elements of a result to a place that nothing else of the slot is written to, in all PEs. */
  #writeAll(ref: Ref, from: Planes, vlen: number): void {
    const lanes = this.#lanes;
    if (ref.kind === 't') {
      copyRow(from, 0, vlen * lanes, this.#t, 0);
      return;
    }
    const memory = ref.kind === 'grf' ? this.#grf : this.#lm;
    // Of elements that meet in one word the last one stays.
    const first = ref.vector ? 0 : vlen - 1;
    if (liesTogether(ref)) storeRow(memory, ref.addr * lanes, vlen * lanes, false, from, 0);
    else
      for (let k = first; k < vlen; k++)
        storeRow(memory, elementOf(ref, k) * lanes, lanes, ref.long, from, k * lanes);
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
        this.writeBroadcast(elementOf(bm, k), bm.long, wordFor(bm, issued.moved, from));
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
  #write(ref: Ref, k: number, from: Planes, { slot, active, addresses }: Issued, only?: number): void {
    const lanes = this.#lanes;
    const row = k * lanes;
    // Without a mask all PEs take part, and a row is written as one.
    if (slot!.mi === 0 && only === undefined && ref.kind !== 'ind') {
      if (ref.kind === 't') copyRow(from, row, lanes, this.#t, row);
      else
        storeRow(
          ref.kind === 'grf' ? this.#grf : this.#lm,
          elementOf(ref, k) * lanes,
          lanes,
          ref.long,
          from,
          row,
        );
      return;
    }
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

function hashPlanes({ se, high, low }: Planes, count: number, into: Hasher): void {
  for (const plane of [se, high, low]) into.numbers(plane.subarray(0, count));
}

/** What of a slot still matters: its results, and while it has to write them, where they go. The rest is of earlier slots. */
function hashIssued(issued: Issued, lanes: number, writes: boolean, into: Hasher): void {
  const { slot, products, sums, moved, active, flags, addresses } = issued;
  into.value(slot ?? null);
  if (slot === undefined) return;
  const count = slot.vlen * lanes;
  if (slot.mul) hashPlanes(products, count, into);
  if (slot.add) hashPlanes(sums, count, into);
  if (!writes) return;
  into.numbers(active.subarray(0, count));
  if (slot.mof !== 0 || slot.moi !== 0) into.numbers(flags.subarray(0, count));
  if (writesIndirectly(slot)) into.numbers(addresses.subarray(0, count));
  // Of what `bm` moves each element has one word.
  if (slot.bm) for (let k = 0; k < slot.vlen; k++) into.value(wordAt(moved, k * lanes));
}

const isIndirect = ({ kind }: Ref): boolean => kind === 'ind';

/** True when some result goes where T points. */
const writesIndirectly = ({ mul, add: adder, bm }: Slot): boolean =>
  (mul?.dst.some(isIndirect) ?? false) ||
  (adder?.dst.some(isIndirect) ?? false) ||
  (bm?.toPe === true && isIndirect(bm.pe));

/** True when all elements of an operand are the same words of a memory or of the block. */
const isOneRow = ({ kind, vector }: Ref): boolean =>
  (!vector && kind !== 'ind') || kind === 'pe' || kind === 'bb';

/** True when the elements of an operand follow each other in memory without a gap: short words do. */
const liesTogether = ({ kind, long, vector, stride }: Ref): boolean =>
  vector && !long && stride === 1 && (kind === 'grf' || kind === 'lm');

/**
 * True when nothing that a slot writes can meet something else that it writes, so that the order of its writes is of no account: at most one
 * result goes to each memory, no flag to a mask register and nothing through `bm`, and no place is found in T or takes an immediate.
 */
function meetNowhere({ mul, add: adder, bm, mof, moi }: Slot): boolean {
  if (bm !== undefined || mof !== 0 || moi !== 0 || (adder?.unit === 'ialu' && adder.op === 'imm'))
    return false;
  let taken = 0;
  for (const dst of [mul?.dst, adder?.dst])
    for (const { kind } of dst ?? none) {
      const bit = kind === 't' ? 1 : kind === 'grf' ? 2 : kind === 'lm' ? 4 : 7;
      if (kind === 'ind' || (taken & bit) !== 0) return false;
      taken |= bit;
    }
  return true;
}

const none: readonly Ref[] = [];

const writesT = (refs: readonly Ref[]): boolean => refs.some(({ kind }) => kind === 't');

/** A word as wide as its place. */
const wordFor = ({ long }: Ref, planes: Planes, at: number): Word =>
  long ? wordAt(planes, at) : wordAt(planes, at) >> 36n;

const elementOf = ({ addr, long, vector, stride }: Ref, k: number): number =>
  vector ? addr + k * stride * (long ? 2 : 1) : addr;

/** A word of a memory, left aligned; its halves lie `step` apart. */
function loadWord({ se, fraction }: Memory, at: number, step: number, long: boolean): Word {
  const upper = (BigInt(se[at]!) << 24n) | BigInt(fraction[at]!);
  const lower = long ? (BigInt(se[at + step]!) << 24n) | BigInt(fraction[at + step]!) : 0n;
  return (upper << 36n) | (lower & shortMask);
}

function loadRow(
  { se, fraction }: Memory,
  from: number,
  lanes: number,
  long: boolean,
  into: Planes,
  at: number,
): void {
  if (!long) {
    for (let pe = 0; pe < lanes; pe++) {
      into.se[at + pe] = se[from + pe]!;
      into.high[at + pe] = fraction[from + pe]! << 6;
      into.low[at + pe] = 0;
    }
    return;
  }
  const lower = from + lanes;
  for (let pe = 0; pe < lanes; pe++) {
    const seLow = se[lower + pe]!;
    into.se[at + pe] = se[from + pe]!;
    into.high[at + pe] = (fraction[from + pe]! << 6) | (seLow >>> 6);
    into.low[at + pe] = ((seLow & 0x3f) << 24) | fraction[lower + pe]!;
  }
}

function storeRow(
  { se, fraction }: Memory,
  at: number,
  lanes: number,
  long: boolean,
  from: Planes,
  row: number,
): void {
  const lower = at + lanes;
  for (let pe = 0; pe < lanes; pe++) {
    const high = from.high[row + pe]!;
    se[at + pe] = from.se[row + pe]!;
    fraction[at + pe] = high >>> 6;
    if (!long) continue;
    const low = from.low[row + pe]!;
    se[lower + pe] = ((high & 0x3f) << 6) | (low >>> 24);
    fraction[lower + pe] = low & 0xff_ffff;
  }
}

function copyRow(from: Planes, start: number, count: number, into: Planes, at: number): void {
  // Arrays of the same length as a whole: much faster than a word at a time.
  if (count === from.se.length && count === into.se.length) {
    copyPlanes(from, into);
    return;
  }
  for (let lane = 0; lane < count; lane++) {
    into.se[at + lane] = from.se[start + lane]!;
    into.high[at + lane] = from.high[start + lane]!;
    into.low[at + lane] = from.low[start + lane]!;
  }
}

/** Makes rows 1 to `rows - 1` what row 0 is. */
function repeatRow({ se, high, low }: Planes, lanes: number, rows: number): void {
  for (let row = 1; row < rows; row++) {
    se.copyWithin(row * lanes, 0, lanes);
    high.copyWithin(row * lanes, 0, lanes);
    low.copyWithin(row * lanes, 0, lanes);
  }
}

function fillRow(into: Planes, word: Word, at: number, count: number): void {
  into.se.fill(Number(word >> 60n), at, at + count);
  into.high.fill(Number((word >> 30n) & BigInt(half)), at, at + count);
  into.low.fill(Number(word & BigInt(half)), at, at + count);
}

/** What adder or ALU make of whole rows, or word by word where rows cannot. */
function calculate(
  op: AddOp | AluOp,
  a: Planes,
  b: Planes,
  sums: Planes,
  count: number,
  rows: RowArithmetic,
): void {
  if (op.unit === 'fadd') {
    if (op.normA && op.normB && op.normO) {
      rows.add(a, b, sums, count, op.sub, op.round);
      return;
    }
    if (!op.normA && !op.normB && op.normO) rows.addParts(a, b, sums, count, op.sub, op.round);
    else wordByWord(a, b, sums, count, (x, y) => add(x, y, op).word);
    return;
  }
  const name = op.op as AluFunction;
  if (name === 'lsl' || name === 'lsr') rows.shift(name, op.signed, a, b, sums, count);
  else aluLanes(name, op.signed, a, 0, b, 0, sums, 0, count);
}
