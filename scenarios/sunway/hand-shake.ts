import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const rounds = 3;
const cpes = 64;

/** Adds up what the host writes in each round, and stores the sum behind the word. */
const listen: CpeProgram = function* (c, word) {
  const round = c.ldmStatic('round', 4);
  const sum = c.ldmStatic('sum', 4);
  yield c.st(sum, 'i32', 0);
  for (let k = 0; k < rounds; k++) {
    yield c.ssync_master_array();
    yield c.dma_get(round, word + 4 * k, 4);
    yield c.st(sum, 'i32', (yield* c.ld(sum, 'i32')) + (yield* c.ld(round, 'i32')));
  }
  yield c.dma_put(word + 4 * rounds + 4 * c.tid, sum, 4);
};

/** Writes the number of the round and meets the array, three times. */
export const handShake: MpeProgram = function* (h) {
  yield h.init();
  const word = h.memAlloc(4 * (rounds + cpes));
  yield h.athread_spawn(listen, word);
  for (let k = 0; k < rounds; k++) {
    yield h.st(word + 4 * k, 'i32', k + 1);
    yield h.sync_master_array();
  }
  yield h.athread_join();
  const sums = yield* h.ldBlock(word + 4 * rounds, 'i32', cpes);
  yield h.tell('CPEs with 6', sums.filter((sum) => sum === 6).length);
};
