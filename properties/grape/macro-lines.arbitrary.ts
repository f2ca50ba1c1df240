import fc from 'fast-check';
import { macroTexts } from './macro-texts.ts';

/*
 * Lines with macros that say themselves what they come to: `FIX <%= 2 * 21 %> # = FIX 42`. The text behind `# = ` is worked out here, by
 * JavaScript, so that a plain reader of sources needs no Ruby.
 */

const floor = (a: number, b: number): number => Math.floor(a / b);
const modulo = (a: number, b: number): number => a - b * floor(a, b);
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);

/** A Ruby text for an integer of a, b, c (-20..20, 1..9, 0..30), what it comes to, and what must stand before it. */
interface Phrase {
  readonly ruby: string;
  readonly value: number | bigint | string;
  readonly before?: string;
}

type Make = (a: number, b: number, c: number) => Phrase;
const expression =
  (
    ruby: (a: number, b: number, c: number) => string,
    value: (a: number, b: number, c: number) => Phrase['value'],
  ): Make =>
  (a, b, c) => ({ ruby: ruby(a, b, c), value: value(a, b, c) });
const statements =
  (
    before: (a: number, b: number, c: number) => string,
    value: (a: number, b: number, c: number) => Phrase['value'],
  ): Make =>
  (a, b, c) => ({ before: before(a, b, c), ruby: 'result', value: value(a, b, c) });

const phrases: readonly Make[] = [
  expression(
    (a, b, c) => `${a} + ${b} * ${c}`,
    (a, b, c) => a + b * c,
  ),
  expression((a, b) => `(${a}) / ${b}`, floor),
  expression((a, b) => `(${a}) % ${b}`, modulo),
  expression(
    (a, b) => `${b} - (${a}) / ${b} * 2`,
    (a, b) => b - floor(a, b) * 2,
  ),
  expression(
    (a, _b, c) => `(${a}) ** 2 - ${c}`,
    (a, _b, c) => a ** 2 - c,
  ),
  expression(
    (_a, b, c) => `2 ** 60 + ${c} - ${b}`,
    (_a, b, c) => 2n ** 60n + BigInt(c - b),
  ),
  expression((a) => `(${a}).abs`, Math.abs),
  expression((a, b) => `(${a}).divmod(${b})[1]`, modulo),
  expression((a, b) => `(${a}).fdiv(${b}).floor`, floor),
  expression(
    (_a, b) => `(1..${b}).inject { |s, x| s * x }`,
    (_a, b) => range(b).reduce((s, x) => s * (x + 1), 1),
  ),
  expression(
    (a, b) => `(1..${b}).map { |x| x * (${a}) }.inject(5) { |s, x| s + x }`,
    (a, b) => 5 + sum(range(b).map((x) => (x + 1) * a)),
  ),
  expression(
    (a, b, c) => `[${c}, ${a}, ${b}].sort.first`,
    (a, b, c) => Math.min(a, b, c),
  ),
  expression(
    (a, b, c) => `[${c}, ${a}, ${b}].max`,
    (a, b, c) => Math.max(a, b, c),
  ),
  expression(
    (a, b, c) => `[${c}, ${a}, ${b}].min`,
    (a, b, c) => Math.min(a, b, c),
  ),
  expression(
    (_a, b, c) => `(0...${c}).select { |x| x % ${b} == 0 }.length`,
    (_a, b, c) => Math.ceil(c / b),
  ),
  expression(
    (_a, b, c) => `(0..${c}).reject { |x| x % ${b} == 0 }.length`,
    (_a, b, c) => c - floor(c, b),
  ),
  expression(
    (a, b, c) => `[${a}, ${b}, ${c}].reverse.index(${c})`,
    () => 0,
  ),
  expression(
    (_a, b, c) => `"#{${c}}x#{${b}}".length`,
    (_a, b, c) => `${c}x${b}`.length,
  ),
  expression(
    (_a, b) => `("1" * ${b}).to_i`,
    (_a, b) => '1'.repeat(b),
  ),
  expression(
    (a) => `"%d" % (${a})`,
    (a) => a,
  ),
  expression(
    (_a, _b, c) => `format("%03d", ${c})`,
    (_a, _b, c) => String(c).padStart(3, '0'),
  ),
  expression(
    (_a, _b, c) => `format("%b", ${c})`,
    (_a, _b, c) => c.toString(2),
  ),
  expression(
    (_a, b, c) => `format("%.2f", ${c} + ${b} / 4.0).gsub(".", "")`,
    (_a, b, c) => (c + b / 4).toFixed(2).replace('.', ''),
  ),
  expression(
    (_a, _b, c) => `${c}.to_s(2)`,
    (_a, _b, c) => c.toString(2),
  ),
  expression(
    (a, b, c) => `(${a} > ${b} && ${c} > 3) || ${a} == 0 ? 1 : 2`,
    (a, b, c) => ((a > b && c > 3) || a === 0 ? 1 : 2),
  ),
  expression(
    (a, b) => `(${a} >= ${b} and not ${b} < 4) ? 7 : 8`,
    (a, b) => (a >= b && !(b < 4) ? 7 : 8),
  ),
  expression(
    (a, b) => `(${a}) <=> ${b}`,
    (a, b) => Math.sign(a - b),
  ),
  expression(
    (_a, b, c) => `(${c} & ${b}) + (${c} | ${b}) * 100 + (${c} ^ ${b}) * 10000`,
    (_a, b, c) => (c & b) + (c | b) * 100 + (c ^ b) * 10_000,
  ),
  expression(
    (_a, b, c) => `(${c} << ${b}) + (${c} >> 1)`,
    (_a, b, c) => (c << b) + (c >> 1),
  ),
  expression(
    (a, b, c) => `[1, ${a}, ${b}, ${c}].last(2).inject { |x, y| x - y }`,
    (_a, b, c) => b - c,
  ),
  expression(
    (a, b) => `[[1, ${a}], [2, ${b}]].map { |x, y| x * y }.inject { |x, y| x + y }`,
    (a, b) => a + 2 * b,
  ),
  expression(
    (a, b, c) => `[${a}, ${b}].zip([${b}, ${c}]).flatten.inject { |x, y| 2 * x - y }`,
    (a, b, c) => 2 * (2 * (2 * a - b) - b) - c,
  ),
  expression(
    (a, b, c) => `[${a}, ${b}, ${c}][1..2].sum`,
    (_a, b, c) => b + c,
  ),
  expression(
    (a, b, c) => `[${a}, ${b}, ${c}][-1] - [${a}, ${b}][0]`,
    (a, _b, c) => c - a,
  ),
  expression(
    (a, b, c) => `[${a}, ${b}, ${a}, ${c}].uniq.length`,
    (a, b, c) => new Set([a, b, c]).size,
  ),
  expression(
    (_a, b, c) => `"${b},${c},7".split(",")[1]`,
    (_a, _b, c) => c,
  ),
  expression(
    (_a, b) => `"a${b}b".gsub("a", "1").sub("b", "2")`,
    (_a, b) => `1${b}2`,
  ),
  expression(
    (_a, b) => `"  ${b} ".strip`,
    (_a, b) => b,
  ),
  expression(
    () => '"12345"[1, 3]',
    () => 234,
  ),
  expression(
    (_a, b) => `"1234567890"[${b}..-1]`,
    (_a, b) => '1234567890'.slice(b),
  ),
  expression(
    (_a, b) => `"4711${b}".reverse`,
    (_a, b) => `${b}1174`,
  ),
  expression(
    (_a, b) => `"${b}".ljust(3, "0") + "${b}".rjust(3, "1")`,
    (_a, b) => `${b}00` + `11${b}`,
  ),
  expression(
    (_a, b) => `"4${b}abc".to_i`,
    (_a, b) => `4${b}`,
  ),
  expression(
    (_a, b) => `"123".include?("${b}") ? 1 : 0`,
    (_a, b) => (b <= 3 ? 1 : 0),
  ),
  expression(
    (_a, _b, c) => `(${c} * 0.5).to_i`,
    (_a, _b, c) => Math.trunc(c / 2),
  ),
  expression(
    (_a, b) => `Math.sqrt(${b} * ${b}).to_i + 2.5.ceil + -2.5.floor`,
    (_a, b) => b + 3 - 3,
  ),
  expression(
    (a, b) => `(${a}) == ${b} ? 1 : (${a}) != ${b} && ${b}.even? ? 2 : 3`,
    (a, b) => (a === b ? 1 : b % 2 === 0 ? 2 : 3),
  ),
  expression(
    (_a, b) => `[3, 1, 2].sort { |x, y| y <=> x }.join + [1, ${b}].join("0")`,
    (_a, b) => `32110${b}`,
  ),
  expression(
    (a, b, c) => `[${a}, ${b}, ${c}].any? { |x| x > 9 } ? 1 : [${a}, ${b}].all? { |x| x < 5 } ? 2 : 3`,
    (a, b, c) => (Math.max(a, b, c) > 9 ? 1 : Math.max(a, b) < 5 ? 2 : 3),
  ),
  expression(
    (a, b, c) => `[${a}, ${b}, ${c}].sort_by { |x| -x }.join.gsub("-", "9")`,
    (a, b, c) =>
      [a, b, c]
        .sort((x, y) => y - x)
        .join('')
        .replaceAll('-', '9'),
  ),
  expression(
    (_a, b, c) => `[${b}, ${c}, 3].count { |x| x > 2 }`,
    (_a, b, c) => [b, c, 3].filter((x) => x > 2).length,
  ),
  statements(
    (a, b) => `result = ${a}; result += 1 if ${b} > 4; result -= 10 unless ${b} > 6`,
    (a, b) => a + (b > 4 ? 1 : 0) - (b > 6 ? 0 : 10),
  ),
  statements(
    (_a, b) => `i = 0; result = 0; while i < ${b} do result += i; i += 1 end`,
    (_a, b) => sum(range(b)),
  ),
  statements(
    (_a, b) => `i = 0; until i >= ${b} do i += 2 end; result = i`,
    (_a, b) => 2 * Math.ceil(b / 2),
  ),
  statements(
    (_a, b) => `result = 0; 12.times { |i| next if i % 2 == 1; break if i > ${b}; result += i }`,
    (_a, b) => sum(range(12).filter((i) => i % 2 === 0 && i <= b)),
  ),
  statements(
    (_a, b, c) => `result = 0; 1.upto(${b}) { |i| result += i * ${c} }; ${b}.downto(1) { |i| result -= i }`,
    (_a, b, c) => sum(range(b).map((i) => (i + 1) * (c - 1))),
  ),
  statements(
    (_a, b) => `result = 0; 1.step(20, ${b}) { |i| result += i }`,
    (_a, b) =>
      sum(
        range(20)
          .map((i) => 1 + i * b)
          .filter((i) => i <= 20),
      ),
  ),
  statements(
    (a, b) =>
      `h = {1 => ${a}, 2 => ${b}}; result = 0; h.each { |k, v| result += k * v }; result += h.keys.length`,
    (a, b) => a + 2 * b + 2,
  ),
  statements(
    (a, b) =>
      `h = {"x" => ${a}}; h["y"] = ${b}; result = h.key?("y") ? h["y"] - h["x"] : 0; h.delete("x"); result += h.length`,
    (a, b) => b - a + 1,
  ),
  statements(
    (a, b) => `def f(x, y = 2); x * y; end; result = f(${a}) + f(${b}, 3)`,
    (a, b) => 2 * a + 3 * b,
  ),
  statements(
    (_a, b) => `def g(n); return 1 if n < 2; n * g(n - 1); end; result = g(${b})`,
    (_a, b) => range(b).reduce((s, x) => s * (x + 1), 1),
  ),
  statements(
    (_a, b, c) => `x, y = ${b}, ${c}; x, y = y, x; result = x * 100 + y`,
    (_a, b, c) => 100 * c + b,
  ),
  statements(
    (a, b, c) => `result = 0; [${a}, ${b}, ${c}].each_with_index { |x, i| result += x * i }`,
    (_a, b, c) => b + 2 * c,
  ),
  statements(
    (a, b, c) => `l = []; l << ${a}; l.push(${b}, ${c}); l.shift; result = l.first * 10 + l.length`,
    (_a, b) => 10 * b + 2,
  ),
  statements(
    (_a, b) => `result = defined?(${b > 4 ? 'result' : 'nowhere_set'}) ? 1 : 2`,
    () => '',
  ),
  statements(
    (a, b) => `if ${a} > ${b} then result = 1 elsif ${a} == 3 then result = 2 else result = 3 end`,
    (a, b) => (a > b ? 1 : a === 3 ? 2 : 3),
  ),
  statements(
    (_a, b) => `unless ${b} > 5 then result = 1 else result = 2 end`,
    (_a, b) => (b > 5 ? 2 : 1),
  ),
  statements(
    (_a, b, c) => `result = nil; result ||= ${b}; result *= 3; result -= ${c}; p result`,
    (_a, b, c) => 3 * b - c,
  ),
  statements(
    (_a, b) => `s = ""; ${b}.times { |i| s += i.to_s }; result = "1" + s`,
    (_a, b) => `1${range(b).join('')}`,
  ),
].filter((make) => make(1, 1, 1).value !== '');

const draws = fc.tuple(
  fc.nat(phrases.length - 1),
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: 1, max: 9 }),
  fc.nat(30),
);

/** Data lines of a packet of long words, each an integer that a macro makes. */
export const macroData: fc.Arbitrary<readonly string[]> = fc
  .array(draws, { minLength: 4, maxLength: 24 })
  .map((all) =>
    all.map(([at, a, b, c]) => {
      const { before, ruby, value } = phrases[at]!(a, b, c);
      return `${before === undefined ? '' : `<% ${before} %>`}FIX <%= ${ruby} %> # = FIX ${value}`;
    }),
  );

/** Remarks that say twice the same: a text that a macro writes, and that text. */
export const macroRemarks: fc.Arbitrary<readonly string[]> = fc
  .array(fc.constantFrom(...macroTexts), { minLength: 1, maxLength: 160, size: 'max' })
  .map((all) => all.map(([ruby, text]) => `## <%= ${ruby} %>${remarkMark}${text}`));

/** Between both texts of a remark. */
export const remarkMark = ' # = ## ';

/** Statements whose text macros make, each in one line; `define` sets `pause` to 2. */
export const macroStatements: readonly string[] = [
  '<%# a remark %>nop <% 2.times do %>1<% end %> # = nop 11',
  'nop <%= defined?(pause) ? pause : 1 %> # = nop 2',
  'nop <% if pause > 1 then %>3<% else %>4<% end %> # = nop 3',
  '<% [1, 2].each do |n| %>vlen <%= n %> # <% end %> # = vlen 1',
  'vlen <%= [4, 3].min + 1 %> # = vlen 4',
];
