import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { buffer, further, now, words } from './drawn.ts';
import { bufferBytes, buffers, longBytes, longName, type Phase, pairOf, scratchName } from './stage.ts';

/** Where the LDM of a CPE lies in the window of the others (Sunway specification 2.3). */
const windowBase = 2 ** 45;
const windowPitch = 2 ** 20;

/** A value from each CPE to another, by get or put, with and without waits for it (6.7). */
export const passes: fc.Arbitrary<Phase> = fc
  .record({
    isGet: fc.boolean(),
    isBlocking: fc.boolean(),
    oneWord: now(false, true),
    /** 0 is the CPE itself, which is allowed. */
    peer: fc.nat(31),
    from: buffer,
    to: further,
    words,
  })
  .map((drawn) => (stage) => {
    const [from, to] = pairOf(drawn);
    const { isGet, isBlocking, oneWord } = drawn;
    const ahead = drawn.peer % stage.shape.cpes;
    const peer = { peer: ahead };
    const bytes = 4 * drawn.words;
    // One word for both sides counts for both: 2 in the end (3.3).
    const come = oneWord ? 'sent' : 'come';
    const name = isGet ? 'get' : 'put';
    const [mine, theirs] = isGet ? [to, from] : [from, to];
    if (isBlocking)
      stage.among([`rma_${name}`, mine, bytes, peer, theirs, 'come'] as WrittenCall, stage.counted('come'), [
        'rma_barrier',
      ]);
    else
      stage.among(
        [`rma_i${name}`, mine, 'sent', bytes, peer, theirs, come] as WrittenCall,
        stage.counted('sent', oneWord ? 2 : 1),
        ...(oneWord ? [] : [stage.counted('come')]),
      );
    const { cpes } = stage.shape;
    stage.atCpes((world, tid) => {
      const other = (tid + ahead) % cpes;
      const [source, target] = isGet ? [other, tid] : [tid, other];
      world.of(to, target).set(world.of(from, source).subarray(0, bytes));
    });
  });

/** A plain store into the LDM of another CPE, and a plain load from there (2.3). */
export const windows: fc.Arbitrary<Phase> = fc
  .record({
    by: fc.nat(15),
    ahead: fc.integer({ min: 1, max: 15 }),
    buffer,
    word: fc.nat(bufferBytes / 4 - 1),
    value: fc.nat(1000),
  })
  .map(({ by, ahead, buffer: index, word, value }) => (stage) => {
    const { cpes } = stage.shape;
    const from = by % cpes;
    const to = (from + (ahead % cpes || 1)) % cpes;
    const name = buffers[index]!;
    const there = { of: name, plus: windowBase + windowPitch * to + 4 * word, perCpe: 0 };
    stage.among(...stage.only((tid) => tid === from, ['st', there, 'i32', value], ['ld', there, 'u32']));
    stage.inGroups((world) => {
      new DataView(world.of(name, to).buffer).setInt32(4 * word, value, true);
    });
  });

/** Puts or gets back to back, of some CPEs to one or of all round, with barrier operations between them or none (7.2, 9.3: W puts, then one wait). */
export const streams: fc.Arbitrary<Phase> = fc
  .record({
    many: fc.integer({ min: 1, max: 12 }),
    isGet: fc.boolean(),
    senders: fc.integer({ min: 1, max: 16 }),
    ahead: fc.integer({ min: 0, max: 31 }),
    bytes: fc.constantFrom(4, 8, 64, 256, 1024, 4000),
    order: now<'' | 'rma_barrier' | 'dma_barrier' | 'rma_all_barrier'>(
      '',
      'rma_barrier',
      'dma_barrier',
      'rma_all_barrier',
    ),
  })
  .map(({ many, isGet, senders, ahead, bytes, order }) => (stage) => {
    const { cpes, hasLong, isFine } = stage.shape;
    const isLong = hasLong === true && isFine !== true;
    // What comes overwrites scratch, of which nobody knows anything: a part of it for each of what is under way.
    const size = isLong ? bytes : Math.min(bytes, 64);
    const name = isLong ? longName : scratchName;
    const parts = Math.max(1, Math.min(many, Math.floor((isLong ? longBytes : bufferBytes) / size / 2)));
    const place = (k: number, half: number) => ({
      of: name,
      plus: (2 * (k % parts) + half) * size,
      perCpe: 0,
    });
    const fits = (parts - 1) * 2 * size + 2 * size <= (isLong ? longBytes : bufferBytes);
    const peer = { peer: ahead % cpes };
    const counts = Math.min(many, parts);
    const calls = Array.from({ length: counts }, (_, k): readonly WrittenCall[] => [
      [
        `rma_i${isGet ? 'get' : 'put'}`,
        place(k, isGet ? 1 : 0),
        'alone',
        size,
        peer,
        place(k, isGet ? 0 : 1),
        null,
      ] as WrittenCall,
      ...(order !== '' && k % 3 === 1 ? [[order] as const] : []),
    ]).flat();
    if (!fits) return;
    stage.among(
      ...stage.only(
        (tid) => tid < (isFine ? Math.min(senders, 3) : senders),
        ['rplySet', 'alone', 0],
        ...calls,
        ['rma_wait_value', 'alone', counts],
      ),
    );
  });

/** A CPE waits for what has come already, or for nothing: it goes on at once (3.3). */
export const idleWaits: fc.Arbitrary<Phase> = fc
  .record({ isDma: fc.boolean(), value: fc.constantFrom(0, -1, -5) })
  .map(({ isDma, value }) => (stage) => {
    stage.add([isDma ? 'dma_wait_value' : 'rma_wait_value', 'moved', value]);
  });
