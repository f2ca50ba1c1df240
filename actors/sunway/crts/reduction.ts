import { reductionCode } from '../checks/collective-check.ts';
import type { CpeOperationOf } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { combine } from '../reduction/combine.ts';
import { dataTypes } from '../reduction/data-type.ts';
import { isOperation } from '../reduction/operation.ts';
import { treeRoot, treeSteps } from '../reduction/tree.ts';
import { runtimeWords } from '../runtime-words.ts';
import { accept, agreedBarrier, clearWords, fingerprintOf } from './agreed-barrier.ts';
import { arriveAt, groupBarrier } from './barriers.ts';
import { checkFactsOf } from './check.ts';
import { descriptor } from './descriptors.ts';
import { copyWithin, readBytes } from './own-bytes.ts';
import type { Script } from './primitive.ts';
import { receiverLines } from './rma.ts';

/** Bytes that a CPE combines in a cycle: a vector of 512 bits. */
const vectorBytes = 64;

/**
 * `scoll_redurt`: partial results go up the fixed tree, the total goes back to all (specification 6.11).
 *
 * Details: as many elements at a time as the scratch holds. At every step of the tree the CPE with the left operand fetches the right one, when
 * a pair barrier has told that it is ready.
 */
export function* reduction(call: CpeOperationOf<'scoll_redurt'>, facts: CpeFacts): Script {
  const { src_addr, dest_addr, units, dtype, optype, redu_buf, buf_item } = call;
  const known = checkFactsOf(facts);
  const given = {
    source: src_addr,
    target: dest_addr,
    units,
    dataType: dtype,
    operation: optype,
    scratch: redu_buf,
    scratchUnits: buf_item,
  };
  yield* accept(reductionCode(given, known));
  const unitBytes = dataTypes.get(dtype)!.bytes;
  const agreement = fingerprintOf(call.op, [src_addr, dest_addr, units, dtype, optype, redu_buf, buf_item]);
  yield { op: 'allocate', request: 'scratch', address: redu_buf, size: buf_item * unitBytes };
  yield* clearWords();
  yield* agreedBarrier('array', agreement, facts);
  const { tid } = facts.identity;
  const root = treeRoot(known.available);
  const partBytes = Math.min(units, buf_item) * unitBytes;
  for (let offset = 0, part = 1; offset < units * unitBytes; offset += partBytes, part++) {
    const bytes = Math.min(partBytes, units * unitBytes - offset);
    const target = dest_addr + offset;
    if (src_addr !== dest_addr) yield* copyWithin(src_addr + offset, target, bytes);
    for (const step of treeSteps(tid, known.available)) {
      const other = 'sendTo' in step ? step.sendTo : step.receiveFrom;
      yield arriveAt({ kind: 'synp', tid: other }, facts.identity);
      if ('receiveFrom' in step) yield* takeOperand(other, target, bytes, call);
    }
    if (tid === root)
      yield descriptor({
        kind: 'rmaBcast',
        ldm: target,
        len: bytes,
        remote: target,
        ...receiverLines('array', undefined, facts.identity),
        remoteReply: runtimeWords.collective,
      });
    yield { op: 'wait', word: runtimeWords.collective, value: part };
  }
  // The scratch and the target are free for others when all have left the tree.
  yield* groupBarrier('array', facts);
  return 0;
}

/** Fetches the partial result of another CPE into scratch, and combines it as the right operand. */
function* takeOperand(
  other: number,
  target: number,
  bytes: number,
  { dtype, optype, redu_buf: scratch }: CpeOperationOf<'scoll_redurt'>,
): Script {
  yield descriptor({
    kind: 'rmaGet',
    ldm: scratch,
    len: bytes,
    remoteTid: other,
    remote: target,
    localReply: runtimeWords.rma,
  });
  yield { op: 'wait', word: runtimeWords.rma, value: 'issued' };
  const left = yield* readBytes(target, bytes);
  const right = yield* readBytes(scratch, bytes);
  yield { op: 'compute', cycles: Math.ceil(bytes / vectorBytes) };
  const type = dataTypes.get(dtype)!;
  if (isOperation(optype))
    yield { op: 'write', address: target, data: combine(left, right, optype, type), flag: false };
  return 0;
}
