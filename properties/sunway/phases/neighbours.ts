import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { buffer, place, words } from './drawn.ts';
import { bufferBytes, buffers, type Phase } from './stage.ts';

/** Where the main memory of a core group begins (Sunway specification 2.3): a program's buffer is the first thing in it. */
const memoryBase = 0x5000_0000_0000;
const memoryPitch = 0x10_0000_0000;

/** The memory of the next core group is reached, behind barriers of the node: what its array has put comes, or something is put, stored or added there (6.2, 9: ring). */
export const neighbours: fc.Arbitrary<Phase> = fc
  .record({
    kind: fc.constantFrom('get', 'put', 'store', 'add'),
    from: buffer,
    to: buffer,
    place,
    words,
    value: fc.nat(999),
  })
  .map(({ kind, from, to, place: at, words: count, value }) => (stage) => {
    const { cgs } = stage.shape;
    if (cgs < 2) return;
    const bytes = 4 * count;
    const [source, target] = [buffers[from]!, buffers[to]!];
    const next = (cgn: number): number => memoryBase + memoryPitch * ((cgn + 1) % cgs);
    const there = (cgn: number) => ({ number: next(cgn) + at * bufferBytes, perCpe: stage.stride });
    if (kind === 'get') stage.add(['dma_put', stage.own(at), source, bytes]);
    stage.settle();
    stage.add(['ssync_node']);
    switch (kind) {
      case 'get':
        stage.add((cgn): WrittenCall => ['dma_get', target, there(cgn), bytes]);
        break;
      case 'put':
        stage.add((cgn): WrittenCall => ['dma_put', there(cgn), source, bytes]);
        stage.settle();
        break;
      case 'store':
        stage.add((cgn): WrittenCall => ['st', there(cgn), 'i32', { number: value, perCpe: 2 }]);
        stage.add((cgn): WrittenCall => ['ld', there(cgn), 'u32'], ['scache_flush_all']);
        break;
      default:
        stage.add(
          (cgn): WrittenCall => [
            'faa',
            { number: next(cgn) + stage.wordAt('sum'), perCpe: 0 },
            { number: value, perCpe: 1 },
          ],
        );
    }
    stage.add(['ssync_node']);
    if (kind === 'get')
      stage.atCpes((world, tid) => {
        stage.placeOf(world, tid, at).set(world.of(source, tid).subarray(0, bytes));
      });
    stage.atCpes((world, tid, cgn) => {
      const other = stage.worlds[(cgn + 1) % cgs]!;
      const bytesThere = stage.placeOf(other, tid, at);
      const view = new DataView(other.memory.buffer, other.memory.byteOffset);
      const sum = stage.wordAt('sum');
      if (kind === 'get') world.of(target, tid).set(bytesThere.subarray(0, bytes));
      else if (kind === 'put') bytesThere.set(world.of(source, tid).subarray(0, bytes));
      else if (kind === 'store')
        new DataView(bytesThere.buffer, bytesThere.byteOffset).setInt32(0, value + 2 * tid, true);
      else view.setInt32(sum, view.getInt32(sum, true) + value + tid, true);
    });
  });
