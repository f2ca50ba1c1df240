import type { Word } from './arithmetic/word.ts';
import type { Block } from './block/block.ts';
import type { IdpLine, Ref, SimLine } from './program.ts';

/**
 * The words of a block that a line for the simulator shows, as if all writes were done (GRAPE specification 7.6); a packet line puts words in
 * and shows none.
 *
 * Details: mask registers are shown as a word of four bits, element 0 lowest.
 */
export function lookAt(block: Block, item: SimLine): readonly Word[] {
  if (item.kind === 'IDP') {
    takePacket(block, item);
    return [];
  }
  const settled = block.settled();
  switch (item.kind) {
    case 'RRN':
      return Array.from({ length: item.n }, (_, k) => settled.peek(0, { ...item.mem, vector: true }, k));
    case 'print':
      // Broadcast memory belongs to no PE; a block whose PEs are actors of their own has one of them.
      return Array.from({ length: item.ref.vector ? 4 : 1 }, (_, k) =>
        settled.peek(item.ref.kind === 'bm' ? 0 : item.pe, item.ref, k),
      );
    case 'DBG': {
      const { of, pe = 0, from, to } = item;
      if (of === 'MREG') return [BigInt(settled.peekMask(pe, from))];
      const kind = { BM: 'bm', TREG: 't', GRF: 'grf', LM: 'lm' } as const;
      return Array.from({ length: to - from + 1 }, (_, at) => {
        const ref: Ref = {
          kind: kind[of],
          addr: 2 * (from + at),
          long: true,
          vector: false,
          stride: 1,
          text: '',
        };
        return settled.peek(pe, ref, of === 'TREG' ? at : 0);
      });
    }
  }
}

/** True when a line concerns a block. */
export function concerns(item: SimLine, block: number): boolean {
  switch (item.kind) {
    case 'IDP':
      return (block & item.mask) === (item.bbn & item.mask);
    case 'RRN':
      return true;
    default:
      return item.bb === block;
  }
}

function takePacket(block: Block, item: IdpLine): void {
  const { addr, long, count, seq, words } = item;
  const width = long ? 2 : 1;
  const number = block.spec.number;
  const before = seq
    ? Array.from({ length: number }, (_, b) => b).filter((b) => concerns(item, b)).length
    : 0;
  for (let k = 0; k < count; k++)
    block.writeBroadcast(addr + k * width, long, words[before * count + k] ?? 0n);
}
