import type { Definition, Definitions } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import type { ValueType } from './value-type.ts';

/*
 * What is asked of the form of reals, and signs that are carried over: bits, not values (chiplet specification 7.1).
 */

const both: readonly ValueType[] = ['f32', 'f64'];

/** The size of a number, its sign left away, is compared with these: infinite, smallest normal one. */
const questions: Readonly<Record<string, string>> = {
  finite: 'size < infinite',
  infinite: 'size === infinite && rest === 0',
  number: 'size < infinite || size === infinite && rest === 0',
  notanumber: 'size > infinite || size === infinite && rest !== 0',
  // PTX counts zeros among the normal numbers.
  normal: 'size < infinite && size >= normal || (size | rest) === 0',
  subnormal: 'size < normal && (size | rest) !== 0',
};

const test: Definition = {
  words: Object.keys(questions),
  types: [both],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, form, [p, a]) => {
    const [word, ...more] = form.words;
    const question = questions[word ?? ''];
    if (question === undefined || more.length > 0) throw new UnknownForm(form.written);
    const narrow = form.types[0] === 'f32';
    const { low, high } = narrow ? { low: '0', high: writer.value(a!, 'b32') } : writer.wide(a!, 'f64');
    const limits = narrow
      ? 'infinite = 0x7f800000, normal = 0x800000'
      : 'infinite = 0x7ff00000, normal = 0x100000';
    const read = `const size = ${high} & 0x7fffffff, rest = ${low} === 0 ? 0 : 1, ${limits};`;
    return {
      run: writer.lanes(`${read} if (${question}) r |= 1 << l;`, 'let r = 0;', writer.putMask(p!, 'r')),
    };
  },
};

/** copysign d, a, b: the sign of a, the rest of b. */
const sign: Definition = {
  words: [],
  types: [both],
  operands: [3, 3],
  kind: 'lanes',
  class: ({ types: [type] }) => (type === 'f64' ? 'doubleAdd' : 'floatAdd'),
  lower: (writer, { types: [type] }, [d, a, b]) => {
    if (type === 'f32') {
      const [x, y] = [writer.value(a!, 'b32'), writer.value(b!, 'b32')];
      return { run: writer.lanes(writer.put(d!, 'b32', `${x} & -2147483648 | ${y} & 2147483647`)) };
    }
    const [x, y] = [writer.wide(a!, 'f64'), writer.wide(b!, 'f64')];
    const high = `${x.high} & -2147483648 | ${y.high} & 2147483647`;
    return {
      run: writer.lanes(
        `const low = ${y.low}, high = ${high}; ${writer.putWide(d!, 'f64', { low: 'low', high: 'high' })}`,
      ),
    };
  },
};

/** Questions and signs. */
export const realFormInstructions: Definitions = { testp: test, copysign: sign };
