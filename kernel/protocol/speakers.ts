import { KernelError } from '../errors.ts';
import type { Exchange, Symmetry } from '../explore/symmetry.ts';
import type { Address, LockstepEvent } from '../message.ts';
import type { Wiring } from '../wiring.ts';
import { type Members, misfitWords, type RoleExchange, type Spots, within } from './field.ts';
import type { AnyProtocol, ProtocolShape, Role } from './protocol.ts';

/** A protocol and the actors of a wiring that speak it. */
export class Speakers implements Members {
  readonly protocol: AnyProtocol;
  readonly #wiring: Wiring;
  readonly #isChecked: boolean;
  readonly #roles: (Role<ProtocolShape, string> | null)[] = [];

  /** `checked`: false where posts are taken as they are. */
  constructor(speaks: AnyProtocol, wiring: Wiring, checked = true) {
    this.protocol = speaks;
    this.#wiring = wiring;
    this.#isChecked = checked;
  }

  /** These where posts are checked, undefined where they are taken as they are. */
  get checked(): Speakers | undefined {
    return this.#isChecked ? this : undefined;
  }

  /** The role of the actor at an address; undefined for one without. */
  roleAt(address: Address): Role<ProtocolShape, string> | undefined {
    let role = this.#roles[address];
    if (role === undefined) {
      role = this.protocol.roleOf(this.#wiring.nameAt(address)) ?? null;
      this.#roles[address] = role;
    }
    return role ?? undefined;
  }

  membersOf(role?: string): readonly Address[] {
    if (role === undefined) return this.#wiring.placements.map((_, address) => address as Address);
    if (!Object.hasOwn(this.protocol.roles, role))
      throw new KernelError(
        'KRN020',
        role,
        `the protocol has no such role; it has ${Object.keys(this.protocol.roles).join(', ')}`,
      );
    return this.#wiring.placements.flatMap((_, address) =>
      this.roleAt(address as Address)?.name === role ? [address as Address] : [],
    );
  }

  /** Where an event for an actor can have another value, in one of its fields only where it is named; undefined where the protocol says nothing of it. */
  spotsOf(to: Address, event: LockstepEvent, field?: string): Spots<LockstepEvent> | undefined {
    const role = this.roleAt(to);
    const fields = role?.fieldsOf(event.type);
    if (!fields) return undefined;
    const values: Readonly<Record<string, unknown>> = { ...event };
    if (field === undefined) return fields.spots(values, this) as Spots<never>;
    const kind = role?.shape.receives?.[event.type]?.[field];
    if (!kind || values[field] === undefined) return [];
    return within(field, kind.spots(values[field], this), (other) => ({ ...event, [field]: other }));
  }

  /** Errors: KRN020 for a message that is not as the protocol declares it. */
  check(from: string, to: Address, event: LockstepEvent): void {
    const role = this.roleAt(to);
    if (role === undefined) return;
    const fields = role.fieldsOf(event.type);
    const misfit = fields?.misfit(event);
    if (fields && !misfit) return;
    const found = misfit
      ? `"${event.type}": ${misfitWords(misfit)}`
      : `found the message "${event.type}", expected one that a ${role.name} receives: ${role.eventTypes.join(', ')}`;
    throw new KernelError('KRN020', `${from} to ${this.#wiring.nameAt(to)}`, found);
  }

  /** Errors: KRN020 for a timer that the role of an actor does not have, and for a probe that is not as it declares; a role without `shows` may show anything. */
  checkOwn(at: Address, what: 'timer' | 'probe', said: string | LockstepEvent): void {
    const role = this.roleAt(at);
    if (role === undefined || (what === 'probe' && role.shape.shows === undefined)) return;
    const why = role.undeclared(what, said as LockstepEvent & Readonly<Record<string, unknown>>);
    if (why !== undefined) throw new KernelError('KRN020', this.#wiring.nameAt(at), why);
  }

  /** An event for an actor, with names in place of addresses; one that is not as declared stays as it is. */
  namedEvent(to: Address, event: LockstepEvent, nameOf: (address: Address) => string): LockstepEvent {
    const fields = this.roleAt(to)?.fieldsOf(event.type);
    if (!fields || fields.misfit(event)) return event;
    return fields.exchanged({ ...event }, namesFor(nameOf)) as unknown as LockstepEvent;
  }

  /** What an actor remembers, with names in place of the addresses that the protocol tells of; a context that is not as declared stays as it is. */
  namedMemory(
    address: Address,
    context: Readonly<Record<string, unknown>>,
    nameOf: (address: Address) => string,
  ): Readonly<Record<string, unknown>> {
    const role = this.roleAt(address);
    return !role || role.memoryMisfit(context) ? context : role.exchangedMemory(context, namesFor(nameOf));
  }

  /** The symmetry of all actors of a role: nobody asks which of them it is. Errors: KRN020 for a role that there is not. */
  symmetry(role: string): Symmetry {
    const ofRole = (exchange: Exchange): RoleExchange => ({
      role,
      address: (address) => exchange.address(address),
      index: (index) => exchange.index(index),
    });
    return {
      actors: this.membersOf(role).map((address) => this.#wiring.nameAt(address)),
      exchangeShown: (probe, exchange, actor) =>
        this.protocol.roleOf(actor)?.exchangedShown(probe, ofRole(exchange)),
      exchange: (data, exchange, { actor, isEvent }) => {
        const of = this.protocol.roleOf(actor);
        if (!of) return { ...data };
        if (isEvent) return of.exchangedEvent(data, ofRole(exchange));
        const misfit = of.memoryMisfit(data);
        if (misfit) throw new KernelError('KRN020', `${actor} remembers`, misfitWords(misfit));
        return of.exchangedMemory(data, ofRole(exchange));
      },
    };
  }
}

/** The exchange that puts names in place of addresses: a reader takes one for the other. */
const namesFor = (nameOf: (address: Address) => string): RoleExchange => ({
  role: '',
  address: (address) => nameOf(address) as never,
  index: (index) => index,
});
