import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { undrafted } from '../../kernel/undraft.ts';
import type { Word } from './arithmetic/word.ts';
import type { Block } from './block/block.ts';
import type { BroadcastMemory } from './block/broadcast-memory.ts';
import { lookAt } from './look.ts';
import type { BmOp, SimLine, Slot } from './program.ts';
import type { GrapeMessage, GrapeOutbox } from './protocol.ts';
import { grapeProtocol } from './protocol.ts';

/** Whom a block answers, and its memories and PEs. */
export interface BlockInput {
  readonly number: number;
  readonly control: Address;
  readonly reduction: Address;
  readonly block: Block;
  /** `element`: a message for each cycle of a slot; `slot`: none for cycles in which nobody could tell the difference. */
  readonly detail: 'element' | 'slot';
  /** The PEs where each is an actor of its own; `block` is then a `BroadcastMemory`. */
  readonly pes?: readonly Address[];
}

/** Something that the control processor has asked for, and the cycle in which it is to begin. */
interface Asked<Event> {
  readonly event: Event;
  readonly begins: number;
}

/** A word on its way from the input port, and the cycle from which on it is there. */
interface Arriving {
  readonly from: number;
  readonly addr: number;
  readonly long: boolean;
  readonly word: Word;
}

/** A block: its memories and PEs, the slot in its units, and what the ports want of its broadcast memory. */
export interface BlockContext {
  readonly spec: Omit<BlockInput, 'block'>;
  readonly block: Block;
  /** Slots that have not begun, and what is to be done before them. */
  queue: Asked<GrapeMessage<'slot.issue'> | GrapeMessage<'block.look'> | GrapeMessage<'block.reset'>>[];
  /** The slot in the units, and its first cycle. */
  slot: GrapeMessage<'slot.issue'> | null;
  began: number;
  element: number;
  /** True when the writes of the slot before were made visible at the end of this one. */
  retired: boolean;
  /** The latest slot that reached its end: its writes are on their way. */
  last: Slot | null;
  /** Words on their way from the input port, in the order of their cycles. */
  arriving: Arriving[];
  /** Long-word addresses that the input port will still write, and from when on that is known. */
  announced: number[];
  announcedFrom: number;
  /** Long-word addresses that a reduction will still read, and the cycle in which it began. */
  reserved: number[];
  reservedFrom: number;
}

const role = grapeProtocol.roles.Block;
const { update, when, act } = role.component<BlockContext>();

/** Tells the PEs that are actors of their own; in the very cycle, since nothing of them is looked at before the next. */
function tellPes(
  { spec }: BlockContext,
  event: GrapeMessage<'pe.begin' | 'pe.element' | 'pe.retire' | 'pe.pass' | 'pe.reset'>,
  out: GrapeOutbox<'Block'>,
): void {
  for (const to of spec.pes ?? []) out.send(to, undefined, { ...event, to });
}

/** An element of the slot in the units, in all PEs. */
function carryOut(c: BlockContext, slot: Slot, k: number, out: GrapeOutbox<'Block'>): void {
  c.block.element(k);
  if (c.spec.pes === undefined) return;
  const { bm } = slot;
  const word = bm?.toPe ? wordAt(c.block, bm, k) : null;
  tellPes(c, { type: 'pe.element', element: k, word }, out);
}

/** The word of broadcast memory that `bm` takes in element k, as wide as its place. */
function wordAt(block: Block, op: BmOp, k: number): Word {
  const word = block.readBroadcast(addressOf(op, k), op.bm.long);
  return op.bm.long ? word : word >> 36n;
}

/** Lets the words of the input port that are due come into broadcast memory. */
function receive(c: BlockContext, cycle: number, out: GrapeOutbox<'Block'>): void {
  while (c.arriving.length > 0 && c.arriving[0]!.from <= cycle) {
    const { addr, long, word, from } = c.arriving.shift()!;
    warnOfOverwrite(c, addr >> 1, from, out);
    c.block.writeBroadcast(addr, long, word);
    const at = c.announced.indexOf(addr >> 1);
    if (at >= 0) c.announced.splice(at, 1);
  }
}

/**
 * A word is written that a reduction under way has yet to read (GRAPE specification 6.3).
 *
 * Details: what comes in the reduction's first cycle is what it is to read.
 */
function warnOfOverwrite(c: BlockContext, long: number, cycle: number, out: GrapeOutbox<'Block'>): void {
  if (cycle > c.reservedFrom && c.reserved.includes(long))
    warn(c, 'X_BM_OVERWRITE', `long word ${long} is written before the reduction has read it`, cycle, out);
}

function warn(c: BlockContext, code: string, why: string, t: number, out: GrapeOutbox<'Block'>): void {
  if (out.observed) out.probe({ type: 'FAULT', t, code, block: c.spec.number, why });
}

/** Element k of the slot in the units. */
function work(c: BlockContext, cycle: number, out: GrapeOutbox<'Block'>): void {
  receive(c, cycle, out);
  const { slot } = c.slot!;
  const k = c.element;
  if (slot === null || k >= slot.vlen) return;
  if (slot.bm?.toPe && c.announced.length > 0 && cycle >= c.announcedFrom) {
    const long = longOf(slot.bm, k);
    if (c.announced.includes(long))
      warn(
        c,
        'X_BM_EARLY',
        `long word ${long} is read before the input port has delivered it: the old value`,
        cycle,
        out,
      );
  }
  carryOut(c, slot, k, out);
}

const addressOf = ({ bm }: BmOp, k: number): number => bm.addr + k * (bm.long ? 2 : 1);
const longOf = (op: BmOp, k: number): number => addressOf(op, k) >> 1;

/** Makes the writes of the slot before visible, once, at the end of the slot in the units. */
function retire(c: BlockContext, cycle: number, out: GrapeOutbox<'Block'>): void {
  if (c.retired || c.slot === null) return;
  c.retired = true;
  receive(c, cycle, out);
  const last = c.last;
  if (last?.bm && !last.bm.toPe)
    for (let k = 0; k < last.vlen; k++) warnOfOverwrite(c, longOf(last.bm, k), cycle, out);
  if (c.slot.slot === null) {
    c.block.pass();
    tellPes(c, { type: 'pe.pass' }, out);
  } else {
    c.block.retire();
    tellPes(c, { type: 'pe.retire' }, out);
  }
  c.last = c.slot.slot;
}

/** The end of the slot in the units is reached in this cycle. */
const isOver = (c: BlockContext, cycle: number): boolean =>
  c.slot !== null && cycle >= c.began + c.slot.length;

/** Shows what lines for the simulator ask for, and begins anew when told to, up to the next slot; that takes no time. */
function prepare(c: BlockContext, cycle: number, out: GrapeOutbox<'Block'>): void {
  receive(c, cycle, out);
  for (;;) {
    const [first] = c.queue;
    if (first === undefined || first.event.type === 'slot.issue' || first.begins > cycle) return;
    c.queue.shift();
    if (first.event.type === 'block.reset') {
      c.block.reset();
      tellPes(c, { type: 'pe.reset' }, out);
      c.last = null;
      continue;
    }
    const { number, item } = first.event;
    const shown = shownPe(c, item);
    if (shown !== undefined) {
      out.send(shown, undefined, { to: shown, type: 'pe.look', number, item });
      continue;
    }
    const words = lookAt(c.block, item);
    const { control, number: block } = c.spec;
    if (item.kind !== 'IDP') out.post({ to: control, type: 'block.seen', number, block, words });
  }
}

/** The PE that a line shows, where it is an actor of its own. */
function shownPe({ spec }: BlockContext, item: SimLine): Address | undefined {
  if (item.kind === 'print') return item.ref.kind === 'bm' ? undefined : spec.pes?.[item.pe];
  return item.kind === 'DBG' && item.of !== 'BM' ? spec.pes?.[item.pe ?? 0] : undefined;
}

const isDue = (c: BlockContext, cycle: number): boolean => {
  const [first] = c.queue;
  return first !== undefined && first.begins <= cycle;
};

/** True when the port of broadcast memory is taken by the slot in the units (GRAPE specification 6.3: bm wins). */
function portIsTaken(c: BlockContext, cycle: number): boolean {
  const inUnits = c.slot !== null && !isOver(c, cycle);
  const issued = inUnits
    ? c.slot
    : c.queue.find(({ event, begins }) => event.type === 'slot.issue' && begins === cycle)?.event;
  if (issued?.type !== 'slot.issue' || issued.slot === null) return false;
  return issued.slot.bm !== undefined && cycle - (inUnits ? c.began : cycle) < issued.slot.vlen;
}

/** Reads a word for the reduction, or waits a cycle for the port. */
function readOut(
  c: BlockContext,
  { addr, long, index }: GrapeMessage<'bm.readout'>,
  out: GrapeOutbox<'Block'>,
): void {
  const { reduction, number: block } = c.spec;
  const cycle = out.now;
  if (portIsTaken(c, cycle)) {
    out.post({ to: out.self, type: 'bm.readout', addr, long, index, delay: 1 });
    return;
  }
  // The end of a slot may be in this very cycle: its writes count, whichever message came first.
  if (isOver(c, cycle)) retire(c, cycle, out);
  receive(c, cycle, out);
  const at = c.reserved.indexOf(addr >> 1);
  if (at >= 0) c.reserved.splice(at, 1);
  const word = c.block.readBroadcast(addr, long);
  out.post({ to: reduction, type: 'bm.word', block, index, word });
}

const tick = (out: GrapeOutbox<'Block'>, delay = 1): void =>
  out.send(out.self, delay, { to: out.self, type: 'block.tick', delay });

/** Whether something outside can show in the middle of the slot: only `bm` looks at what the input port writes meanwhile. */
const mayBeInterrupted = ({ spec, slot }: BlockContext): boolean =>
  spec.detail === 'element' || slot?.slot?.bm?.toPe === true;

/**
 * A block of PEs with its broadcast memory (GRAPE specification 6.3, BB): one element of a slot a cycle.
 *
 * Details: it hears of a slot in the cycle before, so that in the slot's first cycle it ends one slot and begins the next. What the ports want of
 * its broadcast memory also comes a cycle before it counts: in each cycle first the words of the input port come in, then the slot that is over
 * makes the writes of the one before visible, then units and reduction read.
 */
export const broadcastBlock = setup({
  types: role.types<BlockContext, BlockInput>(),
  guards: {
    isOver: when((c, _event, { now }) => isOver(c, now)),
    slotComes: when((c) => c.queue.length > 0),
    slotIsDue: when((c, _event, { now }) => isDue(c, now)),
  },
  actions: {
    queue: update<'slot.issue' | 'block.look' | 'block.reset'>((c, event, { now }) => {
      c.queue.push({ event, begins: now + 1 });
    }),
    queueAndTick: act<'slot.issue' | 'block.look' | 'block.reset'>((c, event, out) => {
      const first = c.queue.length === 0;
      c.queue.push({ event, begins: out.now + 1 });
      if (first) tick(out);
    }),
    announce: update<'bm.announce'>((c, { longs }, { now }) => {
      c.announced.push(...longs);
      c.announcedFrom = now + 1;
    }),
    arrive: update<'bm.write'>((c, { after, addr, long, word }, { now }) => {
      c.arriving.push({ from: now + after, addr, long, word });
    }),
    reserve: update<'bm.reserve'>((c, { longs }, { now }) => {
      c.reserved.push(...longs);
      c.reservedFrom = now + 1;
    }),
    askAgain: act<'bm.read'>((_c, { addr, long, index }, out) => {
      out.post({ to: out.self, type: 'bm.readout', addr, long, index, delay: 1 });
    }),
    readOut: act<'bm.readout'>(readOut),
    takeWord: act<'pe.word'>((c, { addr, long, word }) => {
      (c.block as BroadcastMemory).give(addr, long, word);
    }),
    begin: act((c, _event, out) => {
      receive(c, out.now, out);
      c.slot = c.queue.shift()!.event as GrapeMessage<'slot.issue'>;
      c.began = out.now;
      c.element = 0;
      c.retired = false;
      if (c.slot.slot !== null) {
        const slot = undrafted(c.slot.slot);
        c.block.begin(slot);
        tellPes(c, { type: 'pe.begin', slot }, out);
      }
      work(c, out.now, out);
      if (mayBeInterrupted(c)) {
        tick(out);
        return;
      }
      const { slot, length } = c.slot;
      for (let k = 1; slot !== null && k < slot.vlen; k++) carryOut(c, slot, k, out);
      tick(out, length);
    }),
    // It was heard of while the last slot was in the units, and begins later than that one ends.
    awaitSlot: act((c, _event, out) => tick(out, c.queue[0]!.begins - out.now)),
    nextElement: act((c, _event, out) => {
      c.element++;
      work(c, out.now, out);
      tick(out);
    }),
    retire: act((c, _event, out) => {
      retire(c, out.now, out);
      const { control, number: block } = c.spec;
      out.send(control, undefined, { to: control, type: 'slot.done', seq: c.slot!.seq, block });
      c.slot = null;
    }),
    prepare: act((c, _event, out) => prepare(c, out.now, out)),
  },
}).createMachine({
  id: 'broadcastBlock',
  context: ({ input: { block, ...spec } }) => ({
    spec,
    block: block.fork(),
    queue: [],
    slot: null,
    began: 0,
    element: 0,
    retired: false,
    last: null,
    arriving: [],
    announced: [],
    announcedFrom: 0,
    reserved: [],
    reservedFrom: 0,
  }),
  on: {
    'slot.issue': { actions: 'queue' },
    'block.look': { actions: 'queue' },
    'block.reset': { actions: 'queue' },
    'bm.announce': { actions: 'announce' },
    'bm.write': { actions: 'arrive' },
    'bm.reserve': { actions: 'reserve' },
    'bm.read': { actions: 'askAgain' },
    'bm.readout': { actions: 'readOut' },
    'pe.word': { actions: 'takeWord' },
  },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'slot.issue': { actions: 'queueAndTick' },
        'block.look': { actions: 'queueAndTick' },
        'block.reset': { actions: 'queueAndTick' },
        'block.tick': { target: 'waiting', actions: 'prepare' },
      },
    },
    // Between two slots, in no time: another may be due in the same cycle.
    waiting: {
      always: [
        { guard: 'slotIsDue', target: 'el0', actions: 'begin' },
        { guard: 'slotComes', target: 'idle', actions: 'awaitSlot' },
        { target: 'idle' },
      ],
    },
    el0: {
      on: {
        'block.tick': [
          { guard: 'isOver', target: 'retire' },
          { target: 'el1', actions: 'nextElement' },
        ],
      },
    },
    el1: {
      on: {
        'block.tick': [
          { guard: 'isOver', target: 'retire' },
          { target: 'el2', actions: 'nextElement' },
        ],
      },
    },
    el2: {
      on: {
        'block.tick': [
          { guard: 'isOver', target: 'retire' },
          { target: 'el3', actions: 'nextElement' },
        ],
      },
    },
    // A slot may take longer than it has elements: the last state then lasts.
    el3: {
      on: {
        'block.tick': [{ guard: 'isOver', target: 'retire' }, { actions: 'nextElement' }],
      },
    },
    retire: { entry: ['retire', 'prepare'], always: 'waiting' },
  },
});
