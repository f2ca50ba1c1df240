import type { CompiledMachine } from '../compile.ts';
import { copyContext } from '../copy.ts';
import { KernelError } from '../errors.ts';
import { restartType } from '../faults.ts';
import type { FaultRule } from '../faults-rule.ts';
import type { Address, LockstepEvent } from '../message.ts';
import { type NetworkRules, networkSteps } from '../network.ts';
import type { Port } from '../port.ts';
import { CompiledSnapshot, type Context, type TransitionCounts } from '../tables.ts';
import { type Family, familySpan, type Wiring } from '../wiring.ts';
import { ClockNeeded, EffectRecorder, type Setting } from './effect-recorder.ts';
import type { FaultBranches, FaultChances } from './fault-branches.ts';
import type { Locals } from './locals.ts';
import { type Declared, declaredIn, type Sharing, type WorkingCopies } from './sharing.ts';
import { machineIn, type Slot, type Slots } from './slots.ts';

/** What a handling is made with, and whether a fault took the place of it; neither state nor failure when the message is lost. */
interface Chanced {
  readonly chances: FaultChances;
  /** The fault by which the receiver has crashed or crashes. */
  readonly down?: FaultRule | undefined;
  /** True when it crashes in front of this message. */
  readonly crashes?: boolean;
  /** What a party that goes down has saved. */
  readonly saved?: Record<string, unknown>;
  /** What it worked on of what actors share. */
  readonly copies: WorkingCopies;
}

/** What came of a message that reached its receiver. */
export type Handled = Chanced &
  (Made | { readonly state?: undefined; readonly failure?: undefined; readonly port: EffectRecorder });

/** What came of one handling: a state, or a failure. */
export type Made =
  | { readonly state: CompiledSnapshot; readonly failure?: undefined; readonly port: EffectRecorder }
  | { readonly state?: undefined; readonly failure: KernelError; readonly port: EffectRecorder };

/**
 * Carries out steps of messages, each once and on a copy of the context, with what faults do to them: what a run does at a delivery.
 *
 * Errors: KRN012 and KRN017 for machines that cannot be explored.
 */
export class StepExecutor {
  readonly #wiring: Wiring;
  readonly #slots: Slots;
  readonly #locals: Locals;
  readonly #sharing: Sharing;
  readonly #faults: FaultBranches;
  readonly #observed: boolean;
  readonly #declared: Declared;
  /** Counts what state machines do, where that is asked for: each handling once. */
  countsOf: ((machine: CompiledMachine) => TransitionCounts) | undefined;
  /** How messages travel in an asynchronous wiring. */
  readonly #network: NetworkRules | undefined;

  /** `observed`: whether what actors show is kept. */
  constructor(
    wiring: Wiring,
    slots: Slots,
    locals: Locals,
    sharing: Sharing,
    faults: FaultBranches,
    observed: boolean,
    network: NetworkRules | undefined,
  ) {
    this.#network = network;
    this.#wiring = wiring;
    this.#declared = declaredIn(wiring);
    this.#slots = slots;
    this.#locals = locals;
    this.#sharing = sharing;
    this.#faults = faults;
    this.#observed = observed;
  }

  /** A port for the actor of a slot that handles something from another slot, on which faults may befall what it posts. `inputOf` gives its input where that is read. */
  portOf(
    slot: number,
    sender: number,
    now: number | undefined,
    ask: (count: number) => number,
    chances: FaultChances,
    inputOf: () => unknown,
  ): EffectRecorder {
    const own = this.#slots.of(slot);
    const { inner } = this.#slots;
    const face = inner ? this.#slots.of(this.#slots.at(inner.faceOf(own.address))) : own;
    const setting: Setting = {
      name: own.name,
      self: own.address,
      from: this.#slots.addressOf(sender),
      inputOf,
      now,
      zeroCopy: this.#wiring.zeroCopy,
      timeless: this.#network !== undefined,
      inner,
    };
    // Whether something is shown decides in an asynchronous wiring whether a message was received.
    const observed = this.#observed || this.#network !== undefined;
    const struck =
      this.#faults.rules.length > 0
        ? (to: Address, delay: number, event: LockstepEvent) =>
            chances.posted(face, this.#slots.of(this.#slots.at(to)), delay, event)
        : undefined;
    return new EffectRecorder(setting, ask, observed, struck, this.#wiring.speakers?.checked);
  }

  /** What becomes of message that has come to an actor in a local state, as in a run: it is handled, or lost with the actor, or makes it begin anew. */
  come(
    local: number,
    messageId: number,
    budgetState: number,
    version: number,
    now: number | undefined,
    ask: (count: number) => number,
  ): Handled {
    const slots = this.#slots;
    const slot = slots.receiverOf(messageId);
    const event = slots.eventOf(messageId);
    const chances = this.#faults.handling(budgetState, ask);
    const copies = this.#sharing.workingCopies(slot.group, version);
    const [own, sender] = [slots.slotTo[messageId]!, slots.senderOf(messageId)];
    const port = this.portOf(own, sender, now, ask, chances, () =>
      this.#sharing.given(this.#placedAt(slot)?.input, copies),
    );
    const found = this.#locals.at(local);
    const made = { port, chances, copies };
    if (this.#network && event.type === networkSteps.crash)
      return { ...made, saved: this.#network.saved(found?.context ?? {}) };
    if (this.#network && event.type === networkSteps.recover)
      return { ...made, ...this.#anew(slot, port, messageId, copies, found?.context) };
    const down = found?.down;
    if (event.type === restartType)
      return down ? { ...made, ...this.#anew(slot, port, messageId, copies) } : made;
    if (down) return { ...made, down };
    // Where nobody is nobody can crash.
    const crash =
      this.#wiring.hasActorAt(slot.address) &&
      chances.crash(slots.addressOf(slots.senderOf(messageId)), slot);
    if (crash) return { ...made, down: crash, crashes: true };
    return { ...made, ...this.#handle(slot, local, messageId, port, copies) };
  }

  /** Puts a new actor in the place of one that crashed. */
  #anew(slot: Slot, port: EffectRecorder, messageId: number, copies: WorkingCopies, saved?: Context): Made {
    try {
      return { state: this.#born(slot, port, messageId, copies, saved), port };
    } catch (error) {
      return { failure: asFailure(slot.name, 'its start', error), port };
    }
  }

  #placedAt(slot: Slot): ReturnType<Family['member']> | undefined {
    const family = this.#wiring.families[Math.floor(slot.address / familySpan) - 1];
    return family ? family.member(slot.address % familySpan) : this.#wiring.placements[slot.address];
  }

  #handle(slot: Slot, local: number, messageId: number, port: EffectRecorder, copies: WorkingCopies): Made {
    const event = this.#slots.eventOf(messageId);
    // A recipe may keep a part of its event and change it later.
    const given = copyContext(event, new Map(), false, `"${event.type}"`);
    const found = this.#locals.at(local);
    const snapshot =
      found &&
      new CompiledSnapshot(
        slot.machine!,
        found.configuration,
        this.#sharing.copy(slot.group, found.context, slot.name, copies),
        'mutable',
      );
    try {
      const state = snapshot ?? this.#born(slot, port, messageId, copies);
      if (!slot.machine!.react(state, given, port, this.countsOf?.(slot.machine!)))
        throw new KernelError(
          'KRN004',
          slot.name,
          `state "${state.configuration.name}" does not decide on "${event.type}"`,
        );
      return { state, port };
    } catch (error) {
      return { failure: asFailure(slot.name, `"${event.type}"`, error), port };
    }
  }

  /** Brings an actor to life: a member of a family, or one that begins anew. Errors: KRN005 where nobody can be, and what its start throws. */
  #born(slot: Slot, port: Port, messageId: number, copies: WorkingCopies, saved?: Context): CompiledSnapshot {
    const placed = this.#placedAt(slot);
    // The error names who posted: what is found out holds for messages of this sender only.
    if (!placed) void port.from;
    if (!placed)
      throw new KernelError(
        'KRN005',
        this.#slots.senderName(messageId),
        `"${this.#slots.eventOf(messageId).type}" was posted to address ${slot.address}`,
      );
    this.#sharing.noteInput(slot.group, slot.name, placed.input, this.#declared);
    const input = this.#sharing.given(this.#sharing.ownInput(slot.group, placed.input), copies);
    const state = this.#started(
      slot,
      { ...placed, input },
      port,
      saved && this.#sharing.given(saved, copies),
    );
    // What the context was made from may be what the next birth is made from.
    const own = this.#sharing.withoutCopies(state.context, slot.name, copies);
    state.context = this.#sharing.copy(slot.group, own, slot.name, copies);
    return state;
  }

  #started(
    slot: Slot,
    { machine, input }: ReturnType<Family['member']>,
    port: Port,
    saved: Context | undefined,
  ): CompiledSnapshot {
    try {
      const compiled = machineIn(slot, machine);
      const counts = this.countsOf?.(compiled);
      if (counts) counts.starts++;
      return compiled.start(input, port, 'mutable', counts, saved);
    } catch (error) {
      throw asFailure(slot.name, 'its start', error);
    }
  }
}

/** What an actor threw, as an entry of the catalogue and in the words of a run. What makes the machine impossible to explore is thrown on. */
export function asFailure(actor: string, during: string, thrown: unknown): KernelError {
  if (thrown instanceof ClockNeeded) throw thrown;
  if (thrown instanceof KernelError) {
    if (thrown.code === 'KRN012' || thrown.code === 'KRN017') throw thrown;
    return thrown;
  }
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new KernelError('KRN008', actor, `${during} threw: ${why}`, { cause: thrown });
}
