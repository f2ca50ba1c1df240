import { copyContext } from '../copy.ts';
import { KernelError } from '../errors.ts';
import { restartType } from '../faults.ts';
import type { FaultRule } from '../faults-rule.ts';
import type { Address, LockstepEvent } from '../message.ts';
import type { Port } from '../port.ts';
import { CompiledSnapshot } from '../tables.ts';
import { familySpan, type Wiring } from '../wiring.ts';
import type { FaultBranches, FaultChances } from './fault-branches.ts';
import type { Locals } from './locals.ts';
import { Notes } from './notes.ts';
import type { Sharing } from './sharing.ts';
import { machineIn, type Slot, type Slots } from './slots.ts';

/** What a handling is made with, and whether a fault took the place of it; neither state nor failure when the message is lost. */
interface Chanced {
  readonly chances: FaultChances;
  /** The fault by which the receiver has crashed or crashes. */
  readonly down?: FaultRule | undefined;
  /** True when it crashes in front of this message. */
  readonly crashes?: boolean;
}

/** What came of a message that reached its receiver. */
export type Handled = Chanced &
  (Made | { readonly state?: undefined; readonly failure?: undefined; readonly port: Notes });

/** What came of one handling: a state, or a failure. */
export type Made =
  | { readonly state: CompiledSnapshot; readonly failure?: undefined; readonly port: Notes }
  | { readonly state?: undefined; readonly failure: KernelError; readonly port: Notes };

/**
 * Carries out handlings of messages, each once and on a copy of the context, with what faults do to them: what a run does at a delivery.
 *
 * Errors: KRN012 and KRN015 for machines that cannot be explored.
 */
export class Handlings {
  readonly #wiring: Wiring;
  readonly #slots: Slots;
  readonly #locals: Locals;
  readonly #sharing: Sharing;
  readonly #faults: FaultBranches;
  readonly #observed: boolean;

  /** `observed`: whether what actors show is kept. */
  constructor(
    wiring: Wiring,
    slots: Slots,
    locals: Locals,
    sharing: Sharing,
    faults: FaultBranches,
    observed: boolean,
  ) {
    this.#wiring = wiring;
    this.#slots = slots;
    this.#locals = locals;
    this.#sharing = sharing;
    this.#faults = faults;
    this.#observed = observed;
  }

  /** A port for the actor of a slot, on which faults may befall what it posts. */
  portOf(slot: number, ask: (count: number) => number, chances: FaultChances): Notes {
    const from = this.#slots.of(slot);
    const befall = (to: Address, delay: number, event: LockstepEvent) =>
      chances.posted(from, this.#slots.of(this.#slots.at(to)), delay, event);
    return new Notes(from.name, ask, this.#observed, this.#faults.rules.length > 0 ? befall : undefined);
  }

  /** What becomes of mail that has come to an actor in a local state, as in a run: it is handled, or lost with the actor, or makes it begin anew. */
  come(local: number, mail: number, budgetState: number, ask: (count: number) => number): Handled {
    const slots = this.#slots;
    const slot = slots.receiverOf(mail);
    const event = slots.eventOf(mail);
    const chances = this.#faults.handling(budgetState, ask);
    const port = this.portOf(slots.slotTo[mail]!, ask, chances);
    const down = this.#locals.at(local)?.down;
    const made = { port, chances };
    if (event.type === restartType) return down ? { ...this.#anew(slot, port, event), chances } : made;
    if (down) return { ...made, down };
    const crash = chances.crash(slots.addressOf(slots.senderOf(mail)), slot);
    if (crash) return { ...made, down: crash, crashes: true };
    return { ...this.#handle(slot, local, event, port), chances };
  }

  /** Puts a new actor in the place of one that crashed. */
  #anew(slot: Slot, port: Notes, event: LockstepEvent): Made {
    try {
      return { state: this.#born(slot, port, event), port };
    } catch (error) {
      return { failure: asFailure(slot.name, event, error), port };
    }
  }

  #handle(slot: Slot, local: number, event: LockstepEvent, port: Notes): Made {
    // A recipe may keep a part of its event and change it later.
    const given = copyContext(event, new Map(), false, `"${event.type}"`);
    const found = this.#locals.at(local);
    const snapshot =
      found &&
      new CompiledSnapshot(
        slot.machine!,
        found.configuration,
        this.#sharing.copy(slot.group, found.context, slot.name),
        'mutable',
      );
    try {
      const state = snapshot ?? this.#born(slot, port, event);
      if (!slot.machine!.react(state, given, port))
        throw new KernelError(
          'KRN004',
          slot.name,
          `state "${state.configuration.name}" does not decide on "${event.type}"`,
        );
      return { state, port };
    } catch (error) {
      return { failure: asFailure(slot.name, event, error), port };
    }
  }

  /** Brings an actor to life: a member of a family, or one that begins anew. Errors: KRN005 where nobody can be, and what its start throws. */
  #born(slot: Slot, port: Port, event: LockstepEvent): CompiledSnapshot {
    const family = this.#wiring.families[Math.floor(slot.address / familySpan) - 1];
    const placed = family ? family.member(slot.address % familySpan) : this.#wiring.placements[slot.address];
    if (!placed)
      throw new KernelError('KRN005', slot.name, `"${event.type}" was posted to address ${slot.address}`);
    const { machine, input } = placed;
    const state = machineIn(slot, machine).start(input, port);
    // What the context was made from may be what the next birth is made from.
    state.context = this.#sharing.copy(slot.group, state.context, slot.name);
    return state;
  }
}

/** What an actor threw, as an entry of the catalogue. What makes the machine impossible to explore is thrown on. */
function asFailure(actor: string, event: LockstepEvent, thrown: unknown): KernelError {
  if (thrown instanceof KernelError) {
    if (thrown.code === 'KRN012' || thrown.code === 'KRN015') throw thrown;
    return thrown;
  }
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new KernelError('KRN008', actor, `"${event.type}" threw: ${why}`, { cause: thrown });
}
