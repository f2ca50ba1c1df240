import type { AnyStateMachine } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import { type ArbiterContext, type ArbiterEvent, arbiter } from '../arbiter.ts';

const { post } = component<ArbiterContext, ArbiterEvent>();

/** The data arbiter of the burst machine: the same, but nobody waits to hear that it has a request on its list. */
export const burstArbiter: AnyStateMachine = arbiter.provide({
  actions: { acknowledge: post(() => undefined) as never },
});
