import { JoinedClock, type Stamp } from './clock.ts';
import type { CoreId } from './race-event.ts';

/** One instance of a group synchronisation. */
export interface GroupInstance {
  readonly joined: JoinedClock;
  /** By member: its own time when it arrived. */
  readonly arrived: Map<CoreId, number>;
  left: number;
}

interface Group {
  readonly instances: GroupInstance[];
  /** Number of the first instance kept. */
  first: number;
  readonly arrivals: Map<CoreId, number>;
  readonly departures: Map<CoreId, number>;
}

/** The group synchronisations under way: the n-th arrival of each member belongs to the n-th instance of a group. */
export class GroupSyncs {
  readonly #cores: number;
  readonly #groups = new Map<string, Group>();

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** A member arrives. Returns the instance when it was the last. */
  arrive(name: string, members: readonly CoreId[], stamp: Stamp): GroupInstance | undefined {
    const group = this.#group(name);
    const instance = this.#next(group, group.arrivals, stamp.core);
    instance.joined.join(stamp);
    instance.arrived.set(stamp.core, stamp.own);
    return instance.arrived.size === members.length ? instance : undefined;
  }

  /** A member leaves. Returns the instance that it was in. */
  leave(name: string, core: CoreId): GroupInstance {
    const group = this.#group(name);
    const instance = this.#next(group, group.departures, core);
    instance.left++;
    while (group.instances[0] && group.instances[0].left === group.instances[0].arrived.size) {
      group.instances.shift();
      group.first++;
    }
    return instance;
  }

  #next(group: Group, passed: Map<CoreId, number>, core: CoreId): GroupInstance {
    const number = passed.get(core) ?? 0;
    passed.set(core, number + 1);
    const index = number - group.first;
    // A barrier that opened without this member is over when it comes: nothing orders it with the others.
    if (index < 0) return this.#begun();
    while (group.instances.length <= index) group.instances.push(this.#begun());
    return group.instances[index]!;
  }

  #begun(): GroupInstance {
    return { joined: new JoinedClock(this.#cores), arrived: new Map(), left: 0 };
  }

  #group(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const group: Group = { instances: [], first: 0, arrivals: new Map(), departures: new Map() };
    this.#groups.set(name, group);
    return group;
  }
}
