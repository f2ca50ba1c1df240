import type { Gasnet } from './gasnet.ts';
import type { Handler } from './handler.ts';
import { libraryHandlers } from './library-handlers.ts';
import { argumentsMax } from './packet.ts';
import type { Task } from './task.ts';

/** What has come of a message: how many bytes there are, and which. */
interface Letter {
  readonly bytes: Uint8Array;
  come: number;
}

/** What both sides call a message: a team, how many operations it has begun before, and a step of the operation. */
export interface LetterName {
  readonly team: number;
  readonly sequence: number;
  readonly step: number;
}

/** Words of 4 bytes that a short message holds beside its name. */
const wordsMax = argumentsMax - 3;
/** Bytes that one short message brings. */
export const wordBytesMax = 4 * wordsMax;

/**
 * Messages of any length between the libraries of two nodes, kept until they are asked for: what collectives are made of.
 *
 * Details: a message is known by its sender and a name that both sides work out alike. Longer ones go in medium messages.
 */
export class Mailbox {
  readonly #letters = new Map<string, Letter>();
  readonly #gasnet: Gasnet;

  constructor(gasnet: Gasnet) {
    this.#gasnet = gasnet;
  }

  /** The handlers that fill it. */
  get handlers(): ReadonlyMap<number, Handler> {
    return new Map<number, Handler>([
      [
        libraryHandlers.mail,
        (_gasnet, { source }, { args: [team, sequence, step, offset, total], payload }) => {
          const letter = this.#letter(keyOf(source, { team, sequence, step } as LetterName), total!);
          letter.bytes.set(payload, offset);
          letter.come += payload.length;
        },
      ],
      [
        libraryHandlers.words,
        (_gasnet, { source }, { args: [team, sequence, step, ...words] }) => {
          const key = keyOf(source, { team, sequence, step } as LetterName);
          const letter = this.#letter(key, 4 * words.length);
          const view = new DataView(letter.bytes.buffer);
          for (const [k, word] of words.entries()) view.setUint32(4 * k, word, true);
          letter.come = letter.bytes.length;
        },
      ],
    ]);
  }

  /** Sends bytes under a name. */
  *send(target: number, { team, sequence, step }: LetterName, bytes: Uint8Array): Task<void> {
    const { limits } = this.#gasnet;
    for (let offset = 0; offset < bytes.length || offset === 0; offset += limits.mediumBytes) {
      const payload = bytes.slice(offset, offset + limits.mediumBytes);
      const args = [team, sequence, step, offset, bytes.length];
      yield* this.#gasnet.sendBytes(target, libraryHandlers.mail, args, payload);
    }
  }

  /** Sends whole words, `wordBytesMax` bytes at most, as the arguments of one short message: the quickest way (TCA specification 12.2). */
  *sendWords(target: number, { team, sequence, step }: LetterName, bytes: Uint8Array): Task<void> {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const words = Array.from({ length: bytes.length / 4 }, (_, k) => view.getUint32(4 * k, true));
    yield* this.#gasnet.sendShort(target, libraryHandlers.words, [team, sequence, step, ...words]);
  }

  /** Waits for what a node sends under a name. */
  *receive(source: number, name: LetterName): Task<Uint8Array> {
    const key = keyOf(source, name);
    yield* this.#gasnet.waitUntil(() => {
      const letter = this.#letters.get(key);
      return letter !== undefined && letter.come === letter.bytes.length;
    });
    const { bytes } = this.#letters.get(key)!;
    this.#letters.delete(key);
    return bytes;
  }

  #letter(key: string, total: number): Letter {
    const letter = this.#letters.get(key) ?? { bytes: new Uint8Array(total), come: 0 };
    this.#letters.set(key, letter);
    return letter;
  }
}

const keyOf = (source: number, { team, sequence, step }: LetterName): string =>
  `${source} ${team} ${sequence} ${step}`;
