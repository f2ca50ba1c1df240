import type { AnyStateMachine } from 'xstate';
import { stateNodes } from './features.ts';

/* State machines that are made anew, for each wiring or each member of a family, as `provide` makes them: other objects that are one state machine. */

/** True for state machines with the same states, whatever their implementations: what is active in one can be active in the other. */
export const haveSameStates = (one: AnyStateMachine, other: AnyStateMachine): boolean =>
  one === other || (one.id === other.id && statesOf(one) === statesOf(other));

/** True for state machines that do the same, as far as can be seen: one text with the same implementations. */
export const doTheSame = (one: AnyStateMachine, other: AnyStateMachine): boolean =>
  one === other ||
  (one.config === other.config &&
    areEqual(one.implementations.actions, other.implementations.actions) &&
    areEqual(one.implementations.guards, other.implementations.guards));

const known = new WeakMap<AnyStateMachine, string>();

function statesOf(machine: AnyStateMachine): string {
  let states = known.get(machine);
  if (states === undefined) {
    states = stateNodes(machine)
      .map(({ path, type }) => `${path.join('.')} ${type}`)
      .join('\n');
    known.set(machine, states);
  }
  return states;
}

function areEqual(one: object, other: object): boolean {
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    entries.length === others.size &&
    entries.every(([name, implementation]) => others.get(name) === implementation)
  );
}
