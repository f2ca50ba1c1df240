import { type ChipletContext, judging, linkIn, numberOf } from './context.ts';

/** Bits in which two words of 32 bits differ. */
function differing(one: number, other: number): number {
  let count = 0;
  for (let bits = (one ^ other) >>> 0; bits !== 0; bits >>>= 1) count += bits & 1;
  return count;
}

interface Words {
  /** By flit: the halves of its words. */
  readonly of: Record<number, readonly number[]>;
  /** By link: those of the flit that went over it last. */
  readonly last: Record<string, readonly number[]>;
}

/** Energy is counted of what really changes on the wires (chiplet specification 5.9). */
export const linksCountToggles = ({ config: { F } }: ChipletContext) =>
  judging({
    sentence: 'a link counts the bits in which each flit differs from the one before it',
    watches: ['packet.injected', 'link.toggled'],
    about: ({ to, event }) =>
      event.type === 'packet.injected'
        ? Array.from({ length: event.size }, (_, place) => event.first + place)
        : [numberOf(event.flit), to],
    begin: (): Words => ({ of: {}, last: {} }),
    see(words, { to: actor, event }, tell) {
      const width = 2 * F;
      if (event.type === 'packet.injected') {
        for (let place = 0; place < event.size; place++)
          words.of[event.first + place] = event.halves.slice(place * width, (place + 1) * width);
        return;
      }
      const flit = words.of[numberOf(event.flit)];
      if (!flit) return;
      const link = linkIn(actor);
      const before = words.last[link];
      const toggles = flit.reduce((sum, half, at) => sum + differing(half, before?.[at] ?? 0), 0);
      words.last[link] = flit;
      if (toggles !== event.toggles)
        tell([actor], `${event.toggles} toggles are counted, ${toggles} bits differ`);
    },
  });
