import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/**
 * CPE 0 holds a value; every other CPE gets it from there, counted at both sides, and tells what it has. One that overwrites waits for a get too
 * few before it changes the value.
 */
const fetchFromFirst = (cpes: number, overwrites: boolean): CpeProgram =>
  function* (c, out) {
    yield* fetchAfter(c, out, cpes, overwrites);
  };

function* fetchAfter(
  c: CpeApi,
  out: number,
  cpes: number,
  overwrites: boolean,
): Generator<CpeOperation, void, number> {
  const value = c.ldmStatic('value', 8, 8);
  const arrived = c.rply();
  const taken = c.rply();
  yield c.rplySet(arrived, 0);
  yield c.rplySet(taken, 0);
  if (c.tid === 0) yield c.st(value, 'f64', 3.25);
  yield c.ssync_array();
  if (c.tid === 0) {
    yield c.rma_wait_value(taken, overwrites ? cpes - 2 : cpes - 1);
    if (overwrites) yield c.st(value, 'f64', 7.5);
  } else {
    yield c.rma_iget(value, arrived, 8, 0, value, taken);
    yield c.rma_wait_value(arrived, 1);
  }
  yield c.dma_put(out + 8 * c.tid, value, 8);
  yield c.dma_put(out + cpes * 8 + 4 * c.tid, arrived, 4);
  yield c.dma_put(out + cpes * 12 + 4 * c.tid, taken, 4);
}

const spread = (cpes: number, program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(cpes * 16);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
    const values = yield* h.ldBlock(out, 'f64', cpes);
    const arrived = yield* h.ldBlock(out + cpes * 8, 'i32', cpes);
    const taken = yield* h.ldBlock(out + cpes * 12, 'i32', cpes);
    yield h.tell('values of 3.25', values.filter((one) => one === 3.25).length);
    yield h.tell('counted where they arrived', arrived.slice(1).filter((one) => one === 1).length);
    yield h.tell('counted at CPE 0', `${arrived[0]} ${taken[0]}`);
    yield h.tell(
      'counted for the others elsewhere',
      taken.slice(1).reduce((sum, one) => sum + one, 0),
    );
  };

/** One value goes from one CPE to all others of `cpes`, each of which gets it (specification 13, S1). */
export const oneToAllOf = (cpes: number): MpeProgram => spread(cpes, fetchFromFirst(cpes, false));
/** The same on the whole array. */
export const oneToAll = oneToAllOf(64);
/** With a value that is overwritten too soon. */
export const overwrittenOneToAll = spread(64, fetchFromFirst(64, true));
