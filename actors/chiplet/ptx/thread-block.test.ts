import { expect, test } from 'vitest';
import { DeviceMemory } from './device-memory.ts';
import { launchOf } from './launch.ts';
import { compilePtx } from './program.ts';
import { ThreadBlock } from './thread-block.ts';
import { localStride, Scratch } from './warp.ts';

const text = `.version 8.0
.target sm_90
.visible .entry k()
{
  .reg .b32 %r<2>;
  .local .align 4 .b8 own[20];
  st.local.u32 [own], %r1;
  ret;
}`;

test('caches see the local memory of each warp in a place of its own, warp after warp, in blocks of any size', () => {
  const program = compilePtx([{ file: 'k.ptx', text }]);
  const kernel = program.kernels.get('k')!;
  const launch = launchOf(kernel, [3, 1, 1], [1024, 1, 1], []);
  const memory = new DeviceMemory(program.image);

  const places = [0, 1, 2].flatMap((block) =>
    new ThreadBlock(launch, block, { number: 0, count: 1 }, memory, new Scratch()).warps.map(
      ({ localTouched }) => localTouched,
    ),
  );

  expect(localStride(kernel)).toBe(32);
  expect(places).toEqual(Array.from({ length: 96 }, (_, warp) => warp * 32 * 32));
});
