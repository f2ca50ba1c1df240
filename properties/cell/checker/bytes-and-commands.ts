import { BUS, dmaName } from './entity-names.ts';
import type { FindingList, LogPlace } from './findings.ts';
import type { AccessEvent, BusEvent, CommandEvent } from './log.ts';
import type { RunState } from './run-state.ts';
import type { Transfer } from './transfer.ts';

/** The bytes of transfers and their commands: CK-07, CK-11 (served again) and CK-12..CK-15 (Cell specification 12). */
export class BytesAndCommands {
  /** Some byte of this cycle was written before it was read, so that the log is no serial order (Cell specification 10.1). */
  writtenBeforeRead = false;
  private readonly state: RunState;
  private readonly findings: FindingList;
  private commands = 0;
  /** Bus clock at the latest release. */
  private busClock = -1;
  /** Commands of this cycle that lie in no hold of their module yet. */
  private readonly uncovered: CommandEvent[] = [];

  constructor(state: RunState, findings: FindingList) {
    this.state = state;
    this.findings = findings;
  }

  /** CK-13: a command belongs to a transfer of its sender that runs now. */
  command(e: CommandEvent): void {
    this.commands++;
    this.uncovered.push(e);
    let matches = false;
    for (const transfer of this.state.runningOf[e.spu] ?? []) {
      if (transfer.peer !== e.dest || transfer.kind !== e.cmd) continue;
      matches = true;
      if (transfer.commandCycle === e.t) continue;
      transfer.commandCycle = e.t;
      return;
    }
    // A command too many for a running transfer is counted by CK-15.
    if (matches) return;
    const message = `command ${e.cmd} from ${e.spu} to ${e.dest} belongs to no running transfer`;
    this.findings.add('CK-13', e, [dmaName(e.spu), BUS], [], message);
  }

  /** CK-14: a hold begins after the end of the one before, and covers the commands of its module. */
  hold(e: BusEvent): void {
    if (e.in <= this.busClock || e.out <= e.in) {
      const message = `the bus is held in ${e.in}..${e.out}, but it was held to ${this.busClock} already`;
      this.findings.add('CK-14', e, [BUS, dmaName(e.spu)], [], message);
    }
    if (e.out > this.busClock) this.busClock = e.out;
    for (let i = this.uncovered.length - 1; i >= 0; i--) {
      const command = this.uncovered[i];
      if (command === undefined || command.spu !== e.spu || command.q <= e.in || command.q >= e.out) continue;
      this.uncovered[i] = this.uncovered.at(-1) ?? command;
      this.uncovered.pop();
    }
  }

  /** CK-07, CK-11, CK-12 and CK-13 of one step of one byte. */
  access(e: AccessEvent): void {
    const transfer = this.state.find(e.spu, e.id);
    if (transfer === undefined) {
      this.complain('CK-12', e, `module ${e.spu} has no request ${e.id}`);
      return;
    }
    if (!transfer.occupies(e.t)) {
      if (transfer.start >= 0 && e.t > transfer.last)
        this.complain('CK-11', e, `a byte moves after the last cycle ${transfer.last}`);
      else this.complain('CK-07', e, `a byte moves, but the transfer does not run yet`);
      return;
    }
    const reads = e.ev === 'RD';
    if ((reads ? transfer.readCycle : transfer.writeCycle) === e.t) {
      this.complain('CK-07', e, `a second byte is ${reads ? 'read' : 'written'} in one cycle`);
      return;
    }
    this.judgePlace(e, transfer, reads);
    const first = transfer.readCycle !== e.t && transfer.writeCycle !== e.t;
    if (reads) {
      transfer.readCycle = e.t;
      transfer.readValue = e.v;
    } else {
      transfer.writeCycle = e.t;
      transfer.writeValue = e.v;
    }
    if (first) {
      if (!reads) this.writtenBeforeRead = true;
      if (!this.takeCommand(transfer, e.t)) this.complain('CK-13', e, 'no command precedes the byte');
    } else if (transfer.readValue !== transfer.writeValue)
      this.complain('CK-12', e, `read ${transfer.readValue} and wrote ${transfer.writeValue}`);
  }

  /** CK-07, CK-14 and CK-15 at the end of a cycle. */
  endCycle(at: LogPlace): void {
    let running = 0;
    for (const transfer of this.state.running) {
      if (!transfer.occupies(at.t)) continue;
      running++;
      if (transfer.readCycle === at.t && transfer.writeCycle === at.t) continue;
      const what = transfer.writeCycle === at.t ? 'read' : 'written';
      const message = `byte ${at.t - transfer.start} of ${transfer.spu}:${transfer.id} was not ${what}`;
      this.findings.add('CK-07', at, [dmaName(transfer.spu)], [transfer], message);
    }
    if (this.commands !== running) {
      const message = `${this.commands} commands, ${running} running transfers`;
      this.findings.add('CK-15', at, [BUS], [], message);
    }
    for (const e of this.uncovered) {
      const message = `the command with stamp ${e.q} lies in no hold of module ${e.spu}`;
      this.findings.add('CK-14', e, [BUS, dmaName(e.spu)], [], message);
    }
    this.uncovered.length = 0;
    this.commands = 0;
    this.writtenBeforeRead = false;
  }

  private judgePlace(e: AccessEvent, transfer: Transfer, reads: boolean): void {
    const index = e.t - transfer.start;
    const memory = reads ? transfer.src : transfer.dst;
    const base = reads ? transfer.sourceAddress : transfer.targetAddress;
    if (e.mem === memory && e.a === base + index) return;
    const offset = e.a - base;
    // Another byte of the same transfer is a matter of time; anything else is a matter of place.
    if (e.mem === memory && offset >= 0 && offset < transfer.size)
      this.complain('CK-07', e, `byte ${offset} moves in the cycle of byte ${index}`);
    else
      this.complain(
        'CK-12',
        e,
        `byte ${index} is ${reads ? 'read at' : 'written to'} ${e.mem}:${e.a}, expected ${memory}:${base + index}`,
      );
  }

  /**
   * Whether a command was given for this byte. Commands name a module, not a request, so that the one noted for a twin
   * with the same target and kind whose byte has not moved yet serves as well.
   */
  private takeCommand(transfer: Transfer, cycle: number): boolean {
    if (transfer.commandCycle === cycle) return true;
    for (const twin of this.state.runningOf[transfer.spu] ?? []) {
      if (twin.peer !== transfer.peer || twin.kind !== transfer.kind || twin.commandCycle !== cycle) continue;
      if (twin.readCycle === cycle || twin.writeCycle === cycle) continue;
      twin.commandCycle = transfer.commandCycle;
      transfer.commandCycle = cycle;
      return true;
    }
    return false;
  }

  private complain(invariant: string, e: AccessEvent, message: string): void {
    this.findings.add(invariant, e, [dmaName(e.spu)], [e], `${e.spu}:${e.id}: ${message}`);
  }
}
