import type { Shape } from './job.ts';

/** What a request for data asks for (TCA specification 12.4). */
export interface GetRequest {
  readonly src: number;
  readonly shape: Shape;
  /** The program gets the bytes as a value, and no memory does. */
  readonly value: boolean;
}

/** The arguments of the packet; those of a second level of strides only where there is one. */
export const getArguments = ({
  src,
  shape: { size, count, srcStride, dstStride, planes },
  value,
}: GetRequest): readonly number[] => [
  src % 2 ** 32,
  Math.floor(src / 2 ** 32),
  size,
  count,
  srcStride,
  dstStride,
  value ? 1 : 0,
  ...(planes ? [planes.count, planes.srcStride, planes.dstStride] : []),
];

/** The request that a packet with these arguments brings. */
export function getRequest(args: readonly number[]): GetRequest {
  const [low, high, size, count, srcStride, dstStride, value] = args as Seven;
  const [planes, srcPitch, dstPitch] = args.slice(7) as [number?, number?, number?];
  const shape = { size, count, srcStride, dstStride };
  return {
    src: low + 2 ** 32 * high,
    shape:
      planes === undefined
        ? shape
        : { ...shape, planes: { count: planes, srcStride: srcPitch!, dstStride: dstPitch! } },
    value: value === 1,
  };
}

type Seven = readonly [number, number, number, number, number, number, number];
