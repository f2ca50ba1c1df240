import { addressOf, notifyOffset } from '../../actors/tca/address-map.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';

/** CPU memory of the nodes of `ping-pong.yaml`. */
const cpuBytes = 65_536;
const rounds = 3;
const size = 8192;

const notify = (from: number, to: number): Descriptor => ({
  src: 0,
  dst: addressOf(to, 'cpu', notifyOffset(cpuBytes, from, 0)),
  size: 8,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  data: new Uint8Array(8),
});

const block = (from: number, to: number): Descriptor => ({
  src: addressOf(from, 'gpu', 0),
  dst: addressOf(to, 'gpu', 0),
  size,
  count: 1,
  srcStride: 0,
  dstStride: 0,
});

/**
 * Three rounds of 8 KiB from GPU to GPU and back on channel 0. The word that notifies is chained behind the data, so that it cannot overtake it.
 *
 * Errors: throws when the channel refuses a chain.
 */
export function* pingPong(rank: number): Generator<NodeOperation, void, NodeAnswer> {
  const peer = 1 - rank;
  for (let round = 0; round < rounds; round++) {
    if (rank === 1) yield { op: 'wait', flags: [{ source: peer, slot: 0 }] };
    yield { op: 'stopped', channels: [0] };
    const started = yield { op: 'start', channel: 0, chain: [block(rank, peer), notify(rank, peer)] };
    if (typeof started === 'string') throw new Error(started);
    if (rank === 0) yield { op: 'wait', flags: [{ source: peer, slot: 0 }] };
  }
}

/** Waits for a word that nobody writes. */
export function* waitForever(rank: number): Generator<NodeOperation, void, NodeAnswer> {
  yield { op: 'wait', flags: [{ source: 1 - rank, slot: 7 }] };
}
