import type { SunwayMessage } from './protocol.ts';

/*
 * Names of the messages that `protocol.ts` declares.
 */

export type DescriptorIssue = SunwayMessage<'descriptor.issue'>;
export type DescriptorTaken = SunwayMessage<'descriptor.taken'>;
export type QueueFull = SunwayMessage<'queue.full'>;
export type DrainRequest = SunwayMessage<'drain.request'>;
export type DrainDone = SunwayMessage<'drain.done'>;
export type EngineTurn = SunwayMessage<'engine.turn'>;
export type RmaData = SunwayMessage<'rma.data'>;
export type RmaArrived = SunwayMessage<'rma.arrived'>;
export type RmaSender = SunwayMessage<'rma.sender'>;
export type RmaRead = SunwayMessage<'rma.read'>;
export type LdmRead = SunwayMessage<'ldm.read'>;
export type LdmData = SunwayMessage<'ldm.data'>;
export type LdmWrite = SunwayMessage<'ldm.write'>;
export type LdmStored = SunwayMessage<'ldm.stored'>;
export type LdmGather = SunwayMessage<'ldm.gather'>;
export type LdmScatter = SunwayMessage<'ldm.scatter'>;
export type LdmTurn = { readonly type: 'ldm.turn' };
export type ReplyIncrement = SunwayMessage<'reply.increment'>;
export type ReplyWatch = SunwayMessage<'reply.watch'>;
export type ReplyEvent = SunwayMessage<'reply.event'>;
export type LdmStatics = SunwayMessage<'ldm.statics'>;
export type LdmAllocate = SunwayMessage<'ldm.allocate'>;
export type LdmAllocated = SunwayMessage<'ldm.allocated'>;
export type MemoryRead = SunwayMessage<'memory.read'>;
export type MemoryClaim = SunwayMessage<'memory.claim'>;
export type MemoryGrant = SunwayMessage<'memory.grant'>;
export type MemoryWrite = SunwayMessage<'memory.write'>;
export type MemoryResponse = SunwayMessage<'memory.response'>;
export type MemoryAccess = SunwayMessage<'memory.access'>;
export type MemoryAnswer = SunwayMessage<'memory.answer'>;
export type CacheWalk = SunwayMessage<'cache.walk'>;
export type MemoryTurn = { readonly type: 'memory.turn' };
export type SyncArrive = SunwayMessage<'sync.arrive'>;
export type SyncRelease = SunwayMessage<'sync.release'>;
export type SyncOffline = SunwayMessage<'sync.offline'>;
export type NodeAdd = SunwayMessage<'node.add'>;
export type NodeEvent = SunwayMessage<'node.event'>;
export type NodeLeave = SunwayMessage<'node.leave'>;
export type LockRequest = SunwayMessage<'lock.request'>;
export type LockGrant = SunwayMessage<'lock.grant'>;
export type LockRelease = SunwayMessage<'lock.release'>;
export type LockReleased = SunwayMessage<'lock.released'>;
export type ThreadStart = SunwayMessage<'thread.start'>;
export type ThreadDone = SunwayMessage<'thread.done'>;
export type ThreadReap = SunwayMessage<'thread.reap'>;
export type ThreadHalt = SunwayMessage<'thread.halt'>;
export type SignalSend = SunwayMessage<'signal.send'>;
export type SignalArrive = SunwayMessage<'signal.arrive'>;
export type FileAppend = SunwayMessage<'file.append'>;
export type ServiceTaken = SunwayMessage<'service.taken'>;
export type TaskRequest = SunwayMessage<'task.request'>;
export type TaskResponse = SunwayMessage<'task.response'>;
export type TaskLeave = SunwayMessage<'task.leave'>;
export type PathTurn = { readonly type: 'path.turn' };
export type FileFill = SunwayMessage<'file.fill'>;
export type FilePatch = SunwayMessage<'file.patch'>;
export type JobDrain = SunwayMessage<'job.drain'>;
export type JobStop = SunwayMessage<'job.stop'>;
export type HostStop = SunwayMessage<'host.stop'>;
export type ClockTick = { readonly type: 'clock.tick' };
export type CoreTurn = { readonly type: 'core.turn' };

/** What an engine does by itself. */
export type EngineStep = EngineTurn['step'];
/** Hardware barriers. */
export type BarrierKind = SyncArrive['kind'];
/** Which block of its transfer a request is for. */
export type TransferBlock = NonNullable<MemoryRead['block']>;
