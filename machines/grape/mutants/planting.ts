import type { AnyStateMachine } from 'xstate';
import { invariant } from '../../../kernel/errors.ts';
import { actionTag, type Outbox } from '../../../kernel/kit.ts';
import type { LockstepEvent, Post } from '../../../kernel/message.ts';
import type { Mutant } from '../../mutant.ts';
import type { GrapeParts } from '../assembly.ts';

/** One planted fault of the chip: what is wrong with it, and the parts with the fault. */
export interface GrapeFault extends Mutant<GrapeParts> {
  readonly id: `G-${number}`;
}

type Implementations = Parameters<AnyStateMachine['provide']>[0];

/** The machine with some of its actions and guards replaced by kit ones. */
export function planted<M extends AnyStateMachine>(
  machine: M,
  changes: { readonly actions?: object; readonly guards?: object },
): M {
  const { actions, guards } = machine.implementations as { actions: object; guards: object };
  for (const name of Object.keys(changes.actions ?? {}))
    invariant(name in actions, `"${machine.id}" has no action "${name}"`);
  for (const name of Object.keys(changes.guards ?? {}))
    invariant(name in guards, `"${machine.id}" has no guard "${name}"`);
  // The types of context and event are erased in `AnyStateMachine`; the kit checks them where the changes are made.
  return machine.provide(changes as Implementations) as M;
}

/** What an action of a machine that changes or posts does, so that a fault can do it at another time, or with something else. */
export function recipeOf<C, E = LockstepEvent>(
  machine: AnyStateMachine,
  name: string,
): (context: C, event: E, out: Outbox) => void {
  const action = (machine.implementations.actions as Readonly<Record<string, object | undefined>>)[name];
  const tag = action && actionTag(action);
  invariant(
    tag?.kind === 'act' || tag?.kind === 'update',
    `"${machine.id}" has no action "${name}" that changes its context`,
  );
  return (context, event, out) => tag.run(context, event, out, undefined);
}

/** An outbox that a fault looks at: what `change` makes of a message is posted instead of it. */
export const altered = (out: Outbox, change: (message: Post) => readonly Post[]): Outbox => ({
  observed: out.observed,
  probe: (probe) => out.probe(probe),
  report: (report) => out.report(report),
  post: (message) => {
    for (const one of change(message)) out.post(one);
  },
  send: (to, delay, message) => {
    for (const one of change(message)) out.send(to, delay, one);
  },
});
