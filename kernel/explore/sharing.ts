import { copyContext } from '../copy.ts';
import { KernelError } from '../errors.ts';
import { isResource } from '../resource.ts';
import { transcriptOf } from './transcript.ts';

interface Shared {
  readonly object: object;
  /** What it was at the start. */
  readonly transcript: string;
  /** Another actor that holds it. */
  readonly other: string;
}

/**
 * Objects that the contexts of several actors hold together, as tables of addresses often are.
 *
 * Why: the checker carries out the handlings of each actor on copies of its context. What two actors share would become two things, and no answer about the
 * machine would be true. What nobody changes may be shared; the rest is refused.
 */
export class Sharing {
  readonly #owners = new Map<object, { readonly group: number; readonly name: string }>();
  readonly #shared = new Map<number, Shared[]>();

  /**
   * Notes what a context holds. `group` says whose later contexts hold the same objects: an actor, or a family.
   *
   * Errors: KRN011 when it holds a resource that another context holds.
   */
  note(group: number, name: string, context: object): void {
    const met = new Set<object>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || met.has(value)) return;
      met.add(value);
      // What is its own copy never changes.
      if (isResource(value) && value.fork() === value) return;
      const owner = this.#owners.get(value);
      if (owner) {
        this.#refuseResources(value, owner.name, name);
        this.#note(owner.group, value, name);
        this.#note(group, value, owner.name);
        return;
      }
      this.#owners.set(value, { group, name });
      if (!isResource(value)) for (const part of partsOf(value)) visit(part);
    };
    visit(context);
  }

  /** A copy of a context of a group that holds the shared objects themselves. Errors: KRN007. */
  copy<T>(group: number, context: T, name: string): T {
    const seen = new Map<object, unknown>(
      this.#shared.get(group)?.map(({ object }): [object, object] => [object, object]),
    );
    return copyContext(context, seen, false, name);
  }

  /** Looks whether a handling by an actor of the group changed what it shares. Errors: KRN011 when it did. */
  verify(group: number, name: string): void {
    for (const { object, transcript, other } of this.#shared.get(group) ?? [])
      if (transcriptOf(object) !== transcript)
        throw new KernelError(
          'KRN011',
          `${name} and ${other}`,
          `their contexts hold one and the same ${kindOf(object)}, and ${name} changed it`,
        );
  }

  #note(group: number, object: object, other: string): void {
    const known = this.#shared.get(group) ?? [];
    if (known.some((one) => one.object === object)) return;
    known.push({ object, transcript: transcriptOf(object), other });
    this.#shared.set(group, known);
  }

  #refuseResources(value: unknown, first: string, second: string): void {
    if (typeof value !== 'object' || value === null) return;
    if (!isResource(value)) {
      for (const part of partsOf(value)) this.#refuseResources(part, first, second);
    } else if (value.fork() !== value)
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
