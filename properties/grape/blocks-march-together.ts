import { judged, property } from '../property.ts';
import { blockOf, controlName, type GrapeContext, nameOfBlock, said } from './context.ts';

/** A slot that was issued, and how many blocks have heard of it and carried it out. */
interface Marching {
  readonly cycle: number;
  readonly length: number;
  readonly slot: object | null;
  done: number;
}

/** One control processor directs all blocks (GRAPE specification 4.4, 6.3): a slot behind the other, each as long as it says. */
export const blocksMarchTogether = property<GrapeContext>(
  'all blocks carry out the same slots in the same cycles, each once and in order',
  (run, { config }) =>
    judged(said(run, 'slot.issue', 'slot.done'), (found) => {
      const heard: number[] = Array.from({ length: config.nBB }, () => 0);
      const ended: number[] = Array.from({ length: config.nBB }, () => 0);
      const open = new Map<number, Marching>();
      let issued = 0;
      let free = 0;

      return {
        see({ tick, from, to, event }) {
          if (event.type === 'slot.issue') {
            const { seq, cycle, length, slot } = event;
            const block = blockOf(to);
            if (seq !== heard[block])
              found([controlName, to], `${to} hears of slot ${seq} where slot ${heard[block]} is next`);
            heard[block] = seq + 1;
            const known = open.get(seq);
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
            if (cycle < free)
              found([controlName], `slot ${seq} begins in cycle ${cycle}, the one before ends in ${free}`);
            if (tick >= cycle) found([controlName, to], `${to} hears of slot ${seq} when it has begun`);
            free = cycle + length;
            issued = Math.max(issued, seq + 1);
            open.set(seq, { cycle, length, slot, done: 0 });
            return;
          }
          const { seq, block } = event;
          if (seq !== ended[block]) {
            found([from], `${from} has carried out slot ${seq} where slot ${ended[block]} is next`);
            ended[block] = Math.max(ended[block]!, seq + 1);
            return;
          }
          ended[block] = seq + 1;
          const marching = open.get(seq);
          if (marching === undefined) {
            found([from], `${from} has carried out slot ${seq}, which was not issued`);
            return;
          }
          const end = marching.cycle + marching.length;
          if (tick !== end) found([from], `${from} ended slot ${seq} in cycle ${tick}, not in ${end}`);
          if (++marching.done === config.nBB) open.delete(seq);
        },
        end() {
          if (!run.quiet) return;
          for (const [block, next] of ended.entries())
            if (next < issued) found([nameOfBlock(block)], `slot ${next} was never carried out`);
        },
      };
    }),
);

const digits = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString(16) : value;
