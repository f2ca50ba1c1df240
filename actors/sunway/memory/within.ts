import type { SunwayMessage } from '../protocol.ts';

/*
 * Names of what a memory controller and the jobs inside it say to each other, as `protocol.ts` declares it.
 */

export type JobOpen = SunwayMessage<'job.open'>;
export type JobAdmitted = SunwayMessage<'job.admitted'>;
export type JobBytes = SunwayMessage<'job.bytes'>;
export type JobWritten = SunwayMessage<'job.written'>;
export type JobThrough = SunwayMessage<'job.through'>;
export type JobAnswer = SunwayMessage<'job.answer'>;
export type JobNoted = SunwayMessage<'job.noted'>;
export type BlockOpen = SunwayMessage<'block.open'>;
export type BlockGranted = SunwayMessage<'block.granted'>;
export type BlockServed = SunwayMessage<'block.served'>;

/** What a job is for. */
export type JobKind = JobOpen['kind'];
/** What a job hears. */
export type JobEvent = JobOpen | JobAdmitted | JobBytes | JobWritten | JobThrough | JobAnswer;
