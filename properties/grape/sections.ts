import type { Item, Program, SectionName, Slot } from '../../actors/grape/program.ts';

/** A slot as the control processor is to issue it; null for one of a `nop`. */
export interface Expected {
  readonly slot: Slot | null;
  readonly vlen: number;
}

const order: readonly SectionName[] = [
  'preamble',
  'initialization',
  'loopInitialization',
  'loopBody',
  'loopFinalization',
];

/** The slots of a section; lines for the simulator take none (GRAPE specification 3.5, 7.6). */
export const slotsOf = (program: Program, section: SectionName): readonly Expected[] =>
  program.sections[section].flatMap((item: Item): readonly Expected[] => {
    if (item.kind === 'slot') return [{ slot: item, vlen: item.vlen }];
    if (item.kind === 'nop') return new Array<Expected>(item.count).fill({ slot: null, vlen: item.vlen });
    return [];
  });

/** The slots of every section, as the stand-alone simulator carries them out. */
export const slotsOfAll = (program: Program): readonly Expected[] =>
  order.flatMap((section) => slotsOf(program, section));
