/** `lockstep/machines/chiplet`: chiplets and their network, and what programs of their hosts are made of. */
export type { HostAnswer, HostOperation, HostProgram } from '../actors/chiplet/gpu/host-operations.ts';
export type { Dimensions } from '../actors/chiplet/ptx/launch.ts';
export type { ChipletAddress } from '../actors/chiplet/ptx/message-code.ts';
export type { TrafficConfig, TrafficPrograms } from '../machines/chiplet/config.ts';
export { type InterchipletResult, interchipletMachine } from '../machines/chiplet/interchiplet.ts';
export type { InterchipletConfig, InterchipletPrograms } from '../machines/chiplet/interchiplet-config.ts';
export { networkMachine } from '../machines/chiplet/network-machine.ts';
export type { NetworkResult } from '../machines/chiplet/result.ts';
export { type SystemResult, systemMachine } from '../machines/chiplet/system.ts';
export type { SystemConfig, SystemPrograms } from '../machines/chiplet/system-config.ts';
