import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import { broadcastBlock } from '../../actors/grape/broadcast-block.ts';
import type { GrapeMessage } from '../../actors/grape/protocol.ts';
import { compile } from '../../kernel/compile.ts';
import { copyContext } from '../../kernel/copy.ts';
import type { Found, Observation, Observer } from '../../kernel/explore/observer.ts';
import { transcriptOf } from '../../kernel/explore/transcript.ts';
import type { Address, LockstepEvent, Post } from '../../kernel/message.ts';
import { type Port, silentPort } from '../../kernel/port.ts';
import { CompiledSnapshot } from '../../kernel/tables.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { Shared } from '../shared.ts';
import { blockOf, countTicks, type GrapeProperty, nameOfBlock, shownWord } from './context.ts';

/** Elements of slots, each PE by itself, that the reference engine carries out for one run: about a tenth of a second. */
const elementsMax = 20_000;

const machine = compile(broadcastBlock);

/** A block on the reference engine that hears everything that a block of the run hears, and whose words go nowhere. */
class Shadow {
  /** Words that it gave and the block has not, by cycle and index. */
  readonly #given: Map<string, bigint>;
  readonly #port = {
    ...silentPort,
    post: (message: Post): void => this.#note(message),
    send: (_to: Address, _delay: number | undefined, message: Post): void => this.#note(message),
  };
  readonly #state: CompiledSnapshot;

  private constructor(given: Map<string, bigint>, start: (port: Port) => CompiledSnapshot) {
    this.#given = given;
    this.#state = start(this.#port);
  }

  static of(number: number, { nPE, lmShort, grfShort, bmShort, mode, detail }: GrapeConfig): Shadow {
    // Nothing that it posts is delivered, so it does not matter to whom.
    const nobody = 0 as Address;
    const block = new ReferenceBlock({ nPE, number, lmShort, grfShort, bmShort, mode });
    const input = { number, control: nobody, reduction: nobody, detail, block };
    return new Shadow(new Map(), (port) => machine.start(input, port));
  }

  /** Another one that has heard the same. */
  copy(): Shadow {
    const { configuration, context } = this.#state;
    const own = copyContext(context, new Map(), false, 'shadow');
    return new Shadow(
      new Map(this.#given),
      () => new CompiledSnapshot(machine, configuration, own, 'mutable'),
    );
  }

  /** All that what it does from now on depends on. */
  get text(): string {
    const { configuration, context } = this.#state;
    return transcriptOf([configuration.name, context, [...this.#given]]);
  }

  hear(event: LockstepEvent, now: number): void {
    this.#port.now = now;
    machine.react(this.#state, event, this.#port);
  }

  /** The word that it gave where the block gave one in this cycle; undefined where it gave none. */
  take({ index }: GrapeMessage<'bm.word'>, now: number): bigint | undefined {
    const key = `${now} ${index}`;
    const word = this.#given.get(key);
    this.#given.delete(key);
    return word;
  }

  #note(message: Post): void {
    if (message.type !== 'bm.word') return;
    const { index, word } = message as Post & GrapeMessage<'bm.word'>;
    this.#given.set(`${this.#port.now} ${index}`, word);
  }
}

interface Memory {
  /** By block. */
  readonly shadows: Shared<Shadow>[];
  /** Elements carried out so far. */
  elements: number;
  tick: number;
}

/** Nothing was heard yet, or nothing is to be judged. */
const nothing: Observer<Memory>['begin'] = () => ({ shadows: [], elements: 0, tick: 0 });

/**
 * What the PEs calculate is what the plain engine calculates from the same slots and words (GRAPE specification 2, 4.2, 10).
 *
 * Details: each block has a shadow on the reference engine, which hears what the block hears, in the same order; so it holds under every schedule. The beginning of a run is
 * judged, up to 20,000 elements of slots over all PEs; a chip that is on the reference engine already is not, nor one whose PEs are actors.
 */
export const blocksCalculateAsTheReference: GrapeProperty = {
  sentence: 'a block gives the words that the reference engine calculates from the same slots',
  of({ config }) {
    const { sentence } = this;
    const { nBB, nPE, engine, peActors } = config;
    if (engine === 'reference' || peActors)
      return { sentence, watches: [], begin: nothing, see: () => undefined };
    const see = (memory: Memory, observation: Observation): Found | undefined => {
      if (observation.kind === 'probe' || memory.elements > elementsMax) return undefined;
      const { event, to } = observation;
      if (event.type === 'bm.word') {
        const given = event as LockstepEvent & GrapeMessage<'bm.word'>;
        const { block, index, word } = given;
        const expected = memory.shadows[block]?.own().take(given, memory.tick);
        if (expected === undefined || expected === word) return undefined;
        const why = `word ${index} that ${nameOfBlock(block)} gives is ${shownWord(word)}, not ${shownWord(expected)}`;
        return { actors: [nameOfBlock(block)], why };
      }
      if (!to.startsWith('Block[')) return undefined;
      if (event.type === 'slot.issue') {
        const { slot } = event as LockstepEvent & { readonly slot: { readonly vlen: number } | null };
        memory.elements += (slot?.vlen ?? 0) * nPE;
      }
      memory.shadows[blockOf(to)]!.own().hear(event, memory.tick);
      return undefined;
    };
    return {
      sentence,
      watches: [...broadcastBlock.events, 'bm.word'],
      begin: (): Memory => ({
        shadows: Array.from(
          { length: nBB },
          (_, number) =>
            new Shared(
              Shadow.of(number, config),
              (shadow) => shadow.copy(),
              (shadow) => shadow.text,
            ),
        ),
        elements: 0,
        tick: 0,
      }),
      see,
      advance: countTicks,
    };
  },
};
