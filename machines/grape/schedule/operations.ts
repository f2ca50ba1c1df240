import type {
  AddOp,
  AluOp,
  BmOp,
  IdpOp,
  MultiplyOp,
  Ref,
  RrnOp,
  Slot,
} from '../../../actors/grape/program.ts';
import { elementAddress } from '../assembler/operands.ts';
import type { MemorySizes } from '../assembler/symbols.ts';

/*
 * A slot taken apart into what can be moved on its own (GRAPE specification 3.5), and what each part reads
 * and
 * writes. Memories are numbered as cells: short words of the three memories, elements of T, mask registers.
 */

/** What an operation does, and on which unit. Adder and ALU are one. */
export type Work =
  | { readonly unit: 'mul'; readonly op: MultiplyOp }
  | { readonly unit: 'add'; readonly op: AddOp | AluOp }
  | { readonly unit: 'bm'; readonly op: BmOp }
  | { readonly unit: 'idp'; readonly op: IdpOp }
  | { readonly unit: 'rrn'; readonly op: RrnOp };

/** A part of a slot that one unit does. */
export type Operation = Work & {
  /**
   * Position among the operations of its section, in the order of the text; within a slot mul, add, bm, idp,
   * rrn.
   */
  readonly index: number;
  /** Number of its slot among the slots of the section, nops not counted. */
  readonly slot: number;
  /** Slots of the section before it, nops counted. */
  readonly time: number;
  /** Simulator lines of the section before it. */
  readonly segment: number;
  readonly line: number;
  readonly vlen: number;
  readonly mi: number;
  readonly mof: number;
  readonly moi: number;
  /** Operands that the unit reads from the PE. */
  readonly sources: readonly Ref[];
  readonly targets: readonly Ref[];
  readonly reads: readonly number[];
  readonly writes: readonly number[];
};

const cells = { t: 0, mask: 8, grf: 0x1_0000, lm: 0x2_0000, bm: 0x4_0000 };

/** True for the cells of T. */
export const isTCell = (cell: number): boolean => cell < cells.mask;

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, k) => from + k);

/**
 * Cells of `count` elements of a place; of an address in T all of local memory, since nothing is known of
 * it.
 */
function cellsOf(ref: Ref, count: number, sizes: MemorySizes): readonly number[] {
  switch (ref.kind) {
    case 't':
    case 'ti':
      return range(cells.t, count);
    case 'ind':
      return range(cells.lm, sizes.lmShort);
    case 'grf':
    case 'lm':
    case 'bm':
      return range(0, count).flatMap((k) =>
        range(cells[ref.kind as 'grf' | 'lm' | 'bm'] + elementAddress(ref, k), ref.long ? 2 : 1),
      );
    case 'fb':
    case 'pe':
    case 'bb':
      return [];
    default:
      return ref.kind satisfies never;
  }
}

/** Cells that hold the words of a place of the register file. */
export const registerCells = (ref: Ref, count: number): readonly number[] =>
  range(0, count).flatMap((k) => range(cells.grf + elementAddress(ref, k), ref.long ? 2 : 1));

function worksOf({ mul, add, bm, idp, rrn }: Slot): readonly Work[] {
  return [
    ...(mul ? [{ unit: 'mul', op: mul } as const] : []),
    ...(add ? [{ unit: 'add', op: add } as const] : []),
    ...(bm ? [{ unit: 'bm', op: bm } as const] : []),
    ...(idp ? [{ unit: 'idp', op: idp } as const] : []),
    ...(rrn ? [{ unit: 'rrn', op: rrn } as const] : []),
  ];
}

function sourcesOf({ unit, op }: Work): readonly Ref[] {
  if (unit === 'mul' || unit === 'add') return [op.a, op.b].filter((one) => one !== undefined);
  return unit === 'bm' && !op.toPe ? [op.pe] : [];
}

function targetsOf({ unit, op }: Work): readonly Ref[] {
  if (unit === 'mul' || unit === 'add') return op.dst;
  return unit === 'bm' && op.toPe ? [op.pe] : [];
}

/**
 * Cells of broadcast memory that an operation reads and writes. Of `idp` all: its words come while slots
 * run.
 */
function broadcastCells(work: Work, vlen: number, sizes: MemorySizes) {
  const none: readonly number[] = [];
  switch (work.unit) {
    case 'bm': {
      // The BM side advances one word an element, whatever the declaration says (specification 0.1, C12).
      const here = cellsOf({ ...work.op.bm, vector: true }, vlen, sizes);
      return work.op.toPe ? { reads: here, writes: none } : { reads: none, writes: here };
    }
    case 'idp':
      return { reads: none, writes: range(cells.bm, sizes.bmShort) };
    case 'rrn':
      return { reads: cellsOf({ ...work.op.mem, vector: true }, work.op.n, sizes), writes: none };
    default:
      return { reads: none, writes: none };
  }
}

/**
 * The operations of a slot, in the order in which they write.
 *
 * Details: `index` is that of the first one; `$ti` as a source becomes `$t`, which it is in functional mode
 * (GRAPE specification 4.1).
 */
export function operationsOf(
  slot: Slot,
  place: { readonly index: number; readonly slot: number; readonly time: number; readonly segment: number },
  sizes: MemorySizes,
): readonly Operation[] {
  return worksOf(slot).map((written, at) => {
    const work = withSources(written, plainT);
    const sources = sourcesOf(work);
    const targets = targetsOf(work);
    const own = work.unit === 'mul' || work.unit === 'add' || work.unit === 'bm';
    const mi = own ? slot.mi : 0;
    const mof = work.unit === 'add' && work.op.unit === 'fadd' ? slot.mof : 0;
    const moi = work.unit === 'add' && work.op.unit === 'ialu' ? slot.moi : 0;
    const { vlen } = slot;
    const broadcast = broadcastCells(work, vlen, sizes);
    const addresses = [...sources, ...targets].some(({ kind }) => kind === 'ind') ? range(cells.t, vlen) : [];
    const reads = [
      ...sources.flatMap((ref) => cellsOf(ref, vlen, sizes)),
      ...addresses,
      ...broadcast.reads,
      ...(mi > 0 ? [cells.mask + mi] : []),
    ];
    const writes = [
      ...targets.flatMap((ref) => cellsOf(ref, vlen, sizes)),
      ...broadcast.writes,
      ...[mof, moi].filter((mask) => mask > 0).map((mask) => cells.mask + mask),
    ];
    return {
      ...work,
      ...place,
      index: place.index + at,
      line: slot.line,
      vlen,
      mi,
      mof,
      moi,
      sources,
      targets,
      reads: [...new Set(reads)],
      writes: [...new Set(writes)],
    };
  });
}

const plainT = (ref: Ref): Ref => (ref.kind === 'ti' ? { ...ref, kind: 't', text: '$t' } : ref);

/** The same work with other source operands. */
export function withSources(work: Work, change: (ref: Ref) => Ref): Work {
  switch (work.unit) {
    case 'mul':
      return { unit: 'mul', op: { ...work.op, a: change(work.op.a), b: change(work.op.b) } };
    case 'add': {
      const { op } = work;
      if (op.unit === 'fadd') return { unit: 'add', op: { ...op, a: change(op.a), b: change(op.b) } };
      return {
        unit: 'add',
        op: { ...op, ...(op.a && { a: change(op.a) }), ...(op.b && { b: change(op.b) }) },
      };
    }
    default:
      return work;
  }
}

/**
 * True when the word that an operation leaves in T is handed on to the next slot just as it is (GRAPE
 * specification 2.8, 4.2).
 */
export const forwardsT = ({ unit, mi, targets }: Operation): boolean =>
  (unit === 'mul' || unit === 'add') && mi === 0 && targets.some(({ kind }) => kind === 't');

/**
 * True when T is an operand of a unit, and not an address or what a transfer reads: then `$ti` can stand for
 * it.
 */
export const readsTByUnit = ({ unit, sources, targets }: Operation): boolean =>
  (unit === 'mul' || unit === 'add') && ![...sources, ...targets].some(({ kind }) => kind === 'ind');

export const readsFeedback = ({ sources }: Operation): boolean => sources.some(({ kind }) => kind === 'fb');

export const isLocal = ({ kind }: Ref): boolean => kind === 'lm' || kind === 'ind';
