import { inPlaceRounds, partnersInOrder } from '../alltoall/exchange.ts';
import { alltoallCode, alltoallInPlaceCode } from '../checks/collective-check.ts';
import type { CpeOperationOf } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { runtimeWords } from '../runtime-words.ts';
import { accept, agreedBarrier, clearWords, fingerprintOf } from './agreed-barrier.ts';
import { groupBarrier } from './barriers.ts';
import { checkFactsOf } from './check.ts';
import { descriptor } from './descriptors.ts';
import { copyWithin, readBytes } from './own-bytes.ts';
import type { Script } from './primitive.ts';

/** `scoll_alltoall`: every CPE puts its unit for each other one into its place there (specification 6.11). */
export function* alltoall(call: CpeOperationOf<'scoll_alltoall'>, facts: CpeFacts): Script {
  const { src_addr: source, dest_addr: target, units_size: unitBytes } = call;
  const known = checkFactsOf(facts);
  const { tid } = facts.identity;
  yield* accept(alltoallCode({ source, target, unitBytes }, known));
  yield* clearWords();
  yield* agreedBarrier('array', fingerprintOf(call.op, [source, target, unitBytes]), facts);
  const partners = partnersInOrder(tid, known.available);
  for (const partner of partners)
    yield descriptor({
      kind: 'rmaPut',
      ldm: source + partner * unitBytes,
      len: unitBytes,
      remoteTid: partner,
      remote: target + tid * unitBytes,
      localReply: runtimeWords.collectiveSource,
      remoteReply: runtimeWords.collective,
    });
  yield* copyWithin(source + tid * unitBytes, target + tid * unitBytes, unitBytes);
  yield { op: 'wait', word: runtimeWords.collectiveSource, value: partners.length };
  yield { op: 'wait', word: runtimeWords.collective, value: partners.length };
  return 0;
}

/** `scoll_alltoall_inplace`: rounds in which all fetch units into scratch and then, when all have, put them into their places. */
export function* alltoallInPlace(call: CpeOperationOf<'scoll_alltoall_inplace'>, facts: CpeFacts): Script {
  const { src_addr: source, units_size: unitBytes, buf: scratch, buf_item: scratchUnits } = call;
  const known = checkFactsOf(facts);
  const { tid } = facts.identity;
  yield* accept(alltoallInPlaceCode({ source, unitBytes, scratch, scratchUnits }, known));
  yield* clearWords();
  yield* agreedBarrier('array', fingerprintOf(call.op, [source, unitBytes, scratch, scratchUnits]), facts);
  let fetched = 0;
  for (const round of inPlaceRounds(tid, scratchUnits, known.available)) {
    for (const { partner, slot } of round)
      yield descriptor({
        kind: 'rmaGet',
        ldm: scratch + slot * unitBytes,
        len: unitBytes,
        remoteTid: partner,
        remote: source + tid * unitBytes,
        localReply: runtimeWords.collectiveSource,
      });
    fetched += round.length;
    yield { op: 'wait', word: runtimeWords.collectiveSource, value: fetched };
    yield* groupBarrier('array', facts);
    for (const { partner, slot } of round) {
      const data = yield* readBytes(scratch + slot * unitBytes, unitBytes);
      yield { op: 'write', address: source + partner * unitBytes, data, flag: false };
    }
  }
  return 0;
}
