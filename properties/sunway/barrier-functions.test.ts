import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { groupBarriersHoldEverybody } from './group-barriers-hold-everybody.ts';
import { raisedIn } from './raised.ts';
import type { SunwayGiven } from './workloads.ts';

type Barrier = (c: CpeApi) => CpeOperation | undefined;

/** The CPE that meets its host alone. */
const spokesman = 37;

/** The barriers of specification 6.2; undefined for CPEs that a barrier is not for. */
const barriers: Readonly<Record<string, Barrier>> = {
  peer: (c) => c.ssync_peer(c.tid ^ 8),
  '2spe': (c) => c.ssync_2spe(),
  '1spc': (c) => c.ssync_1spc(),
  '8spe': (c) => c.ssync_8spe(),
  row: (c) => c.ssync_row(),
  col: (c) => c.ssync_col(),
  colLeft: (c) => (c.cid < 4 ? c.ssync_col_left() : undefined),
  colRight: (c) => (c.cid > 3 ? c.ssync_col_right() : undefined),
  '2spc': (c) => c.ssync_2spc(),
  '16spe': (c) => c.ssync_16spe(),
  '4spc': (c) => c.ssync_4spc(),
  '32spe': (c) => c.ssync_32spe(),
  '8spc': (c) => c.ssync_8spc(),
  array: (c) => c.ssync_array(),
  sldm: (c) => c.ssync_sldm(),
  masterSpe: (c) => (c.tid === spokesman ? c.ssync_master_spe() : undefined),
  masterArray: (c) => c.ssync_master_array(),
  node: (c) => c.ssync_node(),
};
const names = Object.keys(barriers);

/** A node of two core groups on which everybody comes to these barriers, each time after as long as is drawn. */
function givenOf(
  order: readonly string[],
  delays: readonly number[],
  mutants: readonly string[],
): SunwayGiven {
  const delayOf = (core: number, k: number): number => delays[(core * 7 + k * 13) % delays.length]!;
  const meet: CpeProgram = function* (c) {
    for (const [k, name] of order.entries()) {
      yield c.compute(1 + delayOf(64 * c.cgn + c.tid, k));
      const call = barriers[name]!(c);
      if (call) yield call;
    }
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    yield h.athread_spawn(meet);
    for (const [k, name] of order.entries()) {
      yield h.compute(1 + delayOf(128 + h.cgn, k));
      if (name === 'masterSpe') yield h.sync_master_spe(spokesman);
      if (name === 'masterArray') yield h.sync_master_array();
    }
    yield h.athread_join();
  };
  return {
    name: 'barriers',
    config: sunwayConfig.parse({ cgs: 2, memoryMiB: 1, race: { policy: 'off' } }),
    programs: { module: 'barriers', program: host },
    mutants,
    scheduled: false,
  };
}

test('each of the eighteen barriers is one barrier of its group, in any order of arrival', () => {
  const orders = fc.shuffledSubarray([...names], { minLength: names.length, maxLength: names.length });
  const delays = fc.array(fc.nat(400), { minLength: 97, maxLength: 97 });

  // Each run has 18 barriers of 128 CPEs, more than a hundred instances.
  fc.assert(
    fc.property(orders, delays, (order, drawn) => {
      expect(raisedIn(givenOf(order, drawn, []), 10_000_000)).toEqual([]);
    }),
    { numRuns: 2, endOnFailure: true, seed: 8 },
  );
});

test('a barrier of which one step joins nobody is found', () => {
  const delays = Array.from({ length: 97 }, (_, k) => 40 * ((k * 37) % 101));

  expect(raisedIn(givenOf(['2spe', 'array'], delays, ['S-22']))).toContain(
    groupBarriersHoldEverybody.sentence,
  );
});
