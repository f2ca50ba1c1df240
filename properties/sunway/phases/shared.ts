import fc from 'fast-check';
import type { WrittenArgument, WrittenCall, WrittenStep } from '../../../machines/sunway/operations.ts';
import { buffer, words } from './drawn.ts';
import type { DrawnBy } from './drawn-by.ts';
import { bufferBytes, buffers, type GroupWorld, type Phase, type Stage } from './stage.ts';

const sharedBase = 2 ** 44;
const [toShared, toMemory] = [0x9000_1000, 0x9000_2000];

/** CPEs of a share group by mode (Sunway specification 6.6). */
const membersByMode = [4, 8, 16, 32, 64, 64] as const;

/** The first of the CPEs that share LDM with this one: members are rectangles of the array (6.6). */
function leaderOf(tid: number, mode: number): number {
  const [row, column] = [Math.floor(tid / 8), tid % 8];
  switch (mode) {
    case 0:
      return 16 * Math.floor(row / 2) + 2 * Math.floor(column / 2);
    case 1:
      return 16 * Math.floor(row / 2) + 4 * Math.floor(column / 4);
    case 2:
      return 16 * Math.floor(tid / 16);
    case 3:
      return 32 * Math.floor(tid / 32);
    default:
      return 0;
  }
}

/** Bytes of the space of a group, 0 where not all of its members are there. */
function spaceBytes({ shape }: Stage): number {
  const { shareMode, shareBytes, cpes } = shape;
  if (shareMode < 0) return 0;
  const count = membersByMode[shareMode]!;
  return cpes % Math.max(16, count) === 0 ? count * shareBytes : 0;
}

function spaceOf(stage: Stage, world: GroupWorld, tid: number): Uint8Array {
  const leader = leaderOf(tid, stage.shape.shareMode);
  const known = world.shared.get(leader) ?? new Uint8Array(spaceBytes(stage));
  world.shared.set(leader, known);
  return known;
}

/** A range of the space around the border of two members' parts, or anywhere. */
const range = fc.record({ border: fc.nat(3), before: fc.nat(48), words });
const firstOf = ({ border, before }: DrawnBy<typeof range>, stage: Stage): number => {
  const at = (border + 1) * stage.shape.shareBytes - 4 * before;
  return Math.min(at, spaceBytes(stage) - bufferBytes);
};

/** What all may read is copied into shared LDM, and comes to each member from there (6.6). */
export const sharedCopies: fc.Arbitrary<Phase> = fc
  .record({ range, buffer, perCpe: fc.constantFrom(0, 4, 8) })
  .map(({ range: drawn, buffer: index, perCpe }) => (stage) => {
    const size = spaceBytes(stage);
    if (size === 0) return;
    const first = firstOf(drawn, stage);
    const bytes = 4 * drawn.words;
    const name = buffers[index]!;
    const common: WrittenArgument = { memory: stage.commonAt, perCpe: 0 };
    // Members may ask for unlike ranges, inside the space.
    const last = size - bytes - perCpe * (stage.shape.cpes - 1);
    const asked = Math.min(first, last);
    stage.among(
      ['memcpy_sldm', sharedBase + first, common, bytes, toShared],
      ['sldm_get', name, { number: sharedBase + asked, perCpe }, bytes],
    );
    stage.atCpes((world, tid) => {
      spaceOf(stage, world, tid).set(world.memory.subarray(stage.commonAt, stage.commonAt + bytes), first);
    });
    stage.atCpes((world, tid) => {
      const at = asked + perCpe * tid;
      world.of(name, tid).set(spaceOf(stage, world, tid).subarray(at, at + bytes));
    });
  });

/** Every CPE stores plainly into shared LDM, and a range of it goes to main memory, of each group to a place of its leader (6.6). */
export const sharedStores: fc.Arbitrary<Phase> = fc
  .record({ range, value: fc.nat(1000) })
  .map(({ range: drawn, value }) => (stage) => {
    const size = spaceBytes(stage);
    if (size === 0) return;
    const { cpes, shareMode } = stage.shape;
    const first = Math.min(firstOf(drawn, stage), size - 4 * cpes);
    const bytes = 4 * drawn.words;
    const leaders = [...new Set(stage.tids.map((tid) => leaderOf(tid, shareMode)))];
    const slot: WrittenArgument = { number: sharedBase + first, perCpe: 4 };
    const copies = leaders.flatMap((leader): readonly WrittenStep[] => {
      const target: WrittenArgument = { memory: leader * stage.stride, perCpe: 0 };
      const call: WrittenCall = ['memcpy_sldm', target, sharedBase + first, bytes, toMemory];
      return stage.only((tid) => leaderOf(tid, shareMode) === leader, call);
    });
    // The places that are written to, and those who write them, may have puts under way.
    stage.settle();
    stage.among(
      ['st', slot, 'i32', { number: value, perCpe: 3 }],
      ['ssync_array'],
      ['ld', { number: sharedBase + first + 4 * (cpes - 1), perCpe: -4 }, 'i32'],
      ['ssync_array'],
      ...copies,
    );
    stage.settle();
    stage.add(['ssync_array']);
    stage.atCpes((world, tid) => {
      const space = spaceOf(stage, world, tid);
      new DataView(space.buffer).setInt32(first + 4 * tid, value + 3 * tid, true);
    });
    stage.inGroups((world) => {
      for (const leader of leaders)
        stage.placeOf(world, leader, 0).set(spaceOf(stage, world, leader).subarray(first, first + bytes));
    });
  });
