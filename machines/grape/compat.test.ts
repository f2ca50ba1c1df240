import { expect, test } from 'vitest';
import { assemble } from './assembler/assemble.ts';
import { GrapeLibrary } from './library.ts';

const sum = `var vector long x hlt flt64to72
var vector short y hlt flt64to36
var vector long t hlt1 flt64to72
bvar long b elt flt64to72
var vector long r rrn flt72to64 fadd
loop initialization
uxor $t $t $t
upassa $ti $ti r
loop body
vlen 1
bm b $lr0
vlen 4
nop
fadd $lr0 x $t
nop
fadd $t r r
`;
const library = (source: string, config: object, options: object = {}) =>
  new GrapeLibrary(assemble(source, { type: 1, ...options }).program, { nBB: 1, nPE: 1, ...config });

test('C14: flt64to36 rounds to nearest, or cuts', () => {
  const value = 1 + 2 ** -24 + 2 ** -25;
  const source = `${sum.replace('fadd $lr0 x $t', 'fadd $lr0 y $t')}`;
  const read = (narrowMode: 'nearest' | 'truncate') => {
    const lib = library(source, { compat: { narrowMode } });
    lib.init();
    lib.sendJParticle({ b: 0 }, 0);
    lib.sendIParticle([{ x: 0, y: value }]);
    lib.run(1);
    return (lib.getResult()[0] as { r: number }).r;
  };

  expect([read('nearest'), read('truncate')]).toEqual([1 + 2 ** -23, 1 + 2 ** -24]);
});

test('C15: with the bug of il, the upper half of a constant is what local memory held', () => {
  const source = `var vector long a hlt flt64to72
var vector long r rrn fix72to64r uadd
loop body
uadd il"5" $lr40v $t
nop
upassa $t $t r
`;
  const constants = (ilUpperBug: boolean) =>
    assemble(source.replace('il"5"', 'il"81985529216486895"'), { ilUpperBug }).program.constants;

  expect(constants(false)[0]).not.toHaveProperty('lowerOnly');
  expect(constants(true)[0]).toMatchObject({ lowerOnly: true });
  const low = (ilUpperBug: boolean) => {
    const lib = library(source.replace('il"5"', 'il"81985529216486895"'), {}, { ilUpperBug });
    lib.init();
    lib.sendIParticle([{ a: 0 }]);
    lib.run(1);
    return (lib.getResult()[0] as { r: bigint }).r;
  };
  expect(low(false)).toBe(81985529216486895n);
  expect(low(true)).toBe(81985529216486895n & 0xf_ffff_ffffn);
});

test('C16: i particles after table data need their conversion registered, unless it registers itself', () => {
  const codes = [false, true].map((autoRegister) => {
    const lib = library(sum, { compat: { autoRegister } });
    lib.init();
    lib.sendHltData(1, { t: [1, 2, 3, 4] });
    return lib.sendIParticle([{ x: 1, y: 1 }]);
  });

  expect(codes).toEqual([-3, 0]);
});

test('C17: fetching results leaves external memory as it is, or destroys it', () => {
  const second = [false, true].map((emClobber) => {
    const lib = library(sum, { compat: { emClobber } });
    lib.init();
    lib.sendJParticle({ b: 10 }, 0);
    lib.sendIParticle([{ x: 1, y: 0 }]);
    lib.run(1);
    lib.getResult();
    lib.run(1);
    return lib.getResult()[0];
  });

  expect(second).toEqual([{ r: 11 }, { r: 1 }]);
});

test('the policy of rounding decides whether a result for a short and a long place is rounded', () => {
  const source =
    'fadd $lr0v $lr8v $lr16v $r30v\nfadd $lr0v $lr8v $r30v $lr16v\nfadd $lr0v $lr8v $r30v $r34v\n';
  const rounds = (roundPolicy: 'anyShort' | 'first' | 'allShort') =>
    assemble(source, { roundPolicy }).program.sections.preamble.map(
      (item) => item.kind === 'slot' && item.add?.unit === 'fadd' && item.add.round,
    );

  expect(rounds('anyShort')).toEqual([true, true, true]);
  expect(rounds('first')).toEqual([false, true, true]);
  expect(rounds('allShort')).toEqual([false, false, true]);
});

test('what a call may not do has its code', () => {
  const lib = library(sum, {});

  expect(lib.sendIParticle([])).toBe(-1);
  lib.init();
  expect(lib.sendIParticle([{}, {}, {}, {}, {}])).toBe(-2);
  expect(lib.sendJParticle({ b: 0 }, -1)).toBe(-2);
  expect(lib.sendEltData(7, {})).toBe(-2);
  expect(lib.sendHltData(1, { t: [0, 0, 0, 0] }, 3)).toBe(-2);
  expect(lib.run(-1)).toBe(-2);
  expect(lib.type2Run(1, [])).toBe(-2);
});

const pump = `bvar long x elt flt64to72
bvar vector long y
evar xs 0 4
loop body
idp xs 0
nop 3
rrn fadd x 1 flt72to64
nop 4
`;

test.each([
  ['X_EM_RANGE', 3, undefined, 'record 5 of region 0, which has 4'],
  ['X_TOO_MANY_PASSES', 2, 1, '2 passes send 2 values, there is room for 1'],
])('%s ends a run of type II with code -4', (code, passes, length, why) => {
  const lib = new GrapeLibrary(assemble(pump, { type: 2 }).program, { nBB: 2, nPE: 1 });
  lib.init();
  for (let at = 0; at < 4; at++) lib.sendEltData(0, { x: at }, at);

  expect(lib.type2Run(passes, [], length)).toBe(-4);
  expect(lib.simulation.outcome.violations[0]).toMatchObject({ why: `${code}: ${why}` });
});

test('X_PORT_BUSY is a fault, or the slot waits', () => {
  const hasty = pump.replace('nop 3\n', '');
  const codes = (['fault', 'stall'] as const).map((portPolicy) => {
    const lib = new GrapeLibrary(assemble(hasty, { type: 2 }).program, { nBB: 2, nPE: 1, portPolicy });
    lib.init();
    for (let at = 0; at < 2; at++) lib.sendEltData(0, { x: at + 1 }, at);
    const out: (number | bigint)[] = [];
    return [lib.type2Run(1, out), out];
  });

  expect(codes).toEqual([
    [-4, []],
    [0, [3]],
  ]);
});
