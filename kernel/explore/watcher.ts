import { copyContext } from '../copy.ts';
import { invariant } from '../errors.ts';
import type { LockstepEvent, Probe } from '../message.ts';
import { type EntryKind, entries } from './chronicle.ts';
import type { Found, Observer, Sight } from './observer.ts';
import { transcriptOf } from './transcript.ts';

/** What looking at something did to the memory of an observer. */
export interface Seen {
  /** Number of the memory from now on. */
  readonly next: number;
  readonly found: Found | undefined;
}

interface Memory {
  readonly data: object;
  /** By what was looked at: mail, a probe, or a name for the rest. */
  readonly steps: Map<unknown, Seen>;
}

/** One observer with all its memories so far, each worked out once: to the checker it is an actor that only listens. */
export class Watcher {
  readonly observer: Observer;
  /** Its number among the observers. */
  readonly index: number;
  /** Agrees with other threads that a memory takes a step now; false when another one did so first. Absent where there are none. */
  agree: ((kind: EntryKind, memory: number, number: number) => boolean) | undefined;
  readonly #memories: Memory[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #types: ReadonlySet<string> | undefined;

  constructor(observer: Observer, index: number) {
    this.observer = observer;
    this.index = index;
    this.#types = observer.watches && new Set(observer.watches);
  }

  /** Number of the memory before the first delivery. */
  begin(): number {
    return this.#numberOf(this.observer.begin());
  }

  /** True when the observer looks at messages or probes of this type. */
  watches(type: string): boolean {
    return this.#types === undefined || this.#types.has(type);
  }

  /** A message is delivered; `mail` stands for it. */
  hear(memory: number, mail: number, from: string, to: string, event: LockstepEvent): Seen {
    const known = this.#memories[memory]!.steps.get(mail);
    if (known) return known;
    return this.#step(memory, mail, entries.hear, mail, (data) =>
      this.#see(data, { kind: 'message', from, to, event }),
    );
  }

  /** An actor shows something; one object always comes from one actor. `number` stands for it; it is asked for where it matters. */
  look(memory: number, actor: string, probe: Probe, number: () => number): Seen {
    const known = this.#memories[memory]!.steps.get(probe);
    if (known) return known;
    return this.#step(memory, probe, entries.look, number, (data) =>
      this.#see(data, { kind: 'probe', actor, probe }),
    );
  }

  /** The clock moves on. */
  advance(memory: number, ticks: number): Seen {
    return this.#step(memory, `advance ${ticks}`, entries.advance, ticks, (data) =>
      this.observer.advance?.(data, ticks),
    );
  }

  /** A tick is over. */
  endOfTick(memory: number): Seen {
    return this.#step(memory, 'end of tick', entries.endOfTick, 0, (data) => this.observer.endOfTick?.(data));
  }

  /** Nothing will happen any more. */
  quiet(memory: number): Seen {
    return this.#step(memory, 'quiet', entries.quiet, 0, (data) => this.observer.quiet?.(data));
  }

  /** Number of a memory after two actors have changed places. */
  exchanged(memory: number, by: { nameOf(name: string): string }): number {
    const { observer } = this;
    if (!observer.exchange) return memory;
    return this.#numberOf(observer.exchange(this.memoryOf(memory), (name) => by.nameOf(name)));
  }

  /** A memory as data. */
  memoryOf(number: number): object {
    return this.#memories[number]!.data;
  }

  #see(data: object, sight: Sight): Found | undefined {
    return this.observer.see(data, sight);
  }

  #step(
    memory: number,
    what: unknown,
    kind: EntryKind,
    number: number | (() => number),
    look: (data: object) => Found | undefined,
  ): Seen {
    const { data, steps } = this.#memories[memory]!;
    const known = steps.get(what);
    if (known) return known;
    const mine = this.agree?.(kind, memory, typeof number === 'number' ? number : number()) ?? true;
    if (!mine) {
      const followed = steps.get(what);
      invariant(followed, `what "${this.observer.sentence}" sees was not followed`);
      return followed;
    }
    const changed = copyContext(data, new Map(), false, `the memory of "${this.observer.sentence}"`);
    const found = look(changed);
    const seen = { next: this.#numberOf(changed), found };
    steps.set(what, seen);
    return seen;
  }

  #numberOf(data: object): number {
    const key = transcriptOf(data);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#memories.push({ data, steps: new Map() }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
