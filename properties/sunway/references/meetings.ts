import type {
  LockGrant,
  LockRelease,
  LockReleased,
  LockRequest,
  NodeAdd,
  NodeEvent,
  NodeLeave,
  SyncArrive,
  SyncOffline,
  SyncRelease,
} from '../../../actors/sunway/messages.ts';
import type { TimingTable } from '../../../actors/sunway/timing/timing-table.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import { groupIn, tidIn } from '../context.ts';
import { type Follower, type Following, type Heard, Promises } from './follower.ts';
import { timesOf } from './times.ts';

/*
 * Barriers, words of the node and locks (Sunway specification 5.3, 5.4, 6.2, 6.3, 9.1, 9.4), worked out beside the run: when everybody is let go, what it is told, and who gets a
 * lock when.
 */

/** Somebody who waits, and how many cycles it has named for its answer. */
interface Party {
  readonly name: string;
  readonly old: number;
  readonly delay: number;
}

interface Barrier {
  readonly members: readonly number[];
  readonly came: Set<number>;
  readonly agreements: Set<number>;
}

interface Lock {
  holder: string;
  readonly waiting: string[];
}

/** The column and row of the cluster of a CPE (specification 1). */
const placeOf = (tid: number): readonly [number, number] => [Math.floor((tid % 8) / 2), Math.floor(tid / 16)];

/** The members of a hardware barrier (specification 6.2). */
function membersOf({ kind, index, mask }: SyncArrive): readonly number[] {
  if (kind === 'pair') return [index, mask];
  return [0, 1, 2, 3, 4, 5, 6, 7]
    .filter((bit) => Math.floor(mask / 2 ** bit) % 2 === 1)
    .map((bit) => (kind === 'row' ? 8 * index + bit : 8 * bit + index));
}

class MeetingsFollower implements Follower {
  readonly watches = [
    'sync.arrive',
    'sync.release',
    'sync.offline',
    'node.add',
    'node.event',
    'node.leave',
    'lock.request',
    'lock.grant',
    'lock.release',
    'lock.released',
  ];
  readonly #times: TimingTable;
  readonly #cpes: number;
  readonly #cgs: number;
  readonly #promises: Promises;
  readonly #barriers = new Map<string, Barrier>();
  readonly #epochs = new Map<string, number>();
  readonly #offline = new Set<string>();
  readonly #words = new Map<string, { count: number; waiting: readonly Party[] }>();
  readonly #gone = { hosts: new Set<number>(), node: new Set<number>() };
  readonly #locks = new Map<string, Lock>();

  constructor(times: TimingTable, cpes: number, cgs: number, slack: number) {
    this.#times = times;
    this.#cpes = cpes;
    this.#cgs = cgs;
    this.#promises = new Promises(slack);
  }

  difference(): string | undefined {
    return this.#promises.difference;
  }

  hear(event: LockstepEvent, { from, to, tick }: Heard): void {
    switch (event.type) {
      case 'sync.arrive':
        this.#arrive(event as SyncArrive, groupIn(to), tick);
        return;
      case 'sync.release': {
        const { kind, index, mask, epoch, agreed } = event as SyncRelease;
        const barrier = `${groupIn(to)} ${kind} ${index} ${mask}`;
        this.#promises.keep(releaseOf(barrier, epoch, agreed, tidIn(to)), tick);
        return;
      }
      case 'sync.offline':
        if (to.endsWith('.SyncNet')) this.#close(event as SyncOffline, groupIn(to), tick);
        return;
      case 'node.add':
        this.#add(event as NodeAdd, from, tick);
        return;
      case 'node.event': {
        const { word, old } = event as NodeEvent;
        this.#promises.keep(`word ${word}, which was ${old}, to ${to}`, tick);
        return;
      }
      case 'node.leave':
        // The clock is told as well.
        if (to.startsWith('Node.Word')) this.#leave(event as NodeLeave, tick);
        return;
      case 'lock.request':
        this.#request(event as LockRequest, from, to, tick);
        return;
      case 'lock.grant': {
        const { key, held } = event as LockGrant;
        this.#promises.keep(grantOf(from, key, held, to), tick);
        return;
      }
      case 'lock.release':
        this.#release(event as LockRelease, from, to, tick);
        return;
      case 'lock.released': {
        const { key, right } = event as LockReleased;
        this.#promises.keep(
          `lock ${key} back at ${from} from ${to}, ${right ? 'its holder' : 'no holder'},`,
          tick,
        );
      }
    }
  }

  // Barriers ------------------------------------------------------------------------------------------------------------------------

  #arrive(event: SyncArrive, cgn: number, tick: number): void {
    const { kind, index, mask, tid, agreement } = event;
    // One that is offline takes part in nothing, even if it came in that very cycle.
    if (this.#offline.has(`${cgn} ${tid}`)) return;
    const name = `${cgn} ${kind} ${index} ${mask}`;
    const barrier = this.#barriers.get(name) ?? {
      ...{ members: membersOf(event), came: new Set<number>(), agreements: new Set<number>() },
    };
    this.#barriers.set(name, barrier);
    barrier.came.add(tid);
    if (agreement !== 0) barrier.agreements.add(agreement);
    this.#letGo(name, barrier, cgn, tick);
  }

  #letGo(name: string, { members, came, agreements }: Barrier, cgn: number, tick: number): void {
    const present = members.filter((tid) => tid < this.#cpes && !this.#offline.has(`${cgn} ${tid}`));
    if (!present.every((tid) => came.has(tid))) return;
    this.#barriers.delete(name);
    const epoch = (this.#epochs.get(name) ?? 0) + 1;
    this.#epochs.set(name, epoch);
    const { base, hop } = this.#times.sync;
    let farthest = 0;
    for (const [x, y] of present.map(placeOf))
      for (const [u, v] of present.map(placeOf))
        farthest = Math.max(farthest, Math.abs(x - u) + Math.abs(y - v));
    // The way to the wires has taken a cycle.
    const due = tick + Math.max(1, base + hop * farthest - 1);
    for (const tid of came) this.#promises.promise(releaseOf(name, epoch, agreements.size < 2, tid), due);
  }

  #close({ tids }: SyncOffline, cgn: number, tick: number): void {
    for (const tid of tids) this.#offline.add(`${cgn} ${tid}`);
    for (const [name, barrier] of [...this.#barriers])
      if (name.startsWith(`${cgn} `)) this.#letGo(name, barrier, cgn, tick);
  }

  // Words of the node ---------------------------------------------------------------------------------------------------------------

  #goneAt(word: string): ReadonlySet<number> {
    return word === 'hosts' || word === 'node' ? this.#gone[word] : new Set();
  }

  #add({ word, answerDelay: delay }: NodeAdd, from: string, tick: number): void {
    if (this.#goneAt(word).has(groupIn(from))) return;
    const known = this.#words.get(word) ?? { count: 0, waiting: [] };
    const { latency } = this.#times.faa;
    const due = word === 'hosts' || word === 'node' ? 2 * latency + this.#times.ring.extra : latency;
    if (delay !== Math.max(1, due - 1))
      this.#promises.fail(`${from} asks for word ${word} in ${delay} cycles, the reference has ${due - 1}`);
    this.#words.set(word, {
      count: known.count + 1,
      waiting: [...known.waiting, { name: from, old: known.count, delay }],
    });
    this.#meet(word, tick);
  }

  #leave({ who, cgn }: NodeLeave, tick: number): void {
    const word = who === 'host' ? 'hosts' : 'node';
    this.#gone[word].add(cgn);
    const known = this.#words.get(word);
    if (known === undefined) return;
    this.#words.set(word, { ...known, waiting: known.waiting.filter(({ name }) => groupIn(name) !== cgn) });
    this.#meet(word, tick);
  }

  #meet(word: string, tick: number): void {
    const { count, waiting } = this.#words.get(word)!;
    const parties = word === 'hosts' || word === 'node' ? this.#cgs - this.#goneAt(word).size : 2;
    if (waiting.length === 0 || waiting.length < parties) return;
    this.#words.set(word, { count, waiting: [] });
    for (const { name, old, delay } of waiting)
      this.#promises.promise(`word ${word}, which was ${old}, to ${name}`, tick + delay);
  }

  // Locks ---------------------------------------------------------------------------------------------------------------------------

  #grantCycles = (unit: string): number =>
    Math.max(1, (unit.startsWith('Node.') ? this.#times.lock.grantNode : this.#times.lock.grantArray) - 1);

  #request({ key, try: tries }: LockRequest, from: string, unit: string, tick: number): void {
    const name = `${unit} ${key}`;
    const lock = this.#locks.get(name);
    if (lock === undefined) {
      this.#locks.set(name, { holder: from, waiting: [] });
      this.#promises.promise(grantOf(unit, key, true, from), tick + this.#grantCycles(unit));
    } else if (tries) this.#promises.promise(grantOf(unit, key, false, from), tick + 1);
    else lock.waiting.push(from);
  }

  #release({ key }: LockRelease, from: string, unit: string, tick: number): void {
    const name = `${unit} ${key}`;
    const lock = this.#locks.get(name);
    const right = lock?.holder === from;
    this.#promises.promise(
      `lock ${key} back at ${unit} from ${from}, ${right ? 'its holder' : 'no holder'},`,
      tick + 1,
    );
    if (!right) return;
    const next = lock.waiting.shift();
    if (next === undefined) {
      this.#locks.delete(name);
      return;
    }
    lock.holder = next;
    this.#promises.promise(grantOf(unit, key, true, next), tick + this.#grantCycles(unit));
  }
}

const releaseOf = (barrier: string, epoch: number, agreed: boolean, tid: number): string =>
  `release ${epoch} of barrier ${barrier}${agreed ? '' : ', of which members disagree,'} to CPE ${tid}`;
const grantOf = (unit: string, key: string, held: boolean, name: string): string =>
  `${held ? 'lock' : 'no lock'} ${key} of ${unit} to ${name}`;

/** Barriers, words of the node and locks. */
export const meetings: Following = ({ config }) =>
  new MeetingsFollower(timesOf(config), config.cpesPerCg, config.cgs, config.fuzz.maxJitter);
