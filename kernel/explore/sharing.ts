import { copyContext, ownInput } from '../copy.ts';
import { KernelError } from '../errors.ts';
import type { Hasher } from '../hash.ts';
import { isResource, type Resource } from '../resource.ts';
import { Shared } from '../shared.ts';
import type { Wiring } from '../wiring.ts';
import { unshared } from './alternative.ts';
import { substituted } from './substitution.ts';
import { transcriptOf } from './transcript.ts';

/** An object that nobody changes. */
interface Constant {
  readonly object: object;
  /** What it was at the start. */
  readonly transcript: string;
  /** Another actor that holds it. */
  readonly other: string;
}

/** Stands for a declared object in the contexts of local states. */
class Place implements Resource {
  constructor(readonly index: number) {}
  fork(): Place {
    return this;
  }
  hash(into: Hasher): void {
    into.number(this.index);
  }
}

/** The declared objects that one handling works on: copies of its own. */
export interface WorkingCopies {
  readonly cluster: number;
  /** The version that they began as. */
  readonly version: number;
  /** By the places for them, and by the objects of the first wiring, which inputs hold. */
  readonly copies: ReadonlyMap<object, object>;
}

const noCopies: WorkingCopies = { cluster: -1, version: unshared, copies: new Map() };

/** The declared objects of a wiring, by their numbers. */
export type Declared = ReadonlyMap<Resource, number>;

/** The declared objects of a wiring. */
export const declaredIn = ({ shared }: Wiring): Declared =>
  new Map(shared.map(({ object }, index) => [object, index]));

/**
 * Objects that the contexts of several actors hold together.
 *
 * Why: the checker carries out the steps of each actor on copies of its context. What two actors share would become two things, and no answer about the
 * machine would be true. So what nobody changes may be shared, and so may what the wiring declares (`share`); the rest is refused.
 *
 * Details: of a declared object a state has the *version*, a number of its own for each content that was met; contexts of local states have a `Place` instead of it. Objects that
 * one actor holds together, or several by way of each other, are a *cluster*, and have one version; its number is that of its first object. What an actor does with a message so depends on
 * the version of the cluster it holds, and on its local state.
 */
export class Sharing {
  readonly #wiring: Wiring;
  readonly #owners = new Map<object, { readonly group: number; readonly name: string }>();
  readonly #constants = new Map<number, Constant[]>();
  readonly #places: readonly Place[];
  /** By declared object: another one of its cluster, itself for the first. */
  readonly #first: number[];
  /** By group: a declared object that it holds. */
  readonly #held = new Map<number, number>();
  /** By version: the objects of the cluster; none by `unshared`. */
  readonly #contents: (readonly Resource[])[] = [[]];
  readonly #versions = new Map<string, number>();
  /** What was ever given to a handling. */
  readonly #copies = new WeakSet<object>();
  /** True after the first start: clusters stay as they are. */
  #isSettled = false;

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
    this.#places = wiring.shared.map((_, index) => new Place(index));
    this.#first = wiring.shared.map((_, index) => index);
  }

  /**
   * Notes what a context holds. `group` says whose later contexts hold the same objects: an actor, or a family.
   *
   * Errors: KRN011 when it holds a resource that another context holds and that is not declared.
   */
  note(group: number, name: string, context: object, declared: Declared): void {
    const met = new Set<object>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || met.has(value)) return;
      met.add(value);
      const index = declared.get(value as Resource);
      if (index !== undefined) {
        this.#hold(group, name, index);
        return;
      }
      // What is its own copy never changes.
      if (isResource(value) && value.fork() === value) return;
      const owner = this.#owners.get(value);
      if (owner) {
        this.#refuseResources(value, owner.name, name, declared, kindOf(value));
        this.#note(owner.group, value, name);
        this.#note(group, value, owner.name);
        return;
      }
      this.#owners.set(value, { group, name });
      if (!isResource(value)) for (const part of partsOf(value)) visit(part);
    };
    visit(context);
  }

  /** Notes which declared objects an input holds. Errors: KRN011 when its actor came to life before without one of them. */
  noteInput(group: number, name: string, input: unknown, declared: Declared): void {
    if (declared.size === 0) return;
    const met = new Set<object>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || met.has(value)) return;
      met.add(value);
      const index = declared.get(value as Resource);
      if (index !== undefined) this.#hold(group, name, index);
      else if (!isResource(value)) for (const part of partsOf(value)) visit(part);
    };
    visit(input);
  }

  /** All groups are noted: from now on nobody holds what he did not hold before. */
  settle(): void {
    this.#isSettled = true;
  }

  /** The cluster that a group holds; below 0 for none. */
  clusterOf(group: number): number {
    const held = this.#held.get(group);
    return held === undefined ? -1 : this.#clusterOfObject(held);
  }

  /** The versions of the objects of a wiring as they are now, by cluster; `unshared` for objects that are no first one of a cluster. */
  versionsIn({ shared }: Wiring): readonly number[] {
    return shared.map((_, index) =>
      this.#first[index] === index
        ? this.#numberOf(
            index,
            this.#membersOf(index).map((member) => shared[member]!.object),
          )
        : unshared,
    );
  }

  /** What a group works on in one handling that begins with a version. */
  workingCopies(group: number, version: number): WorkingCopies {
    if (version === unshared) return noCopies;
    const cluster = this.clusterOf(group);
    const copies = new Map<object, object>();
    this.#membersOf(cluster).forEach((member, at) => {
      const copy = this.#contents[version]![at]!.fork();
      this.#copies.add(copy);
      copies.set(this.#places[member]!, copy);
      copies.set(this.#wiring.shared[member]!.object, copy);
    });
    return { cluster, version, copies };
  }

  /** A copy of a context of a group that holds the shared objects themselves: those that nobody changes, and working copies of the declared ones. Errors: KRN007. */
  copy<T>(group: number, context: T, name: string, { copies }: WorkingCopies = noCopies): T {
    const seen = new Map<object, unknown>(copies);
    for (const { object } of this.#constants.get(group) ?? []) seen.set(object, object);
    return copyContext(context, seen, false, name);
  }

  /** A copy of an input of a group, which its context may be: what others hold, too, and nobody changes stays the same object. */
  ownInput(group: number, input: unknown): unknown {
    const constants = this.#constants.get(group) ?? [];
    return ownInput(input, new Map(constants.map(({ object }) => [object, object])));
  }

  /** An input, or what an actor has saved, as a handling sees it: with its working copies. */
  given<T>(input: T, { copies }: WorkingCopies): T {
    return substituted(input, copies);
  }

  /** A context after a handling, with places instead of the working copies. */
  withoutCopies<T>(context: T, name: string, { copies }: WorkingCopies): T {
    this.#refuseParts(
      context,
      name,
      this.#places.map((place) => copies.get(place)),
    );
    const places = this.#places.flatMap((place): [object, object][] => {
      const copy = copies.get(place);
      return copy ? [[copy, place]] : [];
    });
    return substituted(context, new Map(places));
  }

  /** A context after a start, with places instead of the declared objects. */
  withPlaces<T>(context: T, name: string, declared: Declared): T {
    this.#refuseParts(context, name, [...declared.keys()]);
    const places = [...declared].map(([object, index]): [object, object] => [object, this.#places[index]!]);
    return substituted(context, new Map(places));
  }

  /** A context with the objects themselves instead of their places: look, never touch. */
  shown<T>(context: T, group: number, version: number): T {
    if (version === unshared) return context;
    const contents = this.#contents[version]!;
    const members = this.#membersOf(this.clusterOf(group));
    return substituted(
      context,
      new Map(members.map((member, at): [object, object] => [this.#places[member]!, contents[at]!])),
    );
  }

  /** The version that a handling led to; `unshared` when it changed nothing of what is shared. */
  versionAfter({ cluster, version, copies }: WorkingCopies): number {
    if (version === unshared) return unshared;
    const contents = this.#membersOf(cluster).map((member) => copies.get(this.#places[member]!) as Resource);
    const after = this.#numberOf(cluster, contents);
    return after === version ? unshared : after;
  }

  /** Looks whether a handling by an actor of the group changed what it shares and is not declared. Errors: KRN011 when it did. */
  verify(group: number, name: string): void {
    for (const { object, transcript, other } of this.#constants.get(group) ?? [])
      if (transcriptOf(object) !== transcript)
        throw new KernelError(
          'KRN011',
          `${name} and ${other}`,
          `their contexts hold one and the same ${kindOf(object)}, and ${name} changed it`,
        );
  }

  /** Makes sure that a message does not carry a declared object. Errors: KRN011 when it does. */
  verifyMessage(name: string, message: { readonly type: string }): void {
    if (this.#places.length === 0) return;
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (this.#copies.has(value))
        throw new KernelError('KRN011', name, `"${message.type}" carries a ${kindOf(value)} that is shared`);
      if (!isResource(value)) for (const part of partsOf(value)) visit(part);
    };
    visit(message);
  }

  #hold(group: number, name: string, index: number): void {
    const held = this.#held.get(group);
    if (held !== undefined && this.#clusterOfObject(held) === this.#clusterOfObject(index)) return;
    if (this.#isSettled)
      throw new KernelError(
        'KRN011',
        name,
        `it holds "${this.#wiring.shared[index]!.name}", and others in its place did not`,
      );
    this.#held.set(group, held ?? index);
    if (held === undefined) return;
    const [one, other] = [this.#clusterOfObject(held), this.#clusterOfObject(index)];
    this.#first.forEach((first, at) => {
      if (first === Math.max(one, other)) this.#first[at] = Math.min(one, other);
    });
  }

  #clusterOfObject(index: number): number {
    return this.#first[index]!;
  }

  #membersOf(cluster: number): readonly number[] {
    return this.#first.flatMap((first, index) => (first === cluster ? [index] : []));
  }

  #numberOf(cluster: number, contents: readonly Resource[]): number {
    const key = `${cluster} ${contents.map(transcriptOf).join('\0')}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const version = this.#contents.push(contents) - 1;
    this.#versions.set(key, version);
    return version;
  }

  #note(group: number, object: object, other: string): void {
    const known = this.#constants.get(group) ?? [];
    if (known.some((one) => one.object === object)) return;
    known.push({ object, transcript: transcriptOf(object), other });
    this.#constants.set(group, known);
  }

  /** Errors: KRN011 when a context holds a part of shared plain data: it would be shared in a run, and a copy here. What is a part of another resource may be a constant. */
  #refuseParts(context: unknown, name: string, declared: readonly (object | undefined)[]): void {
    if (!declared.some((object) => object instanceof Shared)) return;
    const owners = new Map<unknown, string>();
    const own = (value: unknown, owner: string): void => {
      if (typeof value !== 'object' || value === null || owners.has(value)) return;
      owners.set(value, owner);
      for (const part of partsOf(value)) own(part, owner);
    };
    declared.forEach((object, index) => {
      if (object instanceof Shared)
        for (const part of partsOf(object)) own(part, this.#wiring.shared[index]!.name);
    });
    const whole = new Set<unknown>(declared);
    const met = new Set<object>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || met.has(value) || whole.has(value)) return;
      met.add(value);
      const owner = owners.get(value);
      if (owner !== undefined)
        throw new KernelError(
          'KRN011',
          name,
          `its context holds a ${kindOf(value)} that is a part of "${owner}", which is shared`,
        );
      if (!isResource(value)) for (const part of partsOf(value)) visit(part);
    };
    visit(context);
  }

  #refuseResources(value: unknown, first: string, second: string, declared: Declared, whole: string): void {
    if (typeof value !== 'object' || value === null) return;
    if (!isResource(value)) {
      for (const part of partsOf(value)) this.#refuseResources(part, first, second, declared, whole);
    } else if (declared.has(value))
      throw new KernelError(
        'KRN011',
        `${first} and ${second}`,
        `what they share is declared, but their contexts hold it in one and the same ${whole}`,
        {
          cure: `give each of them a copy of the ${whole}, as [...list] makes of a list, with the shared objects in it`,
        },
      );
    else if (value.fork() !== value)
      throw new KernelError(
        'KRN011',
        `${first} and ${second}`,
        `their contexts hold one and the same ${kindOf(value)}, which can change`,
      );
  }
}

function partsOf(value: object): readonly unknown[] {
  if (ArrayBuffer.isView(value)) return [];
  if (value instanceof Map) return [...value.keys(), ...value.values()];
  return Array.isArray(value) || value instanceof Set ? [...value] : Object.values(value);
}

const kindOf = (value: object): string => {
  const name: string | undefined = value.constructor?.name;
  return name === 'Array' ? 'list' : name === undefined || name === 'Object' ? 'object' : name;
};
