import type { Word } from '../../actors/grape/arithmetic/word.ts';
import type { Block, BlockSpec, ExecutionMode } from '../../actors/grape/block/block.ts';
import { WasmBlock } from '../../actors/grape/block/wasm-block.ts';
import { hostWords } from '../../actors/grape/host-words.ts';
import { concerns, lookAt } from '../../actors/grape/look.ts';
import type { Item, Program, Ref, RrnOp, SectionName, Slot } from '../../actors/grape/program.ts';
import { chipSizes, type MemorySizes } from './assembler/symbols.ts';
import { type Output, outputOf, reduceWords } from './outputs.ts';

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
    makeBlock: BlockMaker = (one) => new WasmBlock(one),
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
      default: {
        const words = this.blocks.map((block, b) => (concerns(item, b) ? lookAt(block, item) : null));
        const output = outputOf(item, words);
        if (output) this.outputs.push(output);
      }
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
    ).flatMap((words) => hostWords(conv, op, reduceWords(op, words, round || !mem.long)));
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
