import { judged, property } from '../property.ts';
import {
  type GrapeContext,
  levelsOf,
  nameOfBlock,
  readsOneBlock,
  reductionName,
  said,
  shownWord,
} from './context.ts';
import { treeOf } from './exact-words.ts';

/** A word that is to leave the tree, and in which cycle. */
interface Leaving {
  readonly word: bigint;
  readonly cycle: number;
  readonly what: string;
}

/** What leaves the tree is what the blocks put in, each word read once, combined in the order of the blocks (GRAPE specification 2.10, 6.3, RRN). */
export const reducedWordsAreTrees = property<GrapeContext>(
  'a reduced word is the tree of the words of all blocks',
  (run, { config: { nBB, levelCycles, outCycles } }) =>
    judged(said(run, 'rrn.start', 'bm.read', 'bm.word', 'out.word'), (found) => {
      const leaving: Leaving[] = [];
      let task:
        | {
            readonly op: string;
            readonly addr: number;
            readonly long: boolean;
            readonly n: number;
            readonly round: boolean;
            readonly odpoe: boolean;
          }
        | undefined;
      let index = 0;
      let words = new Map<number, bigint>();
      const sources = (op: string): readonly number[] =>
        readsOneBlock(op)
          ? [Number(op)].filter((block) => block < nBB)
          : Array.from({ length: nBB }, (_, block) => block);

      return {
        see({ tick, to, event }) {
          switch (event.type) {
            case 'rrn.start':
              checkAllRead();
              task = event;
              index = 0;
              words = new Map();
              return;
            case 'bm.read': {
              if (!task) return;
              const addr = task.addr + event.index * (task.long ? 2 : 1);
              if (event.addr !== addr || event.long !== task.long || event.index >= task.n)
                found(
                  [reductionName, to],
                  `word ${event.index} is read at address ${event.addr}, not ${addr}`,
                );
              return;
            }
            case 'bm.word': {
              if (!task) return;
              const { block, word } = event;
              if (event.index !== index || words.has(block))
                found(
                  [nameOfBlock(block), reductionName],
                  `${nameOfBlock(block)} gives word ${event.index} where word ${index} is next`,
                );
              words.set(block, word);
              const { op, round, odpoe } = task;
              const blocks = sources(op);
              if (blocks.some((one) => !words.has(one))) return;
              if (odpoe)
                leaving.push({
                  word: treeOf(
                    op,
                    blocks.map((one) => words.get(one)!),
                    round,
                  ),
                  cycle: tick + levelsOf(op, nBB) * levelCycles + outCycles,
                  what: `word ${index} of ${op}`,
                });
              words = new Map();
              index++;
              return;
            }
            case 'out.word': {
              const next = leaving.shift();
              if (next === undefined)
                found([reductionName], `${shownWord(event.word)} leaves the tree, which nothing asked for`);
              else if (next.word !== event.word)
                found(
                  [reductionName],
                  `${next.what} is ${shownWord(event.word)}, not ${shownWord(next.word)}`,
                );
              else if (next.cycle !== tick)
                found([reductionName], `${next.what} leaves the tree in cycle ${tick}, not in ${next.cycle}`);
              return;
            }
          }
        },
        end() {
          if (!run.quiet) return;
          checkAllRead();
          if (leaving.length > 0) found([reductionName], `${leaving[0]!.what} never left the tree`);
        },
      };

      function checkAllRead(): void {
        if (task && index < task.n)
          found([reductionName], `${index} words of ${task.op} were read, not ${task.n}`);
      }
    }),
);
