import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/** Jobs by number; 0 is none. */
const jobs = { addNumber: 1, double: 2, subtractOne: 3, stop: 4 } as const;

const valuesOf = (word: number): number => word + 64;

/** Runs jobs until it is told to stop: CPE 0 polls the job word and hands each job on. */
const serve: CpeProgram = function* (c, word) {
  const job = c.ldmStatic('job', 4);
  const value = c.ldmStatic('value', 4);
  const place = valuesOf(word) + 4 * c.tid;
  for (;;) {
    if (c.tid === 0) {
      let found = yield c.ldFlag(word);
      while (found === 0) found = yield c.ldFlag(word);
      yield c.st(job, 'i32', found);
    }
    yield c.rma_bcast_coll(job, job, 4, 0);
    const asked = yield* c.ld(job, 'i32');
    if (asked !== jobs.stop) {
      yield c.dma_get(value, place, 4);
      const old = yield* c.ld(value, 'i32');
      const made = asked === jobs.addNumber ? old + c.tid : asked === jobs.double ? 2 * old : old - 1;
      yield c.st(value, 'i32', made);
      yield c.dma_put(place, value, 4);
    }
    yield c.ssync_array();
    if (c.tid === 0) yield c.stFlag(word, 0);
    if (asked === jobs.stop) return;
  }
};

/** Starts an array of `cpes` CPEs once and gives it jobs by a word in memory (specification 13, S6). */
export const persistentKernelOf = (cpes: number): MpeProgram =>
  function* (h) {
    yield h.init();
    const word = h.memAlloc(64 + 4 * cpes);
    yield h.stBlock(valuesOf(word), new Int32Array(cpes).fill(1));
    yield h.stFlag(word, 0);
    yield h.athread_spawn(serve, word);
    let cleared = 0;
    for (const job of Object.values(jobs)) {
      yield h.stFlag(word, job);
      while ((yield h.ldFlag(word)) !== 0) yield h.compute(100);
      cleared++;
    }
    const joined = yield h.athread_join();
    const values = yield* h.ldBlock(valuesOf(word), 'i32', cpes);
    yield h.tell('jobs done', cleared);
    yield h.tell('code of the join', joined);
    yield h.tell('values of 2 t + 1', values.filter((one, tid) => one === 2 * tid + 1).length);
    yield h.tell(
      'sum',
      values.reduce((sum, one) => sum + one, 0),
    );
  };
/** The same on the whole array. */
export const persistentKernel = persistentKernelOf(64);
