import type { GroupShape } from './calls/dma-calls.ts';

/** Operations of the engines, as descriptors name them (specification 8.1). */
export type DescriptorKind =
  | 'dmaGet'
  | 'dmaPut'
  | 'dmaBcast'
  | 'rmaGet'
  | 'rmaPut'
  | 'rmaBcast'
  | 'dmaBarrier'
  | 'rmaBarrier'
  | 'allBarrier';

/** What one CPE hands its engine (specification 8.1). All fields are always there; those without meaning for a kind are 0. */
export interface Descriptor {
  readonly kind: DescriptorKind;
  /** Number of the transfer in its run: unique, and ascending for one CPE. */
  readonly transfer: number;
  /** Who issued it. */
  readonly tid: number;
  /** Offset in the LDM of the issuer: target of a get, source of everything else. */
  readonly ldm: number;
  /** DMA: first byte in main memory. */
  readonly memory: number;
  /** Bytes for one CPE. */
  readonly len: number;
  /** DMA: bytes of a block, and of the gap behind it in main memory; `stride` 0 is contiguous (specification 4.1). */
  readonly bsize: number;
  readonly stride: number;
  /** RMA put and get: the other CPE. */
  readonly remoteTid: number;
  /** RMA and broadcasts: offset in the LDM of the other CPE, or of every receiver. */
  readonly remote: number;
  /** Broadcasts: whose rows (or columns) the mask names; bit k is row (column) k (specification 4.2). */
  readonly shape: GroupShape;
  readonly mask: number;
  /** Broadcasts: the issuer gets no copy. */
  readonly other: boolean;
  /** Offsets of the words that count the end at the issuer and at the other side; 0 for none. */
  readonly localReply: number;
  readonly remoteReply: number;
}

/** Transfers of one CPE are numbered in a range of their own. */
const transfersPerCpe = 2 ** 36;

/** The number of the k-th transfer of a CPE; `core` counts the CPEs of the node, 64 a core group. */
export const transferNumber = (core: number, k: number): number => core * transfersPerCpe + k;

/** The CPE of the node that issued a transfer: 64 times its core group, and its tid. */
export const coreOfTransfer = (transfer: number): number => Math.floor(transfer / transfersPerCpe);

/** Which engine carries a descriptor out. */
export const isDma = ({ kind }: Pick<Descriptor, 'kind'>): boolean => kind.startsWith('dma');
