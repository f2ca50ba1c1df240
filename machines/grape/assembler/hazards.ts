import {
  type Item,
  type Nop,
  type Ref,
  type SectionName,
  type Slot,
  sectionNames,
} from '../../../actors/grape/program.ts';
import type { Diagnostic, DiagnosticCode } from './diagnostics.ts';
import { elementAddress } from './operands.ts';

/** What one slot does as far as the next one can notice. */
interface Footprint {
  readonly line: number;
  /** Sources in the order of the components. */
  readonly reads: readonly Ref[];
  /** Destinations whose address is in T: the address is read. */
  readonly indirectWrites: readonly Ref[];
  readonly writesLm: boolean;
  readonly writesT: boolean;
  /** T came from the multiplier or the adder/ALU, so that it is forwarded. */
  readonly forwardsT: boolean;
  readonly multiplies: boolean;
  /** Short words of the register file that are written. */
  readonly grf: ReadonlySet<number>;
  readonly readsBm: readonly Ref[];
  readonly writesBm: boolean;
  /** Mask register that the slot runs under, and those it writes. */
  readonly mi: number;
  readonly masks: readonly number[];
  readonly vlen: number;
}

function shortWords(ref: Ref, vlen: number): number[] {
  return Array.from({ length: vlen }, (_, k) => elementAddress(ref, k)).flatMap((at) =>
    ref.long ? [at, at + 1] : [at],
  );
}

function idle({ line, vlen }: Nop): Footprint {
  return {
    line,
    reads: [],
    indirectWrites: [],
    writesLm: false,
    writesT: false,
    forwardsT: false,
    multiplies: false,
    grf: new Set(),
    readsBm: [],
    writesBm: false,
    mi: 0,
    masks: [],
    vlen,
  };
}

function footprintOf(slot: Slot): Footprint {
  const { mul, add, bm, rrn, vlen } = slot;
  const sources = (op: { readonly a?: Ref; readonly b?: Ref } | undefined): Ref[] =>
    [op?.a, op?.b].filter((one) => one !== undefined);
  const arithmetic = [...(mul?.dst ?? []), ...(add?.dst ?? [])];
  const writes = [...arithmetic, ...(bm?.toPe ? [bm.pe] : [])];
  const reads = [...sources(mul), ...sources(add), ...(bm && !bm.toPe ? [bm.pe] : [])];
  const active = mul !== undefined || add !== undefined || bm !== undefined;
  return {
    line: slot.line,
    reads,
    indirectWrites: writes.filter(({ kind }) => kind === 'ind'),
    writesLm: writes.some(({ kind }) => kind === 'lm' || kind === 'ind'),
    writesT: writes.some(({ kind }) => kind === 't'),
    forwardsT: arithmetic.some(({ kind }) => kind === 't'),
    multiplies: mul !== undefined,
    grf: new Set(writes.filter(({ kind }) => kind === 'grf').flatMap((ref) => shortWords(ref, vlen))),
    readsBm: [...(bm?.toPe ? [bm.bm] : []), ...(rrn ? [rrn.mem] : [])],
    writesBm: bm !== undefined && !bm.toPe,
    mi: active ? slot.mi : 0,
    masks: [slot.mof, slot.moi].filter((mask) => mask > 0),
    vlen,
  };
}

/** What the second of two consecutive slots reads too early (GRAPE specification 4.3): code and operand. */
function between(before: Footprint, after: Footprint): [DiagnosticCode, string][] {
  const found: [DiagnosticCode, string][] = [];
  const readsT = [
    ...after.reads.filter(({ kind }) => kind === 't' || kind === 'ind'),
    ...after.indirectWrites,
  ];
  for (const ref of after.reads) {
    if (before.writesLm && (ref.kind === 'lm' || ref.kind === 'ind')) found.push(['H_LM_WR', ref.text]);
    if (ref.kind === 'ti' && !before.forwardsT) found.push(['H_TI_IDLE', ref.text]);
    if (ref.kind === 'fb' && !before.multiplies) found.push(['H_FB_IDLE', ref.text]);
    if (ref.kind === 'grf' && shortWords(ref, after.vlen).some((word) => before.grf.has(word)))
      found.push(['H_GRF_STALE', ref.text]);
  }
  if (before.writesT) for (const ref of readsT) found.push(['H_T_STALE', ref.text]);
  if (after.mi > 0 && before.masks.includes(after.mi)) found.push(['H_MASK_STALE', `mi ${after.mi}`]);
  if (before.writesBm) for (const ref of after.readsBm) found.push(['H_BM_WR', ref.text]);
  return found;
}

/** The slots of a section, one by one; a nop of n slots counts as one, since the second sees nothing of what came before the first. */
function footprintsOf(items: readonly Item[]): Footprint[] {
  return items.flatMap((item) =>
    item.kind === 'slot' ? [footprintOf(item)] : item.kind === 'nop' ? [idle(item)] : [],
  );
}

/**
 * Finds what is read one slot too early (GRAPE specification 4.3).
 *
 * Details: looks at consecutive slots, from section to section in the order in which they run, and from the end of the loop body to its
 * beginning. The very first slot has an idle predecessor. Each code, line and operand is told once.
 */
export function hazardsOf(sections: Readonly<Record<SectionName, readonly Item[]>>): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const look = (before: Footprint | undefined, after: Footprint) => {
    if (!before) return;
    for (const [code, text] of between(before, after)) {
      const key = `${code} ${after.line} ${text}`;
      if (!found.has(key)) found.set(key, { code, line: after.line, column: 1, text });
    }
  };
  let last: Footprint | undefined;
  for (const name of sectionNames) {
    const slots = footprintsOf(sections[name]);
    const [first] = slots;
    if (first === undefined) continue;
    look(last, first);
    if (name === 'loopBody') look(slots.at(-1), first);
    for (let at = 1; at < slots.length; at++) look(slots[at - 1], slots[at]!);
    last = slots.at(-1);
  }
  return [...found.values()];
}
