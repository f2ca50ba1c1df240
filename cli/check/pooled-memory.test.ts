import { MessageChannel, Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { PooledMemory } from './pooled-memory.ts';

/** A thread that wakes whoever waits for the word, again and again, and says only much later that the piece 7 is there. */
const wakesTooEarly = `
const { workerData: made } = require('node:worker_threads');
const pause = new Int32Array(new SharedArrayBuffer(4));
for (let times = 0; times < 50; times++) {
  Atomics.wait(pause, 0, 0, 2);
  Atomics.notify(made, 0);
}
Atomics.store(made, 0, 8);
Atomics.notify(made, 0);
`;

describe('memory of the threads of a pool', () => {
  it('waits until a piece is made, also when it wakes before', async () => {
    const { port1, port2 } = new MessageChannel();
    const made = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(wakesTooEarly, { eval: true, workerData: made });
    expect(new PooledMemory(port2, made, 0).take(64)).toBe(7);
    await thread.terminate();
    port1.close();
  });
});
