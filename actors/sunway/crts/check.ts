import { dmaCode } from '../checks/dma-check.ts';
import { alignCode, type CheckFacts, countCode, rangeCode, wordCode } from '../checks/parts.ts';
import { rmaBroadcastCode, rmaCode } from '../checks/rma-check.ts';
import { evictCode } from '../checks/shared-check.ts';
import type { CpeOperation } from '../cpe-api.ts';
import { type CpeFacts, isAvailable } from '../cpe-facts.ts';
import { returnCode } from '../return-code.ts';

/** What the checks of arguments have to know of a CPE. */
export const checkFactsOf = (facts: CpeFacts): CheckFacts => ({
  sizes: facts.sizes,
  available: (tid) => isAvailable(facts, tid),
});

/** The code of a call before anything of it is done: 0, or what is wrong with its arguments (specification 3.2, 11). */
export function argumentCode(call: CpeOperation, facts: CpeFacts): number {
  const known = checkFactsOf(facts);
  switch (call.op) {
    case 'ld':
    case 'ldBlock':
      return accessCode(call.address, call.bytes, known);
    case 'st':
    case 'stBlock':
      return accessCode(call.address, call.data.length, known);
    case 'faa':
    case 'user_lock':
    case 'user_unlock':
      return alignCode(4, call.address) || rangeCode(['memory', 'cross'], call.address, 4, known);
    case 'compute':
      return call.cycles === 0 ? returnCode.SUCCESS : countCode(Math.ceil(call.cycles));
    case 'dma_get':
    case 'dma_get_stride':
    case 'dma_iget':
    case 'dma_iget_stride':
      return transferCode(call.dst, call.src, call, known);
    case 'dma_put':
    case 'dma_put_stride':
    case 'dma_iput':
    case 'dma_iput_stride':
      return transferCode(call.src, call.dst, call, known);
    case 'scache_evict':
      return evictCode(call.start, call.end, known);
    case 'dma_wait_value':
    case 'rma_wait_value':
      return wordCode(call.rply, known);
    case 'ssig_host':
      // What is sent is an address for the handler alone: nobody reads what is there.
      return Number.isSafeInteger(call.content) && call.content >= 0
        ? returnCode.SUCCESS
        : returnCode.E_RANGE;
    case 'sio_fwrite':
      return fileOutputCode(call, known);
    case 'rma_get':
    case 'rma_iget':
    case 'rma_put':
    case 'rma_iput':
      return rmaCode(
        {
          local: call.l_addr,
          bytes: call.len,
          tid: call.r_tid,
          remote: call.r_addr,
          localReply: 'l_rply' in call ? call.l_rply : 0,
          remoteReply: call.r_rply,
        },
        known,
      );
    default:
      if ('other' in call)
        return rmaBroadcastCode(
          {
            target: call.dst,
            source: call.src,
            bytes: call.len,
            mask: 'mask' in call ? call.mask : 0xff,
            localReply: 'l_rply' in call ? call.l_rply : 0,
            remoteReply: call.r_rply,
          },
          known,
        );
      return returnCode.SUCCESS;
  }
}

/** A file has a name; nothing may be written to it, but no less, and bytes are read as a program reads them. */
const fileOutputCode = (
  { filename, src, size }: { readonly filename: string; readonly src: number; readonly size: number },
  facts: CheckFacts,
): number => {
  if (filename === '') return returnCode.E_ARGS;
  if (size === 0) return returnCode.SUCCESS;
  return countCode(size) || rangeCode(['ldm', 'memory', 'cross'], src, size, facts);
};

const accessCode = (address: number, bytes: number, facts: CheckFacts): number =>
  countCode(bytes) ||
  alignCode(4, address) ||
  rangeCode(['ldm', 'remote', 'shared', 'memory', 'cross'], address, bytes, facts);

const transferCode = (
  ldm: number,
  memory: number,
  call: {
    readonly len: number;
    readonly bsize: number;
    readonly stride: number;
    readonly rply?: number | undefined;
  },
  facts: CheckFacts,
): number =>
  dmaCode(
    {
      ldm,
      memory,
      bytes: call.len,
      blockSize: call.bsize,
      stride: call.stride,
      reply: call.rply ?? 0,
    },
    facts,
  );
