import type { Patch } from 'immer';
import type { AnyStateNode, StateValue } from 'xstate';
import type { CompiledMachine } from './compile.ts';
import { isAtomic, type Transition } from './configuration.ts';
import type { Handler, Rest } from './generate.ts';
import type { ActionTag, GuardTag } from './kit.ts';
import type { LockstepEvent } from './message.ts';

/* The tables that a state machine is compiled to: their rows and cells, and the state that runs on them. */

/** A context, whatever its type was. */
export type Context = Record<string, unknown>;

/** A guard with its operators taken apart. */
export type GuardTree =
  | { readonly kind: 'and' | 'or' | 'not'; readonly inner: readonly GuardTree[] }
  | {
      readonly kind: 'question';
      readonly holds: GuardTag['holds'];
      readonly params: unknown;
      readonly paramsOf: ((args: { context: Context; event: LockstepEvent }) => unknown) | undefined;
    };

/** One action of a table row: what to run and with which parameters. */
export interface Step {
  readonly tag: ActionTag;
  readonly params: unknown;
  /** Parameters that depend on context and event; undefined when they are fixed. */
  readonly paramsOf: ((args: { context: Context; event: LockstepEvent }) => unknown) | undefined;
}

/** A transition that may be taken when its guard holds. */
export interface Candidate {
  readonly index: number;
  readonly tree: GuardTree | undefined;
  readonly transition: Transition;
}

/**
 * Which transitions an event can select in a configuration. `list`: the first whose guard holds, innermost state first. `regions`: one
 * selection per parallel region; when none selects anything, the enclosing states' candidates.
 */
export interface Selection {
  readonly list: readonly Candidate[];
  readonly regions: readonly Selection[];
  /** How often it was used from the tables, and in runs whose coverage is counted; rows that are used often get a function of their own. */
  uses: number;
  countingUses: number;
}

/** What taking a set of transitions does: the actions in order, the next configuration, completions to handle. */
export interface Microstep {
  readonly steps: readonly Step[];
  readonly next: Configuration;
  readonly completions: readonly LockstepEvent[];
  /** True when XState would make a new snapshot of it: then always-transitions are looked at again. */
  readonly changes: boolean;
}

/** A set of active states, with all that can be known about it without a context. Made once, kept for ever. */
export class Configuration {
  /** Generated functions by event type: the fast way for mutable contexts. */
  readonly handlers = new Map<string, Handler>();
  /** Those of runs whose coverage is counted. */
  readonly countingHandlers = new Map<string, Handler>();
  /** Its always-transitions, in both kinds of runs: a function, null where the tables take them, undefined before it was asked for. */
  rest: Rest | null | undefined;
  countingRest: Rest | null | undefined;
  /** Selections by event type. */
  readonly selections = new Map<string, Selection>();
  readonly single: (Microstep | undefined)[] = [];
  readonly several = new Map<string, Microstep>();
  readonly active: ReadonlySet<AnyStateNode>;
  /** The value as XState writes it. */
  readonly value: StateValue;
  /** The leaves in document order, dotted and joined: `engine.moving, intake.ready`. */
  readonly name: string;
  /** True when a leaf or one of its parents carries the tag `waiting`. */
  readonly waiting: boolean;
  /** The active states tagged `waiting`, joined: as long as it stays the same, one wait goes on. */
  readonly waits: string;
  /** Candidates of eventless transitions, one list per leaf; empty when there are none. */
  readonly always: readonly (readonly Candidate[])[];

  constructor(
    readonly index: number,
    readonly nodes: readonly AnyStateNode[],
    root: AnyStateNode,
    always: readonly (readonly Candidate[])[],
  ) {
    this.active = new Set(nodes);
    this.value = stateValueOf(root, nodes) as StateValue;
    const leaves = nodes
      .filter((node) => Object.keys(node.states).length === 0)
      .sort((a, b) => a.order - b.order);
    this.name = leaves.map((leaf) => leaf.path.join('.')).join(', ');
    const waits = nodes.filter((node) => node.tags.includes('waiting'));
    this.waiting = waits.length > 0;
    this.waits = waits
      .map((node) => node.id)
      .sort()
      .join();
    this.always = always;
  }
}

/** A transition as coverage and diagrams name it. */
export interface TransitionInfo {
  readonly source: string;
  /** The event, or '' for an always-transition. */
  readonly event: string;
  readonly targets: readonly string[];
  readonly guard: string | undefined;
  /** The states it enters, those entered by default included. */
  readonly enters: readonly string[];
  /** True when it only says that the event is refused: nothing is done and nowhere is gone. */
  readonly refuses: boolean;
  /** True when it reports a violation: it is taken only where something is wrong. */
  readonly complains: boolean;
}

/** How contexts are kept: changed in place (fastest), or persistent data made by Immer. */
export type StateMode = 'mutable' | 'immutable';

/** The state of one actor at table speed: configuration and context. It is the snapshot of its XState actor logic. */
export class CompiledSnapshot {
  readonly status = 'active' as const;
  readonly output = undefined;
  readonly error = undefined;
  /** Patches of the last event, newest last, when the run asked for them. */
  patches: Patch[] | undefined;
  /** The function that handled the last event, its type, and the configuration it belongs to: most parts get the same again. */
  handler: Handler | undefined;
  handles = '';
  handlesIn: Configuration | undefined;

  constructor(
    readonly machine: CompiledMachine,
    public configuration: Configuration,
    public context: Context,
    readonly mode: StateMode,
  ) {}

  /** The state value as XState writes it. */
  get value(): StateValue {
    return this.configuration.value;
  }
}

/** How often each transition of a machine was taken, by transition index, and each guard outcome. */
export class TransitionCounts {
  /** Actors that started. */
  starts = 0;
  readonly taken: Float64Array;
  readonly guardTrue: Float64Array;
  readonly guardFalse: Float64Array;
  constructor(readonly machine: CompiledMachine) {
    const count = machine.transitions.length;
    this.taken = new Float64Array(count);
    this.guardTrue = new Float64Array(count);
    this.guardFalse = new Float64Array(count);
  }
}

function stateValueOf(node: AnyStateNode, active: readonly AnyStateNode[]): unknown {
  const children = active.filter((child) => child.parent === node);
  if (children.length === 0) return {};
  if (node.type === 'compound' && isAtomic(children[0]!)) return children[0]!.key;
  return Object.fromEntries(children.map((child) => [child.key, stateValueOf(child, active)]));
}
