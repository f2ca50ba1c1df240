import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../../../kernel/testing/effort.ts';
import { divergences } from './compile-options.ts';
import { DeviceMemory } from './device-memory.ts';
import { FunctionalGrid } from './functional-grid.ts';
import { launchOf } from './launch.ts';
import { compilePtx } from './program.ts';

/*
 * Wherever lanes part and meet, each does what it would do alone: kernels whose ways lead from any block to any other, run by 32 lanes together and by each lane for itself.
 */

/** Blocks that go on by a bit of a number that each changes in its own way. */
const blocks = fc.integer({ min: 2, max: 9 }).chain((count) => {
  const to = fc.nat(count - 1);
  return fc.array(
    fc.record({
      times: fc.integer({ min: 3, max: 9 }),
      plus: fc.nat(99),
      bit: fc.nat(4),
      end: fc.oneof(
        { weight: 5, arbitrary: fc.record({ kind: fc.constant('branch' as const), to, next: to }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('jump' as const), to }) },
        {
          weight: 1,
          arbitrary: fc.record({
            kind: fc.constant('table' as const),
            to: fc.array(to, { minLength: 3, maxLength: 3 }),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('return' as const), next: to }) },
      ),
    }),
    { minLength: count, maxLength: count },
  );
});
type Blocks = typeof blocks extends fc.Arbitrary<infer T> ? T : never;

function textOf(list: Blocks): string {
  const body = list.flatMap(({ times, plus, bit, end }, at) => {
    const chosen = [`shr.u32 %b, %x, ${bit};`, 'and.b32 %b, %b, 1;', 'setp.eq.u32 %p, %b, 0;'];
    const begin = [
      `L${at}:`,
      `mad.lo.u32 %x, %x, ${times}, ${plus};`,
      'add.u32 %n, %n, 1;',
      'setp.gt.u32 %q, %n, 40;',
      '@%q bra DONE;',
    ];
    switch (end.kind) {
      case 'branch':
        return [...begin, ...chosen, `@%p bra L${end.to};`, `bra L${end.next};`];
      case 'jump':
        return [...begin, `bra L${end.to};`];
      case 'table':
        return [
          ...begin,
          `shr.u32 %b, %x, ${bit};`,
          'and.b32 %b, %b, 3;',
          `T${at}: .branchtargets ${end.to.map((to) => `L${to}`).join(', ')};`,
          `brx.idx %b, T${at};`,
        ];
      default:
        return [...begin, ...chosen, '@!%p st.global.u32 [%o], %n;', '@!%p ret;', `bra L${end.next};`];
    }
  });
  return [
    '.version 9.0',
    '.target sm_75',
    '.address_size 64',
    '.visible .entry k(.param .u64 out, .param .u32 first)',
    '{',
    '.reg .pred %p, %q; .reg .b32 %x, %n, %b, %t; .reg .b64 %o;',
    'ld.param.u64 %o, [out]; ld.param.u32 %x, [first];',
    'mov.u32 %t, %tid.x; add.u32 %x, %x, %t; mad.wide.u32 %o, %t, 8, %o; mov.u32 %n, 0;',
    ...body,
    'DONE: st.global.u32 [%o], %n; st.global.u32 [%o+4], %x; ret;',
    '}',
  ].join('\n');
}

test.each(divergences)('lanes together leave what each leaves alone (%s)', (divergence) => {
  const compared = { met: 0, apart: 0 };
  fc.assert(
    fc.property(blocks, fc.nat(1000), (list, first) => {
      const program = compilePtx([{ file: 'k.ptx', text: textOf(list) }], { divergence });
      const kernel = program.kernels.get('k')!;
      const leftBy = (threads: number, from: number): { words: number[]; instructions: number } => {
        const memory = new DeviceMemory(program.image);
        const out = memory.allocate(8 * threads)!;
        const launch = launchOf(kernel, [1, 1, 1], [threads, 1, 1], [out, from]);
        const grid = new FunctionalGrid(launch, memory, { send: () => {}, receive: () => undefined });
        grid.run();
        const begin = (out - 0x10000) / 4;
        return {
          words: [...memory.words.slice(begin, begin + 2 * threads)],
          instructions: grid.counts.warpInstructions,
        };
      };
      const together = leftBy(32, first);
      const alone = Array.from({ length: 32 }, (_, lane) => leftBy(1, first + lane));

      expect(together.words).toEqual(alone.flatMap(({ words }) => words));
      // Together they never need more lines than one after the other.
      const all = alone.reduce((sum, { instructions }) => sum + instructions, 0);
      expect(together.instructions).toBeLessThanOrEqual(all);
      if (together.instructions < all / 4) compared.met++;
      else compared.apart++;
    }),
    { numRuns: effort({ short: 60, long: 2000 }), seed: 5 },
  );
  expect(compared.met).toBeGreaterThan(compared.apart);
});
