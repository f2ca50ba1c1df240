import type { Word } from '../../actors/grape/arithmetic/word.ts';
import type { Block, BlockSpec, ExecutionMode } from '../../actors/grape/block/block.ts';
import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import {
  type Item,
  type Program,
  type Ref,
  type SectionName,
  sectionNames,
} from '../../actors/grape/program.ts';
import { hazardsOf } from '../../machines/grape/assembler/hazards.ts';
import { type BlockMaker, Chip, transferSlot } from '../../machines/grape/chip.ts';
import { type Scheduled, schedule } from '../../machines/grape/schedule/schedule.ts';
import { ScheduleError } from '../../machines/grape/schedule/schedule-error.ts';
import { firstDifference } from '../with-reference.ts';

/** A small chip, so that every word of it can be filled and compared. */
const sizes = { lmShort: 64, grfShort: 32, bmShort: 64 };

const ref = (kind: Ref['kind'], addr: number, vector = true): Ref => ({
  kind,
  addr,
  long: true,
  vector,
  stride: 1,
  text: '',
});

/** Numbers below 2^32 that follow from a seed (xorshift). */
function numbers(seed: number): () => number {
  let state = (seed | 0) ^ 0x9e37_79b9 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Words as programs meet them: numbers of all signs near one, small integers, zeros, any bits at all. */
function wordOf(next: () => number): Word {
  const bits = (BigInt(next()) << 32n) | BigInt(next());
  switch (next() % 8) {
    case 0:
      return 0n;
    case 1:
      return bits % 64n;
    case 2:
      return (bits << 8n) | (bits & 0xffn);
    default:
      return ((bits & 1n) << 71n) | ((1015n + ((bits >> 1n) % 16n)) << 60n) | (bits >> 4n);
  }
}

/** Fills all memories and masks of a block. */
function fill(block: Block, next: () => number): void {
  const { nPE } = block.spec;
  for (let pe = 0; pe < nPE; pe++) {
    const places = [
      ...Array.from({ length: sizes.lmShort / 8 }, (_, k) => ref('lm', 8 * k)),
      ...Array.from({ length: sizes.grfShort / 8 }, (_, k) => ref('grf', 8 * k)),
      ref('t', 0),
    ];
    for (const place of places) {
      for (let k = 0; k < 4; k++) block.writeBroadcast(2 * k, true, wordOf(next));
      block.issue(transferSlot({ toPe: true, bm: ref('bm', 0), pe: place, peid: pe }, 4));
      block.drain();
    }
  }
  for (const [moi, place] of [ref('t', 0), ref('grf', 0), ref('lm', 0)].entries()) {
    const add = {
      unit: 'ialu',
      op: 'and',
      signed: false,
      a: place,
      b: ref('grf', 8),
      dst: [],
    } as const;
    block.issue({ kind: 'slot', line: 0, vlen: 4, mi: 0, mof: 0, moi: moi + 1, add });
    block.drain();
  }
  for (let at = 0; at < sizes.bmShort; at += 2) block.writeBroadcast(at, true, wordOf(next));
  // Nothing of the filling is handed on to the program.
  block.pass();
}

/** Every word and mask of a block, by name. */
function contents(holding: Block): Record<string, string> {
  const block = holding.settled();
  const { nPE, lmShort, grfShort, bmShort } = block.spec;
  const words: Record<string, string> = {};
  const tell = (name: string, pe: number, place: Ref, element = 0) => {
    words[name] = block.peek(pe, place, element).toString(16);
  };
  for (let at = 0; at < bmShort; at += 2) tell(`BM ${at}`, 0, ref('bm', at, false));
  for (let pe = 0; pe < nPE; pe++) {
    for (let at = 0; at < lmShort; at += 2) tell(`PE ${pe} LM ${at}`, pe, ref('lm', at, false));
    for (let at = 0; at < grfShort; at += 2) tell(`PE ${pe} GRF ${at}`, pe, ref('grf', at, false));
    for (let k = 0; k < 4; k++) tell(`PE ${pe} T ${k}`, pe, ref('t', 0), k);
    for (let mask = 1; mask < 8; mask++)
      words[`PE ${pe} mask ${mask}`] = block.peekMask(pe, mask).toString(2);
  }
  return words;
}

/** Every word and mask of a chip, by name. */
export const wordsOfChip = ({ blocks }: Chip): Record<string, string> =>
  Object.assign(
    {},
    ...blocks.map((block, at) =>
      Object.fromEntries(Object.entries(contents(block)).map(([name, word]) => [`BB ${at} ${name}`, word])),
    ),
  );

/**
 * Runs all sections of a program on memories filled from a seed, the loop body `passes` times, and tells
 * every word that
 * is left in any memory, and what the simulator lines showed.
 */
export function everyWord(
  program: Program,
  { mode, seed, passes }: { readonly mode: ExecutionMode; readonly seed: number; readonly passes: number },
): Record<string, unknown> {
  const next = numbers(seed);
  const make = (spec: BlockSpec) => new ReferenceBlock(spec);
  const chip = new Chip(program, { nBB: 2, nPE: 2, mode, sizes }, make);
  for (const block of chip.blocks) fill(block, next);
  chip.loadConstants();
  for (const block of chip.blocks) block.pass();
  chip.runSection('preamble');
  chip.runSection('initialization');
  chip.runSection('loopInitialization');
  for (let pass = 0; pass < passes; pass++) chip.runSection('loopBody');
  chip.runSection('loopFinalization');
  chip.drain();
  // What is shown names the line, which scheduling counts anew.
  const shown = chip.outputs.map((output) => ({ ...output, line: 0 }));
  return { shown, ...wordsOfChip(chip) };
}

/** Sizes of the chip that programs run on here. */
export const smallSizes = sizes;

/**
 * A program with blocks and PEs that a chip of one block of two PEs has, and with records enough for every
 * `idp`.
 */
export function onOneBlock(program: Program): Program {
  const sections = Object.entries(program.sections).map(([name, items]) => [name, items.map(onBlockZero)]);
  return {
    ...program,
    regions: program.regions.map((region) => ({ ...region, count: 500 })),
    sections: Object.fromEntries(sections) as Record<SectionName, readonly Item[]>,
  };
}

function onBlockZero(item: Item): Item {
  switch (item.kind) {
    case 'slot':
      return {
        ...item,
        ...(item.bm?.peid !== undefined && { bm: { ...item.bm, peid: item.bm.peid % 2 } }),
        ...(item.idp && { idp: { ...item.idp, bbid: Math.min(item.idp.bbid, 0) } }),
      };
    case 'print':
      return { ...item, bb: 0, pe: item.pe % 2 };
    case 'DBG':
      return { ...item, bb: 0, ...(item.pe !== undefined && { pe: item.pe % 2 }) };
    default:
      return item;
  }
}

/** The most slots that one unit of a section needs: an operation with an immediate takes a whole one. Undefined behind a line for the simulator, which parts them. */
function slotsOfUnits(items: readonly Item[]): number | undefined {
  const uses = { mul: 0, add: 0, bm: 0, idp: 0, rrn: 0 };
  let alone = 0;
  for (const item of items) {
    if (item.kind === 'nop') continue;
    if (item.kind !== 'slot') return undefined;
    const isAlone = item.add !== undefined && 'imm' in item.add;
    if (isAlone) alone++;
    for (const unit of ['mul', 'add', 'bm', 'idp', 'rrn'] as const)
      if (item[unit] !== undefined && !(unit === 'add' && isAlone)) uses[unit]++;
  }
  return alone + Math.max(...Object.values(uses));
}

/** What is wrong with the numbers of slots that are told of a reordered program (GRAPE specification 15). */
function figureFault({ program, figures }: Scheduled): string | undefined {
  for (const name of sectionNames) {
    const { withNops, scheduled: slots, bounds } = figures[name];
    const units = slotsOfUnits(program.sections[name]);
    if (slots > (withNops ?? slots))
      return `${name} has ${slots} slots, in the order of the text ${withNops}`;
    if (slots < Math.max(bounds.units, bounds.path))
      return `${name} has ${slots} slots, fewer than its bounds`;
    if (units !== undefined && units !== bounds.units)
      return `a unit of ${name} needs ${units} slots, not ${bounds.units}`;
  }
  return undefined;
}

/** Whether a program has what it is refused for: a product that is handed on, or a slot with `idp` and another transfer. */
function deserves({ sections }: Program, { code }: ScheduleError): boolean {
  const slots = sectionNames.flatMap((name) => sections[name]).filter((item) => item.kind === 'slot');
  if (code === 'E_SCHED_PORTS') return slots.some(({ idp, rrn, bm }) => idp && (rrn || bm));
  return slots.some(({ add }) => add?.a?.kind === 'fb' || add?.b?.kind === 'fb');
}

/** What a program does otherwise after it was reordered for the pipeline; undefined when nothing, or when it is refused with good reason. */
export function reorderingFault(program: Program): string | undefined {
  const functional = onOneBlock(program);
  let found: Scheduled;
  try {
    found = schedule(functional, { tries: 10 });
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return deserves(functional, error) ? undefined : `${error.message}, of which the program has nothing`;
  }
  const { program: reordered } = found;
  const inFigures = figureFault(found);
  if (inFigures !== undefined) return inFigures;
  const [hazard] = hazardsOf(reordered.sections);
  if (hazard) return `reordered, line ${hazard.line} has ${hazard.code}`;
  const wanted = everythingDone(functional, 'functional', (spec) => new ReferenceBlock(spec));
  const why = firstDifference(everythingDone(reordered, 'pipelined'), wanted);
  return why === undefined ? undefined : `reordered, ${why}`;
}

/**
 * Runs all sections, the loop body twice, on one block of two PEs of the full sizes: every word, what was
 * shown and what was sent.
 */
export function everythingDone(
  program: Program,
  mode: ExecutionMode,
  make?: BlockMaker,
): Record<string, unknown> {
  const chip = new Chip(program, { nBB: 1, nPE: 2, mode }, make);
  const next = numbers(program.constants.length + 1);
  const [block] = chip.blocks as [Block];
  for (let at = 0; at < block.spec.bmShort; at += 2) block.writeBroadcast(at, true, wordOf(next));
  chip.loadConstants();
  block.pass();
  const order = ['preamble', 'initialization', 'loopInitialization', 'loopBody', 'loopBody'] as const;
  for (const name of order) chip.runSection(name);
  chip.runSection('loopFinalization');
  chip.drain();
  const shown = chip.outputs.map((output) => ({ ...output, line: 0 }));
  return { ...wordsOfChip(chip), shown, sent: chip.sent };
}
