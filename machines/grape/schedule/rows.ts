import type { Ref, Slot } from '../../../actors/grape/program.ts';
import { isLocal, type Operation, type Work, withSources } from './operations.ts';

/** Where an operation may find an operand in T, one slot behind the operation that wrote it. */
export type Forwards = ReadonlyMap<number, readonly { readonly ref: Ref; readonly producer: number }[]>;

/** What a chip lets a slot do (GRAPE specification 3.5). */
export interface RowRules {
  readonly grfReadPorts: number;
  readonly forwards: Forwards;
}

const placeOf = ({ kind, addr, long, vector, stride, text }: Ref): string =>
  // The assembler takes a constant and the same place written out for two operands.
  `${kind} ${addr} ${long} ${vector} ${stride} ${/^[ifh]l?"/.test(text)}`;

const distinct = (refs: readonly Ref[]): number => new Set(refs.map(placeOf)).size;

const ownUnits = ({ unit }: Operation): boolean => unit === 'mul' || unit === 'add' || unit === 'bm';
const isImm = (one: Operation): boolean =>
  one.unit === 'add' && one.op.unit === 'ialu' && one.op.op === 'imm';

const writesLocal = ({ targets }: Operation): boolean => targets.some(isLocal);
const readsLocal = ({ sources }: Operation): boolean => sources.some(isLocal);
const writesBroadcast = (one: Operation): boolean => one.unit === 'bm' && !one.op.toPe;
const readsBroadcast = (one: Operation): boolean => one.unit === 'rrn' || (one.unit === 'bm' && one.op.toPe);

const memoriesWritten = ({ targets }: Operation): readonly string[] => [
  ...new Set(targets.map((ref) => (isLocal(ref) ? 'lm' : ref.kind))),
];

/** The slots of a section while operations are put into them. */
export class Rows {
  readonly #rules: RowRules;
  readonly #rows: Operation[][] = [];

  constructor(rules: RowRules) {
    this.#rules = rules;
  }

  /** Slots up to the last one in which something is done. */
  get count(): number {
    return this.#rows.length;
  }

  at(row: number): readonly Operation[] {
    return this.#rows[row] ?? [];
  }

  /**
   * True when operations can be added to a slot: units, ports, one vector length and mask, one writer a
   * memory, no
   * local or broadcast memory read right behind a slot that writes it (GRAPE specification 3.5, 4.3).
   *
   * Details: `together` were in one slot already, where two of them may write one memory, with a warning.
   */
  fits(row: number, together: readonly Operation[]): boolean {
    const here = this.at(row);
    const all = [...here, ...together];
    const before = this.at(row - 1);
    const behind = this.at(row + 1);
    if (new Set(all.map(({ unit }) => unit)).size < all.length) return false;
    if (all.length > 1 && all.some(isImm)) return false;
    const own = all.filter(ownUnits);
    if (own.some(({ vlen, mi }) => vlen !== own[0]!.vlen || mi !== own[0]!.mi)) return false;
    if (before.some(writesLocal) && all.some(readsLocal)) return false;
    if (behind.some(readsLocal) && all.some(writesLocal)) return false;
    if (before.some(writesBroadcast) && all.some(readsBroadcast)) return false;
    if (behind.some(readsBroadcast) && all.some(writesBroadcast)) return false;
    if (here.length > 0 && !this.#writersDiffer(here, together)) return false;
    const reads = all.flatMap((one) => this.sourcesAt(one, before));
    if (distinct(reads.filter(isLocal)) > 1) return false;
    if (distinct(reads.filter(({ kind }) => kind === 'grf')) > this.#rules.grfReadPorts) return false;
    return this.#sharesInput(all, before);
  }

  #writersDiffer(here: readonly Operation[], added: readonly Operation[]): boolean {
    const taken = new Set(here.flatMap(memoriesWritten));
    return !added.flatMap(memoriesWritten).some((memory) => memory !== 'bm' && taken.has(memory));
  }

  /** What a transfer takes out of a PE goes through an input of adder and ALU (GRAPE specification 3.5). */
  #sharesInput(all: readonly Operation[], before: readonly Operation[]): boolean {
    const transfer = all.find(writesBroadcast);
    const adder = all.find(({ unit }) => unit === 'add');
    if (!transfer || !adder) return true;
    const [from] = this.sourcesAt(transfer, before) as readonly [Ref];
    return this.sourcesAt(adder, before).some((ref) => placeOf(ref) === placeOf(from));
  }

  put(row: number, operation: Operation): void {
    while (this.#rows.length <= row) this.#rows.push([]);
    this.#rows[row]!.push(operation);
  }

  /** Takes out what was put in, as if it had never been there. */
  takeBack(row: number, operation: Operation): void {
    const here = this.#rows[row]!;
    here.splice(here.indexOf(operation), 1);
    while (this.#rows.length > 0 && this.#rows.at(-1)!.length === 0) this.#rows.pop();
  }

  /**
   * Operands as they are written behind the slot `before`: what that one leaves in T is read as `$ti` (GRAPE
   * specification 4.2).
   */
  sourcesAt(one: Operation, before: readonly Operation[]): readonly Ref[] {
    return one.sources.map((ref) => this.#sourceAt(ref, one, before));
  }

  #sourceAt(ref: Ref, one: Operation, before: readonly Operation[]): Ref {
    if (ref.kind === 't')
      return before.some(({ targets }) => targets.some(({ kind }) => kind === 't')) ? forwarded(ref) : ref;
    const known = this.#rules.forwards.get(one.index);
    const from = known?.find((forward) => placeOf(forward.ref) === placeOf(ref));
    return from && before.some(({ index }) => index === from.producer) ? forwarded(ref) : ref;
  }

  /** A slot as the chip carries it out; undefined where nothing is done. */
  slot(row: number, line: number): Slot | undefined {
    const all = this.at(row);
    if (all.length === 0) return undefined;
    const own = all.find(ownUnits) ?? all[0]!;
    const before = this.at(row - 1);
    const slot: { -readonly [K in keyof Slot]: Slot[K] } = {
      kind: 'slot',
      line,
      vlen: own.vlen,
      mi: own.mi,
      mof: Math.max(...all.map(({ mof }) => mof)),
      moi: Math.max(...all.map(({ moi }) => moi)),
    };
    for (const one of all) {
      const work: Work = withSources(one, (ref) => this.#sourceAt(ref, one, before));
      Object.assign(slot, { [work.unit]: work.op });
    }
    return slot;
  }
}

const forwarded = (ref: Ref): Ref => ({
  ...ref,
  kind: 'ti',
  addr: 0,
  long: true,
  vector: true,
  stride: 1,
  text: '$ti',
});
