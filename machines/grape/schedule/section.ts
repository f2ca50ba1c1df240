import type { Item, Nop, SimLine, Slot } from '../../../actors/grape/program.ts';
import type { MemorySizes } from '../assembler/symbols.ts';
import { type Dependences, dependencesOf } from './dependences.ts';
import { freeGroups, type GroupGraph, slotGroups } from './groups.ts';
import { type Operation, operationsOf } from './operations.ts';
import {
  criticalPath,
  groupWithoutRoom,
  heights,
  type Placement,
  type PlacementRules,
  placeByPriority,
  placeInOrder,
} from './placement.ts';
import type { Rows } from './rows.ts';
import { ScheduleError } from './schedule-error.ts';

/** What the sections of a program have in common while they are scheduled. */
export interface SectionRules {
  readonly sizes: MemorySizes;
  readonly grfReadPorts: number;
  /** Orders that are tried after the first. */
  readonly tries: number;
  /**
   * Some slot of the program is `idp` or `rrn`: what touches broadcast memory keeps its distance to the
   * passes before and behind.
   */
  readonly streams: boolean;
}

/** A section taken apart. */
export interface TakenApart {
  readonly operations: readonly Operation[];
  /** Between the segments, in order. */
  readonly simLines: readonly SimLine[];
  /** Slots as written, nops counted. */
  readonly written: number;
}

/** Takes the slots of a section apart; nops are left out, since they do nothing in functional mode. */
export function takeApart(items: readonly Item[], sizes: MemorySizes): TakenApart {
  const operations: Operation[] = [];
  const simLines: SimLine[] = [];
  let slot = 0;
  let time = 0;
  for (const item of items) {
    if (item.kind === 'slot') {
      const place = { index: operations.length, slot: slot++, time: time++, segment: simLines.length };
      operations.push(...operationsOf(item, place, sizes));
    } else if (item.kind === 'nop') time += item.count;
    else simLines.push(item);
  }
  return { operations, simLines, written: time };
}

/** Slots that a section cannot do without. */
export interface LowerBounds {
  /** Each unit does one thing a slot; `imm` stands alone. */
  readonly units: number;
  /** Results are waited for. */
  readonly path: number;
}

/** A section in slots of its own: the best order found, and that of the text. */
export interface ScheduledSection {
  readonly best: readonly Item[];
  /** Undefined where nops alone do not help. */
  readonly inOrder: readonly Item[] | undefined;
  readonly bounds: LowerBounds;
}

/** Slots of items, nops counted. */
export const slotCount = (items: readonly Item[]): number =>
  items.reduce((sum, item) => sum + (item.kind === 'nop' ? item.count : item.kind === 'slot' ? 1 : 0), 0);

/**
 * Schedules a section by itself (GRAPE specification 15).
 *
 * Details: `cost` is what an arrangement costs beyond its slots, as the way back to the beginning of a loop.
 *
 * Errors: `ScheduleError`.
 */
export function scheduleSection(
  { operations, simLines, written }: TakenApart,
  rules: SectionRules,
  cost: (items: readonly Item[]) => number,
): ScheduledSection {
  const section = new SectionScheduler(operations, simLines, written, rules);
  return section.schedule(cost);
}

class SectionScheduler {
  readonly #dependences: Dependences;
  readonly #simLines: readonly SimLine[];
  readonly #written: number;
  readonly #rules: SectionRules;

  constructor(
    operations: readonly Operation[],
    simLines: readonly SimLine[],
    written: number,
    rules: SectionRules,
  ) {
    this.#dependences = dependencesOf(operations);
    this.#simLines = simLines;
    this.#written = written;
    this.#rules = rules;
  }

  schedule(cost: (items: readonly Item[]) => number): ScheduledSection {
    const graph = freeGroups(this.#dependences);
    const rules = this.#placementRules(graph);
    const crowded = groupWithoutRoom(graph, rules);
    if (crowded) throw new ScheduleError('E_SCHED_FEEDBACK', crowded.members[0]!.operation.line);
    const bounds = { units: this.#unitBound(), path: criticalPath(graph, rules.releases) };
    const inOrder = this.#inOrder();
    const total = (items: readonly Item[]) => slotCount(items) + cost(items);
    const best = this.#best(graph, rules, bounds, total);
    // Of equal ones the text as it was written.
    return { best: inOrder && total(inOrder) <= total(best) ? inOrder : best, inOrder, bounds };
  }

  /**
   * Changes the urgencies of a few groups again and again, going on from what was not worse. The numbers
   * are drawn from a fixed seed.
   * Gives the first of the shortest.
   */
  #best(
    graph: GroupGraph,
    rules: PlacementRules,
    bounds: LowerBounds,
    total: (items: readonly Item[]) => number,
  ): readonly Item[] {
    const measured = (priority: readonly number[]) => {
      const items = this.#items(placeByPriority(graph, priority, rules, this.#segments));
      return { priority, items, slots: total(items) };
    };
    let best = measured(heights(graph));
    let here = best;
    const least = Math.max(bounds.units, bounds.path);
    const draw = drawing(graph.groups.length);
    for (let tries = 0; tries < this.#rules.tries && best.slots > least; tries++) {
      const priority = [...here.priority];
      for (let changes = 1 + draw(4); changes > 0; changes--)
        priority[draw(priority.length)]! += draw(13) - 6;
      const found = measured(priority);
      if (found.slots <= here.slots) here = found;
      if (found.slots < best.slots) best = found;
    }
    return best.items;
  }

  #inOrder(): readonly Item[] | undefined {
    const graph = slotGroups(this.#dependences);
    if (!graph) return undefined;
    const rules = this.#placementRules(graph);
    if (groupWithoutRoom(graph, rules)) return undefined;
    return this.#items(placeInOrder(graph, rules, this.#segments));
  }

  get #segments(): number {
    return this.#simLines.length + 1;
  }

  #placementRules({ groups }: GroupGraph): PlacementRules {
    const { streams, grfReadPorts } = this.#rules;
    const release = (one: Operation) =>
      streams && (one.unit === 'bm' || one.unit === 'idp' || one.unit === 'rrn') ? one.time : 0;
    return {
      grfReadPorts,
      forwards: this.#dependences.forwards,
      releases: groups.map(({ members }) =>
        Math.max(...members.map(({ operation, offset }) => release(operation) - offset)),
      ),
      // A packet is in broadcast memory at once: a transfer just before it would come too late.
      settles: (rows: Rows, segment: number) =>
        this.#simLines[segment - 1]?.kind === 'IDP' &&
        rows.at(rows.count - 1).some((one) => one.unit === 'bm' && !one.op.toPe)
          ? 1
          : 0,
    };
  }

  #unitBound(): number {
    let bound = 0;
    for (let segment = 0; segment < this.#segments; segment++) {
      const here = this.#dependences.operations.filter((one) => one.segment === segment);
      const alone = here.filter(({ unit, op }) => unit === 'add' && 'imm' in op).length;
      const uses = (['mul', 'add', 'bm', 'idp', 'rrn'] as const).map(
        (unit) => here.filter((one) => one.unit === unit).length - (unit === 'add' ? alone : 0),
      );
      bound += alone + Math.max(...uses);
    }
    return bound;
  }

  #items({ rows, segmentStarts, length }: Placement): readonly Item[] {
    const items: Item[] = [];
    let vlen = 4;
    for (let row = 0, segment = 1; row <= length; row++) {
      while (segment < segmentStarts.length && segmentStarts[segment]! <= row)
        items.push(this.#simLines[segment++ - 1]!);
      if (row === length) break;
      const slot: Slot | undefined = rows.slot(row, 0);
      vlen = slot?.vlen ?? vlen;
      items.push(slot ?? { kind: 'nop', line: 0, vlen, count: 1 });
    }
    const short = this.#lengthOfPorts(rows) - length;
    return short > 0 ? [...items, { kind: 'nop', line: 0, vlen, count: short }] : items;
  }

  /** Slots that leave the ports as long to the end of the section as the text does. */
  #lengthOfPorts(rows: Rows): number {
    let least = 0;
    for (let row = 0; row < rows.count; row++)
      for (const { unit, time } of rows.at(row))
        if (unit === 'idp' || unit === 'rrn') least = Math.max(least, row + this.#written - time);
    return least;
  }
}

/** Numbers 0..count-1 from a fixed sequence (a linear congruential generator), the same for every run. */
function drawing(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** A nop of one slot. */
export const pause = (vlen = 4): Nop => ({ kind: 'nop', line: 0, vlen, count: 1 });
