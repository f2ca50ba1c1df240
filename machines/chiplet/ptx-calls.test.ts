import { describe, expect, test } from 'vitest';
import { deviceBase } from '../../actors/chiplet/ptx/address-space.ts';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { BarrierDeadlock, FunctionalGrid } from '../../actors/chiplet/ptx/functional-grid.ts';
import { launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { KernelTrap, MemoryFault } from '../../actors/chiplet/ptx/warp.ts';

/*
 * Calls with a stack: functions that call themselves or each other, functions by their address, against the same functions here. Lanes of a warp that let each other
 * go on (PTX ISA, call; CUDA programming guide, independent thread scheduling).
 */

/** Runs a body whose threads find the word of theirs in %a and its address in %x; what is left of the words. */
function run(
  head: string,
  body: string,
  words: readonly number[],
  options: CompileOptions = {},
  threads = words.length,
): number[] {
  const text = `.version 8.6
.target sm_90
.address_size 64
${head}
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<4>;
  .reg .b32 %a, %t, %r<12>;
  .reg .b64 %x, %y, %d<12>;
  ld.param.u64 %y, [p];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %x, %t, 4, %y;
  ld.global.u32 %a, [%x];
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'k.ptx', text }], { messageOpcode: 'off', ...options });
  const memory = new DeviceMemory(program.image);
  const at = memory.allocate(4 * words.length)!;
  memory.words.set(words, (at - deviceBase) / 4);
  const launch = launchOf(program.kernels.get('k')!, [1, 1, 1], [threads, 1, 1], [at]);
  new FunctionalGrid(launch, memory, { send: () => {}, receive: () => undefined }).run();
  const from = (at - deviceBase) / 4;
  return [...memory.words.slice(from, from + words.length)];
}

const lanes = Array.from({ length: 32 }, (_, lane) => lane);
const store = (register: string): string => `st.global.u32 [%x], ${register};`;

/** A call of `name` with words, whose result is a word. */
const call = (name: string, result: string, ...given: readonly string[]): string => `{
  ${given.map((one, at) => `.param .b32 g${at}; st.param.b32 [g${at}], ${one};`).join(' ')}
  .param .b32 back;
  call.uni (back), ${name}, (${given.map((_, at) => `g${at}`).join(', ')});
  ld.param.b32 ${result}, [back];
}`;

const ackermannText = `
.func (.param .b32 o) ackermann(.param .b32 m, .param .b32 n)
{
  .reg .pred %p<3>;
  .reg .b32 %m, %n, %r<4>;
  ld.param.u32 %m, [m];
  ld.param.u32 %n, [n];
  setp.eq.u32 %p1, %m, 0;
  @%p1 bra base;
  sub.u32 %r1, %m, 1;
  setp.eq.u32 %p2, %n, 0;
  @%p2 bra none;
  sub.u32 %r2, %n, 1;
  ${call('ackermann', '%r3', '%m', '%r2')}
  ${call('ackermann', '%r3', '%r1', '%r3')}
  st.param.b32 [o], %r3;
  ret;
none:
  ${call('ackermann', '%r3', '%r1', '1')}
  st.param.b32 [o], %r3;
  ret;
base:
  add.u32 %n, %n, 1;
  st.param.b32 [o], %n;
  ret;
}`;

const ackermann = (m: number, n: number): number => {
  if (m === 0) return n + 1;
  return n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
};

describe('functions that come back to themselves', () => {
  test('registers of each call are its own, however the lanes part', () => {
    const found = run(
      ackermannText,
      `and.b32 %r1, %a, 1; add.u32 %r1, %r1, 1; shr.u32 %r2, %a, 2; ${call('ackermann', '%r3', '%r1', '%r2')} ${store('%r3')}`,
      lanes,
    );

    expect(found).toEqual(lanes.map((lane) => ackermann((lane & 1) + 1, lane >> 2)));
  });

  test('two functions call each other, with an array in local memory for each call', () => {
    const half = (own: string, other: string, factor: number): string => `
.func (.param .b32 o) ${own}(.param .b32 n)
{
  .local .align 4 .b8 kept[8];
  .reg .pred %p;
  .reg .b32 %n, %r<4>;
  .reg .b64 %l;
  ld.param.u32 %n, [n];
  mov.u64 %l, kept;
  mul.lo.u32 %r1, %n, ${factor};
  st.local.u32 [%l+4], %r1;
  mov.u32 %r3, 0;
  setp.eq.u32 %p, %n, 0;
  @%p bra end;
  sub.u32 %r2, %n, 1;
  ${call(other, '%r3', '%r2')}
end:
  ld.local.u32 %r1, [kept+4];
  xor.b32 %r3, %r3, %r1;
  st.param.b32 [o], %r3;
  ret;
}`;
    const head = `.func (.param .b32 o) odd(.param .b32 n);
${half('even', 'odd', 3)}${half('odd', 'even', 5)}`;
    const plain = (n: number, factor: number): number =>
      (n === 0 ? 0 : plain(n - 1, 8 - factor)) ^ (n * factor);

    const found = run(head, `${call('even', '%r3', '%a')} ${store('%r3')}`, lanes);

    expect(found).toEqual(lanes.map((lane) => plain(lane, 3)));
  });

  test('parameters and results in registers are those of each call too', () => {
    const head = `
.func (.reg .u32 o) sum(.reg .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<3>;
  mov.u32 o, 0;
  setp.eq.u32 %p, n, 0;
  @%p ret;
  sub.u32 %r1, n, 1;
  call (%r2), sum, (%r1);
  add.u32 o, %r2, n;
  ret;
}`;

    const found = run(head, `call (%r1), sum, (%a); ${store('%r1')}`, lanes);

    expect(found).toEqual(lanes.map((lane) => (lane * (lane + 1)) / 2));
  });

  test('lanes that a guard keeps from the call, and lanes that end in it, are left out', () => {
    const head = `
.func down(.param .b32 n)
{
  .reg .pred %p;
  .reg .b32 %n;
  ld.param.u32 %n, [n];
  setp.eq.u32 %p, %n, 100;
  @%p exit;
  setp.eq.u32 %p, %n, 0;
  @%p ret;
  sub.u32 %n, %n, 1;
  { .param .b32 g; st.param.b32 [g], %n; call down, (g); }
  ret;
}`;
    const body = `setp.lt.u32 %p1, %a, 200; { .param .b32 g; st.param.b32 [g], %a; @%p1 call down, (g); } ${store('-1')}`;

    const found = run(head, body, [3, 101, 300, 0]);

    expect(found).toEqual([-1, 101, -1, -1]);
  });

  test('calls without end are reported, with where they are', () => {
    const head = `.func on(.param .b32 n) { { .param .b32 g; st.param.b32 [g], 1; call on, (g); } ret; }`;

    expect(() => run(head, '{ .param .b32 g; st.param.b32 [g], 1; call on, (g); }', [0])).toThrow(
      /E-MEM found calls within calls of more than 4096 bytes.*call on/,
    );
  });
});

const table = `
.func (.param .b32 o) plus(.param .b32 a, .param .b32 b)
{ .reg .b32 %a, %b; ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; add.u32 %a, %a, %b; st.param.b32 [o], %a; ret; }
.func (.param .b32 o) minus(.param .b32 a, .param .b32 b)
{ .reg .b32 %a, %b; ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; sub.u32 %a, %a, %b; st.param.b32 [o], %a; ret; }
.func (.param .b32 o) times(.param .b32 a, .param .b32 b)
{ .reg .b32 %a, %b; ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; mul.lo.u32 %a, %a, %b; st.param.b32 [o], %a; ret; }
.func lonely() { ret; }
.global .align 8 .u64 ways[4] = {plus, minus, times, lonely};
`;
const byAddress = (address: string, declared: string): string => `{
  .param .b32 g; st.param.b32 [g], %a; .param .b32 h; st.param.b32 [h], 7; .param .b32 back;
  look : ${declared};
  call (back), ${address}, (g, h), look;
  ld.param.b32 %r1, [back];
}`;
const prototype = '.callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _)';
const fetch = `and.b32 %r2, %a, 3; mov.u64 %d1, ways; mad.wide.u32 %d1, %r2, 8, %d1; ld.global.u64 %d2, [%d1];`;

describe('functions by their address', () => {
  test('each lane calls its own', () => {
    const words = lanes.map((lane) => lane * 4 + (lane % 3));

    const found = run(table, `${fetch} ${byAddress('%d2', prototype)} ${store('%r1')}`, words);

    expect(found).toEqual(words.map((a) => [a + 7, a - 7, a * 7][a & 3]));
  });

  test('an address may be taken in a line, and the choice may be a list of names', () => {
    const body = `mov.u64 %d1, minus; mov.u64 %d2, times; setp.gt.u32 %p1, %a, 9; selp.b64 %d2, %d1, %d2, %p1; ${byAddress('%d2', '.calltargets minus, times')} ${store('%r1')}`;

    expect(run(table, body, lanes)).toEqual(lanes.map((a) => (a > 9 ? a - 7 : a * 7)));
  });

  test.each([
    ['no function', 'mov.u64 %d2, 4;', prototype],
    ['a function with other parameters', fetch, prototype],
    ['a function that is not in the list', 'mov.u64 %d2, plus; mov.u64 %d1, minus;', '.calltargets minus'],
  ])('a call of %s is reported', (_, before, declared) => {
    expect(() => run(table, `${before} ${byAddress('%d2', declared)}`, [3])).toThrow(MemoryFault);
  });

  test('a call by address without a declaration is refused with its line', () => {
    expect(() => run(table, 'call %d1, nobody;', [3])).toThrow(
      /k\.ptx:\d+.*found "nobody" behind a call by address/,
    );
  });
});

const lock = `
again:
  atom.global.cas.b32 %r1, [%y], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra again;`;
const unlock = `ld.global.u32 %r2, [%y+4]; add.u32 %r2, %r2, 1; st.global.u32 [%y+4], %r2; atom.global.exch.b32 %r1, [%y], 0;`;
const zeros = Array.from({ length: 64 }, () => 0);

describe('lanes that wait for each other', () => {
  test('a lock that one lane holds is given back while the others ask for it', () => {
    expect(run('', `${lock} ${unlock}`, zeros).slice(0, 2)).toEqual([0, 64]);
  });

  test('with one stack for all lanes that never ends, which is reported', () => {
    expect(() => run('', `${lock} ${unlock}`, zeros, { divergence: 'stack' })).toThrow(BarrierDeadlock);
  });

  test('lanes that parted meet at the next barrier and where they ask each other', () => {
    const body = `${lock} ${unlock} bar.sync 0; ld.global.u32 %r3, [%y+4]; vote.sync.ballot.b32 %r4, %p1, 0xffffffff; activemask.b32 %r5; add.u32 %r3, %r3, %r5; st.global.u32 [%x+256], %r3;`;
    const found = run('', body, [...zeros, ...zeros], {}, 64).slice(64);

    // All 64 have had the lock, and all lanes of a warp are at hand: 64 + 0xffffffff.
    expect(found).toEqual(zeros.map(() => 63));
  });

  test('a shuffle waits for the lanes that it names', () => {
    const body = `${lock} ${unlock} shfl.sync.bfly.b32 %r3, %t, 31, 31, 0xffffffff; st.global.u32 [%x+128], %r3;`;
    const found = run('', body, zeros, {}, 32).slice(32);

    expect(found).toEqual(lanes.map((lane) => lane ^ 31));
  });

  test('lanes that wait for each other at different places are reported', () => {
    const body = `${lock} ${unlock} setp.lt.u32 %p2, %t, 16; @%p2 bra low; shfl.sync.bfly.b32 %r3, %t, 1, 31, 0xffffffff; bra end; low: shfl.sync.bfly.b32 %r3, %t, 2, 31, 0xffffffff; end:`;

    expect(() => run('', body, zeros.slice(0, 32))).toThrow(KernelTrap);
  });
});
