import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { EibSpec } from './eib-spec.ts';

/**
 * The order in which elements are served: those with priority first, then the others, the one served longest ago first (Cell specification 19.1,
 * arbitration; 19.2, request order).
 *
 * Details: this is a round robin in which nobody loses a turn: an element that could not be served keeps its place. With a pointer that moves
 * past it instead, two elements that free and take a ring in turn can keep a third from it for ever.
 */
export class RoundRobin implements Resource {
  readonly #first: readonly number[];
  /** Elements without priority, the next one first. */
  #others: number[];

  constructor(readonly spec: Pick<EibSpec, 'elements' | 'priority'>) {
    this.#first = spec.priority.map((name) => spec.elements.indexOf(name));
    this.#others = spec.elements.map((_, element) => element).filter((one) => !this.#first.includes(one));
  }

  /** All elements, the next one first: an independent list. */
  order(): number[] {
    return [...this.#first, ...this.#others];
  }

  /** Notes that an element was served: it goes to the end; one with priority keeps its place. */
  served(element: number): void {
    const place = this.#others.indexOf(element);
    if (place < 0) return;
    this.#others.splice(place, 1);
    this.#others.push(element);
  }

  fork(): RoundRobin {
    const copy = new RoundRobin(this.spec);
    copy.#others = [...this.#others];
    return copy;
  }

  hash(into: Hasher): void {
    into.numbers(this.#others);
  }
}
