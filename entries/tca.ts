/** `lockstep/machines/tca`: the TCA machine, its driver and GASNet, of which programs are made. */
export { addressOf, notifyOffset, type Region } from '../actors/tca/address-map.ts';
export type { Descriptor } from '../actors/tca/descriptor.ts';
export {
  type DescriptorChain,
  type DriverConfig,
  type Handle,
  type MemoryKind,
  type Step,
  type TcaDriver,
  tcaInit,
} from '../actors/tca/driver/driver.ts';
export { type Gasnet, type GasnetProgram, gasnetProgram } from '../actors/tca/gasnet/gasnet.ts';
export type { Handler } from '../actors/tca/gasnet/handler.ts';
export type { NodeAnswer, NodeOperation, NodeProgram } from '../actors/tca/node-program.ts';
export { type TcaConfig, tcaConfig } from '../machines/tca/config.ts';
export { type TcaRunResult, tcaMachine } from '../machines/tca.ts';
