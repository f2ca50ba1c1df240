import { grapeProperty, memoryName, shownWord } from './context.ts';

interface Memory {
  /** By place. */
  stored: Record<string, readonly bigint[]>;
  readonly asked: { readonly place: string; readonly word: bigint }[];
}

/** What is read of external memory is what the host stored there last, zero where it never did (GRAPE specification 3.7, 6.3, EM). */
export const externalMemoryKeepsRecords = grapeProperty(
  'external memory gives the words that the host stored',
  ['em.store', 'em.clear', 'em.read', 'em.word'],
  (): Memory => ({ stored: {}, asked: [] }),
  () => ({
    see(memory, { event }, found) {
      const { stored, asked } = memory;
      switch (event.type) {
        case 'em.store':
          stored[`record ${event.record} of region ${event.elt}`] = event.words;
          return;
        case 'em.clear':
          memory.stored = {};
          return;
        case 'em.read': {
          const { elt, record, unit } = event;
          const place = `record ${record} of region ${elt}`;
          asked.push({ place, word: stored[place]?.[unit] ?? 0n });
          return;
        }
        case 'em.word': {
          const next = asked.shift();
          if (next === undefined) found([memoryName], 'a word comes that nobody asked for');
          else if (next.word !== event.word)
            found([memoryName], `${next.place} gives ${shownWord(event.word)}, not ${shownWord(next.word)}`);
          return;
        }
      }
    },
    atRest({ asked }, found) {
      if (asked.length > 0) found([memoryName], `${asked[0]!.place} never came`);
    },
  }),
);
