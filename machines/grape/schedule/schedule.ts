import { type Item, type Program, type SectionName, sectionNames } from '../../../actors/grape/program.ts';
import { hazardsOf } from '../assembler/hazards.ts';
import { chipSizes, type MemorySizes } from '../assembler/symbols.ts';
import { withRepeatedProducts } from './repeated-products.ts';
import { ScheduleError } from './schedule-error.ts';
import {
  type LowerBounds,
  pause,
  type ScheduledSection,
  type SectionRules,
  scheduleSection,
  slotCount,
  takeApart,
} from './section.ts';

/** How a program is scheduled. */
export interface ScheduleOptions {
  readonly sizes?: MemorySizes;
  /** Operands of the register file that a slot may read; 2 on the chip. */
  readonly grfReadPorts?: number;
  /** Orders that are tried after the first for each section; 400 when absent. */
  readonly tries?: number;
}

/** Slots of a section. */
export interface SectionFigures {
  /** As written, nops counted. */
  readonly written: number;
  /**
   * In the order of the text, with the nops that the machine needs; undefined where nops alone do not help.
   */
  readonly withNops: number | undefined;
  readonly scheduled: number;
  readonly bounds: LowerBounds;
}

/** A program for the pipelined machine, and what became of its slots. */
export interface Scheduled {
  readonly program: Program;
  readonly figures: Readonly<Record<SectionName, SectionFigures>>;
}

type Sections = Readonly<Record<SectionName, readonly Item[]>>;

/**
 * Makes of a program that is right in functional mode one that is right on the machine (GRAPE specification
 * 4.1, 4.2, 15).
 *
 * Use when a program was written without a thought of the pipeline, or to see how dense it can be.
 *
 * Details: every word that the program leaves in any memory is the same; the lint of 4.3 finds nothing,
 * also between sections, at the
 * way back of the loop, and when the loop is not run at all; no section is longer than its text with the
 * nops it needs. Operations of
 * a slot are parted, moved and packed; `$t` and registers become `$ti` where the slot before has the word.
 * Simulator lines stay where
 * they are among the operations. Variables, constants and their addresses stay. Lines are numbered anew;
 * `disassemble` gives the text,
 * of which the constants are numbered in the new order. A product that the machine cannot hand on is worked
 * out again, where what it is made of
 * has not changed and the program has no transfers of type II.
 *
 * Gotchas: `idp` and `rrn` keep the distances of the text in slots, so that slots must take equal cycles,
 * as they do unless `slotMin` is below 4.
 *
 * Errors: `ScheduleError`.
 */
export function schedule(program: Program, options: ScheduleOptions = {}): Scheduled {
  const { sizes = chipSizes, grfReadPorts = 2, tries = 400 } = options;
  const streams = sectionNames.some((name) =>
    program.sections[name].some((item) => item.kind === 'slot' && (item.idp || item.rrn)),
  );
  const rules = { sizes, grfReadPorts, tries, streams };
  try {
    return scheduleItems(program, program.sections, rules);
  } catch (error) {
    // A slot more would move what the ports bring against what the slots read.
    if (!(error instanceof ScheduleError) || streams) throw error;
    const repeated = bySection((name) => withRepeatedProducts(program.sections[name], sizes));
    return scheduleItems(program, repeated, rules, error);
  }
}

/** Schedules the sections of a program. `before` is why another text of it has no schedule: if this one has none either, that is told. */
function scheduleItems(
  program: Program,
  given: Sections,
  rules: SectionRules,
  before?: ScheduleError,
): Scheduled {
  const apart = bySection((name) => takeApart(given[name], rules.sizes));
  const found: Partial<Record<SectionName, ScheduledSection>> = {};
  for (const [at, name] of sectionNames.entries()) {
    const done = bySection((one) => found[one]?.best ?? []);
    const seams = predecessors(done, at).map((earlier) => done[earlier]);
    const cost = (items: readonly Item[]) => {
      const back = name === 'loopBody' ? wayBack(items) : 0;
      return back + seams.filter((earlier) => collide(earlier, items)).length;
    };
    try {
      found[name] = scheduleSection(apart[name], rules, cost);
    } catch (error) {
      throw error instanceof ScheduleError && before ? before : error;
    }
  }
  const { sections, inOrder } = chosen(found as Record<SectionName, ScheduledSection>);
  return {
    program: { ...program, sections: numbered(sections) },
    figures: bySection((name) => ({
      written: slotCount(program.sections[name]),
      withNops: found[name]?.inOrder && slotCount(inOrder[name]),
      scheduled: slotCount(sections[name]),
      bounds: found[name]!.bounds,
    })),
  };
}

const bySection = <T>(make: (name: SectionName) => T): Readonly<Record<SectionName, T>> =>
  Object.fromEntries(sectionNames.map((name) => [name, make(name)])) as Readonly<Record<SectionName, T>>;

const none: Sections = bySection(() => []);

/** True when what runs second reads too early what the first has written (GRAPE specification 4.3). */
function collide(first: readonly Item[], second: readonly Item[]): boolean {
  const last = first.findLast(takesTime);
  const at = second.findIndex(takesTime);
  const next = second[at];
  if (!last || !next) return false;
  // What comes through the input port is there at once, before a transfer of the slot before.
  const packet = second.slice(0, at).some(({ kind }) => kind === 'IDP') || (next.kind === 'slot' && next.idp);
  if (packet && last.kind === 'slot' && last.bm && !last.bm.toPe) return true;
  return hazardsOf({ ...none, preamble: [last], initialization: [next] }).length > 0;
}

const takesTime = ({ kind }: Item): boolean => kind === 'slot' || kind === 'nop';

/** Slots that must pass between a loop body and itself. */
const wayBack = (items: readonly Item[]): number => (collide(items, items) ? 1 : 0);

/** The best of each section, but the order of the text where the seams make that the shorter one. */
function chosen(found: Readonly<Record<SectionName, ScheduledSection>>): {
  readonly sections: Sections;
  readonly inOrder: Sections;
} {
  const asWritten: Sections = bySection((name) => found[name].inOrder ?? found[name].best);
  const inOrder = joined(asWritten);
  let parts: Sections = bySection((name) => found[name].best);
  for (;;) {
    const sections = joined(parts);
    const longer = sectionNames.filter((name) => slotCount(sections[name]) > slotCount(inOrder[name]));
    if (longer.length === 0) return { sections, inOrder };
    // A seam may also make a section longer that is as written: then its neighbours are the reason.
    const better = longer.filter((name) => parts[name] !== asWritten[name]);
    if (better.length === 0) return { sections: inOrder, inOrder };
    parts = bySection((name) => (better.includes(name) ? asWritten[name] : parts[name]));
  }
}

/**
 * Sections with a slot between them where one needs it.
 *
 * Details: the slot goes to whichever of the two runs less often; the sections behind the loop also follow
 * those before it, for a run of no
 * passes.
 */
function joined(parts: Sections): Sections {
  const sections: Record<SectionName, readonly Item[]> = { ...parts };
  const body = sections.loopBody;
  if (wayBack(body) > 0) sections.loopBody = [...body, pause(vlenAtEnd(body))];
  for (const [at, name] of sectionNames.entries())
    for (const earlier of predecessors(sections, at)) {
      if (!collide(sections[earlier], sections[name])) continue;
      if (earlier === 'loopBody') sections[name] = [pause(), ...sections[name]];
      else sections[earlier] = [...sections[earlier], pause(vlenAtEnd(sections[earlier]))];
    }
  return sections;
}

/**
 * Sections that may run just before one: the last that has slots, and behind a loop body also the one before
 * that.
 */
function predecessors(sections: Sections, at: number): readonly SectionName[] {
  const busy = sectionNames.slice(0, at).filter((name) => sections[name].some(takesTime));
  const last = busy.at(-1);
  if (last === undefined) return [];
  const beforeLoop = busy.at(-2);
  return last === 'loopBody' && beforeLoop ? [last, beforeLoop] : [last];
}

const vlenAtEnd = (items: readonly Item[]): number => {
  const last = items.findLast((item) => item.kind === 'slot' || item.kind === 'nop');
  return last?.kind === 'slot' || last?.kind === 'nop' ? last.vlen : 4;
};

/** Lines in the order in which they are printed; neighbouring nops in one. */
function numbered(sections: Sections): Sections {
  let line = 0;
  return bySection((name) => {
    const items: Item[] = [];
    for (const item of sections[name]) {
      const last = items.at(-1);
      if (item.kind === 'nop' && last?.kind === 'nop')
        items[items.length - 1] = { ...last, count: last.count + item.count };
      else items.push({ ...item, line: ++line });
    }
    return items;
  });
}
