import { outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import type { Word } from '../../actors/grape/arithmetic/word.ts';
import { type GrapeResult, libraryCodes } from '../../actors/grape/host-calls.ts';
import { resultsOf, tableOf } from '../../actors/grape/host-tables.ts';
import {
  type HostRecord,
  type HostValue,
  hostValue,
  hostWords,
  wordOfHost,
  wordsOfRecord,
} from '../../actors/grape/host-words.ts';
import type { Program, Ref, Variable } from '../../actors/grape/program.ts';
import type { Chip } from './chip.ts';
import { reduceWords } from './outputs.ts';

/**
 * The host library on the chip without actors: what the machine is compared with (GRAPE specification 7).
 *
 * Details: particle i of `sendIParticle` goes to element i mod 4 of PE i / 4 in every block; record j of external memory goes to block j mod nBB in
 * pass j / nBB.
 */
export class ChipLibrary {
  readonly chip: Chip;
  /** The conversion table in use: of i particles, or of another table since something else was sent. */
  #table: 'none' | 'i' | number = 'none';
  #particles = 0;

  constructor(chip: Chip) {
    this.chip = chip;
  }

  get #program(): Program {
    return this.chip.program;
  }

  /** Acquires the machine: constants, then the section `initialization`. */
  init(): void {
    this.chip.loadConstants();
    this.chip.runSection('initialization');
    this.#table = 'i';
  }

  numberOfPe(): number {
    return this.chip.spec.nPE;
  }

  numberOfBb(): number {
    return this.chip.spec.nBB;
  }

  /** Puts a j record into external memory. */
  sendJParticle(record: HostRecord, index: number): number {
    return this.sendEltData(0, record, index);
  }

  /**
   * Puts a record of a table into external memory.
   *
   * Details: a type I program has one record of tables 1 and up, which goes to broadcast memory of all blocks at once.
   */
  sendEltData(num: number, record: HostRecord, index = 0): number {
    if (this.#table === 'none') return libraryCodes.notInitialised;
    if (!Number.isInteger(index) || index < 0) return libraryCodes.badCount;
    const records = this.chip.regions.get(num) ?? [];
    records[index] = wordsOfRecord(tableOf(this.#program, 'elt', num), record);
    this.chip.regions.set(num, records);
    if (this.#program.type === 1 && num > 0) this.chip.deliver(num, index);
    return libraryCodes.done;
  }

  /** Puts i particles into local memory, at most four a PE. */
  sendIParticle(particles: readonly HostRecord[], n = particles.length): number {
    if (this.#table === 'none') return libraryCodes.notInitialised;
    if (this.#table !== 'i') return libraryCodes.notRegistered;
    if (!Number.isInteger(n) || n < 0 || n > Math.min(particles.length, 4 * this.numberOfPe()))
      return libraryCodes.badCount;
    for (const variable of tableOf(this.#program, 'hlt', 0)) {
      for (let pe = 0; 4 * pe < n; pe++) {
        const here = particles.slice(4 * pe, Math.min(4 * pe + 4, n));
        const words = here.map((particle) =>
          wordOfHost(variable.transfer!.conv, particle[variable.name] as HostValue),
        );
        this.chip.toAllPes(placeOf(variable), words, pe);
      }
    }
    this.#particles = n;
    return libraryCodes.done;
  }

  /** Puts table data into local memory of every PE; the conversion table of i particles is gone then. */
  sendHltData(num: number, record: HostRecord, peindex = 0): number {
    if (this.#table === 'none') return libraryCodes.notInitialised;
    if (peindex !== 0) return libraryCodes.badCount;
    for (const variable of tableOf(this.#program, 'hlt', num)) {
      const values = record[variable.name] as readonly HostValue[];
      const words = values.map((value) => wordOfHost(variable.transfer!.conv, value));
      this.chip.toAllPes(placeOf(variable), words);
    }
    this.#table = num;
    return libraryCodes.done;
  }

  /** Makes the conversion table that of i particles again. */
  registerIParticleConversion(): number {
    if (this.#table === 'none') return libraryCodes.notInitialised;
    this.#table = 'i';
    return libraryCodes.done;
  }

  /** Runs a type I program: loop initialization, n passes over j records, loop finalization. */
  run(n: number): number {
    return this.#passes(n, (pass) => {
      const { nBB } = this.chip.spec;
      for (let block = 0; block < nBB; block++) this.chip.deliver(0, pass * nBB + block, block);
    });
  }

  /** Runs a type II program; what it sends is appended to `out`, 8 bytes a value. */
  type2Run(n: number, out: HostValue[]): number {
    const before = this.chip.sent.length;
    const code = this.#passes(n, () => {});
    const conversions = this.#program.sections.loopBody.flatMap((item) =>
      item.kind === 'slot' && item.rrn?.odpoe ? sentBy(item.rrn.conv, item.rrn.n) : [],
    );
    for (const [at, bits] of this.chip.sent.slice(before).entries())
      out.push(hostValue(conversions[at % conversions.length]!, bits));
    return code;
  }

  #passes(n: number, before: (pass: number) => void): number {
    if (this.#table === 'none') return libraryCodes.notInitialised;
    if (!Number.isInteger(n) || n < 0) return libraryCodes.badCount;
    this.chip.rewind();
    this.chip.runSection('loopInitialization');
    for (let pass = 0; pass < n; pass++) {
      before(pass);
      this.chip.runSection('loopBody');
    }
    this.chip.runSection('loopFinalization');
    this.chip.drain();
    return libraryCodes.done;
  }

  /** The results of a type I program, as many as particles were sent. */
  getResult(): readonly GrapeResult[] {
    return Array.from({ length: this.#particles }, (_, i) => {
      const values: Record<string, HostValue | readonly HostValue[]> = {};
      const words: Record<string, Word> = {};
      for (const variable of resultsOf(this.#program)) {
        const { conv, redop, redopt = '' } = variable.transfer!;
        const place = placeOf(variable);
        const leaves = this.chip.blocks.map((block) => block.peek(Math.floor(i / 4), place, i % 4));
        const round = redopt.includes('r') || !variable.long;
        const word = reduceWords(redop!, leaves, round);
        words[variable.name] = word;
        const seen = hostWords(conv, redop!, word).map((bits) => hostValue(conv, bits));
        values[variable.name] = seen.length === 1 ? seen[0]! : seen;
      }
      return { values, words };
    });
  }
}

const placeOf = ({ addr, long, name }: Variable): Ref => ({
  kind: 'lm',
  addr,
  long,
  vector: true,
  stride: 1,
  text: name,
});

const sentBy = (conv: string, n: number): string[] => {
  const { hostWords: words } = outputConversions.find(({ name }) => name === conv)!;
  return new Array<string>(n * words).fill(conv);
};
