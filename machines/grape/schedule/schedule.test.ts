import { describe, expect, test } from 'vitest';
import type { SectionName } from '../../../actors/grape/program.ts';
import { assemble } from '../assembler/assemble.ts';
import { disassemble } from '../assembler/disassemble.ts';
import { hazardsOf } from '../assembler/hazards.ts';
import { Chip } from '../chip.ts';
import { schedule } from './schedule.ts';

const declared = 'var vector long a\nvar vector long b\nbvar vector long p\n';

/** The scheduled lines of code of a source, without declarations. */
function linesOf(code: string): string[] {
  const { program } = schedule(assemble(declared + code, { legacy: true }).program);
  expect(hazardsOf(program.sections)).toEqual([]);
  return disassemble(program)
    .split('\n')
    .filter((line) => line !== '' && !/^b?var /.test(line));
}

const figuresOf = (code: string, section: SectionName = 'preamble') =>
  schedule(assemble(declared + code).program).figures[section];

describe('what the next slot needs is handed on, or waited for (GRAPE specification 4.2)', () => {
  test.each([
    [
      '$t right behind its unit is $ti',
      'fmul $lr0v $lr0v $t\nfadd $t $lr8v $lr16v\n',
      ['fmul $lr0v $lr0v $t', 'fadd $ti $lr8v $lr16v'],
    ],
    [
      'a long register is $ti when T has it too',
      'fmul $lr0v $lr0v $lr8v $t\nfadd $lr8v $lr0v $lr16v\n',
      ['fmul $lr0v $lr0v $lr8v $t', 'fadd $ti $lr0v $lr16v'],
    ],
    [
      'a short register is not, since T keeps more of the word',
      'uadd $lr0v $lr0v $r8v $t\nfadd $r8v $lr0v $lr16v\n',
      ['uadd $lr0v $lr0v $r8v $t', 'nop', 'fadd $r8v $lr0v $lr16v'],
    ],
    [
      'a long register that another target crosses is not',
      'fmul $lr0v $lr0v $lr10 $lr8v $t\nfadd $lr8v $lr0v $lr16v\n',
      ['fmul $lr0v $lr0v $lr10 $lr8v $t', 'nop', 'fadd $lr8v $lr0v $lr16v'],
    ],
    [
      'a long register is not when T has the word of another unit',
      'fmul $lr0v $lr0v $lr8v $t ; uadd $lr0v $lr0v $t\nfadd $lr8v $lr0v $lr16v\n',
      ['fmul $lr0v $lr0v $lr8v $t ; uadd $lr0v $lr0v $t', 'nop', 'fadd $lr8v $lr0v $lr16v'],
    ],
    [
      'what a mask may have kept in T is waited for',
      'mi 1\nfmul $lr0v $lr0v $t\nmi 0\nfadd $t $lr8v $lr16v\n',
      ['mi 1', 'fmul $lr0v $lr0v $t', 'nop', 'mi 0', 'fadd $t $lr8v $lr16v'],
    ],
    [
      'what a transfer brings to T is waited for',
      'bm p $t\nfadd $t $lr8v $lr16v\n',
      ['bm $lb0v $t', 'nop', 'fadd $t $lr8v $lr16v'],
    ],
    [
      'more elements than were made are waited for',
      'vlen 2\nfmul $lr0v $lr0v $t\nvlen 4\nfadd $t $lr8v $lr16v\n',
      ['vlen 2', 'fmul $lr0v $lr0v $t', 'nop', 'vlen 4', 'fadd $t $lr8v $lr16v'],
    ],
    [
      'an address in T is waited for',
      'uadd $lr0v $lr8v $t\nuadd $lt $lr8v $lr16v\n',
      ['uadd $lr0v $lr8v $t', 'nop', 'uadd $lt $lr8v $lr16v'],
    ],
    [
      'a mask is waited for',
      'moi 1\nuand $lr0v $lr8v\nmi 1\nfmul $lr0v $lr0v $lr16v\n',
      ['moi 1', 'uand $lr0v $lr8v', 'nop', 'mi 1', 'fmul $lr0v $lr0v $lr16v'],
    ],
    [
      'local memory rests behind a write, wherever it was',
      'fmul $lr0v $lr0v a\nfmul b $lr0v a\n',
      ['fmul $lr0v $lr0v $lm0v', 'nop', 'fmul $lm8v $lr0v $lm0v'],
    ],
    [
      'broadcast memory rests behind a write, wherever it was',
      'bm $lr0v p 0\nbm $lb32v $lr0v\n',
      ['bm $lr0v $lb0v 0', 'nop', 'bm $lb32v $lr0v'],
    ],
  ])('%s', (_, code, expected) => {
    expect(linesOf(code)).toEqual(expected);
  });
});

describe('the ports of a slot (GRAPE specification 3.5)', () => {
  test.each([
    [
      'multiplier, adder and transfer share a slot',
      'fmul $lr0v $lr8v $t\nfadd a $lr0v $lr16v\nbm p a\n',
      ['fmul $lr0v $lr8v $t ; fadd $lm0v $lr0v $lr16v ; bm $lb0v $lm0v'],
    ],
    [
      'but not for three registers',
      'fmul $lr0v $lr8v $t\nfadd $lr0v $lr16v $lr24v\n',
      ['fmul $lr0v $lr8v $t', 'fadd $lr0v $lr16v $lr24v'],
    ],
    [
      'nor for two words of local memory',
      'fmul a $lr8v $t\nfadd b $lr8v $lr24v\n',
      ['fmul $lm0v $lr8v $t', 'fadd $lm8v $lr8v $lr24v'],
    ],
    [
      'nor to write two words of one memory',
      'fmul $lr0v $lr8v $lr16v\nfadd $lr0v $lr8v $lr24v\n',
      ['fmul $lr0v $lr8v $lr16v', 'fadd $lr0v $lr8v $lr24v'],
    ],
    [
      'nor under two masks',
      'fmul $lr0v $lr8v $lr16v\nmi 1\nfadd $lr0v $lr8v a\n',
      ['fmul $lr0v $lr8v $lr16v', 'mi 1', 'fadd $lr0v $lr8v $lm0v'],
    ],
    ['nor beside imm', 'uimm 1 $lr0v\nfmul $lr8v $lr8v $t\n', ['uimm 1 $lr0v', 'fmul $lr8v $lr8v $t']],
    [
      'a transfer out of a register goes beside an adder that reads it',
      'fadd $lr0v $lr8v $t\nbm $lr0v p 0\n',
      ['fadd $lr0v $lr8v $t ; bm $lr0v $lb0v 0'],
    ],
    [
      'and beside no other',
      'fadd $lr8v $lr8v $t\nbm $lr0v p 0\n',
      ['fadd $lr8v $lr8v $t', 'bm $lr0v $lb0v 0'],
    ],
  ])('%s', (_, code, expected) => {
    expect(linesOf(code)).toEqual(expected);
  });

  test('two operations that exchange registers stay in their slot', () => {
    expect(linesOf('fmul $lr0v $lr0v $lr8v ; uadd $lr8v $lr8v $lr0v\n')).toEqual([
      'fmul $lr0v $lr0v $lr8v ; uadd $lr8v $lr8v $lr0v',
    ]);
  });
});

describe('the product that $fb names', () => {
  test('is read in the slot behind the multiplication, whatever else is done', () => {
    expect(linesOf('dmul0 $lr0v $lr8v $t\nnop\ndmul1 $lr0v $lr8v\nnop 3\nfaddAB $fb $t $lr16v\n')).toEqual([
      'dmul0 $lr0v $lr8v $t',
      'dmul1 $lr0v $lr8v',
      'faddAB $fb $t $lr16v',
    ]);
  });

  test('is read where it was written to when two lines name it', () => {
    expect(linesOf('fmul $lr0v $lr8v $t\nfadd $fb $lr0v $lr16v\nfadd $fb $lr8v $lr24v\n')).toEqual([
      'fmul $lr0v $lr8v $t',
      'fadd $ti $lr0v $lr16v',
      'fadd $t $lr8v $lr24v',
    ]);
  });

  test('is worked out again when two lines name it and it went nowhere', () => {
    expect(linesOf('fmul $lr0v $lr8v\nfadd $fb $lr0v $lr16v\nfadd $fb $lr8v $lr24v\n')).toEqual([
      'fmul $lr0v $lr8v',
      'fmul $lr0v $lr8v ; fadd $fb $lr0v $lr16v',
      'fadd $fb $lr8v $lr24v',
    ]);
  });

  test('is worked out again behind a line of the simulator, and where local memory must rest between', () => {
    expect(linesOf('fmul $lr0v $lr8v\nprint 0 0 h a\nfadd $fb $lr0v $lr16v\n').slice(-2)).toEqual([
      'fmul $lr0v $lr8v',
      'fadd $fb $lr0v $lr16v',
    ]);
    expect(linesOf('fmul $lr0v $lr8v a\nfadd $fb b $lr16v\n')).toEqual([
      'fmul $lr0v $lr8v',
      'fmul $lr0v $lr8v $lm0v ; fadd $fb $lm8v $lr16v',
    ]);
  });

  test.each([
    ['what it is made of has changed', 'fmul $lr0v $lr8v\nfadd $fb $lr0v $lr0v\nfadd $fb $lr8v b\n', 6],
    ['its own slot changed it', 'fmul $t $lr8v ; bm p $t\nnop\nprint 0 0 h a\nfadd $fb $lr8v b\n', 7],
    ['it has fewer elements', 'vlen 2\nfmul $lr0v $lr8v $t\nvlen 4\nfadd $fb $lr0v a\n', 7],
    ['there is none', 'fadd $fb $lr0v a\n', 4],
  ])('has no schedule when %s', (_, code, line) => {
    expect(() => linesOf(code)).toThrow(
      expect.objectContaining({ code: 'E_SCHED_FEEDBACK', line, message: expect.stringContaining('$fb') }),
    );
  });
});

test.each([
  ['a transfer of PEs', 'bm $r0v p 0 ; idp 0 1'],
  ['a transfer to PEs', 'bm p $lr0v ; idp 0 1'],
  ['a reduction', 'rrn fadd p flt72to64 ; idp 0 1'],
])('idp in one slot with %s has no schedule, which is not said to be for a $fb', (_, slot) => {
  const source = `bvar long p elt flt64to72\nevar e 0 100\n${slot}\n`;

  expect(() => schedule(assemble(source).program)).toThrow(
    expect.objectContaining({ code: 'E_SCHED_PORTS', line: 3, message: expect.not.stringContaining('$fb') }),
  );
});

describe('simulator lines and sections', () => {
  test('what stands before a line of the simulator is done before it, and what stands behind it, behind', () => {
    expect(linesOf('fmul $lr0v $lr0v $t\nprint 0 0 h $t\nfadd $lr8v $lr0v a\n')).toEqual([
      'fmul $lr0v $lr0v $t',
      'print 0 0 h $t',
      'fadd $lr8v $lr0v $lm0v',
    ]);
  });

  test('a packet waits for the transfer before it, which it would otherwise come before', () => {
    const lines = linesOf('bm $lr0v p 0\nIDP 1 0 0 0\nHEX 1\nprint 0 0 h p\n');

    expect(lines).toEqual([
      'bm $lr0v $lb0v 0',
      'nop',
      'IDP 1 0 0 0',
      'HEX 000000000000000001',
      'print 0 0 h p',
    ]);
  });

  test('a loop that reads at its beginning what its end wrote waits a slot', () => {
    expect(linesOf('loop body\nfmul a $lr0v $lr8v\nfadd $lr8v $lr8v a\n')).toEqual([
      'loop body',
      'fmul $lm0v $lr0v $lr8v',
      'nop',
      'fadd $lr8v $lr8v $lm0v',
      'nop',
    ]);
  });

  test('a section waits for the last slot of the one before, and for that before a loop that is not run', () => {
    const code =
      'loop initialization\nfmul $lr0v $lr0v $lr8v\nloop body\nfmul $lr0v $lr0v $lr16v\nloop finalization\nfadd $lr8v $lr0v a\n';

    expect(linesOf(code)).toEqual([
      'loop initialization',
      'fmul $lr0v $lr0v $lr8v',
      'nop',
      'loop body',
      'fmul $lr0v $lr0v $lr16v',
      'loop finalization',
      'fadd $lr8v $lr0v $lm0v',
    ]);
  });

  test('transfers through the ports keep their distances', () => {
    const table = 'bvar long j elt flt64to72\nevar js 0 8\nloop body\n';
    const lines = linesOf(
      `${table}idp js 1\nnop 5\nbm j $lr0v\nfmul $lr0v $lr0v $lr8v\nbm $lr8v p 0\nnop 2\nrrn fadd p flt72to64\nnop 4\n`,
    );

    expect(lines.slice(1)).toEqual([
      'loop body',
      'idp js 1 -1',
      'nop 5',
      'bm $lb8v $lr0v',
      'nop',
      'fmul $lr0v $lr0v $lr8v',
      'nop',
      'bm $lr8v $lb0v 0',
      'nop',
      'rrn fadd $lb0v 4 flt72to64',
      'nop 4',
    ]);
  });
});

test('transfers through the ports keep their distances also where something before them takes longer', () => {
  const table = 'bvar long j elt flt64to72\nevar js 0 8\nloop body\n';
  const lines = linesOf(`${table}fmul $lr0v $lr0v $lr8v\nbm $lr8v p 0\nidp js 1\nnop 2\nbm j $lr16v\n`);

  expect(lines.slice(2)).toEqual([
    'fmul $lr0v $lr0v $lr8v',
    'nop',
    'bm $lr8v $lb0v 0',
    'nop',
    'idp js 1 -1',
    'nop 2',
    'bm $lb8v $lr16v',
  ]);
});

test('of equally short orders that of the text stays', () => {
  expect(linesOf('fadd $lr0v $lr8v a\nfmul $lr24v $lr24v $t\nfmul $t $t b\n')).toEqual([
    'fadd $lr0v $lr8v $lm0v',
    'fmul $lr24v $lr24v $t',
    'fmul $ti $ti $lm8v',
  ]);
});

describe('figures', () => {
  test('tell the slots as written, with nops, scheduled, and the least', () => {
    const code = 'fmul $lr0v $lr0v $lr8v\nnop\nfmul $lr8v $lr0v $lr8v\nfadd a $lr16v b\nfadd a $lr24v $t\n';

    expect(figuresOf(code)).toEqual({
      written: 5,
      withNops: 6,
      scheduled: 3,
      bounds: { units: 2, path: 3 },
    });
  });

  test('count imm as a slot of its own', () => {
    expect(figuresOf('uimm 1 $lr0v\nuimm 2 $lr8v\nfmul $lr16v $lr16v $t\n').bounds.units).toBe(3);
  });

  test('say when nops alone do not help', () => {
    const code = 'fmul $lr0v $lr0v ; fadd $lr0v $lr8v $lr16v\nfadd $fb $lr16v a\n';

    expect(figuresOf(code)).toMatchObject({ withNops: undefined, scheduled: 3 });
  });
});

test('a scheduled program keeps its variables, its constants and their places', () => {
  const { program } = assemble(`${declared}fadd f"1" $lr0v $t\nfmul f"2" $t $t\nfadd f"3" $t a\n`);

  const { program: found } = schedule(program);

  expect({ ...found, sections: {} }).toEqual({ ...program, sections: {} });
  const chip = new Chip(found);
  chip.loadConstants();
  expect(() => chip.runSection('preamble')).not.toThrow();
});
