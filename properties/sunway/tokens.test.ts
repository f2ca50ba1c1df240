import { expect, test } from 'vitest';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { raisedIn } from './raised.ts';
import { givenOf } from './workloads.ts';

/** Every CPE puts a token to CPE 0, all of them in the same cycle where `together`; CPE 0 waits for `awaited` of them, then for all. */
const tokens = (awaited: number): CpeProgram =>
  function* (c) {
    const mine = c.ldmStatic('mine', 4, 64);
    const theirs = c.ldmStatic('theirs', 64, 64);
    const come = c.rply();
    yield c.rplySet(come, 0);
    yield c.ssync_array();
    if (c.tid > 0) yield c.rma_iput(mine, null, 4, 0, theirs + 4 * c.tid, come);
    else {
      yield c.rma_wait_value(come, awaited);
      yield c.rma_wait_value(come, 15);
    }
    yield c.ssync_array();
  };

test.each([
  ['functional', 1],
  ['functional', 3],
  ['tlm', 1],
  ['tlm', 2],
  ['flit', 1],
  ['flit', 2],
])('tokens that are counted in the same cycle all count (%s, waiting for %i first)', (fidelity, awaited) => {
  expect(raisedIn(givenOf(tokens(awaited), [], { fidelity }))).toEqual([]);
});
