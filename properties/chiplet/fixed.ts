import { routings } from '../../machines/chiplet/config.ts';
import { patterns } from '../../machines/chiplet/traffic.ts';

/** Routings and patterns of traffic, by the numbers and names of popnet (chiplet specification 5.7). */
export const networkFixed = { routings, patterns };
