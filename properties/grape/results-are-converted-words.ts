import { judged, property } from '../property.ts';
import { type GrapeContext, outputName, said, shownWord } from './context.ts';
import { hostBits } from './exact-words.ts';

/** The output port converts and keeps the order (GRAPE specification 2.9, 6.1, OUT). */
export const resultsAreConvertedWords = property<GrapeContext>(
  'the host receives the reduced words, converted and in their order',
  (run) =>
    judged(said(run, 'out.word', 'host.result', 'control.done'), (found) => {
      const sent: { readonly op: string; readonly conv: string; readonly word: bigint }[] = [];
      return {
        see({ event }) {
          switch (event.type) {
            case 'out.word':
              sent.push(event);
              return;
            case 'control.done':
              if (sent.length > 0)
                found([outputName], `${sent.length} words had not come to the host when the work was done`);
              sent.length = 0;
              return;
            case 'host.result': {
              const next = sent.shift();
              if (next === undefined) {
                found(
                  [outputName],
                  `${shownWord(event.word)} comes to the host, which did not leave the tree`,
                );
                return;
              }
              const { op, conv, word } = next;
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
              return;
            }
          }
        },
        end() {
          if (run.quiet && sent.length > 0)
            found([outputName], `${sent.length} words never came to the host`);
        },
      };
    }),
);
