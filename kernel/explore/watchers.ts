import type { Probe } from '../message.ts';
import { type EntryKind, entries } from './chronicle.ts';
import type { Found, Observer } from './observer.ts';
import { type Alternative, failed, type Repertoire } from './repertoire.ts';
import { transcriptOf } from './transcript.ts';
import { type Seen, Watcher } from './watcher.ts';

/** Is told what an observer found, and the sentence of it. */
export type Tell = (found: Found, sentence: string) => void;

/** All observers of an exploration, at work on states: the memory of each is a word in the header of a state. */
export class Watchers {
  readonly #all: readonly Watcher[];
  readonly #repertoire: Repertoire;

  constructor(observers: readonly Observer[], repertoire: Repertoire) {
    this.#all = observers.map((observer) => new Watcher(observer));
    this.#repertoire = repertoire;
  }

  /** How many there are. */
  get count(): number {
    return this.#all.length;
  }

  /** Lets all observers agree with other threads on the order of what they see. */
  agreeBy(agree: (kind: EntryKind, observer: number, memory: number, number: number) => boolean): void {
    this.#all.forEach((watcher, index) => {
      watcher.agree = (kind, memory, number) => agree(kind, index, memory, number);
    });
  }

  /** Sees what another thread has shown an observer. */
  follow(kind: EntryKind, observer: number, memory: number, number: number): void {
    const watcher = this.#all[observer]!;
    const { agree } = watcher;
    watcher.agree = undefined;
    const repertoire = this.#repertoire;
    if (kind === entries.hear)
      watcher.hear(
        memory,
        number,
        repertoire.senderOf(number),
        repertoire.receiverOf(number),
        repertoire.eventOf(number),
      );
    else if (kind === entries.look) {
      const { actor, probe } = repertoire.probeOf(number);
      watcher.look(memory, actor, probe, () => number);
    } else if (kind === entries.advance) watcher.advance(memory, number);
    else if (kind === entries.endOfTick) watcher.endOfTick(memory);
    else watcher.quiet(memory);
    watcher.agree = agree;
  }

  /** The memories before anything happened. */
  begin(): readonly number[] {
    return this.#all.map((watcher) => watcher.begin());
  }

  /** True when some observer looks at a message or at what its receiver may show. */
  lookAt(mail: number, alternatives: readonly Alternative[]): boolean {
    const { type } = this.#repertoire.eventOf(mail);
    return this.#all.some(
      (watcher) =>
        watcher.watches(type) ||
        alternatives.some(({ probes }) => probes.some((probe) => watcher.watches(probe.type))),
    );
  }

  /** An actor shows something. */
  show(words: Uint32Array, at: number, actor: string, probe: Probe, tell: Tell): void {
    this.#update(words, at, tell, (watcher, memory) =>
      watcher.watches(probe.type)
        ? watcher.look(memory, actor, probe, () => this.#repertoire.numberOf(probe))
        : undefined,
    );
  }

  /** A delivery led to the state at `at`: its probes, then the message. A handling that failed is not seen. */
  deliver(words: Uint32Array, at: number, mail: number, alternative: Alternative, tell: Tell): void {
    if (this.#all.length === 0 || alternative.next === failed || alternative.lost) return;
    const repertoire = this.#repertoire;
    const event = repertoire.eventOf(mail);
    const to = repertoire.receiverOf(mail);
    for (const probe of alternative.probes) this.show(words, at, to, probe, tell);
    this.#update(words, at, tell, (watcher, memory) =>
      watcher.watches(event.type)
        ? watcher.hear(memory, mail, repertoire.senderOf(mail), to, event)
        : undefined,
    );
  }

  /** The clock moves on. */
  advance(words: Uint32Array, at: number, ticks: number, tell: Tell): void {
    this.#update(words, at, tell, (watcher, memory) => watcher.advance(memory, ticks));
  }

  /** A tick is over. */
  endOfTick(words: Uint32Array, at: number, tell: Tell): void {
    this.#update(words, at, tell, (watcher, memory) => watcher.endOfTick(memory));
  }

  /** Nothing will happen any more. */
  quiet(words: Uint32Array, at: number, tell: Tell): void {
    this.#update(words, at, tell, (watcher, memory) => watcher.quiet(memory));
  }

  /** Number of the memory of an observer after two actors have changed places. */
  exchanged(observer: number, memory: number, by: { nameOf(name: string): string }): number {
    return this.#all[observer]!.exchanged(memory, by);
  }

  /** What a memory is, as a text that does not depend on numbers. */
  memoryText(observer: number, memory: number): string {
    return transcriptOf(this.#all[observer]!.memoryOf(memory));
  }

  /** The memories in the state at `at`, as data. */
  memories(words: Uint32Array, at: number): readonly object[] {
    return this.#all.map((watcher, index) => watcher.memoryOf(words[at + 1 + index]!));
  }

  #update(
    words: Uint32Array,
    at: number,
    tell: Tell,
    look: (watcher: Watcher, memory: number) => Seen | undefined,
  ): void {
    for (let index = 0; index < this.#all.length; index++) {
      const watcher = this.#all[index]!;
      const seen = look(watcher, words[at + 1 + index]!);
      if (seen === undefined) continue;
      words[at + 1 + index] = seen.next;
      if (seen.found) tell(seen.found, watcher.observer.sentence);
    }
  }
}
