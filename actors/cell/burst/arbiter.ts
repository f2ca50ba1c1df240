import type { AnyStateMachine } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import { type FastArbiterContext, type FastArbiterEvent, fastArbiter } from '../fast/arbiter.ts';

const { post } = component<FastArbiterContext, FastArbiterEvent>();

/** The data arbiter of the burst machine: the same, but nobody waits to hear that it has a request on its list. */
export const burstArbiter: AnyStateMachine = fastArbiter.provide({
  actions: { acknowledge: post(() => undefined) as never },
});
