import { expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import type { Run } from '../../kernel/run.ts';
import { trial } from './trial.ts';

const work: CpeProgram = function* (c, at) {
  const own = c.ldmStatic('own', 256, 64);
  const word = c.rply();
  yield c.dma_iget(own, at + 256 * c.tid, 256, word);
  yield c.dma_wait_value(word, 1);
  yield c.smutex_lock_array();
  yield c.st(own, 'i32', 3 + (yield* c.ld(own, 'i32')));
  yield c.smutex_unlock_array();
  yield c.ssync_array();
  yield c.dma_put(at + 256 * c.tid, own, 256);
};

const host: MpeProgram = function* (h) {
  yield h.init();
  const at = h.memAlloc(2048, 64);
  yield h.athread_spawn(work, at);
  yield h.compute(3000);
  yield h.athread_join();
  yield h.sync_node();
  yield h.tell('word', yield* h.ld(at, 'i32'));
};

/** What a run says, without its clock: who, to whom, when, what. */
function story(config: object) {
  const lines: string[] = [];
  const look = (run: Run) =>
    run.messages$.subscribe(({ message, from, to }) => {
      if (to !== 'Node.Clock') lines.push(`${message.due} ${from} ${to} ${JSON.stringify(message.event)}`);
    });
  const { result, run } = trial(host, { cgs: 2, cpesPerCg: 4, ...config }, {}, look);
  return { lines, result, deliveries: run.outcome.deliveries };
}

test('a run that visits idle cycles is the run that skips them', () => {
  const skipping = story({});
  const visiting = story({ skipAhead: false });

  expect(visiting.lines).toEqual(skipping.lines);
  expect(visiting.result).toEqual(skipping.result);
  // The clock was there: one delivery a cycle from 0 on, and the ends of two hosts.
  expect(visiting.deliveries - skipping.deliveries).toBe(skipping.result.cycles + 1 + 2);
});
