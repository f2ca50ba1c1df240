import { defaultTiming } from '../../../actors/chiplet/gpu/timing.ts';
import { h100Cold, h100Warm } from '../../../machines/chiplet/h100-timing.ts';

/** Times of GPUs: those that the specification fixes, and the calibrated ones (chiplet specification 7.3). */
export const systemFixed = { defaultTiming, h100Cold, h100Warm };
