import { outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';

/*
 * Conversions between the host and the chip in C, bit for bit as GRAPE specification 2.9 says; the same as `conversions.ts`, which is what they are
 * tested against. `put_<name>` appends a value as the short words of the chip, `take_<name>` reads them.
 */

const appends = `/* Appends a word of 72 bits, given as its upper 12 and its lower 60: the upper short word first. */
static uint64_t *put_long(uint64_t *at, uint64_t upper, uint64_t lower)
{
    *at++ = upper << 24 | lower >> 36;
    *at++ = lower & 0xfffffffffull;
    return at;
}
`;

const bitsOfDouble = `static uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
`;

const put = (name: string, type: string, body: string): string =>
  `static uint64_t *put_${name}(uint64_t *at, ${type} value)\n{\n${body}}\n`;

const inputs: Readonly<Record<string, string>> = {
  flt64to72: put(
    'flt64to72',
    'double',
    `    uint64_t bits = bits_of_double(value);
    uint64_t fraction = (bits >> 52 & 0x7ff) == 0 ? 0 : (bits & 0xfffffffffffffull) << 8;
    return put_long(at, bits >> 52, fraction);
`,
  ),
  flt64to36: put(
    'flt64to36',
    'double',
    `    uint64_t bits = bits_of_double(value);
    uint64_t kept = bits >> 28;
    uint64_t rest = bits & 0xfffffff;
    uint64_t exponent = bits >> 52 & 0x7ff;
    if (exponent == 0)
        kept = bits >> 63 << 35;
    else if (exponent != 0x7ff && (rest > 0x8000000 || (rest == 0x8000000 && (kept & 1) != 0)))
        kept++; /* a fraction that rounds up to 1.0 carries into the exponent by itself */
    *at++ = kept;
    return at;
`,
  ),
  flt32to36: put(
    'flt32to36',
    'float',
    `    uint32_t bits;
    uint64_t exponent, sign;
    memcpy(&bits, &value, sizeof bits);
    sign = (uint64_t)(bits >> 31) << 35;
    exponent = bits >> 23 & 0xff;
    if (exponent == 0)
        *at++ = sign;
    else
        *at++ = sign | (exponent == 0xff ? 0x7ffull : exponent + 896) << 24 | (uint64_t)(bits & 0x7fffff) << 1;
    return at;
`,
  ),
  fix64to72l: put(
    'fix64to72l',
    'long long',
    `    uint64_t bits = (uint64_t)value;
    return put_long(at, bits >> 52, bits << 8 & 0xfffffffffffffffull);
`,
  ),
  fix64to72rs: put(
    'fix64to72rs',
    'long long',
    `    uint64_t bits = (uint64_t)value;
    return put_long(at, bits >> 60 | (value < 0 ? 0xff0 : 0), bits & 0xfffffffffffffffull);
`,
  ),
  fix64to72ru: put(
    'fix64to72ru',
    'long long',
    `    uint64_t bits = (uint64_t)value;
    return put_long(at, bits >> 60, bits & 0xfffffffffffffffull);
`,
  ),
  fix64to36: put(
    'fix64to36',
    'long long',
    `    *at++ = (uint64_t)value & 0xfffffffffull;
    return at;
`,
  ),
  fix32to36l: put(
    'fix32to36l',
    'int',
    `    *at++ = (uint64_t)(uint32_t)value << 4;
    return at;
`,
  ),
  fix32to36rs: put(
    'fix32to36rs',
    'int',
    `    *at++ = (uint64_t)value & 0xfffffffffull;
    return at;
`,
  ),
  fix32to36ru: put(
    'fix32to36ru',
    'int',
    `    *at++ = (uint32_t)value;
    return at;
`,
  ),
};

const doubleOfParts = `/* A double of sign and exponent, 12 bits, and a fraction of 60: to nearest, ties to even; infinity from 7ff on. */
static double double_of_parts(uint64_t upper, uint64_t fraction)
{
    uint64_t sign = upper >> 11 << 63;
    uint64_t exponent = upper & 0x7ff;
    uint64_t bits = exponent << 52 | fraction >> 8;
    uint64_t rest = fraction & 0xff;
    double value;
    if (exponent == 0)
        bits = 0;
    else if (rest > 0x80 || (rest == 0x80 && (bits & 1) != 0))
        bits++;
    if (bits >> 52 >= 0x7ff)
        bits = 0x7ffull << 52;
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}
`;

const integerOfBits = `static long long integer_of_bits(uint64_t bits)
{
    long long value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
`;

const unnormalised = `/* As take_flt72to64, of a sum without a hidden bit: normalised first, so that no digits are lost. */
static double take_unnormalised(const uint64_t *at)
{
    uint64_t upper = at[0] >> 24;
    uint64_t fraction = (at[0] & 0xffffff) << 36 | at[1];
    int exponent = (int)(upper & 0x7ff);
    if (fraction == 0)
        return double_of_parts(upper & 0x800, 0);
    while (fraction >> 60 == 0) {
        fraction <<= 1;
        exponent--;
    }
    if (exponent < 1)
        return double_of_parts(upper & 0x800, 0);
    return double_of_parts((upper & 0x800) | (uint64_t)exponent, fraction & 0xfffffffffffffffull);
}
`;

const take = (name: string, type: string, body: string): string =>
  `static ${type} take_${name}(const uint64_t *at)\n{\n${body}}\n`;

const outputs: Readonly<Record<string, string>> = {
  flt72to64: take(
    'flt72to64',
    'double',
    '    return double_of_parts(at[0] >> 24, (at[0] & 0xffffff) << 36 | at[1]);\n',
  ),
  unnormalised,
  flt36to64: take(
    'flt36to64',
    'double',
    '    return double_of_parts(at[0] >> 24, (at[0] & 0xffffff) << 36);\n',
  ),
  fix72to64l: take('fix72to64l', 'long long', '    return integer_of_bits(at[0] << 28 | at[1] >> 8);\n'),
  fix72to64r: take('fix72to64r', 'long long', '    return integer_of_bits(at[0] << 36 | at[1]);\n'),
  fix72to64w: take('fix72to64w', 'long long', '    return (long long)at[0];\n'),
};

/** The name of the function that reads a result: sums without a hidden bit are normalised first (GRAPE specification 2.9). */
export const takeName = (conv: string, op: string): string =>
  conv === 'flt72to64' && /^fadd.*O/.test(op) ? 'unnormalised' : conv;

/** C of the conversions that are used, each once; a compiler warns of one that is not. */
export function conversionSource(used: ReadonlySet<string>, taken: ReadonlySet<string>): string {
  const puts = Object.keys(inputs).filter((name) => used.has(name));
  const takes = Object.keys(outputs).filter((name) => taken.has(name));
  const long = puts.some((name) => name.includes('to72'));
  const doubles = puts.some((name) => name.startsWith('flt64'));
  const reals = takes.some((name) => !name.startsWith('fix'));
  const integers = takes.some((name) => name === 'fix72to64l' || name === 'fix72to64r');
  return [
    ...(long ? [appends] : []),
    ...(doubles ? [bitsOfDouble] : []),
    ...puts.map((name) => inputs[name]!),
    ...(reals ? [doubleOfParts] : []),
    ...(integers ? [integerOfBits] : []),
    ...takes.map((name) => outputs[name]!),
  ].join('\n');
}

/** Words on the host's side of one word of the chip. */
export const hostWordsOf = (conv: string): number =>
  outputConversions.find(({ name }) => name === conv)!.hostWords;
