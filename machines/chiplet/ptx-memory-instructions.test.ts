import { describe, expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { runCase } from './gpu-case.ts';

/*
 * Loads, stores, atomics and what lanes tell each other (chiplet specification 7.1), one by one, against what they are for.
 */

const head = '.version 7.0\n.target sm_75\n.address_size 64\n';

/** Runs a body in `threads` threads; `%o` is the address of the word of each in the buffer that comes back, `%in` that of the given words. */
function run(
  body: string,
  threads: number,
  given: readonly number[] = [0],
  before = '',
  outWords = threads,
): readonly number[] {
  const text = `${head}${before}
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b16 %h<4>;
  .reg .b32 %t, %r<20>;
  .reg .f32 %f<6>;
  .reg .f64 %d<4>;
  .reg .b64 %in, %o, %x<8>;
  ld.param.u64 %in, [in];
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %o, %t, ${(4 * outWords) / threads}, %o;
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'memory.ptx', text }]);
  const outcome = runCase(program, program.kernels.get('k')!, {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ ptr: 'in' }, { ptr: 'out' }],
    buffers: {
      in: { type: 'u32', data: given },
      out: { type: 'u32', data: Array.from({ length: outWords }, () => 0) },
    },
  });
  const { out = [] } = outcome.buffers;
  return out;
}

const word = 0x80c1a2f3;
const spaces: Readonly<Record<string, { readonly before: string; readonly place: string }>> = {
  global: { before: '', place: '%o' },
  shared: { before: '.shared .align 8 .b8 box[64];', place: 'box' },
  local: { before: '', place: 'own' },
};

test('an address in 32 bits wraps around: a negative one whose offset makes it positive', () => {
  const body =
    'mov.u32 %r1, near; mad.lo.s32 %r1, %t, 4, %r1; add.s32 %r1, %r1, -256; st.shared.u32 [%r1+260], %t; atom.shared.add.u32 %r2, [%r1+260], 5; ld.shared.u32 %r3, [%r1+260]; st.global.u32 [%o], %r3;';

  expect(run(body, 3, [0], '.shared .align 4 .b8 near[64];')).toEqual([5, 6, 7]);
});

describe.each(Object.entries(spaces))('in .%s', (space, { before, place }) => {
  const declared = space === 'local' ? '.local .align 8 .b8 own[64];' : '';
  const there = (line: string): string => `${declared} ${line.replaceAll('PLACE', place)}`;

  test.each([
    ['u8', 0xf3],
    ['s8', 0xfffffff3],
    ['u16', 0xa2f3],
    ['s16', 0xffffa2f3],
    ['u32', word],
    ['s32', word],
    ['b32', word],
  ])('ld.%s extends as its type says', (type, expected) => {
    const body = `mov.b32 %r1, ${word | 0}; st.${space}.b32 [PLACE], %r1; ld.${space}.${type} %r2, [PLACE]; st.global.u32 [%o], %r2;`;

    expect(run(there(body), 1, [0], before)).toEqual([expected]);
  });

  test.each(['u8', 's8', 'u16', 's16'])('st.%s leaves its neighbours alone', (type) => {
    const bytes = type.endsWith('8') ? 1 : 2;
    const body = `mov.b32 %r1, -1; st.${space}.b32 [PLACE], %r1; mov.u32 %r2, 0; st.${space}.${type} [PLACE+${bytes}], %r2; ld.${space}.u32 %r3, [PLACE]; st.global.u32 [%o], %r3;`;

    expect(run(there(body), 1, [0], before)).toEqual([bytes === 1 ? 0xffff00ff : 0x0000ffff]);
  });

  test('numbers and reals of 64 bits keep both halves', () => {
    const body = `mov.b64 %x1, 0x123456789abcdef0; st.${space}.b64 [PLACE+8], %x1; ld.${space}.f64 %d1, [PLACE+8]; st.${space}.f64 [PLACE+16], %d1; ld.${space}.u64 %x2, [PLACE+16]; mov.b64 {%r1, %r2}, %x2; st.global.v2.u32 [%o], {%r1, %r2};`;

    expect(run(there(body), 1, [0], before, 8).slice(0, 2)).toEqual([0x9abcdef0, 0x12345678]);
  });

  test('vectors of 2 and 4 lie in the order of their elements', () => {
    const body = `mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 4; st.${space}.v4.u32 [PLACE+16], {%r4, %r3, %r2, %r1};
ld.${space}.v2.u32 {%r5, %r6}, [PLACE+24]; ld.${space}.v4.f32 {%f1, %f2, %f3, %f4}, [PLACE+16]; ld.${space}.u32 %r7, [PLACE+20]; mov.b32 %r8, %f1;
st.global.v4.u32 [%o], {%r5, %r6, %r7, %r8};`;

    expect(run(there(body), 1, [0], before, 8).slice(0, 4)).toEqual([2, 1, 3, 4]);
  });

  test('a generic address says by itself where it leads', () => {
    const convert =
      space === 'global' ? 'mov.u64 %x1, %o;' : `mov.u64 %x2, PLACE; cvta.${space}.u64 %x1, %x2;`;
    const body = `${convert} mov.u32 %r1, 77; st.u32 [%x1+4], %r1; ld.${space}.u32 %r2, [PLACE+4]; ld.u32 %r3, [%x1+4]; cvta.to.${space}.u64 %x3, %x1; ld.${space}.u32 %r4, [%x3+4]; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; st.global.u32 [%o], %r2;`;

    expect(run(there(body), 1, [0], before, 2)[0]).toBe(231);
  });
});

test('.const holds what it was given, zeros behind, and what is loaded from a parameter is its own', () => {
  const before = '.const .align 4 .u32 table[4] = {5, 6};';
  const body =
    'ld.const.u32 %r1, [table+4]; ld.const.u32 %r2, [table+8]; add.u32 %r1, %r1, %r2; st.global.u32 [%o], %r1;';

  expect(run(body, 1, [0], before)).toEqual([6]);
});

const limit = 2 ** 32;

/** What an atomic makes of the old value; all of 32 bits without sign. */
const atomics: Readonly<Record<string, readonly [type: string, make: (old: number, b: number) => number]>> = {
  add: ['u32', (old, b) => (old + b) % limit],
  min: ['u32', Math.min],
  max: ['u32', Math.max],
  'min signed': ['s32', (old, b) => Math.min(old | 0, b | 0) >>> 0],
  'max signed': ['s32', (old, b) => Math.max(old | 0, b | 0) >>> 0],
  and: ['b32', (old, b) => (old & b) >>> 0],
  or: ['b32', (old, b) => (old | b) >>> 0],
  xor: ['b32', (old, b) => (old ^ b) >>> 0],
  exch: ['b32', (_old, b) => b],
  inc: ['u32', (old, b) => (old >= b ? 0 : old + 1)],
  dec: ['u32', (old, b) => (old === 0 || old > b ? b : old - 1)],
};

describe.each(['global', 'shared'])('atomics in .%s', (space) => {
  const [before, place] = space === 'shared' ? ['.shared .align 4 .u32 cell;', 'cell'] : ['', '%in'];
  const operands = [3, 0xfffffff0, 7, 0, 0x80000001, 12, 2, 5];

  test.each(Object.entries(atomics))(
    '%s takes lanes one after the other, and gives what was before',
    (name, [type, make]) => {
      const base = name.split(' ')[0]!;
      const load = 'mad.wide.u32 %x1, %t, 4, %in; ld.global.u32 %r1, [%x1+4];';
      const begin = space === 'shared' ? 'mov.u32 %r5, 9; st.shared.u32 [cell], %r5;' : '';
      const body = `${begin} ${load} atom.${space}.${base}.${type} %r2, [${place}], %r1; st.global.u32 [%o], %r2;`;
      const olds: number[] = [];
      let cell = 9;
      for (const one of operands) {
        olds.push(cell);
        cell = make(cell, one);
      }

      expect(run(body, operands.length, [9, ...operands], before)).toEqual(olds);
      if (base === 'exch') return;
      const reduced = `${begin} ${load} red.${space}.${base}.${type} [${place}], %r1; ld.${space}.u32 %r3, [${place}]; st.global.u32 [%o], %r3;`;
      expect(run(reduced, operands.length, [9, ...operands], before)).toEqual(operands.map(() => cell));
    },
  );

  test('cas puts where it finds what it asks for', () => {
    const begin = space === 'shared' ? 'mov.u32 %r5, 0; st.shared.u32 [cell], %r5;' : '';
    const body = `${begin} add.u32 %r1, %t, 1; atom.${space}.cas.b32 %r2, [${place}], %t, %r1; st.global.u32 [%o], %r2;`;

    expect(run(body, 5, [0], before)).toEqual([0, 1, 2, 3, 4]);
  });

  test('reals are added in the order of lanes', () => {
    const begin = space === 'shared' ? 'mov.u32 %r5, 0; st.shared.u32 [cell], %r5;' : '';
    const body = `${begin} mov.f32 %f1, 0f3F000000; atom.${space}.add.f32 %f2, [${place}], %f1; cvt.rzi.u32.f32 %r1, %f2; st.global.u32 [%o], %r1;`;

    expect(run(body, 5, [0], before)).toEqual([0, 0, 1, 1, 2]);
  });
});

describe('atomics of 64 bits', () => {
  const wide = 1n << 64n;
  const signed = (value: bigint): bigint => BigInt.asIntN(64, value);
  const cases: Readonly<Record<string, readonly [type: string, make: (old: bigint, b: bigint) => bigint]>> = {
    add: ['u64', (old, b) => (old + b) % wide],
    min: ['u64', (old, b) => (old < b ? old : b)],
    max: ['u64', (old, b) => (old > b ? old : b)],
    'min signed': ['s64', (old, b) => (signed(old) < signed(b) ? old : b)],
    'max signed': ['s64', (old, b) => (signed(old) > signed(b) ? old : b)],
    and: ['b64', (old, b) => old & b],
    or: ['b64', (old, b) => old | b],
    xor: ['b64', (old, b) => old ^ b],
    exch: ['b64', (_old, b) => b],
  };
  const begin = 0x80000000_00000005n;
  const operands = [
    begin,
    0xffffffff_ffffff00n,
    7n,
    0x100000000n,
    0xffffffffn,
    0x7fffffff_ffffffffn,
    0x80000000_00000004n,
    3n,
  ];
  const words = [begin, ...operands].flatMap((one) => [Number(one & 0xffffffffn), Number(one >> 32n)]);

  test.each(Object.entries(cases))('%s takes lanes one after the other', (name, [type, make]) => {
    const body = `mad.wide.u32 %x1, %t, 8, %in; ld.global.u64 %x2, [%x1+8]; atom.global.${name.split(' ')[0]}.${type} %x3, [%in], %x2; st.global.u64 [%o], %x3;`;
    const olds: bigint[] = [];
    let cell = begin;
    for (const one of operands) {
      olds.push(cell);
      cell = make(cell, one);
    }

    expect(run(body, operands.length, words, '', 2 * operands.length)).toEqual(
      olds.flatMap((one) => [Number(one & 0xffffffffn), Number(one >> 32n)]),
    );
  });

  test('cas puts where it finds both halves, and reals are added in the order of lanes', () => {
    const swap =
      'cvt.u64.u32 %x1, %t; shl.b64 %x1, %x1, 32; add.u64 %x2, %x1, 0x100000000; atom.global.cas.b64 %x3, [%in], %x1, %x2; st.global.u64 [%o], %x3;';
    expect(run(swap, 4, [0, 0], '', 8)).toEqual([0, 0, 0, 1, 0, 2, 0, 3]);
    const sum =
      'mov.f64 %d1, 0.25; atom.global.add.f64 %d2, [%in], %d1; mul.f64 %d2, %d2, 100.0; cvt.rzi.u32.f64 %r1, %d2; st.global.u32 [%o], %r1;';
    expect(run(sum, 4, [0, 0])).toEqual([0, 25, 50, 75]);
  });
});

describe('an access that names no space', () => {
  test('goes to that of its variable', () => {
    const before = '.global .align 4 .u32 far[2] = {3, 4}; .const .align 4 .u32 fixed[2] = {5, 6};';
    const body = `.shared .align 4 .u32 near[2]; .local .align 4 .u32 own[2];
mov.u32 %r1, 10; st.u32 [near+4], %r1; mov.u32 %r1, 20; st.u32 [own], %r1; mov.u32 %r1, 30; st.u32 [far], %r1;
ld.shared.u32 %r2, [near+4]; ld.local.u32 %r3, [own]; ld.global.u32 %r4, [far]; ld.u32 %r5, [fixed+4]; atom.add.u32 %r6, [near+4], 1; ld.u32 %r7, [near+4];
mad.lo.u32 %r2, %r3, 100, %r2; mad.lo.u32 %r2, %r4, 10000, %r2; mad.lo.u32 %r2, %r5, 1000000, %r2; add.u32 %r7, %r7, %r6; mad.lo.u32 %r2, %r7, 10000000, %r2; st.global.u32 [%o], %r2;`;

    expect(run(body, 1, [0], before)).toEqual([10 + 2000 + 300000 + 6000000 + 210000000]);
  });

  test('or by the address of a place in a variable', () => {
    const body =
      '.shared .align 4 .u32 near[4]; mov.u32 %r1, near+8; mov.u32 %r2, 9; st.shared.u32 [near+8], %r2; ld.shared.u32 %r3, [%r1]; mov.u64 %x1, near+4; cvta.shared.u64 %x1, %x1; ld.u32 %r4, [%x1+4]; add.u32 %r3, %r3, %r4; st.global.u32 [%o], %r3;';

    expect(run(body, 1)).toEqual([18]);
  });
});

test('isspacep tells where a generic address leads', () => {
  const asked = (address: string): string =>
    `isspacep.global %p1, ${address}; isspacep.local %p2, ${address}; isspacep.shared %p3, ${address}; selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 10, 0, %p2; selp.u32 %r4, 100, 0, %p3; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; mad.lo.u32 %r1, %r1, 1000, %r2;`;
  const body = `.shared .u32 near; .local .u32 own; mov.u32 %r1, 0; ${asked('%o')} mov.u64 %x1, own; cvta.local.u64 %x1, %x1; ${asked('%x1')}
mov.u64 %x1, near; cvta.shared.u64 %x1, %x1; ${asked('%x1')} st.global.u32 [%o], %r1;`;

  expect(run(body, 1)).toEqual([1_010_100]);
});

describe('an access that cannot be', () => {
  test.each([
    [
      'ld.param.u32 %r1, [out+8];',
      'found an access of 4 bytes at 0x10, expected one within parameter memory',
    ],
    ['ld.param.u32 %r1, [in+-4];', 'found an access of 4 bytes at -4, expected one within parameter memory'],
    ['ld.param.u32 %r1, [in+2];', 'found an access at 0x2, expected a multiple of its 4 bytes'],
    ['ld.global.u32 %r1, [%o+2];', 'expected a multiple of its 4 bytes'],
    ['ld.global.v2.u32 {%r1, %r2}, [%o+4];', 'expected a multiple of its 8 bytes'],
    ['st.global.u64 [%o+8], %x1;', 'expected one within an allocation'],
    ['ld.global.u32 %r1, [%in+-4];', 'expected one within an allocation'],
    ['ld.global.u8 %r1, [0];', 'found an access of 1 bytes at 0x0, expected one within an allocation'],
    [
      '.shared .u32 near; st.shared.u32 [near+4], %t;',
      'found an access of 4 bytes at 0x4, expected one within shared memory',
    ],
    ['.local .u32 own[4]; ld.local.u32 %r1, [own+16];', 'expected one within local memory'],
    ['mov.u64 %x1, 0xf8000000; ld.u32 %r1, [%x1];', 'expected one within shared memory'],
    ['mov.u64 %x1, 0x100000000; ld.u32 %r1, [%x1];', 'found an access of 4 bytes at'],
    ['mov.u64 %x1, -8; st.u32 [%x1], %t;', 'found an access of 4 bytes at -8'],
    ['atom.global.add.u32 %r1, [%o+1], 1;', 'expected a multiple of its 4 bytes'],
  ])('%s is told with kernel, block, thread and line', (line, what) => {
    // Only the third of five threads does it.
    const body = `setp.eq.u32 %p1, %t, 2;\n  ${line.replace(/([^;]*;)$/, ' @%p1 $1')}`;
    let message = '';
    try {
      run(body, 5);
    } catch (error) {
      message = (error as Error).message;
    }

    expect(message).toContain(what);
    expect(message).toMatch(/^E-MEM .*: kernel k, block 0, thread 2, pc \d+, memory\.ptx:\d+: .*@%p1/);
  });
});

test('trap stops a kernel where it is carried out, and only there', () => {
  const body = (lane: number): string => `setp.eq.u32 %p1, %t, ${lane}; @%p1 trap; st.global.u32 [%o], %t;`;

  expect(run(body(7), 3)).toEqual([0, 1, 2]);
  expect(() => run(body(2), 3)).toThrow(
    /^E-TRAP .*kernel k, block 0, thread 2, pc \d+, memory\.ptx:\d+: .*@%p1 trap;/,
  );
});

describe('what lanes tell each other', () => {
  const lanes = Array.from({ length: 32 }, (_, lane) => lane);
  const shuffled = (mode: string, b: number, c: number): readonly number[] =>
    run(
      `shfl.sync.${mode}.b32 %r1|%p1, %t, ${b}, ${c}, -1; selp.u32 %r2, 100, 0, %p1; add.u32 %r1, %r1, %r2; st.global.u32 [%o], %r1;`,
      32,
    );
  /** Lane j when it is in reach, with 100 added; else the lane itself. */
  const expected = (from: (lane: number) => number, reach: (lane: number, from: number) => boolean) =>
    lanes.map((lane) => (reach(lane, from(lane)) ? from(lane) + 100 : lane));

  test('shfl reads above, below, across, and where it is told', () => {
    expect(shuffled('up', 3, 0)).toEqual(
      expected(
        (lane) => lane - 3,
        (_, from) => from >= 0,
      ),
    );
    expect(shuffled('down', 5, 31)).toEqual(
      expected(
        (lane) => lane + 5,
        (_, from) => from <= 31,
      ),
    );
    expect(shuffled('bfly', 9, 31)).toEqual(
      expected(
        (lane) => lane ^ 9,
        () => true,
      ),
    );
    expect(shuffled('idx', 6, 31)).toEqual(
      expected(
        () => 6,
        () => true,
      ),
    );
  });

  test('shfl stays within its segment of 8 lanes', () => {
    const segment = 24 << 8;
    expect(shuffled('up', 3, segment)).toEqual(
      expected(
        (lane) => lane - 3,
        (lane, from) => from >= (lane & 24),
      ),
    );
    expect(shuffled('down', 3, segment | 31)).toEqual(
      expected(
        (lane) => lane + 3,
        (lane, from) => from <= (lane & 24) + 7,
      ),
    );
    expect(shuffled('idx', 2, segment | 31)).toEqual(
      expected(
        (lane) => (lane & 24) + 2,
        () => true,
      ),
    );
  });

  test('shfl.up ends at the lane that its last operand names', () => {
    expect(shuffled('up', 1, 4)).toEqual(
      expected(
        (lane) => lane - 1,
        (_, from) => from >= 4,
      ),
    );
  });

  test('vote asks all lanes, and those that are away do not count', () => {
    const ask = (mode: string, first: number): readonly number[] =>
      run(
        `setp.lt.u32 %p1, %t, ${first}; vote.sync.${mode}.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2; st.global.u32 [%o], %r1;`,
        32,
      );
    expect(new Set([...ask('any', 1), ...ask('all', 32)])).toEqual(new Set([1]));
    expect(new Set([...ask('any', 0), ...ask('all', 31)])).toEqual(new Set([0]));
    const body =
      'setp.ge.u32 %p3, %t, 20; @%p3 bra away; setp.lt.u32 %p1, %t, 30; vote.sync.all.pred %p2, %p1, -1; vote.sync.ballot.b32 %r1, %p1, -1; activemask.b32 %r2; selp.u32 %r3, 1, 0, %p2; and.b32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.global.u32 [%o], %r1; away:';
    expect(run(body, 32)).toEqual(lanes.map((lane) => (lane < 20 ? 2 ** 20 : 0)));
  });
});

describe('ways through the code', () => {
  test('brx.idx goes by its table, each lane its way', () => {
    const body = `bra.uni begin; zero: mov.u32 %r1, 10; bra meet; one: mov.u32 %r1, 11; bra meet; two: mov.u32 %r1, 12; bra meet;
begin: rem.u32 %r2, %t, 3; table: .branchtargets zero, one, two; brx.idx %r2, table; meet: st.global.u32 [%o], %r1;`;

    expect(run(body, 7)).toEqual([10, 11, 12, 10, 11, 12, 10]);
  });

  test('functions take parameters and give results, also for a part of the lanes', () => {
    const before = `.func (.param .b32 sum) twice(.param .b32 a)
{ .reg .b32 %v; .reg .pred %q; ld.param.b32 %v, [a]; setp.gt.u32 %q, %v, 3; @%q bra many; add.u32 %v, %v, %v; many: st.param.b32 [sum], %v; ret; }`;
    const body = `mov.u32 %r1, 50; setp.eq.u32 %p1, %t, 2; @%p1 bra done; { .param .b32 given; .param .b32 back; st.param.b32 [given], %t; call.uni (back), twice, (given); ld.param.b32 %r1, [back]; } done: st.global.u32 [%o], %r1;`;

    expect(run(body, 6, [0], before)).toEqual([0, 2, 50, 6, 4, 5]);
  });

  test('functions take registers and constants as well, and keep their own copies', () => {
    const before = `.func (.reg .b32 back) plus(.reg .b32 a, .reg .b32 b)
{ add.u32 a, a, b; mov.u32 back, a; ret; }
.func (.param .b32 back) minus(.param .b32 a, .param .b32 b)
{ .reg .b32 %u, %v; ld.param.b32 %u, [a]; ld.param.b32 %v, [b]; sub.u32 %u, %u, %v; st.param.b32 [back], %u; ret; }`;
    const body = `mov.u32 %r1, 1000; setp.lt.u32 %p1, %t, 4; @%p1 call (%r2), plus, (%t, 5); @!%p1 mov.u32 %r2, 9; call.uni (%r1), minus, (%r1, %r2);
mad.lo.u32 %r1, %t, 10000, %r1; st.global.u32 [%o], %r1;`;

    expect(run(body, 6, [0], before)).toEqual(
      [0, 1, 2, 3, 4, 5].map((t) => 10000 * t + 1000 - (t < 4 ? t + 5 : 9)),
    );
  });

  test('labels belong to the braces that they stand in', () => {
    const body = `mov.u32 %r1, 0; { mov.u32 %r2, 3; again: add.u32 %r1, %r1, 1; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra again; }
{ mov.u32 %r2, 2; again: add.u32 %r1, %r1, 10; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra again; } st.global.u32 [%o], %r1;`;

    expect(run(body, 2)).toEqual([23, 23]);
  });

  test('special registers tell where a thread is', () => {
    const body =
      'mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mad.lo.u32 %r1, %r2, 100, %r1; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r3, 1000, %r1; mov.u32 %r4, %nctaid.y; cvt.u32.u16 %r4, %nctaid.y; mad.lo.u32 %r1, %r4, 1000000, %r1; st.global.u32 [%o], %r1;';

    expect(run(body, 34).slice(31)).toEqual([1034031, 1034100, 1034101]);
  });
});

/* Reals of 16 bits are told by their bits: 1 is 0x3c00 and 0x3f80, 2 is 0x4000, -2 is 0xc000, infinity 0x7c00 and 0x7f80. */
test.each([
  ['max.noftz.v2.bf16x2', [0x3f80_0000, 0x7fc0_4000], [0x4000_3f80, 0x3f80_3f80], [0x4000_3f80, 0x3f80_4000]],
  ['min.noftz.v2.f16x2', [0x0000_8000, 0x7c00_7e00], [0x3c00_0000, 0xc000_c000], [0x0000_8000, 0xc000_c000]],
  ['min.noftz.v2.bf16', [0x3f80_7f80], [0x4000_4000], [0x3f80_4000]],
  ['max.noftz.v2.f16', [0xc000_3c00], [0x3c00_c000], [0x3c00_3c00]],
])('atom.global.%s takes the one of both, and tells what was there', (form, was, by, becomes) => {
  const isWide = form.endsWith('x2');
  const type = isWide ? 'b32' : 'b16';
  const registers = isWide ? ['%r1', '%r2', '%r3', '%r4'] : ['%h0', '%h1', '%h2', '%h3'];
  const [a, b, c, d] = registers as [string, string, string, string];
  const bits = isWide ? by : [by[0]! & 0xffff, by[0]! >>> 16];
  const body = `mov.${type} ${a}, ${bits[0]}; mov.${type} ${b}, ${bits[1]};
    atom.global.${form} {${c}, ${d}}, [%in], {${a}, ${b}};
    st.global.v2.${type} [%o], {${c}, ${d}};
    ld.global.u32 %r5, [%in]; st.global.u32 [%o+8], %r5; ld.global.u32 %r6, [%in+4]; st.global.u32 [%o+12], %r6;`;
  const found = run(body, 1, [...was, 0].slice(0, 2), '', 4);

  expect(found.slice(0, was.length)).toEqual(was);
  expect(found.slice(2, 2 + becomes.length)).toEqual(becomes.map((one) => one >>> 0));
});

test('a single real of 16 bits is not compared by an atomic', () => {
  expect(() => run('atom.global.max.noftz.f16 %h0, [%in], %h1;', 1)).toThrow(
    'expected a vector of 2, 4 or 8 where reals are compared',
  );
});
