import type {
  DescriptorIssue,
  LdmData,
  MemoryAccess,
  MemoryAnswer,
  QueueFull,
  SyncOffline,
  SyncRelease,
} from '../../../actors/sunway/messages.ts';
import type { CallBegin, CallEnd } from '../../../actors/sunway/probes.ts';
import type { TimingTable } from '../../../actors/sunway/timing/timing-table.ts';
import type { LockstepEvent, Probe } from '../../../kernel/message.ts';
import type { SunwayConfig } from '../../../machines/sunway/config.ts';
import { groupIn, tidIn } from '../context.ts';
import { type Arguments, codesOf } from './codes.ts';
import type { Follower, Following, Heard } from './follower.ts';
import { timesOf } from './times.ts';

/*
 * Calls of the slave side (Sunway specification 3.2, 6, 8.2, 9.1), worked out beside the run: how long each takes that depends on nobody else, what it returns, and what asks of it take
 * at least. Those that wait for others are judged where the others are.
 */

interface Core {
  readonly name: string;
  readonly tid: number;
  readonly tables: Map<number, number>;
  offline: Set<number>;
  call: { readonly name: string; readonly given: Arguments; readonly since: number } | undefined;
  /** What came since the call began: bytes, that the queue was full, that others of a collective disagree, a word that was waited for. */
  data: Uint8Array[];
  wasFull: boolean;
  isDisagreed: boolean;
  wordAt: number;
  started: number;
}

/** Bytes that one access of a vector has at most. */
const widest = 64;

const coreName = (core: number): string => `Cg[${Math.floor(core / 64)}].Cpe[${core % 64}]`;

function valueIn(type: unknown, data: Uint8Array): number | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  switch (type) {
    case 'i32':
      return view.getInt32(0, true);
    case 'u32':
      return view.getUint32(0, true);
    case 'f32':
      return view.getFloat32(0, true);
    case 'f64':
      return view.getFloat64(0, true);
    default:
      return undefined;
  }
}

class CallsFollower implements Follower {
  readonly watches = [
    ...['call.begin', 'call.end', 'core.runs'],
    ...['descriptor.issue', 'queue.full', 'ldm.data', 'memory.answer', 'memory.access'],
    ...['reply.event', 'sync.release', 'sync.offline', 'thread.start'],
  ];
  readonly #config: SunwayConfig;
  readonly #times: TimingTable;
  readonly #cores = new Map<string, Core>();
  #first: string | undefined;

  constructor(config: SunwayConfig) {
    this.#config = config;
    this.#times = timesOf(config);
  }

  difference(): string | undefined {
    return this.#first;
  }

  hear(event: LockstepEvent, { from, to, tick }: Heard): void {
    if (event.type === 'memory.access') {
      this.#asked(event as MemoryAccess, from);
      return;
    }
    if (event.type === 'descriptor.issue') {
      this.#issued(event as DescriptorIssue, this.#coreOf(from), tick);
      return;
    }
    if (to.includes('.Cpe[')) this.#came(this.#coreOf(to), event, tick);
  }

  #came(core: Core, event: LockstepEvent, tick: number): void {
    switch (event.type) {
      case 'queue.full':
        core.wasFull = (event as QueueFull).transfer >= 0;
        return;
      case 'ldm.data':
      case 'memory.answer':
        core.data.push((event as LdmData | MemoryAnswer).data);
        return;
      case 'reply.event':
        core.wordAt = tick;
        return;
      case 'sync.release':
        core.isDisagreed ||= !(event as SyncRelease).agreed;
        return;
      case 'sync.offline':
        for (const tid of (event as SyncOffline).tids) core.offline.add(tid);
        return;
      case 'thread.start':
        core.started = tick;
        core.tables.clear();
    }
  }

  look(probe: Probe, tick: number): void {
    const { core } = probe as CallBegin;
    if (core >= 0) this.#see(this.#coreOf(coreName(core)), probe, tick);
  }

  #see(core: Core, probe: Probe, tick: number): void {
    switch (probe.type) {
      case 'core.runs':
        if (core.started < 0) return;
        this.#expect(`${core.name} starts`, tick - core.started, Math.max(1, this.#times.spawn.latency - 1));
        core.started = -1;
        return;
      case 'call.begin': {
        const { name, arguments: given } = probe as CallBegin;
        core.call = { name, given, since: tick };
        core.data = [];
        core.wasFull = false;
        core.isDisagreed = false;
        return;
      }
      case 'call.end':
        this.#ended(core, probe as CallEnd, tick);
    }
  }

  #coreOf(name: string): Core {
    const known = this.#cores.get(name);
    if (known) return known;
    const made: Core = {
      ...{ name, tid: tidIn(name), tables: new Map(), offline: new Set<number>(), call: undefined, data: [] },
      ...{ wasFull: false, isDisagreed: false, wordAt: -1, started: -1 },
    };
    this.#cores.set(name, made);
    return made;
  }

  #expect(what: string, cycles: number, expected: number): void {
    if (cycles !== expected) this.#fail(`${what} in ${cycles} cycles, the reference has ${expected}`);
  }

  #fail(why: string): void {
    this.#first ??= why;
  }

  /** A descriptor takes its CPE so long (9.1); the last cycle is the engine's answer. */
  #issued({ kind, transfer }: DescriptorIssue, { name, call }: Core, tick: number): void {
    if (call === undefined || !/^(dma|rma)_i?(get|put|bcast|row|col)/.test(call.name)) return;
    if (/coll|dma_(row_)?ibcast/.test(call.name)) return;
    const cost = kind.endsWith('Barrier')
      ? 1
      : kind.startsWith('dma')
        ? this.#times.dma.issueCost
        : this.#times.rma.issueCost;
    this.#expect(`${name} issues transfer ${transfer}`, tick - call.since, Math.max(1, cost - 1));
  }

  /** What somebody asks of main memory for names its latency (9.1). */
  #asked({ kind, bytes, flag, answerDelay }: MemoryAccess, from: string): void {
    if (from.startsWith('Node.') || from.includes('.Cpe[') === false) {
      if (from.startsWith('Node.')) return;
      this.#expect(`${from} asks for a ${kind}`, answerDelay, Math.max(1, this.#times.gld.latency - 1));
      return;
    }
    const isCached = this.#config.cacheKiB > 0 || this.#config.ldm.preset === 'cache32';
    if (isCached && kind !== 'add' && !flag) return;
    const latency =
      kind === 'add' ? this.#times.faa.latency : this.#times.gld.latency * Math.ceil(bytes / widest);
    this.#expect(`${from} asks for a ${kind} of ${bytes} bytes`, answerDelay, Math.max(1, latency - 1));
  }

  #ended(core: Core, { code, given }: CallEnd, tick: number): void {
    const { call } = core;
    if (call === undefined) return;
    core.call = undefined;
    const what = `${call.name} of ${core.name}`;
    const wrong = this.#codeWrong(core, call.name, call.given, code);
    if (wrong !== undefined) this.#fail(`${what} returns ${code}, ${wrong}`);
    if (code !== 0) return;
    const cycles = this.#cyclesOf(core, call.name, call.given, call.since);
    if (cycles !== undefined) this.#expect(`${what} ends`, tick - call.since, cycles);
    const value = this.#valueIn(core, call.name, call.given, tick);
    if (value !== undefined && !Object.is(value, given))
      this.#fail(`${what} gives ${given}, the reference has ${value}`);
    if (call.name.startsWith('ptab_cpy')) this.#noteTable(core, call.given);
    if (call.name.startsWith('pldm_free')) core.tables.clear();
  }

  #codeWrong(core: Core, name: string, given: Arguments, code: number): string | undefined {
    // Where a refused call ends the run nothing else can be wrong with codes.
    if (this.#config.onError === 'trap') return undefined;
    const available = new Set<number>();
    for (let tid = 0; tid < this.#config.cpesPerCg; tid++) if (!core.offline.has(tid)) available.add(tid);
    const deserved = codesOf(name, given, { tid: core.tid, available, tables: core.tables }, this.#config);
    if (deserved === undefined) return undefined;
    const codes = core.isDisagreed ? [22] : [...deserved];
    if (codes.length === 0) return code === 0 ? undefined : 'the reference has success';
    return codes.includes(code) ? undefined : `the reference has ${codes.join(' or ')}`;
  }

  /** The rows of a table that other lanes keep stay. */
  #noteTable({ tables }: Core, given: Arguments): void {
    const [first, rows] = [given['ptable'] as number, given['unit'] as number];
    const keeps = given['num'] !== undefined && given['num'] !== 16;
    tables.set(first, keeps ? Math.max(rows, tables.get(first) ?? 0) : rows);
  }

  /** Cycles of a call that waits for nobody; undefined for others. */
  #cyclesOf(core: Core, name: string, given: Arguments, since: number): number | undefined {
    const { dma, rma, ptab, poll } = this.#times;
    if ('orders' in given) return core.wasFull ? undefined : 2;
    if (/^(smng_|stime_cycle|scache_get_size|tell|get_ptab_addr)/.test(name)) return 1;
    if (/^(pldm_|get_free_addr)/.test(name)) return 2;
    if (/^dma_(col_)?i(get|put|bcast)/.test(name) && name !== 'dma_ibcast' && name !== 'dma_ibcast_stride')
      return core.wasFull ? undefined : Math.max(2, dma.issueCost);
    if (/^rma_(row_|col_)?i/.test(name))
      return core.wasFull || rma.sharedOpTax > 0 ? undefined : Math.max(2, rma.issueCost);
    switch (name) {
      case 'compute':
        return Math.max(1, Math.ceil(given['cycles'] as number));
      case 'ptab_lookup':
      case 'ptab_write':
        return Math.max(2, ptab.lookup);
      case 'dma_wait_value':
      case 'rma_wait_value':
        return core.wordAt - since + poll.cost;
      case 'ld':
      case 'st':
      case 'ldBlock':
      case 'stBlock':
        return this.#accessCycles(core, given);
      default:
        return undefined;
    }
  }

  /** A load or store of an LDM; at the level of flits ports may take turns (8.7, 9.1). */
  #accessCycles({ tid }: Core, given: Arguments): number | undefined {
    const { ldm, sldm } = this.#times;
    const address = given['address'] as number;
    const bytes = (given['bytes'] as number | undefined) ?? (given['data'] as Uint8Array).length;
    const more = Math.max(1, Math.ceil(bytes / ldm.bytesPerCycle)) - 1;
    if (this.#config.fidelity === 'flit') return undefined;
    if (address < 2 ** 18) return Math.max(2, ldm.latency + more);
    if (address < 2 ** 45 || address >= 2 ** 46) return undefined;
    const other = Math.floor((address - 2 ** 45) / 2 ** 20);
    const hops =
      Math.abs(Math.floor((tid % 8) / 2) - Math.floor((other % 8) / 2)) +
      Math.abs(Math.floor(tid / 16) - Math.floor(other / 16));
    return Math.max(2, sldm.latency + sldm.hop * hops + more);
  }

  #valueIn(core: Core, name: string, given: Arguments, tick: number): number | undefined {
    const [only, ...more] = core.data;
    switch (name) {
      case 'ld':
        return only && more.length === 0 ? valueIn(given['type'], only) : undefined;
      case 'faa':
        return only && valueIn('i32', only);
      case 'stime_cycle': {
        const at = 64 * groupIn(core.name) + core.tid;
        return tick + at * this.#config.clockSkew;
      }
      case 'scache_get_size':
        return 1024 * (this.#config.ldm.preset === 'cache32' ? 32 : this.#config.cacheKiB);
      case 'st':
      case 'stBlock':
      case 'compute':
      case 'dma_wait_value':
      case 'rma_wait_value':
        return 0;
      default:
        return /^(dma|rma|ssync|smutex|scoll|ssig|memcpy|sldm|user)_/.test(name) ? 0 : undefined;
    }
  }
}

/** The calls of the CPEs of a node. */
export const calls: Following = ({ config }) => new CallsFollower(config);
