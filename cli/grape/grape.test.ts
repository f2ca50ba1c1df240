import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const golden = 'properties/grape/golden';
const folder = temporaryFolder('grape');

const grape = (...words: readonly string[]) => called('grape', ...words);

const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('grape asm', () => {
  test('writes the C header, the TypeScript types and the object form of a program with macros', async () => {
    const [header, types, object] = ['mm.h', 'mm.ts', 'mm.json'].map((name) => join(folder, name));

    const { exitCode, err } = await grape(
      'asm',
      `${golden}/matmul.vsm`,
      '-g',
      '--header',
      header!,
      '--types',
      types!,
      '--object',
      object!,
    );

    expect(exitCode).toBe(0);
    expect(err).toContain('slots: loopInitialization 5, loopBody 21, loopFinalization 4');
    expect(readFileSync(header!, 'utf8')).toBe(readFileSync(`${golden}/headers/matmul_type1.h`, 'utf8'));
    expect(readFileSync(types!, 'utf8')).toContain(
      'readonly kaddr: readonly [bigint, bigint, bigint, bigint];',
    );
    expect(JSON.parse(readFileSync(object!, 'utf8'))).toMatchObject({ prefix: 'mm', type: 1 });
  });

  test('writes a C source that includes its header: beside it, or where the header was asked for', async () => {
    const [source, header] = [join(folder, 'sph-library.c'), join(folder, 'density.h')];

    await grape('asm', `${golden}/sph.vsm`, '--source', source);
    const beside = readFileSync(source, 'utf8');
    await grape('asm', `${golden}/sph.vsm`, '--source', source, '--header', header);

    expect(beside).toContain('\n#include "sph.h"\n');
    expect(readFileSync(join(folder, 'sph.h'), 'utf8')).toBe(
      readFileSync(`${golden}/headers/sph_type1.h`, 'utf8'),
    );
    expect(readFileSync(source, 'utf8')).toBe(beside.replace('"sph.h"', '"density.h"'));
  });

  test('prints a listing with addresses, slots and units', async () => {
    const { out } = await grape('asm', `${golden}/sph.vsm`, '--listing');

    expect(out).toContain('lm   58..58   const0  short 3ff000000');
    expect(out).toMatch(/^ {3}4 {2}MA {7}29 {2}fsub \$lr2 yi \$r12v ; fmul \$ti \$ti \$t$/m);
  });

  test.each([
    ['var long x\nfadd $t $q3 $t\n', ':2:9 E_OPERAND found "$q3"'],
    ['var long x\n<%= nosuch %>\n', ":2:1 E_MACRO NameError: undefined local variable or method 'nosuch'"],
    ['IDP 1 0 0 0\nnop\n', ':1:1 E_IDP_SHORT found "1 0 0 0"'],
  ])('tells of %j with its place, and exit code 2', async (source, told) => {
    const file = written('broken.vsm', source);

    const { exitCode, out, err } = await grape('asm', file);

    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(`${file}${told}`);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('takes macro variables, and refuses what is none', async () => {
    const file = written('define.vsm', '<%\nunless defined? n\nn = 1\nend\n%>vlen <%= n %>\nnop\n');

    expect((await grape('asm', file, '-e', 'n=3', '--expand')).out).toBe('\nvlen 3\nnop\n'.slice(1));
    expect((await grape('asm', file, '-e', 'n')).err).toContain('-e found "n", expected name=value');
  });
});

describe('grape asm --schedule', () => {
  const naive = 'scenarios/grape/gravity.vsm';

  test('prints the scheduled text, which has no hazards, and the figures beside it', async () => {
    const { exitCode, out, err } = await grape('asm', naive, '--schedule');
    const { err: said } = await grape('lint', written('scheduled.vsm', out));

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^prefix gravity_naive\n(.|\n)*\nloop body\nvlen 1\nbm \$lb/);
    expect(err).toContain(
      `${naive}: loopBody: 58 slots as written, 67 with nops, 61 scheduled; at least 29 by units, 53 by the longest chain\n`,
    );
    expect(said).toContain('scheduled.vsm: no hazards, no warnings\n');
  });

  test('lists the scheduled program instead when a listing is asked for', async () => {
    const { out } = await grape('asm', naive, '--schedule', '--listing');

    expect(out).toContain('loopBody: 61 slots');
    expect(out).toMatch(/ fmul \S+ \S+ \$t ; fsub /);
    expect(out).not.toContain('\nprefix gravity_naive\n');
  });

  test('says where a product has nobody to hand it on', async () => {
    const file = written(
      'feedback.vsm',
      'fmul $lr0v $lr0v\nupassa $lr8v $lr8v $lr0v\nprint 0 0 h $t\nfadd $fb $lr0v $t\n',
    );

    const { exitCode, err } = await grape('asm', file, '--schedule');

    expect(exitCode).toBe(2);
    expect(err).toContain(`${file}:4:1 E_SCHED_FEEDBACK $fb names a product`);
  });
});

test('grape disasm prints text that assembles to the same program', async () => {
  const { out } = await grape('disasm', `${golden}/sph.vsm`);
  const again = await grape('disasm', written('again.vsm', out));

  expect(out).toContain('fmul $ti $lm24v $t');
  expect(again.out).toBe(out);
});

test('grape lint finds hazards and ends with exit code 1', async () => {
  const file = written('hazard.vsm', 'uxor $lr0v $lr0v $t\nuadd $t $lr0v $t\n');

  const { exitCode, err } = await grape('lint', file);
  const clean = await grape('lint', `${golden}/sph.vsm`);

  expect(exitCode).toBe(1);
  expect(err).toBe(
    `${file}:2:1 H_T_STALE found "$t": $t is read right after a slot that wrote it: the old value; read $ti, or put a slot between them\n`,
  );
  expect(clean).toMatchObject({ exitCode: 0, err: `${golden}/sph.vsm: no hazards, no warnings\n` });
});

describe('bad text', () => {
  test.each([
    ['var long x\nfad x x x\n', 'help: line 2 is: fad x x x\n'],
    ['nop\n<%= 1 + nil %>\n', 'help: line 2 is: <%= 1 + nil %>\n'],
    [
      '<% 2.times do %>\nfmul $r1 $q2 $t\n<% end %>',
      'help: line 2 is: fmul $r1 $q2 $t; it counts after macro expansion',
    ],
  ])('%j is told of with its line', async (text, help) => {
    const { exitCode, err } = await grape('asm', written('bad.vsm', text));

    expect(exitCode).toBe(2);
    expect(err).toContain(help);
  });
});

describe('grape run', () => {
  test('runs a program alone and prints what it shows', async () => {
    const { exitCode, out } = await grape('run', `${golden}/rsqrt3.vsm`);

    expect(exitCode).toBe(0);
    expect(out).toContain(
      'print L65 result: 1 0.3535533845424652 9.999999974752427e-7 1.000000018415012e-75\n',
    );
  });

  test('has constants in their places before the first slot', async () => {
    const file = written('first.vsm', 'vlen 4\nuadd $lr8v il"4" $lr0v\nnop\nprint 0 0 i $lr0v\n');

    expect((await grape('lint', file)).exitCode).toBe(0);
    expect((await grape('run', file)).out).toBe('print L4 $lr0v: 4 4 4 4\n');
  });

  test('tells of a line that shows what the chip does not have', async () => {
    const file = written('shown.vsm', 'print 9 0 i $lr0\n');

    const { exitCode, err } = await grape('run', file);

    expect(exitCode).toBe(2);
    expect(err).toContain('shown.vsm: line 1 shows PE 0 of block 9, the chip has 2 of 2 PEs');
  });

  test('runs a program on the data of a case', async () => {
    const { out } = await grape(
      'run',
      `${golden}/sph.vsm`,
      '--case',
      `${golden}/sph.expected.json`,
      '--json',
    );
    const { calls, result } = JSON.parse(out);

    // 4 slots before, 20 passes of 19, 3 after them; the first records come in 1 + 2 x 4 + 4 cycles, in whole slots.
    expect(calls.find(({ call }: { call: string }) => call === 'run').cycles).toBe(
      4 * (4 + 20 * 19 + 3) + 16,
    );
    expect(result[0]).toEqual({ rho: 3.0479555876776434, nnb: '13', wmax: 0.8578919776582445 });
  });

  test('runs a program for functional mode on the machine when it is scheduled', async () => {
    const file = written(
      'seed.vsm',
      'bvar vector long p\nvar vector long a\nIDP p\nFLT 1\nFLT 2\nFLT 3\nFLT 4\nbm p a\nfmul a a $t\nfadd $t a a\nprint 0 0 f a\n',
    );

    const functional = await grape('run', file, '--mode', 'functional');
    const early = await grape('run', file);
    const scheduled = await grape('run', file, '--schedule', '--strict-hazards');

    expect(functional.out).toContain(': 2 6 12 20\n');
    expect(early.out).not.toContain(': 2 6 12 20\n');
    expect(scheduled.out).toContain(': 2 6 12 20\n');
    expect(scheduled.err).toContain('preamble: 3 slots as written, 4 with nops, 4 scheduled');
    expect(scheduled.err).not.toContain('H_');
  });

  test.each(['1.5', '-0.25'])('refuses a case that has %s where an integer belongs', async (value) => {
    const source = 'prefix p\nvar vector long a hlt fix64to72l\nbvar long b elt flt64to72\nuadd a a $t\n';
    const file = written('fraction.case.json', `{ "i": [{ "a": ${value} }], "j": [] }\n`);

    for (const mode of [[], ['--mode', 'functional']]) {
      const vsm = written('fraction.vsm', source);
      const { exitCode, err } = await grape('run', vsm, '--case', file, ...mode);

      expect(exitCode).toBe(2);
      expect(err).toContain(`${file}: found ${value} for a member of type int64, expected a whole number`);
    }
  });

  test.each([
    ['parentheses', `<%= ${'('.repeat(100_000)}1${')'.repeat(100_000)} %>\n`],
    ['lists that are not closed', `<%= ${'['.repeat(100_000)} %>\n`],
    ['a sum of very many numbers', `<%= ${'1+'.repeat(100_000)}1 %>\n`],
  ])('refuses macros with %s, which the parser cannot follow', async (_what, text) => {
    const file = written('deep.vsm', text);

    const { exitCode, err } = await grape('run', file);

    expect(exitCode).toBe(2);
    expect(err).toContain(`${file}:1:1 E_MACRO SyntaxError: found Ruby that is nested too deep`);
    // The line is shown, and not all of it.
    expect(err.length).toBeLessThan(1_000);
  });

  test('says where a case is wrong', async () => {
    const file = written('case.json', '{\n  "config": { "nBB": 0 }\n}\n');

    const { exitCode, err } = await grape('run', `${golden}/sph.vsm`, '--case', file);

    expect(exitCode).toBe(2);
    expect(err).toContain(`${file}:2:22 SCN013 config.nBB: found 0`);
  });
});

test('run judges and shows integers of 64 bits, and what is no number', async () => {
  const file = written(
    'values.yaml',
    `name: values
machine: grape
config: { nBB: 1, nPE: 1 }
programs:
  source: |
    var vector long a hlt fix64to72ru
    var vector long q rrn fix72to64r 0
    var vector long r rrn flt72to64 0
    bvar long j elt flt64to72
    loop initialization
    upassa a a q
    upassa a a $t
    nop 2
    ulsl $t il"60" r
    loop body
    nop
  host:
    - { call: init }
    - { call: sendIParticle, particles: [ { a: "9007199254740993" }, { a: 2047 }, { a: 4095 } ] }
    - { call: run, n: 0 }
    - { call: getResult }
`,
  );
  const { exitCode, out } = await called('run', file, '--json');
  const told = JSON.parse(out);

  expect([exitCode, told.verdict]).toEqual([0, 'ok']);
  expect(told.result.results[0][0].q).toBe('9007199254740993');
  expect([1, 2].map((particle) => told.result.results[0][particle].r)).toEqual(['Infinity', '-Infinity']);
});
