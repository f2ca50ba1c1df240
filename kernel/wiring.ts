import type { AnyStateMachine, InputFrom } from 'xstate';
import { invariant, KernelError } from './errors.ts';
import { patternTest } from './faults-pattern.ts';
import type { GlobalState } from './global-state.ts';
import { onlyKeys } from './known-keys.ts';
import type { Address, Post } from './message.ts';
import type { Network } from './network.ts';
import type { AnyProtocol } from './protocol/protocol.ts';
import { Speakers } from './protocol/speakers.ts';
import { asLooked } from './read-only.ts';
import { isResource, type Resource } from './resource.ts';

/** One actor to be: its name, its state machine and what its context is made from. */
export interface Placement {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly input: unknown;
}

/** A row of actors of which only those exist that a message was sent to. */
export interface Family {
  readonly name: string;
  /** What member `index` is. Must depend on nothing but the index. */
  readonly member: (index: number) => { readonly machine: AnyStateMachine; readonly input: unknown };
  /** The actor that its members are inside of; absent for members that stand for themselves. */
  readonly inside?: Address | undefined;
}

/** How many members a family may have. */
export const familySpan = 2 ** 20;

/**
 * The parts of a machine and their addresses.
 *
 * Details: first `reserve` names, so that parts that know each other can be given each other's addresses; then `place` each. A part of
 * which there may be any number (one actor per request, say) is a `family`: its member `index` comes to life with the first message
 * sent to it, under the name `family[index]`; ids stay given, never counted.
 */
export class Wiring {
  /** How messages travel, in an asynchronous wiring; undefined in a clocked one, whose messages are due in a tick. */
  network: Network | undefined;
  /** States outside are not entered; none is outside when absent. */
  boundary: ((state: GlobalState) => boolean) | undefined;
  readonly placements: (Placement | undefined)[] = [];
  readonly families: Family[] = [];
  /** Messages from the outside that start the machine. */
  readonly boot: Post[] = [];
  /** The actors and the protocol that they speak; undefined where they post what they like. */
  speakers: Speakers | undefined;
  /**
   * True: messages and probes are handed over as they are, and not copied when they are posted, shown and delivered.
   *
   * Use for a machine that posts very much and never changes what it has posted, shown or got: it saves some 30 ns a message. Gotchas: what is changed all the same changes for everybody who has it,
   * in a run and not in the exhaustive checker.
   */
  zeroCopy = false;
  /** What actors share, by `share`. */
  readonly shared: { readonly name: string; readonly object: Resource }[] = [];
  readonly #names: string[] = [];
  /** The same names and those of the families: no two are equal. */
  readonly #taken = new Set<string>();

  /** `network`: makes an asynchronous wiring, in which one step delivers one message; a clocked one when absent. */
  constructor(network?: Network) {
    this.network = network;
  }

  /** Changes keys of the network, as a scenario does. Errors: KRN016 for a clocked wiring. */
  chooseNetwork(network: Network): void {
    if (this.network === undefined)
      throw new KernelError('KRN016', 'network', 'the wiring is clocked: its messages are due in a tick');
    this.network = { ...this.network, ...network };
  }

  /**
   * Declares the protocol that its actors speak: what is posted is checked against it (KRN020), and what a fault corrupts is another value of its kind.
   *
   * Details: `checked` false takes posts as they are, which costs nothing: for machines with very many messages, whose parts keep to the protocol by their contracts.
   */
  speak(protocol: AnyProtocol, { checked = true }: { readonly checked?: boolean } = {}): void {
    this.speakers = new Speakers(protocol, this, checked);
  }

  /** Adds a message from the outside that starts the machine. */
  begin<M extends Post>(message: M): void {
    this.boot.push(message);
  }

  /** Keeps an address for an actor that is placed later. */
  reserve(name: string): Address {
    this.#take(name);
    invariant(
      this.#names.length < familySpan,
      `a machine has at most ${familySpan} actors outside its families`,
    );
    this.#names.push(name);
    this.placements.push(undefined);
    return (this.#names.length - 1) as Address;
  }

  /** Whether a state is inside the boundary. Errors: KRN022 when the boundary throws or says neither true nor false. */
  isInside(state: GlobalState): boolean {
    return !this.boundary || isWithin('boundary', this.boundary, state);
  }

  /** Puts a state machine with its input at an address, or at a new one for a name. Errors: KRN021 for an address that was not reserved or is taken, and for what is no state machine. */
  place<M extends AnyStateMachine>(at: Address | string, machine: M, input: InputFrom<M>): Address {
    const address = typeof at === 'string' ? this.reserve(at) : at;
    const name = this.#names[address];
    if (name === undefined) throw new KernelError('KRN021', 'wiring', `address ${address} was not reserved`);
    if (typeof (machine as Partial<AnyStateMachine> | undefined)?.provide !== 'function')
      throw new KernelError('KRN021', name, `found ${typeof machine} as its state machine`);
    if (this.placements[address]) throw new KernelError('KRN021', name, 'something was placed there before');
    this.placements[address] = { name, machine, input };
    return address;
  }

  /**
   * Declares a family. Returns the address of its member 0; `memberOf` gives the others.
   *
   * Details: `inside` makes its members parts of an actor, with state machines of their own: what that actor and they say to each other is delivered before anything else, what
   * they post to others comes from it, and nobody else can reach them (see `InnerActors`). Errors: KRN016 for `inside` in an asynchronous wiring, KRN021 for an address that was not reserved.
   */
  family(name: string, member: Family['member'], inside?: Address): Address {
    this.#take(name);
    if (inside !== undefined && this.network !== undefined)
      throw new KernelError('KRN016', name, 'actors are inside others in clocked wirings only');
    if (inside !== undefined && this.#names[inside] === undefined)
      throw new KernelError('KRN021', name, `address ${inside}, which it is inside of, was not reserved`);
    this.families.push({ name, member, inside });
    return (this.families.length * familySpan) as Address;
  }

  /**
   * Declares an object that several actors hold and any of them may change, as processors do a memory: a resource, or plain data in `shared(…)`. Returns it.
   *
   * Why: the checker keeps it once in each state, beside the actors, and tries both orders of two steps of which one changes it. It refuses what is shared and not declared.
   * Gotchas: actors get it from their inputs, and neither from messages nor from a context that is one object for all (KRN021), and keep no part of it in their contexts. Errors: KRN021 for what is no resource.
   */
  share<T extends Resource>(name: string, object: T): T {
    if (typeof object !== 'object' || object === null || !isResource(object))
      throw new KernelError(
        'KRN021',
        name,
        'found no resource that actors could share, expected plain data in shared(…), or an object with fork and hash',
      );
    this.#take(name);
    this.shared.push({ name, object });
    return object;
  }

  /** The name of the actor at an address; `world` for the outside. */
  nameAt(address: Address): string {
    if (address < 0) return 'world';
    const family = this.families[Math.floor(address / familySpan) - 1];
    return family
      ? `${family.name}[${address % familySpan}]`
      : (this.#names[address] ?? `address ${address}`);
  }

  /** True when an actor, or what may be a member of a family, has a name that a pattern means: `Cell.Spu[*]`. */
  hasActorNamed(pattern: string): boolean {
    const [means, meansMember] = [patternTest(pattern), patternTest(pattern.replace(/\[\d+\]$/, '[*]'))];
    return (
      pattern === 'world' ||
      this.#names.some(means) ||
      this.families.some(({ name }) => meansMember(`${name}[0]`))
    );
  }

  /** True for an address at which there is an actor, or a member of a family may come to life. */
  hasActorAt(address: Address): boolean {
    return address >= familySpan
      ? this.families[Math.floor(address / familySpan) - 1] !== undefined
      : this.placements[address] !== undefined;
  }

  #take(name: string): void {
    if (this.#taken.has(name)) throw new KernelError('KRN021', name, 'two actors have this name');
    this.#taken.add(name);
  }

  /** The placements, all of them filled. Errors: KRN005 for an address without a part, KRN024 for a key that a wiring does not have. */
  get complete(): readonly Placement[] {
    onlyKeys('wiring', this, wiringKeys);
    if (this.shared.length > 0) this.#refuseCopies();
    return this.placements.map((placement, address) => {
      if (!placement)
        throw new KernelError(
          'KRN005',
          this.#names[address] ?? `address ${address}`,
          'the address was reserved, but nothing was placed there',
        );
      return placement;
    });
  }

  /** Of a context that is not made for each actor each gets a copy: what is shared would be shared by none. */
  #refuseCopies(): void {
    const names = new Map<unknown, string>(this.shared.map(({ name, object }) => [object, name]));
    const placed = this.placements.map((placement, address) => ({ name: this.#names[address], placement }));
    for (const { name = 'an actor', placement } of placed) {
      const { context } = (placement?.machine.config ?? {}) as { context?: unknown };
      const held = typeof context === 'object' ? firstHeld(context, names, new Set()) : undefined;
      if (held !== undefined)
        throw new KernelError(
          'KRN021',
          name,
          `its context is an object, of which each actor gets a copy, and holds "${held}", which is shared; expected it in the input, and context: ({ input }) => ({ ...input })`,
        );
    }
  }
}

/** The name of the first object with one that a value holds. */
function firstHeld(
  value: unknown,
  names: ReadonlyMap<unknown, string>,
  met: Set<unknown>,
): string | undefined {
  if (typeof value !== 'object' || value === null || met.has(value)) return undefined;
  const name = names.get(value);
  if (name !== undefined) return name;
  met.add(value);
  const parts =
    value instanceof Map
      ? [...value.keys(), ...value.values()]
      : value instanceof Set
        ? [...value]
        : Object.values(value);
  for (const part of parts) {
    const held = firstHeld(part, names, met);
    if (held !== undefined) return held;
  }
  return undefined;
}

/** What of a wiring is data. */
const wiringKeys = Object.keys(new Wiring());

/** The address of member `index` of the family whose member 0 is `first`. */
export function memberOf(first: Address, index: number): Address {
  invariant(
    Number.isInteger(index) && index >= 0 && index < familySpan,
    `a family has members 0 to ${familySpan - 1}, not ${index}`,
  );
  return (first + index) as Address;
}

/** Asks a function that bounds an exploration about a state. Errors: KRN022, by the name of the function, when it throws or says neither true nor false. */
export function isWithin(
  name: string,
  boundary: (state: GlobalState) => boolean,
  state: GlobalState,
): boolean {
  let answer: unknown;
  try {
    answer = boundary(state);
  } catch (cause) {
    const looked = asLooked(cause, name);
    if (looked instanceof KernelError) throw looked;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new KernelError('KRN022', name, `it threw: ${why}`, { cause });
  }
  if (typeof answer !== 'boolean')
    throw new KernelError('KRN022', name, `it returned ${typeof answer}, expected true or false`);
  return answer;
}
