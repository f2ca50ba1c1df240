/*
 * Reads the image of a program as the comment of a generated source tells what it means (GRAPE specification 3.9, 7), without its writer's help.
 */

/** Kinds of operands, functions of the ALU and conversions to the host, by their numbers. */
const refKinds = ['lm', 'grf', 'bm', 't', 'ti', 'ind', 'fb', 'pe', 'bb'];
const functions = [
  ...['add', 'sub', 'inc', 'dec', 'not', 'and', 'or', 'xor', 'max', 'min'],
  ...['passa', 'passb', 'lsl', 'lsr', 'bsl', 'bsr', 'lnot'],
];
const immediate = 17;
const conversions = ['flt72to64', 'flt36to64', 'fix72to64l', 'fix72to64r', 'fix72to64w'];

/** An item without what only its text decides. */
export const plain = (item: unknown): unknown =>
  JSON.parse(
    JSON.stringify(item, (key, value) => {
      if (['line', 'text', 'name', 'region'].includes(key)) return undefined;
      // The flags of a reduction may be written in any order.
      if (key === 'op' && /^fadd[ABO]+$/.test(value)) return `fadd${[...value.slice(4)].sort().join('')}`;
      return typeof value === 'bigint' ? value.toString(16) : value;
    }),
  );

/** Reads words of an image as the comment of a source tells, without its writer's help. */
class ImageReader {
  readonly #words: readonly number[];
  at = 0;

  constructor(words: readonly number[]) {
    this.#words = words;
  }

  next(): number {
    return this.#words[this.at++]!;
  }

  ref(): object {
    const word = this.next();
    return {
      kind: refKinds[word & 15]!,
      addr: word >>> 8,
      long: (word & 16) !== 0,
      vector: (word & 32) !== 0,
      stride: this.next(),
    };
  }

  operation(): object {
    const head = this.next();
    const bit = (at: number): boolean => ((head >>> at) & 1) === 1;
    const count = (head >>> 16) & 0x7fff;
    const dsts = () => Array.from({ length: count }, () => this.ref());
    if (!bit(31))
      return {
        unit: 'fadd',
        normA: bit(0),
        normB: bit(1),
        sub: bit(2),
        normO: bit(3),
        round: bit(4),
        a: this.ref(),
        b: this.ref(),
        dst: dsts(),
      };
    const signed = bit(5);
    if ((head & 31) !== immediate)
      return { unit: 'ialu', op: functions[head & 31], signed, a: this.ref(), b: this.ref(), dst: dsts() };
    const imm = ((BigInt(this.next()) << 32n) | BigInt(this.next())).toString(16);
    return { unit: 'ialu', op: 'imm', signed, imm, dst: dsts() };
  }

  item(): object {
    const head = this.next();
    const end = this.at + ((head >>> 20) & 1023);
    const vlen = (head >>> 17) & 7;
    if (head >>> 30 === 2) return { kind: 'nop', vlen, count: this.next() * 2 ** 32 + this.next() };
    const item: Record<'kind' | 'vlen' | 'mi' | 'mof' | 'moi', unknown> &
      Partial<Record<'mul' | 'add' | 'bm' | 'idp' | 'rrn', object>> = {
      kind: 'slot',
      vlen,
      mi: (head >>> 14) & 7,
      mof: (head >>> 11) & 7,
      moi: (head >>> 8) & 7,
    };
    if (head & 1) {
      const word = this.next();
      const dst = word >>> 16;
      const [a, b] = [this.ref(), this.ref()];
      item.mul = { bits: word & 1023, a, b, dst: Array.from({ length: dst }, () => this.ref()) };
    }
    if (head & 2) item.add = this.operation();
    if (head & 4) {
      const toPe = this.next() === 1;
      const peid = this.next() | 0;
      item.bm = { toPe, bm: this.ref(), pe: this.ref(), ...(peid >= 0 && { peid }) };
    }
    if (head & 8) item.idp = { elt: this.next(), mode: this.next(), bbid: this.next() | 0 };
    if (head & 16) {
      const word = this.next();
      item.rrn = {
        op: reductionName(word),
        conv: conversions[(word >>> 20) & 15],
        round: ((word >>> 24) & 1) === 1,
        odpoe: ((word >>> 25) & 1) === 1,
        sregen: ((word >>> 26) & 1) === 1,
        n: this.next(),
        mem: this.ref(),
      };
    }
    if (this.at !== end) throw new Error(`an instruction ends at word ${this.at}, not ${end}`);
    return item;
  }
}

function reductionName(word: number): string {
  const kind = (word >>> 16) & 3;
  if (kind === 2) return String(word & 0xffff);
  if (kind === 1) return `${word & 32 ? 'i' : 'u'}${functions[word & 31]}`;
  return `fadd${word & 1 ? '' : 'A'}${word & 2 ? '' : 'B'}${word & 8 ? '' : 'O'}`;
}

/** The items of each section that an image holds. Errors: where a section or an instruction is longer or shorter than it says. */
export function decoded(words: readonly number[], begins: readonly number[]): unknown[] {
  const reader = new ImageReader(words);
  return begins.slice(0, -1).map((_, section) => {
    if (reader.at !== begins[section])
      throw new Error(`section ${section} begins at word ${reader.at}, not ${begins[section]}`);
    const items: unknown[] = [];
    while (reader.at < begins[section + 1]!) items.push(reader.item());
    return items;
  });
}
