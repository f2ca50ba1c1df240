import { describe, expect, test } from 'vitest';
import { remoteAddress } from '../../actors/sunway/address/space.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { soundParts, wireNode } from '../../machines/sunway/assembly.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';

/** Uses every part that a CPE knows: cache, engine both ways, barriers, locks, window, allocator, words of memory. */
const work: CpeProgram = function* (c, at) {
  const own = c.ldmStatic('own', 256, 64);
  const [word, far] = [c.rply(), c.rply()];
  const block = yield* c.pldm_malloc(128);
  yield c.dma_iget(own, at + 256 * c.tid, 256, word);
  yield c.st(at + 4096 + 64 * c.tid, 'i32', c.tid);
  yield c.dma_wait_value(word, 1);
  yield c.smutex_lock_array();
  yield c.st(at + 8192, 'i32', 1 + (yield* c.ld(at + 8192, 'i32')));
  yield c.scache_flush_all();
  yield c.smutex_unlock_array();
  yield c.user_lock(at + 12288);
  yield c.user_unlock(at + 12288);
  yield c.ssync_array();
  yield c.rma_iput(own, word, 128, c.tid ^ 1, own + 128, far);
  yield c.rma_wait_value(far, 1);
  yield c.rma_wait_value(word, 2);
  yield c.rma_get(block, 64, c.tid ^ 1, own, far);
  yield c.ssync_array();
  yield c.st(remoteAddress(c.tid ^ 1, own), 'i32', 70 + c.tid);
  yield c.ssync_master_array();
  yield c.dma_put(at + 256 * c.tid, own, 256);
};

const host: MpeProgram = function* (h) {
  yield h.init();
  const at = h.memAlloc(16384, 64);
  yield h.stBlock(
    at,
    Int32Array.from({ length: 256 }, (_, k) => k),
  );
  yield h.athread_spawn(work, at);
  yield h.sync_master_array();
  yield h.athread_join();
  yield h.sync_node();
  yield h.tell('count', yield* h.ld(at + 8192, 'i32'));
  const left = yield* h.ldBlock(at, 'i32', 256);
  yield h.tell(
    'sum',
    left.reduce((sum, one) => sum + one, 0),
  );
};

const config = sunwayConfig.parse({
  cgs: 2,
  cpesPerCg: 4,
  cacheKiB: 32,
  memoryMiB: 1,
  fuzz: { maxJitter: 3, reorder: true },
});
const wiring = () => wireNode(config, [host, host], soundParts).wiring;
const options = (more: RunOptions = {}): RunOptions => ({ choices: new RandomChoices(5), ...more });

describe('a node of which every part is at work', () => {
  const whole = new Run(wiring(), options());
  const ticks: number[] = [];
  whole.ticks$.subscribe((tick) => ticks.push(tick));
  whole.toEnd();

  test('comes to its end', () => {
    expect(whole.outcome.verdict).toBe('ok');
  });

  test('goes on from snapshots as if it had never stopped', () => {
    const running = new Run(wiring(), options());
    for (const part of [0.1, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9]) {
      running.until(ticks[Math.floor(part * ticks.length)]);
      const again = Run.restore(wiring(), running.snapshot(), options());
      again.toEnd();

      expect(again.fingerprint).toBe(whole.fingerprint);
    }
  });

  test('is the same for XState, and with persistent contexts', () => {
    for (const other of [{ engine: 'xstate' }, { state: 'immutable' }] satisfies RunOptions[]) {
      const run = new Run(wiring(), options(other));
      run.toEnd();

      expect(run.fingerprints).toEqual(whole.fingerprints);
    }
  });
});
