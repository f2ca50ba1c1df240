import { describe, expect, test } from 'vitest';
import { deviceBase } from '../../actors/chiplet/ptx/address-space.ts';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { FunctionalGrid } from '../../actors/chiplet/ptx/functional-grid.ts';
import { launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { systemConfig } from './system-config.ts';
import { compileOptionsOf } from './system-programs.ts';

const chiplets = [{ x: 0, y: 0, kind: 'gpu', program: 'host' }];
/** Options as a scenario gives them. */
const optionsOf = (config: object): CompileOptions =>
  compileOptionsOf(systemConfig.parse({ chiplets, ...config }));

function run(body: string, options: CompileOptions, threads = 1): DataView {
  const text = `.version 7.0
.target sm_75
.visible .entry k(.param .u64 p)
{
  .reg .pred %q<4>;
  .reg .b32 %r<6>;
  .reg .f32 %f<6>;
  .reg .b64 %d<3>;
  .shared .align 4 .b32 lock;
  ld.param.u64 %d1, [p];
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'k.ptx', text }], options);
  const memory = new DeviceMemory(program.image);
  const at = memory.allocate(64)!;
  const launch = launchOf(program.kernels.get('k')!, [1, 1, 1], [threads, 1, 1], [at]);
  const grid = new FunctionalGrid(
    launch,
    memory,
    { send: () => {}, receive: () => undefined },
    {
      stepsMost: 300_000,
    },
  );
  grid.run();
  return new DataView(memory.bytes.buffer, memory.bytes.byteOffset + (at - deviceBase), 64);
}

describe('options of a scenario', () => {
  test('contraction: a product and its sum are rounded apart, or once', () => {
    const body =
      'mov.f32 %f1, 0f3F800001; mul.f32 %f2, %f1, %f1; sub.f32 %f3, %f2, 0f3F800002; st.global.f32 [%d1], %f3;';

    expect(run(body, optionsOf({})).getFloat32(0, true)).toBe(0);
    expect(run(body, optionsOf({ contraction: 'fuse' })).getFloat32(0, true)).toBe(2 ** -46);
  });

  test('contraction: a product of several sums goes into all of them, or where something else takes it, into none', () => {
    const product = 'mov.f32 %f1, 0f3F800001; mul.f32 %f2, %f1, %f1;';
    const less = 'sub.f32 %f3, %f2, 0f3F800002; sub.f32 %f4, 0f3F800002, %f2; sub.f32 %f4, %f3, %f4;';
    const store = 'st.global.f32 [%d1], %f4;';
    const other = 'neg.f32 %f5, %f2; add.f32 %f4, %f4, %f5; add.f32 %f4, %f4, %f2;';
    const leftBy = (body: string, contraction: string) =>
      run(body, optionsOf({ contraction })).getFloat32(0, true);

    expect(leftBy(`${product} ${less} ${store}`, 'none')).toBe(0);
    expect(leftBy(`${product} ${less} ${store}`, 'fuse')).toBe(0);
    expect(leftBy(`${product} ${less} ${store}`, 'fuse-all')).toBe(2 ** -45);
    expect(leftBy(`${product} ${less} ${other} ${store}`, 'fuse-all')).toBe(0);
    // A factor that has changed since is not the factor of the product.
    expect(
      leftBy(
        `${product} sub.f32 %f3, %f2, 0f3F800002; mov.f32 %f1, 0f00000000; sub.f32 %f4, %f2, 0f3F800002; ${store}`,
        'fuse-all',
      ),
    ).toBe(0);
  });

  // What an H100 answered (`math_approximations` of the measured launches).
  test.each([
    ['sin.approx.f32 %f2, %f1;', 29.121212005615234, -0.7492137551307678],
    ['sin.approx.f32 %f2, %f1;', 2.2046399116516113, 0.8057571649551392],
    ['sin.approx.f32 %f2, %f1;', -9.99994610111476e-41, -0],
    ['cos.approx.f32 %f2, %f1;', 1, 0.5403023362159729],
    ['cos.approx.f32 %f2, %f1;', -0.050940319895744324, 0.9987027645111084],
    ['div.approx.f32 %f2, %f1, 0f402DF854;', 2.5, 0.9196985960006714],
    ['div.approx.f32 %f2, %f1, 0f402DF854;', -1.0408391952514648, -0.3829033374786377],
    ['div.full.f32 %f2, %f1, 0f40490FDB;', 22.302837371826172, 7.099213123321533],
  ])('approximations: %s of %f', (line, argument, answer) => {
    const bits = new Uint32Array(new Float32Array([argument]).buffer)[0]!.toString(16).padStart(8, '0');
    const body = `mov.f32 %f1, 0f${bits}; ${line} st.global.f32 [%d1], %f2;`;

    expect(run(body, optionsOf({ approximations: 'h100' })).getFloat32(0, true)).toBe(answer);
    expect(run(body, optionsOf({})).getFloat32(0, true)).not.toBe(answer);
  });

  test('divergence: lanes that wait for a lock of another lane go on, or never', () => {
    const body = `mov.u32 %r1, %tid.x; mov.u32 %r2, lock;
  SPIN: atom.shared.cas.b32 %r3, [%r2], 0, 1; setp.ne.s32 %q1, %r3, 0; @%q1 bra SPIN;
  ld.global.u32 %r4, [%d1]; add.u32 %r4, %r4, 1; st.global.u32 [%d1], %r4;
  atom.shared.exch.b32 %r3, [%r2], 0;`;

    expect(run(body, optionsOf({}), 4).getUint32(0, true)).toBe(4);
    expect(() => run(body, optionsOf({ divergence: 'stack' }), 4)).toThrow(/E-DEADLOCK|has issued stepsMost/);
  });
});
