import { arrayCpes, arraySide } from '../array/identity.ts';
import type { GroupShape } from '../calls/dma-calls.ts';
import { type ReturnCode, returnCode } from '../return-code.ts';
import {
  alignCode,
  type CheckFacts,
  isWhole,
  lengthCode,
  maskCode,
  rangeCode,
  replyCode,
  tidCode,
} from './parts.ts';

/** The arguments of an RMA put or get (Sunway specification 6.7). */
export interface RmaArguments {
  /** In the caller's LDM. */
  readonly local: number;
  readonly bytes: number;
  /** The other CPE; the caller itself is allowed. */
  readonly tid: number;
  /** In the other's LDM. */
  readonly remote: number;
  /** Reply words, 0 for none. */
  readonly localReply: number;
  readonly remoteReply: number;
}

/** The code of an RMA put or get (Sunway specification 11: E1 to E3, E6, E9). */
export const rmaCode = (rma: RmaArguments, facts: CheckFacts): ReturnCode =>
  lengthCode(rma.bytes) ||
  alignCode(4, rma.local, rma.remote) ||
  tidCode(rma.tid, facts) ||
  rangeCode(['ldm'], rma.local, rma.bytes, facts) ||
  rangeCode(['ldm'], rma.remote, rma.bytes, facts) ||
  replyCode(rma.localReply, facts) ||
  replyCode(rma.remoteReply, facts);

/** The arguments of an RMA broadcast or multicast. */
export interface RmaBroadcastArguments {
  /** In the LDM of every receiver. */
  readonly target: number;
  /** In the caller's LDM. */
  readonly source: number;
  readonly bytes: number;
  /** Rows or columns; 0xFF for forms without a mask. */
  readonly mask: number;
  readonly localReply: number;
  readonly remoteReply: number;
}

/**
 * The code of an RMA broadcast or multicast (Sunway specification 11: E1 to E3, E7, E9).
 *
 * Details: the target may be the source, but may not overlap it otherwise, since the caller receives as well.
 */
export const rmaBroadcastCode = (rma: RmaBroadcastArguments, facts: CheckFacts): ReturnCode =>
  lengthCode(rma.bytes) ||
  alignCode(4, rma.target, rma.source) ||
  maskCode(rma.mask) ||
  rangeCode(['ldm'], rma.target, rma.bytes, facts) ||
  rangeCode(['ldm'], rma.source, rma.bytes, facts) ||
  replyCode(rma.localReply, facts) ||
  replyCode(rma.remoteReply, facts);

/**
 * The root of a collective broadcast: a tid, the column of a CPE of the row, or the row of one of the column (Sunway specification 6.7).
 *
 * Details: `tidOfRoot` tells which CPE a root within bounds is; an offline one is no root.
 */
export function rootCode(
  scope: GroupShape,
  root: number,
  tidOfRoot: (root: number) => number,
  { available }: Pick<CheckFacts, 'available'>,
): ReturnCode {
  const count = scope === 'array' ? arrayCpes : arraySide;
  const inBounds = isWhole(root) && root >= 0 && root < count;
  return inBounds && available(tidOfRoot(root)) ? returnCode.SUCCESS : returnCode.E_ROOT;
}
