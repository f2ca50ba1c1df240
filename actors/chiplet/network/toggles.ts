import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { headBit, tailBit } from './flit.ts';
import { ones } from './ones.ts';
import { type PayloadStore, signedTogglesAt, togglesAt, wordsAt } from './payload-store.ts';

/** The register's words are held by itself. */
const held = -1;

/**
 * Registers that remember the words of the last flit that went by and count how many bits the next one toggles (chiplet specification 5.9).
 *
 * Details: a register that saw the flit before in the packet takes what was counted at injection. Words are copied only when a tail goes by:
 * before that, the packet is still in the network, and the payload store has them. All registers begin with zeros.
 */
export class ToggleRegisters implements Resource {
  readonly #last: Int32Array;
  readonly #words: Int32Array;
  readonly #width: number;

  constructor(
    readonly count: number,
    width: number,
  ) {
    this.#width = 2 * width;
    this.#last = new Int32Array(count).fill(held);
    this.#words = new Int32Array(count * this.#width);
  }

  /** Bits that a flit toggles in a register. */
  toggles(register: number, flit: number, payload: PayloadStore): number {
    if (this.#follows(register, flit, payload))
      return payload.pageOf(flit)[payload.offsetOf(flit) + togglesAt]!;
    return this.#compare(register, flit, payload, 0);
  }

  /** The same where bytes are compared as numbers with a sign: each byte whose top bit changes counts 56 more. */
  signedToggles(register: number, flit: number, payload: PayloadStore): number {
    if (this.#follows(register, flit, payload))
      return payload.pageOf(flit)[payload.offsetOf(flit) + signedTogglesAt]!;
    return this.#compare(register, flit, payload, 56);
  }

  /** True when the register saw the flit before this one in its packet; the register then has seen this one. */
  #follows(register: number, flit: number, payload: PayloadStore): boolean {
    if ((flit & headBit) !== 0 || this.#last[register]! >> 2 !== (flit >> 2) - 1) return false;
    this.#see(register, flit, payload);
    return true;
  }

  #see(register: number, flit: number, payload: PayloadStore): void {
    if ((flit & tailBit) === 0) {
      this.#last[register] = flit;
      return;
    }
    const width = this.#width;
    const page = payload.pageOf(flit);
    const at = payload.offsetOf(flit) + wordsAt;
    const into = register * width;
    for (let i = 0; i < width; i++) this.#words[into + i] = page[at + i]!;
    this.#last[register] = held;
  }

  #compare(register: number, flit: number, payload: PayloadStore, perSign: number): number {
    const width = this.#width;
    const last = this.#last[register]!;
    const before = last === held ? this.#words : payload.pageOf(last);
    const beforeAt = last === held ? register * width : payload.offsetOf(last) + wordsAt;
    const page = payload.pageOf(flit);
    const at = payload.offsetOf(flit) + wordsAt;
    let toggles = 0;
    let signs = 0;
    for (let i = 0; i < width; i++) {
      const changed = page[at + i]! ^ before[beforeAt + i]!;
      toggles += ones(changed);
      if (perSign !== 0) signs += ones(changed & 0x80808080);
    }
    this.#see(register, flit, payload);
    return toggles + perSign * signs;
  }

  /** Takes over what other registers of the same shape remember. */
  restore(other: ToggleRegisters): void {
    this.#last.set(other.#last);
    this.#words.set(other.#words);
  }

  fork(): ToggleRegisters {
    const fork = new ToggleRegisters(this.count, this.#width / 2);
    fork.restore(this);
    return fork;
  }

  hash(into: Hasher): void {
    into.numbers(this.#last);
    into.numbers(this.#words);
  }
}
