import { BytesAndCommands } from './bytes-and-commands.ts';
import { CONTROLLER, dmaName } from './entity-names.ts';
import { type CheckReport, EXIT_CODES, FindingList, type LogFinding, type LogPlace } from './findings.ts';
import { IdsAndStatus } from './ids-and-status.ts';
import type { AccessEvent, BulkEvent, LogEvent, LogHeader, StopEvent } from './log.ts';
import { LogHasher } from './log-hash.ts';
import { MemoryConsistency } from './memory.ts';
import { Performance } from './performance.ts';
import { RunState } from './run-state.ts';
import { Synchronisation } from './synchronisation.ts';
import { TimingAndRings } from './timing-and-rings.ts';

/** Records of later cycles that are held back until the barrier opens; beyond that the barrier counts as missing. */
const EARLY_MAX = 4096;

/** What a check may compute besides the verdict (Cell specification 12). */
export interface CheckOptions {
  /** Hash the log for the report. */
  readonly logHash?: boolean;
  /** Hash of another run of the same configuration, programs and seed; a different one violates CK-27. */
  readonly expectedLogHash?: string;
}

/**
 * Judges one event log against CK-01..CK-28, record by record (Cell specification 12). *Details*: it knows nothing of the
 * machine but its header; memory grows with requests and touched bytes, not with the length of the log.
 */
export class CellChecker {
  private readonly header: LogHeader;
  private readonly findings = new FindingList();
  private readonly state: RunState;
  private readonly ids: IdsAndStatus;
  private readonly timing: TimingAndRings;
  private readonly bytes: BytesAndCommands;
  private readonly sync: Synchronisation;
  private readonly memory: MemoryConsistency;
  private readonly performance: Performance;
  private readonly hasher: LogHasher | null;
  private readonly expectedLogHash: string | null;
  /** The barrier of the current cycle has opened; before the first cycle it counts as open. */
  private opened = true;
  /** Cycle announced by the barrier, or null when any later cycle may follow. */
  private next: number | null = null;
  /** The current cycle is the last one of a bulk record, whose ends may still be logged. */
  private bulked = false;
  private early: LogEvent[] = [];
  private position = 0;
  private cycles = 0;
  private stopped = false;
  /** Findings that were given before the end. */
  private told = 0;

  constructor(header: LogHeader, options: CheckOptions = {}) {
    this.header = header;
    this.state = new RunState(header);
    this.ids = new IdsAndStatus(this.state, this.findings);
    this.timing = new TimingAndRings(this.state, this.findings);
    this.bytes = new BytesAndCommands(this.state, this.findings);
    this.sync = new Synchronisation(this.state, this.findings);
    this.memory = new MemoryConsistency(this.state, this.findings);
    this.performance = new Performance(this.state, this.findings);
    this.expectedLogHash = options.expectedLogHash ?? null;
    this.hasher = options.logHash === true || this.expectedLogHash !== null ? new LogHasher() : null;
  }

  /** Takes the next record of the log. */
  event(e: LogEvent): void {
    if (e.n !== this.position)
      this.findings.add('LOG', e, [], [], `record ${e.n} where ${this.position} is due`);
    if (this.stopped) this.findings.add('LOG', e, [], [], `${e.ev} after STOP`);
    this.position = e.n + 1;
    this.hasher?.event(e);
    if (e.t === this.state.cycle && !this.opened) this.dispatch(e);
    else this.place(e);
  }

  /** The findings since the last call, in the order in which they were made. */
  newFindings(): readonly LogFinding[] {
    const all = this.findings.since(this.told);
    this.told += all.length;
    return all;
  }

  /** Ends the log and gives the report. */
  finish(): CheckReport {
    const at = { t: this.state.cycle, n: Math.max(0, this.position - 1) };
    if (!this.stopped) {
      this.findings.add('CK-18', at, [CONTROLLER], [], 'the log ends without STOP');
      this.cycles = this.state.cycle + 1;
    }
    const logHash = this.hasher?.digest() ?? null;
    if (this.expectedLogHash !== null && logHash !== this.expectedLogHash)
      this.findings.add(
        'CK-27',
        at,
        [],
        [],
        `log hash ${logHash}, the other run's is ${this.expectedLogHash}`,
      );
    const verdict = this.findings.verdict();
    return {
      verdict,
      exitCode: EXIT_CODES[verdict],
      findings: this.findings.sorted(),
      suppressed: this.findings.suppressed(),
      events: this.position,
      cycles: this.cycles,
      logHash,
    };
  }

  private dispatch(e: LogEvent): void {
    switch (e.ev) {
      case 'RD':
      case 'WR':
        this.access(e);
        return;
      case 'CMD':
        this.sync.works(e, this.header.N + e.spu);
        this.bytes.command(e);
        return;
      case 'BUS':
        this.bytes.hold(e);
        return;
      case 'OBS':
        this.sync.works(e, e.spu);
        this.ids.observe(e);
        return;
      case 'DONE':
        this.sync.done(e);
        return;
      case 'MEM':
        this.memory.contents(e, this.bytes.writtenBeforeRead);
        return;
      case 'BARRIER':
        if (e.gen !== this.state.cycle)
          this.findings.add('LOG', e, [CONTROLLER], [], `generation ${e.gen} in cycle ${this.state.cycle}`);
        this.endCycle(e);
        this.next = e.next ?? this.state.cycle + 1;
        return;
      case 'REQ': {
        this.sync.works(e, e.spu);
        const transfer = this.ids.request(e);
        if (transfer !== undefined) this.performance.request(transfer);
        return;
      }
      case 'GRANT': {
        this.sync.works(e, 2 * this.header.N);
        if (!this.timing.grant(e)) return;
        const transfer = this.state.find(e.spu, e.id);
        if (transfer !== undefined) this.performance.grant(transfer);
        return;
      }
      case 'FREE':
        this.sync.works(e, 2 * this.header.N);
        this.timing.freed(e);
        return;
      case 'XSTART':
        this.timing.started(e);
        return;
      case 'XEND':
        this.timing.ended(e);
        return;
      case 'STATUS':
        this.ids.status(e);
        return;
      case 'EXC':
        this.ids.exception(e);
        return;
      case 'HALT':
        this.ids.halt(e);
        return;
      case 'BULK':
        this.bulk(e);
        return;
      case 'STOP':
        this.stop(e);
        return;
      case 'REPORT':
        this.findings.add(e.inv, e, [], [], e.text, e.class);
        return;
      case 'CHOICE':
        return;
      default:
        this.unknown(e);
    }
  }

  private access(e: AccessEvent): void {
    if (!(e.v >= 0 && e.v <= 255)) this.findings.add('LOG', e, [], [], `value ${e.v} is no byte`);
    this.sync.works(e, e.by === 'spu' ? e.spu : this.header.N + e.spu);
    this.memory.access(e);
    if (e.by === 'dma') {
      this.bytes.access(e);
      return;
    }
    if (e.spu !== e.mem) this.findings.add('LOG', e, [], [], `SPU ${e.spu} has no access to memory ${e.mem}`);
    this.ids.access(e);
  }

  /** A record that is not plainly of the current cycle. */
  private place(e: LogEvent): void {
    const { cycle } = this.state;
    if (e.ev === 'BULK' || e.ev === 'STOP' || e.ev === 'REPORT' || e.ev === 'CHOICE') this.dispatch(e);
    // A recorded run may show the contents before its first cycle.
    else if (cycle < 0 && e.t < 0 && e.ev === 'MEM') this.dispatch(e);
    else if (e.t <= cycle) this.late(e);
    else if (this.opened) this.advance(e);
    else if (this.sync.complete() || this.early.length >= EARLY_MAX) {
      this.findings.add('LOG', e, [CONTROLLER], [], `cycle ${cycle} ends without BARRIER`);
      this.endCycle({ t: cycle, n: e.n });
      this.advance(e);
    } else {
      this.sync.misplaced(e, `precedes the last report of cycle ${cycle}`);
      this.early.push(e);
    }
  }

  private late(e: LogEvent): void {
    const inBulk = this.bulked && e.t === this.state.cycle;
    if (inBulk && (e.ev === 'XEND' || e.ev === 'FREE' || e.ev === 'GRANT' || e.ev === 'MEM'))
      this.dispatch(e);
    else if (inBulk && (e.ev === 'DONE' || e.ev === 'BARRIER')) return;
    else if (e.ev === 'DONE') this.sync.lateDone(e);
    else {
      this.sync.misplaced(
        e,
        `follows the barrier of cycle ${this.opened ? this.state.cycle : this.state.cycle - 1}`,
      );
      if (e.ev !== 'BARRIER') this.dispatch(e);
    }
  }

  private advance(e: LogEvent): void {
    if (this.next !== null && e.t !== this.next) {
      const why =
        e.t > this.next ? `precedes the reports of cycle ${this.next}` : `is skipped by the barrier`;
      this.sync.misplaced(e, why);
    }
    this.enter(e.t, e);
    if (this.early.length > 0) {
      const held = this.early;
      this.early = [];
      for (const event of held)
        if (event.t === this.state.cycle) this.dispatch(event);
        else this.early.push(event);
    }
    this.dispatch(e);
  }

  /** Goes to a cycle; those in between were idle. */
  private enter(cycle: number, at: LogPlace): void {
    this.closeBulk(at);
    const first = this.state.cycle + 1;
    this.state.enter(cycle);
    if (first < cycle) {
      this.timing.skip(first, cycle - 1, at);
      this.state.retire(cycle - 1);
      this.performance.pass(first, cycle - 1, at);
    }
    this.opened = false;
    this.next = null;
  }

  private endCycle(e: LogPlace): void {
    const at = { t: this.state.cycle, n: e.n };
    this.sync.endCycle(at);
    this.memory.endCycle(at, this.bytes.writtenBeforeRead);
    this.bytes.endCycle(at);
    this.timing.endCycle(at);
    this.ids.endCycle(at);
    this.performance.endCycle(at);
    this.state.retire(at.t);
    this.opened = true;
    this.next = null;
  }

  private bulk(e: BulkEvent): void {
    if (e.to < e.from || e.from <= (this.opened ? this.state.cycle : this.state.cycle - 1)) {
      this.findings.add('LOG', e, [], [], `bulk ${e.from}..${e.to} in cycle ${this.state.cycle}`);
      return;
    }
    // Starts of the first bulk cycle may have been logged already, which has entered it.
    if (this.opened) this.enter(e.from, e);
    // Grants are for the next cycle, so that no other transfer can start in the cycles that follow.
    this.memory.bulk(e.from, e.to);
    this.state.enter(e.to);
    this.sync.bulk(e.to);
    this.opened = true;
    this.bulked = true;
    this.performance.pass(e.from, e.to - 1, e);
  }

  /** The end of a bulk record, once the ends of its transfers have been logged. */
  private closeBulk(at: LogPlace): void {
    if (!this.bulked) return;
    this.bulked = false;
    const place = { t: this.state.cycle, n: at.n };
    this.memory.endCycle(place, false);
    this.timing.endCycle(place);
    this.performance.endCycle(place);
    this.state.retire(this.state.cycle);
  }

  private stop(e: StopEvent): void {
    if (this.stopped) return;
    this.stopped = true;
    this.cycles = e.cycles;
    const announced = this.opened && this.next !== null ? this.next : this.state.cycle + 1;
    if (!this.opened) this.endCycle(e);
    this.closeBulk(e);
    const at = { t: this.state.cycle, n: e.n };
    const idle = e.cycles > at.t + 1 && (e.cycles === announced || e.cycles === this.header.cycles);
    if (idle) {
      this.timing.skip(at.t + 1, e.cycles - 1, at);
      this.performance.pass(at.t + 1, e.cycles - 1, at);
    } else if (e.cycles !== at.t + 1)
      this.findings.add(
        'CK-18',
        e,
        [CONTROLLER],
        [],
        `the run stops after ${e.cycles} cycles, ${at.t + 1} were run`,
      );
    if (this.header.cycles !== null && e.cycles !== this.header.cycles)
      this.findings.add('CK-18', e, [CONTROLLER], [], `${e.cycles} cycles, configured ${this.header.cycles}`);
    this.sync.finish(at);
    this.timing.finish(e.cycles, at);
    this.performance.finish(at);
    for (const event of this.early)
      this.findings.add(
        'LOG',
        event,
        [dmaName(0)],
        [],
        `${event.ev} of cycle ${event.t}, which was never run`,
      );
  }

  /** Records come as objects, so that a kind the types exclude can still arrive. */
  private unknown(e: never): void {
    const record = e as LogEvent;
    this.findings.add('LOG', record, [], [], `unknown kind of record ${JSON.stringify(record.ev)}`);
  }
}
