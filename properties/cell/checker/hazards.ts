import { memoryName, spuName } from './entity-names.ts';
import type { RequestName } from './findings.ts';
import type { AccessEvent, LogEvent, LogHeader, RequestEvent, StatusEvent } from './log.ts';
import { Transfer } from './transfer.ts';

const FINISHED = 3;

/** Two parties that touch one byte without being ordered, at least one of them writing (Cell specification 10.4). */
export interface Hazard {
  /** Cycle in which the second party came into play. */
  readonly cycle: number;
  readonly mem: number;
  /** First byte both touch. */
  readonly address: number;
  /** The parties: requests as `Spu[1] request 0`, an SPU's own access as `Spu[1]`. */
  readonly parties: readonly [string, string];
  /** The requests among the parties. */
  readonly requests: readonly RequestName[];
  readonly message: string;
  /** Serial number of the record at which it was noticed. */
  readonly position: number;
}

/** Hazards of one run: warnings, no errors (Cell specification 10.4). */
export interface HazardReport {
  /** In log order, the first HAZARDS_MAX. */
  readonly hazards: readonly Hazard[];
  /** How many there were in all, each pair of parties counted once a byte range or access. */
  readonly count: number;
}

/** Hazards that are kept; the others are only counted. */
export const HAZARDS_MAX = 1000;

/** A request between its acceptance and the first FINISHED answer its initiator received. */
interface OpenRequest {
  readonly transfer: Transfer;
  readonly ranges: readonly ByteRange[];
  /** Cycle from which everybody may take it as finished; infinite while it is open. */
  seenFinished: number;
}

interface ByteRange {
  readonly mem: number;
  readonly address: number;
  readonly size: number;
  readonly write: boolean;
}

/**
 * Finds DMA hazards by overlap of intervals [issue, first FINISHED answer): an access or a request that falls into another
 * party's interval and shares a byte with it (Cell specification 10.4). *Details*: within one SPU program order counts exactly; between
 * SPUs cycles count. A request whose initiator never asks stays open. Time grows with the number of open requests.
 */
export class HazardFinder {
  private readonly header: LogHeader;
  private readonly open: OpenRequest[] = [];
  private readonly hazards: Hazard[] = [];
  private count = 0;
  private cycle = -1;
  /** Own accesses of SPUs in this cycle: a request of another SPU in the same cycle overlaps them, whatever their order. */
  private accesses: AccessEvent[] = [];

  constructor(header: LogHeader) {
    this.header = header;
  }

  /** Takes the next record of the log. */
  event(e: LogEvent): void {
    if (e.ev === 'REQ') this.request(e);
    else if ((e.ev === 'RD' || e.ev === 'WR') && e.by === 'spu') this.access(e);
    else if (e.ev === 'STATUS' && e.status === FINISHED) this.finished(e);
  }

  /** The hazards found so far. */
  finish(): HazardReport {
    return { hazards: this.hazards, count: this.count };
  }

  private request(e: RequestEvent): void {
    if (e.size === 0 || e.peer < 0 || e.peer >= this.header.N) return;
    this.enter(e.t);
    const transfer = new Transfer(e);
    const ranges = rangesOf(transfer);
    for (const other of this.open) {
      if (!this.overlaps(other, e)) continue;
      const clash = clashOf(other.ranges, ranges);
      if (clash !== null) this.report(e, clash, other.transfer, transfer);
    }
    for (const access of this.accesses) {
      // Program order puts an SPU's own earlier access before its request.
      if (access.spu === e.spu) continue;
      const clash = clashOf([rangeOf(access)], ranges);
      if (clash !== null) this.report(e, clash, access, transfer);
    }
    this.open.push({ transfer, ranges, seenFinished: Number.POSITIVE_INFINITY });
  }

  private access(e: AccessEvent): void {
    this.enter(e.t);
    this.accesses.push(e);
    for (const other of this.open) {
      const range = other.ranges.find((candidate) => touches(candidate, e));
      if (range === undefined || !this.overlaps(other, e)) continue;
      this.report(e, { mem: e.mem, address: e.a }, other.transfer, e);
    }
  }

  private finished(e: StatusEvent): void {
    const index = this.open.findIndex(({ transfer }) => transfer.spu === e.spu && transfer.id === e.id);
    const entry = this.open[index];
    if (entry !== undefined && entry.seenFinished > e.t) entry.seenFinished = e.t;
  }

  /** Whether a request is still open for somebody who acts now. */
  private overlaps(other: OpenRequest, e: RequestEvent | AccessEvent): boolean {
    // The initiator itself knows as soon as it has the answer; for the others the interval ends before the cycle of the answer.
    return other.transfer.spu === e.spu
      ? other.seenFinished === Number.POSITIVE_INFINITY
      : other.seenFinished > e.t;
  }

  private enter(cycle: number): void {
    if (cycle === this.cycle) return;
    this.cycle = cycle;
    this.accesses = [];
    // Requests seen as finished in an earlier cycle are over for everybody.
    let kept = 0;
    for (const entry of this.open) if (entry.seenFinished >= cycle) this.open[kept++] = entry;
    this.open.length = kept;
  }

  private report(e: RequestEvent | AccessEvent, clash: Clash, first: Party, second: Party): void {
    this.count++;
    if (this.hazards.length >= HAZARDS_MAX) return;
    const parties = [partyName(first), partyName(second)] as const;
    this.hazards.push({
      cycle: e.t,
      mem: clash.mem,
      address: clash.address,
      parties,
      requests: [first, second].flatMap((party) =>
        party instanceof Transfer ? [{ spu: party.spu, id: party.id }] : [],
      ),
      message: `${parties[0]} and ${parties[1]} both touch ${memoryName(clash.mem)}:${clash.address} in no certain order`,
      position: e.n,
    });
  }
}

type Party = Transfer | AccessEvent;

interface Clash {
  readonly mem: number;
  readonly address: number;
}

function partyName(party: Party): string {
  return party instanceof Transfer ? `${spuName(party.spu)} request ${party.id}` : spuName(party.spu);
}

function rangeOf(e: AccessEvent): ByteRange {
  return { mem: e.mem, address: e.a, size: 1, write: e.ev === 'WR' };
}

function rangesOf(transfer: Transfer): readonly ByteRange[] {
  return [
    { mem: transfer.src, address: transfer.sourceAddress, size: transfer.size, write: false },
    { mem: transfer.dst, address: transfer.targetAddress, size: transfer.size, write: true },
  ];
}

/** Whether an SPU's access and a range of a request conflict. */
function touches(range: ByteRange, e: AccessEvent): boolean {
  const offset = e.a - range.address;
  return range.mem === e.mem && offset >= 0 && offset < range.size && (range.write || e.ev === 'WR');
}

/** The first byte that both sides touch and one of them writes. */
function clashOf(left: readonly ByteRange[], right: readonly ByteRange[]): Clash | null {
  for (const a of left)
    for (const b of right) {
      if (a.mem !== b.mem || !(a.write || b.write)) continue;
      const address = Math.max(a.address, b.address);
      if (address < Math.min(a.address + a.size, b.address + b.size)) return { mem: a.mem, address };
    }
  return null;
}
