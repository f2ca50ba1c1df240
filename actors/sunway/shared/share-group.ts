import { spcTidOf } from '../array/identity.ts';
import { type CpeGroup, groupMembers } from '../sync/group.ts';

/** The group of CPEs that share LDM, by share mode; its barrier is that of `ssync_sldm` (Sunway specification 6.6). */
export function shareGroup(mode: number): CpeGroup {
  switch (mode) {
    case 0:
      return '1spc';
    case 1:
      return '2spc';
    case 2:
      return '4spc';
    case 3:
      return '8spc';
    default:
      return 'array';
  }
}

/** The members of the share group of a CPE in order of `spc_tid`, which is the order of their parts. */
export const shareMembers = (mode: number, tid: number): readonly number[] =>
  groupMembers(shareGroup(mode), tid).toSorted((a, b) => spcTidOf(a) - spcTidOf(b));
