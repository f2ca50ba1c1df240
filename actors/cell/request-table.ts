import type { Hasher } from '../../kernel/hash.ts';
import type { Resource } from '../../kernel/resource.ts';
import {
  TRANSFER_STATUS_FINISHED,
  TRANSFER_STATUS_INVALID_ID,
  TRANSFER_STATUS_NOT_STARTED,
  TRANSFER_STATUS_RUNNING,
  type TransferStatus,
} from './instructions.ts';

/** One request of a DMA module (Cell specification 4): entries are never deleted. */
export interface TransferRequest {
  readonly id: number;
  readonly kind: 'get' | 'put';
  /** Address in the initiator's memory. */
  readonly my: number;
  readonly peer: number;
  /** Address in the peer's memory. */
  readonly addr: number;
  readonly size: number;
  /** Sender and receiver of the bytes. */
  readonly src: number;
  readonly dst: number;
  /** First address in the sender's and in the receiver's memory. */
  readonly from: number;
  readonly to: number;
  /** Cycle in which it was accepted. */
  readonly issue: number;
  /** First cycle in which a byte moves, -1 while unknown. */
  start: number;
  dir: number;
  ring: number;
  /** What a status query is answered while it runs. */
  running: TransferStatus;
}

const invalid: TransferStatus = { status: TRANSFER_STATUS_INVALID_ID, dir: -1, ring: -1 };
const notStarted: TransferStatus = { status: TRANSFER_STATUS_NOT_STARTED, dir: -1, ring: -1 };
const finished: TransferStatus = { status: TRANSFER_STATUS_FINISHED, dir: -1, ring: -1 };

/** The table of a DMA module: request id to what is known of the request. Ids are consecutive from 0. */
export class RequestTable implements Resource {
  readonly #entries: TransferRequest[];
  /** For each request its first cycle and the first one after it: what status queries look at. */
  #spans = new Float64Array(16);
  /** All requests before this one are known to be over. */
  #firstOpen: number;

  constructor(
    /** Number of the SPU whose module this is. */
    readonly spu: number,
    entries: readonly TransferRequest[] = [],
    firstOpen = 0,
  ) {
    this.#entries = entries.map((entry) => ({ ...entry }));
    for (const entry of this.#entries) this.#span(entry);
    this.#firstOpen = firstOpen;
  }

  /** All requests by id. */
  get entries(): readonly TransferRequest[] {
    return this.#entries;
  }

  /** The request with this id; undefined when the module never returned it. */
  entry(id: number): TransferRequest | undefined {
    return this.#entries[id];
  }

  /** Enters a request accepted in cycle `issue`. An empty one is over from the next cycle on (Cell specification 11). */
  accept(
    kind: 'get' | 'put',
    my: number,
    peer: number,
    addr: number,
    size: number,
    issue: number,
  ): TransferRequest {
    const get = kind === 'get';
    const entry: TransferRequest = {
      id: this.#entries.length,
      kind,
      my,
      peer,
      addr,
      size,
      src: get ? peer : this.spu,
      dst: get ? this.spu : peer,
      from: get ? addr : my,
      to: get ? my : addr,
      issue,
      start: size === 0 ? issue + 1 : -1,
      dir: -1,
      ring: -1,
      running: invalid,
    };
    this.#entries.push(entry);
    this.#span(entry);
    return entry;
  }

  /** Enters a grant. */
  grant(id: number, start: number, dir: number, ring: number): void {
    const entry = this.#entries[id]!;
    entry.start = start;
    entry.dir = dir;
    entry.ring = ring;
    this.#span(entry);
    entry.running = { status: TRANSFER_STATUS_RUNNING, dir, ring };
  }

  /** The exact status rule of the Cell specification, 3: depends on issue, start, size and the cycle of the query alone. */
  status(id: number, cycle: number): TransferStatus {
    switch (this.statusNumber(id, cycle)) {
      case TRANSFER_STATUS_NOT_STARTED:
        return notStarted;
      case TRANSFER_STATUS_RUNNING:
        return this.#entries[id]!.running;
      case TRANSFER_STATUS_FINISHED:
        return finished;
      default:
        return invalid;
    }
  }

  /** The status alone, without direction and ring. */
  statusNumber(id: number, cycle: number): number {
    // Programs ask often and about few requests: two numbers side by side answer every question.
    if (!(id >= 0 && id < this.#entries.length) || !Number.isInteger(id)) return TRANSFER_STATUS_INVALID_ID;
    if (cycle < this.#spans[2 * id]!) return TRANSFER_STATUS_NOT_STARTED;
    return cycle >= this.#spans[2 * id + 1]! ? TRANSFER_STATUS_FINISHED : TRANSFER_STATUS_RUNNING;
  }

  /** How many accepted requests are not finished in a cycle. Cycles must not go back between calls. */
  outstanding(cycle: number): number {
    this.#passOver(cycle);
    let count = 0;
    for (let id = this.#firstOpen; id < this.#entries.length; id++)
      if (this.#spans[2 * id + 1]! > cycle) count++;
    return count;
  }

  /** The first cycle after `cycle` in which a request is seen finished that is not yet; Infinity while no end is known. Cycles must not go back. */
  nextEnd(cycle: number): number {
    this.#passOver(cycle);
    let next = Number.POSITIVE_INFINITY;
    for (let id = this.#firstOpen; id < this.#entries.length; id++) {
      const end = this.#spans[2 * id + 1]!;
      if (end > cycle && end < next) next = end;
    }
    return next;
  }

  /** Passes over the requests before the first that is not finished. */
  #passOver(cycle: number): void {
    while (this.#firstOpen < this.#entries.length && this.#spans[2 * this.#firstOpen + 1]! <= cycle)
      this.#firstOpen++;
  }

  /** Notes in which cycles a request runs; never while its start is unknown. */
  #span({ id, start, size }: TransferRequest): void {
    if (2 * id >= this.#spans.length) {
      const longer = new Float64Array(2 * this.#spans.length + 16);
      longer.set(this.#spans);
      this.#spans = longer;
    }
    this.#spans[2 * id] = start < 0 ? Number.POSITIVE_INFINITY : start;
    this.#spans[2 * id + 1] = start < 0 ? Number.POSITIVE_INFINITY : start + size;
  }

  fork(): RequestTable {
    return new RequestTable(this.spu, this.#entries, this.#firstOpen);
  }

  /** Its last requests. */
  describe(): unknown {
    return Object.fromEntries(
      this.#entries.slice(-3).map(({ id, kind, my, peer, addr, size, start }) => {
        const runs = start < 0 ? 'not granted' : `runs from cycle ${start}`;
        return [id, `${kind} of ${size} bytes, ${my} here, ${addr} at ${peer}, ${runs}`];
      }),
    );
  }

  hash(into: Hasher): void {
    into.number(this.#entries.length);
    for (const entry of this.#entries) {
      into.string(entry.kind);
      into.number(entry.my);
      into.number(entry.peer);
      into.number(entry.addr);
      into.number(entry.size);
      into.number(entry.issue);
      into.number(entry.start);
      into.number(entry.dir);
      into.number(entry.ring);
    }
  }
}
