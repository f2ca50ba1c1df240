import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Hasher } from '../../../kernel/hash.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { aluOps } from '../arithmetic/alu.ts';
import type { Ref, Slot } from '../program.ts';
import type { Block, BlockSpec } from './block.ts';
import { LaneBlock } from './lane-block.ts';
import { ReferenceBlock } from './reference-block.ts';
import { WasmBlock } from './wasm-block.ts';
import { anyWord } from './words.arbitrary.ts';

const spec: BlockSpec = { nPE: 3, number: 1, lmShort: 32, grfShort: 16, bmShort: 32, mode: 'pipelined' };

const refIn = (kind: 'grf' | 'lm' | 'bm', size: number): fc.Arbitrary<Ref> =>
  fc
    .record({
      addr: fc.nat(size - 1),
      long: fc.boolean(),
      vector: fc.boolean(),
      stride: fc.constantFrom(1, 1, 2),
    })
    .map(({ addr, long, vector, stride }) => {
      const step = kind === 'lm' ? stride : 1;
      const span = (vector ? 3 * step : 0) * (long ? 2 : 1) + (long ? 2 : 1);
      const fitting = Math.min(addr, size - span);
      return { kind, addr: long ? fitting & ~1 : fitting, long, vector, stride: step, text: '' };
    });
const plain = (kind: Ref['kind'], long = true): Ref => ({
  kind,
  addr: 0,
  long,
  vector: true,
  stride: 1,
  text: '',
});
const inPe = fc.oneof(
  refIn('grf', spec.grfShort),
  refIn('lm', spec.lmShort),
  fc.constantFrom(plain('t'), plain('ind'), plain('ind', false)),
);
const source = fc.oneof(
  { weight: 3, arbitrary: inPe },
  { weight: 2, arbitrary: fc.constantFrom(plain('ti'), plain('ti'), plain('fb'), plain('pe'), plain('bb')) },
);
const destinations = fc.array(inPe, { maxLength: 3 });

const mul = fc.record({
  bits: fc.oneof(fc.constantFrom(0b0011001111, 0b0011001101), fc.nat(1023)).map((bits) => bits & 1023),
  a: source,
  b: source,
  dst: destinations,
});
const fadd = fc.record({
  unit: fc.constant('fadd' as const),
  normA: fc.constantFrom(true, true, false),
  normB: fc.constantFrom(true, true, false),
  sub: fc.boolean(),
  normO: fc.constantFrom(true, true, false),
  round: fc.boolean(),
  a: source,
  b: source,
  dst: destinations,
});
const ialu = fc.record({
  unit: fc.constant('ialu' as const),
  op: fc.constantFrom(...aluOps),
  signed: fc.boolean(),
  a: source,
  b: source,
  dst: destinations,
});
const imm = fc.record({
  unit: fc.constant('ialu' as const),
  op: fc.constant('imm' as const),
  signed: fc.boolean(),
  imm: fc.bigInt({ min: 0n, max: (1n << 36n) - 1n }),
  dst: destinations,
});
const bm = fc
  .record({
    toPe: fc.boolean(),
    bm: refIn('bm', spec.bmShort),
    pe: inPe,
    peid: fc.nat(spec.nPE - 1),
    one: fc.boolean(),
  })
  .map(({ toPe, bm: side, pe, peid, one }) => {
    // Broadcast memory always advances.
    const span = side.long ? 8 : 4;
    const place = {
      ...side,
      vector: true,
      addr: Math.min(side.addr, spec.bmShort - span) & (side.long ? ~1 : ~0),
    };
    return { toPe, bm: place, pe, ...((one || !toPe) && { peid }) };
  });

const slot: fc.Arbitrary<Slot> = fc
  .record({
    vlen: fc.integer({ min: 1, max: 4 }),
    mi: fc.constantFrom(0, 0, 1, 2),
    mof: fc.nat(2),
    moi: fc.nat(2),
    mul: fc.option(mul, { nil: undefined }),
    add: fc.option(fc.oneof(fadd, ialu, imm), { nil: undefined }),
    bm: fc.option(bm, { nil: undefined, freq: 3 }),
  })
  .map(({ mul: m, add, bm: b, ...rest }) => ({
    kind: 'slot',
    line: 0,
    ...rest,
    ...(m && { mul: m }),
    ...(add && { add }),
    ...(b && { bm: b }),
  }));

const steps = fc.array(
  fc.oneof({ weight: 6, arbitrary: slot }, { weight: 1, arbitrary: fc.constant(undefined) }),
  { minLength: 1, maxLength: 14 },
);
const words = fc.array(anyWord, { minLength: 16, maxLength: 16 });

/** Everything a block holds, as if all writes were done. */
function content(block: Block): string[] {
  const settled = block.fork();
  settled.drain();
  const read = (kind: 'grf' | 'lm', size: number) =>
    Array.from({ length: spec.nPE }, (_, pe) =>
      Array.from({ length: size }, (_x, addr) =>
        settled.peek(pe, { kind, addr, long: false, vector: false, stride: 1, text: '' }, 0).toString(16),
      ).join(' '),
    );
  return [
    ...read('grf', spec.grfShort),
    ...read('lm', spec.lmShort),
    ...Array.from({ length: spec.nPE }, (_, pe) =>
      [0, 1, 2, 3].map((k) => settled.peek(pe, plain('t'), k).toString(16)).join(' '),
    ),
    ...Array.from({ length: spec.nPE }, (_, pe) =>
      [1, 2].map((register) => settled.peekMask(pe, register)).join(' '),
    ),
    Array.from({ length: spec.bmShort }, (_, addr) => settled.readBroadcast(addr, false).toString(16)).join(
      ' ',
    ),
  ];
}

function started(make: (spec: BlockSpec) => Block, mode: BlockSpec['mode'], data: readonly bigint[]): Block {
  const block = make({ ...spec, mode });
  for (const [at, word] of data.entries()) block.writeBroadcast(2 * at, true, word);
  // Something different in every PE: broadcast memory to registers, local memory and T.
  for (let pe = 0; pe < spec.nPE; pe++)
    for (const [at, kind] of (['grf', 'lm', 't', 'lm'] as const).entries())
      block.issue({
        kind: 'slot',
        line: 0,
        vlen: 4,
        mi: 0,
        mof: 0,
        moi: 0,
        bm: {
          toPe: true,
          bm: { ...plain('bm'), addr: 2 * ((3 * pe + at) % 12) },
          pe: { ...plain(kind), addr: kind === 'lm' ? 8 * at : 0 },
          peid: pe,
        },
      });
  block.drain();
  return block;
}

describe.each(['pipelined', 'functional'] as const)('blocks, %s', (mode) => {
  test('of lanes do what the reference does, slot by slot', () => {
    fc.assert(
      fc.property(words, steps, (data, list) => {
        const lanes = started((one) => new LaneBlock(one), mode, data);
        const wasm = started((one) => new WasmBlock(one), mode, data);
        const reference = started((one) => new ReferenceBlock(one), mode, data);
        for (const step of list) {
          for (const block of [lanes, wasm, reference]) {
            if (step) block.issue(step);
            else block.pass();
          }
          const wanted = content(reference);
          expect(content(lanes)).toEqual(wanted);
          expect(content(wasm)).toEqual(wanted);
        }
      }),
      { numRuns: effort({ short: 60, long: 300 }), seed: 27 },
    );
  });

  test.each([
    ['lanes', (one: BlockSpec): Block => new LaneBlock(one)],
    ['the reference', (one: BlockSpec): Block => new ReferenceBlock(one)],
  ] as const)('of %s continue from a fork as if nothing had been', (_, make) => {
    fc.assert(
      fc.property(words, steps, steps, (data, before, after) => {
        const block = started(make, mode, data);
        const go = (one: Block, list: readonly (Slot | undefined)[]) => {
          for (const step of list) {
            if (step) one.issue(step);
            else one.pass();
          }
        };
        go(block, before);
        const copy = block.fork();
        go(block, after);
        go(copy, after);

        expect(content(copy)).toEqual(content(block));
      }),
      { numRuns: effort({ short: 12, long: 60 }), seed: 27 },
    );
  });

  test('of lanes tell two states apart where the reference does', () => {
    let different = 0;
    const hashes = (make: (one: BlockSpec) => Block, data: readonly bigint[], lists: readonly Slot[][]) =>
      lists.map((list) => {
        const block = started(make, mode, data);
        for (const step of list) block.issue(step);
        const hasher = new Hasher();
        block.hash(hasher);
        return hasher.digest();
      });
    const few = fc.array(slot, { maxLength: 2 });
    fc.assert(
      fc.property(words, few, slot, few, (data, before, one, after) => {
        const lists = [
          [...before, ...after],
          [...before, one, ...after],
        ];
        const [a, b] = hashes((given) => new ReferenceBlock(given), data, lists);
        fc.pre(a !== b);
        different++;
        const [c, d] = hashes((given) => new LaneBlock(given), data, lists);

        expect(c).not.toBe(d);
      }),
      { numRuns: effort({ short: 30, long: 300 }), seed: 27 },
    );
    expect(different).toBeGreaterThan(effort({ short: 20, long: 40 }));
  });
});
