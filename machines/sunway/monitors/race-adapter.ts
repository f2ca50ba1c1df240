import { barrierGroups } from '../../../actors/sunway/groups.ts';
import type {
  DescriptorIssue,
  LdmAllocate,
  LdmData,
  LdmGather,
  LdmRead,
  LdmScatter,
  LdmWrite,
  LockGrant,
  LockRelease,
  MemoryAccess,
  NodeAdd,
  ReplyWatch,
  SyncArrive,
  SyncOffline,
} from '../../../actors/sunway/messages.ts';
import type {
  CacheAccess,
  CacheDrop,
  CallBegin,
  CallEnd,
  SignalHandle,
} from '../../../actors/sunway/probes.ts';
import type { LockstepEvent, Probe } from '../../../kernel/message.ts';
import type { SunwayConfig } from '../config.ts';
import { Meetings, type NamedGroup } from './meetings.ts';
import { coreOfNumber, PartNames } from './part-names.ts';
import {
  type CoreId,
  coresPerGroup,
  cpeCore,
  groupOf,
  mainMemory,
  type Operation,
  type RaceEvent,
  type ReplyWord,
} from './race/race-event.ts';
import { transferEvent } from './transfer-event.ts';

/** A message as it was delivered. */
interface Delivered {
  readonly tick: number;
  readonly from: string;
  readonly to: string;
  readonly event: LockstepEvent;
}

type Told<E> = E extends RaceEvent ? Omit<E, 'core' | 'cycle' | 'operation'> : never;

const isHost = (core: CoreId): boolean => core % coresPerGroup === coresPerGroup - 1;
const synchronisations = new Set<string>([
  ...barrierGroups.map((group) => `ssync_${group}`),
  ...['ssync_peer', 'ssync_sldm', 'ssync_master_spe', 'ssync_master_array', 'ssync_node'],
  ...['sync_master_spe', 'sync_master_array', 'sync_node'],
]);

/**
 * Reads from the messages and probes of a node what the race detector wants to know.
 *
 * Details: accesses count when they reach their memory, transfers when they reach their engine. A call that synchronises is one meeting of its
 * whole group, whatever barriers it is made of; inside collectives each hardware barrier is one.
 */
export class RaceAdapter {
  readonly #see: (event: RaceEvent) => void;
  readonly #names = new PartNames();
  readonly #meetings: Meetings;
  readonly #cpes: number;
  readonly #calls = new Map<CoreId, Operation>();
  /** What a synchronising call is for, and whether its core has come to the first barrier of it. */
  readonly #meeting = new Map<CoreId, { readonly group: NamedGroup; arrived: boolean }>();
  /** Hardware barriers that a core has come to outside a synchronising call. */
  readonly #barriers = new Map<CoreId, NamedGroup>();
  readonly #awaited = new Map<CoreId, number>();
  /** Words of four bytes that cores are reading: the value comes with the answer. */
  readonly #reading = new Map<CoreId, ReplyWord>();
  readonly #ended = new Map<number, CoreId[]>();
  /** By host: the thread that it waits for. */
  readonly #awaitedThread = new Map<CoreId, CoreId>();

  constructor(config: SunwayConfig, see: (event: RaceEvent) => void) {
    this.#see = see;
    this.#cpes = config.cpesPerCg;
    this.#meetings = new Meetings(config);
  }

  /** Takes a probe. */
  probe(tick: number, probe: Probe): void {
    if (probe.type === 'call.begin') this.#begin(tick, probe as CallBegin);
    else if (probe.type === 'call.end') this.#end(tick, probe as CallEnd);
    else if (probe.type === 'cache.access') {
      const { core, kind, memory: address, bytes } = probe as CacheAccess;
      this.#tell(coreOfNumber(core), tick, { kind, space: mainMemory, address, bytes, cached: true });
    } else if (probe.type === 'cache.drop') {
      const { core, memory: address, bytes } = probe as CacheDrop;
      this.#tell(coreOfNumber(core), tick, { kind: 'cache.drop', address, bytes });
    } else if (probe.type === 'signal.handle') {
      const { core, tid, sent } = probe as SignalHandle;
      const host = coreOfNumber(core);
      const signal = signalName(cpeCore(tid, groupOf(host)), sent);
      this.#tell(host, tick, { kind: 'signal.handle', signal });
    }
  }

  /** Takes a message; what it is read as follows from its type, as the messages of the family say. */
  message(delivered: Delivered): void {
    const { tick, from, to, event } = delivered;
    switch (event.type) {
      case 'ldm.read':
        this.#ldm(tick, to, event as LdmRead, 'load');
        break;
      case 'ldm.write':
        this.#ldm(tick, to, event as LdmWrite, 'store');
        break;
      case 'ldm.data':
        this.#read(tick, to, event as LdmData);
        break;
      case 'ldm.gather':
      case 'ldm.scatter':
        this.#lanes(tick, to, event as LdmGather | LdmScatter);
        break;
      case 'node.add':
        this.#arrives(coreOfNumber((event as NodeAdd).core), tick);
        break;
      case 'memory.access':
        if (to.endsWith('.MemCtrl')) this.#memory(tick, event as MemoryAccess);
        break;
      case 'descriptor.issue': {
        const issue = event as DescriptorIssue;
        const issuer = this.#names.of(from)!.core;
        this.#tell(issuer, tick, transferEvent(issue, groupOf(issuer), this.#cpes));
        break;
      }
      case 'reply.watch':
        this.#awaited.set(this.#names.of(from)!.core, (event as ReplyWatch).value);
        break;
      case 'reply.event': {
        const { core } = this.#names.of(to)!;
        const word = { space: core, offset: (event as ReplyWatch).offset };
        this.#tell(core, tick, { kind: 'reply.waited', word, value: this.#awaited.get(core) ?? 0 });
        break;
      }
      case 'sync.arrive': {
        const { kind, index, mask } = event as SyncArrive;
        const { core } = this.#names.of(from)!;
        if (this.#arrives(core, tick)) break;
        const barrier = this.#meetings.ofPrimitive(groupOf(core), kind, index, mask);
        this.#barriers.set(core, barrier);
        this.#meet(core, tick, 'group.arrive', barrier);
        break;
      }
      case 'sync.release': {
        const { core } = this.#names.of(to)!;
        const barrier = this.#barriers.get(core);
        this.#barriers.delete(core);
        if (barrier) this.#meet(core, tick, 'group.leave', barrier);
        break;
      }
      default:
        this.#control(delivered);
    }
  }

  #control({ tick, from, to, event }: Delivered): void {
    switch (event.type) {
      case 'lock.grant': {
        const { key, held } = event as LockGrant;
        if (held) this.#tell(this.#names.of(to)!.core, tick, { kind: 'lock', lock: `${from} ${key}` });
        break;
      }
      case 'lock.release':
        this.#tell(this.#names.of(from)!.core, tick, {
          kind: 'unlock',
          lock: `${to} ${(event as LockRelease).key}`,
        });
        break;
      case 'thread.start': {
        const host = this.#names.of(from)!.core;
        this.#tell(host, tick, { kind: 'spawn', threads: [this.#names.of(to)!.core] });
        break;
      }
      case 'thread.done': {
        const thread = this.#names.of(from)!.core;
        this.#tell(thread, tick, { kind: 'thread.end' });
        const group = groupOf(thread);
        this.#ended.set(group, [...(this.#ended.get(group) ?? []), thread]);
        break;
      }
      case 'signal.send': {
        const sender = this.#names.of(from)?.core;
        if (sender === undefined || isHost(sender)) break;
        this.#tell(sender, tick, { kind: 'signal.send', signal: signalName(sender, tick) });
        break;
      }
      case 'sync.offline': {
        const group = Number(/^Cg\[(\d+)\]/.exec(to)?.[1] ?? 0);
        this.#meetings.leave((event as SyncOffline).tids.map((tid) => cpeCore(tid, group)));
        break;
      }
      case 'ldm.allocate': {
        const { request, address, size } = event as LdmAllocate;
        const { core } = this.#names.of(to)!;
        const bytes = request === 'freeAll' ? ldmEnd : size;
        if ((request === 'free' || request === 'freeAll') && bytes > 0)
          this.#tell(core, tick, {
            kind: 'free',
            space: core,
            address: request === 'free' ? address : 0,
            bytes,
          });
        break;
      }
      default:
        break;
    }
  }

  #begin(tick: number, { core: number, name, step, arguments: given }: CallBegin): void {
    const core = coreOfNumber(number);
    this.#calls.set(core, { name, step });
    const { tid, id } = given;
    if (name === 'athread_join' || name === 'athread_wait') {
      if (typeof id === 'number') this.#awaitedThread.set(core, cpeCore(id, groupOf(core)));
      this.#tell(core, tick, { kind: 'joining', threads: [] });
      return;
    }
    if (!synchronisations.has(name)) return;
    const other = typeof tid === 'number' ? tid : typeof id === 'number' ? id : undefined;
    const meeting = this.#meetings.ofCall(core, name, other);
    if (!meeting) return;
    this.#meeting.set(core, { group: meeting, arrived: false });
  }

  /** A core has come to a barrier. True when that belongs to a synchronising call, of which only the first one counts. */
  #arrives(core: CoreId, tick: number): boolean {
    const meeting = this.#meeting.get(core);
    if (!meeting) return false;
    // A call that is refused never comes to one.
    if (!meeting.arrived) this.#meet(core, tick, 'group.arrive', meeting.group);
    meeting.arrived = true;
    return true;
  }

  #end(tick: number, { core: number, name, code }: CallEnd): void {
    const core = coreOfNumber(number);
    const group = groupOf(core);
    const meeting = this.#meeting.get(core);
    this.#meeting.delete(core);
    if (meeting?.arrived) this.#meet(core, tick, 'group.leave', meeting.group);
    if (code !== 0) return;
    if (name === 'athread_join') {
      this.#tell(core, tick, { kind: 'join', threads: this.#ended.get(group) ?? [] });
      this.#ended.delete(group);
    } else if (name === 'athread_wait') {
      const awaited = this.#awaitedThread.get(core);
      const ended = this.#ended.get(group) ?? [];
      this.#tell(core, tick, { kind: 'join', threads: ended.filter((one) => one === awaited) });
      this.#ended.set(
        group,
        ended.filter((one) => one !== awaited),
      );
    }
  }

  #ldm(tick: number, to: string, access: LdmRead | LdmWrite, kind: 'load' | 'store'): void {
    if (access.core < 0) return;
    const bytes = access.type === 'ldm.read' ? access.bytes : access.data.length;
    const space = this.#names.of(to)!.core;
    const core = coreOfNumber(access.core);
    if (kind === 'load' && bytes === 4) this.#reading.set(core, { space, offset: access.offset });
    this.#tell(core, tick, {
      kind,
      space,
      address: access.offset,
      bytes,
      flag: access.flag,
      ...(access.type === 'ldm.write' && { data: access.data }),
    });
  }

  /** A program has read a word of four bytes: one that it may be polling. */
  #read(tick: number, to: string, { data }: LdmData): void {
    // Engines read as well.
    const core = this.#names.of(to)?.core;
    if (core === undefined) return;
    const at = this.#reading.get(core);
    this.#reading.delete(core);
    if (at && data.length === 4) this.#tell(core, tick, { kind: 'reply.read', word: at, value: word(data) });
  }

  /** A vector access: a word in each lane. */
  #lanes(tick: number, to: string, access: LdmGather | LdmScatter): void {
    const space = this.#names.of(to)!.core;
    const core = coreOfNumber(access.core);
    for (const [lane, address] of access.offsets.entries()) {
      const at = { space, address, bytes: 4 };
      if (access.type === 'ldm.gather') this.#tell(core, tick, { kind: 'load', ...at });
      else
        this.#tell(core, tick, { kind: 'store', ...at, data: access.data.subarray(4 * lane, 4 * lane + 4) });
    }
  }

  #memory(tick: number, { kind, memory: address, bytes, core: number, flag }: MemoryAccess): void {
    const core = coreOfNumber(number);
    if (kind === 'fill' || kind === 'writeBack') {
      this.#tell(core, tick, { kind: `cache.${kind}`, address, bytes });
      return;
    }
    this.#tell(core, tick, {
      kind: kind === 'load' ? 'load' : 'store',
      space: mainMemory,
      address,
      bytes,
      flag,
      atomic: kind === 'add',
    });
  }

  #meet(
    core: CoreId,
    tick: number,
    kind: 'group.arrive' | 'group.leave',
    { name, members }: NamedGroup,
  ): void {
    this.#tell(core, tick, { kind, group: name, members });
  }

  #tell(core: CoreId, cycle: number, event: Told<RaceEvent>): void {
    const operation = this.#calls.get(core) ?? { name: 'the start', step: 0 };
    // What was left out of the event is put back, whichever of the kinds it is.
    this.#see({ ...event, core, cycle, operation } as RaceEvent);
  }
}

/** A core sends one signal a cycle at most. */
const signalName = (sender: CoreId, sent: number): string => `${sender} ${sent}`;

const ldmEnd = 0x40000;

const word = (data: Uint8Array): number => new DataView(data.buffer, data.byteOffset, 4).getInt32(0, true);
