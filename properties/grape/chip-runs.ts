import type { Block } from '../../actors/grape/block/block.ts';
import { type Item, type Program, type Ref, type Slot, sectionNames } from '../../actors/grape/program.ts';
import type { Run } from '../../kernel/run.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';

/** The sections of a program, each item replaced by others. */
export const rewritten = (program: Program, change: (item: Item) => readonly Item[]): Program => ({
  ...program,
  sections: Object.fromEntries(
    Object.entries(program.sections).map(([name, items]) => [name, items.flatMap(change)]),
  ) as unknown as Program['sections'],
});

/** A program whose numbers of PEs and blocks a chip has: those beyond are folded back. */
export const fitted = (program: Program, { nBB, nPE }: Pick<GrapeConfig, 'nBB' | 'nPE'>): Program => ({
  ...rewritten(program, (item) => {
    switch (item.kind) {
      case 'slot': {
        const { bm, idp, rrn } = item;
        return [
          {
            ...item,
            ...(bm?.peid !== undefined && { bm: { ...bm, peid: bm.peid % nPE } }),
            ...(idp && { idp: { ...idp, bbid: idp.bbid % nBB } }),
            ...(rrn && { rrn: { ...rrn, op: folded(rrn.op, nBB) } }),
          },
        ];
      }
      case 'RRN':
        return [{ ...item, op: folded(item.op, nBB) }];
      case 'print':
        return [{ ...item, bb: item.bb % nBB, pe: item.pe % nPE }];
      case 'DBG':
        return [{ ...item, bb: item.bb % nBB, ...(item.pe !== undefined && { pe: item.pe % nPE }) }];
      default:
        return [item];
    }
  }),
  symbols: program.symbols.map((symbol) => {
    const { transfer } = symbol;
    if (transfer?.redop === undefined) return symbol;
    return { ...symbol, transfer: { ...transfer, redop: folded(transfer.redop, nBB) } };
  }),
});

/** An opcode that reads out a block that the chip has. */
const folded = (op: string, nBB: number): string => (/^\d+$/.test(op) ? String(Number(op) % nBB) : op);

/** A program without the transfers of type II, whose results depend on when they end. */
export const withoutStreams = (program: Program): Program =>
  rewritten(program, (item) => {
    if (item.kind !== 'slot') return [item];
    const { idp: _idp, rrn: _rrn, ...slot } = item;
    return [slot];
  });

/**
 * A source without hazards: nops where an old value would be read, registers where a result would be forwarded that is not there
 * (GRAPE specification 4.3).
 *
 * Details: two things that the lint lets through tell the pipeline from the simple simulator, by the rules themselves: what is forwarded is what
 * adder or multiplier made, also where a mask keeps it from T or `bm` writes T as well (2.8, 4.2); and packet lines write broadcast memory at
 * once, before the transfer of the slot above them (7.6). Programs without hazards have neither.
 */
export function withoutHazards(source: string, type: 1 | 2): Program {
  const lines = source.split('\n');
  for (;;) {
    const { program, diagnostics } = assemble(lines.join('\n'), { type });
    const hazard = diagnostics.find(({ code }) => code.startsWith('H_'));
    const line = hazard?.line ?? forwardedAgainstT(program);
    if (line === undefined) return rewritten(program, (item) => (item.kind === 'IDP' ? [] : [item]));
    const at = line - 1;
    if (hazard === undefined || hazard.code === 'H_TI_IDLE' || hazard.code === 'H_FB_IDLE')
      lines[at] = lines[at]!.replaceAll('$ti', '$t').replaceAll('$fb', '$t');
    else lines.splice(at, 0, 'nop');
  }
}

/** The line of a slot that reads a forwarded result other than what T will hold. */
function forwardedAgainstT({ sections }: Program): number | undefined {
  const items = sectionNames
    .flatMap((name) => sections[name])
    .filter((item) => item.kind === 'slot' || item.kind === 'nop');
  const reads = ({ mul, add }: Slot) => [mul?.a, mul?.b, add?.a, add?.b].some((ref) => ref?.kind === 'ti');
  const found = items.find((item, at) => {
    const before = items[at - 1];
    if (item.kind !== 'slot' || before?.kind !== 'slot' || !reads(item)) return false;
    return before.mi > 0 || before.bm?.pe.kind === 't';
  });
  return found?.line;
}

/** Items that fill all memories and masks of every PE from broadcast memory, different in each: values to calculate with. */
export function seedingItems(words: readonly bigint[], nPE: number): readonly Item[] {
  const packet: Item = {
    kind: 'IDP',
    line: 0,
    what: '',
    addr: 0,
    long: true,
    count: words.length,
    bbn: 0,
    mask: 0,
    seq: false,
    words,
  };
  const place = (kind: Ref['kind'], addr: number): Ref => ({
    kind,
    addr,
    long: true,
    vector: true,
    stride: 1,
    text: '',
  });
  const places = [
    ...[0, 8, 16, 24, 32, 40, 48, 56].map((addr) => place('grf', addr)),
    ...[0, 8, 16, 24, 32, 40, 48, 56].map((addr) => place('lm', addr)),
    place('t', 0),
  ];
  const loads = places.flatMap((pe, at) =>
    Array.from({ length: nPE }, (_, peid): Slot => {
      const first = (5 * at + 3 * peid) % (words.length - 3);
      return {
        kind: 'slot',
        line: 0,
        vlen: 4,
        mi: 0,
        mof: 0,
        moi: 0,
        bm: { toPe: true, bm: place('bm', 2 * first), pe, peid },
      };
    }),
  );
  // Masks by the signs of words, which differ from element to element and from PE to PE.
  const masks = [1, 2, 3, 4, 5, 6, 7].map((mof): Slot => {
    const a = place('grf', 8 * mof);
    const control = { normA: true, normB: true, sub: false, normO: true, round: false } as const;
    return {
      kind: 'slot',
      line: 0,
      vlen: 4,
      mi: 0,
      mof,
      moi: 0,
      add: { unit: 'fadd', ...control, a, b: a, dst: [] },
    };
  });
  const pause: Item = { kind: 'nop', line: 0, vlen: 4, count: 2 };
  return [packet, ...loads, pause, ...masks, pause];
}

/** The program with seeding before its first line. */
export const seeded = (program: Program, words: readonly bigint[], nPE: number): Program => ({
  ...program,
  sections: { ...program.sections, preamble: [...seedingItems(words, nPE), ...program.sections.preamble] },
});

/** The block of a run with this number. */
export const blockIn = (run: Run, block: number): Block =>
  (run.part(`Block[${block}]`).context as unknown as { readonly block: Block }).block;

/** The words of one PE as if all writes were done: registers, local memory, T, masks. */
export function contentOfPe(block: Block, pe: number): string {
  const settled = block.settled();
  const { grfShort, lmShort } = settled.spec;
  const read = (kind: Ref['kind'], addr: number, element = 0) =>
    settled.peek(pe, { kind, addr, long: true, vector: true, stride: 0, text: '' }, element).toString(16);
  return [
    ...Array.from({ length: grfShort / 2 }, (_, at) => read('grf', 2 * at)),
    ...Array.from({ length: lmShort / 2 }, (_, at) => read('lm', 2 * at)),
    ...[0, 1, 2, 3].map((element) => read('t', 0, element)),
    ...[1, 2, 3, 4, 5, 6, 7].map((register) => settled.peekMask(pe, register)),
  ].join(' ');
}

/** The words of broadcast memory of a block as if all writes were done. */
export function contentOfBroadcast(block: Block): string {
  const settled = block.settled();
  return Array.from({ length: settled.spec.bmShort / 2 }, (_, at) =>
    settled.readBroadcast(2 * at, true).toString(16),
  ).join(' ');
}

/** Everything that the blocks of a run hold. */
export const contentOf = (run: Run, { nBB, nPE }: Pick<GrapeConfig, 'nBB' | 'nPE'>): readonly string[] =>
  Array.from({ length: nBB }, (_, at) => blockIn(run, at)).flatMap((block) => [
    contentOfBroadcast(block),
    ...Array.from({ length: nPE }, (_, pe) => contentOfPe(block, pe)),
  ]);

/** Sizes that random programs need, and a chip small enough to be quick. */
export const smallChip = { nBB: 2, nPE: 2, hostCall: 0, portPolicy: 'stall' } as const;

/** A program carried out once, all sections, and what the blocks hold then. */
export function alone(program: Program, config: Partial<GrapeConfig> = {}) {
  const library = new GrapeLibrary(program, { ...smallChip, ...config });
  const code = library.runAlone();
  return {
    library,
    code,
    cycles: library.calls[0]!.cycles,
    content: contentOf(library.simulation, library.config),
    outputs: JSON.stringify(library.outputs, (_key, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    ),
    raised: library.simulation.outcome.violations.map(({ why }) => why.split(':')[0]!),
  };
}
