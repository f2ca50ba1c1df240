import { sunwayProperty } from './context.ts';

/** The number in the order of clusters: bits of the tid in other places (Sunway specification 1, identity transform). */
const clusterOrder = (tid: number): number =>
  32 * (Math.floor(tid / 32) % 2) +
  16 * (Math.floor(tid / 16) % 2) +
  8 * (Math.floor(tid / 4) % 2) +
  4 * (Math.floor(tid / 2) % 2) +
  2 * (Math.floor(tid / 8) % 2) +
  (tid % 2);

/** What each question about the own place is answered with. */
const answers: Readonly<Record<string, (tid: number, cgn: number) => number>> = {
  smng_get_tid: (tid) => tid,
  smng_get_rid: (tid) => Math.floor(tid / 8),
  smng_get_cid: (tid) => tid % 8,
  smng_get_cgn: (_tid, cgn) => cgn,
  smng_get_spc_tid: clusterOrder,
  smng_get_spcn: (tid) => 4 * Math.floor(tid / 16) + Math.floor((tid % 8) / 2),
};

/** A CPE is told its place by the transform of the specification (Sunway specification 1, 6.1; 12, P12). */
export const coresKnowTheirPlace = sunwayProperty(
  'a CPE is told its number, row, column, core group and place among the clusters as its tid has them',
  ['call.end'],
  () => ({
    begin: () => ({}),
    judges: ({ name }) => name in answers,
    see(_nothing: object, { core, name, given }, to) {
      const expected = answers[name]?.(core % 64, Math.floor(core / 64));
      return expected === undefined || given === expected
        ? undefined
        : { actors: [to], why: `${name} gives it ${given}, but ${expected} is its place` };
    },
  }),
);
