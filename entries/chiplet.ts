/** `lockstep/machines/chiplet`: chiplets and their network, and what programs of their hosts are made of. */
export type { HostAnswer, HostOperation, HostProgram } from '../actors/chiplet/gpu/host-operations.ts';
export type { Dimensions } from '../actors/chiplet/ptx/launch.ts';
export type { ChipletAddress } from '../actors/chiplet/ptx/message-code.ts';
export {
  type ChipletConfig,
  type ChipletPrograms,
  type ChipletResult,
  chipletMachine,
} from '../machines/chiplet.ts';
