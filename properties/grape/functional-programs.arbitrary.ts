import fc from 'fast-check';
import { aluOps } from '../../actors/grape/arithmetic/alu.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError } from '../../machines/grape/assembler/diagnostics.ts';

/*
 * Programs that do a lot in few places, for functional mode (GRAPE specification 4.1): every line may use
 * what the line before it made, and most do.
 */

const declarations = [
  'var vector long a',
  'var vector long b',
  'var vector short c',
  'var long d',
  'bvar vector long p',
  'bvar vector short q',
  'bvar long s',
];
const sections = ['initialization', 'loop initialization', 'loop body', 'loop finalization'];
const registers = ['$lr0v', '$lr2v', '$lr8v', '$r0v', '$r3v', '$r8v', '$lr4', '$r5'];
const local = ['a', 'b', 'c', 'd', 'a[1]', '$m2v3', '$lt', '$st', 'f"1.5"', 'il"1"', 'hl"2"'];
const broadcast = ['p', 'q', 's', '$lb2v', '$b1'];
const multiplications = ['fmul', 'fmul', 'fmul', 'dmul0', 'dmul1', 'fmulwz'];
const additions = ['fadd', 'fadd', 'fsub', 'faddAB', 'faddO'];

class Choice {
  readonly #draws: readonly number[];
  #at = 0;
  constructor(draws: readonly number[]) {
    this.#draws = draws;
  }
  below(count: number): number {
    return (this.#draws[this.#at++] ?? 0) % count;
  }
  once(one: number): boolean {
    return this.below(one) === one - 1;
  }
  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }
}

/**
 * A source of at most `linesMax` lines of code, with no word about the pipeline in it. Shrinks to few lines
 * and to the first choices.
 */
export const functionalSource = (linesMax: number): fc.Arbitrary<string> =>
  fc
    .array(fc.noBias(fc.array(fc.nat(9_999), { minLength: 30, maxLength: 30 })), {
      minLength: 1,
      maxLength: linesMax,
      size: 'max',
    })
    .map((lines) => {
      const writer = new FunctionalWriter();
      for (const draws of lines) writer.line(new Choice(draws));
      return writer.text;
    });

class FunctionalWriter {
  readonly #lines: string[] = [...declarations];
  #section = 0;
  #vlen = 4;
  /** The line before multiplies, so that its product can be read as `$fb`. */
  #product = false;

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  line(choice: Choice): void {
    const product = this.#product;
    this.#product = false;
    switch (choice.below(14)) {
      case 13:
        if (choice.once(3) && this.#section < sections.length) this.#lines.push(sections[this.#section++]!);
        else this.#lines.push('nop');
        return;
      case 12:
        this.#vlen = choice.once(2) ? 1 + choice.below(4) : 4;
        this.#lines.push(`vlen ${this.#vlen}`);
        return;
      case 11:
        this.#lines.push(`mi ${choice.once(2) ? choice.below(4) : 0}`);
        return;
      case 10:
        this.#lines.push(this.#simulatorLine(choice));
        return;
      default:
        this.#slot(choice, product);
    }
  }

  #simulatorLine(choice: Choice): string {
    switch (choice.below(5)) {
      case 0:
        return `print ${choice.below(2)} ${choice.below(2)} h ${choice.pick(['$t', 'a', '$lr0v', 'p'])}`;
      case 1:
        return 'DBG BB 0 1 TREG';
      case 2:
        return `IDP p\n${Array.from({ length: 4 }, () => `FLT ${1 + choice.below(9)}`).join('\n')}`;
      case 3:
        return 'RRN uadd p';
      default:
        return 'DBG BB 1 0 MREG 1';
    }
  }

  /** Components in a row as far as the assembler takes them; it knows the rules of ports. */
  #slot(choice: Choice, product: boolean): void {
    const flags = choice.once(5) ? `${choice.pick(['mof', 'moi'])} ${1 + choice.below(3)}\n` : '';
    const wanted = [
      ...(choice.once(2) ? [this.#multiplication(choice)] : []),
      ...(choice.once(2) ? [this.#addition(choice, product)] : []),
      ...(choice.once(3) ? [this.#transfer(choice)] : []),
    ];
    if (wanted.length === 0) wanted.push(this.#multiplication(choice));
    const taken: string[] = [];
    for (const component of wanted) if (this.#isValid([...taken, component])) taken.push(component);
    if (taken.length === 0) return;
    this.#lines.push(flags + taken.join(' ; '));
    this.#product = taken.some((one) => /^(f|d)mul/.test(one));
  }

  #isValid(components: readonly string[]): boolean {
    try {
      assemble(`${declarations.join('\n')}\nvlen ${this.#vlen}\n${components.join(' ; ')}\n`);
      return true;
    } catch (error) {
      if (error instanceof AssemblyError) return false;
      throw error;
    }
  }

  #source(choice: Choice): string {
    if (choice.once(3)) return choice.pick(local);
    return choice.once(2) ? choice.pick(['$t', '$t', '$ti']) : choice.pick(registers);
  }

  #targets(choice: Choice): string {
    const places = ['$t', choice.pick(registers), choice.pick(registers), choice.pick(local.slice(0, 8))];
    return Array.from({ length: choice.pick([1, 1, 2, 0]) }, () => choice.pick(places)).join(' ');
  }

  #multiplication(choice: Choice): string {
    const word = choice.pick(multiplications);
    return `${word} ${this.#source(choice)} ${this.#source(choice)} ${this.#targets(choice)}`.trim();
  }

  #addition(choice: Choice, product: boolean): string {
    if (choice.once(12)) return `uimm ${choice.below(512).toString(16)} ${choice.pick(['$t', '$lr0v', 'a'])}`;
    const word = choice.once(2) ? choice.pick(additions) : `${choice.pick(['u', 'i'])}${choice.pick(aluOps)}`;
    const a = product && choice.once(2) ? '$fb' : this.#source(choice);
    const b = choice.once(9) ? '$pe' : this.#source(choice);
    return `${word} ${a} ${b} ${this.#targets(choice)}`.trim();
  }

  #transfer(choice: Choice): string {
    const there = choice.pick(broadcast);
    if (choice.once(3)) return `bm ${choice.pick(registers)} ${there} ${choice.below(2)}`;
    const here = choice.pick(['$t', 'a', 'c', '$st', ...registers]);
    return `bm ${there} ${here}${choice.once(4) ? ` ${choice.below(2)}` : ''}`;
  }
}

/** Lines that name products later than the slot behind, more than once, and after what they are made of may have changed. */
const feedbackLine = fc.constantFrom(
  'fmul $lr0v $lr8v',
  'fmul $lr0v $lr8v',
  'fmul $lr8v a',
  'dmul0 $t $lr0v $lr8v',
  'fmul $lr0v b a',
  'vlen 2',
  'vlen 4',
  'fadd $fb $lr0v $lr2v',
  'fadd $fb $lr8v b',
  'fsub $fb a $t',
  'fadd $fb b $lr0v ; fmul $lr8v $lr8v',
  'uadd $fb $lr8v $lr8v',
  'fadd $lr0v $lr8v $t',
  'mi 1',
  'mi 0',
  'mof 1',
  'print 0 0 h $lr0v',
  'loop body',
);
/** A source of such lines. */
export const feedbackSource: fc.Arbitrary<string> = fc
  .array(feedbackLine, { minLength: 2, maxLength: 12 })
  .map((lines) => lines.filter((line, at) => line !== 'loop body' || lines.indexOf(line) === at))
  .map((lines) => `var vector long a\nvar vector long b\n${lines.join('\n')}\n`);
