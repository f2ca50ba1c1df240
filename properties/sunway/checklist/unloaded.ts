/*
 * Cycles of an idle node as section 9 of the specification writes them, in its own numbers: no parameter comes from the model that they judge.
 */

/** A wait that is satisfied goes on after one look at the word (`poll`). */
export const poll = 1;
/** A wait for a word that is there already: to the LDM, and the look. */
export const satisfied = 1 + poll;
/** A load or store of up to 64 bytes of the own LDM (`ldm.latency`). */
export const ldmAccess = 4;
/** One more for each further 64 bytes. */
export const ldmBlock = (bytes: number): number => ldmAccess + Math.ceil(bytes / 64) - 1;
/** CPE busy with the issue of a DMA and an RMA descriptor. */
export const dmaIssue = 30;
export const rmaIssue = 58;
/** A plain load or store of main memory without a cache, and of the LDM of a CPE so many hops away. */
export const memoryAccess = 430;
export const remoteAccess = (hops: number): number => 60 + 4 * hops;
/** Fetch-and-add, and the locks. */
export const fetchAndAdd = 430;
export const arrayLock = 40;
export const nodeLock = 450;
/** What the way to another core group adds. */
export const ring = 200;
/** Start and end of threads. */
export const spawn = 9000;
export const join = 600;

/** A get of so many blocks of 128 bytes, issue to reply (9.2). */
export const get = (blocks: number): number =>
  Math.ceil(441 + 14.2 * Math.min(blocks - 1, 7) + 7.17 * Math.max(0, blocks - 8));

/** A put, issue to reply (9.2). */
export const put = (blocks: number, partialUnits: number): number =>
  Math.ceil(234 + 6.83 * blocks + (partialUnits >= 2 ? 135 : 0));

/** Issue to local reply of an RMA put or broadcast (9.3). */
export const rmaLocal = (bytes: number): number => Math.ceil(rmaIssue + bytes / 25.6 + 56);

/** Issue to arrival at a receiver so many hops away (9.3). */
export const rmaArrival = (bytes: number, hops: number): number =>
  Math.ceil(rmaIssue + bytes / 25.6 + 40 + 4 * hops);

/** Issue to local reply of an RMA get (9.3). */
export const rmaGet = (bytes: number, hops: number): number =>
  Math.ceil(rmaIssue + 4 * hops + 40 + bytes / 25.6 + 40 + 4 * hops);

/** A hardware barrier whose members are so many clusters apart (9.4). */
export const barrier = (hops: number): number => 14 + 4 * hops;
/** A whole row or column, and the array: a row and a column. */
export const line = barrier(3);
export const array = 2 * line;

/** CPE cycles of a number of MPE cycles: 2250 to 2100 MHz, rounded up (2.2). */
export const ofHost = (cycles: number): number => Math.ceil((cycles * 15) / 14);
