import { blockOf, controlName, countTicks, grapeProperty, nameOfBlock } from './context.ts';

/** A slot that was issued, and how many blocks have heard of it and carried it out. */
interface Marching {
  readonly cycle: number;
  readonly length: number;
  readonly slot: object | null;
  done: number;
}

interface Memory {
  /** By block: the slot that it hears of next, and that it carries out next. */
  readonly heard: number[];
  readonly ended: number[];
  /** By number: slots that some block has not carried out. */
  readonly open: Record<number, Marching>;
  issued: number;
  /** The cycle in which the last slot ends. */
  free: number;
  tick: number;
}

/** One control processor directs all blocks (GRAPE specification 4.4, 6.3): a slot behind the other, each as long as it says. */
export const blocksMarchTogether = grapeProperty(
  'all blocks carry out the same slots in the same cycles, each once and in order',
  ['slot.issue', 'slot.done'],
  ({ config: { nBB } }): Memory => ({
    heard: new Array<number>(nBB).fill(0),
    ended: new Array<number>(nBB).fill(0),
    open: {},
    issued: 0,
    free: 0,
    tick: 0,
  }),
  ({ config }) => ({
    advance: countTicks,
    see(memory, { from, to, event }, found) {
      const { heard, ended, open, tick } = memory;
      if (event.type === 'slot.issue') {
        const { seq, length, slot } = event;
        // Who hears of a slot begins it in the next cycle.
        const cycle = tick + 1;
        const block = blockOf(to);
        if (seq !== heard[block])
          found([controlName, to], `${to} hears of slot ${seq} where slot ${heard[block]} is next`);
        heard[block] = seq + 1;
        const known = open[seq];
        if (known) {
          const same =
            known.cycle === cycle &&
            known.length === length &&
            (known.slot === slot || JSON.stringify(known.slot, digits) === JSON.stringify(slot, digits));
          if (!same) found([controlName, to], `slot ${seq} is another one for ${to} than for others`);
          return;
        }
        const least = Math.max(slot?.vlen ?? 1, config.slotMin);
        if (slot === null ? length < least || length > Math.max(4, config.slotMin) : length !== least)
          found([controlName], `slot ${seq} takes ${length} cycles, not ${least}`);
        if (cycle < memory.free)
          found([controlName], `slot ${seq} begins in cycle ${cycle}, the one before ends in ${memory.free}`);
        memory.free = cycle + length;
        memory.issued = Math.max(memory.issued, seq + 1);
        open[seq] = { cycle, length, slot, done: 0 };
        return;
      }
      const { seq, block } = event;
      if (seq !== ended[block]) {
        found([from], `${from} has carried out slot ${seq} where slot ${ended[block]} is next`);
        ended[block] = Math.max(ended[block]!, seq + 1);
        return;
      }
      ended[block] = seq + 1;
      const marching = open[seq];
      if (marching === undefined) {
        found([from], `${from} has carried out slot ${seq}, which was not issued`);
        return;
      }
      const end = marching.cycle + marching.length;
      if (tick !== end) found([from], `${from} ended slot ${seq} in cycle ${tick}, not in ${end}`);
      if (++marching.done === config.nBB) delete open[seq];
    },
    atRest({ ended, issued }, found) {
      for (const [block, next] of ended.entries())
        if (next < issued) found([nameOfBlock(block)], `slot ${next} was never carried out`);
    },
  }),
);

const digits = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString(16) : value;
