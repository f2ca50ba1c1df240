import { meetingProperties } from './chiplets-keep-pace.ts';
import type { SystemProperty } from './context.ts';
import { kernelsDoWhatPlainThreadsDo } from './kernels-do-what-plain-threads-do.ts';
import { packetsCarryMessages } from './packets-carry-messages.ts';
import { receivesTakeWhatCame } from './receives-take-what-came.ts';
import { sendsLeaveInOrder } from './sends-leave-in-order.ts';
import { valuesArriveInOrder } from './values-arrive-in-order.ts';

/** What holds in every run of a system of chiplets (chiplet specification 14, M1 to M3 and B1 to B4). */
export const systemProperties: readonly SystemProperty[] = [
  valuesArriveInOrder,
  packetsCarryMessages,
  receivesTakeWhatCame,
  sendsLeaveInOrder,
  ...meetingProperties,
  kernelsDoWhatPlainThreadsDo,
];
