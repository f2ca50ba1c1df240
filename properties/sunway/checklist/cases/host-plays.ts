import type { CpeApi, CpeOperation } from '../../../../actors/sunway/cpe-api.ts';
import type { MpeApi, MpeOperation } from '../../../../actors/sunway/mpe-api.ts';
import type { CpeProgram } from '../../../../actors/sunway/program.ts';
import type { HostFailure } from '../function-case.ts';
import { ofHost } from '../unloaded.ts';

/** Longer than any thread of these cases runs. */
export const aWhile = 50_000;

export const oneCycle = { formula: 'one cycle of the host: 2', cycles: ofHost(1) };

/** Stores a number in the word that the thread is given. */
export const storing = (value: number): CpeProgram =>
  function* (c, word) {
    yield c.stFlag(word + 4 * c.tid, value + c.tid);
  };
export const nothing: CpeProgram = function* (c) {
  yield c.compute(1);
};

/** A call before `init`, which is the first of every program. */
export const beforeInit = (call: (h: MpeApi) => MpeOperation): HostFailure => ({
  with: 'a call before init',
  *play(h) {
    return [yield call(h)];
  },
  code: 'E_STATE',
});
export const badAfterInit = (
  wrong: string,
  code: 'E_STATE' | 'E_TID' | 'E_RANGE',
  call: (h: MpeApi) => MpeOperation,
): HostFailure => ({
  with: wrong,
  *play(h) {
    yield h.init();
    return [yield call(h)];
  },
  code,
});

/** What a thread of CPE 0 is told for a call. */
export function* ofThread(
  h: MpeApi,
  call: (c: CpeApi) => CpeOperation,
): Generator<MpeOperation, number, number> {
  const word = h.memAlloc(64);
  const program: CpeProgram = function* (c) {
    yield c.stFlag(word, yield call(c));
  };
  yield h.athread_create(0, program, 0);
  yield h.athread_wait(0);
  return yield h.ld(word, 'i32');
}
