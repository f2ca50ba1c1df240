import fc from 'fast-check';
import type { WrittenArgument, WrittenCall } from '../../../machines/sunway/operations.ts';
import { buffer, further, now, place, words } from './drawn.ts';
import type { DrawnBy } from './drawn-by.ts';
import {
  bufferBytes,
  buffers,
  longBytes,
  longName,
  type Phase,
  pairOf,
  type Stage,
  wideBytes,
} from './stage.ts';

/** A piece of a buffer: whole or some words of it, all together or in blocks with gaps in main memory. */
export const piece = fc.record({
  words,
  blocks: fc.constantFrom(1, 1, 2, 4),
  gap: fc.integer({ min: 1, max: 16 }),
});
type Piece = DrawnBy<typeof piece>;

/** A piece in bytes: `stride` 0 for one that lies together (Sunway specification 4.1). */
export function layoutOf({ words: count, blocks, gap }: Piece): {
  readonly bytes: number;
  readonly block: number;
  readonly stride: number;
} {
  const block = Math.floor(count / blocks);
  const room = blocks > 1 ? Math.floor((bufferBytes / 4 - count) / (blocks - 1)) : 0;
  const stride = Math.min(gap, room);
  if (block === 0 || stride === 0) return { bytes: 4 * count, block: 4 * count, stride: 0 };
  return { bytes: 4 * block * blocks, block: 4 * block, stride: 4 * stride };
}

/** Where each byte of a piece lies in main memory, from its first one. */
export const offsetsOf = (drawn: Piece): readonly number[] => {
  const { bytes, block, stride } = layoutOf(drawn);
  return Array.from({ length: bytes }, (_, k) => k + Math.floor(k / block) * stride);
};

/** The arguments of a transfer behind its two sides, and the end of its name. */
export function strided(drawn: Piece): { readonly suffix: string; readonly sizes: readonly number[] } {
  const { bytes, block, stride } = layoutOf(drawn);
  return stride === 0 ? { suffix: '', sizes: [bytes] } : { suffix: '_stride', sizes: [bytes, block, stride] };
}

/** A get or put of a piece of a buffer and a place of the CPE itself. */
function transfer(stage: Stage, isPut: boolean, name: string, at: number, drawn: Piece): WrittenCall {
  const { suffix, sizes } = strided(drawn);
  const sides: readonly WrittenArgument[] = isPut ? [stage.own(at), name] : [name, stage.own(at)];
  return [`dma_${isPut ? 'iput' : 'iget'}${suffix}`, ...sides, ...sizes, 'moved'];
}

/** What a transfer does at every CPE. */
function carryOut(stage: Stage, isPut: boolean, name: string, at: number, drawn: Piece): void {
  const offsets = offsetsOf(drawn);
  stage.atCpes((world, tid) => {
    const [ldm, memory] = [world.of(name, tid), stage.placeOf(world, tid, at)];
    for (const [k, offset] of offsets.entries()) {
      if (isPut) memory[offset] = ldm[k]!;
      else ldm[k] = memory[offset]!;
    }
  });
}

/** Gets or puts of several buffers that are under way together (6.5). */
export const moves: fc.Arbitrary<Phase> = fc
  .record({
    isPut: fc.boolean(),
    pieces: fc.array(fc.record({ piece, place }), { minLength: 1, maxLength: buffers.length }),
    firstBuffer: buffer,
  })
  .map(({ isPut, pieces, firstBuffer }) => (stage) => {
    // Puts that are under way together go to unlike places.
    const told = pieces.filter(
      (one, k) => !isPut || pieces.findIndex((other) => other.place === one.place) === k,
    );
    const nameOf = (k: number): string => buffers[(firstBuffer + k) % buffers.length]!;
    stage.add(
      ...told.map((one, k) => transfer(stage, isPut, nameOf(k), one.place, one.piece)),
      stage.counted('moved', told.length),
    );
    // The word of a put tells that its bytes were read: what touches the same places next is held back.
    if (isPut) stage.add(['dma_barrier']);
    for (const [k, one] of told.entries()) carryOut(stage, isPut, nameOf(k), one.place, one.piece);
  });

/** What is put is fetched again, with a barrier operation in between and maybe no wait (7.2). */
export const bounces: fc.Arbitrary<Phase> = fc
  .record({
    from: buffer,
    to: further,
    place,
    barrier: fc.constantFrom('dma_barrier', 'dma_all_barrier', 'rma_all_barrier'),
    isAwaited: fc.boolean(),
    piece,
  })
  .map((drawn) => (stage) => {
    const [from, to] = pairOf(drawn);
    const { barrier, isAwaited } = drawn;
    stage.add(transfer(stage, true, from, drawn.place, drawn.piece));
    if (isAwaited) stage.add(stage.counted('moved'));
    stage.add([barrier], transfer(stage, false, to, drawn.place, drawn.piece));
    stage.add(stage.counted('moved', isAwaited ? 1 : 2));
    carryOut(stage, true, from, drawn.place, drawn.piece);
    carryOut(stage, false, to, drawn.place, drawn.piece);
  });

/** Blocking forms, one after the other: what comes is sent to another place. */
export const blockingMoves: fc.Arbitrary<Phase> = fc
  .record({ at: place, behind: fc.integer({ min: 1, max: 3 }), buffer, piece })
  .map(({ at, behind, buffer: index, piece: drawn }) => (stage) => {
    const name = buffers[index]!;
    const target = (at + behind) % 4;
    const { suffix, sizes } = strided(drawn);
    stage.add(
      [`dma_get${suffix}`, name, stage.own(at), ...sizes],
      [`dma_put${suffix}`, stage.own(target), name, ...sizes],
      ['dma_barrier'],
    );
    carryOut(stage, false, name, at, drawn);
    carryOut(stage, true, name, target, drawn);
  });

/** A word of a buffer is stored. */
export const marks: fc.Arbitrary<Phase> = fc
  .record({ buffer, word: fc.nat(bufferBytes / 4 - 1), value: fc.nat(1000) })
  .map(({ buffer: index, word, value }) => (stage) => {
    const name = buffers[index]!;
    stage.add(['st', { of: name, plus: 4 * word, perCpe: 0 }, 'i32', { number: value, perCpe: 1 }]);
    stage.atCpes((world, tid) => {
      new DataView(world.of(name, tid).buffer).setInt32(4 * word, value + tid, true);
    });
  });

/** A CPE loads and stores in one buffer, or looks up its table, while an engine fills or reads another one of its buffers (8.7). */
export const overlaps: fc.Arbitrary<Phase> = fc
  .record({
    kind: fc.constantFrom('get', 'put', 'pass'),
    from: buffer,
    to: further,
    place,
    piece,
    ahead: fc.integer({ min: 1, max: 31 }),
    /** Cycles until the transfer is under way. */
    after: now(1, 40, 150, 250, 350),
    accesses: fc.array(fc.constantFrom('st', 'ld', 'look'), { minLength: 1, maxLength: 30 }),
    word: fc.nat(bufferBytes / 4 - 1),
    value: fc.nat(1000),
  })
  .map((drawn) => (stage) => {
    const { kind, from, to, piece: moved, after, accesses, word, value } = drawn;
    const [name, own] = pairOf({ from, to });
    const target = buffers.find((one) => one !== name && one !== own)!;
    const { cpes } = stage.shape;
    const ahead = drawn.ahead % cpes || 1;
    const bytes = 4 * moved.words;
    const at = (k: number): number => 4 * ((word + k) % (bufferBytes / 4));
    const tableRow = new Array<number>(16).fill(0);
    const tableBase = new Array<number>(16).fill(Math.floor(stage.addressOf('table') / 64) * 4);
    const access = (one: string, k: number): WrittenCall => {
      const there = { of: own, plus: at(k), perCpe: 0 };
      if (one === 'look') return ['ptab_lookup', tableRow, tableBase];
      return one === 'ld' ? ['ld', there, 'u32'] : ['st', there, 'i32', { number: value + k, perCpe: 1 }];
    };
    const work: readonly WrittenCall[] = [['compute', after], ...accesses.map(access)];
    if (kind === 'pass')
      stage.among(
        ['rma_iput', name, 'sent', bytes, { peer: ahead }, target, 'come'],
        ...work,
        stage.counted('sent'),
        stage.counted('come'),
      );
    else {
      stage.add(
        transfer(stage, kind === 'put', name, drawn.place, moved),
        ...work,
        stage.counted('moved'),
        ...(kind === 'put' ? [['dma_barrier'] as const] : []),
      );
      carryOut(stage, kind === 'put', name, drawn.place, moved);
    }
    stage.atCpes((world, tid) => {
      if (kind === 'pass') world.of(target, (tid + ahead) % cpes).set(world.of(name, tid).subarray(0, bytes));
      const view = new DataView(world.of(own, tid).buffer);
      for (const [k, one] of accesses.entries())
        if (one === 'st') view.setInt32(at(k), value + k + tid, true);
    });
  });

/** Transfers of many blocks of some CPEs: what all may read comes in several pieces, aligned or not, and goes to a part of main memory of each CPE (9.2). */
export const longMoves: fc.Arbitrary<Phase> = fc
  .record({
    many: fc.integer({ min: 1, max: 16 }),
    words: fc.integer({ min: 1, max: longBytes / 4 }),
    first: fc.nat(wideBytes / 4 - longBytes / 4),
    pieces: fc.constantFrom(1, 1, 2, 4),
    isAligned: fc.boolean(),
    /** Words of a gap in the source, 0 for none: then its blocks have 32 words. */
    gap: now(0, 0, 8, 32),
    skip: fc.nat(31),
  })
  .map(({ many, words: count, first, pieces, isAligned, gap, skip }) => (stage) => {
    const { hasLong, isFine } = stage.shape;
    if (!hasLong) return;
    const room = isFine ? longBytes / 2 : longBytes - 128;
    const blockBytes = 128;
    const wanted = Math.min(4 * count, room);
    const bytes = gap > 0 ? Math.max(blockBytes, wanted - (wanted % blockBytes)) / 2 : wanted;
    const whole = gap > 0 ? bytes - (bytes % blockBytes) || blockBytes : bytes;
    const from =
      stage.wideAt + ((isAligned ? 128 * Math.floor(first / 32) : 4 * first) % (wideBytes - 2 * longBytes));
    const to = stage.longAt + (isAligned ? 0 : 4 * skip);
    const offsets = Array.from({ length: whole }, (_, k) => k + Math.floor(k / blockBytes) * 4 * gap);
    const cut = gap > 0 ? 1 : Math.min(pieces, Math.floor(whole / 4));
    const size = 4 * Math.floor(whole / 4 / cut);
    const parts = Array.from({ length: cut }, (_, k) => ({
      at: k * size,
      bytes: k === cut - 1 ? whole - k * size : size,
    }));
    const source = (at: number): WrittenArgument => ({ memory: from + at, perCpe: 0 });
    const target = (at: number): WrittenArgument => ({ memory: to + at, perCpe: longBytes });
    const ldm = (at: number): WrittenArgument => ({ of: longName, plus: at, perCpe: 0 });
    const isIn = (tid: number): boolean => tid < (isFine ? Math.min(many, 2) : many);
    stage.add(
      ...stage.only(
        isIn,
        ['rplySet', 'alone', 0],
        ...parts.map(
          (one): WrittenCall =>
            gap > 0
              ? ['dma_iget_stride', ldm(0), source(0), whole, blockBytes, 4 * gap, 'alone']
              : ['dma_iget', ldm(one.at), source(one.at), one.bytes, 'alone'],
        ),
        ['rma_wait_value', 'alone', cut],
        ['rplySet', 'alone', 0],
        ...parts.map((one): WrittenCall => ['dma_iput', target(one.at), ldm(one.at), one.bytes, 'alone']),
        ['dma_wait_value', 'alone', cut],
        ['dma_barrier'],
      ),
    );
    stage.inGroups(({ memory }) => {
      for (const tid of stage.tids.filter(isIn))
        for (const [k, offset] of offsets.entries())
          memory[to + tid * longBytes + k] = memory[from + offset]!;
    });
  });

/** What a CPE has just put is read plainly, while it may be on its way: requests to the same bytes keep their order (7.1). The race detector wants a barrier operation. */
export const rereads: fc.Arbitrary<Phase> = fc
  .record({
    from: buffer,
    place,
    word: fc.nat(bufferBytes / 4 - 1),
    stores: fc.boolean(),
    value: fc.nat(999),
  })
  .map(({ from, place: at, word, stores, value }) => (stage) => {
    if (stage.shape.cached) return;
    stage.isUnordered = true;
    const own = stage.own(at, 4 * word);
    // A store comes behind a put that has begun for certain.
    if (stores) stage.add(['dma_put', stage.own(at), buffers[from]!, bufferBytes], ['st', own, 'i32', value]);
    else
      stage.add(
        ['rplySet', 'alone', 0],
        ['dma_iput', stage.own(at), buffers[from]!, bufferBytes, 'alone'],
        ['ld', own, 'i32'],
        ['dma_wait_value', 'alone', 1],
        ['dma_barrier'],
      );
    stage.atCpes((world, tid) => {
      const bytes = stage.placeOf(world, tid, at);
      bytes.set(world.of(buffers[from]!, tid));
      if (stores) new DataView(bytes.buffer, bytes.byteOffset).setInt32(4 * word, value, true);
    });
  });
