import { enablePatches, produce, produceWithPatches } from 'immer';
import type {
  ActorLogic,
  AnyStateMachine,
  AnyStateNode,
  EventObject,
  NonReducibleUnknown,
  Snapshot,
} from 'xstate';
import { haveSameStates } from './alike.ts';
import {
  entrySet,
  exitSet,
  isAtomic,
  isComplete,
  type Transition,
  withoutConflicts,
} from './configuration.ts';
import { copyContext } from './copy.ts';
import { invariant, KernelError } from './errors.ts';
import { refuseFeature, refuseUnsupported, stateNodes } from './features.ts';
import { alwaysDepthMax, generateHandler, generateRest, type Tables } from './generate.ts';
import { type ActionTag, actionTag, guardTag, sendAll, showAll } from './kit.ts';
import type { LockstepEvent } from './message.ts';
import { currentPort, type Port } from './port.ts';

enablePatches();

import { select, selectAlways } from './select.ts';
import {
  type Candidate,
  CompiledSnapshot,
  Configuration,
  type Context,
  type GuardTree,
  type Microstep,
  type Selection,
  type StateMode,
  type Step,
  type TransitionCounts,
  type TransitionInfo,
} from './tables.ts';

const noCompletions: readonly LockstepEvent[] = [];
const noCandidates: readonly (readonly Candidate[])[] = [];
const alwaysLimit = 10_000;

/**
 * A state machine as tables: configuration × event → candidates, set of transitions → actions and next configuration.
 *
 * Details: configurations and rows are made when they are first met and kept, so a machine is compiled once for all runs. What is not
 * supported is refused in the constructor.
 */
export class CompiledMachine {
  readonly transitions: readonly TransitionInfo[];
  readonly #candidates = new Map<Transition, Candidate>();
  readonly #configurations = new Map<string, Configuration>();
  readonly #steps = new Map<unknown, Step>();
  readonly #nodes: readonly AnyStateNode[];
  readonly #tables: Tables = {
    microstepOf: (configuration, candidate) =>
      configuration.single[candidate.index] ?? this.#single(configuration, candidate),
    settle: (snapshot, event, port, counts) => this.#goOn(snapshot, event, port, counts),
  };
  readonly #initial: {
    readonly configuration: Configuration;
    readonly steps: readonly Step[];
    readonly completions: readonly LockstepEvent[];
  };

  readonly #usesBeforeFunction: number;

  /** `usesBeforeFunction`: how often a row is used from the tables before it gets a function of its own; at least 1. */
  constructor(
    readonly machine: AnyStateMachine,
    usesBeforeFunction = 64,
  ) {
    this.#usesBeforeFunction = usesBeforeFunction;
    refuseUnsupported(machine);
    this.#nodes = stateNodes(machine);
    const infos: TransitionInfo[] = [];
    for (const node of this.#nodes) {
      for (const transition of [
        ...[...node.transitions.values()].flat(),
        ...(node.always ?? []),
      ] as Transition[]) {
        this.#candidates.set(transition, {
          index: infos.length,
          tree: this.#guard(transition.guard, node),
          transition,
        });
        const steps = transition.actions.map((action) => this.#step(action, node));
        const targets = (transition.target ?? []) as readonly AnyStateNode[];
        const entered = [...entrySet([transition]).entered];
        const entries = entered.flatMap(({ entry }) => entry.map((action) => this.#step(action, node)));
        infos.push({
          source: node.path.join('.'),
          event: transition.eventType,
          targets: targets.map((target) => target.path.join('.')),
          guard: transition.guard === undefined ? undefined : guardName(transition.guard),
          enters: entered.map(({ path }) => path.join('.')),
          refuses: targets.length === 0 && transition.actions.length === 0 && transition.guard === undefined,
          complains: [...steps, ...entries].some(({ tag }) => tag.kind === 'report'),
        });
      }
      for (const action of [...node.entry, ...node.exit]) this.#step(action, node);
    }
    this.transitions = infos;
    this.#initial = this.#start();
  }

  /** All configurations met so far. */
  get configurations(): readonly Configuration[] {
    return [...this.#configurations.values()];
  }

  /** The names of all states below the root, in document order. */
  get states(): readonly string[] {
    return this.#nodes.filter((node) => node.parent).map((node) => node.path.join('.'));
  }

  /** The names of the states that an actor is in first, before any transition. */
  get initialStates(): readonly string[] {
    return this.#initial.configuration.nodes.filter((node) => node.parent).map((node) => node.path.join('.'));
  }

  /** The names of all leaf states, in document order. */
  get leaves(): readonly string[] {
    return this.#nodes
      .filter((node) => Object.keys(node.states).length === 0)
      .map((node) => node.path.join('.'));
  }

  /** True when some active state handles or refuses events of this type. */
  decides(configuration: Configuration, type: string): boolean {
    const selection = this.#selection(configuration, type);
    const any = (one: Selection): boolean => one.list.length > 0 || one.regions.some(any);
    return any(selection);
  }

  /** Made once: a function for each part that starts would cost more than the rest of its start. */
  readonly #spawn = (): never => refuseSpawn(this.machine.id);

  /** The first snapshot of a part: context from `input`, with the keys that were `saved`; entry actions run through `port`. */
  start(
    input: unknown,
    port: Port,
    mode: StateMode = 'mutable',
    counts?: TransitionCounts,
    saved?: Record<string, unknown>,
  ): CompiledSnapshot {
    const { context } = this.machine.config as { context?: unknown };
    // A context that is not made for each part is shared by all: each gets a copy.
    const given =
      typeof context === 'function'
        ? context({ input, spawn: this.#spawn, self: undefined })
        : copyContext(context ?? {}, new Map(), false, this.machine.id);
    if (saved) Object.assign(given as Context, copyContext(saved, new Map(), false, this.machine.id));
    const first = mode === 'immutable' ? produce(given as Context, () => {}) : (given as Context);
    const snapshot = new CompiledSnapshot(this, this.#initial.configuration, first, mode);
    const event = { type: 'xstate.init', input } as LockstepEvent;
    const queue = [...this.#initial.completions];
    this.#run(this.#initial.steps, snapshot, event, port);
    this.#settle(snapshot, event, port, queue, counts);
    return snapshot;
  }

  /**
   * Lets a part handle one event to completion. Returns false when no active state decides on events of this type.
   *
   * Errors: what a recipe or guard throws passes through.
   */
  react(snapshot: CompiledSnapshot, event: LockstepEvent, port: Port, counts?: TransitionCounts): boolean {
    const configuration = snapshot.configuration;
    if (snapshot.mode === 'mutable') {
      const type = event.type;
      if (snapshot.handles === type && snapshot.handlesIn === configuration)
        return snapshot.handler!(snapshot, event, port, counts);
      const handler = (counts === undefined ? configuration.handlers : configuration.countingHandlers).get(
        type,
      );
      if (handler !== undefined) {
        snapshot.handler = handler;
        snapshot.handles = type;
        snapshot.handlesIn = configuration;
        return handler(snapshot, event, port, counts);
      }
    }
    const selection = configuration.selections.get(event.type) ?? this.#selection(configuration, event.type);
    const uses = counts === undefined ? ++selection.uses : ++selection.countingUses;
    if (uses === this.#usesBeforeFunction)
      this.#generate(configuration, selection, event.type, counts !== undefined);
    const chosen: Candidate[] = [];
    select(selection, snapshot, event, port, chosen, counts);
    const queue: LockstepEvent[] = [];
    if (chosen.length > 0) this.#take(snapshot, chosen, event, port, queue, counts);
    if (snapshot.configuration.always.length > 0 || queue.length > 0)
      this.#settle(snapshot, event, port, queue, counts);
    return chosen.length > 0 || this.decides(configuration, event.type);
  }

  /** Gives a row a function of its own, where nothing completes and one leaf is active. */
  #generate(configuration: Configuration, selection: Selection, type: string, counting: boolean): void {
    if (
      selection.regions.length > 0 ||
      selection.list.some((candidate) => this.#single(configuration, candidate).completions.length > 0)
    )
      return;
    const handlers = counting ? configuration.countingHandlers : configuration.handlers;
    handlers.set(type, generateHandler(this.#tables, configuration, selection.list, counting));
  }

  /** Always-transitions by functions of their own, each of which goes on from where the one before stopped. */
  #goOn(
    snapshot: CompiledSnapshot,
    event: LockstepEvent,
    port: Port,
    counts: TransitionCounts | undefined,
  ): void {
    const which = counts === undefined ? 'rest' : 'countingRest';
    for (let steps = 0; steps <= alwaysLimit; steps += alwaysDepthMax) {
      const { configuration } = snapshot;
      if (configuration.always.length === 0) return;
      if (configuration[which] === undefined)
        configuration[which] = generateRest(this.#tables, configuration, counts !== undefined);
      const rest = configuration[which];
      if (rest === null) break;
      if (!rest(snapshot, event, port, counts)) return;
    }
    this.#settle(snapshot, event, port, [], counts);
  }

  /** Always-transitions and completions until nothing is left: the rest of the macrostep. */
  #settle(
    snapshot: CompiledSnapshot,
    cause: LockstepEvent,
    port: Port,
    queue: LockstepEvent[],
    counts: TransitionCounts | undefined,
  ): void {
    let event = cause;
    let lookAtAlways = true;
    for (let round = 0; ; round++) {
      if (round > alwaysLimit)
        throw new KernelError(
          'KRN009',
          `state "${snapshot.configuration.name}" of "${this.machine.id}"`,
          `more than ${alwaysLimit} steps without rest`,
        );
      const chosen: Candidate[] = [];
      if (lookAtAlways) selectAlways(snapshot, event, port, chosen, counts);
      if (chosen.length > 0) {
        lookAtAlways = this.#take(
          snapshot,
          this.#compatible(chosen, snapshot.configuration),
          event,
          port,
          queue,
          counts,
        );
        continue;
      }
      const completion = queue.shift();
      if (completion === undefined) return;
      event = completion;
      select(this.#selection(snapshot.configuration, event.type), snapshot, event, port, chosen, counts);
      if (chosen.length > 0) this.#take(snapshot, chosen, event, port, queue, counts);
      lookAtAlways = true;
    }
  }

  #take(
    snapshot: CompiledSnapshot,
    chosen: readonly Candidate[],
    event: LockstepEvent,
    port: Port,
    queue: LockstepEvent[],
    counts: TransitionCounts | undefined,
  ): boolean {
    const configuration = snapshot.configuration;
    const step =
      chosen.length === 1
        ? (configuration.single[chosen[0]!.index] ?? this.#single(configuration, chosen[0]!))
        : this.#several(configuration, chosen);
    if (counts !== undefined)
      for (const candidate of this.#compatible(chosen, configuration)) counts.taken[candidate.index]!++;
    this.#run(step.steps, snapshot, event, port);
    snapshot.configuration = step.next;
    queue.push(...step.completions);
    return step.changes;
  }

  #run(steps: readonly Step[], snapshot: CompiledSnapshot, event: LockstepEvent, port: Port): void {
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      const tag = step.tag;
      const params =
        step.paramsOf === undefined ? step.params : step.paramsOf({ context: snapshot.context, event });
      switch (tag.kind) {
        case 'post':
          sendAll(port, tag.run(snapshot.context, event, port, params));
          break;
        case 'probe':
          if (port.observed) showAll(port, tag.run(snapshot.context, event, port, params));
          break;
        case 'report': {
          const report = tag.run(snapshot.context, event, port, params);
          if (report) port.report(report);
          break;
        }
        default:
          if (snapshot.mode === 'mutable') change(tag, snapshot.context, event, port, params);
          else changeImmutably(snapshot, tag, event, port, params);
      }
    }
  }

  #selection(configuration: Configuration, type: string): Selection {
    const known = configuration.selections.get(type);
    if (known) return known;
    const own = (node: AnyStateNode): Candidate[] =>
      descriptorsFor(node, type).flatMap((descriptor) =>
        (node.transitions.get(descriptor) as Transition[]).map((one) => this.#candidates.get(one)!),
      );
    const build = (node: AnyStateNode, outer: readonly Candidate[]): Selection => {
      const children = configuration.nodes.filter((child) => child.parent === node);
      const mine = [...own(node), ...outer];
      if (children.length === 0) return { list: mine, regions: [], uses: 0, countingUses: 0 };
      if (children.length === 1) return build(children[0]!, mine);
      return { list: mine, regions: children.map((region) => build(region, [])), uses: 0, countingUses: 0 };
    };
    const selection = build(this.machine.root, []);
    configuration.selections.set(type, selection);
    return selection;
  }

  /** The candidate lists of eventless transitions of a set of states, one list a leaf. */
  #alwaysOf(nodes: readonly AnyStateNode[]): readonly (readonly Candidate[])[] {
    const lists = nodes.filter(isAtomic).map((leaf) => {
      const list: Candidate[] = [];
      for (let node: AnyStateNode | undefined = leaf; node; node = node.parent) {
        for (const transition of (node.always ?? []) as Transition[])
          list.push(this.#candidates.get(transition)!);
      }
      return list;
    });
    return lists.some((list) => list.length > 0) ? lists : noCandidates;
  }

  #single(configuration: Configuration, candidate: Candidate): Microstep {
    const step = this.#microstep(configuration, [candidate.transition]);
    configuration.single[candidate.index] = step;
    return step;
  }

  #several(configuration: Configuration, chosen: readonly Candidate[]): Microstep {
    const key = chosen.map((candidate) => candidate.index).join();
    const known = configuration.several.get(key);
    if (known) return known;
    const compatible = this.#compatible(chosen, configuration);
    const step = this.#microstep(
      configuration,
      compatible.map((candidate) => candidate.transition),
    );
    configuration.several.set(key, step);
    return step;
  }

  #compatible(chosen: readonly Candidate[], configuration: Configuration): readonly Candidate[] {
    if (chosen.length === 1) return chosen;
    return withoutConflicts(
      chosen.map((candidate) => candidate.transition),
      configuration.active,
    ).map((transition) => this.#candidates.get(transition)!);
  }

  #microstep(configuration: Configuration, transitions: readonly Transition[]): Microstep {
    const active = new Set(configuration.nodes);
    const leaving = [...exitSet(transitions, active)].sort((a, b) => b.order - a.order);
    const actions: unknown[] = [];
    for (const node of leaving) {
      actions.push(...node.exit);
      active.delete(node);
    }
    for (const transition of transitions) actions.push(...transition.actions);
    const completions = this.#enter(transitions, active, actions, false);
    const steps = actions.map((action) => this.#steps.get(action)!);
    const same =
      active.size === configuration.active.size &&
      [...active].every((node) => configuration.active.has(node));
    const next = same ? configuration : this.#configuration([...active]);
    const changes =
      !same ||
      steps.some(
        (step) => step.tag.kind === 'update' || step.tag.kind === 'choose' || step.tag.kind === 'act',
      );
    return { steps, next, completions, changes };
  }

  #enter(
    transitions: readonly Transition[],
    active: Set<AnyStateNode>,
    actions: unknown[],
    initial: boolean,
  ): readonly LockstepEvent[] {
    const { entered, byDefault } = entrySet(transitions);
    if (initial) byDefault.add(this.machine.root);
    const completions: LockstepEvent[] = [];
    const completed = new Set<AnyStateNode>();
    for (const node of [...entered].sort((a, b) => a.order - b.order)) {
      active.add(node);
      actions.push(...node.entry);
      if (byDefault.has(node) && node.type === 'compound') actions.push(...node.initial.actions);
      if (node.type !== 'final') continue;
      const parent = node.parent;
      if (parent?.type === 'compound') completions.push({ type: `xstate.done.state.${parent.id}` });
      let above = parent?.type === 'parallel' ? parent : parent?.parent;
      while (above?.type === 'parallel' && !completed.has(above) && isComplete(active, above)) {
        completed.add(above);
        completions.push({ type: `xstate.done.state.${above.id}` });
        above = above.parent;
      }
    }
    return completions.length === 0 ? noCompletions : completions;
  }

  #start(): { configuration: Configuration; steps: readonly Step[]; completions: readonly LockstepEvent[] } {
    const root = this.machine.root as AnyStateNode;
    const targets: AnyStateNode[] = [];
    const collect = (node: AnyStateNode) => {
      targets.push(node);
      if (node.type === 'compound') collect(node.initial.target[0] as AnyStateNode);
      else if (node.type === 'parallel') for (const region of Object.values(node.states)) collect(region);
    };
    collect(root);
    const active = new Set<AnyStateNode>([root]);
    const actions: unknown[] = [];
    for (const node of this.#nodes)
      if (node.type === 'compound') for (const action of node.initial.actions) this.#step(action, node);
    const first = {
      source: root,
      target: targets,
      reenter: true,
      actions: [],
      eventType: '',
    } as unknown as Transition;
    const completions = this.#enter([first], active, actions, true);
    return {
      configuration: this.#configuration([...active]),
      steps: actions.map((action) => this.#steps.get(action)!),
      completions,
    };
  }

  #configuration(nodes: readonly AnyStateNode[]): Configuration {
    const key = nodes.map((node) => node.order).join();
    const known = this.#configurations.get(key);
    if (known) return known;
    const made = new Configuration(
      this.#configurations.size,
      nodes,
      this.machine.root,
      this.#alwaysOf(nodes),
    );
    this.#configurations.set(key, made);
    return made;
  }

  /** The configuration of a set of active states, in the order XState keeps them. */
  configurationOf(nodes: readonly AnyStateNode[]): Configuration {
    return this.#configuration(nodes);
  }

  /** The configuration with the same active states as one of this machine or of one that was made anew in the same way; undefined for one of another machine. */
  configurationLike(configuration: Configuration): Configuration | undefined {
    const { machine } = configuration.nodes[0]!;
    if (machine.root === this.machine.root) return configuration;
    if (!haveSameStates(machine as AnyStateMachine, this.machine)) return undefined;
    return this.configurationIn(configuration.nodes.map(({ order }) => order));
  }

  /** The configuration in which the states with these places in the machine are active, in the order XState keeps them. */
  configurationIn(orders: readonly number[]): Configuration {
    return this.#configuration(orders.map((order) => this.#nodes[order]!));
  }

  /** The configuration with this index, for snapshots that travelled as data. */
  configurationAt(index: number): Configuration {
    const found = this.configurations[index];
    invariant(found, `"${this.machine.id}" has no configuration ${index}`);
    return found;
  }

  #step(action: unknown, node: AnyStateNode): Step {
    const known = this.#steps.get(action);
    if (known) return known;
    const place = `state "${node.path.join('.') || this.machine.id}" of "${this.machine.id}"`;
    const named =
      typeof action === 'string' || (typeof action === 'object' && action !== null && 'type' in action);
    const name = typeof action === 'string' ? action : named ? (action as { type: string }).type : '(inline)';
    const implementation = named
      ? (this.machine.implementations.actions as Record<string, unknown>)[name]
      : action;
    if (implementation === undefined)
      throw new KernelError('KRN002', place, `the action "${name}" is not implemented`);
    const tag = typeof implementation === 'function' ? actionTag(implementation) : undefined;
    if (!tag) {
      const builtin =
        typeof implementation === 'function' ? (implementation as { type?: string }).type : undefined;
      const ownKind =
        builtin === undefined || builtin === 'xstate.assign' || builtin === 'xstate.enqueueActions';
      if (ownKind) throw new KernelError('KRN003', place, `the action "${name}" is not a kit action`);
      refuseFeature(place, builtin.replace('xstate.', ''));
    }
    const given =
      typeof action === 'object' && action !== null && 'params' in action ? action.params : undefined;
    const paramsOf = typeof given === 'function' ? (given as Step['paramsOf']) : undefined;
    const step: Step = { tag, params: paramsOf ? undefined : given, paramsOf };
    this.#steps.set(action, step);
    return step;
  }

  #guard(guard: unknown, node: AnyStateNode): GuardTree | undefined {
    return guard === undefined ? undefined : this.#tree(guard, node);
  }

  #tree(guard: unknown, node: AnyStateNode): GuardTree {
    const place = `state "${node.path.join('.') || this.machine.id}" of "${this.machine.id}"`;
    if (typeof guard === 'function') {
      const tag = guardTag(guard);
      if (tag) return { kind: 'question', holds: tag.holds, params: undefined, paramsOf: undefined };
      const { check, guards, stateValue } = guard as {
        check?: { name: string };
        guards?: readonly unknown[];
        stateValue?: unknown;
      };
      if (check && guards) {
        const kind = guard.name;
        if (kind === 'and' || kind === 'or' || kind === 'not')
          return { kind, inner: guards.map((one) => this.#tree(one, node)) };
      }
      if (check && stateValue !== undefined) refuseFeature(place, 'stateIn');
      throw new KernelError('KRN003', place, `the guard "${guardName(guard)}" is not a kit guard`);
    }
    const name = guardName(guard);
    const implementation = (this.machine.implementations.guards as Record<string, unknown>)[name];
    if (implementation === undefined)
      throw new KernelError('KRN002', place, `the guard "${name}" is not implemented`);
    const tag = typeof implementation === 'function' ? guardTag(implementation) : undefined;
    if (!tag) return this.#tree(implementation, node);
    const given =
      typeof guard === 'object' && guard !== null && 'params' in guard
        ? (guard as { params: unknown }).params
        : undefined;
    if (typeof given === 'function')
      return { kind: 'question', holds: tag.holds, params: undefined, paramsOf: given as never };
    return { kind: 'question', holds: tag.holds, params: given, paramsOf: undefined };
  }

  /** The machine as XState actor logic: `createActor(compile(machine).logic)` runs it from the tables, with persistent contexts. */
  get logic(): ActorLogic<CompiledSnapshot & Snapshot<unknown>, EventObject, NonReducibleUnknown> {
    return {
      transition: (snapshot, event) => {
        const next = new CompiledSnapshot(this, snapshot.configuration, snapshot.context, 'immutable');
        this.react(next, event, currentPort());
        return next;
      },
      getInitialSnapshot: (_scope, input) => this.start(input, currentPort(), 'immutable'),
      getPersistedSnapshot: (snapshot) => snapshot,
    };
  }
}

const compiled = new WeakMap<AnyStateMachine, CompiledMachine>();

/** The tables of a state machine: made at the first call, shared by all runs. Errors: KRN001, KRN002, KRN003. */
export function compile(machine: AnyStateMachine): CompiledMachine {
  const known = compiled.get(machine);
  if (known) return known;
  const made = new CompiledMachine(machine);
  compiled.set(machine, made);
  return made;
}

/** The event descriptors of a state that match an event type: exact first, then the longest wildcard. */
export function descriptorsFor(node: AnyStateNode, type: string): string[] {
  const all = [...node.transitions.keys()] as string[];
  const wild = all
    .filter(
      (one) =>
        one !== type && (one === '*' || (one.endsWith('.*') && `${type}.`.startsWith(one.slice(0, -1)))),
    )
    .sort((a, b) => b.length - a.length);
  return all.includes(type) ? [type, ...wild] : wild;
}

function change(tag: ActionTag, context: Context, event: LockstepEvent, port: Port, params: unknown): void {
  switch (tag.kind) {
    case 'choose':
      tag.run(context, event, port.pick(tag.what!, tag.count!(context, event, port)), port);
      break;
    default:
      tag.run(context, event, port, params);
  }
}

function changeImmutably(
  snapshot: CompiledSnapshot,
  tag: ActionTag,
  event: LockstepEvent,
  port: Port,
  params: unknown,
): void {
  const recipe = (draft: Context) => {
    change(tag, draft, event, port, params);
  };
  if (snapshot.patches === undefined) {
    snapshot.context = produce(snapshot.context, recipe);
    return;
  }
  const [context, patches] = produceWithPatches(snapshot.context, recipe);
  snapshot.context = context;
  snapshot.patches.push(...patches);
}

function guardName(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'object' && guard !== null && 'type' in guard) return (guard as { type: string }).type;
  if (typeof guard !== 'function') return '(inline)';
  const inner = (guard as { guards?: readonly unknown[] }).guards;
  return inner ? `${guard.name}(${inner.map(guardName).join(', ')})` : guard.name || '(inline)';
}

/** Refuses children: they are parts of their own. Errors: KRN001 always. */
export function refuseSpawn(machineId: string): never {
  refuseFeature(`the context of "${machineId}"`, 'spawn');
}
