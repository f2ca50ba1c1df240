import { type AnyStateMachine, createMachine } from 'xstate';
import { actionTag, component, guardTag } from '../../../kernel/kit.ts';
import type { LockstepEvent, Post } from '../../../kernel/message.ts';
import type { Machine } from '../../../machines/machine.ts';

/*
 * Standard mutation operators over the state machines of a machine, in memory.
 */

const kit = component<Record<string, unknown>, LockstepEvent>();
type Recipe = (context: Record<string, unknown>, event: LockstepEvent, ...more: unknown[]) => unknown;

/** One change of one state machine. */
export interface MutantOfMachine {
  /** What was changed, in words. */
  readonly what: string;
  /** Id of the state machine. */
  readonly id: string;
  readonly mutate: (machine: AnyStateMachine) => AnyStateMachine;
}

/** All single changes of a state machine by the operators: a post dropped, a target swapped, a guard negated, an update forgotten, one too many. */
export function mutantsOf(machine: AnyStateMachine): readonly MutantOfMachine[] {
  const { id } = machine;
  const actions = Object.entries(machine.implementations.actions as Record<string, object>);
  const guards = Object.entries(machine.implementations.guards as Record<string, object>);
  const withActions = (name: string, action: unknown) => (one: AnyStateMachine) =>
    one.provide({ actions: { [name]: action } } as never);
  const ofActions = actions.flatMap(([name, action]): MutantOfMachine[] => {
    const tag = actionTag(action);
    const run = tag?.run as Recipe | undefined;
    if (tag?.kind === 'post' && run)
      return [
        {
          id,
          what: `${name} posts nothing`,
          mutate: withActions(
            name,
            kit.post(() => undefined),
          ),
        },
        {
          id,
          what: `${name} posts numbers that are one more`,
          mutate: withActions(
            name,
            kit.post((context, event, params) => oneMore(run(context, event, params)) as never),
          ),
        },
      ];
    if (tag?.kind === 'update' && run)
      return [
        {
          id,
          what: `${name} updates nothing`,
          mutate: withActions(
            name,
            kit.update(() => {}),
          ),
        },
        {
          id,
          what: `${name} adds one to what it changes`,
          mutate: withActions(
            name,
            kit.update((context, event, params) => {
              const before = { ...context };
              run(context, event, params);
              for (const key of Object.keys(context))
                if (typeof context[key] === 'number' && context[key] !== before[key]) context[key]++;
            }),
          ),
        },
      ];
    return [];
  });
  const ofGuards = guards.flatMap(([name, guard]): MutantOfMachine[] => {
    const holds = guardTag(guard)?.holds as Recipe | undefined;
    if (!holds) return [];
    const negated = kit.when((context, event, params) => !holds(context, event, params));
    const mutate = (one: AnyStateMachine) => one.provide({ guards: { [name]: negated } } as never);
    return [{ id, what: `${name} is negated`, mutate }];
  });
  return [...ofActions, ...ofGuards, ...swappedTargets(machine)];
}

/** Every number of a post but its address and its delay, one more. */
function oneMore(posted: unknown): unknown {
  if (Array.isArray(posted)) return posted.map(oneMore);
  if (typeof posted !== 'object' || posted === null) return posted;
  return Object.fromEntries(
    Object.entries(posted as Post).map(([key, value]) => [
      key,
      typeof value === 'number' && key !== 'to' && key !== 'delay' && key !== 'by' && key !== 'for'
        ? value + 1
        : value,
    ]),
  );
}

/** Of each transition between the outermost states, one to another state than it names. */
function swappedTargets(machine: AnyStateMachine): readonly MutantOfMachine[] {
  const names = Object.keys(machine.config.states ?? {});
  const places: (readonly string[])[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'target' && names.includes(String(inner))) places.push([...path, key]);
      else look(inner, [...path, key]);
    }
  };
  look(machine.config.states, ['states']);
  return places.flatMap((path): MutantOfMachine[] => {
    const target = String(path.reduce<unknown>((at, key) => (at as never)[key], machine.config));
    const other = names[(names.indexOf(target) + 1) % names.length]!;
    // A state that goes to itself without an event does so for ever.
    if (other === target || (path.includes('always') && other === path[1])) return [];
    return [
      {
        id: machine.id,
        what: `${path.slice(1, -1).join('.')} goes to ${other} instead of ${target}`,
        mutate: (one) =>
          createMachine(replaced(one.config, path, other) as never).provide(one.implementations as never),
      },
    ];
  });
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? replaced(one, rest, by) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, by) };
}

/** A machine with one of its state machines changed, wherever it is placed. */
export function mutated(machine: Machine, { id, mutate }: MutantOfMachine): Machine {
  const made = new Map<AnyStateMachine, AnyStateMachine>();
  const changed = (one: AnyStateMachine): AnyStateMachine => {
    if (one.id !== id) return one;
    const known = made.get(one) ?? mutate(one);
    made.set(one, known);
    return known;
  };
  return {
    ...machine,
    assemble: (given) => {
      const assembly = machine.assemble(given);
      const { placements } = assembly.wiring;
      for (const [at, placement] of placements.entries())
        if (placement) placements[at] = { ...placement, machine: changed(placement.machine) };
      // A mutant may go round and round: that is seen soon.
      return { ...assembly, deliveriesPerTickMax: 400, result: () => null };
    },
  };
}
