import { columnOf, rowOf, tidAt } from '../array/identity.ts';
import type { GroupShape } from '../calls/dma-calls.ts';
import { dmaCode } from '../checks/dma-check.ts';
import { rmaBroadcastCode, rootCode } from '../checks/rma-check.ts';
import type { CpeOperation } from '../cpe-api.ts';
import { type CpeFacts, isAvailable } from '../cpe-facts.ts';
import { runtimeWords } from '../runtime-words.ts';
import type { CpeGroup } from '../sync/group.ts';
import { accept, agreedBarrier, clearWords, fingerprintOf } from './agreed-barrier.ts';
import { groupBarrier } from './barriers.ts';
import { checkFactsOf } from './check.ts';
import { descriptor } from './descriptors.ts';
import { blockingGet } from './dma.ts';
import type { Script } from './primitive.ts';
import { receiverLines } from './rma.ts';

type RmaCollective = Extract<CpeOperation, { readonly root: number }>;
type DmaBroadcast = Extract<CpeOperation, { readonly group: GroupShape; readonly bsize: number }>;
/** A DMA broadcast that one CPE issues. */
export type DmaIssue = Extract<DmaBroadcast, { readonly rply: number }>;
/** A DMA broadcast that all members of the group call. */
export type DmaCollective = Exclude<DmaBroadcast, { readonly rply: number }>;

const barrierOf: Readonly<Record<GroupShape, CpeGroup>> = { array: 'array', row: 'row', column: 'col' };

/** The CPE that a root means: a tid, a column of the caller's row, a row of its column (specification 6.7). */
function tidOfRoot(group: GroupShape, root: number, tid: number): number {
  switch (group) {
    case 'array':
      return root;
    case 'row':
      return tidAt(rowOf(tid), root);
    case 'column':
      return tidAt(root, columnOf(tid));
  }
}

/** The issuer of a collective DMA broadcast: tid, column or row 0 (specification 4.3); the lowest of the group that is there. */
function fixedIssuer(group: GroupShape, facts: CpeFacts): number {
  const count = group === 'array' ? 64 : 8;
  for (let root = 0; root < count; root++) {
    const tid = tidOfRoot(group, root, facts.identity.tid);
    if (isAvailable(facts, tid)) return tid;
  }
  return facts.identity.tid;
}

/** The descriptor of a broadcast to a group, its arrivals counted at every receiver. */
const rmaToGroup = (
  group: GroupShape,
  source: number,
  target: number,
  len: number,
  remoteReply: number,
  facts: CpeFacts,
) =>
  descriptor({
    kind: 'rmaBcast',
    ldm: source,
    len,
    remote: target,
    ...receiverLines(group, undefined, facts.identity),
    remoteReply,
  });

/** What every member of a collective broadcast does; only the issuer also does `issue` (specification 6.7). */
function* collectively(
  group: GroupShape,
  agreement: number,
  isIssuer: boolean,
  issue: () => Script,
  facts: CpeFacts,
): Script {
  yield* clearWords();
  yield* agreedBarrier(barrierOf[group], agreement, facts);
  if (isIssuer) yield* issue();
  yield { op: 'wait', word: runtimeWords.collective, value: 1 };
  yield* groupBarrier(barrierOf[group], facts);
  return 0;
}

/** `rma_bcast_coll` and its row and column forms. */
export function* rmaCollective(call: RmaCollective, facts: CpeFacts): Script {
  const { group, dst, src, len, root } = call;
  const { tid } = facts.identity;
  const known = checkFactsOf(facts);
  const given = { target: dst, source: src, bytes: len, mask: 0xff, localReply: 0, remoteReply: 0 };
  yield* accept(
    rmaBroadcastCode(given, known) || rootCode(group, root, (one) => tidOfRoot(group, one, tid), known),
  );
  function* issue(): Script {
    yield rmaToGroup(group, src, dst, len, runtimeWords.collective, facts);
    return 0;
  }
  const agreement = fingerprintOf(call.op, [dst, src, len, root]);
  return yield* collectively(group, agreement, tid === tidOfRoot(group, root, tid), issue, facts);
}

/** What the issuer of a DMA broadcast does: a get and an RMA broadcast, or for a column one true DMA broadcast (specification 4.3). */
function* dmaToGroup(
  call: Pick<DmaBroadcast, 'group' | 'dst' | 'src' | 'len' | 'bsize' | 'stride'>,
  reply: number,
  facts: CpeFacts,
): Script {
  const { group, dst, src, len, bsize, stride } = call;
  if (group === 'column') {
    yield descriptor({
      kind: 'dmaBcast',
      ldm: dst,
      memory: src,
      len,
      bsize,
      stride,
      ...receiverLines(group, undefined, facts.identity),
      localReply: reply,
    });
    return 0;
  }
  yield* blockingGet(call);
  yield rmaToGroup(group, dst, dst, len, reply, facts);
  return 0;
}

const dmaArguments = ({ dst, src, len, bsize, stride }: DmaBroadcast, reply: number) => ({
  ldm: dst,
  memory: src,
  bytes: len,
  blockSize: bsize,
  stride,
  reply,
});

/** `dma_ibcast` and its row, column and strided forms: one CPE calls, all of the group receive. */
export function* dmaBroadcast(call: DmaIssue, facts: CpeFacts): Script {
  yield* accept(dmaCode(dmaArguments(call, call.rply), checkFactsOf(facts)));
  return yield* dmaToGroup(call, call.rply, facts);
}

/** `dma_bcast_coll` and its row, column and strided forms. */
export function* dmaCollective(call: DmaCollective, facts: CpeFacts): Script {
  const { group, dst, src, len, bsize, stride } = call;
  yield* accept(dmaCode(dmaArguments(call, 0), checkFactsOf(facts)));
  const agreement = fingerprintOf(call.op, [dst, src, len, bsize, stride]);
  const isIssuer = facts.identity.tid === fixedIssuer(group, facts);
  const issue = () => dmaToGroup(call, runtimeWords.collective, facts);
  return yield* collectively(group, agreement, isIssuer, issue, facts);
}
