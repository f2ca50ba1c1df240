import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const rounds = 3;

/** Adds up what the host writes in each round, and stores the sum behind the words. A hasty one reads before it has met the host. */
const listen = (hasty: boolean): CpeProgram =>
  function* (c, words) {
    const round = c.ldmStatic('round', 4);
    const sum = c.ldmStatic('sum', 4);
    yield c.st(sum, 'i32', 0);
    for (let k = 0; k < rounds; k++) {
      if (!hasty) yield c.ssync_master_array();
      yield c.dma_get(round, words + 4 * k, 4);
      if (hasty) yield c.ssync_master_array();
      yield c.st(sum, 'i32', (yield* c.ld(sum, 'i32')) + (yield* c.ld(round, 'i32')));
    }
    yield c.dma_put(words + 4 * rounds + 4 * c.tid, sum, 4);
  };

/** Writes the number of the round and meets the array, three times. */
const speak = (cpes: number, program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const words = h.memAlloc(4 * (rounds + cpes));
    yield h.athread_spawn(program, words);
    for (let k = 0; k < rounds; k++) {
      yield h.st(words + 4 * k, 'i32', k + 1);
      yield h.sync_master_array();
    }
    yield h.athread_join();
    const sums = yield* h.ldBlock(words + 4 * rounds, 'i32', cpes);
    yield h.tell('CPEs with 6', sums.filter((sum) => sum === 6).length);
  };

/** A host and an array of `cpes` CPEs take turns by their barrier (specification 13, S13). */
export const handShakeOf = (cpes: number): MpeProgram => speak(cpes, listen(false));
/** The same with the whole array. */
export const handShake = handShakeOf(64);
/** CPEs read the word of a round before the host says that it is there. */
export const hastyHandShake = speak(64, listen(true));
