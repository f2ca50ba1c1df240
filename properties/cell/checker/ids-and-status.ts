import { dmaName, spuName } from './entity-names.ts';
import type { FindingList, LogPlace } from './findings.ts';
import type {
  AccessEvent,
  ExceptionEvent,
  HaltEvent,
  ObservationEvent,
  RequestEvent,
  StatusEvent,
} from './log.ts';
import type { RunState } from './run-state.ts';
import { Transfer } from './transfer.ts';

const INVALID_ID = 0;
const NOT_STARTED = 1;
const RUNNING = 2;
const FINISHED = 3;
const STATUS_NAMES = ['INVALID_ID', 'NOT_STARTED', 'RUNNING', 'FINISHED'];

/** The result of an SPU's latest instruction, until its program observes it. */
interface Outcome {
  op: ObservationEvent['op'] | null;
  value: number | null;
  cycle: number;
  position: number;
}

/** Ids, status answers and what programs observe: CK-01..CK-05 and CK-28 (Cell specification 12). */
export class IdsAndStatus {
  private readonly state: RunState;
  private readonly findings: FindingList;
  /** An SPU has one instruction under way at a time, so one outcome per SPU is enough. */
  private readonly outcomes: Outcome[];
  private readonly nextInstruction: number[];
  private readonly halted: boolean[];
  private unobserved = 0;

  constructor(state: RunState, findings: FindingList) {
    const { N } = state.header;
    this.state = state;
    this.findings = findings;
    this.outcomes = Array.from({ length: N }, () => ({ op: null, value: null, cycle: -1, position: -1 }));
    this.nextInstruction = new Array<number>(N).fill(0);
    this.halted = new Array<boolean>(N).fill(false);
  }

  /** CK-01: enters an accepted request; also judges its arguments by Cell specification 11. */
  request(e: RequestEvent): Transfer | undefined {
    const { N, memSize, selfTransfer, zeroSize } = this.state.header;
    const wrong =
      e.spu < 0 || e.spu >= N || e.peer < 0 || e.peer >= N
        ? 'names an SPU that does not exist'
        : e.id < 0 || e.size < 0
          ? 'has a negative id or size'
          : e.spu === e.peer && selfTransfer === 'reject'
            ? 'is a self transfer, which this machine rejects'
            : e.size === 0 && zeroSize === 'reject'
              ? 'has size 0, which this machine rejects'
              : null;
    if (wrong !== null)
      this.findings.add('LOG', e, [dmaName(e.spu)], [e], `the accepted request ${e.spu}:${e.id} ${wrong}`);
    if (e.spu < 0 || e.spu >= N || e.peer < 0 || e.peer >= N || e.id < 0 || e.size < 0) return undefined;
    if (e.my < 0 || e.addr < 0 || e.my + e.size > memSize || e.addr + e.size > memSize)
      this.findings.add(
        'CK-21',
        e,
        [dmaName(e.spu)],
        [e],
        `the accepted request ${e.spu}:${e.id} covers addresses outside 0..${memSize - 1}`,
      );
    if (this.state.find(e.spu, e.id) !== undefined)
      this.findings.add('CK-01', e, [dmaName(e.spu)], [e], `id ${e.id} was returned before`);
    const transfer = new Transfer(e);
    this.state.accept(transfer);
    this.produce(e.spu, e.kind, e.id, e);
    return transfer;
  }

  /** CK-02..CK-05: judges one answer; each wrong answer raises the most telling of the four. */
  status(e: StatusEvent): void {
    this.produce(e.spu, 'status', e.status, e);
    const transfer = this.state.find(e.spu, e.id);
    const expected = transfer === undefined ? INVALID_ID : exactStatus(transfer, e.t);
    if (!(e.status >= INVALID_ID && e.status <= FINISHED)) {
      this.complain('CK-02', e, `status ${e.status} is none of 0..3`);
      return;
    }
    const before = transfer?.answered ?? 0;
    if (transfer !== undefined && e.status > before) transfer.answered = e.status;
    if (transfer !== undefined && (e.status === INVALID_ID || e.status < before))
      this.complain(
        'CK-05',
        e,
        `answer ${STATUS_NAMES[e.status]} after ${STATUS_NAMES[before === 0 ? NOT_STARTED : before]}`,
      );
    else if (e.status !== expected)
      this.complain('CK-03', e, `answer ${STATUS_NAMES[e.status]}, expected ${STATUS_NAMES[expected]}`);
    else if (e.status === RUNNING && (e.dir !== transfer?.dir || e.ring !== transfer.ring))
      this.complain(
        'CK-04',
        e,
        `answer (${e.dir}, ${e.ring}), granted (${transfer?.dir}, ${transfer?.ring})`,
      );
  }

  /** Notes the result of an SPU's own access, which its program must observe next. */
  access(e: AccessEvent): void {
    if (e.ev === 'RD') this.produce(e.spu, 'read', e.v, e);
    else this.produce(e.spu, 'write', null, e);
  }

  /** CK-28: the observed result is that of the latest instruction, and instructions are counted without gaps. */
  observe(e: ObservationEvent): void {
    const outcome = this.outcomes[e.spu];
    if (outcome === undefined) {
      this.findings.add('LOG', e, [], [], `there is no SPU ${e.spu}`);
      return;
    }
    const expected = this.nextInstruction[e.spu] ?? 0;
    const { op, value } = outcome;
    if (op !== null) this.unobserved--;
    outcome.op = null;
    this.nextInstruction[e.spu] = e.k + 1;
    const wrong =
      this.halted[e.spu] === true
        ? 'after the program has ended'
        : e.k !== expected
          ? `where the result of instruction ${expected} is due`
          : op !== e.op
            ? `where ${op === null ? 'no instruction' : `a ${op}`} was executed`
            : value !== e.value
              ? `where the result was ${value}`
              : null;
    if (wrong === null) return;
    this.findings.add(
      'CK-28',
      e,
      [spuName(e.spu)],
      [],
      `instruction ${e.k} observes ${e.op} ${e.value} ${wrong}`,
    );
  }

  /** An exception stops the SPU (Cell specification 11). */
  exception(e: ExceptionEvent): void {
    this.findings.add('EXC', e, [spuName(e.spu)], [], `instruction ${e.k}: ${e.why}`);
    const outcome = this.outcomes[e.spu];
    // The program may have failed on receiving the result.
    if (outcome !== undefined && outcome.op !== null) {
      outcome.op = null;
      this.unobserved--;
    }
    this.halt(e);
  }

  /** From now on the program observes nothing. */
  halt(e: HaltEvent | ExceptionEvent): void {
    if (this.halted[e.spu] !== undefined) this.halted[e.spu] = true;
  }

  /** CK-28: at the end of a cycle no result is left unobserved. */
  endCycle(at: LogPlace): void {
    if (this.unobserved === 0) return;
    this.outcomes.forEach((outcome, spu) => {
      if (outcome.op !== null) this.lost(spu, outcome, at);
      outcome.op = null;
    });
    this.unobserved = 0;
  }

  private produce(spu: number, op: ObservationEvent['op'], value: number | null, e: LogPlace): void {
    const outcome = this.outcomes[spu];
    if (outcome === undefined) return;
    if (outcome.op !== null) this.lost(spu, outcome, e);
    else this.unobserved++;
    outcome.op = op;
    outcome.value = value;
    outcome.cycle = e.t;
    outcome.position = e.n;
  }

  private lost(spu: number, outcome: Outcome, at: LogPlace): void {
    const what = `the result of the ${outcome.op} of record ${outcome.position} was never observed`;
    this.findings.add('CK-28', at, [spuName(spu)], [], what);
  }

  private complain(invariant: string, e: StatusEvent, message: string): void {
    this.findings.add(invariant, e, [dmaName(e.spu)], [e], message);
  }
}

/** The exact status rule of Cell specification 3; a transfer of size 0 is finished from the cycle after its issue. */
function exactStatus(transfer: Transfer, cycle: number): number {
  if (transfer.size === 0) return cycle > transfer.issue ? FINISHED : NOT_STARTED;
  if (transfer.start < 0 || cycle < transfer.start) return NOT_STARTED;
  return cycle <= transfer.last ? RUNNING : FINISHED;
}
