/** `lockstep/machines/grape`: the GRAPE-DR machine, and what programs of its host are made of. */
export type { GrapeResult, HostAnswer, HostCall, TimedCall } from '../actors/grape/host-calls.ts';
export { type GrapeAssembly, grapeMachine } from '../machines/grape.ts';
