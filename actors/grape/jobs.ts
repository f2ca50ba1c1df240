import type { Word } from './arithmetic/word.ts';
import { placesOf, resultsOf, tableOf } from './host-tables.ts';
import {
  type BmOp,
  type Item,
  type Nop,
  type Program,
  type Ref,
  type RrnOp,
  type SectionName,
  type SimLine,
  type Slot,
  sectionNames,
  type Variable,
} from './program.ts';
import type { Packet } from './protocol.ts';
import type { ChipTiming } from './timing.ts';

/** A step of the control processor. */
export type Step =
  /** A slot of a section, or of the library. */
  | { readonly kind: 'slot'; readonly slot: Slot; readonly section: SectionName | 'library' }
  | { readonly kind: 'nop'; readonly nop: Nop; readonly section: SectionName | 'library' }
  /** A line for the simulator. */
  | { readonly kind: 'look'; readonly item: SimLine }
  /** Packets of the host begin to go through the input port. */
  | { readonly kind: 'packets'; readonly packets: readonly Packet[] }
  /** Waits until a packet is in place. */
  | { readonly kind: 'visible'; readonly packet: number }
  /** Record 0 of a table goes to all blocks. */
  | { readonly kind: 'table'; readonly elt: number }
  /** Waits until both ports are free. */
  | { readonly kind: 'ports' };

/** Work for the control processor: steps before the passes, of each pass, after them. */
export interface Job {
  readonly name: string;
  readonly before: readonly Step[];
  readonly body: readonly Step[];
  readonly after: readonly Step[];
  readonly passes: number;
  /** True when each pass has its records of table 0 brought to the blocks first (type I). */
  readonly feeds: boolean;
  /** The step of the body after which the records of a pass are read: those of the next may come; -1 when there is none. */
  readonly refillStep: number;
  /** True when the read pointers of external memory begin anew. */
  readonly rewinds: boolean;
  /** True when the blocks are reset first. */
  readonly resets: boolean;
}

const once = (name: string, before: readonly Step[]): Job => ({
  name,
  before,
  body: [],
  after: [],
  passes: 0,
  feeds: false,
  refillStep: -1,
  rewinds: false,
  resets: false,
});

/** A reset; the constants, by packets of one word and a transfer each (GRAPE specification 2.11, 7.5), then the section `initialization`. */
export const initJob = (program: Program): Job => ({
  ...once('init', [...constantSteps(program), ...stepsOf(program, 'initialization')]),
  resets: true,
});

/** Every section once, as the stand-alone simulator runs them. */
export const aloneJob = (program: Program): Job => ({
  ...once('alone', [...constantSteps(program), ...sectionNames.flatMap((name) => stepsOf(program, name))]),
  rewinds: true,
  resets: true,
});

/** The passes of a run (GRAPE specification 6.4). */
export const passesJob = (program: Program, passes: number): Job => ({
  name: program.type === 1 ? 'run' : 'type2Run',
  before: stepsOf(program, 'loopInitialization'),
  body: stepsOf(program, 'loopBody'),
  after: stepsOf(program, 'loopFinalization'),
  passes,
  feeds: program.type === 1 && tableOf(program, 'elt', 0).length > 0,
  refillStep: refillStep(program),
  rewinds: true,
  resets: false,
});

/** Index of the first slot of the body behind the last that reads a record from broadcast memory (GRAPE specification 6.4). */
function refillStep(program: Program): number {
  const places = placesOf(tableOf(program, 'elt', 0));
  const reads = ({ bm: { addr, long } }: BmOp, vlen: number): boolean =>
    places.some(
      (place) => addr < place.addr + (place.long ? 2 : 1) && addr + vlen * (long ? 2 : 1) > place.addr,
    );
  const { loopBody } = program.sections;
  const last = loopBody.findLastIndex(
    (item) => item.kind === 'slot' && item.bm?.toPe && reads(item.bm, item.vlen),
  );
  return last < 0
    ? -1
    : loopBody.findIndex((item, at) => at > last && (item.kind === 'slot' || item.kind === 'nop'));
}

/** Record 0 of a table to broadcast memory of all blocks (type I). */
export const tableJob = (elt: number): Job =>
  once('sendEltData', [{ kind: 'table', elt }, { kind: 'ports' }]);

/** Words for local memory: of one PE of all blocks, or of every PE. */
export interface Delivery {
  readonly place: Variable;
  readonly words: readonly Word[];
  readonly pe?: number;
}

/**
 * Words into local memory: a packet to a scratch place above the last variable of broadcast memory, and a transfer from there
 * (GRAPE specification 7.5).
 *
 * Details: a transfer begins when its packet is in place and the one before it has ended, and reads a word a cycle: the next packet is as late as
 * it takes that none of its words comes before the one in its place is read. `d` deliveries of four long words take 5 d + 8 cycles (GRAPE
 * specification 6.6).
 */
export const deliveryJob = (
  name: string,
  program: Program,
  deliveries: readonly Delivery[],
  { slotMin, idpHeader }: Pick<ChipTiming, 'slotMin' | 'idpHeader'>,
): Job => {
  const addr = scratchOf(program);
  /** Cycles by which the transfer from the packet begins later than the packet is in place. */
  let late = 0;
  const packets = deliveries.map(({ place: { long }, words }, packet): Packet => {
    const next = deliveries[packet + 1];
    if (!next) return { addr, long, words, pause: 0 };
    // A cycle brings a long word, or the two short ones in its place; the last short one may be alone.
    const halves = next.words.length * (next.place.long ? 2 : 1);
    const cycles = Math.ceil(halves / 2);
    const overwritten = Math.min(words.length, long ? cycles : halves);
    const lastRead = overwritten - 1;
    const lead = lastRead - (long ? lastRead : lastRead >> 1);
    const pause = Math.max(0, late + lead + 1 - idpHeader);
    late = Math.max(0, late + Math.max(words.length, slotMin) - (pause + idpHeader + cycles));
    return { addr, long, words, pause };
  });
  if (packets.length === 0) return once(name, []);
  return once(name, [
    { kind: 'packets', packets },
    ...deliveries.flatMap(({ place, words, pe }, packet): Step[] => [
      { kind: 'visible', packet },
      move(
        {
          toPe: true,
          bm: broadcastRef(addr, place.long),
          pe: placeRef(place),
          ...(pe !== undefined && { peid: pe }),
        },
        words.length,
      ),
    ]),
  ]);
};

/**
 * The results of a type I program: of each PE and variable a copy to the register file, a transfer to broadcast memory, a reduction
 * (GRAPE specification 7.5).
 */
export const resultsJob = (program: Program, particles: number): Job => {
  const addr = scratchOf(program);
  const register: Ref = { kind: 'grf', addr: 0, long: true, vector: true, stride: 1, text: '$lr0v' };
  const steps: Step[] = [];
  for (let pe = 0; 4 * pe < particles; pe++) {
    const vlen = Math.min(4, particles - 4 * pe);
    for (const variable of resultsOf(program)) {
      const from = placeRef(variable);
      const add = { unit: 'ialu', op: 'passa', signed: false, a: from, b: from, dst: [register] } as const;
      const bm = broadcastRef(addr, true);
      steps.push(
        { kind: 'slot', section: 'library', slot: { ...emptySlot, vlen, add } },
        oneNop,
        move({ toPe: false, bm, pe: register, peid: pe }, vlen),
        oneNop,
        { kind: 'slot', section: 'library', slot: { ...emptySlot, rrn: reductionOf(variable, bm, vlen) } },
        { kind: 'ports' },
      );
    }
  }
  return once('getResult', steps);
};

/** A place in broadcast memory above all variables, at an even address (GRAPE specification 7.5). */
export function scratchOf({ symbols }: Program): number {
  const ends = symbols
    .filter(({ space }) => space === 'bm')
    .map(({ addr, long, vector }) => addr + (long ? 2 : 1) * (vector ? 4 : 1));
  const free = Math.max(0, ...ends);
  return free + (free & 1);
}

/** Short words of broadcast memory that the library needs above the variables: four long words. */
export const scratchShorts = 8;

const emptySlot: Slot = { kind: 'slot', line: 0, vlen: 4, mi: 0, mof: 0, moi: 0 };

const oneNop: Step = { kind: 'nop', section: 'library', nop: { kind: 'nop', line: 0, vlen: 4, count: 1 } };

const move = (bm: BmOp, vlen: number): Step => ({
  kind: 'slot',
  section: 'library',
  slot: { ...emptySlot, vlen, bm },
});

const broadcastRef = (addr: number, long: boolean): Ref => ({
  kind: 'bm',
  addr,
  long,
  vector: true,
  stride: 1,
  text: `$${long ? 'l' : ''}b${addr}v`,
});

const placeRef = ({ addr, long, name }: Pick<Variable, 'addr' | 'long' | 'name'>): Ref => ({
  kind: 'lm',
  addr,
  long,
  vector: true,
  stride: 1,
  text: name,
});

function reductionOf({ long, transfer }: Variable, mem: Ref, n: number): RrnOp {
  const { redop, redopt = '', conv } = transfer!;
  return {
    op: redop!,
    mem,
    n,
    round: redopt.includes('r') || !long,
    odpoe: !redopt.includes('o'),
    sregen: !redopt.includes('s'),
    conv,
  };
}

function constantSteps({ constants }: Program): readonly Step[] {
  if (constants.length === 0) return [];
  let free = 0;
  const packets = constants.map(({ long, word, lowerOnly }): Packet => {
    const addr = long ? free + (free & 1) : free;
    free = addr + (long ? 2 : 1);
    return lowerOnly
      ? { addr, long: false, words: [word & 0xf_ffff_ffffn], pause: 0 }
      : { addr, long, words: [word], pause: 0 };
  });
  return [
    { kind: 'packets', packets },
    ...constants.flatMap(({ name, addr, long, lowerOnly }, packet): Step[] => {
      const place = lowerOnly
        ? placeRef({ name, addr: addr + 1, long: false })
        : placeRef({ name, addr, long });
      const from = packets[packet]!;
      return [
        { kind: 'visible', packet },
        move({ toPe: true, bm: broadcastRef(from.addr, from.long), pe: place }, 1),
      ];
    }),
    // The last is visible to the first slot of the program, which has nothing before it (GRAPE specification 2.11, 4.3).
    oneNop,
  ];
}

const stepsOf = (program: Program, section: SectionName): readonly Step[] =>
  program.sections[section].map((item) => stepOf(item, section));

function stepOf(item: Item, section: SectionName): Step {
  switch (item.kind) {
    case 'slot':
      return { kind: 'slot', slot: item, section };
    case 'nop':
      return { kind: 'nop', nop: item, section };
    default:
      return { kind: 'look', item };
  }
}
