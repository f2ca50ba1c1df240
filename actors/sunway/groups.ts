/** The groups that barriers of the array are named after (specification 6.2); two names of one group are two entries. */
export const barrierGroups = [
  '2spe',
  '1spc',
  '8spe',
  'row',
  'col',
  'col_left',
  'col_right',
  '2spc',
  '16spe',
  '4spc',
  '32spe',
  '8spc',
  'array',
] as const;

/** The name of a group that has a barrier without arguments and without the host. */
export type BarrierGroup = (typeof barrierGroups)[number];

/** The groups that locks of the array are named after (specification 6.3). */
export const lockGroups = [
  '2spe',
  '1spc',
  '8spe',
  'row',
  'col',
  '2spc',
  '16spe',
  '4spc',
  '32spe',
  '8spc',
  'array',
  'node',
] as const;

/** The name of a group that has a lock. */
export type LockGroup = (typeof lockGroups)[number];
