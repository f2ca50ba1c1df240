import { addressOf } from '../../actors/tca/address-map.ts';
import { type Handle, type MemoryKind, type Step, tcaInit } from '../../actors/tca/driver/driver.ts';

/** Memory of the nodes of the lessons, each kind. */
const memory = { cpuBytes: 65_536, gpuBytes: 65_536 };

/** The first memory of a kind that a node takes from its driver lies at the same place on all nodes: the first page of CPU memory is the driver's. */
const handleOn = (node: number, kind: MemoryKind, bytes: number): Handle => ({
  node,
  kind,
  address: addressOf(node, kind, kind === 'cpu' ? 4096 : 0),
  bytes,
});

/** Every node sends 4 KiB to the node two further on round the ring, on two channels at once. */
export function* twoFurther(rank: number, nodes: number): Step {
  const tca = tcaInit(memory, rank, nodes);
  const bytes = 8192;
  const own = tca.tcaCreateHandle(tca.tcaMalloc(bytes, 'cpu'));
  const far = handleOn((rank + 2) % nodes, 'cpu', bytes);
  for (const channel of [0, 1]) {
    const chain = tca.tcaDescNew();
    tca.tcaDescSetMemcpy(chain, far, 4096 * channel, own, 0, 4096, { notify: true }, channel);
    yield* tca.tcaDescSet(chain, channel);
    yield* tca.tcaStartDMADesc(channel);
  }
  for (const slot of [0, 1]) yield* tca.tcaWaitDMARecvDesc({ node: (rank + nodes - 2) % nodes }, slot, 1);
}

/** Node 0 reads remote memory on channel 0, which is not allowed, while channel 1 works; then it resets channel 0 and uses it as it may. */
export function* readsRemote(rank: number, nodes: number): Step {
  const tca = tcaInit(memory, rank, nodes);
  const bytes = 8192;
  const own = tca.tcaCreateHandle(tca.tcaMalloc(bytes, 'gpu'));
  if (rank === 1) {
    yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 1, 1);
    yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 0, 1);
    return;
  }
  const far = handleOn(1, 'gpu', bytes);
  const chain = tca.tcaDescNew();
  tca.tcaDescSetMemcpy(chain, far, 0, own, 0, bytes, { notify: true }, 1);
  yield* tca.tcaDescSet(chain, 1);
  yield* tca.tcaStartDMADesc(1);
  // The driver refuses a remote source: this one goes past it.
  yield {
    op: 'start',
    channel: 0,
    chain: [{ src: far.address, dst: own.address, size: 64, count: 1, srcStride: 0, dstStride: 0 }],
  };
  const code = yield { op: 'stopped', channels: [0] };
  if (code !== 'EUR' || (yield* tca.tcaErrorDMAC(0)) !== 'EUR')
    throw new Error(`expected EUR, found ${code}`);
  yield* tca.tcaResetDMAC(0);
  const allowed = tca.tcaDescNew();
  tca.tcaDescSetMemcpy(allowed, far, 0, own, 0, 64, { notify: true }, 0);
  yield* tca.tcaDescSet(allowed, 0);
  yield* tca.tcaStartDMADesc(0);
  yield* tca.tcaWaitDMAC(0);
}

/** Node 0 sends a plane of 16 rows of 128 bytes out of a cube, 2048 bytes apart, as one descriptor. */
export function* plane(rank: number, nodes: number): Step {
  const tca = tcaInit(memory, rank, nodes);
  const [width, height, pitch] = [128, 16, 2048];
  const own = tca.tcaCreateHandle(tca.tcaMalloc(height * pitch, 'gpu'));
  if (rank === 1) {
    yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 0, 1);
    return;
  }
  const far = handleOn(1, 'gpu', height * pitch);
  const chain = tca.tcaDescNew();
  tca.tcaDescSetMemcpy2D(chain, far, 0, pitch, own, 0, pitch, width, height, { notify: true });
  yield* tca.tcaDescSet(chain, 0);
  yield* tca.tcaStartDMADesc(0);
  yield* tca.tcaWaitDMAC(0);
}

/** Sends 16 KiB from node 0 to node 1 in parts of these bytes, one a channel, each with its own notification. */
function* inParts(parts: readonly number[], rank: number, nodes: number): Step {
  const tca = tcaInit(memory, rank, nodes);
  const bytes = 16_384;
  const own = tca.tcaCreateHandle(tca.tcaMalloc(bytes, 'gpu'));
  const used = parts.flatMap((part, channel) => (part > 0 ? [channel] : []));
  if (rank === 1) {
    for (const slot of used) yield* tca.tcaWaitDMARecvDesc({ node: 0 }, slot, 1);
    return;
  }
  const far = handleOn(1, 'gpu', bytes);
  let offset = 0;
  for (const channel of used) {
    const chain = tca.tcaDescNew();
    tca.tcaDescSetMemcpy(chain, far, offset, own, offset, parts[channel]!, { notify: true }, channel);
    yield* tca.tcaDescSet(chain, channel);
    offset += parts[channel]!;
  }
  for (const channel of used) yield* tca.tcaStartDMADesc(channel);
}

/** 16 KiB on channel 0 alone. */
export const oneChannel = (rank: number, nodes: number): Step => inParts([16_384], rank, nodes);

/** 16 KiB on four channels, in the shares of their tags. */
export const fourChannels = (rank: number, nodes: number): Step =>
  inParts([8192, 4096, 2048, 2048], rank, nodes);

/** 16 KiB on two channels, one half each. */
export const twoChannels = (rank: number, nodes: number): Step => inParts([8192, 8192], rank, nodes);

/** Node 0 sends 2 KiB four times on channel 0; before each start it must know that the channel has stopped. */
export function* fourStarts(rank: number, nodes: number): Step {
  const tca = tcaInit(memory, rank, nodes);
  const bytes = 2048;
  const own = tca.tcaCreateHandle(tca.tcaMalloc(bytes, 'gpu'));
  if (rank === 1) {
    for (let round = 0; round < 4; round++) yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 0, 1);
    return;
  }
  const chain = tca.tcaDescNew();
  tca.tcaDescSetMemcpy(chain, handleOn(1, 'gpu', bytes), 0, own, 0, bytes, { notify: true });
  yield* tca.tcaDescSet(chain, 0);
  for (let round = 0; round < 4; round++) {
    yield* tca.tcaWaitDMAC(0);
    yield* tca.tcaStartDMADesc(0);
  }
}
