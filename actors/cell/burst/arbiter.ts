import type { AnyStateMachine } from 'xstate';
import { type FastArbiterContext, fastArbiter } from '../fast/arbiter.ts';
import { burstProtocol } from '../protocol.ts';

const { post } = burstProtocol.roles.Arbiter.component<FastArbiterContext>();

/** The data arbiter of the burst machine: the same, but nobody waits to hear that it has a request on its list. */
export const burstArbiter: AnyStateMachine = fastArbiter.provide({
  actions: { acknowledge: post(() => undefined) as never },
});
