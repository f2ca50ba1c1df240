import type { Address } from '../../../kernel/message.ts';
import type { Descriptor } from '../descriptor.ts';
import type { RmaData, RmaRead } from '../messages.ts';

/*
 * What engines say to each other (specification 8.4).
 */

/** RMA_DATA of a transfer: bytes from an offset on, for CPEs of one or several clusters. A DMA broadcast has its own LDM address and word at all of them. */
export const copyOf = (
  { kind, transfer, ldm, localReply, remote, remoteReply }: Descriptor,
  tids: readonly number[],
  offset: number,
  data: Uint8Array,
  last: boolean,
  source: Address,
): RmaData => ({
  type: 'rma.data',
  transfer,
  tids,
  offset: offset + (kind === 'dmaBcast' ? ldm : remote),
  data,
  reply: kind === 'dmaBcast' ? localReply : remoteReply,
  role: 'remote',
  source,
  last,
});

/** RMA_READ of a get. */
export const readRequest = (
  { transfer, tid, remoteTid, remote, len, remoteReply, ldm, localReply }: Descriptor,
  engine: Address,
): RmaRead => ({
  type: 'rma.read',
  transfer,
  tid: remoteTid,
  offset: remote,
  len,
  reply: remoteReply,
  issuer: tid,
  target: ldm,
  targetReply: localReply,
  engine,
  ready: 0,
});

/** RMA_DATA that answers a get. */
export const answerTo = (
  { transfer, issuer, target, targetReply, engine }: RmaRead,
  offset: number,
  data: Uint8Array,
  last: boolean,
): RmaData => ({
  type: 'rma.data',
  transfer,
  tids: [issuer],
  offset: target + offset,
  data,
  reply: targetReply,
  role: 'local',
  source: engine,
  last,
});
