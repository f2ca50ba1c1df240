import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { undrafted } from '../../kernel/undraft.ts';
import type { Block } from './block/block.ts';
import { lookAt } from './look.ts';
import type { BlockSeen, PeBegin, PeElement, PeEnd, PeLook, PeReset, PeWord } from './messages.ts';
import type { BmOp, Ref, SimLine, Slot } from './program.ts';

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

type ElementEvent = PeBegin | PeElement | PeEnd | PeReset | PeLook;

/** What it sends. */
type ElementSends = BlockSeen | PeWord;

const { update, act } = component<ElementContext, ElementEvent, ElementSends>();

/** The slot as it is for this PE alone: `bm` moves words between it and the first words of a broadcast memory of its own, or does not concern it. */
function slotHere({ bm, ...slot }: Slot, number: number): Slot {
  if (bm === undefined || (bm.peid !== undefined && bm.peid !== number)) return slot;
  const side: Ref = { ...bm.bm, addr: 0 };
  return { ...slot, bm: { ...bm, bm: side, ...(bm.peid !== undefined && { peid: 0 }) } };
}

const addressOf = ({ bm }: BmOp, k: number): number => bm.addr + k * (bm.long ? 2 : 1);

/** The line as it is for a block of one PE. */
const lineHere = (item: SimLine): SimLine =>
  item.kind === 'print' || item.kind === 'DBG' ? { ...item, pe: 0 } : item;

/**
 * A PE that is an actor of its own, for chips to learn from (GRAPE specification 6.1): its registers, local memory, T, masks and latches.
 *
 * Details: the block keeps broadcast memory, and tells of each slot, of its elements and of its end in the cycles in which they are; what the PE
 * gives to broadcast memory is there before anything can look at it, since it is visible a slot later.
 */
export const processingElement = setup({
  types: {} as { context: ElementContext; events: ElementEvent; input: ElementInput },
  actions: {
    begin: update<'pe.begin'>((c, { slot }) => {
      c.slot = undrafted(slot);
      c.block.begin(slotHere(c.slot, c.spec.number));
    }),
    element: act<'pe.element'>((c, { element: k, word }, out) => {
      const { bm } = c.slot!;
      const concerned = bm !== undefined && (bm.peid === undefined || bm.peid === c.spec.number);
      if (concerned && word !== null) c.block.writeBroadcast(k * (bm.bm.long ? 2 : 1), bm.bm.long, word);
      c.block.element(k);
      if (!concerned || bm.toPe) return;
      const given = c.block.given(k);
      if (given !== undefined)
        out.post({
          to: c.spec.owner,
          type: 'pe.word',
          addr: addressOf(bm, k),
          long: bm.bm.long,
          word: given,
        });
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
      on: {
        'pe.element': { actions: 'element' },
        'pe.retire': { target: 'idle', actions: 'retire' },
      },
    },
  },
});
