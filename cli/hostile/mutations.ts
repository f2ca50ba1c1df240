import type { Draw } from './draw.ts';

/** Values that a reader may not expect where it finds them. */
const values = [
  '-1',
  '0',
  '1.5',
  '1e308',
  '-1e308',
  '9007199254740991',
  '9007199254740993',
  '4294967296',
  '.inf',
  '.nan',
  'NaN',
  'Infinity',
  'null',
  '~',
  'true',
  '""',
  '"x"',
  '[]',
  '{}',
  '[[]]',
  '{ a: 1 }',
  '[1, 2, 3, 4, 5, 6, 7, 8, 9]',
  '"\\u0000"',
  '*a',
  '&a b',
  '!!binary x',
  '<<',
  '---',
  '"__proto__"',
  'constructor',
  '0x10',
  '1_000',
  '2001-01-01',
  "''",
  '"',
  '}',
  ']',
  ':',
  '- ',
  '#',
  '%',
  '\t',
  '\u2028',
  '\u{1f600}',
  '1e-7',
  '-0',
  '007',
  '99999999999999999999',
];

/** Ways to damage a text. Each takes any text and gives one that may be any. */
const ways: readonly ((text: Buffer, draw: Draw) => Buffer)[] = [
  function flipBit(text, draw) {
    const changed = Buffer.from(text);
    if (changed.length > 0) changed[draw.below(changed.length)]! ^= 1 << draw.below(8);
    return changed;
  },
  function replaceByte(text, draw) {
    const changed = Buffer.from(text);
    if (changed.length > 0) changed[draw.below(changed.length)] = draw.below(256);
    return changed;
  },
  function remove(text, draw) {
    const start = draw.below(text.length);
    return Buffer.concat([text.subarray(0, start), text.subarray(start + 1 + draw.below(30))]);
  },
  function repeat(text, draw) {
    const start = draw.below(text.length);
    const piece = text.subarray(start, start + 1 + draw.below(60));
    const times = draw.of([1, 1, 2, 50, 2000]);
    return Buffer.concat([
      text.subarray(0, start),
      ...Array.from({ length: times }, () => piece),
      text.subarray(start),
    ]);
  },
  function cut(text, draw) {
    return text.subarray(0, draw.below(text.length));
  },
  function insert(text, draw) {
    const start = draw.below(text.length);
    return Buffer.concat([text.subarray(0, start), Buffer.from(draw.of(values)), text.subarray(start)]);
  },
  changeNumber,
  changeNumber,
  changeNumber,
  changeWord,
  changeWord,
  function swapWords(text, draw) {
    const words = wordsIn(text, /[A-Za-z_][\w.-]*|\d+/g);
    return words.length < 2 ? text : replaced(text, draw.of(words), draw.of(words)[0]);
  },
  function removeLine(text, draw) {
    const lines = text.toString('latin1').split('\n');
    lines.splice(draw.below(lines.length), 1 + draw.below(2));
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  function swapLines(text, draw) {
    const lines = text.toString('latin1').split('\n');
    const [one, other] = [draw.below(lines.length), draw.below(lines.length)];
    [lines[one], lines[other]] = [lines[other]!, lines[one]!];
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  function nest(text, draw) {
    const start = draw.below(text.length);
    const deep = draw.of(['[', '{"a":', '(', '- ', '{ a: ', '<%= ']).repeat(draw.of([20, 200, 50_000]));
    return Buffer.concat([text.subarray(0, start), Buffer.from(deep), text.subarray(start)]);
  },
  function nothing() {
    return Buffer.alloc(0);
  },
  function nonsense(_text, draw) {
    return Buffer.from(Array.from({ length: draw.below(300) }, () => draw.below(256)));
  },
  function nulEverywhere(text) {
    return Buffer.from(text.toString('latin1').replaceAll(' ', '\0'), 'latin1');
  },
  function otherLineEnds(text) {
    return Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  },
  function mark(text) {
    return Buffer.concat([Buffer.from('\ufeff'), text]);
  },
  function longLine(text, draw) {
    const start = draw.below(text.length);
    return Buffer.concat([
      text.subarray(0, start),
      Buffer.alloc(200_000, draw.of(['a', '9', ' '])),
      text.subarray(start),
    ]);
  },
];

function changeNumber(text: Buffer, draw: Draw): Buffer {
  const numbers = wordsIn(text, /-?\d+(?:\.\d+)?/g);
  return numbers.length === 0 ? text : replaced(text, draw.of(numbers), draw.of(values));
}

function changeWord(text: Buffer, draw: Draw): Buffer {
  const words = wordsIn(text, /[A-Za-z_][\w.-]*/g);
  return words.length === 0
    ? text
    : replaced(text, draw.of(words), draw.of([...values, 'a'.repeat(300), 'toString']));
}

const wordsIn = (text: Buffer, pattern: RegExp): readonly RegExpMatchArray[] =>
  // What is large is damaged at its beginning.
  [...text.toString('latin1', 0, 100_000).matchAll(pattern)];

function replaced(text: Buffer, word: RegExpMatchArray, by: string): Buffer {
  const start = word.index ?? 0;
  return Buffer.concat([text.subarray(0, start), Buffer.from(by), text.subarray(start + word[0].length)]);
}

/** A damaged text, and in which ways. */
export function damaged(text: Buffer, draw: Draw): { readonly text: Buffer; readonly how: string } {
  const count = draw.of([1, 1, 1, 2, 3]);
  let changed = text;
  const how: string[] = [];
  for (let at = 0; at < count; at++) {
    const way = draw.of(ways);
    changed = way(changed, draw);
    how.push(way.name);
  }
  return { text: changed, how: how.join(' ') };
}
