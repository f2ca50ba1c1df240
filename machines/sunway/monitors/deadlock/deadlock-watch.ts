import { ldmBytes } from '../../../../actors/sunway/address/space.ts';
import { isBarrier } from '../../../../actors/sunway/engine/queues.ts';
import type {
  DescriptorIssue,
  LdmWrite,
  LockGrant,
  LockRelease,
  ReplyIncrement,
  ReplyWatch,
} from '../../../../actors/sunway/messages.ts';
import type { CallBegin, CallEnd, CoreRuns, CoreWaits } from '../../../../actors/sunway/probes.ts';
import type { LockstepEvent, Probe } from '../../../../kernel/message.ts';
import type { Run } from '../../../../kernel/run.ts';
import type { SunwayConfig } from '../../config.ts';
import { Meetings } from '../meetings.ts';
import { coreOfNumber, PartNames } from '../part-names.ts';
import { type CoreId, cpeCore, groupOf, mpeCore, type Operation } from '../race/race-event.ts';
import { actionOf, eachReply } from '../transfer-event.ts';
import { type Awaited, hostAwaits, lockName, meetingOfWord, serviceAwaited } from './awaited.ts';
import type { CoreStanding, InFlight, StandStill, WaitsFor } from './blocked.ts';

interface Standing {
  is: CoreStanding['is'];
  since: number;
  waits: { readonly on: Awaited; readonly since: number } | undefined;
  operation: Operation | undefined;
  callSince: number;
}

/** A word that will be added to, and by whom. */
interface Expected extends InFlight {
  readonly transfer: number;
}

/** Follows where the cores of a node are, from messages and probes, so that a run that stands still can be explained. */
export class DeadlockWatch {
  readonly #config: SunwayConfig;
  readonly #names = new PartNames();
  readonly #meetings: Meetings;
  readonly #standings = new Map<CoreId, Standing>();
  readonly #owners = new Map<string, CoreId>();
  readonly #words = new Map<number, number>();
  readonly #expected = new Map<number, Expected[]>();
  readonly #awaited = new Map<CoreId, number>();

  constructor(config: SunwayConfig) {
    this.#config = config;
    this.#meetings = new Meetings(config);
    for (let group = 0; group < config.cgs; group++) this.#of(mpeCore(group)).is = 'running';
  }

  /** Listens to a run; before its first step. */
  attach(run: Pick<Run, 'messages$' | 'probes$'>): void {
    run.probes$.subscribe(({ tick, probe }) => this.#probe(tick, probe));
    run.messages$.subscribe(({ message, from, to }) => this.#message(message.due, from, to, message.event));
  }

  /** Where everybody is now. */
  standStill(cycle: number): StandStill {
    const cores = [...this.#standings].map(([core, standing]) => this.#standingOf(core, standing));
    return { cycle, cores: cores.sort((a, b) => a.core - b.core), owners: this.#owners };
  }

  #of(core: CoreId): Standing {
    const known = this.#standings.get(core);
    if (known) return known;
    const made: Standing = { is: 'idle', since: 0, waits: undefined, operation: undefined, callSince: 0 };
    this.#standings.set(core, made);
    return made;
  }

  #probe(tick: number, probe: Probe): void {
    switch (probe.type) {
      case 'call.begin': {
        const { core, name, step, arguments: given } = probe as CallBegin;
        const standing = this.#of(coreOfNumber(core));
        standing.operation = { name, step };
        standing.callSince = tick;
        const on =
          (core < 0 ? hostAwaits(coreOfNumber(core), name, given) : undefined) ?? serviceAwaited(name);
        if (core < 0 || on) standing.waits = on && { on, since: tick };
        break;
      }
      case 'call.end': {
        const standing = this.#of(coreOfNumber((probe as CallEnd).core));
        standing.waits = undefined;
        standing.operation = undefined;
        break;
      }
      case 'core.waits': {
        const { core, on } = probe as CoreWaits;
        this.#of(coreOfNumber(core)).waits = { on, since: tick };
        break;
      }
      case 'core.runs':
        this.#of(coreOfNumber((probe as CoreRuns).core)).waits = undefined;
        break;
      default:
        break;
    }
  }

  #message(tick: number, from: string, to: string, event: LockstepEvent): void {
    switch (event.type) {
      case 'thread.start':
        this.#moves(to, 'running', tick);
        break;
      case 'task.leave': // A host process that has ended leaves its services.
      case 'thread.done':
        this.#moves(from, 'finished', tick);
        break;
      case 'thread.halt':
        this.#moves(to, 'offline', tick);
        this.#meetings.leave([this.#names.of(to)!.core]);
        break;
      case 'reply.watch':
        this.#awaited.set(this.#names.of(from)!.core, (event as ReplyWatch).value);
        break;
      case 'reply.increment':
        this.#increment(this.#names.of(to)!.core, event as ReplyIncrement);
        break;
      case 'ldm.write': {
        const { offset, data, core } = event as LdmWrite;
        if (core >= 0 && data.length === 4)
          this.#words.set(
            wordKey(this.#names.of(to)!.core, offset),
            data[0]! | (data[1]! << 8) | (data[2]! << 16) | (data[3]! << 24),
          );
        break;
      }
      case 'descriptor.issue':
        this.#issue(this.#names.of(from)!.core, event as DescriptorIssue);
        break;
      case 'lock.grant': {
        const { core } = this.#names.of(to)!;
        const { key, held } = event as LockGrant;
        if (held) this.#owners.set(lockName(core, key), core);
        break;
      }
      case 'lock.release': {
        const { core } = this.#names.of(from)!;
        const lock = lockName(core, (event as LockRelease).key);
        if (this.#owners.get(lock) === core) this.#owners.delete(lock);
        break;
      }
      default:
        break;
    }
  }

  #moves(part: string, is: CoreStanding['is'], since: number): void {
    const found = this.#names.of(part);
    if (found) Object.assign(this.#of(found.core), { is, since });
  }

  #increment(core: CoreId, { offset, transfer }: ReplyIncrement): void {
    const key = wordKey(core, offset);
    this.#words.set(key, (this.#words.get(key) ?? 0) + 1);
    const left = this.#expected.get(key);
    const at = left?.findIndex((one) => one.transfer === transfer) ?? -1;
    if (at >= 0) left!.splice(at, 1);
  }

  #issue(issuer: CoreId, descriptor: DescriptorIssue): void {
    if (isBarrier(descriptor)) return;
    const { kind, transfer } = descriptor;
    const operation = this.#of(issuer).operation ?? { name: actionOf(kind), step: 0 };
    const expected = { issuer, operation, transfer };
    eachReply(descriptor, groupOf(issuer), this.#config.cpesPerCg, (core, offset) => {
      const key = wordKey(core, offset);
      const known = this.#expected.get(key);
      if (known === undefined) this.#expected.set(key, [expected]);
      else known.push(expected);
    });
  }

  #standingOf(core: CoreId, { is, since, waits, operation, callSince }: Standing): CoreStanding {
    if (is !== 'running' || !waits) return { core, is, since, ...(operation && { operation }) };
    return {
      core,
      is: 'waiting',
      since: Math.max(waits.since, callSince),
      ...(operation && { operation }),
      waitsFor: this.#waitsFor(core, waits.on),
    };
  }

  #waitsFor(core: CoreId, on: Awaited): WaitsFor {
    switch (on.op) {
      case 'wait': {
        const key = wordKey(core, on.word);
        return {
          kind: 'reply',
          word: { space: core, offset: on.word },
          current: this.#words.get(key) ?? 0,
          value: typeof on.value === 'number' ? on.value : (this.#awaited.get(core) ?? 0),
          inFlight: this.#expected.get(key) ?? [],
        };
      }
      case 'arrive': {
        const group = groupOf(core);
        const { members } = this.#meetings.ofPrimitive(group, on.kind, on.index, on.mask);
        const where = group === 0 ? '' : ` of CG ${group}`;
        const name =
          on.kind === 'pair'
            ? `the pair ${on.index} ${on.mask}${where}`
            : `${on.kind} ${on.index} with mask 0x${on.mask.toString(16)}${where}`;
        return { kind: 'meeting', meeting: { kind: on.kind, name, members } };
      }
      case 'meet': {
        const meeting = meetingOfWord(this.#config, on.word);
        if (on.word !== 'hosts') return { kind: 'meeting', meeting };
        // Hosts that have ended are no parties any more.
        const members = meeting.members.filter((one) => this.#of(one).is !== 'finished');
        return { kind: 'meeting', meeting: { ...meeting, members } };
      }
      case 'lock':
        return { kind: 'lock', lock: lockName(core, on.key) };
      case 'threads':
        return { kind: 'threads', threads: on.tids.map((tid) => cpeCore(tid, groupOf(core))) };
      case 'service':
        return { kind: 'service', what: on.what };
      default:
        return { kind: 'service', what: 'its host' };
    }
  }
}

/** A word of an LDM as one number. */
const wordKey = (core: CoreId, offset: number): number => core * ldmBytes + offset;
