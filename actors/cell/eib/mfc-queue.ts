import { invariant } from '../../../kernel/errors.ts';
import type { Hasher } from '../../../kernel/hash.ts';
import type { Address } from '../../../kernel/message.ts';
import type { MessageOf } from '../../../kernel/protocol/protocol.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { EibSpec } from './eib-spec.ts';
import { packetCount, packetSize } from './packet.ts';
import type { eibProtocol, Packet } from './protocol.ts';

/** A command, and who gave it and gets the answer. */
export type GivenCommand = Omit<MessageOf<typeof eibProtocol, 'mfc.command'>, 'type'> & {
  readonly from: Address;
};

/** A program that waits for tag groups. */
interface Awaiting {
  readonly tags: readonly number[];
  readonly from: Address;
}

/** A command that has a place in the queue, and how many of its packets have not arrived. */
interface OpenCommand {
  readonly given: GivenCommand;
  left: number;
}

/** What an MFC counts; latencies in bus cycles from the program's wish to the last byte in the receiver's store. */
export interface MfcFigures {
  commands: number;
  packets: number;
  bytes: number;
  latencyMin: number;
  latencyMax: number;
  latencySum: number;
  /** Cycle in which its last command was complete, -1 for none. */
  lastDone: number;
}

/**
 * The commands of one MFC: queued, being cut into packets, under way; and who waits for a place or for tag groups (Cell specification 19.1,
 * 19.2).
 */
export class MfcQueue implements Resource {
  readonly figures: MfcFigures;
  /** Accepted and not yet prepared, oldest first. */
  #queued: OpenCommand[] = [];
  /** Accepted and not complete, the queued ones among them. */
  #open: OpenCommand[] = [];
  /** Commands without a place, oldest first: at most one an issuer, since an issuer without a place waits. */
  #parked: GivenCommand[] = [];
  #awaited: Awaiting | undefined;
  #current: OpenCommand | undefined;
  #piece = 0;
  /** Bytes of the current piece, and of the pieces before it, that have been cut off. */
  #cut = 0;
  #before = 0;
  #part = 0;
  #credits: number;

  constructor(
    readonly spec: EibSpec,
    readonly element: number,
    figures?: MfcFigures,
  ) {
    this.#credits = spec.commandCredits;
    this.figures = figures ?? {
      commands: 0,
      packets: 0,
      bytes: 0,
      latencyMin: Number.MAX_SAFE_INTEGER,
      latencyMax: 0,
      latencySum: 0,
      lastDone: -1,
    };
  }

  /** Commands accepted and not complete. */
  get openCount(): number {
    return this.#open.length;
  }
  /** True when a command waits for its preparation. */
  get hasQueued(): boolean {
    return this.#queued.length > 0;
  }
  /** The command being prepared or cut. */
  get current(): GivenCommand | undefined {
    return this.#current?.given;
  }
  /** True when the present piece is cut up. */
  get pieceIsCut(): boolean {
    return this.#pieceOf().size === this.#cut;
  }
  /** True when the present piece is cut up and was the last of its command. */
  get commandIsCut(): boolean {
    return this.pieceIsCut && this.#piece === this.#current!.given.command.pieces.length - 1;
  }

  /** Says whether a command of `issuer` would find a place: 16 for the own program, 8 for all others together. */
  hasPlaceFor(issuer: number): boolean {
    const own = issuer === this.element;
    let taken = 0;
    for (const { given } of this.#open) if ((given.issuer === this.element) === own) taken++;
    return taken < (own ? this.spec.mfcQueue : this.spec.mfcProxyQueue);
  }

  /** Gives a command a place. */
  accept(given: GivenCommand): void {
    invariant(this.hasPlaceFor(given.issuer), 'a command was accepted by a full queue');
    let left = 0;
    for (const piece of given.command.pieces) left += packetCount(this.spec.packetBytes, piece);
    const open = { given, left };
    this.#queued.push(open);
    this.#open.push(open);
  }

  /** Keeps a command until there is a place. */
  park(given: GivenCommand): void {
    this.#parked.push(given);
  }

  /** Accepts the oldest command without a place that can have one now, if any, and returns it. */
  acceptParked(): GivenCommand | undefined {
    const index = this.#parked.findIndex(({ issuer }) => this.hasPlaceFor(issuer));
    if (index < 0) return undefined;
    const given = this.#parked.splice(index, 1)[0]!;
    this.accept(given);
    return given;
  }

  /** Makes the oldest queued command the current one, at its first piece. */
  begin(): void {
    this.#current = this.#queued.shift();
    this.#piece = 0;
    this.#cut = 0;
    this.#before = 0;
    this.#part = 0;
  }

  /** Goes on to the next piece of the current list. */
  nextPiece(): void {
    this.#before += this.#cut;
    this.#cut = 0;
    this.#piece++;
  }

  /** Cuts the next packet off the present piece; undefined at its end, or when all command credits are in use. */
  cutPacket(): Packet | undefined {
    if (this.#credits === 0 || this.pieceIsCut) return undefined;
    const { given } = this.#current!;
    const { kind, local, element } = given.command;
    const piece = this.#pieceOf();
    const there = piece.address + this.#cut;
    const here = local + this.#before + this.#cut;
    const size = packetSize(this.spec.packetBytes, there, piece.size - this.#cut);
    this.#cut += size;
    this.#credits--;
    this.figures.packets++;
    const put = kind === 'put';
    return {
      initiator: this.element,
      issuer: given.issuer,
      command: given.number,
      part: this.#part++,
      source: put ? this.element : element,
      target: put ? element : this.element,
      sourceAddress: put ? here : there,
      targetAddress: put ? there : here,
      size,
    };
  }

  /** Counts an arrived packet; returns its command when that is complete, else undefined. Errors: a defect when the command is not open. */
  settle(issuer: number, number: number, t: number): GivenCommand | undefined {
    const index = this.#open.findIndex(({ given }) => given.issuer === issuer && given.number === number);
    const open = this.#open[index];
    invariant(
      open !== undefined,
      `a packet of command ${number} of element ${issuer} arrived, which is not open`,
    );
    this.#credits++;
    if (--open.left > 0) return undefined;
    this.#open.splice(index, 1);
    const { given } = open;
    const { figures } = this;
    const latency = t - given.issued;
    figures.commands++;
    for (const { size } of given.command.pieces) figures.bytes += size;
    figures.latencyMin = Math.min(figures.latencyMin, latency);
    figures.latencyMax = Math.max(figures.latencyMax, latency);
    figures.latencySum += latency;
    figures.lastDone = t;
    return given;
  }

  /** Notes who waits for which tag groups. */
  await(tags: readonly number[], from: Address): void {
    this.#awaited = { tags, from };
  }

  /** Returns who waits when the wait is over, and forgets it; undefined else. Commands of other elements do not count. */
  endAwait(): Address | undefined {
    const awaited = this.#awaited;
    if (awaited === undefined) return undefined;
    for (const { given } of this.#open)
      if (given.issuer === this.element && awaited.tags.includes(given.command.tag)) return undefined;
    this.#awaited = undefined;
    return awaited.from;
  }

  fork(): MfcQueue {
    const copy = new MfcQueue(this.spec, this.element, { ...this.figures });
    const copies = new Map(this.#open.map((open) => [open, { ...open }]));
    copy.#open = [...copies.values()];
    copy.#queued = this.#queued.map((open) => copies.get(open)!);
    copy.#parked = [...this.#parked];
    copy.#awaited = this.#awaited;
    // A command is complete only after it was cut up; the current one may have been settled since and is then kept for its pieces alone.
    copy.#current = this.#current && (copies.get(this.#current) ?? { ...this.#current });
    copy.#piece = this.#piece;
    copy.#cut = this.#cut;
    copy.#before = this.#before;
    copy.#part = this.#part;
    copy.#credits = this.#credits;
    return copy;
  }

  hash(into: Hasher): void {
    into.value(this.#open);
    into.value(this.#queued);
    into.value(this.#parked);
    into.value(this.#awaited);
    into.value(this.#current);
    into.numbers([this.#piece, this.#cut, this.#before, this.#part, this.#credits]);
    into.value(this.figures);
  }

  #pieceOf() {
    return this.#current!.given.command.pieces[this.#piece]!;
  }
}
