import type { Address } from '../../../kernel/message.ts';
import type { TcaConfig } from '../../../machines/tca/config.ts';
import { type PlainPart, placeIn, type Send, type Taken, u } from './plain-part.ts';

/** Credits of a port that a sender has left (TCA specification 4). */
class Credits {
  #writes: number;
  #units: number;
  #reads: number;

  constructor({ writeHeaders, writeUnits, readHeaders }: TcaConfig['room']) {
    this.#writes = writeHeaders;
    this.#units = writeUnits;
    this.#reads = readHeaders;
  }

  allow(packet: Taken): boolean {
    if (packet.type === 'tlp.completion') return true;
    return packet.type === 'tlp.read'
      ? this.#reads >= 1
      : this.#writes >= 1 && this.#units >= unitsOf(packet);
  }

  take(packet: Taken, sign = 1): void {
    if (packet.type === 'tlp.read') this.#reads -= sign;
    if (packet.type === 'tlp.write') {
      this.#writes -= sign;
      this.#units -= sign * unitsOf(packet);
    }
  }

  giveBack({ kind, headers, units }: Taken): void {
    if (kind === 'NP') this.#reads += headers;
    if (kind === 'P') {
      this.#writes += headers;
      this.#units += units;
    }
  }
}

const unitsOf = ({ data }: Taken): number => Math.ceil(data.length / 16);

/** All that a packet carries, for who gets it next. */
export const packetFields = ({
  type,
  addr,
  data,
  tag,
  seq,
  source,
  channel,
  bytes,
  requester,
  offset,
}: Taken) =>
  type === 'tlp.write'
    ? { addr, data, seq, source, channel }
    : type === 'tlp.read'
      ? { addr, bytes, tag, channel, requester }
      : { tag, offset, data, requester };

/** What a link is like. */
interface LinkKind {
  readonly self: Address;
  readonly far: Address;
  /** Whose transmit queue it empties, and the port of it; nobody's when absent. */
  readonly queueOf?: { readonly router: Address; readonly port: number };
  /** Cycles from the end of a write to its arrival, and of the others. */
  readonly writeLatency: number;
  readonly otherLatency: number;
  /** Whether a GPU takes what comes out. */
  readonly endsAtGpu: boolean;
  /** What the seed decides of bit errors: by how likely one is and how many numbers there were, the next one below 2^32. */
  readonly noise: ((number: number) => number) | undefined;
}

/** Sub-ticks until a damaged packet is sent again, and how often at most (TCA specification 4). */
const replay = u * 250;
const replaysMost = 16;

/**
 * One direction of a link (TCA specification 4, 5, 6).
 *
 * Details: a packet begins in the tick in which it can: it is at the head of its queue, the link is free, the far port has room, and so has the write buffer of the GPU. Reads wait apart from all
 * others; when both could go they take turns, a read first.
 */
export class PlainLink implements PlainPart {
  readonly #config: TcaConfig;
  readonly #kind: LinkKind;
  readonly #credits: Credits;
  readonly #reads: Taken[] = [];
  readonly #others: Taken[] = [];
  #isBusy = false;
  #readIsNext = true;
  #sent = 0;
  /** Bytes in the write buffer of the GPU, times the denominator of its rate, at a tick. */
  #level = 0;
  #levelAt = 0;
  /** Tick in which it looks again at a write that the GPU has no room for. */
  #looksAt = -1;
  /** Tick from which on something could go; none while nothing can. */
  #due = Number.POSITIVE_INFINITY;
  readonly own = [];

  constructor(config: TcaConfig, kind: LinkKind) {
    this.#config = config;
    this.#kind = kind;
    this.#credits = new Credits(config.room);
  }

  late(now: number): string | undefined {
    return this.#due < now ? `a packet could begin in tick ${this.#due}` : undefined;
  }

  take(event: Taken, now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'link.turn':
        this.#isBusy = false;
        break;
      case 'link.fits':
        if (this.#isBusy) return;
        break;
      case 'fc.update':
        this.#credits.giveBack(event);
        break;
      default:
        (event.type === 'tlp.read' ? this.#reads : this.#others).push(event);
    }
    if (!this.#isBusy) this.#go(now, send);
  }

  #go(now: number, send: Send): void {
    this.#due = Number.POSITIVE_INFINITY;
    const [read] = this.#reads;
    const [other] = this.#others;
    const isReadFree = read !== undefined && this.#credits.allow(read);
    const fits = other === undefined ? now : this.#fitsAt(other, now);
    const isOtherFree = other !== undefined && fits <= now && this.#credits.allow(other);
    if (!isReadFree && !isOtherFree) {
      if (other === undefined || fits <= now) return;
      if (this.#credits.allow(other)) this.#due = fits;
      if (this.#looksAt === fits) return;
      this.#looksAt = fits;
      send(this.#kind.self, fits - now, 'link.fits');
      return;
    }
    const goes = isReadFree && (this.#readIsNext || !isOtherFree) ? read : other!;
    (goes === read ? this.#reads : this.#others).shift();
    this.#readIsNext = goes !== read;
    this.#begin(goes, now, send);
  }

  #begin(packet: Taken, now: number, send: Send): void {
    const { far, queueOf, writeLatency, otherLatency, self } = this.#kind;
    const time = this.#timeOf(packet);
    const isWrite = packet.type === 'tlp.write';
    if (this.#goesToGpu(packet)) {
      this.#drainTo(now);
      this.#level += packet.data.length * this.#rate.denominator;
    }
    this.#credits.take(packet);
    this.#isBusy = true;
    send(far, time + u * (isWrite ? writeLatency : otherLatency), packet.type, packetFields(packet));
    send(self, time, 'link.turn');
    if (isWrite && queueOf) send(queueOf.router, 0, 'port.room', { port: queueOf.port });
  }

  /** Sub-ticks on the wire: a byte each, and all once more behind a pause after each time that bits were wrong. */
  #timeOf(packet: Taken): number {
    const { readOverheadBytes, completionOverheadBytes, writeOverheadBytes } = this.#config.parameters;
    const bytes =
      packet.type === 'tlp.read'
        ? readOverheadBytes
        : packet.data.length + (packet.type === 'tlp.write' ? writeOverheadBytes : completionOverheadBytes);
    const { noise } = this.#kind;
    const number = this.#sent++;
    if (!noise) return bytes;
    const isRight = (1 - this.#config.bitErrorRate) ** (8 * bytes);
    let again = 0;
    while (again < replaysMost && noise(replaysMost * number + again) < (1 - isRight) * 2 ** 32) again++;
    return bytes + again * (replay + bytes);
  }

  get #rate(): { readonly numerator: number; readonly denominator: number } {
    const { gpuDrainNumerator, gpuDrainDenominator } = this.#config.parameters;
    // 0.3 GB/s of 4 GB/s.
    if (this.#config.gpuBehindQpi) return { numerator: 3, denominator: 40 };
    return { numerator: gpuDrainNumerator, denominator: gpuDrainDenominator };
  }

  #goesToGpu({ type, addr }: Taken): boolean {
    return this.#kind.endsAtGpu && type === 'tlp.write' && placeIn(addr).memory === 'gpu';
  }

  #drainTo(now: number): void {
    this.#level = Math.max(0, this.#level - this.#rate.numerator * (now - this.#levelAt));
    this.#levelAt = now;
  }

  /** Tick in which the write buffer of the GPU has room for a packet. */
  #fitsAt(packet: Taken, now: number): number {
    if (!this.#goesToGpu(packet)) return now;
    this.#drainTo(now);
    const { numerator, denominator } = this.#rate;
    const room = this.#config.parameters.gpuIngressFifoBytes - packet.data.length;
    const excess = this.#level - room * denominator;
    return excess > 0 ? now + Math.ceil(excess / numerator) : now;
  }
}

/** The PIO window of a chip: stores wait in their order for room in the port of the host (TCA specification 9). */
export class PlainPioWindow implements PlainPart {
  readonly #router: Address;
  readonly #credits: Credits;
  readonly #waiting: Taken[] = [];

  constructor({ room }: TcaConfig, router: Address) {
    this.#router = router;
    this.#credits = new Credits(room);
  }

  take(event: Taken, _now: number, _from: Address, send: Send): void {
    if (event.type === 'fc.update') this.#credits.giveBack(event);
    else this.#waiting.push(event);
    while (this.#waiting.length > 0 && this.#credits.allow(this.#waiting[0]!)) {
      const store = this.#waiting.shift()!;
      this.#credits.take(store);
      send(this.#router, 0, store.type, packetFields(store));
    }
  }
}
