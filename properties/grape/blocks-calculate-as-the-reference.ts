import { filter } from 'rxjs';
import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import { broadcastBlock } from '../../actors/grape/broadcast-block.ts';
import type { BroadcastWord } from '../../actors/grape/messages.ts';
import { compile } from '../../kernel/compile.ts';
import type { Address, LockstepEvent, Post } from '../../kernel/message.ts';
import { type Port, silentPort } from '../../kernel/port.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { judged, property } from '../property.ts';
import { blockOf, type GrapeContext, nameOfBlock, shownWord } from './context.ts';

/** Elements of slots, each PE by itself, that the reference engine carries out for one run: about a tenth of a second. */
const elementsMax = 20_000;

/** A block on the reference engine that hears everything that a block of the run hears, and whose words go nowhere. */
class Shadow {
  readonly #machine = compile(broadcastBlock);
  /** Words that it gave and the block has not, by cycle and index. */
  readonly #given = new Map<string, bigint>();
  readonly #port: Port = {
    ...silentPort,
    post: (message) => this.#note(message),
    send: (_to, _delay, message) => this.#note(message),
  };
  readonly #state;

  constructor(number: number, { nPE, lmShort, grfShort, bmShort, mode, detail }: GrapeConfig) {
    // Nothing that it posts is delivered, so it does not matter to whom.
    const nobody = 0 as Address;
    const block = new ReferenceBlock({ nPE, number, lmShort, grfShort, bmShort, mode });
    const input = { self: nobody, number, control: nobody, reduction: nobody, detail, block };
    this.#state = this.#machine.start(input, this.#port);
  }

  hear(event: LockstepEvent): void {
    this.#machine.react(this.#state, event, this.#port);
  }

  /** The word that it gave where the block gave one; undefined where it gave none. */
  take({ cycle, index }: BroadcastWord): bigint | undefined {
    const key = `${cycle} ${index}`;
    const word = this.#given.get(key);
    this.#given.delete(key);
    return word;
  }

  #note(message: Post): void {
    if (message.type !== 'bm.word') return;
    const { cycle, index, word } = message as Post & BroadcastWord;
    this.#given.set(`${cycle} ${index}`, word);
  }
}

/**
 * What the PEs calculate is what the plain engine calculates from the same slots and words (GRAPE specification 2, 4.2, 10).
 *
 * Details: each block has a shadow on the reference engine, which hears what the block hears, in the same order; so it holds under every schedule. The beginning of a run is
 * judged, up to 20,000 elements of slots over all PEs; a chip that is on the reference engine already is not, nor one whose PEs are actors.
 */
export const blocksCalculateAsTheReference = property<GrapeContext>(
  'a block gives the words that the reference engine calculates from the same slots',
  (run, { config }) => {
    const { nBB, nPE, engine, peActors } = config;
    const judges = engine !== 'reference' && !peActors;
    const heard$ = run.messages$.pipe(
      filter(({ message, to }) => judges && (to.startsWith('Block[') || message.event.type === 'bm.word')),
    );
    return judged(heard$, (found) => {
      const shadows = judges ? Array.from({ length: nBB }, (_, number) => new Shadow(number, config)) : [];
      let elements = 0;
      return {
        see({ message: { event }, to }) {
          if (elements > elementsMax) return;
          if (event.type === 'bm.word') {
            const given = event as LockstepEvent & BroadcastWord;
            const { block, index, word } = given;
            const expected = shadows[block]?.take(given);
            if (expected !== undefined && expected !== word)
              found(
                [nameOfBlock(block)],
                `word ${index} that ${nameOfBlock(block)} gives is ${shownWord(word)}, not ${shownWord(expected)}`,
              );
            return;
          }
          if (event.type === 'slot.issue') {
            const { slot } = event as LockstepEvent & { readonly slot: { readonly vlen: number } | null };
            elements += (slot?.vlen ?? 0) * nPE;
          }
          shadows[blockOf(to)]!.hear(event);
        },
      };
    });
  },
);
