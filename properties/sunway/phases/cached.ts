import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { now, place } from './drawn.ts';
import { bufferBytes, cacheSpan, type Phase } from './stage.ts';

const deed = fc.record({
  isStore: fc.boolean(),
  // Words, and pairs of words over the end of a line.
  word: fc.nat(bufferBytes / 4 - 2),
  isWide: fc.boolean(),
  value: fc.nat(1000),
});

/** Plain accesses to main memory, through the data cache where there is one; the lines leave before anybody else looks (Sunway specification 6.9). */
export const cached: fc.Arbitrary<Phase> = fc
  .record({
    place,
    deeds: fc.array(deed, { minLength: 1, maxLength: 6 }),
    evicts: fc.boolean(),
  })
  .map(({ place: at, deeds, evicts }) => (stage) => {
    const calls = deeds.map(({ isStore, word, isWide, value }): WrittenCall => {
      const address = stage.own(at, 4 * word);
      if (isStore && isWide) return ['stBlock', address, [...bytesOf(value), ...bytesOf(value + 1)]];
      if (isStore) return ['st', address, 'i32', { number: value, perCpe: 1 }];
      return isWide ? ['ldBlock', address, 'i32', 2] : ['ld', address, 'i32'];
    });
    stage.settle();
    stage.add(
      ...calls,
      evicts ? ['scache_evict', stage.own(at), stage.own(at, bufferBytes - 1)] : ['scache_flush_all'],
    );
    stage.atCpes((world, tid) => {
      const bytes = stage.placeOf(world, tid, at);
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      for (const { isStore, word, isWide, value } of deeds) {
        if (!isStore) continue;
        view.setInt32(4 * word, isWide ? value : value + tid, true);
        if (isWide) view.setInt32(4 * word + 4, value + 1, true);
      }
    });
  });

/** A CPE touches more lines of one set of its data cache than there are ways: those that it has not used for longest leave, dirty ones after memory has them (6.9, 8.8). */
export const crowded: fc.Arbitrary<Phase> = fc
  .record({
    by: fc.nat(15),
    place,
    word: fc.nat(bufferBytes / 4 - 1),
    stores: now(true, false),
    /** Which of the lines that are so far apart, in which order. */
    others: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 3 }),
    value: fc.nat(1000),
    looksAgain: fc.boolean(),
  })
  .map(({ by, place: at, word, stores, others, value, looksAgain }) => (stage) => {
    const { cpes, hasLong, crowds } = stage.shape;
    if (!hasLong || !crowds) return;
    const tid = by % cpes;
    const own = tid * stage.stride + at * bufferBytes + 4 * word;
    const apart = (((own - stage.wideAt) % cacheSpan) + cacheSpan) % cacheSpan;
    const other = (k: number) => ({ memory: stage.wideAt + k * cacheSpan + apart, perCpe: 0 });
    const mine = { memory: own, perCpe: 0 };
    stage.settle();
    stage.add(
      ...stage.only(
        (one) => one === tid,
        stores ? ['st', mine, 'i32', value] : ['ld', mine, 'i32'],
        ...others.map((k): WrittenCall => ['ld', other(k), 'u32']),
        ...(looksAgain ? [['ld', mine, 'i32'] as const] : []),
        ['scache_flush_all'],
      ),
    );
    if (!stores) return;
    stage.inGroups(({ memory }) => {
      new DataView(memory.buffer, memory.byteOffset).setInt32(own, value, true);
    });
  });

const bytesOf = (value: number): readonly number[] => [
  value % 256,
  Math.floor(value / 256) % 256,
  Math.floor(value / 65_536) % 256,
  0,
];
