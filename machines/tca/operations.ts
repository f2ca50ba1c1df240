import { z } from 'zod';
import { addressOf, notifyOffset, notifySlots, type Region } from '../../actors/tca/address-map.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import type { NodeOperation, NodeProgram } from '../../actors/tca/node-program.ts';
import { channels } from '../../actors/tca/parameters.ts';
import { codes } from './driver-operations.ts';

const nodesMax = 16;
const node = z
  .int()
  .min(0)
  .max(nodesMax - 1);
const slot = z
  .int()
  .min(0)
  .max(notifySlots - 1);
const channel = z
  .int()
  .min(0)
  .max(channels - 1);
const bytes = z.array(z.int().min(0).max(255));
const place = z
  .tuple([node, z.enum(['cpu', 'gpu']), z.int().min(0)])
  .readonly()
  .describe('node, memory, offset in bytes');

const copied = z.strictObject({
  from: place,
  to: place,
  size: z.int().describe('bytes of a block, a multiple of 4'),
  count: z.int().default(1).describe('blocks at equal distances'),
  fromStride: z.int().default(0).describe('bytes from one block to the next'),
  toStride: z.int().default(0).describe('the same where they go'),
  pipeline: z
    .boolean()
    .default(true)
    .describe('false: the reads of this block are over before the next descriptor is fetched'),
});
const written = z.strictObject({
  to: place,
  bytes: bytes.min(1).max(256).describe('bytes that the chip itself has'),
});
const notified = z.strictObject({
  notify: node.describe('whom'),
  slot: slot.default(0).describe('which word of the board'),
});
const descriptor = z.union([copied, written, notified]);
/** `any` where it depends on the schedule. */
const refused = z
  .enum([...codes, 'any'])
  .optional()
  .describe('the code with which it must be refused, none when absent; any: it may be, and the list goes on');
const flag = z.strictObject({ source: node, slot: slot.default(0) });

const operation = z.discriminatedUnion('op', [
  z
    .strictObject({ op: z.literal('start'), channel, chain: z.array(descriptor), refused })
    .describe('starts a chain of descriptors on a channel'),
  z
    .strictObject({ op: z.literal('wait'), flags: z.array(flag) })
    .describe('waits until each of these words was written once more'),
  z
    .strictObject({ op: z.literal('stopped'), channels: z.array(channel) })
    .describe('waits until chains on these channels have stopped'),
  z.strictObject({ op: z.literal('pio'), to: place, bytes, refused }).describe('writes at most 64 bytes'),
  z.strictObject({ op: z.literal('compute'), ns: z.number().min(0).max(1e9) }).describe('works so long'),
  z
    .strictObject({ op: z.literal('copy'), from: place, to: place, size: z.int().min(0) })
    .describe('copies inside the node'),
  z
    .strictObject({ op: z.literal('launch'), ns: z.number().min(0).max(1e9) })
    .describe('has the GPU work so long'),
  z.strictObject({ op: z.literal('join') }).describe('waits until the GPU has done all its work'),
  z
    .strictObject({ op: z.literal('register'), register: z.enum(['busy', 'error']), channel })
    .describe('reads a register of a channel'),
  z
    .strictObject({ op: z.literal('counter'), channel })
    .describe('reads the performance counter of a channel'),
  z.strictObject({ op: z.literal('reset'), channel }).describe('lets a channel in error begin anew'),
]);

/** Schema of a program as data: the operations of a node in order (TCA specification 10). */
export const operationList = z.array(operation).describe('operations of the node, in order');

/** Operations of a node as a scenario has them. */
export type OperationList = z.output<typeof operationList>;
type Operation = OperationList[number];
type Place = z.output<typeof place>;

/** What is wrong with a list on a machine of so many nodes and bytes. */
export interface Misplaced {
  /** From the list on. */
  readonly path: readonly (string | number)[];
  readonly found: string;
  readonly expected: string;
}

/** Sizes that a list must fit to. */
export interface NodeSizes {
  readonly nodes: number;
  readonly cpuBytes: number;
  readonly gpuBytes: number;
}

/** A program that does these operations. Errors: it throws where a chain or a write is refused, or is not, otherwise than its list says. */
export function programOfList(list: OperationList, { cpuBytes }: Pick<NodeSizes, 'cpuBytes'>): NodeProgram {
  return function* (rank) {
    for (const [index, one] of list.entries()) {
      const answer = yield operationOf(one, rank, cpuBytes);
      if (one.op !== 'start' && one.op !== 'pio') continue;
      // Behind the code there may be words.
      const found = typeof answer === 'string' ? answer.split(':')[0] : 'OK';
      const expected = one.refused ?? 'OK';
      if (found !== expected && expected !== 'any')
        throw new Error(`operation ${index} of the list, ${one.op}: found ${found}, expected ${expected}`);
    }
  };
}

function operationOf(one: Operation, rank: number, cpuBytes: number): NodeOperation {
  switch (one.op) {
    case 'start': {
      const chain = one.chain.map((each) => descriptorOf(each, rank, cpuBytes));
      return { op: 'start', channel: one.channel, chain };
    }
    case 'pio':
      return { op: 'pio', address: addressOf(...one.to), data: Uint8Array.from(one.bytes) };
    case 'copy':
      return { op: 'copy', src: addressOf(...one.from), dst: addressOf(...one.to), bytes: one.size };
    default:
      return one;
  }
}

function descriptorOf(one: z.output<typeof descriptor>, rank: number, cpuBytes: number): Descriptor {
  if ('notify' in one) {
    const { notify, slot } = one;
    // Any word but zero is a notification.
    return wordsTo(addressOf(notify, 'cpu', notifyOffset(cpuBytes, rank, slot)), new Uint8Array(8).fill(1));
  }
  if ('bytes' in one) return wordsTo(addressOf(...one.to), Uint8Array.from(one.bytes));
  const { from, to, size, count, fromStride, toStride, pipeline } = one;
  return {
    src: addressOf(...from),
    dst: addressOf(...to),
    size,
    count,
    srcStride: fromStride,
    dstStride: toStride,
    ...(!pipeline && { pipeline }),
  };
}

const wordsTo = (dst: number, data: Uint8Array): Descriptor => ({
  src: 0,
  dst,
  size: data.length,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  data,
});

/** What of a list does not fit to the nodes: numbers of nodes, bytes beyond the end of a memory. */
export function misplacedIn(list: OperationList, sizes: NodeSizes): readonly Misplaced[] {
  const found: Misplaced[] = [];
  const look = (path: Misplaced['path'], at: Place, span: readonly [first: number, last: number]) => {
    const [rank, region, offset] = at;
    const room = bytesOf(region, sizes);
    if (rank >= sizes.nodes) found.push(noNode([...path, 0], rank, sizes));
    else if (offset + span[0] < 0 || offset + span[1] >= room)
      found.push({
        path,
        found: `bytes ${offset + span[0]} to ${offset + span[1]}`,
        expected: `bytes inside the ${room} of this memory`,
      });
  };
  for (const [index, one] of list.entries()) {
    if (one.op === 'pio') look([index, 'to'], one.to, [0, one.bytes.length - 1]);
    if (one.op === 'copy')
      for (const end of ['from', 'to'] as const) look([index, end], one[end], [0, Math.max(0, one.size - 1)]);
    if (one.op === 'wait')
      for (const [at, { source }] of one.flags.entries())
        if (source >= sizes.nodes) found.push(noNode([index, 'flags', at, 'source'], source, sizes));
    if (one.op !== 'start') continue;
    for (const [at, each] of one.chain.entries()) {
      const path = [index, 'chain', at];
      if ('notify' in each) {
        if (each.notify >= sizes.nodes) found.push(noNode([...path, 'notify'], each.notify, sizes));
      } else if ('bytes' in each) look([...path, 'to'], each.to, [0, each.bytes.length - 1]);
      else {
        look([...path, 'from'], each.from, spanOf(each, each.fromStride));
        look([...path, 'to'], each.to, spanOf(each, each.toStride));
      }
    }
  }
  return found;
}

const bytesOf = (region: Region, { cpuBytes, gpuBytes }: NodeSizes): number =>
  region === 'gpu' ? gpuBytes : cpuBytes;

const noNode = (path: Misplaced['path'], rank: number, { nodes }: NodeSizes): Misplaced => ({
  path,
  found: `node ${rank}`,
  expected: `a node from 0 to ${nodes - 1}`,
});

/** First and last byte of equal blocks, from the first byte of the first one on; an empty one spans nothing. */
function spanOf(
  { size, count }: Pick<z.output<typeof copied>, 'size' | 'count'>,
  stride: number,
): readonly [first: number, last: number] {
  const lastBlock = stride * Math.max(0, count - 1);
  return [Math.min(0, lastBlock), Math.max(0, lastBlock) + Math.max(0, size) - 1];
}
