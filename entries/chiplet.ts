/** `lockstep/machines/chiplet`: chiplets and their network, and what programs of their hosts are made of. */
import type { TrafficConfig, TrafficPrograms } from '../machines/chiplet/config.ts';
import { networkMachine as network } from '../machines/chiplet/network-machine.ts';
import type { NetworkResult } from '../machines/chiplet/result.ts';
import { type SystemResult, systemMachine as system } from '../machines/chiplet/system.ts';
import type { SystemConfig, SystemPrograms } from '../machines/chiplet/system-config.ts';
import type { Machine } from '../machines/machine.ts';

export type { HostAnswer, HostOperation, HostProgram } from '../actors/chiplet/gpu/host-operations.ts';
export type { Dimensions } from '../actors/chiplet/ptx/launch.ts';
export type { ChipletAddress } from '../actors/chiplet/ptx/message-code.ts';
export type { TrafficConfig, TrafficPrograms } from '../machines/chiplet/config.ts';
export { type InterchipletResult, interchipletMachine } from '../machines/chiplet/interchiplet.ts';
export type { InterchipletConfig, InterchipletPrograms } from '../machines/chiplet/interchiplet-config.ts';
export type { NetworkResult } from '../machines/chiplet/result.ts';
export type { SystemResult } from '../machines/chiplet/system.ts';
export type { SystemConfig, SystemPrograms } from '../machines/chiplet/system-config.ts';

/** Traffic over the network between chiplets. */
export const networkMachine: Machine<TrafficConfig, TrafficPrograms, NetworkResult> = network;

/** CPU and GPU chiplets on a grid, with messages between them (chiplet specification 12). */
export const systemMachine: Machine<SystemConfig, SystemPrograms, SystemResult> = system;
