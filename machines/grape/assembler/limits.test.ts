import { expect, test } from 'vitest';
import { type AssemblyOptions, assemble } from './assemble.ts';
import { AssemblyError } from './diagnostics.ts';

function said(source: string, options?: AssemblyOptions): string {
  try {
    assemble(source, options);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof AssemblyError)) throw error;
    return error.diagnostic.code;
  }
}

/** The last that is legal and the first that is not (GRAPE specification 1, 3.3, 3.4): registers 64 short words, local memory 512, broadcast memory 2,048. */
test.each([
  ['fadd $t $r63', 'fadd $t $r64', 'E_RANGE'],
  ['fadd $t $r60v', 'fadd $t $r61v', 'E_RANGE'],
  ['fadd $t $lr62', 'fadd $t $lr64', 'E_RANGE'],
  ['fadd $t $lr56v', 'fadd $t $lr58v', 'E_RANGE'],
  ['fadd $t $m511', 'fadd $t $m512', 'E_RANGE'],
  ['fadd $t $lm510', 'fadd $t $lm512', 'E_RANGE'],
  ['fadd $t $m508v', 'fadd $t $m509v', 'E_RANGE'],
  ['fadd $t $m505v2', 'fadd $t $m506v2', 'E_RANGE'],
  ['fadd $t $lm504v', 'fadd $t $lm506v', 'E_RANGE'],
  ['fadd $t $lm498v2', 'fadd $t $lm500v2', 'E_RANGE'],
  // A stride of 0 stays where it is.
  ['fadd $t $m511v0', 'fadd $t $m512v0', 'E_RANGE'],
  // Fewer elements reach less far.
  ['vlen 1\nfadd $t $r63v', 'vlen 1\nfadd $t $r64v', 'E_RANGE'],
  ['vlen 2\nfadd $t $lr60v', 'vlen 2\nfadd $t $lr62v', 'E_RANGE'],
  ['vlen 3\nfadd $t $m509v', 'vlen 3\nfadd $t $m510v', 'E_RANGE'],
  ['bm $r0v $b2044 0', 'bm $r0v $b2045 0', 'E_RANGE'],
  ['bm $lr0v $lb2040 0', 'bm $lr0v $lb2042 0', 'E_RANGE'],
  ['vlen 1\nbm $lr0v $lb2046 0', 'vlen 1\nbm $lr0v $lb2048 0', 'E_RANGE'],
  ['var vector long x\nfadd $t x[3]', 'var vector long x\nfadd $t x[4]', 'E_RANGE'],
  ['fadd $t $lr2v', 'fadd $t $lr1v', 'E_ALIGN'],
  ['var long x 510', 'var long x 512', 'E_OVERFLOW'],
  ['var short x 511', 'var short x 512', 'E_OVERFLOW'],
  ['var vector long x 504', 'var vector long x 506', 'E_OVERFLOW'],
  ['bvar long x 2046', 'bvar long x 2048', 'E_OVERFLOW'],
  ['vlen 4', 'vlen 5', 'E_VLEN'],
  ['vlen 1', 'vlen 0', 'E_VLEN'],
  ['mi 7', 'mi 8', 'E_MASK'],
  ['uimm fffffffff $t', 'uimm 1000000000 $t', 'E_IMM_RANGE'],
  ['uand $t h"fffffffff"', 'uand $t h"1000000000"', 'E_CONST_RANGE'],
])('%j is legal, %j is %s', (legal, refused, code) => {
  expect([said(legal), said(refused)]).toEqual(['nothing', code]);
});
