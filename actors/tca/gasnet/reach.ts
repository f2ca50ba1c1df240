import { nodeOf, placeOf } from '../address-map.ts';
import { type Movement, type Shape, spanOf } from './job.ts';
import { inMemory, inScratch, inSegment } from './layout.ts';
import { fail, type RuntimeContext } from './runtime-context.ts';

/** Whether it can be a number of bytes, or an address. */
export const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Whether blocks can be like this. */
export const isShape = ({ size, count, srcStride, dstStride, planes }: Shape): boolean =>
  [size, count, srcStride, dstStride, ...(planes ? Object.values(planes) : [])].every(isCount);

/** Whether there is such a node. */
export const isRank = (c: RuntimeContext, rank: number): boolean =>
  isCount(rank) && rank < c.spec.layout.nodes;

/** Whether all bytes lie in memory of this node that its program may use. */
export const isOwn = (c: RuntimeContext, address: number, bytes: number): boolean =>
  isCount(address) && nodeOf(address) === c.spec.node && inMemory(c.spec.layout, address, bytes);

const dmaAble = (c: RuntimeContext, address: number, bytes: number): boolean => {
  const { layout, node } = c.spec;
  if (nodeOf(address) === node && inScratch(layout, address, bytes)) return true;
  const segment = c.segments[nodeOf(address)];
  return segment != null && inSegment(layout, segment, address, bytes);
};

/** Bytes that lie in no segment which can be reached are the end of the job (TCA specification 17). */
export function insideSegment(c: RuntimeContext, address: number, bytes: number): boolean {
  if (dmaAble(c, address, bytes)) return true;
  const { node, region, offset } = placeOf(address);
  fail(
    c,
    'ESEGMENT',
    `found ${bytes} bytes at ${address} (node ${node}, ${region} memory, offset ${offset}), ` +
      'expected them in the segment of that node',
  );
  return false;
}

/** Where bytes are moved from and to, with what channels may do. */
export const movement = (c: RuntimeContext, src: number, dst: number, shape: Shape): Movement => ({
  src,
  dst,
  shape,
  srcDmaAble: dmaAble(c, src, spanOf(shape, 'src')),
  dstDmaAble: dmaAble(c, dst, spanOf(shape, 'dst')),
});
