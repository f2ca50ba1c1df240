import { ByteSet } from './byte-set.ts';
import { dmaName, memoryName, spuName } from './entity-names.ts';
import type { FindingList, LogPlace } from './findings.ts';
import type { AccessEvent, MemoryEvent } from './log.ts';
import { MemoryImage, UNKNOWN } from './memory-image.ts';
import type { RunState } from './run-state.ts';
import { type Access, serialOrder } from './serialisability.ts';

/** Memory contents and mutual exclusion: CK-19, CK-20 (levels 0 and 1) and CK-21 (Cell specification 10 and 12). */
export class MemoryConsistency {
  private readonly state: RunState;
  private readonly findings: FindingList;
  private readonly image: MemoryImage;
  private readonly memSize: number;
  /** Each memory's clock at its latest completion. */
  private readonly clocks: Float64Array;
  /** Accesses of this cycle that were not replayed yet, in log order. */
  private readonly accesses: AccessEvent[] = [];
  private readonly written = new ByteSet();
  private readonly choices = new Map<number, number[]>();

  constructor(state: RunState, findings: FindingList) {
    this.state = state;
    this.findings = findings;
    this.image = new MemoryImage(state.header);
    this.memSize = state.header.memSize;
    this.clocks = new Float64Array(state.header.N).fill(-1);
  }

  /** CK-21: takes an access for the replay at the end of the cycle. */
  access(e: AccessEvent): void {
    if (e.mem >= 0 && e.mem < this.state.header.N && e.a >= 0 && e.a < this.memSize) {
      this.accesses.push(e);
      return;
    }
    const entity = e.by === 'spu' ? spuName(e.spu) : dmaName(e.spu);
    const requests = e.by === 'spu' ? [] : [e];
    const message = `${e.ev} of ${memoryName(e.mem)}:${e.a}, addresses are 0..${this.memSize - 1}`;
    this.findings.add('CK-21', e, [entity], requests, message);
  }

  /** CK-20: the logged contents are those that the accesses lead to. */
  contents(e: MemoryEvent, writtenBeforeRead: boolean): void {
    this.replay(writtenBeforeRead);
    for (const [address, value] of e.bytes) {
      if (!(e.mem >= 0 && e.mem < this.state.header.N && address >= 0 && address < this.memSize)) {
        this.findings.add('LOG', e, [], [], `there is no byte ${memoryName(e.mem)}:${address}`);
        continue;
      }
      const wasWritten = this.written.mark(e.mem * this.memSize + address);
      const expected = this.image.read(e.mem, address);
      if (expected === value) continue;
      this.image.write(e.mem, address, value);
      // Of a recorded memory the first look tells the content; a written byte is unknown only after such a look in bulk.
      if (expected === UNKNOWN) continue;
      const values = this.choices.get(e.mem * this.memSize + address) ?? [];
      const level = !wasWritten
        ? 'unwritten, it should hold'
        : values.includes(value)
          ? 'in the order of the stamps it should hold'
          : 'not even one of the written values, it should hold';
      const message = `byte ${address} holds ${value}; ${level} ${expected}`;
      this.findings.add('CK-20', e, [memoryName(e.mem)], [], message);
    }
  }

  /** CK-20: replays what is left of the cycle; every written byte must have been logged. */
  endCycle(at: LogPlace, writtenBeforeRead: boolean): void {
    this.replay(writtenBeforeRead);
    if (this.written.unmarked > 0) {
      const key = this.written.anyUnmarked();
      const mem = Math.floor(key / this.memSize);
      const message = `the content of ${this.written.unmarked} written bytes is missing, of byte ${key % this.memSize} for one`;
      this.findings.add('CK-20', at, [memoryName(mem)], [], message);
    }
    this.written.clear();
    if (this.choices.size > 0) this.choices.clear();
  }

  /** Moves the bytes of a bulk record: all running transfers, cycle by cycle, in canonical order (Cell specification 8). */
  bulk(from: number, to: number): void {
    const transfers = this.state.running.toSorted((a, b) => a.spu - b.spu || a.id - b.id);
    for (let cycle = from; cycle <= to; cycle++)
      for (const transfer of transfers) {
        if (!transfer.occupies(cycle)) continue;
        const source = transfer.sourceAddress + cycle - transfer.start;
        const target = transfer.targetAddress + cycle - transfer.start;
        // Requests outside the memories were reported when they were accepted.
        if (source < 0 || source >= this.memSize || target < 0 || target >= this.memSize) continue;
        this.image.write(transfer.dst, target, this.image.read(transfer.src, source));
      }
  }

  private replay(writtenBeforeRead: boolean): void {
    const { accesses } = this;
    if (accesses.length === 0) return;
    // When the log order agrees with every memory's clock and with read-before-write of each byte, it is itself the serial
    // order that level 1 asks for, and no graph is needed.
    if (!writtenBeforeRead && this.inClockOrder()) for (const e of accesses) this.perform(e);
    else this.replayByStamps();
    accesses.length = 0;
  }

  private inClockOrder(): boolean {
    const { accesses, clocks } = this;
    for (let i = 0; i < accesses.length; i++) {
      const e = accesses[i];
      if (e === undefined || (e.in >= (clocks[e.mem] ?? -1) && e.out === e.in + 1)) {
        if (e !== undefined) clocks[e.mem] = e.out;
        continue;
      }
      // The slow path starts from the clocks before this cycle.
      for (let back = i - 1; back >= 0; back--) {
        const before = accesses[back];
        if (before !== undefined) clocks[before.mem] = Math.min(clocks[before.mem] ?? -1, before.in);
      }
      return false;
    }
    return true;
  }

  private replayByStamps(): void {
    const ordered = this.accesses.toSorted((a, b) => a.mem - b.mem || a.out - b.out || a.n - b.n);
    for (const e of ordered) {
      const clock = this.clocks[e.mem] ?? -1;
      if (e.in < clock || e.out !== e.in + 1) this.overlap(e, clock);
      if (e.out > clock) this.clocks[e.mem] = e.out;
      this.perform(e);
    }
    if (serialOrder(chainsOf(this.accesses)) !== null) return;
    const [first] = this.accesses;
    if (first === undefined) return;
    const message = 'the orders of the memories contradict each other: no serial order of the cycle exists';
    this.findings.add('CK-20', first, [], [], message, 'SYNC');
  }

  /** CK-19. */
  private overlap(e: AccessEvent, clock: number): void {
    const why = e.in < clock ? `another access lasted to ${clock}` : 'another access entered meanwhile';
    const message = `${e.ev} of byte ${e.a} lasts from stamp ${e.in} to ${e.out}, but ${why}`;
    this.findings.add('CK-19', e, [memoryName(e.mem)], e.by === 'dma' ? [e] : [], message);
  }

  private perform(e: AccessEvent): void {
    if (e.ev === 'WR') {
      this.image.write(e.mem, e.a, e.v);
      const key = e.mem * this.memSize + e.a;
      if (!this.written.add(key)) this.noteChoices(key);
      return;
    }
    const held = this.image.read(e.mem, e.a);
    if (held === e.v) return;
    if (held === UNKNOWN) {
      this.image.write(e.mem, e.a, e.v);
      return;
    }
    const entity = e.by === 'spu' ? spuName(e.spu) : dmaName(e.spu);
    const message = `byte ${e.a} is read as ${e.v}, it holds ${held}`;
    this.findings.add('CK-20', e, [memoryName(e.mem), entity], e.by === 'dma' ? [e] : [], message);
  }

  /** Several writes met on a byte: keeps their values, so that a finding can tell level 0 from level 1. */
  private noteChoices(key: number): void {
    const values = this.accesses.flatMap((e) =>
      e.ev === 'WR' && e.mem * this.memSize + e.a === key ? [e.v] : [],
    );
    this.choices.set(key, values);
  }
}

/** The accesses of each SPU and of each byte's move, in the order they must keep (Cell specification 10.1). */
function chainsOf(events: readonly AccessEvent[]): readonly (readonly Access[])[] {
  const chains = new Map<string, Access[]>();
  for (const e of events) {
    const name = `${e.by} ${e.spu} ${e.id}`;
    const access = { write: e.ev === 'WR', mem: e.mem, address: e.a, value: e.v, stamp: e.out };
    const chain = chains.get(name);
    if (chain === undefined) chains.set(name, [access]);
    // The read of a byte comes before its write even when the log has them the other way round.
    else if (e.by === 'dma' && !access.write) chain.unshift(access);
    else chain.push(access);
  }
  return [...chains.values()];
}
