import type { CpeOperationOf } from '../cpe-api.ts';
import { runtimeWords } from '../runtime-words.ts';
import { descriptor } from './descriptors.ts';
import type { Script } from './primitive.ts';

type Get = CpeOperationOf<'dma_get' | 'dma_get_stride'>;
type Put = CpeOperationOf<'dma_put' | 'dma_put_stride'>;
type GetIssue = CpeOperationOf<'dma_iget' | 'dma_iget_stride'>;
type PutIssue = CpeOperationOf<'dma_iput' | 'dma_iput_stride'>;

/** The descriptor of a get; `reply` counts its end, 0 for none (specification 6.5). */
export const getDescriptor = ({ dst, src, len, bsize, stride }: Omit<Get, 'op'>, reply: number) =>
  descriptor({ kind: 'dmaGet', ldm: dst, memory: src, len, bsize, stride, localReply: reply });

/** The descriptor of a put. */
export const putDescriptor = ({ dst, src, len, bsize, stride }: Omit<Put, 'op'>, reply: number) =>
  descriptor({ kind: 'dmaPut', ldm: src, memory: dst, len, bsize, stride, localReply: reply });

/** A get that returns when the data are in the LDM; also the first part of array and row broadcasts (specification 4.3). */
export function* blockingGet(call: Omit<Get, 'op'>): Script {
  yield getDescriptor(call, runtimeWords.dma);
  yield { op: 'wait', word: runtimeWords.dma, value: 'issued' };
  return 0;
}

/** A put that returns when the source has been read (specification 3.3); the blocking form costs a little more (specification 9.2). */
export function* blockingPut(call: Omit<Put, 'op'>, extraCycles: number): Script {
  yield putDescriptor(call, runtimeWords.dma);
  yield { op: 'wait', word: runtimeWords.dma, value: 'issued' };
  yield { op: 'compute', cycles: extraCycles };
  return 0;
}

/** A get that returns when it is issued. */
export function* issuedGet(call: GetIssue): Script {
  yield getDescriptor(call, call.rply);
  return 0;
}

/** A put that returns when it is issued. */
export function* issuedPut(call: PutIssue): Script {
  yield putDescriptor(call, call.rply);
  return 0;
}
