import type { SignalArrive, SignalSend, ThreadDone, ThreadStart } from '../../../actors/sunway/messages.ts';
import type { CallBegin, CallEnd, SignalHandle } from '../../../actors/sunway/probes.ts';
import type { TimingTable } from '../../../actors/sunway/timing/timing-table.ts';
import type { LockstepEvent, Probe } from '../../../kernel/message.ts';
import type { SunwayConfig } from '../../../machines/sunway/config.ts';
import { groupIn, tidIn } from '../context.ts';
import { type Follower, type Following, type Heard, Promises } from './follower.ts';
import { timesOf } from './times.ts';

/*
 * Calls of host processes (Sunway specification 3.2, 5, 8.3), worked out beside the run: what each returns, which threads it starts, how long it takes where that depends on nobody else, and
 * the order of signals. A signal is handled between two calls or while one waits, so that calls lie inside each other.
 */

type Slot = 'idle' | 'running' | 'finished' | 'offline';

interface Call {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly since: number;
  /** What it must return; undefined where others decide. */
  readonly code: number | undefined;
  /** Whether a signal was handled meanwhile. */
  wasInterrupted: boolean;
}

interface Host {
  readonly cgn: number;
  readonly slots: Slot[];
  /** When each thread had ended, by tid. */
  readonly endedAt: number[];
  /** By tid: how often its thread was waited for without its being told. */
  readonly owed: number[];
  isReady: boolean;
  isGroup: boolean;
  /** Calls that have begun, the one at hand last. */
  readonly calls: Call[];
  readonly signals: { readonly tid: number; readonly sent: number }[];
}

const [busy, unreaped, offline, state, align, range, tidCode] = [1, 2, 3, 4, 10, 12, 15];

class HostsFollower implements Follower {
  readonly watches = [
    ...['call.begin', 'call.end', 'signal.handle'],
    ...[
      'thread.start',
      'thread.done',
      'thread.reap',
      'thread.halt',
      'signal.send',
      'signal.arrive',
      'host.stop',
    ],
  ];
  readonly #config: SunwayConfig;
  readonly #times: TimingTable;
  readonly #hosts: readonly Host[];
  readonly #promises = new Promises();
  readonly #sent: { readonly cgn: number; readonly tid: number; readonly tick: number }[] = [];
  #isStopped = false;

  constructor(config: SunwayConfig) {
    this.#config = config;
    this.#times = timesOf(config);
    this.#hosts = Array.from({ length: config.cgs }, (_, cgn) => ({
      ...{ cgn, isReady: false, isGroup: false, calls: [], signals: [] },
      owed: new Array<number>(config.cpesPerCg).fill(0),
      slots: new Array<Slot>(config.cpesPerCg).fill('idle'),
      endedAt: new Array<number>(config.cpesPerCg).fill(-1),
    }));
  }

  difference(): string | undefined {
    if (this.#isStopped) return undefined;
    if (this.#promises.difference !== undefined) return this.#promises.difference;
    const owing = this.#hosts.find(({ owed }) => owed.some((one) => one !== 0));
    return (
      owing &&
      `CPEs of core group ${owing.cgn} are told ${owing.owed.join(' ')} times too few that their threads were waited for`
    );
  }

  hear(event: LockstepEvent, { to, tick }: Heard): void {
    switch (event.type) {
      case 'host.stop':
        // What was under way comes to nothing.
        this.#isStopped = true;
        return;
      case 'thread.start':
        this.#promises.keep(
          `the start of a thread at ${to}, which ${(event as ThreadStart).flush ? 'flushes' : 'does not flush'}${(event as ThreadStart).group ? ' with its group' : ''},`,
          tick,
        );
        return;
      case 'thread.reap':
        this.#hosts[groupIn(to)]!.owed[tidIn(to)]!--;
        return;
      case 'thread.halt':
        this.#promises.keep(`${event.type} of ${to}`, tick);
        return;
      case 'signal.send':
        this.#send(event as SignalSend, groupIn(to), tick);
        return;
    }
    if (!to.endsWith('.Mpe')) return;
    const host = this.#hosts[groupIn(to)]!;
    if (event.type === 'thread.done') this.#done(host, event as ThreadDone, tick);
    else if (event.type === 'signal.arrive') this.#arrive(host, event as SignalArrive, tick);
  }

  look(probe: Probe, tick: number): void {
    const { core } = probe as CallBegin;
    if (core < 0) this.#see(this.#hosts[-1 - core]!, probe, tick);
  }

  // Signals -------------------------------------------------------------------------------------------------------------------------

  /** Those of one cycle go on by tid, those of a later one behind them (5.6). */
  #send({ tid }: SignalSend, cgn: number, tick: number): void {
    this.#sent.push({ cgn, tid, tick });
    this.#promises.promise(`the signal of CPE ${tid} of core group ${cgn}`, tick + 2);
  }

  #arrive(host: Host, { tid, sent }: SignalArrive, tick: number): void {
    this.#promises.keep(`the signal of CPE ${tid} of core group ${host.cgn}`, tick);
    const mine = this.#sent.filter(({ cgn }) => cgn === host.cgn);
    const first = mine.toSorted((a, b) => a.tick - b.tick || a.tid - b.tid)[0];
    if (first?.tid !== tid || first.tick !== sent)
      this.#promises.fail(`the signal of CPE ${tid} comes before that of CPE ${first?.tid}`);
    this.#sent.splice(
      this.#sent.findIndex((one) => one.cgn === host.cgn && one.tid === tid),
      1,
    );
    host.signals.push({ tid, sent });
  }

  // Calls ---------------------------------------------------------------------------------------------------------------------------

  #see(host: Host, probe: Probe, tick: number): void {
    switch (probe.type) {
      case 'signal.handle': {
        const { tid, sent } = probe as SignalHandle;
        const first = host.signals.shift();
        if (first?.tid !== tid || first.sent !== sent)
          this.#promises.fail(
            `host ${host.cgn} handles the signal of CPE ${tid} of cycle ${sent}, the reference has that of CPE ${first?.tid}`,
          );
        for (const call of host.calls) call.wasInterrupted = true;
        return;
      }
      case 'call.begin': {
        const { name, arguments: given } = probe as CallBegin;
        const call = { name, given, since: tick, code: this.#begin(host, name, given, tick) };
        host.calls.push({ ...call, wasInterrupted: false });
        return;
      }
      case 'call.end':
        this.#ended(host, probe as CallEnd, tick);
    }
  }

  #ended(host: Host, { name, code }: CallEnd, tick: number): void {
    // The end of a handler is shown like one of a call that nobody has begun.
    if (name === 'handled') return;
    const call = host.calls.pop();
    if (call?.name !== name) {
      this.#promises.fail(`host ${host.cgn} ends ${name}, the reference has ${call?.name}`);
      return;
    }
    const what = `${name} of host ${host.cgn}`;
    if (call.code !== undefined && code !== call.code)
      this.#promises.fail(`${what} returns ${code}, the reference has ${call.code}`);
    const cycles = this.#cyclesOf(host, call, code);
    if (cycles !== undefined && !call.wasInterrupted && tick - call.since !== cycles)
      this.#promises.fail(`${what} takes ${tick - call.since} cycles, the reference has ${cycles}`);
    if (code !== 0) return;
    // Threads that were waited for are free again.
    if (name === 'athread_join') {
      host.isGroup = false;
      this.#reap(
        host,
        [...host.slots.keys()].filter((tid) => host.slots[tid] === 'finished'),
      );
    } else if (name === 'athread_wait') this.#reap(host, [call.given['id'] as number]);
  }

  /** A call begins: what it changes, and what it must return. */
  #begin(host: Host, name: string, given: Call['given'], tick: number): number | undefined {
    const { slots } = host;
    const some = (slot: Slot): boolean => slots.includes(slot);
    const plain = new Set(['init', 'tell', 'compute', 'ld', 'st', 'ldBlock', 'stBlock']);
    if (!host.isReady && !plain.has(name)) return name === 'athread_get_max_threads' ? -1 : state;
    switch (name) {
      case 'init':
        host.isReady = true;
        return 0;
      case 'tell':
      case 'compute':
      case 'sig_user_init':
        return 0;
      case 'athread_create': {
        const id = given['id'] as number;
        const slot = slots[id];
        if (slot === undefined) return tidCode;
        if (slot === 'offline') return offline;
        if (slot === 'running') return busy;
        if (slot === 'finished') return unreaped;
        if (host.isGroup) return state;
        this.#start(host, id, true, false, tick);
        return 0;
      }
      case 'athread_spawn':
      case 'athread_spawn_noflush': {
        if (some('running')) return busy;
        if (some('finished')) return unreaped;
        if (!some('idle')) return offline;
        host.isGroup = true;
        for (const [tid, slot] of slots.entries())
          if (slot === 'idle') this.#start(host, tid, name === 'athread_spawn', true, tick);
        return 0;
      }
      case 'athread_wait': {
        const slot = slots[given['id'] as number];
        if (slot === undefined) return tidCode;
        return host.isGroup || slot === 'idle' || slot === 'offline' ? state : 0;
      }
      case 'athread_join':
        return host.isGroup ? 0 : state;
      case 'athread_end': {
        const id = given['id'] as number;
        const slot = slots[id];
        if (slot === undefined) return tidCode;
        if (slot === 'running') return busy;
        if (slot === 'finished') return unreaped;
        if (slot === 'offline') return offline;
        this.#close(host, [id], tick);
        return 0;
      }
      case 'athread_halt': {
        const open = [...slots.keys()].filter((tid) => slots[tid] !== 'offline');
        if (open.length === 0) return offline;
        this.#close(host, open, tick);
        host.isGroup = false;
        return 0;
      }
      case 'athread_get_max_threads':
        return slots.filter((slot) => slot !== 'offline').length;
      case 'time_cycle':
        return Math.floor((tick * this.#times.clk.mpe) / this.#times.clk.cpe);
      case 'sync_node':
        return 0;
      case 'sync_master_spe': {
        const slot = slots[given['tid'] as number];
        return slot === undefined || slot === 'offline' ? tidCode : 0;
      }
      case 'sync_master_array':
        return host.isGroup ? 0 : state;
      default:
        return this.#lockCode(name, given['key']);
    }
  }

  /** A lock on a word of 64 bits in main memory (5.4); whether it is free is told where locks are. */
  #lockCode(name: string, key: unknown): number | undefined {
    if (!/^mutex_/.test(name) || typeof key !== 'number') return undefined;
    if (key % 4 !== 0) return align;
    const { cgs, memoryMiB, crossMiB } = this.#config;
    const within = (first: number, mebibytes: number) =>
      key >= first && key + 8 <= first + mebibytes * 2 ** 20;
    const isKept =
      within(0x7800_0000_0000, crossMiB) ||
      Array.from({ length: cgs }, (_, cg) => within(0x5000_0000_0000 + cg * 2 ** 36, memoryMiB)).some(
        Boolean,
      );
    if (!isKept) return range;
    return name === 'mutex_lock' ? 0 : undefined;
  }

  #start({ cgn, slots }: Host, tid: number, flushes: boolean, isGroup: boolean, tick: number): void {
    slots[tid] = 'running';
    this.#promises.promise(
      `the start of a thread at Cg[${cgn}].Cpe[${tid}], which ${flushes ? 'flushes' : 'does not flush'}${isGroup ? ' with its group' : ''},`,
      tick + 1,
    );
  }

  #close({ cgn, slots }: Host, tids: readonly number[], tick: number): void {
    for (const tid of tids) {
      slots[tid] = 'offline';
      this.#promises.promise(`thread.halt of Cg[${cgn}].Cpe[${tid}]`, tick + 1);
    }
  }

  #done(host: Host, { tid }: ThreadDone, tick: number): void {
    if (host.slots[tid] === 'offline') return;
    if (host.slots[tid] !== 'running')
      this.#promises.fail(`the thread of CPE ${tid} ends, which does not run`);
    host.slots[tid] = 'finished';
    host.endedAt[tid] = tick;
  }

  #reap(host: Host, tids: readonly number[]): void {
    for (const tid of tids) {
      host.slots[tid] = 'idle';
      host.owed[tid]!++;
    }
  }

  /** Cycles of a call that waits for nobody but threads; undefined for others. */
  #cyclesOf(host: Host, { name, given, since, code: deserved }: Call, code: number): number | undefined {
    const { clk, join } = this.#times;
    const cycles = (mpe: number): number => Math.ceil((mpe * clk.cpe) / clk.mpe);
    switch (name) {
      case 'tell':
        return 1;
      case 'compute':
        return Math.max(1, cycles(given['cycles'] as number));
      case 'athread_wait':
        return code === 0
          ? Math.max(since, host.endedAt[given['id'] as number]!) - since + join.latency
          : cycles(1);
      case 'athread_join':
        return code === 0 ? Math.max(since, ...host.endedAt) - since + join.latency : cycles(1);
      case 'athread_get_max_threads':
        return host.isReady ? cycles(1) : 1;
      case 'time_cycle':
      case 'init':
      case 'sig_user_init':
        return cycles(1);
      default:
        // What other calls return may be a number that they have loaded or counted.
        return /^athread_/.test(name) || deserved === tidCode ? cycles(1) : undefined;
    }
  }
}

/** The host processes of a node of which none is killed. */
export const hosts: Following = ({ config }) =>
  config.job.kill.length > 0 ? undefined : new HostsFollower(config);
