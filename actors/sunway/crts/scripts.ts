import type { CpeOperation } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { returnCode } from '../return-code.ts';
import { runtimeWords } from '../runtime-words.ts';
import { lockKey } from '../sync/lock-key.ts';
import { alltoall, alltoallInPlace } from './alltoall.ts';
import {
  arrayHostBarrier,
  groupBarrier,
  hostBarrier,
  lineBarrier,
  nodeBarrier,
  pairBarrier,
} from './barriers.ts';
import { dmaBroadcast, dmaCollective, rmaCollective } from './collective-broadcast.ts';
import { descriptor } from './descriptors.ts';
import { blockingGet, blockingPut, issuedGet, issuedPut } from './dma.ts';
import { fileOutput } from './file-output.ts';
import { giveBack, giveUserLockBack, takeLock, takeUserLock } from './locks.ts';
import { tableBase, tableCopy, tableLookup, tableWrite } from './parallel-tables.ts';
import type { Access, Steps } from './primitive.ts';
import { reduction } from './reduction.ts';
import { blockingRma, broadcastDescriptor, issuedRma, pairDescriptor } from './rma.ts';
import { isShared, sharedAccess, sharedBarrier, sharedCopy, sharedGet } from './shared-ldm.ts';
import { asked, known, oneStep, refusal } from './simple.ts';

/**
 * The script of a call of the slave side.
 *
 * Details: a group of calls that another part brings is a case more here.
 */
export function scriptOf(call: CpeOperation, facts: CpeFacts): Steps {
  const { identity, timing } = facts;
  switch (call.op) {
    case 'ld':
      return load(
        { op: 'read', address: call.address, bytes: call.bytes, as: call.type, flag: call.flag },
        facts,
      );
    case 'ldBlock':
      return load({ op: 'read', address: call.address, bytes: call.bytes, as: 'bytes', flag: false }, facts);
    case 'st':
      return store({ op: 'write', address: call.address, data: call.data, flag: call.flag }, facts);
    case 'stBlock':
      return store({ op: 'write', address: call.address, data: call.data, flag: false }, facts);
    case 'faa':
      return asked({ op: 'add', address: call.address, value: call.value });
    case 'compute':
      return oneStep({ op: 'compute', cycles: call.cycles });

    case 'ssync_peer':
    case 'synp':
      return pairBarrier(call.tid, facts);
    case 'synr':
    case 'sync':
      return lineBarrier(call.op, call.mask, facts);
    case 'ssync_master_spe':
      return hostBarrier(facts);
    case 'ssync_master_array':
      return arrayHostBarrier(facts);
    case 'ssync_node':
      return nodeBarrier(facts);
    case 'user_lock':
      return takeUserLock(call.address);
    case 'user_unlock':
      return giveUserLockBack(call.address);

    case 'dma_get':
    case 'dma_get_stride':
      return blockingGet(call);
    case 'dma_put':
    case 'dma_put_stride':
      return blockingPut(call, timing.dma.putBlocking);
    case 'dma_iget':
    case 'dma_iget_stride':
      return issuedGet(call);
    case 'dma_iput':
    case 'dma_iput_stride':
      return issuedPut(call);
    case 'dma_wait_value':
    case 'rma_wait_value':
      return oneStep({ op: 'wait', word: call.rply, value: call.value });

    case 'rma_get':
      return blockingRma(pairDescriptor('rmaGet', call, runtimeWords.rma));
    case 'rma_put':
      return blockingRma(pairDescriptor('rmaPut', call, runtimeWords.rma));
    case 'rma_iget':
      return issuedRma(pairDescriptor('rmaGet', call, call.l_rply));
    case 'rma_iput':
      return issuedRma(pairDescriptor('rmaPut', call, call.l_rply));
    case 'rma_bcast':
    case 'rma_bcast_other':
    case 'rma_row_bcast':
    case 'rma_row_bcast_other':
    case 'rma_row_mcast':
    case 'rma_row_mcast_other':
    case 'rma_col_bcast':
    case 'rma_col_bcast_other':
    case 'rma_col_mcast':
    case 'rma_col_mcast_other':
      return blockingRma(broadcastDescriptor(call, identity, runtimeWords.rma));
    case 'rma_ibcast':
    case 'rma_ibcast_other':
    case 'rma_row_ibcast':
    case 'rma_row_ibcast_other':
    case 'rma_row_imcast':
    case 'rma_row_imcast_other':
    case 'rma_col_ibcast':
    case 'rma_col_ibcast_other':
    case 'rma_col_imcast':
    case 'rma_col_imcast_other':
      return issuedRma(broadcastDescriptor(call, identity, call.l_rply));

    case 'rma_bcast_coll':
    case 'rma_row_bcast_coll':
    case 'rma_col_bcast_coll':
      return rmaCollective(call, facts);
    case 'dma_ibcast':
    case 'dma_ibcast_stride':
    case 'dma_row_ibcast':
    case 'dma_row_ibcast_stride':
    case 'dma_col_ibcast':
    case 'dma_col_ibcast_stride':
      return dmaBroadcast(call, facts);
    case 'dma_bcast_coll':
    case 'dma_bcast_stride_coll':
    case 'dma_row_bcast_coll':
    case 'dma_row_bcast_stride_coll':
    case 'dma_col_bcast_coll':
    case 'dma_col_bcast_stride_coll':
      return dmaCollective(call, facts);

    case 'ssync_sldm':
      return sharedBarrier(facts);
    case 'memcpy_sldm':
      return sharedCopy(call, facts);
    case 'sldm_get':
      return sharedGet(call, facts);

    case 'scoll_alltoall':
      return alltoall(call, facts);
    case 'scoll_alltoall_inplace':
      return alltoallInPlace(call, facts);
    case 'scoll_redurt':
      return reduction(call, facts);

    case 'get_ptab_addr':
      return tableBase(call, facts);
    case 'ptab_cpy':
      return tableCopy(call.orig_table_addr, call.unit, call.num, call.ptable, facts);
    case 'ptab_cpy16':
      return tableCopy(new Array<number>(16).fill(call.orig_table_addr), call.unit, 16, call.ptable, facts);
    case 'ptab_lookup':
      return tableLookup(call, facts);
    case 'ptab_write':
      return tableWrite(call, facts);

    case 'get_free_addr':
      return asked({ op: 'allocate', request: 'freeAddress', address: 0, size: 0 });
    case 'pldm_get_free_size':
      return asked({ op: 'allocate', request: 'freeSize', address: 0, size: 0 });
    case 'pldm_malloc':
      return asked({ op: 'allocate', request: 'malloc', address: 0, size: call.size });
    case 'pldm_malloc_max':
      return asked({ op: 'allocate', request: 'mallocMax', address: 0, size: 0 });
    case 'pldm_free':
      return asked({ op: 'allocate', request: 'free', address: call.address, size: call.size });
    case 'pldm_free_all':
      return asked({ op: 'allocate', request: 'freeAll', address: 0, size: 0 });

    case 'smng_get_tid':
      return known(identity.tid);
    case 'smng_get_rid':
      return known(identity.rid);
    case 'smng_get_cid':
      return known(identity.cid);
    case 'smng_get_cgn':
      return known(identity.cgn);
    case 'smng_get_spc_tid':
      return known(identity.spc_tid);
    case 'smng_get_spcn':
      return known(identity.spcn);
    case 'scache_get_size':
      return known(facts.cacheBytes);
    case 'scache_evict':
      return facts.cacheBytes === 0 ? known(0) : oneStep({ op: 'evict', start: call.start, end: call.end });
    case 'scache_flush_all':
      return facts.cacheBytes === 0 ? known(0) : oneStep({ op: 'flush' });
    case 'stime_cycle':
      return asked({ op: 'time' });
    case 'tell':
      return known(0);
    case 'ssig_host':
      return asked({ op: 'signal', content: call.content });
    case 'sio_fwrite':
      return fileOutput(call);
    default:
      if ('barrier' in call) return groupBarrier(call.barrier, facts);
      if ('lock' in call) return takeLock(lockKey(call.lock, facts.identity.tid));
      if ('unlock' in call) return giveBack(lockKey(call.unlock, facts.identity.tid));
      if ('orders' in call) return oneStep(descriptor({ kind: call.orders }));
      call satisfies never;
      // Only a program that evades its types gets here: a call of the host side is none of a thread.
      return refusal(returnCode.E_STATE);
  }
}

const load = (access: Access, facts: CpeFacts): Steps =>
  isShared(access.address, facts) ? sharedAccess(access, facts) : asked(access);
const store = (access: Access, facts: CpeFacts): Steps =>
  isShared(access.address, facts) ? sharedAccess(access, facts) : oneStep(access);
