import { defect, invariant } from '../errors.ts';
import type { FaultRule } from '../faults-rule.ts';
import type { Address } from '../message.ts';
import type { CompiledSnapshot, Configuration, Context } from '../tables.ts';
import { type Family, familySpan, type Wiring } from '../wiring.ts';
import type { KnownVariants } from './alternative.ts';
import { type KeyOrders, keyOrderHash, otherKeyOrder } from './key-order.ts';
import { machineIn, type Slot } from './slots.ts';
import { transcriptOf } from './transcript.ts';

/** A local state: what one actor is in. */
export interface Local {
  readonly slot: Slot;
  readonly configuration: Configuration;
  readonly context: Context;
  /** The fault by which the actor crashed; undefined for one that did not. */
  readonly down?: FaultRule;
  /** True for a party that is down; its context is what it saved. */
  readonly crashed?: true;
  /** What is known of it, by letter and budget state. */
  readonly row: (KnownVariants | undefined)[];
  /** The same where it shares something, by version and then as above; see `TransitionCache`. */
  readonly sharing: Map<number, KnownVariants>;
}

/** A local state that another thread has met, with what it holds worked out when that is asked for. */
class Promised implements Local {
  readonly row: (KnownVariants | undefined)[] = [];
  readonly sharing = new Map<number, KnownVariants>();
  #context: Context | undefined;

  constructor(
    readonly slot: Slot,
    readonly configuration: Configuration,
    /** The local state that it comes from. */
    private readonly before: Local | undefined,
    private readonly workOut: () => Context,
    /** A hash of the order of its keys. */
    readonly keyOrder: number,
  ) {}

  get context(): Context {
    // What it comes from may come from many others: no call in a call for each.
    const chain: Promised[] = [];
    for (
      let one: Local | undefined = this;
      one instanceof Promised && one.#context === undefined;
      one = one.before
    )
      chain.push(one);
    for (const one of chain.reverse()) one.#context = one.workOut();
    return this.#context!;
  }
}

/** Other orders of its keys in which a local state is looked at, at most: of many keys there are very many. */
const ordersMax = 8;

/** A local state with the keys of objects in another order. */
export interface Reordered {
  readonly context: Context;
  readonly orders: KeyOrders;
}

/** The local states of all actors, numbered as they are first met, and told apart by transcripts of what they hold. */
export class Locals {
  readonly #wiring: Wiring;
  /** The first two are `unborn` and `failed`. */
  readonly #all: (Local | undefined)[] = [undefined, undefined];
  /** By local state: contexts with which it was met again, with keys in other orders. */
  readonly #reordered = new Map<number, readonly Reordered[]>();

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  get count(): number {
    return this.#all.length;
  }

  /** The local state with a number; undefined for those that hold nothing. */
  at(local: number): Local | undefined {
    return this.#all[local];
  }

  /** What tells a local state of one actor from others. */
  keyOf({ configuration, context }: CompiledSnapshot): string {
    return keyOf(configuration, context);
  }

  /** Number of the local state of an actor that is in this state, of which the key may be known. */
  of(slot: Slot, state: CompiledSnapshot, key: string = this.keyOf(state)): number {
    const { configuration, context } = state;
    return this.#number(slot, key, () => ({
      slot,
      configuration,
      context,
      row: [],
      sharing: new Map(),
    }));
  }

  /** Notes with what context a local state was met. Returns the order in which its keys come, where it is one of those that are kept and was not met before. */
  meet(local: number, context: Context): Reordered | undefined {
    const known = this.#all[local];
    if (!known) return undefined;
    // What another thread has met is worked out only where it must be.
    if (known instanceof Promised && known.keyOrder === keyOrderHash(context)) return undefined;
    const orders = otherKeyOrder(known.context, context);
    if (!orders) return undefined;
    const others = this.#reordered.get(local) ?? [];
    if (others.length === ordersMax || others.some((one) => !otherKeyOrder(one.context, context)))
      return undefined;
    const reordered = { context, orders };
    this.#reordered.set(local, [...others, reordered]);
    return reordered;
  }

  /** The other orders in which the keys of a local state came. */
  reorderedOf(local: number): readonly Reordered[] {
    return this.#reordered.get(local) ?? [];
  }

  /** Carries something out while a local state has its keys in another order. */
  inOtherOrder<T>(local: number, { context }: Reordered, carryOut: () => T): T {
    const known = this.#all[local]!;
    this.#all[local] = { ...known, context };
    try {
      return carryOut();
    } finally {
      this.#all[local] = known;
    }
  }

  /** Number of a local state by its key; undefined for one that was not met. */
  known(slot: Slot, key: string): number | undefined {
    return slot.locals.get(key) ?? this.#promised(slot, key);
  }

  /** Adds a local state that another thread has met. `nodes`: the places of its active states; `hash`: that of its key, from `hashOf`; `keyOrder`: that of the order of its keys. `before`: the local state that it comes from; `workOut` gives its context. */
  promise(
    slot: Slot,
    nodes: readonly number[],
    { hash, keyOrder }: { readonly hash: number; readonly keyOrder: number },
    before: number,
    workOut: () => Context,
  ): void {
    const configuration = slot.machine!.configurationIn(nodes);
    const local = this.#add(slot, new Promised(slot, configuration, this.#all[before], workOut, keyOrder));
    const alike = slot.promised.get(hash);
    if (alike) alike.push(local);
    else slot.promised.set(hash, [local]);
  }

  /** Number of the local state of a party of an asynchronous wiring that is down, with what it saved. */
  crashedOf(slot: Slot, configuration: Configuration, saved: Context): number {
    return this.#number(slot, crashedKey(saved), () => ({
      slot,
      configuration,
      context: saved,
      crashed: true,
      row: [],
      sharing: new Map(),
    }));
  }

  /** Number of the local state of an actor that a fault has crashed: what it was before does not matter any more. */
  downOf(slot: Slot, down: FaultRule): number {
    return this.#number(slot, downKey(down), () => {
      const placed = this.#wiring.placements[slot.address] ?? this.#memberAt(slot.address);
      const configuration = machineIn(slot, placed.machine).configurationAt(0);
      return { slot, configuration, context: {}, down, row: [], sharing: new Map() };
    });
  }

  /** A local state as data: its active states, its context, and whether it is tagged as waiting. */
  describe(local: number): { readonly state: string; readonly context: object; readonly waits: boolean } {
    const found = this.#all[local];
    invariant(found, `there is no local state ${local}`);
    const { configuration, context, down, crashed } = found;
    if (crashed) return { state: 'crashed', context, waits: false };
    if (down) return { state: 'crashed', context: {}, waits: false };
    return { state: configuration.name, context, waits: configuration.waiting };
  }

  /** What a local state is, as a text that does not depend on numbers. */
  textOf(local: number): string {
    const found = this.#all[local];
    if (!found) return `${local}`;
    if (found.crashed) return crashedKey(found.context);
    return found.down ? downKey(found.down) : keyOf(found.configuration, found.context);
  }

  #number(slot: Slot, key: string, make: () => Local): number {
    const known = this.known(slot, key);
    if (known !== undefined) return known;
    const local = this.#add(slot, make());
    slot.locals.set(key, local);
    return local;
  }

  #add(slot: Slot, made: Local): number {
    const local = this.#all.push(made) - 1;
    slot.localNumbers.push(local);
    return local;
  }

  /** Works out the local states that may hold this. */
  #promised(slot: Slot, key: string): number | undefined {
    if (slot.promised.size === 0) return undefined;
    const hash = hashOf(key);
    for (const local of slot.promised.get(hash) ?? []) slot.locals.set(this.textOf(local), local);
    slot.promised.delete(hash);
    return slot.locals.get(key);
  }

  #memberAt(address: Address): ReturnType<Family['member']> {
    const family = this.#wiring.families[Math.floor(address / familySpan) - 1];
    return family?.member(address % familySpan) ?? defect(`nobody can crash at address ${address}`);
  }
}

const keyOf = (configuration: Configuration, context: Context): string =>
  `${configuration.index} ${transcriptOf(context)}`;

/** A hash of the context that a key tells, the same in all threads: they number configurations as they meet them. */
export function hashOf(key: string): number {
  let hash = 0;
  for (let i = key.indexOf(' '); i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash;
}

/** True for a local state of an actor that has not crashed. */
export const isUp = (local: Local | undefined): local is Local =>
  local !== undefined && !local.down && !local.crashed;

const downKey = ({ index }: FaultRule): string => `down ${index}`;

const crashedKey = (saved: Context): string => `crashed ${transcriptOf(saved)}`;
