import { arrayCpes, columnOf, rowOf, spcTidOf } from '../array/identity.ts';

/** Groups of CPEs of one array that have a barrier or a lock (Sunway specification 6.2, 6.3). */
export type CpeGroup =
  | '2spe'
  | '1spc'
  | '8spe'
  | 'row'
  | 'col'
  | 'col_left'
  | 'col_right'
  | '2spc'
  | '16spe'
  | '4spc'
  | '32spe'
  | '8spc'
  | 'array';

/**
 * The number that the members of a group have in common, other groups another one.
 *
 * Details: clusters are consecutive in `spc_tid`, rows in `tid`; groups of 16 and 32 are the same sets either way.
 */
export function groupIndex(group: CpeGroup, tid: number): number {
  switch (group) {
    case '2spe':
      return tid >> 1;
    case '1spc':
      return spcTidOf(tid) >> 2;
    case '8spe':
    case 'row':
      return rowOf(tid);
    case 'col':
    case 'col_left':
    case 'col_right':
      return columnOf(tid);
    case '2spc':
      return spcTidOf(tid) >> 3;
    case '16spe':
    case '4spc':
      return tid >> 4;
    case '32spe':
    case '8spc':
      return tid >> 5;
    case 'array':
      return 0;
  }
}

/** The sets of each kind of group by their numbers. Which CPEs they are never changes, and every barrier asks for one: they are made once. */
const setsOf = new Map<CpeGroup, readonly (readonly number[])[]>();

/** The members of the group of a CPE in ascending order, whether available or not. */
export function groupMembers(group: CpeGroup, tid: number): readonly number[] {
  let sets = setsOf.get(group);
  if (sets === undefined) {
    sets = setsOfGroup(group);
    setsOf.set(group, sets);
  }
  return sets[groupIndex(group, tid)]!;
}

function setsOfGroup(group: CpeGroup): readonly (readonly number[])[] {
  const sets: number[][] = [];
  for (let tid = 0; tid < arrayCpes; tid++) {
    const index = groupIndex(group, tid);
    sets[index] ??= [];
    sets[index].push(tid);
  }
  return sets;
}
