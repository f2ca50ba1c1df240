import type { Address } from '../../../kernel/message.ts';

/*
 * What a memory controller and the jobs inside it say to each other: nobody else hears it, and it takes no time.
 */

/** What a job is for: a get or a put of an engine, or an access of a core that waits for earlier puts. */
export type JobKind = 'get' | 'put' | 'access';

/** The controller hands a job its request. */
export interface JobOpen {
  readonly type: 'job.open';
  readonly kind: JobKind;
  readonly transfer: number;
  readonly requester: Address;
  readonly jitter: number;
}
/** Its last block is admitted: the server is through with it at `finish`, in thousandths of a cycle. */
export interface JobAdmitted {
  readonly type: 'job.admitted';
  readonly finish: number;
}
/** The bytes of a put have come. */
export interface JobBytes {
  readonly type: 'job.bytes';
}
/** The bytes of a put are in memory. */
export interface JobWritten {
  readonly type: 'job.written';
}
/** The server is through, and no earlier put to the same bytes is left: the bytes of a get, null for a put. */
export interface JobThrough {
  readonly type: 'job.through';
  readonly data: Uint8Array | null;
}
/** An access that waited is carried out: what was read, and in how many cycles the answer comes. */
export interface JobAnswer {
  readonly type: 'job.answer';
  readonly data: Uint8Array;
  readonly cycles: number;
}
/** What was handed over is taken: the controller goes on. */
export interface JobNoted {
  readonly type: 'job.noted';
}

/** What a job hears. */
export type JobEvent = JobOpen | JobAdmitted | JobBytes | JobWritten | JobThrough | JobAnswer;

/** A controller with banks hands a request over. */
export interface BlockOpen extends Omit<JobOpen, 'type'> {
  readonly type: 'block.open';
  /** Of the block in its transfer. */
  readonly offset: number;
}
/** A put has a slot of the write buffer: its engine hears of it in so many cycles. */
export interface BlockGranted {
  readonly type: 'block.granted';
  readonly cycles: number;
}
/** A request is carried out, and through at a time in thousandths: the bytes of a get, null for a put. */
export interface BlockServed {
  readonly type: 'block.served';
  readonly data: Uint8Array | null;
  readonly through: number;
}
