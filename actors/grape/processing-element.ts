import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { undrafted } from '../../kernel/undraft.ts';
import type { Block } from './block/block.ts';
import { lookAt } from './look.ts';
import type { BmOp, Ref, SimLine, Slot } from './program.ts';
import { grapeProtocol } from './protocol.ts';

/** The first number of short words in the broadcast memory of a PE of its own: what one `bm` moves. */
export const peBroadcastShorts = 8;

/** Whom a PE answers, and its memories: those of a block of one PE. */
export interface ElementInput {
  readonly number: number;
  readonly blockNumber: number;
  /** The block that it belongs to. */
  readonly owner: Address;
  readonly control: Address;
  /** `firstPe` is its number; `bmShort` at least `peBroadcastShorts`. */
  readonly block: Block;
}

/** A PE with the slot in its units. */
export interface ElementContext {
  readonly spec: Omit<ElementInput, 'block'>;
  readonly block: Block;
  slot: Slot | null;
}

const role = grapeProtocol.roles.Pe;
const { update, act, when } = role.component<ElementContext>();

/** The slot as it is for this PE alone: `bm` moves words between it and the first words of a broadcast memory of its own, or does not concern it. */
function slotHere({ bm, ...slot }: Slot, number: number): Slot {
  if (bm === undefined || (bm.peid !== undefined && bm.peid !== number)) return slot;
  const side: Ref = { ...bm.bm, addr: 0 };
  return { ...slot, bm: { ...bm, bm: side, ...(bm.peid !== undefined && { peid: 0 }) } };
}

const addressOf = ({ bm }: BmOp, k: number): number => bm.addr + k * (bm.long ? 2 : 1);

/** Whether `bm` moves a word of this PE. */
const moves = ({ slot, spec: { number } }: ElementContext): boolean =>
  slot?.bm !== undefined && (slot.bm.peid === undefined || slot.bm.peid === number);

/** One element of the slot comes into the units (GRAPE specification 6.2): what `bm` brings is there before it, what it takes away behind it. */
const elementIn = <const Next extends string>(next: Next) =>
  ({
    on: {
      'pe.element': [
        { guard: 'takesWord', target: next, actions: ['takeWord', 'calculate'] },
        { guard: 'givesWord', target: next, actions: ['calculate', 'giveWord'] },
        { target: next, actions: 'calculate' },
      ],
    },
  }) as const;

/** The line as it is for a block of one PE. */
const lineHere = (item: SimLine): SimLine =>
  item.kind === 'print' || item.kind === 'DBG' ? { ...item, pe: 0 } : item;

/**
 * A PE that is an actor of its own, for chips to learn from (GRAPE specification 6.1): its registers, local memory, T, masks and latches.
 *
 * Details: the block keeps broadcast memory, and tells of each slot, of its elements and of its end in the cycles in which they are; what the PE
 * gives to broadcast memory is there before anything can look at it, since it is visible a slot later. Elements have the states that they have in the block.
 */
export const processingElement = setup({
  types: role.types<ElementContext, ElementInput>(),
  guards: {
    takesWord: when<'pe.element'>((c, { word }) => moves(c) && word !== null),
    givesWord: when((c) => moves(c) && !c.slot!.bm!.toPe),
  },
  actions: {
    begin: update<'pe.begin'>((c, { slot }) => {
      c.slot = undrafted(slot);
      c.block.begin(slotHere(c.slot, c.spec.number));
    }),
    takeWord: update<'pe.element'>((c, { element, word }) => {
      const { bm } = c.slot!.bm!;
      c.block.writeBroadcast(element * (bm.long ? 2 : 1), bm.long, word!);
    }),
    calculate: update<'pe.element'>((c, { element }) => c.block.element(element)),
    giveWord: act<'pe.element'>((c, { element }, out) => {
      const bm = c.slot!.bm!;
      const word = c.block.given(element);
      if (word === undefined) return;
      out.post({ to: c.spec.owner, type: 'pe.word', addr: addressOf(bm, element), long: bm.bm.long, word });
    }),
    retire: update((c) => {
      c.block.retire();
      c.slot = null;
    }),
    pass: update((c) => {
      c.block.pass();
    }),
    reset: update((c) => {
      c.block.reset();
    }),
    show: act<'pe.look'>((c, { number, item }, out) => {
      const words = lookAt(c.block, lineHere(item));
      const { control, blockNumber: block } = c.spec;
      out.post({ to: control, type: 'block.seen', number, block, words });
    }),
  },
}).createMachine({
  id: 'processingElement',
  context: ({ input: { block, ...spec } }) => ({ spec, block: block.fork(), slot: null }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'pe.begin': { target: 'working', actions: 'begin' },
        'pe.pass': { actions: 'pass' },
        'pe.reset': { actions: 'reset' },
        'pe.look': { actions: 'show' },
      },
    },
    working: {
      initial: 'begun',
      on: { 'pe.retire': { target: 'idle', actions: 'retire' } },
      states: {
        begun: elementIn('el0'),
        el0: elementIn('el1'),
        el1: elementIn('el2'),
        el2: elementIn('el3'),
        el3: {},
      },
    },
  },
});
