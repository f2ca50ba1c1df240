import type { GrapeMessage } from '../../actors/grape/protocol.ts';
import {
  countTicks,
  grapeProperty,
  levelsOf,
  nameOfBlock,
  readsOneBlock,
  reductionName,
  shownWord,
  type Tell,
} from './context.ts';
import { treeOf } from './exact-words.ts';

/** A word that is to leave the tree, and in which cycle. */
interface Leaving {
  readonly word: bigint;
  readonly cycle: number;
  readonly what: string;
}

/** A reduction under way. */
interface Task {
  readonly op: string;
  readonly addr: number;
  readonly long: boolean;
  readonly n: number;
  readonly round: boolean;
  readonly odpoe: boolean;
}

interface Memory {
  readonly leaving: Leaving[];
  task: Task | undefined;
  /** The word that is read next, and what it is in the blocks that have given it. */
  index: number;
  words: Record<number, bigint>;
  tick: number;
}

/** What leaves the tree is what the blocks put in, each word read once, combined in the order of the blocks (GRAPE specification 2.10, 6.3, RRN). */
export const reducedWordsAreTrees = grapeProperty(
  'a reduced word is the tree of the words of all blocks',
  ['rrn.start', 'bm.read', 'bm.word', 'out.word'],
  (): Memory => ({ leaving: [], task: undefined, index: 0, words: {}, tick: 0 }),
  ({ config: { nBB, levelCycles } }) => {
    const sources = (op: string): readonly number[] =>
      readsOneBlock(op)
        ? [Number(op)].filter((block) => block < nBB)
        : Array.from({ length: nBB }, (_, block) => block);

    function checkAllRead({ task, index }: Memory, found: Tell): void {
      if (task && index < task.n)
        found([reductionName], `${index} words of ${task.op} were read, not ${task.n}`);
    }

    function arrived(memory: Memory, task: Task, event: GrapeMessage<'bm.word'>, found: Tell): void {
      const { index, words } = memory;
      const { block, word } = event;
      if (event.index !== index || words[block] !== undefined)
        found(
          [nameOfBlock(block), reductionName],
          `${nameOfBlock(block)} gives word ${event.index} where word ${index} is next`,
        );
      words[block] = word;
      const { op, round, odpoe } = task;
      const given = sources(op).map((one) => words[one]);
      if (given.includes(undefined)) return;
      if (odpoe)
        memory.leaving.push({
          word: treeOf(op, given as bigint[], round),
          cycle: memory.tick + levelsOf(op, nBB) * levelCycles,
          what: `word ${index} of ${op}`,
        });
      memory.words = {};
      memory.index++;
    }

    return {
      advance: countTicks,
      see(memory, { to, event }, found) {
        const { task, leaving, tick } = memory;
        switch (event.type) {
          case 'rrn.start': {
            checkAllRead(memory, found);
            const { op, addr, long, n, round, odpoe } = event;
            Object.assign(memory, { task: { op, addr, long, n, round, odpoe }, index: 0, words: {} });
            return;
          }
          case 'bm.read': {
            if (!task) return;
            const addr = task.addr + event.index * (task.long ? 2 : 1);
            if (event.addr !== addr || event.long !== task.long || event.index >= task.n)
              found([reductionName, to], `word ${event.index} is read at address ${event.addr}, not ${addr}`);
            return;
          }
          case 'bm.word':
            if (task) arrived(memory, task, event, found);
            return;
          case 'out.word': {
            const next = leaving.shift();
            if (next === undefined)
              found([reductionName], `${shownWord(event.word)} leaves the tree, which nothing asked for`);
            else if (next.word !== event.word)
              found([reductionName], `${next.what} is ${shownWord(event.word)}, not ${shownWord(next.word)}`);
            else if (next.cycle !== tick)
              found([reductionName], `${next.what} leaves the tree in cycle ${tick}, not in ${next.cycle}`);
            return;
          }
        }
      },
      atRest(memory, found) {
        checkAllRead(memory, found);
        const [next] = memory.leaving;
        if (next) found([reductionName], `${next.what} never left the tree`);
      },
    };
  },
);
