import type { LockGrant, LockRelease } from '../../../../actors/sunway/messages.ts';
import type { CallBegin, CallEnd, CoreRuns, CoreWaits } from '../../../../actors/sunway/probes.ts';
import type { LockstepEvent, Probe } from '../../../../kernel/message.ts';
import type { Run } from '../../../../kernel/run.ts';
import type { SunwayConfig } from '../../config.ts';
import { Meetings } from '../meetings.ts';
import { coreOfNumber, PartNames } from '../part-names.ts';
import { type CoreId, groupOf } from '../race/race-event.ts';
import { type Awaited, hostAwaits, lockName, meetingOfWord } from './awaited.ts';

/** The one other core that a core waits for, whatever else happens. */
type Edge =
  | { readonly kind: 'lock'; readonly lock: string }
  | {
      readonly kind: 'meeting';
      readonly name: string;
      readonly partner: CoreId;
      /** How often the core has come to this meeting, this time included. */
      readonly turn: number;
    };

/**
 * Finds circles of cores that wait for each other when they close, however long others go on (Sunway specification 7.4): edges are pair
 * synchronisations, locks, and meetings of a CPE with its host, each of which waits for one other core.
 *
 * Details: whoever has come to a meeting as often as its partner is about to be let go on, though nothing has told it yet. An owner that gives its lock
 * back goes on only when the lock has heard of it. A host with a handler for signals may still do something while it waits, so it closes no circle.
 */
export class CircleWatch {
  readonly #config: SunwayConfig;
  readonly #names = new PartNames();
  readonly #meetings: Meetings;
  readonly #edges = new Map<CoreId, Edge>();
  /** By meeting and core: how often it has come. */
  readonly #turns = new Map<string, Map<CoreId, number>>();
  readonly #owners = new Map<string, CoreId>();
  readonly #interruptible = new Set<CoreId>();

  constructor(config: SunwayConfig) {
    this.#config = config;
    this.#meetings = new Meetings(config);
  }

  /** Listens to a run, before its first step; `found` hears of each circle once, in the cycle in which it closes. */
  attach(
    run: Pick<Run, 'messages$' | 'probes$'>,
    found: (circle: readonly CoreId[], cycle: number) => void,
  ): void {
    run.probes$.subscribe(({ tick, probe }) => {
      const core = this.#probe(probe);
      const circle = core === undefined ? undefined : this.#circleFrom(core);
      if (circle) found(circle, tick);
    });
    run.messages$.subscribe(({ from, to, message }) => this.#message(from, to, message.event));
  }

  /** The core that begins to wait, if one does. */
  #probe(probe: Probe): CoreId | undefined {
    switch (probe.type) {
      case 'core.waits': {
        const { core, on } = probe as CoreWaits;
        return this.#waits(coreOfNumber(core), on);
      }
      case 'core.runs':
        this.#edges.delete(coreOfNumber((probe as CoreRuns).core));
        return undefined;
      case 'call.begin': {
        const { core: number, name, arguments: given } = probe as CallBegin;
        if (number >= 0) return undefined;
        const core = coreOfNumber(number);
        if (name === 'sig_user_init') this.#interruptible.add(core);
        return this.#waits(core, hostAwaits(core, name, given));
      }
      case 'call.end': {
        const { core: number, code } = probe as CallEnd;
        const core = coreOfNumber(number);
        const edge = this.#edges.get(core);
        // A call that was refused has not come to its meeting.
        if (number < 0 && code !== 0 && edge?.kind === 'meeting') this.#come(edge.name, core, -1);
        this.#edges.delete(core);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #message(from: string, to: string, event: LockstepEvent): void {
    if (event.type === 'lock.grant') {
      const { core } = this.#names.of(to)!;
      const { key, held } = event as LockGrant;
      if (held) this.#owners.set(lockName(core, key), core);
    } else if (event.type === 'lock.release') {
      const { core } = this.#names.of(from)!;
      const lock = lockName(core, (event as LockRelease).key);
      if (this.#owners.get(lock) === core) this.#owners.delete(lock);
    }
  }

  #waits(core: CoreId, on: Awaited | undefined): CoreId | undefined {
    this.#edges.delete(core);
    const edge = on && this.#edge(core, on);
    if (!edge) return undefined;
    this.#edges.set(core, edge);
    return core;
  }

  #edge(core: CoreId, on: Awaited): Edge | undefined {
    if (on.op === 'lock') return { kind: 'lock', lock: lockName(core, on.key) };
    const meeting =
      on.op === 'arrive' && on.kind === 'pair'
        ? this.#meetings.ofPrimitive(groupOf(core), on.kind, on.index, on.mask)
        : on.op === 'meet' && /^(spe|array) /.test(on.word)
          ? meetingOfWord(this.#config, on.word)
          : undefined;
    const partner = meeting?.members.find((one) => one !== core);
    if (!meeting || partner === undefined) return undefined;
    const name = `${on.op} ${'word' in on ? on.word : meeting.name}`;
    return { kind: 'meeting', name, partner, turn: this.#come(name, core, 1) };
  }

  /** Counts that a core has come to a meeting; answers how often by now. */
  #come(name: string, core: CoreId, more: number): number {
    const turns = this.#turns.get(name) ?? new Map<CoreId, number>();
    this.#turns.set(name, turns);
    const turn = (turns.get(core) ?? 0) + more;
    turns.set(core, turn);
    return turn;
  }

  /** Whom a core waits for; undefined when it does not, or may not much longer. */
  #next(core: CoreId): CoreId | undefined {
    const edge = this.#edges.get(core);
    if (!edge || this.#interruptible.has(core)) return undefined;
    if (edge.kind === 'lock') return this.#owners.get(edge.lock);
    const come = this.#turns.get(edge.name)?.get(edge.partner) ?? 0;
    return come < edge.turn ? edge.partner : undefined;
  }

  #circleFrom(core: CoreId): readonly CoreId[] | undefined {
    const path = [core];
    for (let next = this.#next(core); next !== undefined; next = this.#next(next)) {
      if (next === core) return path;
      if (path.includes(next)) return undefined;
      path.push(next);
    }
    return undefined;
  }
}
