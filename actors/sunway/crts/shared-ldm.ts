import { ldmBytes, placeOf, remoteAddress, sharedBase } from '../address/space.ts';
import { copyDirection, sharedCopyCode, sharedGetCode } from '../checks/shared-check.ts';
import type { CpeOperationOf } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { runtimeWords } from '../runtime-words.ts';
import { shareGroup, shareMembers } from '../shared/share-group.ts';
import { type SharedMapping, type SharedPiece, sharedPieces } from '../shared/shared-mapping.ts';
import { accept, agreedBarrier, fingerprintOf } from './agreed-barrier.ts';
import { groupBarrier } from './barriers.ts';
import { checkFactsOf } from './check.ts';
import { descriptor } from './descriptors.ts';
import { readBytes } from './own-bytes.ts';
import type { Access, Script } from './primitive.ts';

/** How the shared space of a CPE lies: below the data cache at the top of each LDM (specification 2.3, 6.6). */
export const mappingOf = (facts: CpeFacts): SharedMapping => ({
  members: shareMembers(facts.shareMode, facts.identity.tid),
  shareBytes: facts.sharedBytes,
  base: ldmBytes - facts.cacheBytes - facts.sharedBytes,
  interleaveBytes: facts.shareInterleaveBytes ?? 0,
});

/** The pieces of a range of the shared space. */
const piecesAt = (address: number, bytes: number, facts: CpeFacts): readonly SharedPiece[] =>
  sharedPieces(mappingOf(facts), address - sharedBase, bytes);

/** `ssync_sldm`: the barrier of the share group; without sharing there is none. */
export const sharedBarrier = (facts: CpeFacts): Script => groupBarrier(shareGroup(facts.shareMode), facts);

/** `memcpy_sldm`: every member moves by DMA what of the range lies in its own LDM (specification 6.6). */
export function* sharedCopy(call: CpeOperationOf<'memcpy_sldm'>, facts: CpeFacts): Script {
  const { dst, src, len, direction } = call;
  yield* accept(sharedCopyCode({ target: dst, source: src, bytes: len, direction }, checkFactsOf(facts)));
  const group = shareGroup(facts.shareMode);
  yield* agreedBarrier(group, fingerprintOf(call.op, [dst, src, len, direction]), facts);
  const loads = direction === copyDirection.MEM_TO_LDM;
  const [shared, memory] = loads ? [dst, src] : [src, dst];
  for (const { tid, local, offset, bytes } of piecesAt(shared, len, facts))
    if (tid === facts.identity.tid)
      yield descriptor({
        kind: loads ? 'dmaGet' : 'dmaPut',
        ldm: local,
        memory: memory + offset,
        len: bytes,
        localReply: runtimeWords.dma,
      });
  yield { op: 'wait', word: runtimeWords.dma, value: 'issued' };
  yield* groupBarrier(group, facts);
  return 0;
}

/** `sldm_get`: gets from the owners into the own LDM; members come with arguments of their own (specification 6.6, 15: U8). */
export function* sharedGet(call: CpeOperationOf<'sldm_get'>, facts: CpeFacts): Script {
  const { dst, src, len } = call;
  yield* accept(sharedGetCode({ target: dst, source: src, bytes: len }, checkFactsOf(facts)));
  yield* agreedBarrier(shareGroup(facts.shareMode), fingerprintOf(call.op, []), facts);
  for (const { tid, local, offset, bytes } of piecesAt(src, len, facts))
    yield descriptor({
      kind: 'rmaGet',
      ldm: dst + offset,
      len: bytes,
      remoteTid: tid,
      remote: local,
      localReply: runtimeWords.rma,
    });
  yield { op: 'wait', word: runtimeWords.rma, value: 'issued' };
  return 0;
}

/** Whether a plain access goes to shared space. */
export const isShared = (address: number, { sizes }: Pick<CpeFacts, 'sizes'>): boolean =>
  placeOf(address, sizes)?.space === 'shared';

/** A plain load or store of shared space: one access for each LDM that it reaches, the own one without the mesh. */
export function* sharedAccess(access: Access, facts: CpeFacts): Script {
  const bytes = access.op === 'read' ? access.bytes : access.data.length;
  const inside = access.address - sharedBase + bytes <= facts.sizes.sharedBytes;
  // An access that leaves the space is refused as any other one is.
  const cut = inside ? piecesAt(access.address, bytes, facts) : [];
  const addressOf = ({ tid, local }: SharedPiece) =>
    tid === facts.identity.tid ? local : remoteAddress(tid, local);
  const [only] = cut;
  if (only === undefined) return yield access;
  if (cut.length === 1) return yield { ...access, address: addressOf(only) };
  const joined = new Uint8Array(bytes);
  for (const piece of cut) {
    const address = addressOf(piece);
    if (access.op === 'read') joined.set(yield* readBytes(address, piece.bytes), piece.offset);
    else
      yield {
        op: 'write',
        address,
        data: access.data.slice(piece.offset, piece.offset + piece.bytes),
        flag: access.flag,
      };
  }
  return access.op === 'read' ? joined : 0;
}
