import type { Gasnet } from '../../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import { RandomChoices } from '../../../kernel/choices.ts';
import { mixSeed } from '../../../kernel/mix-seed.ts';
import { agree, sameBytes } from './judge.ts';

export type Kind = 'cpu' | 'gpu';
/** Where bytes lie: in the segments of a node, or in its memory behind them. */
export type Home = Kind | 'private';
export const homes: readonly Home[] = ['cpu', 'gpu', 'private'];

/** A rank that takes part in a case: its memory, and the numbers that it draws. */
export class Party {
  readonly #choices: RandomChoices;

  constructor(
    readonly gasnet: Gasnet,
    seed: number,
  ) {
    this.#choices = new RandomChoices(mixSeed(seed, gasnet.rank + 1));
  }

  get rank(): number {
    return this.gasnet.rank;
  }
  get nodes(): number {
    return this.gasnet.nodes;
  }
  /** The rank so many further on. */
  further(by: number): number {
    return (this.rank + by + this.nodes) % this.nodes;
  }
  /** An address in the segment of a rank. */
  at(rank: number, kind: Kind, offset: number): number {
    return this.gasnet.segment(rank, kind).base + offset;
  }
  /** An address of this node. */
  own(home: Home, offset: number): number {
    return home === 'private' ? this.gasnet.privateMemory.base + offset : this.at(this.rank, home, offset);
  }
  /** A number from 0 to below `count`. */
  draw(count: number): number {
    return this.#choices.pick('of a case', count);
  }
  /** One of a list. */
  one<T>(list: readonly T[]): T {
    return list[this.draw(list.length)]!;
  }
  /** A size from 1 to `most`; small ones are as likely as large ones. */
  size(most: number): number {
    const bits = this.draw(Math.floor(Math.log2(most)) + 1);
    return Math.min(most, 2 ** bits + this.draw(2 ** bits));
  }

  /** Finds bytes of this node as expected. */
  *holds(what: string, address: number, expected: Uint8Array): Task<void> {
    sameBytes(`rank ${this.rank}: ${what}`, yield* this.gasnet.read(address, expected.length), expected);
  }
}

/** Begins a case on a node: its handlers are known everywhere when this returns. */
export function* enter(gasnet: Gasnet, seed: number, handlers: readonly Handler[] = []): Task<Party> {
  agree('init', yield* gasnet.init(), 'OK');
  agree('attach', yield* gasnet.attach(handlers.map((handler) => ({ handler }))), 'OK');
  agree('the first barrier', yield* gasnet.barrier(), 'OK');
  return new Party(gasnet, seed);
}

/** Ends a case on a node: nobody goes before all are done. */
export function* leave({ gasnet }: Party): Task<void> {
  agree('the last barrier', yield* gasnet.barrier(), 'OK');
}
