import fc from 'fast-check';
import { place } from './drawn.ts';
import { bufferBytes, type Phase } from './stage.ts';

/** Blocks of LDM are allocated, carry bytes from one place of main memory to another, and are given back (Sunway specification 6.4). */
export const heaps: fc.Arbitrary<Phase> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: bufferBytes / 4 }), { minLength: 1, maxLength: 4 }),
    from: place,
    behind: fc.integer({ min: 1, max: 3 }),
    end: fc.constantFrom('free', 'free all', 'keep', 'take the rest'),
  })
  .map(({ sizes, from, behind, end }) => (stage) => {
    const first = stage.blocks;
    stage.blocks += sizes.length;
    const to = (from + behind) % 4;
    const carried = sizes.length - 1;
    const bytes = 4 * sizes[carried]!;
    stage.add(
      ...sizes.map((size) => ['pldm_malloc', 4 * size] as const),
      ['pldm_get_free_size'],
      ['get_free_addr'],
      ['dma_get', { block: first + carried, plus: 0 }, stage.own(from), bytes],
      ['dma_put', stage.own(to), { block: first + carried, plus: 0 }, bytes],
      ['dma_barrier'],
    );
    stage.atCpes((world, tid) => {
      stage.placeOf(world, tid, to).set(stage.placeOf(world, tid, from).subarray(0, bytes));
    });
    switch (end) {
      case 'free':
        // From the middle outwards, so that gaps come about and close.
        for (const [k, size] of [...sizes.entries()].reverse().sort(([a], [b]) => (a % 2) - (b % 2)))
          stage.add(['pldm_free', { block: first + k, plus: 0 }, 4 * size]);
        return;
      case 'free all':
        stage.add(['pldm_free_all']);
        return;
      case 'take the rest':
        stage.add(['pldm_malloc_max'], ['pldm_malloc', 64], ['pldm_free_all']);
        stage.blocks += 2;
        return;
      default:
    }
  });
