import type { Observer } from '../../../kernel/explore/observer.ts';
import { meetingProperties } from './chiplets-keep-pace.ts';
import type { SystemContext, SystemProperty } from './context.ts';
import { kernelsDoWhatPlainThreadsDo } from './kernels-do-what-plain-threads-do.ts';
import { packetsCarryMessages } from './packets-carry-messages.ts';
import { receivesTakeWhatCame } from './receives-take-what-came.ts';
import { sendsLeaveInOrder } from './sends-leave-in-order.ts';
import { valuesArriveInOrder } from './values-arrive-in-order.ts';

const always: readonly SystemProperty[] = [
  valuesArriveInOrder,
  packetsCarryMessages,
  receivesTakeWhatCame,
  sendsLeaveInOrder,
];

/** What holds in every run of a system of chiplets (chiplet specification 14, M1 to M3 and B1 to B4); those of meetings where chiplets meet. */
export const systemProperties = (
  context: SystemContext,
  meet = context.config.syncFile.enabled,
): readonly Observer[] =>
  [...always, ...(meet ? meetingProperties : []), kernelsDoWhatPlainThreadsDo].map((property) =>
    property(context),
  );
