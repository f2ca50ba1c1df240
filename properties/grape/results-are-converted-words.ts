import { countTicks, grapeProperty, outputName, shownWord } from './context.ts';
import { hostBits } from './exact-words.ts';

interface Memory {
  /** Words that left the tree and have not come to the host. */
  sent: { readonly op: string; readonly conv: string; readonly word: bigint; readonly cycle: number }[];
  tick: number;
}

/** The output port converts, keeps the order and takes its time (GRAPE specification 2.9, 6.1, OUT). */
export const resultsAreConvertedWords = grapeProperty(
  'the host receives the reduced words, converted, in their order and in time',
  ['out.word', 'host.result', 'control.done'],
  (): Memory => ({ sent: [], tick: 0 }),
  ({ config: { outCycles } }) => ({
    advance: countTicks,
    judges: ({ type }) => type !== 'control.done',
    see(memory, { event }, found) {
      const { sent, tick } = memory;
      switch (event.type) {
        case 'out.word':
          sent.push({ op: event.op, conv: event.conv, word: event.word, cycle: tick + outCycles });
          return;
        case 'control.done':
          if (sent.length > 0)
            found([outputName], `${sent.length} words had not come to the host when the work was done`);
          memory.sent = [];
          return;
        case 'host.result': {
          const next = sent.shift();
          if (next === undefined) {
            found([outputName], `${shownWord(event.word)} comes to the host, which did not leave the tree`);
            return;
          }
          const { op, conv, word, cycle } = next;
          const bits = hostBits(conv, op, word);
          const same =
            event.word === word &&
            event.conv === conv &&
            event.bits.length === bits?.length &&
            event.bits.every((one, at) => one === bits[at]);
          if (!same)
            found(
              [outputName],
              `${shownWord(word)} by ${conv} comes as ${event.bits.map((one) => one.toString(16)).join(' ')}, ` +
                `not as ${bits?.map((one) => one.toString(16)).join(' ')}`,
            );
          if (cycle !== tick)
            found([outputName], `${shownWord(word)} comes to the host in cycle ${tick}, not in ${cycle}`);
          return;
        }
      }
    },
    atRest({ sent }, found) {
      if (sent.length > 0) found([outputName], `${sent.length} words never came to the host`);
    },
  }),
);
