import { describe, expect, test } from 'vitest';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { imageOf } from '../../machines/grape/assembler/source-image.ts';
import { expandLoaded, loadMacros } from '../../machines/grape/macros/expand.ts';
import { remarkMark } from './macro-lines.arbitrary.ts';
import { macroRefusals, macroTexts } from './macro-texts.ts';
import {
  imageFault,
  macroRefusalFault,
  refusalCount,
  refusalFault,
  remarkFault,
} from './sources-keep-their-meaning.ts';

const { program } = assemble(
  'loop body\nfadd $lr0v f"1.0" $r8v $t ; fmul $t $lr4v\nbm $lr0v $lb4 1\nnop 3\n',
);

describe('macros', () => {
  test.each(macroTexts)('%s', async (ruby, text) => {
    await loadMacros();
    expect(expandLoaded(`<%= ${ruby} %>`).text).toBe(text);
  });

  test.each(macroRefusals)('%s is refused', async (ruby) => {
    await loadMacros();
    const which = macroRefusals.findIndex(([one]) => one === ruby);
    expect(macroRefusalFault('nop\nnop\n', which)).toBeUndefined();
  });

  test('another text than that of Ruby, another refusal, and none are told', async () => {
    await loadMacros();
    expect(remarkFault(`nop\n## 3${remarkMark}3\n## 4${remarkMark}5\n`)).toBe('a macro writes "4", Ruby "5"');
    expect(macroRefusalFault('nop\n<% class Integer; end %>', 0)).toContain('is refused with "2: ');
    expect(macroRefusalFault('nop\n<%#', 0)).toContain('is refused with "nothing"');
  });
});

describe('what becomes of a source', () => {
  test('every wrong line is refused with its code and place, whatever stands before it', () => {
    const region = 'bvar long own_z elt3 flt64to72\nevar own_r 3 16\n';
    for (const source of ['nop\n', 'loop body\nfadd $t $t $lr0v\n', 'vlen 2\nmi 3\nfadd $t $t $lm0v', region])
      for (let which = 0; which < refusalCount; which++)
        expect(refusalFault(source, which, { type: 2 })).toBeUndefined();
  });

  test('a line that is refused for another reason, or at another place, is told', () => {
    const taken = Array.from({ length: refusalCount }, (_, which) =>
      refusalFault('var long own_x\n', which, { type: 2 }),
    );

    expect(taken).toContain(
      '"var long own_x\nbvar long own_x" is refused as E_REDEF at 7:10, not as E_REDEF at 8:11',
    );
  });

  test('flags of a reduction in any order are the same', () => {
    const sums = assemble('bvar long own_a\nloop body\nrrn faddOAB own_a flt72to64\n').program;

    expect(imageFault(sums)).toBeUndefined();
  });

  test('an image with another bit that means something is told, or cannot be read; each word has some', () => {
    expect(imageFault(program)).toBeUndefined();
    const sections = imageOf(program);
    const words = sections.flat();
    const isTold = (at: number, bit: number): boolean => {
      const changed = words.map((one, k) => (k === at ? (one ^ (1 << bit)) >>> 0 : one));
      const image = sections.map((section) => (section.length > 0 ? changed : section));
      return attempt(() => imageFault(program, image) ?? '') !== '';
    };
    const bits = Array.from({ length: 20 }, (_, bit) => bit);
    const told = words.map((_, at) => bits.filter((bit) => isTold(at, bit)).length);

    expect(Math.min(...told)).toBeGreaterThan(0);
    expect(told.reduce((sum, one) => sum + one)).toBeGreaterThan(10 * words.length);
  });
});

const attempt = (told: () => string): string => {
  try {
    return told();
  } catch (error) {
    return String(error);
  }
};
