import type { Instruction } from '../../actors/cell/instructions.ts';
import {
  endCycle,
  put,
  read,
  status,
  TRANSFER_STATUS_FINISHED,
  type TransferStatus,
  write,
} from '../../actors/cell/instructions.ts';

const block = 16;
const flag = 255;

/** Fills a block, sends it to SPU 3, waits until it has arrived, then raises the flag there. */
export function* producer(): Generator<Instruction, void, never> {
  for (let i = 0; i < block; i++) yield write(i, 100 + i);
  const id: number = yield put(0, 3, 64, block);
  for (;;) {
    const answer: TransferStatus = yield status(id);
    if (answer.status === TRANSFER_STATUS_FINISHED) break;
    yield endCycle();
  }
  yield write(flag, 1);
  yield put(flag, 3, flag, 1);
}

/** Polls the flag, then reads the block; stops with an error when a byte of it is not there. */
export function* consumer(): Generator<Instruction, void, never> {
  for (;;) {
    const raised: number = yield read(flag);
    if (raised === 1) break;
    yield endCycle();
  }
  for (let i = 0; i < block; i++) {
    const byte: number = yield read(64 + i);
    if (byte !== 100 + i) throw new Error(`byte ${i} is ${byte}: the flag has overtaken the block`);
  }
}

/** As the producer, but without waiting: the flag may overtake the block. */
export function* hastyProducer(): Generator<Instruction, void, never> {
  for (let i = 0; i < block; i++) yield write(i, 100 + i);
  yield put(0, 3, 64, block);
  yield write(flag, 1);
  yield put(flag, 3, flag, 1);
}
