import type { Probe } from '../message.ts';
import { type Alternative, failed } from './alternative.ts';
import { type EntryKind, entries } from './chronicle.ts';
import type { Found, Observer } from './observer.ts';
import type { Repertoire } from './repertoire.ts';
import { transcriptOf } from './transcript.ts';
import { type Seen, Watcher } from './watcher.ts';

/** Is told what an observer found, and the sentence of it. */
export type Tell = (found: Found, sentence: string) => void;

/** Whether some of the observers looks at messages and probes of a type; undefined when there are none. */
export function watchedBy(observers: readonly Observer[]): ((type: string) => boolean) | undefined {
  if (observers.length === 0) return undefined;
  const known = new Map<string, boolean>();
  return (type) => {
    let watched = known.get(type);
    if (watched === undefined) {
      watched = observers.some(({ watches }) => watches?.includes(type) ?? true);
      known.set(type, watched);
    }
    return watched;
  };
}

/** All observers of an exploration, at work on states: the memory of each is a word in the header of a state. */
export class Watchers {
  readonly #all: readonly Watcher[];
  /** Those that look at the clock, and those that look at ends of ticks. */
  readonly #timing: readonly Watcher[];
  readonly #ending: readonly Watcher[];
  readonly #repertoire: Repertoire;

  constructor(observers: readonly Observer[], repertoire: Repertoire) {
    this.#all = observers.map((observer, index) => new Watcher(observer, index));
    this.#timing = this.#all.filter(({ observer }) => observer.advance);
    this.#ending = this.#all.filter(({ observer }) => observer.endOfTick);
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
        repertoire.slots.senderName(number),
        repertoire.slots.receiverOf(number).name,
        repertoire.slots.eventOf(number),
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

  /** An actor shows something. */
  show(words: Uint32Array, at: number, actor: string, probe: Probe, tell: Tell): void {
    this.#update(this.#all, words, at, tell, (watcher, memory) =>
      watcher.watches(probe.type)
        ? watcher.look(memory, actor, probe, () => this.#repertoire.numberOf(probe))
        : undefined,
    );
  }

  /** A delivery led to the state at `at`: its probes, then the message. A handling that failed is not seen. */
  deliver(words: Uint32Array, at: number, mail: number, alternative: Alternative, tell: Tell): void {
    if (!alternative.seen || alternative.next === failed || alternative.lost) return;
    const { slots } = this.#repertoire;
    const event = slots.eventOf(mail);
    const to = slots.receiverOf(mail).name;
    for (const probe of alternative.probes) this.show(words, at, to, probe, tell);
    this.#update(this.#all, words, at, tell, (watcher, memory) =>
      watcher.watches(event.type) ? watcher.hear(memory, mail, slots.senderName(mail), to, event) : undefined,
    );
  }

  /** The clock moves on. */
  advance(words: Uint32Array, at: number, ticks: number, tell: Tell): void {
    this.#update(this.#timing, words, at, tell, (watcher, memory) => watcher.advance(memory, ticks));
  }

  /** A tick is over. */
  endOfTick(words: Uint32Array, at: number, tell: Tell): void {
    this.#update(this.#ending, words, at, tell, (watcher, memory) => watcher.endOfTick(memory));
  }

  /** Nothing will happen any more. */
  quiet(words: Uint32Array, at: number, tell: Tell): void {
    this.#update(this.#all, words, at, tell, (watcher, memory) => watcher.quiet(memory));
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
    watchers: readonly Watcher[],
    words: Uint32Array,
    at: number,
    tell: Tell,
    look: (watcher: Watcher, memory: number) => Seen | undefined,
  ): void {
    for (const watcher of watchers) {
      const memory = at + 1 + watcher.index;
      const seen = look(watcher, words[memory]!);
      if (seen === undefined) continue;
      words[memory] = seen.next;
      if (seen.found) tell(seen.found, watcher.observer.sentence);
    }
  }
}
