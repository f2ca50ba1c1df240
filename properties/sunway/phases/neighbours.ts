import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { buffer, place, words } from './drawn.ts';
import { bufferBytes, buffers, type Phase } from './stage.ts';

/** Where the main memory of a core group begins (Sunway specification 2.3): a program's buffer is the first thing in it. */
const memoryBase = 0x5000_0000_0000;
const memoryPitch = 0x10_0000_0000;

/** What every array has put comes to the next array, behind a barrier of the node (6.2, 9: ring). */
export const neighbours: fc.Arbitrary<Phase> = fc
  .record({ from: buffer, to: buffer, place, words })
  .map(({ from, to, place: at, words: count }) => (stage) => {
    const { cgs } = stage.shape;
    if (cgs < 2) return;
    const bytes = 4 * count;
    const [source, target] = [buffers[from]!, buffers[to]!];
    stage.add(['dma_put', stage.own(at), source, bytes]);
    stage.settle();
    stage.add(
      ['ssync_node'],
      (cgn): WrittenCall => {
        const number = memoryBase + memoryPitch * ((cgn + 1) % cgs) + at * bufferBytes;
        return ['dma_get', target, { number, perCpe: stage.stride }, bytes];
      },
      ['ssync_node'],
    );
    stage.atCpes((world, tid) => {
      stage.placeOf(world, tid, at).set(world.of(source, tid).subarray(0, bytes));
    });
    stage.atCpes((world, tid, cgn) => {
      const next = stage.worlds[(cgn + 1) % cgs]!;
      world.of(target, tid).set(stage.placeOf(next, tid, at).subarray(0, bytes));
    });
  });
