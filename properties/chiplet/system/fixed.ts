import { defaultTiming } from '../../../actors/chiplet/gpu/timing.ts';
import { h100Cold, h100Warm } from '../../../machines/chiplet/h100-timing.ts';

/** What of an object is not as in another one of its kind. */
const differing = (one: object, other: object): object =>
  Object.fromEntries(
    Object.entries(one).flatMap(([key, value]) => {
      const before = other[key as never] as unknown;
      if (value === before) return [];
      return [[key, typeof value === 'object' ? differing(value, before as object) : value]];
    }),
  );

/** Times of GPUs: those that the specification fixes, and the calibrated ones (chiplet specification 7.3); of warm launches what is not as in cold ones. */
export const systemFixed = { defaultTiming, h100Cold, h100Warm: differing(h100Warm, h100Cold) };
