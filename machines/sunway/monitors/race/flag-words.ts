import type { Stamp } from './clock.ts';
import type { Space } from './race-event.ts';

/** What the last store to each word that a program marks as a flag told (Sunway specification 7.3). */
export class FlagWords {
  readonly #spaces = new Map<Space, Map<number, Stamp>>();

  /** What the one who stored last knew; undefined when nobody has. */
  told(space: Space, address: number): Stamp | undefined {
    return this.#spaces.get(space)?.get(address);
  }

  tell(space: Space, address: number, stamp: Stamp): void {
    const words = this.#spaces.get(space);
    if (words) words.set(address, stamp);
    else this.#spaces.set(space, new Map([[address, stamp]]));
  }
}
