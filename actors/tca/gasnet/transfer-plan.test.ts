import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from '../address-map.ts';
import { partsOf } from './chains.ts';
import { contiguous, headerOf, type Job, type Movement } from './job.ts';
import { decodeHeader, encodeHeader, type Header, packetKinds } from './packet.ts';
import { legalModes, modeOf, planOf } from './transfer-plan.ts';

const sizes = { forceMode: 'auto', slotBytes: 4096, sendBufferBytes: 16_384 } as const;
const move = (
  srcLow: number,
  dstLow: number,
  size: number,
  srcDmaAble = true,
  dstDmaAble = true,
): Movement => ({
  src: addressOf(0, 'gpu', 4096 + srcLow),
  dst: addressOf(1, 'gpu', 4096 + dstLow),
  shape: contiguous(size),
  srcDmaAble,
  dstDmaAble,
});
const jobOf = (data: Movement): Job => ({
  target: 1,
  ring: 0,
  data,
  payload: new Uint8Array(0),
  header: headerOf('put'),
  tellsLeft: false,
  urgent: true,
});

test('the mode of a transfer is that of the table', () => {
  const table = [
    [move(4, 20, 64), 'MtoM'],
    [move(4, 8, 64), 'BtoM'],
    [move(4, 4, 64, false), 'BtoM'],
    [move(4, 4, 64, true, false), 'MtoB'],
    [move(4, 4, 64, false, false), 'BtoB'],
  ] as const;

  for (const [one, mode] of table) expect(modeOf(one, sizes)).toBe(mode);
  expect(modeOf(move(4, 8, 64), { forceMode: 'MtoM' })).toBe('BtoM');
  expect(modeOf(move(4, 4, 64), { forceMode: 'MtoB' })).toBe('MtoB');
  expect(legalModes(move(0, 0, 64))).toEqual(['MtoM', 'BtoM', 'MtoB', 'BtoB']);
});

test('up to three bytes at the end go ahead in a packet, the rest by DMA', () => {
  const pieces = planOf(jobOf(move(0, 0, 1027)), sizes);

  expect(pieces.map(({ way, shape, kind, last }) => [way, shape.size, kind, last])).toEqual([
    ['BtoB', 3, 'fragment', false],
    ['MtoM', 1024, 'put', true],
  ]);
});

test('the pieces of any transfer are its bytes, each once, and the last one ends it', () => {
  const law = fc.property(
    fc.nat(40),
    fc.nat(40),
    fc.integer({ min: 1, max: 40_000 }),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom('auto' as const, 'MtoM' as const, 'BtoM' as const, 'MtoB' as const, 'BtoB' as const),
    (src, dst, size, srcDmaAble, dstDmaAble, forceMode) => {
      const data = move(src, dst, size, srcDmaAble, dstDmaAble);
      const pieces = planOf(jobOf(data), { ...sizes, forceMode });

      const inOrder = [...pieces].sort((a, b) => a.src - b.src);
      let at = data.src;
      for (const piece of inOrder) {
        expect(piece.src).toBe(at);
        expect(piece.dst - piece.src).toBe(data.dst - data.src);
        at += piece.shape.size;
      }
      expect(at).toBe(data.src + size);
      expect(pieces.map(({ last }) => last)).toEqual(pieces.map((_, k) => k === pieces.length - 1));
      for (const { way, shape } of pieces)
        if (way === 'MtoM' || way === 'BtoM') expect(shape.size % 4).toBe(0);
    },
  );

  fc.assert(law, { seed: 3, numRuns: 300 });
});

test('any split gives parts that are the whole, in the order of channels', () => {
  const law = fc.property(
    fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
    fc.boolean(),
    (weights, blocks) => {
      const split = weights.map((weight) => weight * (blocks ? 1 : 128));
      const total = split.reduce((sum, part) => sum + part, 0);
      const shape = blocks ? { size: 64, count: total, srcStride: 96, dstStride: 128 } : contiguous(total);
      fc.pre(blocks ? total > 1 : total > 0);
      const parts = partsOf(1000, 5000, shape, split);

      expect(parts.map(({ channel }) => channel)).toEqual(
        [0, 1, 2, 3].filter((channel) => split[channel]! > 0),
      );
      let [src, dst] = [1000, 5000];
      for (const [data] of parts.map((part) => part.data)) {
        expect([data!.src, data!.dst]).toEqual([src, dst]);
        src += blocks ? data!.count * 96 : data!.size;
        dst += blocks ? data!.count * 128 : data!.size;
      }
      const moved = parts.reduce((sum, { data: [one] }) => sum + one!.size * one!.count, 0);
      expect(moved).toBe(blocks ? 64 * total : total);
      expect(parts.every(({ data }) => data.length === 1)).toBe(true);
    },
  );

  fc.assert(law, { seed: 14 });
});

test('parts of two levels of strides are chains with a descriptor for each plane, which move every block once', () => {
  const law = fc.property(
    fc.array(fc.nat(6), { minLength: 4, maxLength: 4 }),
    fc.integer({ min: 2, max: 5 }),
    (weights, count) => {
      const planes = Math.ceil((weights.reduce((sum, part) => sum + part, 0) + 1) / count);
      const split = weights.with(0, planes * count - weights.slice(1).reduce((sum, part) => sum + part, 0));
      const pitch = { count: planes, srcStride: 4096, dstStride: 2048 };
      const parts = partsOf(0, 8, { size: 64, count, srcStride: 96, dstStride: 128, planes: pitch }, split);

      const moved = parts.flatMap(({ data }) =>
        data.flatMap((one) =>
          Array.from({ length: one.count }, (_, k) => [one.src + k * 96, one.dst + k * 128]),
        ),
      );
      const wanted = Array.from({ length: planes * count }, (_, k) => {
        const [plane, row] = [Math.floor(k / count), k % count];
        return [plane * 4096 + row * 96, 8 + plane * 2048 + row * 128];
      });
      expect(moved).toEqual(wanted);
      for (const { channel, data } of parts) {
        expect(data.reduce((sum, one) => sum + one.count, 0)).toBe(split[channel]);
        expect(data.length).toBeLessThanOrEqual(Math.ceil(split[channel]! / count) + 1);
      }
    },
  );

  fc.assert(law, { seed: 5 });
});

test('a header comes out of its bytes as it went in', () => {
  const word = fc.nat(0xffffffff);
  const law = fc.property(
    fc.record({
      kind: fc.constantFrom(...packetKinds),
      handler: fc.nat(255),
      args: fc.array(word, { maxLength: 16 }),
      bytes: word,
      offset: fc.nat(65_535),
      address: fc.integer({ min: 0, max: 2 ** 52 }),
      source: fc.nat(15),
      sequence: word,
      token: word,
      total: word,
      reply: fc.boolean(),
      last: fc.boolean(),
      urgent: fc.boolean(),
      freed: fc.tuple(word, word),
    }),
    fc.boolean(),
    ({ freed, ...plain }, tells) => {
      // Seven and eight arguments leave no room for the counts of freed slots.
      const room = plain.args.length <= 6 || plain.args.length > 8;
      const header: Header = tells && room ? { ...plain, freed } : plain;
      const bytes = encodeHeader(tells ? { ...plain, freed } : plain);

      expect(bytes.length).toBe(header.args.length > 8 ? 128 : 64);
      expect(decodeHeader(Uint8Array.of(...bytes, ...new Uint8Array(64)))).toEqual(header);
    },
  );

  fc.assert(law, { seed: 2 });
});
