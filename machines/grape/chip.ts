import { normaliseWord, outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import { reduceTree, reductionNode } from '../../actors/grape/arithmetic/reduction.ts';
import type { Word } from '../../actors/grape/arithmetic/word.ts';
import type { Block, BlockSpec, ExecutionMode } from '../../actors/grape/block/block.ts';
import { LaneBlock } from '../../actors/grape/block/lane-block.ts';
import type { Item, Program, Ref, RrnOp, SectionName, Slot } from '../../actors/grape/program.ts';
import { chipSizes, type MemorySizes } from './assembler/symbols.ts';

/** A chip: its blocks, and how they work (GRAPE specification 1, 4.4, 6.5). */
export interface ChipSpec {
  readonly nBB: number;
  readonly nPE: number;
  readonly mode: ExecutionMode;
  readonly sizes: MemorySizes;
  /** Cycles that a slot takes at least. */
  readonly slotMin: number;
}

/** The machine that the samples of the manual are for: 2 blocks of 2 PEs. */
export const testChip: ChipSpec = { nBB: 2, nPE: 2, mode: 'pipelined', sizes: chipSizes, slotMin: 4 };

/** A block of a kind: the reference, or a faster one. */
export type BlockMaker = (spec: BlockSpec) => Block;

/** What a line for the simulator shows (GRAPE specification 7.6). */
export interface Output {
  readonly line: number;
  readonly kind: 'print' | 'DBG' | 'RRN';
  readonly what: string;
  /** Floats as numbers, integers as bigints, patterns as hexadecimal digits. */
  readonly values: readonly (number | bigint | string)[];
}

/** A run-time fault. */
export class ChipFault extends Error {
  override readonly name = 'ChipFault';
  readonly code: 'X_EM_RANGE';
  constructor(code: ChipFault['code'], what: string) {
    super(`${code}: ${what}`);
    this.code = code;
  }
}

/**
 * The chip without actors, ports and cycles of transfers: it carries out slots one after another. The plain path that the machine of actors is
 * compared with.
 */
export class Chip {
  readonly spec: ChipSpec;
  readonly program: Program;
  readonly blocks: readonly Block[];
  /** Records of external memory by region number, each as the words of its variables in the order of their declarations. */
  readonly regions = new Map<number, (readonly Word[])[]>();
  /** Next record by region number. */
  readonly #pointers = new Map<number, number>();
  /** Bit patterns that went through the output port. */
  readonly sent: bigint[] = [];
  readonly outputs: Output[] = [];
  /** Cycles of all slots so far: at least `slotMin` each. */
  cycles = 0;

  constructor(
    program: Program,
    spec: Partial<ChipSpec> = {},
    makeBlock: BlockMaker = (one) => new LaneBlock(one),
  ) {
    this.program = program;
    this.spec = { ...testChip, ...spec };
    const { nBB, nPE, mode, sizes } = this.spec;
    this.blocks = Array.from({ length: nBB }, (_, number) => makeBlock({ ...sizes, nPE, number, mode }));
  }

  /** Brings the constants to every PE, as packets through broadcast memory do (GRAPE specification 2.11). */
  loadConstants(): void {
    for (const { addr, long, word, name } of this.program.constants) {
      const place: Ref = { kind: 'lm', addr, long, vector: false, stride: 1, text: name };
      this.toAllPes(place, [word]);
    }
  }

  /** Writes words to local memory of every PE of every block, or of one, through the first words of broadcast memory. */
  toAllPes(place: Ref, words: readonly Word[], pe?: number): void {
    const bm: Ref = { kind: 'bm', addr: 0, long: place.long, vector: true, stride: 1, text: '$b0v' };
    const width = place.long ? 2 : 1;
    for (const block of this.blocks) {
      for (const [k, word] of words.entries()) block.writeBroadcast(k * width, place.long, word);
      block.issue(
        transferSlot({ toPe: true, bm, pe: place, ...(pe !== undefined && { peid: pe }) }, words.length),
      );
      block.drain();
    }
  }

  /** Carries out a section, and leaves its last writes on their way. */
  runSection(name: SectionName): void {
    for (const item of this.program.sections[name]) this.#item(item);
  }

  /** Sets all read pointers back: a run begins. */
  rewind(): void {
    this.#pointers.clear();
  }

  drain(): void {
    for (const block of this.blocks) block.drain();
  }

  /** Puts a record of a region into broadcast memory of one block, or of all. */
  deliver(elt: number, record: number, block?: number): void {
    const words = this.regions.get(elt)?.[record];
    const targets = block === undefined ? this.blocks : [this.blocks[block]!];
    let at = 0;
    for (const { addr, long, vector, transfer } of this.program.symbols) {
      if (transfer?.kind !== 'elt' || transfer.num !== elt) continue;
      for (let k = 0; k < (vector ? 4 : 1); k++) {
        const word = words?.[at++] ?? 0n;
        for (const target of targets) target.writeBroadcast(addr + k * (long ? 2 : 1), long, word);
      }
    }
  }

  /** The words of one place of all blocks, combined by a reduction opcode or a block number (GRAPE specification 2.10). */
  reduce(op: string, words: readonly Word[], round: boolean): Word {
    return /^\d+$/.test(op) ? (words[Number(op)] ?? 0n) : reduceTree(words, reductionNode(op, round)!);
  }

  #item(item: Item): void {
    switch (item.kind) {
      case 'slot':
        this.cycles += Math.max(item.vlen, this.spec.slotMin);
        if (item.idp) this.#input(item.idp.elt, item.idp.mode, item.idp.bbid);
        if (item.rrn) this.sent.push(...this.#output(item.rrn));
        for (const block of this.blocks) block.issue(item);
        return;
      case 'nop':
        this.cycles += item.count * Math.max(item.vlen, this.spec.slotMin);
        for (let n = 0; n < item.count; n++) for (const block of this.blocks) block.pass();
        return;
      case 'IDP':
        this.#packet(item);
        return;
      case 'RRN': {
        const { op, mem, n, round, line, what } = item;
        const words = Array.from({ length: n }, (_, k) =>
          this.reduce(
            op,
            this.blocks.map((block) => block.peek(0, { ...mem, vector: true }, k)),
            round || !mem.long,
          ),
        );
        this.outputs.push({ line, kind: 'RRN', what, values: words.map(floatOf) });
        return;
      }
      case 'print': {
        const { bb, pe, format, ref, line, what } = item;
        const block = this.blocks[bb]!;
        const count = ref.vector ? 4 : 1;
        const words = Array.from({ length: count }, (_, k) => block.peek(pe, ref, k));
        const values = words.map((word) => shownAs(word, format, ref.long));
        this.outputs.push({ line, kind: 'print', what, values });
        return;
      }
      case 'DBG':
        this.#dump(item);
    }
  }

  #input(elt: number, mode: 0 | 1 | 2, bbid: number): void {
    const pointer = this.#pointers.get(elt) ?? 0;
    const records = mode === 0 ? this.spec.nBB : 1;
    const limit = this.program.regions.find((one) => one.elt === elt)?.count ?? 0;
    if (pointer + records > limit)
      throw new ChipFault(
        'X_EM_RANGE',
        `record ${pointer + records - 1} of region ${elt}, which has ${limit}`,
      );
    if (mode === 0) for (let b = 0; b < records; b++) this.deliver(elt, pointer + b, b);
    else this.deliver(elt, pointer, bbid < 0 ? undefined : bbid);
    if (mode !== 2) this.#pointers.set(elt, pointer + records);
  }

  /** The bit patterns that a reduction sends to the host; none with its output port switched off. */
  #output({ op, mem, n, round, odpoe, conv }: RrnOp): readonly bigint[] {
    if (!odpoe) return [];
    const width = mem.long ? 2 : 1;
    return Array.from({ length: n }, (_, k) =>
      this.blocks.map((block) => block.readBroadcast(mem.addr + k * width, mem.long)),
    ).flatMap((words) => hostWords(conv, op, this.reduce(op, words, round || !mem.long)));
  }

  #packet({ addr, long, count, bbn, mask, seq, words }: Extract<Item, { kind: 'IDP' }>): void {
    const width = long ? 2 : 1;
    let from = 0;
    for (const [b, block] of this.blocks.entries()) {
      if ((b & mask) !== (bbn & mask)) continue;
      for (let k = 0; k < count; k++) block.writeBroadcast(addr + k * width, long, words[from + k] ?? 0n);
      if (seq) from += count;
    }
  }

  #dump({ of, bb, pe = 0, from, to, line, what }: Extract<Item, { kind: 'DBG' }>): void {
    const block = this.blocks[bb]!;
    if (of === 'MREG') {
      const bits = block.peekMask(pe, from);
      this.outputs.push({ line, kind: 'DBG', what, values: [0, 1, 2, 3].map((k) => (bits >> k) & 1) });
      return;
    }
    const kind = { BM: 'bm', TREG: 't', GRF: 'grf', LM: 'lm' } as const;
    const values = Array.from({ length: to - from + 1 }, (_, at) => {
      const ref: Ref = {
        kind: kind[of],
        addr: 2 * (from + at),
        long: true,
        vector: false,
        stride: 1,
        text: '',
      };
      return digitsOf(block.peek(pe, ref, of === 'TREG' ? at : 0), true);
    });
    this.outputs.push({ line, kind: 'DBG', what, values });
  }
}

/** A slot that only moves words between broadcast memory and PEs. */
export const transferSlot = (bm: NonNullable<Slot['bm']>, vlen: number): Slot => ({
  kind: 'slot',
  line: 0,
  vlen,
  mi: 0,
  mof: 0,
  moi: 0,
  bm,
});

/** A reduced word as the host receives it; unnormalised sums are normalised first, so that no digits are lost (GRAPE specification 2.9). */
export function hostWords(conv: string, op: string, word: Word): readonly bigint[] {
  const conversion = outputConversions.find(({ name }) => name === conv)!;
  const normalises = conv === 'flt72to64' && /^fadd.*O/.test(op);
  const long = normalises ? normaliseWord(word) : word;
  return conversion.convert(conversion.long ? long : long >> 36n);
}

const digitsOf = (word: Word, long: boolean): string =>
  long ? word.toString(16).padStart(18, '0') : (word >> 36n).toString(16).padStart(9, '0');

const view = new DataView(new ArrayBuffer(8));

/** A left-aligned word of the chip as a double. */
export function floatOf(word: Word): number {
  view.setBigUint64(0, outputConversions[0]!.convert(word)[0]!);
  return view.getFloat64(0);
}

function shownAs(word: Word, format: 'f' | 'i' | 'h', long: boolean): number | bigint | string {
  if (format === 'f') return floatOf(word);
  if (format === 'h') return digitsOf(word, long);
  return long ? BigInt.asIntN(72, word) : BigInt.asIntN(36, word >> 36n);
}

/** Output of the stand-alone simulator as its lines of text (GRAPE specification 7.6). */
export function outputText({ line, kind, what, values }: Output): string {
  const words = values.map(String).join(' ');
  return `${kind} L${line} ${what}: ${words}`;
}
