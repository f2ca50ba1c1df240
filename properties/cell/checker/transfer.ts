import type { RequestEvent } from './log.ts';

/** What the log has said about one request (Cell specification 3 and 9). */
export class Transfer {
  readonly spu: number;
  readonly id: number;
  readonly kind: 'get' | 'put';
  /** The module that is not the initiator, to which the commands go. */
  readonly peer: number;
  readonly src: number;
  readonly dst: number;
  readonly sourceAddress: number;
  readonly targetAddress: number;
  readonly size: number;
  readonly issue: number;
  /** First occupied cycle; -1 until it is granted. */
  start = -1;
  /** Last occupied cycle, start+size-1. */
  last = -1;
  dir = -1;
  ring = -1;
  /** Largest status answered so far, 0 for none. */
  answered = 0;
  startSeen = false;
  endSeen = false;
  freeSeen = false;
  /** A missing end was reported already. */
  overdue = false;
  /** Cycle and value of the latest read and write of a byte, and cycle of the latest command for it. */
  readCycle = -1;
  readValue = -1;
  writeCycle = -1;
  writeValue = -1;
  commandCycle = -1;
  /** First start cycle in whose decision the request was urgent, and the last cycle in which it may start. */
  urgentSince = -1;
  olderPending = 0;
  boundReported = false;

  constructor(e: RequestEvent) {
    this.spu = e.spu;
    this.id = e.id;
    this.kind = e.kind;
    this.peer = e.peer;
    this.src = e.kind === 'get' ? e.peer : e.spu;
    this.dst = e.kind === 'get' ? e.spu : e.peer;
    this.sourceAddress = e.kind === 'get' ? e.addr : e.my;
    this.targetAddress = e.kind === 'get' ? e.my : e.addr;
    this.size = e.size;
    this.issue = e.t;
  }

  /** Whether the transfer occupies its segment in a cycle. */
  occupies(cycle: number): boolean {
    return this.start >= 0 && this.start <= cycle && cycle <= this.last;
  }
}
