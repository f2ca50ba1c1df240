import type { SunwayShown } from './protocol.ts';

/*
 * Names of what parts of a node show to observers, beside the messages. Nothing of it influences a run.
 */

export type CallBegin = SunwayShown<'call.begin'>;
export type CallEnd = SunwayShown<'call.end'>;
export type SignalHandle = SunwayShown<'signal.handle'>;
export type CoreFault = SunwayShown<'core.fault'>;
export type MemoryVisible = SunwayShown<'memory.visible'>;
export type TransferComplete = SunwayShown<'transfer.complete'>;
export type LdmConflict = SunwayShown<'ldm.conflict'>;
export type CacheAccess = SunwayShown<'cache.access'>;
export type CacheDrop = SunwayShown<'cache.drop'>;
export type CoreWaits = SunwayShown<'core.waits'>;
export type CoreRuns = SunwayShown<'core.runs'>;
