import { z } from 'zod';
import type { NodeProgram } from '../../actors/tca/node-program.ts';
import { driverOperations } from './driver-operations.ts';
import { gasnetOperations } from './gasnet-operations.ts';
import { operationList } from './operations.ts';

const cycles = (value: number, what: string) => z.int().min(0).default(value).describe(what);

/** Schema of the calibrated parameters: delays in cycles of 4 ns, sizes in bytes (TCA specification 3). */
export const tcaParameters = z.strictObject({
  mmioWriteLatency: cycles(32, 'CPU store to register of the chip'),
  doorbellGap: cycles(14, 'CPU time between two doorbells'),
  dmacStart: cycles(16, 'doorbell seen to first read request'),
  descriptorFetch: cycles(64, 'fetch of every further descriptor, and of the end of the chain'),
  readIssueInterval: cycles(3, 'between two read requests of a channel'),
  blockOverhead: cycles(8, 'extra after the first read of each block of a block-stride descriptor'),
  bytesPerTag: z.literal([64, 128, 256]).default(128).describe('largest read request'),
  gpuReadLatency: cycles(160, 'request on the wire to completion entering the return link, GPU'),
  cpuReadLatency: cycles(96, 'the same, CPU memory'),
  internalReadLatency: cycles(264, 'read of the internal RAM of the chip'),
  tagHold: cycles(196, 'in-order retirement to reuse of the tag'),
  tagsPerChannel: z
    .array(z.int().min(0).max(64))
    .length(4)
    .default([32, 16, 8, 8])
    .describe('tags of each channel, 64 at most together'),
  completionOverheadBytes: cycles(20, 'wire bytes of a completion beside its payload'),
  writeOverheadBytes: cycles(24, 'wire bytes of a write beside its payload'),
  readOverheadBytes: cycles(24, 'wire bytes of a read request'),
  chipOut: cycles(18, 'channel output to transmit queue'),
  cableLatency: cycles(8, 'cable'),
  chipTransit: cycles(44, 'receive port to transmit port of a chip'),
  hostInLatency: cycles(28, 'host port to memory visible'),
  gpuIngressFifoBytes: z.int().min(256).default(3072).describe('write buffer of the GPU'),
  gpuDrainNumerator: z
    .int()
    .min(1)
    .default(66)
    .describe('rate at which the GPU empties it, of the rate of a link'),
  gpuDrainDenominator: z.int().min(1).default(100).describe('see gpuDrainNumerator'),
  pollDetect: cycles(20, 'memory visible to program going on'),
  pollGapPerChannel: cycles(6, 'added for every further flag to be checked'),
  gasnetPutSoftware: cycles(10, 'runtime work before the first doorbell'),
  descriptorBuildOnMiss: cycles(125, 'build descriptors on a cache miss'),
  perfCounterReadRoundTrip: z
    .int()
    .min(2)
    .multipleOf(2)
    .default(250)
    .describe('read of a performance counter'),
  pioStoreFlush: cycles(46, 'store and write-combining flush of PIO'),
  amDispatch: cycles(25, 'poll hit to entry of the handler of an active message'),
  stopTail: cycles(0, 'last tag of a channel back to its stop'),
});

/** Schema of the room of ports: credits and queues (TCA specification 2, 4, 6). */
const tcaRoom = z.strictObject({
  writeHeaders: z.int().min(1).default(64).describe('writes that the receive FIFO of a port holds'),
  writeUnits: z.int().min(1).default(512).describe('units of 16 bytes of their data'),
  readHeaders: z.int().min(1).default(64).describe('read requests that a port holds'),
  transmitPackets: z
    .int()
    .min(2)
    .default(1024)
    .describe('writes that the transmit queue of a port holds; the bubble rule needs two'),
});

const channelList = z
  .array(z.int().min(0).max(3))
  .min(1)
  .max(4)
  .refine(
    (list) => list.every((channel, k) => k === 0 || channel > list[k - 1]!),
    'channels in ascending order',
  );

/** Schema of what can be chosen about GASNet (TCA specification 11, 12). */
export const gasnetConfig = z.strictObject({
  slots: z.int().min(1).max(256).default(8).describe('packets that a ring holds'),
  slotBytes: z
    .int()
    .min(576)
    .max(65_536)
    .multipleOf(64)
    .default(4096)
    .describe('bytes of a packet with its header of 64 bytes'),
  sendBufferBytes: z
    .int()
    .min(1024)
    .max(2 ** 20)
    .multipleOf(16)
    .default(16_384)
    .describe('bytes of each of the two send buffers'),
  update: z.enum(['eager', 'half']).default('eager').describe('when a receiver tells that slots are free'),
  completion: z
    .enum(['acked', 'local'])
    .default('acked')
    .describe(
      'when a put is complete: at the answer of the target, or as soon as it has left; then what takes another way, such as a barrier, may come before its bytes',
    ),
  channels: channelList.default([0, 1, 2, 3]).describe('channels that may be used, ascending'),
  splitMin: z.int().min(128).default(2048).describe('smallest transfer that is split over channels'),
  forceMode: z
    .enum(['auto', 'MtoM', 'BtoM', 'MtoB', 'BtoB'])
    .default('auto')
    .describe('mode of all transfers for which it is legal'),
  cacheEntries: z.int().min(0).max(4096).default(64).describe('descriptors that the cache keeps; 0 for none'),
  parallelPackets: z
    .boolean()
    .default(false)
    .describe('splits packets over channels as well, which is slower'),
  scheduler: z
    .enum(['split', 'perRequest'])
    .default('split')
    .describe('one transfer over several channels, or each over one'),
  minHwBlock: z.int().min(4).default(64).describe('smallest rows that the block-stride engine is used for'),
  environment: z
    .record(z.string(), z.string())
    .default({})
    .describe('names and values that programs can ask for'),
});

/** Schema of the configuration of a TCA sub-cluster (TCA specification 2, 3). */
export const tcaConfig = z.strictObject({
  topology: z
    .enum(['pair', 'ring', 'dualRing'])
    .default('pair')
    .describe('two nodes and a cable, a ring, or two rings whose nodes are joined one to one'),
  nodes: z
    .int()
    .min(2)
    .max(16)
    .default(2)
    .describe('nodes: 2 in a pair, 2 to 8 in a ring, an even number to 16 in two rings'),
  cpuBytes: z
    .int()
    .min(4096)
    .max(2 ** 30)
    .multipleOf(4096)
    .default(2 ** 24)
    .describe('CPU memory of a node for programs'),
  gpuBytes: z
    .int()
    .min(4096)
    .max(2 ** 30)
    .multipleOf(4096)
    .default(2 ** 24)
    .describe('GPU memory of a node'),
  stopDetect: z
    .enum(['counter', 'ideal'])
    .default('counter')
    .describe('how a stop is detected: by polling performance counters, or at no cost'),
  strict: z
    .boolean()
    .default(true)
    .describe(
      'a doorbell during a chain is refused; else it is lost, or breaks the chain, as the seed decides',
    ),
  seed: z
    .int()
    .min(0)
    .default(1)
    .describe('decides what hardware decides: stale busy bits, lost doorbells, bit errors'),
  cplSplit: z
    .literal([64, 128, 256])
    .default(256)
    .describe('bytes of a completion at most: 64 answers a read of 128 bytes in two'),
  gpuBehindQpi: z
    .boolean()
    .default(false)
    .describe(
      'the GPU is behind the other socket: it takes 0.3 GB/s, and its reads take three times as long',
    ),
  bitErrorRate: z
    .number()
    .min(0)
    .max(0.01)
    .default(0)
    .describe('errors a bit on links; a packet with one is sent again after 250 cycles'),
  room: tcaRoom.prefault({}).describe('credits and queues of ports'),
  gasnet: gasnetConfig
    .optional()
    .describe('the runtime of GASNet on all nodes; without it programs use the driver'),
  parameters: tcaParameters.prefault({}).describe('delays in cycles of 4 ns, sizes in bytes'),
});

/** Configuration of a TCA sub-cluster. */
export type TcaConfig = z.output<typeof tcaConfig>;

const nodeFunction = z.custom<NodeProgram>((value) => typeof value === 'function');
const module = z.strictObject({ module: z.string(), program: nodeFunction.optional() });

/** Schema of the programs: one for all nodes, or one a node, each code, a list of operations, calls of the driver or of GASNet; or a job that the machine knows by name. */
export const tcaPrograms = z.union([
  module.describe('the program of every node'),
  z
    .strictObject({ job: z.literal('himeno') })
    .describe('the Himeno benchmark on all nodes; the environment of GASNet says which problem'),
  z.array(z.union([module, operationList, gasnetOperations, driverOperations])).describe('one a node'),
]);

/** Checked programs. */
export type TcaPrograms = z.output<typeof tcaPrograms>;
