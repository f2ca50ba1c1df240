/** `lockstep/machines/sunway`: the Sunway machine, and what its programs are made of. */
export { remoteAddress, sharedAddress } from '../actors/sunway/address/space.ts';
export { copyDirection } from '../actors/sunway/checks/shared-check.ts';
export type { CpeApi, CpeOperation } from '../actors/sunway/cpe-api.ts';
export type { CpeProgram, MpeProgram, SignalHandler } from '../actors/sunway/program.ts';
export { dataTypeCodes } from '../actors/sunway/reduction/data-type.ts';
export { operationCodes } from '../actors/sunway/reduction/operation.ts';
export type { ReplyWord } from '../actors/sunway/reply-word.ts';
export { type SunwayConfig, sunwayConfig } from '../machines/sunway/config.ts';
export { type SunwayResult, sunwayMachine } from '../machines/sunway.ts';
