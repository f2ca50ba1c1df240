import { judged, property } from '../property.ts';
import { type ChipletContext, linkIn, numberOf, said } from './context.ts';

/** Bits in which two words of 32 bits differ. */
function differing(one: number, other: number): number {
  let count = 0;
  for (let bits = (one ^ other) >>> 0; bits !== 0; bits >>>= 1) count += bits & 1;
  return count;
}

/** Energy is counted of what really changes on the wires (chiplet specification 5.9). */
export const linksCountToggles = property<ChipletContext>(
  'a link counts the bits in which each flit differs from the one before it',
  (run, { config }) =>
    judged(said(run, 'packet.injected', 'link.toggled'), (found) => {
      const width = 2 * config.F;
      const words = new Map<number, readonly number[]>();
      const last = new Map<string, readonly number[]>();

      return {
        see({ actor, event }) {
          if (event.type === 'packet.injected') {
            for (let place = 0; place < event.size; place++)
              words.set(event.first + place, event.halves.slice(place * width, (place + 1) * width));
            return;
          }
          const flit = words.get(numberOf(event.flit));
          if (!flit) return;
          const link = linkIn(actor);
          const before = last.get(link);
          const toggles = flit.reduce((sum, half, at) => sum + differing(half, before?.[at] ?? 0), 0);
          last.set(link, flit);
          if (toggles !== event.toggles)
            found([actor], `${event.toggles} toggles are counted, ${toggles} bits differ`);
        },
      };
    }),
);
