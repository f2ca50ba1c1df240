import { describe, expect, test } from 'vitest';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { BarrierDeadlock } from '../../actors/chiplet/ptx/functional-grid.ts';
import type { Dimensions } from '../../actors/chiplet/ptx/launch.ts';
import { LaunchError } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { KernelTrap, MemoryFault } from '../../actors/chiplet/ptx/warp.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { type GpuCase, runCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * Clusters of blocks (PTX ISA: barrier.cluster, mapa, getctarank, .shared::cluster, special registers of clusters): each body runs in turn, with warps in any order,
 * and on a timed chiplet.
 */

interface Given {
  readonly body: string;
  readonly tuning?: string;
  readonly grid?: Dimensions;
  readonly threads?: number;
  readonly cluster?: Dimensions;
  readonly parameters?: string;
}

function prepared({ body, tuning = '', grid = [4, 1, 1], threads = 32, cluster, parameters = '' }: Given) {
  const text = `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out${parameters})
${tuning}
{
  .reg .pred %p<8>;
  .reg .b32 %t, %b, %c, %r<16>;
  .reg .b64 %o, %d<12>;
  .shared .align 8 .b8 box[512];
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  { .reg .b32 %y, %w; mov.u32 %y, %ctaid.y; mov.u32 %w, %nctaid.x; mad.lo.u32 %b, %y, %w, %c; }
  mov.u32 %r0, %ntid.x;
  mad.lo.u32 %r0, %b, %r0, %t;
  mad.wide.u32 %o, %r0, 4, %o;
  shl.b32 %r1, %t, 2;
  mov.u32 %r2, box;
  add.u32 %r1, %r1, %r2;
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'clusters.ptx', text }], { messageOpcode: 'off' });
  const count = grid[0] * grid[1] * grid[2] * threads;
  const given: GpuCase = {
    name: 'k',
    entry: 'k',
    grid,
    block: [threads, 1, 1],
    params: [{ ptr: 'out' }],
    buffers: { out: { type: 's32', data: Array.from({ length: count }, () => -7) } },
    ...(cluster && { cluster }),
  };
  return { program, kernel: program.kernels.get('k')!, given };
}

/** What a body leaves in its words: the same in turn, in any order of warps, with timing, and from a snapshot in the middle. */
function everyWay(from: Given): readonly number[] {
  const { program, kernel, given } = prepared(from);
  const plain = runCase(program, kernel, given);
  for (const seed of [1, 2, 3]) {
    const choices = new RandomChoices(seed);
    const other = runCase(program, kernel, given, { pick: (count) => choices.pick('warp', count) });
    expect(other.buffers).toEqual(plain.buffers);
  }
  const timed = timedCase(program, kernel, given, { ...defaultTiming, cores: 2 });
  timed.run.toEnd();
  expect(timed.outcome().buffers).toEqual(plain.buffers);
  return plain.buffers['out']!;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const sync = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';
const store = (register: string): string => `st.global.u32 [%o], ${register};`;
/** Fills the box with 100 * block + thread. */
const fill = `mad.lo.u32 %r3, %b, 100, %t; st.shared.u32 [%r1], %r3; ${sync}`;
const other = 'mov.u32 %r4, %cluster_ctarank; xor.b32 %r4, %r4, 1;';

describe('shared memory of a cluster', () => {
  const pairs = range(128).map((at) => 100 * (Math.floor(at / 32) ^ 1) + (at % 32));

  test('is read by generic addresses of mapa', () => {
    const body = `${fill} ${other} cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; mapa.u64 %d2, %d1, %r4; ld.u32 %r5, [%d2]; ${store('%r5')} ${sync}`;
    expect(everyWay({ body, tuning: '.explicitcluster\n.reqnctapercluster 2, 1, 1' })).toEqual(pairs);
  });

  test('is read by shared::cluster addresses', () => {
    const body = `${fill} ${other} mapa.shared::cluster.u32 %r6, %r1, %r4; ld.shared::cluster.u32 %r5, [%r6]; ${store('%r5')} ${sync}`;
    expect(everyWay({ body, cluster: [2, 1, 1] })).toEqual(pairs);
  });

  test('is written and counted in by others', () => {
    // Every thread adds its number to the word of block 0 with the number of its own rank, and stores into the block behind.
    const body = `mov.u32 %r3, 0; st.shared.u32 [%r1], %r3; ${sync} mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, 0;
mad.lo.u32 %r6, %r4, 4, %r2; mapa.shared::cluster.u32 %r7, %r6, %r5; red.relaxed.cluster.shared::cluster.add.u32 [%r7], %t;
add.u32 %r8, %r4, 1; and.b32 %r8, %r8, 3; mapa.shared::cluster.u32 %r9, %r1, %r8; add.u32 %r10, %r4, 50; setp.lt.u32 %p1, %t, 8; @!%p1 st.shared::cluster.u32 [%r9], %r10;
${sync} ld.shared.u32 %r11, [%r1]; ${store('%r11')}`;
    const found = everyWay({ body, cluster: [4, 1, 1] });

    expect(found.slice(0, 8)).toEqual([496, 496, 496, 496, 0, 0, 0, 0]);
    expect(found.slice(32, 40)).toEqual(range(8).map(() => 0));
    for (const block of range(4))
      expect(found.slice(32 * block + 8, 32 * block + 32)).toEqual(
        range(24).map(() => 50 + ((block + 3) & 3)),
      );
  });

  test('an address tells its rank and its space', () => {
    const body = `mov.u32 %r4, %cluster_ctarank; cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; getctarank.u64 %r5, %d1; mov.u32 %r6, 1; mapa.u64 %d2, %d1, %r6; getctarank.u64 %r7, %d2;
mapa.shared::cluster.u32 %r8, %r1, %r6; getctarank.shared::cluster.u32 %r9, %r8;
isspacep.shared %p1, %d2; isspacep.shared::cluster %p2, %d2; isspacep.shared::cta %p3, %d1; isspacep.shared::cluster %p4, %d1; isspacep.global %p5, %d2;
mov.u32 %r10, 0; @%p1 or.b32 %r10, %r10, 1; @%p2 or.b32 %r10, %r10, 2; @%p3 or.b32 %r10, %r10, 4; @%p4 or.b32 %r10, %r10, 8; @%p5 or.b32 %r10, %r10, 16;
mad.lo.u32 %r10, %r5, 100, %r10; mad.lo.u32 %r10, %r7, 1000, %r10; mad.lo.u32 %r10, %r9, 10000, %r10; ${store('%r10')}`;
    expect(everyWay({ body, grid: [2, 1, 1], threads: 1, cluster: [2, 1, 1] })).toEqual([11014, 11114]);
  });

  test('an address outside it is an error of its lane', () => {
    const body = `mov.u32 %r4, 1; mapa.shared::cluster.u32 %r6, %r1, %r4; ld.shared::cluster.u32 %r5, [%r6+512]; ${store('%r5')}`;
    expect(() => everyWay({ body, cluster: [2, 1, 1] })).toThrow(MemoryFault);
    const rank = `mov.u32 %r4, 2; mapa.shared::cluster.u32 %r6, %r1, %r4;`;
    expect(() => everyWay({ body: rank, cluster: [2, 1, 1] })).toThrow(
      /found the rank 2, expected one of the 2 blocks/,
    );
    // Without shared::cluster an address is one of the block's own.
    const own = `mov.u32 %r4, 1; mapa.shared::cluster.u32 %r6, %r1, %r4; ld.shared::cta.u32 %r5, [%r6];`;
    expect(() => everyWay({ body: own, cluster: [2, 1, 1] })).toThrow(/within shared memory/);
    const global = 'mapa.u64 %d1, %o, 0;';
    expect(() => everyWay({ body: global, cluster: [2, 1, 1] })).toThrow(/found the address of other memory/);
  });
});

describe('places in clusters', () => {
  const coded = (names: readonly string[]): string =>
    `mov.u32 %r10, 0; ${names.map((name) => `mov.u32 %r11, ${name}; mad.lo.u32 %r10, %r10, 10, %r11;`).join(' ')} ${store('%r10')}`;

  test('are those of blocks of a grid of two dimensions', () => {
    const names = [
      '%clusterid.x',
      '%clusterid.y',
      '%cluster_ctaid.x',
      '%cluster_ctaid.y',
      '%cluster_ctarank',
    ];
    const found = everyWay({ body: coded(names), grid: [4, 6, 1], threads: 1, cluster: [2, 3, 1] });

    const wanted = range(24).map((block) => {
      const [x, y] = [block % 4, Math.floor(block / 4)];
      const digits = [Math.floor(x / 2), Math.floor(y / 3), x % 2, y % 3, (x % 2) + 2 * (y % 3)];
      return Number(digits.join(''));
    });
    expect(found).toEqual(wanted);
  });

  test('tell how many there are', () => {
    const names = [
      '%nclusterid.x',
      '%nclusterid.y',
      '%cluster_nctaid.x',
      '%cluster_nctaid.y',
      '%cluster_nctarank',
    ];
    const found = everyWay({ body: coded(names), grid: [4, 6, 1], threads: 1, cluster: [2, 3, 1] });
    expect(new Set(found)).toEqual(new Set([22236]));
  });

  test('a grid without clusters has clusters of one block', () => {
    const body = `${sync} mov.pred %p1, %is_explicit_cluster; selp.u32 %r12, 5, 6, %p1; ${coded(['%cluster_nctarank', '%r12', '%clusterid.x'])}`;
    expect(everyWay({ body, grid: [3, 1, 1], threads: 1 })).toEqual([160, 161, 162]);
    const [first] = everyWay({ body, grid: [2, 1, 1], threads: 1, cluster: [2, 1, 1] });
    expect(first).toBe(250);
  });
});

describe('the barrier of a cluster', () => {
  test('lets lanes of a warp come one after the other', () => {
    const body = `mov.u32 %r3, 0; st.shared.u32 [%r1], %r3; ${sync} ${other} mapa.shared::cluster.u32 %r6, %r1, %r4; setp.lt.u32 %p1, %t, 16; @%p1 bra low;
st.shared::cluster.u32 [%r6], 7; barrier.cluster.arrive; barrier.cluster.wait; bra join;
low: st.shared::cluster.u32 [%r6], 8; barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
join: ld.shared.u32 %r5, [%r1]; ${store('%r5')}`;
    const found = everyWay({ body, grid: [2, 1, 1], cluster: [2, 1, 1] });
    expect(found).toEqual(range(64).map((at) => (at % 32 < 16 ? 8 : 7)));
  });

  test('does not wait for threads that have exited', () => {
    const body = `setp.eq.u32 %p1, %c, 1; @%p1 exit; setp.gt.u32 %p2, %t, 40; @%p2 exit; ${sync} ${store('%t')}`;
    const found = everyWay({ body, grid: [2, 1, 1], threads: 64, cluster: [2, 1, 1] });
    expect(found).toEqual(range(128).map((at) => (at <= 40 ? at : -7)));
  });

  test('holds nobody between arriving and waiting', () => {
    const body = `barrier.cluster.arrive.relaxed; ${store('%t')} barrier.cluster.wait; ${sync}`;
    expect(everyWay({ body, grid: [2, 1, 1], threads: 32, cluster: [2, 1, 1] })).toEqual(
      range(64).map((at) => at % 32),
    );
  });

  test('nobody gets past it before all have come', () => {
    // Ten rounds of a ring: in each, a block reads what the one before it wrote in the round before.
    const body = `mov.u32 %r4, %cluster_ctarank; add.u32 %r4, %r4, 3; and.b32 %r4, %r4, 3; mapa.shared::cluster.u32 %r6, %r1, %r4; st.shared.u32 [%r1], %b; mov.u32 %r12, 0; mov.u32 %r13, 0;
${sync}
round: ld.shared::cluster.u32 %r5, [%r6]; mad.lo.u32 %r13, %r13, 3, %r5; ${sync} st.shared.u32 [%r1], %r13; ${sync} add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, 10; @%p1 bra round; ${store('%r13')}`;
    const found = everyWay({ body, grid: [4, 1, 1], threads: 64, cluster: [4, 1, 1] });

    let boxes = [0, 1, 2, 3];
    let sums = [0, 0, 0, 0];
    for (const _ of range(10)) {
      sums = sums.map((sum, block) => (3 * sum + boxes[(block + 3) & 3]!) | 0);
      boxes = sums;
    }
    expect(found).toEqual(range(256).map((at) => sums[at >> 6]));
  });

  test('one that a thread never comes to is a deadlock report', () => {
    const body = `setp.eq.u32 %p1, %c, 1; setp.ge.u32 %p2, %t, 32; and.pred %p1, %p1, %p2; @%p1 bra other; ${sync} bra done; other: bar.sync 1, 64; done:`;
    const { program, kernel, given } = prepared({ body, grid: [2, 1, 1], threads: 64, cluster: [2, 1, 1] });
    expect(() => runCase(program, kernel, given)).toThrow(BarrierDeadlock);
    expect(() => runCase(program, kernel, given)).toThrow(
      /block 0, warp 0 at that of the cluster, .*block 1, warp 1 at 1/,
    );
    const timed = timedCase(program, kernel, given);
    timed.run.toEnd();
    expect(timed.outcome().finished).toBe(false);
    expect(timed.run.outcome.verdict).toBe('deadlock');
  });

  test('waiting without arriving, and arriving twice, are told', () => {
    const never = prepared({ body: 'barrier.cluster.wait;', cluster: [2, 1, 1] });
    expect(() => runCase(never.program, never.kernel, never.given)).toThrow(KernelTrap);
    expect(() => runCase(never.program, never.kernel, never.given)).toThrow(
      /waits without barrier\.cluster\.arrive/,
    );
    const twice = prepared({ body: 'barrier.cluster.arrive; barrier.cluster.arrive;', cluster: [2, 1, 1] });
    expect(() => runCase(twice.program, twice.kernel, twice.given)).toThrow(/arrives twice/);
  });

  test('goes on from a snapshot in its middle', () => {
    const body = `${fill} ${other} mapa.shared::cluster.u32 %r6, %r1, %r4; ld.shared::cluster.u32 %r5, [%r6]; ${store('%r5')} ${sync}`;
    const { program, kernel, given } = prepared({ body, cluster: [2, 1, 1] });
    const whole = timedCase(program, kernel, given);
    whole.run.toEnd();
    for (const tick of [20, 40, 60]) {
      const cut = timedCase(program, kernel, given);
      cut.run.until(tick);
      expect(cut.run.ended).toBe(false);
      const again = Run.restore(timedCase(program, kernel, given).wiring, cut.run.snapshot());
      cut.run.toEnd();
      again.toEnd();
      expect(again.fingerprint).toBe(whole.run.fingerprint);
    }
  });
});

describe('launches of clusters', () => {
  const launch = (from: Partial<Given>) => () => everyWay({ body: '', ...from });

  test.each([
    [
      { cluster: [3, 1, 1] },
      /clusters of 3 x 1 x 1 blocks in a grid of 4 x 1 x 1, expected a grid of whole clusters/,
    ],
    [{ cluster: [32, 1, 1], grid: [32, 1, 1] }, /at most 16 blocks/],
    [{ cluster: [0, 1, 1] }, /clusters of 0 x 1 x 1/],
    [
      { tuning: '.reqnctapercluster 2', cluster: [4, 1, 1] },
      /expected 2 x 1 x 1, which .reqnctapercluster fixes/,
    ],
    [{ tuning: '.explicitcluster' }, /found no size of clusters/],
  ] as const)('%o is refused', (from, message) => {
    expect(launch(from as Partial<Given>)).toThrow(LaunchError);
    expect(launch(from as Partial<Given>)).toThrow(message);
  });

  test('a cluster that no core has room for is told by a timed chiplet', () => {
    const { program, kernel, given } = prepared({
      body: sync,
      threads: 1024,
      grid: [2, 1, 1],
      cluster: [2, 1, 1],
    });
    const timed = timedCase(program, kernel, given);
    timed.run.toEnd();
    expect(timed.run.outcome.violations.map(({ why }) => why).join()).toMatch(
      /a cluster of 2 blocks of k needs 64 warps and 1024 bytes of shared memory, a core has 48 warps, 8 blocks and 49152 bytes/,
    );
  });
});
