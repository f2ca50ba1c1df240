import type { Rules } from './clock.ts';
import { RaceDetector } from './race-detector.ts';
import {
  type Blocks,
  type CoreId,
  cpeCore,
  mainMemory,
  mpeCore,
  type RaceEvent,
  type ReplyOfTransfer,
  type ReplyWord,
} from './race-event.ts';
import type { RaceKind, RaceReport } from './race-report.ts';

/** An event without what the story adds itself. */
type Told<E> = E extends RaceEvent ? Omit<E, 'core' | 'cycle' | 'operation'> : never;

const row = (tid: number): number => tid >> 3;
const everyTid: readonly number[] = Array.from({ length: 64 }, (_, tid) => tid);

/** All CPEs of the first core group. */
export const allTids = everyTid;
/** The CPEs of the row of a CPE. */
export const rowOf = (tid: number): readonly number[] => everyTid.filter((one) => row(one) === row(tid));
/** The CPEs of the column of a CPE. */
export const columnOf = (tid: number): readonly number[] => everyTid.filter((one) => one % 8 === tid % 8);

/**
 * What happens on one core group, told event by event to a race detector: a scenario without the machine.
 *
 * Details: every call is one cycle and one operation. Reply words are offsets, the same on every CPE.
 */
export class RaceStory {
  readonly reports: RaceReport[] = [];
  readonly detector: RaceDetector;
  #cycle = 0;
  #transfers = 0;

  constructor(policy: Rules = 'lenient') {
    this.detector = new RaceDetector({ policy, found: (report) => this.reports.push(report) });
  }

  /** Kinds found, each once, in the order of their first report. */
  get kinds(): readonly RaceKind[] {
    return [...new Set(this.reports.map(({ kind }) => kind))];
  }

  /** Takes what was found so far away. */
  taken(): readonly RaceReport[] {
    return this.reports.splice(0, this.reports.length);
  }

  tell(core: CoreId, name: string, event: Told<RaceEvent>): void {
    const cycle = this.#cycle++;
    this.detector.see({ ...event, core, cycle, operation: { name, step: cycle } } as RaceEvent);
  }

  /** A CPE loads from its LDM, from that of `owner`, or from memory. */
  load(tid: number, address: number, bytes = 8, owner = tid): void {
    this.tell(cpeCore(tid), 'ld', { kind: 'load', space: cpeCore(owner), address, bytes });
  }

  store(tid: number, address: number, bytes = 8, owner = tid): void {
    this.tell(cpeCore(tid), 'st', { kind: 'store', space: cpeCore(owner), address, bytes });
  }

  /** A core, the MPE by default, touches main memory. */
  memory(
    kind: 'load' | 'store',
    address: number,
    bytes = 8,
    core: CoreId = mpeCore(),
    how: { readonly cached?: boolean; readonly flag?: boolean; readonly atomic?: boolean } = {},
  ): void {
    this.tell(core, kind === 'load' ? 'ld' : 'st', { kind, space: mainMemory, address, bytes, ...how });
  }

  flag(kind: 'load' | 'store', tid: number, address: number, owner = tid): void {
    this.tell(cpeCore(tid), `${kind}Flag`, { kind, space: cpeCore(owner), address, bytes: 4, flag: true });
  }

  get(
    tid: number,
    ldm: number,
    memory: number,
    bytes: number,
    word: number,
    strided: Partial<Blocks> = {},
  ): void {
    const source = { space: mainMemory, address: memory, bytes, ...strided };
    const copy = { space: cpeCore(tid), address: ldm, bytes };
    const reply = { word: wordAt(tid, word), role: 'local' as const, announces: 0 };
    this.#issue(tid, 'dma_iget', 'dma', 'get', source, [copy], [reply]);
  }

  put(
    tid: number,
    memory: number,
    ldm: number,
    bytes: number,
    word: number,
    strided: Partial<Blocks> = {},
  ): void {
    const source = { space: cpeCore(tid), address: ldm, bytes };
    const copy = { space: mainMemory, address: memory, bytes, ...strided };
    const reply = { word: wordAt(tid, word), role: 'local' as const, announces: 'source' as const };
    this.#issue(tid, 'dma_iput', 'dma', 'put', source, [copy], [reply]);
  }

  remoteGet(
    tid: number,
    address: number,
    bytes: number,
    from: number,
    remote: number,
    local?: number,
    far?: number,
  ): void {
    const replies: ReplyOfTransfer[] = [];
    if (local !== undefined) replies.push({ word: wordAt(tid, local), role: 'local', announces: 0 });
    if (far !== undefined) replies.push({ word: wordAt(from, far), role: 'remote', announces: 'source' });
    const source = { space: cpeCore(from), address: remote, bytes };
    this.#issue(tid, 'rma_iget', 'rma', 'get', source, [{ space: cpeCore(tid), address, bytes }], replies);
  }

  remotePut(
    tid: number,
    address: number,
    bytes: number,
    to: number,
    remote: number,
    local?: number,
    far?: number,
  ): void {
    this.broadcast(tid, [to], remote, address, bytes, local, far, 'rma_iput');
  }

  /** An RMA put or broadcast to these CPEs. */
  broadcast(
    tid: number,
    to: readonly number[],
    address: number,
    from: number,
    bytes: number,
    local?: number,
    far?: number,
    name = 'rma_ibcast',
  ): void {
    const replies: ReplyOfTransfer[] = [];
    if (local !== undefined) replies.push({ word: wordAt(tid, local), role: 'local', announces: 'source' });
    if (far !== undefined)
      to.forEach((one, copy) => {
        replies.push({ word: wordAt(one, far), role: 'remote', announces: copy });
      });
    const copies = to.map((one) => ({ space: cpeCore(one), address, bytes }));
    const source = { space: cpeCore(tid), address: from, bytes };
    this.#issue(tid, name, 'rma', name === 'rma_iput' ? 'put' : 'broadcast', source, copies, replies);
  }

  order(tid: number, engine: 'dma' | 'rma' | 'both'): void {
    this.tell(cpeCore(tid), `${engine}_barrier`, { kind: 'order', engine });
  }

  wait(tid: number, word: number, value: number): void {
    this.tell(cpeCore(tid), 'wait_value', { kind: 'reply.waited', word: wordAt(tid, word), value });
  }

  reset(tid: number, word: number, value = 0): void {
    this.tell(cpeCore(tid), 'rplySet', { kind: 'reply.store', word: wordAt(tid, word), value });
  }

  /** All members arrive, then all leave. */
  sync(tids: readonly number[] = everyTid, withMpe = false): void {
    const members = [...tids.map((tid) => cpeCore(tid)), ...(withMpe ? [mpeCore()] : [])];
    const group = `group of ${members.join(' ')}`;
    for (const kind of ['group.arrive', 'group.leave'] as const)
      for (const core of members) this.tell(core, 'ssync', { kind, group, members });
  }

  lock(kind: 'lock' | 'unlock', tid: number, lock: string): void {
    this.tell(cpeCore(tid), `smutex_${kind}`, { kind, lock });
  }

  /** The MPE starts threads, or waits for them. */
  threads(kind: 'spawn' | 'joining' | 'join', tids: readonly number[] = everyTid): void {
    this.tell(mpeCore(), `athread_${kind}`, { kind, threads: tids.map((tid) => cpeCore(tid)) });
  }

  end(tid: number): void {
    this.tell(cpeCore(tid), 'return', { kind: 'thread.end' });
  }

  cache(kind: 'fill' | 'writeBack' | 'drop', tid: number, address: number): void {
    this.tell(cpeCore(tid), 'cache', { kind: `cache.${kind}`, address, bytes: 64 });
  }

  #issue(
    tid: number,
    name: string,
    engine: 'dma' | 'rma',
    action: 'get' | 'put' | 'broadcast',
    source: Blocks,
    copies: readonly Blocks[],
    replies: readonly ReplyOfTransfer[],
  ): void {
    const transfer = this.#transfers++;
    this.tell(cpeCore(tid), name, { kind: 'issue', transfer, engine, action, source, copies, replies });
  }
}

const wordAt = (tid: number, offset: number): ReplyWord => ({ space: cpeCore(tid), offset });
