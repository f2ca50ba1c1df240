import { blockOf, grapeProperty, inputName, nameOfBlock, shownWord, type Tell } from './context.ts';

/** A word that is to come to a block. */
interface Due {
  readonly addr: number;
  readonly long: boolean;
  readonly word: bigint;
}

/** Where the units of records go, and how many words came of them so far. */
interface Records {
  readonly mode: 0 | 1 | 2;
  readonly bbid: number;
  units: readonly { readonly addr: number; readonly long: boolean }[];
  words: number;
}

interface Memory {
  /** By block: the words that are to come. */
  readonly due: Due[][];
  /** By block: long-word addresses that are announced. */
  readonly announced: number[][];
  records: Records | undefined;
}

/** What the input port takes in comes to the blocks it is for: unlost, once, in order, `idpLatency` cycles later (GRAPE specification 3.7, 6.3, 13.14). */
export const broadcastWordsArriveOnce = grapeProperty(
  'every word of the input port comes to its blocks once, in order and announced',
  ['idp.start', 'idp.packets', 'em.opened', 'em.word', 'bm.announce', 'bm.write'],
  ({ config: { nBB } }): Memory => ({
    due: Array.from({ length: nBB }, () => []),
    announced: Array.from({ length: nBB }, () => []),
    records: undefined,
  }),
  ({ config: { nBB, idpLatency } }) => {
    const everyBlock = Array.from({ length: nBB }, (_, block) => block);

    const targetsOf = ({ mode, bbid, units, words }: Records): readonly number[] => {
      if (mode === 0) return [Math.floor(words / units.length)];
      return bbid < 0 ? everyBlock : everyBlock.filter((block) => block === bbid);
    };

    // Asked when the next transfer begins: that one has ended may be heard before its last word, in the same tick.
    function checkNothingLeft({ due, announced }: Memory, found: Tell): void {
      for (const block of everyBlock) {
        const lost = due[block]!.length + announced[block]!.length;
        if (lost === 0) continue;
        found([inputName], `${due[block]!.length} words never came to ${nameOfBlock(block)}`);
        due[block] = [];
        announced[block] = [];
      }
    }

    return {
      see(memory, { to, event }, found) {
        const { due, announced, records } = memory;
        switch (event.type) {
          case 'idp.start':
            checkNothingLeft(memory, found);
            memory.records = { mode: event.mode, bbid: event.bbid, units: [], words: 0 };
            return;
          case 'em.opened':
            if (records) records.units = event.units;
            return;
          case 'em.word': {
            if (!records) return;
            const unit = records.units[records.words % records.units.length]!;
            for (const block of targetsOf(records)) due[block]?.push({ ...unit, word: event.word });
            records.words++;
            return;
          }
          case 'idp.packets':
            checkNothingLeft(memory, found);
            memory.records = undefined;
            for (const block of everyBlock) due[block]!.push(...event.packets.flatMap(wordsOfPacket));
            return;
          case 'bm.announce':
            announced[blockOf(to)]!.push(...event.longs);
            return;
          case 'bm.write': {
            const block = blockOf(to);
            const { addr, long, word, after } = event;
            const next = due[block]!.shift();
            if (next === undefined)
              found([inputName, to], `${to} receives ${shownWord(word)}, which is not for it`);
            else if (next.addr !== addr || next.long !== long || next.word !== word)
              found(
                [inputName, to],
                `${to} receives ${shownWord(word)} for address ${addr}, not ${shownWord(next.word)} for ${next.addr}`,
              );
            if (after !== idpLatency)
              found([inputName, to], `a word comes after ${after} cycles, not ${idpLatency}`);
            if (records && announced[block]!.shift() !== addr >> 1)
              found([inputName, to], `${to} receives long word ${addr >> 1}, which was not announced next`);
            return;
          }
        }
      },
      atRest: checkNothingLeft,
    };
  },
);

/** The words of a packet as the port passes them on: two short ones that share a long word go together (GRAPE specification 6.3). */
function wordsOfPacket({
  addr,
  long,
  words,
}: {
  readonly addr: number;
  readonly long: boolean;
  readonly words: readonly bigint[];
}): readonly Due[] {
  if (long) return words.map((word, at) => ({ addr: addr + 2 * at, long, word }));
  const pairs: Due[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [upper, lower] = [words[at]!, words[at + 1]];
    pairs.push(
      lower === undefined
        ? { addr: addr + at, long: false, word: upper }
        : { addr: addr + at, long: true, word: (upper << 36n) + lower },
    );
  }
  return pairs;
}
