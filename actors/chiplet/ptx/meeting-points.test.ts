import { describe, expect, test } from 'vitest';
import { DeviceMemory } from './device-memory.ts';
import { FunctionalGrid } from './functional-grid.ts';
import { launchOf } from './launch.ts';
import { meetingPoints } from './meeting-points.ts';
import { compilePtx } from './program.ts';

const meetings = (successors: readonly (readonly number[])[], ...ends: readonly number[]) =>
  meetingPoints(successors, (line) => ends.includes(line));

describe('the lanes of a branch meet', () => {
  test('at the immediate post-dominator', () => {
    // 0 -> 1, 2, both -> 3, which ends.
    expect(meetings([[1, 2], [3], [3], [4]], 3)[0]).toEqual({ at: 3, ways: null });
  });

  test('in the loop, although some of them end there', () => {
    // 0: begin; 1: 4 (ends) | 2; 2: work; 3: 1 | 5; 4: ret; 5: ret.
    const found = meetings([[1], [2, 4], [3], [1, 5], [6], [6]], 4, 5);

    expect(found[1]).toEqual({ at: 2, ways: { beyond: [6], leaving: new Map([[4, 6]]) } });
    expect(found[3]).toEqual({ at: 1, ways: { beyond: [6], leaving: new Map([[5, 6]]) } });
  });

  test('behind a switch in a loop, one case of which ends', () => {
    // 1: 2, 3; 2: 5 (ends) | 4; 3 -> 4; 4: 1 | 6; 5 and 6 end.
    const found = meetings([[1], [2, 3], [5, 4], [4], [1, 6], [7], [7]], 5, 6);

    expect(found.slice(1, 3).map(({ at }) => at)).toEqual([4, 4]);
  });

  test('in a loop that several ways lead out of to one place, where those who have left wait', () => {
    // 0: 1, 2; 1: 5 | 3; 2: 5 | 3; 3: 4 | out; 4: back; 5: ends.
    const found = meetings([[1, 2], [5, 3], [5, 3], [4, 5], [0], [6]]);
    const out = { beyond: [5], leaving: new Map([[5, 5]]) };

    expect(found[0]).toEqual({ at: 3, ways: { ...out, leaving: new Map() } });
    expect([found[1], found[2]]).toEqual([
      { at: 3, ways: out },
      { at: 3, ways: out },
    ]);
    // Who stays begins the next round.
    expect(found[3]).toEqual({ at: 4, ways: out });
  });

  test('in the inner one of two loops, and beyond each', () => {
    // 0: enter; 1: 2, 3; 2: 6 | 3; 3: 1 | 4; 4: 0 | 5; 5 -> 6; 6 ends.
    const found = meetings([[1], [2, 3], [6, 3], [1, 4], [0, 5], [6], [7]]);

    expect(found[2]).toEqual({ at: 3, ways: { beyond: [6], leaving: new Map([[6, 6]]) } });
    expect(found[3]).toEqual({ at: 1, ways: { beyond: [6, 4], leaving: new Map([[4, 4]]) } });
    expect(found[4]).toEqual({
      at: 0,
      ways: {
        beyond: [6],
        leaving: new Map([[5, 6]]),
      },
    });
  });

  test('outside of loops where those come who do not end', () => {
    // 0: 1, 3; 1: 2 (ends) | 3; 3: 4 (ends) | 5; 5 ends.
    const found = meetings([[1, 3], [2, 3], [6], [4, 5], [6], [6]], 2, 4, 5);

    expect(found.slice(0, 4).map(({ at }) => at)).toEqual([3, 3, 6, 6]);
  });

  test('at the end where a branch outside of loops leads there', () => {
    expect(meetings([[1, 2], [3], [3]])[0]!.at).toBe(3);
  });
});

test('lanes that return out of a loop do not part the others for good', () => {
  const text = `.version 9.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
loop:
  and.b32 %r4, %r1, 1;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 bra even;
  setp.eq.u32 %p2, %r1, 31;
  @%p2 bra leave;
  add.u32 %r3, %r3, 3;
  bra on;
even:
  add.u32 %r3, %r3, 1;
on:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 10;
  @%p3 bra loop;
  st.global.u32 [%rd2], %r3;
  ret;
leave:
  ret;
}`;
  const program = compilePtx([{ file: 'k.ptx', text }]);
  const memory = new DeviceMemory(program.image);
  const out = memory.allocate(128)!;
  const launch = launchOf(program.kernels.get('k')!, [1, 1, 1], [32, 1, 1], [out]);

  const grid = new FunctionalGrid(launch, memory, { send: () => {}, receive: () => undefined });
  grid.run();

  const values = [...memory.words.slice((out - 0x10000) / 4, (out - 0x10000) / 4 + 32)];
  expect(values).toEqual(
    Array.from({ length: 32 }, (_, lane) => (lane === 31 ? 0 : lane % 2 === 0 ? 10 : 30)),
  );
  // Ten rounds of at most eleven lines, what stands before and behind, and the line that one lane ends with.
  expect(grid.counts.warpInstructions).toBeLessThan(10 * 11 + 12);
});
