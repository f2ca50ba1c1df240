import fc from 'fast-check';
import type { Dimensions } from '../../actors/chiplet/ptx/launch.ts';
import { approximate, fused } from './approximate-kernels.ts';
import { Draws } from './draws.ts';
import type { PlainKernel } from './plain-kernels.arbitrary.ts';

/*
 * Kernels that say in a remark what they leave, worked out here by what the PTX ISA says of their instructions: copies of many bytes, barriers in memory,
 * clusters, calls with a stack, products of matrices by tiles, atomics of parts of words. No thread by itself shows what these do.
 */

/** Before the words that a kernel leaves in `out`. */
export const toldMark = '// leaves ';

const lanes = 32;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const unsigned = (value: number): number => value >>> 0;

/** What a body does with the word of each thread. */
export interface Told {
  /** Functions and variables before the kernel. */
  readonly head?: string;
  readonly tuning?: string;
  readonly body: string;
  /** How the text is compiled, where that decides what it leaves. */
  readonly compiled?: PlainKernel['compiled'];
  readonly blocks?: number;
  readonly cluster?: number;
  /** Grid and cluster in three directions, instead of a row of blocks. */
  readonly shapes?: { readonly grid: Dimensions; readonly cluster: Dimensions };
  readonly threads?: number;
  /** Words of a thread in `out`; 1 when absent. */
  readonly each?: number;
  /** What lies in `in` instead of the words that are drawn. */
  readonly values?: readonly number[];
  /** All words of `out` by those of `in`. */
  readonly leaves: (given: readonly number[]) => readonly number[];
}

type Make = (draws: Draws) => Told;

const own = (register: string): string => `st.global.u32 [%own], ${register};`;
const wait = 'wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra wait;';
const clusterSync = 'barrier.cluster.arrive; barrier.cluster.wait;';
const beginBarrier = (arrivals: number): string =>
  `@%p1 mbarrier.init.shared::cta.b64 [%r2], ${arrivals}; fence.mbarrier_init.release.cluster; ${clusterSync}`;

/** Bytes from device to shared memory, with the bytes that a barrier expects. */
const bulkIn: Make = (draws) => {
  const words = 4 * (1 + draws.below(7));
  const from = 4 * draws.below(2);
  const space = draws.pick(['shared::cluster', 'shared::cluster']);
  return {
    body: `${beginBarrier(lanes)} add.s64 %d1, %in, ${4 * from}; setp.eq.u32 %p3, %t, ${draws.below(lanes)};
@%p3 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r2], ${4 * words}; @%p3 cp.async.bulk.${space}.global.mbarrier::complete_tx::bytes [%r1], [%d1], ${4 * words}, [%r2];
@!%p3 mbarrier.arrive.shared::cta.b64 _, [%r2]; ${wait} mov.u32 %r5, -1; setp.lt.u32 %p2, %t, ${words}; @%p2 ld.shared.u32 %r5, [%r3]; bar.sync 0; ${own('%r5')}`,
    leaves: (given) => range(lanes).map((at) => (at < words ? given[at + from]! : 0xffff_ffff)),
  };
};

/** Operations by which bytes are joined with what is there, by element. */
const joins: Readonly<Record<string, (there: number, come: number) => number>> = {
  'add.u32': (a, b) => a + b,
  'add.s32': (a, b) => a + b,
  'min.s32': (a, b) => Math.min(a | 0, b | 0),
  'max.s32': (a, b) => Math.max(a | 0, b | 0),
  'min.u32': Math.min,
  'max.u32': Math.max,
  'and.b32': (a, b) => a & b,
  'or.b32': (a, b) => a | b,
  'xor.b32': (a, b) => a ^ b,
  'inc.u32': (a, b) => (a >= b ? 0 : a + 1),
  'dec.u32': (a, b) => (a === 0 || a > b ? b : a - 1),
};

/** The same of 64 bits, the low word first. */
const wideJoins: Readonly<Record<string, (there: bigint, come: bigint) => bigint>> = {
  'add.u64': (a, b) => a + b,
  'min.u64': (a, b) => (a < b ? a : b),
  'max.u64': (a, b) => (a > b ? a : b),
  'min.s64': (a, b) => (BigInt.asIntN(64, a) < BigInt.asIntN(64, b) ? a : b),
  'max.s64': (a, b) => (BigInt.asIntN(64, a) > BigInt.asIntN(64, b) ? a : b),
  'and.b64': (a, b) => a & b,
  'or.b64': (a, b) => a | b,
  'xor.b64': (a, b) => a ^ b,
};

const wideOf = (words: readonly number[], at: number): bigint =>
  BigInt(words[at]!) | (BigInt(words[at + 1]!) << 32n);
const wordsOf = (wide: bigint): readonly number[] => [
  Number(wide & 0xffff_ffffn),
  Number((wide >> 32n) & 0xffff_ffffn),
];

/** Bytes from shared to device memory, joined with what lies there. */
const bulkJoin: Make = (draws) => {
  const words = 4 * (1 + draws.below(8));
  const form = draws.pick([...Object.keys(joins), ...Object.keys(wideJoins)]);
  const change = draws.below(1000) - 500;
  const read = draws.pick(['', '.read']);
  const body = `${own('%a')} add.s32 %r5, %a, ${change}; shl.b32 %r6, %r5, ${draws.below(3)}; xor.b32 %r5, %r5, %r6; st.shared.u32 [%r3], %r5; fence.proxy.async; bar.sync 0;
@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.${form} [%out], [%r1], ${4 * words}; @%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group${read} 0;`;
  const shift = Number(/shl\.b32 %r6, %r5, (\d)/.exec(body)![1]);
  return {
    body,
    leaves: (given) => {
      const come = given.map((one) => unsigned((one + change) ^ ((one + change) << shift)));
      if (joins[form])
        return given.map((one, at) => (at < words ? unsigned(joins[form]!(one, come[at]!)) : one));
      return range(lanes / 2).flatMap((pair) =>
        2 * pair < words
          ? wordsOf(wideJoins[form]!(wideOf(given, 2 * pair), wideOf(come, 2 * pair)))
          : given.slice(2 * pair, 2 * pair + 2),
      );
    },
  };
};

/** Bytes from shared to device memory as they are. */
const bulkOut: Make = (draws) => {
  const words = 4 * (1 + draws.below(7));
  const [from, to] = [4 * draws.below(2), 4 * draws.below(2)];
  return {
    body: `st.global.u32 [%own], -2; add.u32 %r5, %a, %t; st.shared.u32 [%r3], %r5; fence.proxy.async.shared::cta; bar.sync 0; add.s64 %d1, %out, ${4 * to};
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1+${4 * from}], ${4 * words - 4 * from}; @%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;`,
    leaves: (given) =>
      range(lanes).map((at) =>
        at >= to && at < to + words - from ? unsigned(given[at - to + from]! + at - to + from) : 0xffff_fffe,
      ),
  };
};

/** Bytes to some blocks of a cluster. */
const multicast: Make = (draws) => {
  const blocks = draws.pick([2, 4]);
  const mask = 1 + draws.below(2 ** blocks - 1);
  const sender = draws.below(blocks);
  const words = 4 * (1 + draws.below(8));
  return {
    blocks,
    cluster: blocks,
    body: `st.shared.u32 [%r3], 7; ${beginBarrier(1)} shl.b32 %r6, %b, 0; mov.u32 %r7, ${mask}; shr.u32 %r7, %r7, %b; and.b32 %r7, %r7, 1; setp.eq.u32 %p4, %r7, 1; and.pred %p4, %p4, %p1;
@%p4 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], ${4 * words}; not.pred %p5, %p4; and.pred %p5, %p5, %p1; @%p5 mbarrier.arrive.shared::cta.b64 _, [%r2];
setp.eq.u32 %p3, %b, ${sender}; and.pred %p3, %p3, %p1; mov.u16 %h1, ${mask}; ${clusterSync}
@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%in], ${4 * words}, [%r2], %h1; ${wait} ld.shared.u32 %r5, [%r3]; ${clusterSync} ${own('%r5')}`,
    leaves: (given) =>
      range(lanes * blocks).map((at) =>
        (mask >> Math.floor(at / lanes)) & 1 && at % lanes < words ? given[at % lanes]! : 7,
      ),
  };
};

/** A barrier that waits for bytes, and for those that arrive. */
const transactions: Make = (draws) => {
  const first = 1 + draws.below(900);
  const second = 1 + draws.below(900);
  const more = 1 + draws.below(100_000);
  const asked = (digit: number): string => `@%p1 selp.u32 %r6, ${digit}, 0, %p2; @%p1 add.u32 %r5, %r5, %r6;`;
  return {
    body: `@%p1 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; mov.u32 %r5, 0;
@%p1 mbarrier.arrive.expect_tx.shared.b64 %d1, [%r2], ${first + second}; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d1; ${asked(1)}
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], ${first}; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d1; ${asked(10)}
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], ${second}; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d1; ${asked(100)}
@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], ${more}; @%p1 mbarrier.arrive.shared.b64 %d2, [%r2]; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d2; ${asked(1000)}
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], ${more}; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d2; ${asked(10_000)} ${own('%r5')}`,
    leaves: () => range(lanes).map((at) => (at === 0 ? 10_100 : 0)),
  };
};

/** A barrier that some drop out of. */
const droppers: Make = (draws) => {
  const arrivals = 3 + draws.below(5);
  return {
    body: `@%p1 mbarrier.init.shared.b64 [%r2], ${arrivals}; @%p1 mbarrier.arrive.shared.b64 %d1, [%r2]; @%p1 mbarrier.arrive_drop.shared.b64 %d2, [%r2]; @%p1 mbarrier.pending_count.b64 %r4, %d1; @%p1 mbarrier.pending_count.b64 %r5, %d2;
@%p1 mbarrier.arrive.shared.b64 _, [%r2], ${arrivals - 2}; @%p1 mbarrier.arrive.noComplete.shared.b64 %d3, [%r2]; @%p1 mbarrier.pending_count.b64 %r6, %d3;
@%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d3; @%p1 selp.u32 %r7, 1, 0, %p2; @%p1 cp.async.mbarrier.arrive.noinc.shared.b64 [%r2]; @%p1 mbarrier.inval.shared.b64 [%r2];
mov.u32 %r8, -1; @%p1 mad.lo.u32 %r8, %r4, 10, %r5; @%p1 mad.lo.u32 %r8, %r8, 10, %r6; @%p1 mad.lo.u32 %r8, %r8, 10, %r7; ${own('%r8')}`,
    leaves: () =>
      range(lanes).map((at) =>
        at === 0 ? 1000 * arrivals + 100 * (arrivals - 1) + 10 * (arrivals - 1) : 0xffff_ffff,
      ),
  };
};

/** Warps that meet at a barrier in memory, phase by phase. */
const phases: Make = (draws) => {
  const threads = lanes * (1 + draws.below(3));
  const test = draws.pick(['test_wait', 'try_wait']);
  return {
    threads,
    body: `@%p1 mbarrier.init.shared.b64 [%r2], ${threads}; @%p1 st.shared.v2.u32 [%r1], {0, 0}; bar.sync 0;
red.shared.add.u32 [%r1], %a; mbarrier.arrive.shared.b64 %d1, [%r2];
wait: mbarrier.${test}.shared.b64 %p2, [%r2], %d1; @!%p2 bra wait;
ld.shared.u32 %r5, [%r1]; red.shared.add.u32 [%r1+4], %r5; mbarrier.arrive.shared::cta.b64 _, [%r2];
again: mbarrier.${test}.parity.shared.b64 %p2, [%r2], 1; @!%p2 bra again; ld.shared.u32 %r4, [%r1+4]; ${own('%r4')}`,
    leaves: (given) => {
      const sum = given.reduce((one, other) => one + BigInt(other), 0n);
      return given.map(() => Number(BigInt.asUintN(32, sum * BigInt(threads))));
    },
  };
};

/** Stores and sums that tell a barrier of the other block of a pair. */
const storesToPeer: Make = (draws) => {
  const factor = draws.below(1000);
  const peer = `mov.u32 %r4, %cluster_ctarank; xor.b32 %r4, %r4, 1; mapa.shared::cluster.u32 %r6, %r3, %r4; mapa.shared::cluster.u32 %r7, %r2, %r4;`;
  const end = `${wait} ld.shared.u32 %r5, [%r3]; ${clusterSync} ${own('%r5')}`;
  const before = `st.shared.u32 [%r3], %t; ${beginBarrier(1)} ${peer} @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128; ${clusterSync} mad.lo.u32 %r8, %b, ${factor}, %a;`;
  const kind = draws.pick([
    'st',
    'add.u32',
    'min.u32',
    'max.u32',
    'min.s32',
    'max.s32',
    'and.b32',
    'or.b32',
    'xor.b32',
  ]);
  const line =
    kind === 'st'
      ? 'st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r6], %r8, [%r7];'
      : `red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.${kind} [%r6], %r8, [%r7];`;
  return {
    blocks: 2,
    cluster: 2,
    body: `${before} ${line} ${end}`,
    leaves: (given) =>
      range(2 * lanes).map((at) => {
        const [block, lane] = [at >> 5, at & 31];
        const come = unsigned((1 - block) * factor + given[(at ^ 32) % given.length]!);
        return kind === 'st' ? come : unsigned(joins[kind]!(lane, come));
      }),
  };
};

/** Copies of few bytes in the background; zeros behind the end of their source. */
const background: Make = (draws) => {
  const bytes = draws.pick([4, 8, 16]);
  const from = draws.below(bytes + 1);
  const how = bytes === 16 ? draws.pick(['ca', 'cg']) : 'ca';
  const groups = draws.pick([0, 0, 1]);
  return {
    each: bytes / 4,
    values: range((lanes * bytes) / 4).map((at) => unsigned(0x0403_0201 * (at + 1) + draws.below(99))),
    body: `mad.lo.u32 %r3, %t, ${bytes}, %r1; mad.wide.u32 %d1, %t, ${bytes}, %in; mov.u32 %r4, ${from};
cp.async.${how}.shared.global [%r3], [%d1], ${bytes}, %r4; cp.async.commit_group; ${groups === 1 ? 'cp.async.commit_group; cp.async.wait_group 1;' : draws.pick(['cp.async.wait_group 0;', 'cp.async.wait_all;'])} bar.sync 0;
${range(bytes / 4)
  .map((at) => `ld.shared.u32 %r5, [%r3+${4 * at}]; st.global.u32 [%own+${4 * at}], %r5;`)
  .join(' ')}`,
    leaves: (given) => {
      const all = new Uint8Array(Uint32Array.from(given).buffer);
      const kept = all.map((byte, at) => (at % bytes < from ? byte : 0));
      return [...new Uint32Array(kept.buffer)];
    },
  };
};

/** Zeros in shared memory. */
const cleared: Make = (draws) => {
  const [from, words] = [2 * draws.below(8), 2 * (1 + draws.below(8))];
  return {
    body: `st.shared.u32 [%r3], %a; bar.sync 0; mov.u64 %d1, ${4 * words}; @%p1 st.bulk.weak.shared::cta [%r1+${4 * from}], %d1, 0; bar.sync 0; ld.shared.u32 %r5, [%r3]; ${own('%r5')}`,
    leaves: (given) => given.map((one, at) => (at >= from && at < from + words ? 0 : one)),
  };
};

/** Shared memory of another block of a cluster, by addresses of both kinds. */
const ofPeers: Make = (draws) => {
  const blocks = draws.pick([2, 4]);
  const step = 1 + draws.below(blocks - 1);
  const generic = draws.once(2);
  const read = generic
    ? 'cvt.u64.u32 %d1, %r3; cvta.shared.u64 %d1, %d1; mapa.u64 %d2, %d1, %r4; ld.u32 %r5, [%d2]; getctarank.u64 %r6, %d2;'
    : 'mapa.shared::cluster.u32 %r7, %r3, %r4; ld.shared::cluster.u32 %r5, [%r7]; getctarank.shared::cluster.u32 %r6, %r7;';
  const fixed = draws.once(2);
  return {
    blocks: 2 * blocks,
    ...(fixed ? { tuning: `.explicitcluster\n.reqnctapercluster ${blocks}, 1, 1` } : { cluster: blocks }),
    each: 2,
    body: `st.shared.u32 [%r3], %a; ${clusterSync.replaceAll(';', '.aligned;').replace('.aligned;', '.aligned;')} mov.u32 %r4, %cluster_ctarank; add.u32 %r4, %r4, ${step}; rem.u32 %r4, %r4, ${blocks}; ${read} ${clusterSync}
st.global.u32 [%own], %r5; mov.u32 %r8, %cluster_nctarank; mad.lo.u32 %r6, %r6, 10, %r8; mov.u32 %r8, %clusterid.x; mad.lo.u32 %r6, %r6, 10, %r8; mov.u32 %r8, %nclusterid.x; mad.lo.u32 %r6, %r6, 10, %r8; st.global.u32 [%own+4], %r6;`,
    leaves: (given) =>
      range(2 * blocks * lanes).flatMap((at) => {
        const [block, lane] = [Math.floor(at / lanes), at % lanes];
        const [cluster, rank] = [Math.floor(block / blocks), block % blocks];
        const other = (rank + step) % blocks;
        return [
          given[(cluster * blocks + other) * lanes + lane]!,
          1000 * other + 100 * blocks + 10 * cluster + 2,
        ];
      }),
  };
};

/** Where each block of a grid of three directions is in its cluster, and its cluster in the grid. */
const places: Make = (draws) => {
  const cluster: Dimensions = [1 + draws.below(2), 1 + draws.below(2), 1 + draws.below(2)];
  const longer = draws.below(3);
  const clusters = [0, 1, 2].map((axis) => (axis === longer ? 2 + draws.below(2) : 1));
  const grid = cluster.map((blocks, axis) => blocks * clusters[axis]!) as unknown as Dimensions;
  const coded = (name: string): string =>
    ['x', 'y', 'z'].map((axis) => `mov.u32 %r5, ${name}.${axis}; mad.lo.u32 %r4, %r4, 10, %r5;`).join(' ');
  const blocks = grid[0] * grid[1] * grid[2];
  return {
    blocks,
    shapes: { grid, cluster },
    each: 2,
    body: `mov.u32 %r4, %ctaid.z; mov.u32 %r5, %nctaid.y; mov.u32 %r6, %ctaid.y; mad.lo.u32 %r4, %r4, %r5, %r6; mov.u32 %r5, %nctaid.x; mad.lo.u32 %r4, %r4, %r5, %b; mad.lo.u32 %g, %r4, %r0, %t;
mad.wide.u32 %own, %g, 8, %out; mov.u32 %r4, 0; ${coded('%clusterid')} ${coded('%cluster_ctaid')} st.global.u32 [%own], %r4;
mov.u32 %r4, %cluster_ctarank; ${coded('%nclusterid')} ${coded('%cluster_nctaid')} st.global.u32 [%own+4], %r4;`,
    leaves: () => {
      const digits = (numbers: readonly number[]): number => numbers.reduce((sum, one) => 10 * sum + one, 0);
      const words: number[] = [];
      for (let z = 0; z < grid[2]; z++)
        for (let y = 0; y < grid[1]; y++)
          for (let x = 0; x < grid[0]; x++) {
            const inside = [x, y, z].map((one, axis) => one % cluster[axis]!) as [number, number, number];
            const of = [x, y, z].map((one, axis) => (one - inside[axis]!) / cluster[axis]!);
            const rank = inside[0] + cluster[0] * (inside[1] + cluster[1] * inside[2]);
            for (const _ of range(lanes))
              words.push(digits([...of, ...inside]), digits([rank, ...clusters, ...cluster]));
          }
      return words;
    },
  };
};

/** Rounds of a ring of blocks, each behind a barrier of the cluster. */
const ring: Make = (draws) => {
  const blocks = draws.pick([2, 4]);
  const rounds = 1 + draws.below(6);
  const factor = 1 + draws.below(9);
  return {
    blocks,
    cluster: blocks,
    threads: draws.pick([lanes, 2 * lanes]),
    body: `mov.u32 %r4, %cluster_ctarank; add.u32 %r4, %r4, ${blocks - 1}; rem.u32 %r4, %r4, ${blocks}; mapa.shared::cluster.u32 %r6, %r3, %r4; st.shared.u32 [%r3], %a; mov.u32 %r12, 0; mov.u32 %r13, 0; ${clusterSync}
round: ld.shared::cluster.u32 %r5, [%r6]; mad.lo.u32 %r13, %r13, ${factor}, %r5; ${clusterSync} st.shared.u32 [%r3], %r13; ${clusterSync} add.u32 %r12, %r12, 1; setp.lt.u32 %p3, %r12, ${rounds}; @%p3 bra round; ${own('%r13')}`,
    leaves: (given) => {
      const threads = given.length / blocks;
      let boxes = [...given];
      let sums = given.map(() => 0);
      for (const _ of range(rounds)) {
        sums = sums.map((sum, at) =>
          unsigned(Math.imul(sum, factor) + boxes[(at + (blocks - 1) * threads) % given.length]!),
        );
        boxes = sums;
      }
      return sums;
    },
  };
};

/** A call of a name with words, whose result is a word. */
const call = (name: string, result: string, ...given: readonly string[]): string => `{
  ${given.map((one, at) => `.param .b32 g${at}; st.param.b32 [g${at}], ${one};`).join(' ')}
  .param .b32 back; call (back), ${name}, (${given.map((_, at) => `g${at}`).join(', ')}); ld.param.b32 ${result}, [back];
}`;

const ackermannText = `.func (.param .b32 o) ackermann(.param .b32 m, .param .b32 n)
{
  .reg .pred %p<3>; .reg .b32 %m, %n, %r<4>;
  ld.param.u32 %m, [m]; ld.param.u32 %n, [n];
  setp.eq.u32 %p1, %m, 0; @%p1 bra base;
  sub.u32 %r1, %m, 1; setp.eq.u32 %p2, %n, 0; @%p2 bra none;
  sub.u32 %r2, %n, 1;
  ${call('ackermann', '%r3', '%m', '%r2')}
  ${call('ackermann', '%r3', '%r1', '%r3')}
  st.param.b32 [o], %r3; ret;
none:
  ${call('ackermann', '%r3', '%r1', '1')}
  st.param.b32 [o], %r3; ret;
base: add.u32 %n, %n, 1; st.param.b32 [o], %n; ret;
}`;
const ackermann = (m: number, n: number): number => {
  if (m === 0) return n + 1;
  return n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
};

/** A function that calls itself. */
const recursion: Make = (draws) => {
  const shift = draws.below(28);
  return {
    head: ackermannText,
    body: `shr.u32 %r4, %a, ${shift}; and.b32 %r5, %r4, 1; add.u32 %r5, %r5, 1; shr.u32 %r6, %r4, 1; and.b32 %r6, %r6, 3; ${call('ackermann', '%r7', '%r5', '%r6')} ${own('%r7')}`,
    leaves: (given) => given.map((one) => ackermann(((one >>> shift) & 1) + 1, ((one >>> shift) >>> 1) & 3)),
  };
};

/** Two functions that call each other, each with an array in local memory. */
const mutual: Make = (draws) => {
  const [first, second] = [1 + draws.below(9), 1 + draws.below(9)];
  const half = (
    name: string,
    other: string,
    factor: number,
  ): string => `.func (.param .b32 o) ${name}(.param .b32 n)
{
  .local .align 4 .b8 kept[8]; .reg .pred %p; .reg .b32 %n, %r<4>; .reg .b64 %l;
  ld.param.u32 %n, [n]; mov.u64 %l, kept; mul.lo.u32 %r1, %n, ${factor}; st.local.u32 [%l+4], %r1; mov.u32 %r3, 0; setp.eq.u32 %p, %n, 0; @%p bra end;
  sub.u32 %r2, %n, 1;
  ${call(other, '%r3', '%r2')}
end: ld.local.u32 %r1, [kept+4]; xor.b32 %r3, %r3, %r1; st.param.b32 [o], %r3; ret;
}`;
  const plain = (n: number, factors: readonly [number, number]): number =>
    (n === 0 ? 0 : plain(n - 1, [factors[1], factors[0]])) ^ (n * factors[0]);
  return {
    head: `.func (.param .b32 o) odd(.param .b32 n);\n${half('even', 'odd', first)}\n${half('odd', 'even', second)}`,
    body: `and.b32 %r4, %a, 15; ${call('even', '%r7', '%r4')} ${own('%r7')}`,
    leaves: (given) => given.map((one) => plain(one & 15, [first, second])),
  };
};

const functions = `.func (.param .b32 o) plus(.param .b32 a, .param .b32 b)
{ .reg .b32 %a, %b; ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; add.u32 %a, %a, %b; st.param.b32 [o], %a; ret; }
.func (.param .b32 o) minus(.param .b32 a, .param .b32 b)
{ .reg .b32 %a, %b; ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; sub.u32 %a, %a, %b; st.param.b32 [o], %a; ret; }
.func (.param .b32 o) times(.param .b32 a, .param .b32 b)
{ .reg .b32 %a, %b; ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; mul.lo.u32 %a, %a, %b; st.param.b32 [o], %a; ret; }
.global .align 8 .u64 ways[4] = {plus, minus, times, minus};`;

/** Functions by their address, which each lane takes from a table. */
const byAddress: Make = (draws) => {
  const other = draws.below(1000);
  const listed = draws.once(2);
  const declared = listed
    ? '.calltargets plus, minus, times'
    : '.callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _)';
  return {
    head: functions,
    body: `and.b32 %r4, %a, 3; mov.u64 %d1, ways; mad.wide.u32 %d1, %r4, 8, %d1; ld.global.u64 %d2, [%d1]; {
  .param .b32 g; st.param.b32 [g], %a; .param .b32 h; st.param.b32 [h], ${other}; .param .b32 back;
  look : ${declared};
  call (back), %d2, (g, h), look;
  ld.param.b32 %r5, [back];
} ${own('%r5')}`,
    leaves: (given) =>
      given.map((one) => unsigned([one + other, one - other, Math.imul(one, other), one - other][one & 3]!)),
  };
};

/** Parameters and results in registers. */
const inRegisters: Make = () => ({
  head: `.func (.reg .u32 o) sum(.reg .u32 n)
{
  .reg .pred %p; .reg .b32 %r<3>;
  mov.u32 o, 0; setp.eq.u32 %p, n, 0; @%p ret; sub.u32 %r1, n, 1; call (%r2), sum, (%r1); add.u32 o, %r2, n; ret;
}`,
  body: `and.b32 %r4, %a, 31; call (%r5), sum, (%r4); ${own('%r5')}`,
  leaves: (given) => given.map((one) => ((one & 31) * ((one & 31) + 1)) / 2),
});

/** A lock that lanes take one by one. */
const lock: Make = () => ({
  // Of one warp: another one that asks greedily would hold it up for long.
  body: `@%p1 st.shared.v2.u32 [%r1], {0, 0}; bar.sync 0;
again: atom.shared.cas.b32 %r4, [%r1], 0, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra again;
ld.shared.u32 %r5, [%r1+4]; add.u32 %r5, %r5, %a; st.shared.u32 [%r1+4], %r5; atom.shared.exch.b32 %r4, [%r1], 0;
bar.sync 0; ld.shared.u32 %r5, [%r1+4]; ${own('%r5')}`,
  leaves: (given) => given.map(() => unsigned(given.reduce((sum, one) => (sum + one) | 0, 0))),
});

/** Room of its own for each lane, given back or not. */
const heap: Make = (draws) => {
  const bytes = 8 * (1 + draws.below(8));
  return {
    head: '.extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p0);',
    body: `.param .b64 n; .param .b64 r; st.param.b64 [n], ${bytes}; call.uni (r), malloc, (n); ld.param.b64 %d1, [r];
st.u32 [%d1], %a; st.u32 [%d1+${bytes - 4}], %t; bar.sync 0; ld.u32 %r4, [%d1]; ld.u32 %r5, [%d1+${bytes - 4}]; mad.lo.u32 %r4, %r4, 3, %r5; .param .b64 q; st.param.b64 [q], %d1; call.uni free, (q); ${own('%r4')}`,
    leaves: (given) => given.map((one, at) => unsigned(Math.imul(one, 3) + at)),
  };
};

/** Warps that only say that they have come, and others that wait for them. */
const saysOnly: Make = (draws) => {
  const which = 1 + draws.below(15);
  return {
    threads: 2 * lanes,
    body: `setp.ge.u32 %p3, %t, 32; @%p3 bra reader; mad.lo.u32 %r5, %a, 3, 1; st.shared.u32 [%r3], %r5; bar.arrive ${which}, 64; mov.u32 %r6, -1; bra done;
reader: bar.sync ${which}, 64; ld.shared.u32 %r6, [%r3+-128]; done: ${own('%r6')}`,
    leaves: (given) =>
      given.map((_, at) => (at < lanes ? 0xffff_ffff : unsigned(Math.imul(given[at - lanes]!, 3) + 1))),
  };
};

/** What all threads are asked at a barrier. */
const askedAll: Make = (draws) => {
  const threads = draws.pick([lanes, 2 * lanes]);
  const limit = draws.pick([0, 1 << 16, 2 ** 31, 2 ** 32 - 1]);
  const not = draws.pick(['', '!']);
  return {
    threads,
    body: `setp.lt.u32 %p3, %a, ${limit}; bar.red.popc.u32 %r4, 0, ${not}%p3; bar.red.and.pred %p4, 1, ${threads}, ${not}%p3; bar.red.or.pred %p5, 0, ${not}%p3;
selp.u32 %r5, 100, 0, %p4; selp.u32 %r6, 1000, 0, %p5; add.u32 %r4, %r4, %r5; add.u32 %r4, %r4, %r6; barrier.cta.sync 2; ${own('%r4')}`,
    leaves: (given) => {
      const yes = given.filter((one) => one < limit === (not === '')).length;
      return given.map(() => yes + (yes === threads ? 100 : 0) + (yes > 0 ? 1000 : 0));
    },
  };
};

/** Sums and products of 128 bits from halves of 64. */
const wideSums: Make = (draws) => {
  const [line, of] = draws.pick<readonly [string, (a: bigint, b: bigint) => bigint]>([
    ['add.cc.u64 %d3, %d1, %d2; addc.u64 %d4, %d2, %d1;', (a, b) => ((a << 64n) | b) + ((b << 64n) | a)],
    ['sub.cc.u64 %d3, %d2, %d1; subc.u64 %d4, %d1, %d2;', (a, b) => ((a << 64n) | b) - ((b << 64n) | a)],
    ['mad.lo.cc.u64 %d3, %d1, %d2, %d1; madc.hi.u64 %d4, %d1, %d2, %d2;', (a, b) => a * b + ((b << 64n) | a)],
  ]);
  const pair = (given: readonly number[], at: number): readonly [bigint, bigint] => {
    const [one, next] = [BigInt(given[at]!), BigInt(given[(at + 1) % lanes]!)];
    return [(one << 32n) | next, (next << 32n) | one];
  };
  return {
    each: 4,
    body: `shl.b32 %r4, %t, 2; add.u32 %r5, %t, 1; and.b32 %r5, %r5, 31; mad.wide.u32 %d5, %r5, 4, %in; ld.global.u32 %r6, [%d5];
mov.b64 %d1, {%r6, %a}; mov.b64 %d2, {%a, %r6}; ${line} mov.b64 {%r7, %r8}, %d3; mov.b64 {%r9, %r10}, %d4; st.global.v4.u32 [%own], {%r7, %r8, %r9, %r10};`,
    leaves: (given) =>
      range(lanes).flatMap((at) => {
        const wide = BigInt.asUintN(128, of(...pair(given, at)));
        return [...wordsOf(wide), ...wordsOf(wide >> 64n)];
      }),
  };
};

/** Whole numbers of few bits as reals of 16 bits. */
const half = (value: number): number => {
  if (value === 0) return 0;
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log2(size));
  const fraction = Math.round((size / 2 ** exponent - 1) * 1024);
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
};
const bfloat = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]! >>> 16;
const single = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;

/** Changes of parts of words, and of several words at once. */
const smallAtomics: Make = (draws) => {
  const [a, b, c] = [draws.below(40) - 20, draws.below(40) - 20, draws.below(40) - 20];
  const pairs = (one: number, other: number, of: (value: number) => number) =>
    unsigned(of(one) | (of(other) << 16));
  return {
    each: 8,
    body: `mov.u16 %h1, ${half(a)}; mov.u16 %h2, ${bfloat(a)}; mov.u32 %r4, ${pairs(b, c, half)}; mov.u32 %r5, ${pairs(b, c, bfloat)}; mov.f32 %f1, 0f${single(b).toString(16).padStart(8, '0')}; mov.f32 %f2, 0f${single(c).toString(16).padStart(8, '0')};
st.global.v4.u32 [%own], {${half(c)}, ${bfloat(c)}, ${pairs(a, b, half)}, ${pairs(a, b, bfloat)}}; st.global.v4.u32 [%own+16], {${single(a)}, ${single(c)}, 0x00075555, 0};
atom.global.add.noftz.f16 %h3, [%own], %h1; red.global.add.noftz.bf16 [%own+4], %h2; red.global.add.noftz.f16x2 [%own+8], %r4; atom.global.add.noftz.bf16x2 %r6, [%own+12], %r5;
red.relaxed.gpu.global.add.v2.f32 [%own+16], {%f1, %f2}; mov.u16 %h4, 7; mov.u16 %h5, 9; add.s64 %d1, %own, 26; atom.cas.b16 %h6, [%d1], %h4, %h5; atom.cas.b16 %h7, [%own+24], %h4, %h5; cvt.u32.u16 %r7, %h3; cvt.u32.u16 %r8, %h6; mad.lo.u32 %r7, %r8, 65536, %r7; xor.b32 %r7, %r7, %r6; st.global.u32 [%own+28], %r7;`,
    leaves: () =>
      range(lanes).flatMap(() => [
        half(a + c),
        bfloat(a + c),
        pairs(a + b, b + c, half),
        pairs(a + b, b + c, bfloat),
        single(a + b),
        single(c + c),
        0x0009_5555,
        unsigned((half(c) + 7 * 65_536) ^ pairs(a, b, bfloat)),
      ]),
  };
};

/** What is advice to the hardware, and changes nothing. */
const advice: Make = (draws) => ({
  body: `createpolicy.fractional.L2::evict_last.b64 %d1, 1.0; prefetch.global.L2 [%own]; cp.async.bulk.prefetch.L2.global [%in], 64; pmevent 3; brkpt; prefetchu.L1 [%in]; setmaxnreg.dec.sync.aligned.u32 40; applypriority.global.L2::evict_normal [%d0], 128; griddepcontrol.wait; ld.global.L1::no_allocate.L2::cache_hint.u32 %r5, [%d0], %d1;
ldu.global.u32 %r6, [%d0]; add.u32 %r5, %r5, %r6; nanosleep.u32 ${draws.below(50)}; griddepcontrol.launch_dependents; st.global.L2::cache_hint.u32 [%own], %r5, %d1; membar.gl; fence.acq_rel.gpu; setp.lt.u32 %p3, %t, ${draws.below(32)}; @%p3 exit; discard.global.L2 [%d0], 128;`,
  leaves: (given) => given.map((one) => unsigned(2 * one)),
});

/** The stack that a thread grows, and gives back. */
const stack: Make = (draws) => {
  const [first, align] = [8 * (1 + draws.below(20)), draws.pick([8, 16, 128])];
  return {
    body: `stacksave.u64 %d1; alloca.u64 %d2, ${first}; st.local.u32 [%d2+${first - 4}], %a; alloca.u64 %d3, 8, ${align}; st.local.u32 [%d3+4], %t; ld.local.u32 %r4, [%d2+${first - 4}]; ld.local.u32 %r5, [%d3+4]; mad.lo.u32 %r4, %r4, 3, %r5;
and.b64 %d5, %d3, ${align - 1}; setp.eq.u64 %p3, %d5, 0; stackrestore.u64 %d1; alloca.u64 %d4, 16; setp.eq.and.u64 %p3, %d4, %d2, %p3; @%p3 add.u32 %r4, %r4, 1000; ${own('%r4')}`,
    leaves: (given) => given.map((one, at) => unsigned(Math.imul(one, 3) + at + 1000)),
  };
};

/** One lane of those that are named. */
const elected: Make = (draws) => {
  const first = draws.below(31);
  const mask = unsigned(-1 << first);
  return {
    body: `activemask.b32 %r8; elect.sync %r4|%p3, ${mask}; selp.u32 %r5, 100, 0, %p3; add.u32 %r4, %r4, %r5; xor.b32 %r4, %r4, %r8; ${own('%r4')}`.replace(
      'elect.sync',
      `setp.ge.u32 %p4, %t, ${first}; mov.u32 %r4, 7; mov.pred %p3, %p6; @%p4 elect.sync`,
    ),
    leaves: () =>
      range(lanes).map((at) => unsigned((at < first ? 7 : at === first ? first + 100 : first) ^ 0xffff_ffff)),
  };
};

type Matrix = readonly (readonly number[])[];

const packers: Readonly<Record<string, readonly [width: number, of: (value: number) => number]>> = {
  s8: [8, (value) => value & 255],
  u8: [8, (value) => value & 255],
  f16: [16, half],
  bf16: [16, bfloat],
  tf32: [32, single],
  f32: [32, single],
  s32: [32, unsigned],
  s4: [4, (value) => value & 15],
  u4: [4, (value) => value],
  b1: [1, (value) => value],
};

/** Elements as words, the low one first. */
function packed(type: string, values: readonly number[]): readonly number[] {
  if (type === 'f64') return [...new Uint32Array(Float64Array.from(values).buffer)];
  const [width, of] = packers[type]!;
  const each = 32 / width;
  return range(values.length / each).map((word) =>
    unsigned(
      values
        .slice(word * each, (word + 1) * each)
        .reduce((bits, value, at) => bits | (of(value) << (at * width)), 0),
    ),
  );
}

const turned = (of: Matrix): Matrix => of[0]!.map((_, x) => of.map((row) => row[x]!));

/** Products of tiles, in rows and columns, of whole numbers, which are exact in every order of sums. */
const tiles: Make = (draws) => {
  const [shape, type, sums, na, nb, nc] = draws.pick([
    ['m16n16k16', 'f16', 'f32', 8, 8, 8],
    ['m8n32k16', 'f16', 'f16', 8, 8, 4],
    ['m32n8k16', 'f16', 'f32', 8, 8, 8],
    ['m32n8k16', 'bf16', 'f32', 8, 2, 8],
    ['m16n16k16', 'bf16', 'f32', 4, 4, 8],
    ['m8n32k16', 'bf16', 'f32', 2, 8, 8],
    ['m16n16k16', 's8', 's32', 2, 2, 8],
    ['m32n8k16', 's8', 's32', 4, 1, 8],
    ['m8n32k16', 'u8', 's32', 1, 4, 8],
    ['m16n16k8', 'tf32', 'f32', 4, 4, 8],
    ['m8n8k32', 's4', 's32', 1, 1, 2],
    ['m8n8k32', 'u4', 's32', 1, 1, 2],
    ['m8n8k128', 'b1', 's32', 1, 1, 2],
    ['m8n8k4', 'f64', 'f64', 1, 1, 2],
  ] as const);
  const [m = 0, n = 0, k = 0] = [...shape.matchAll(/\d+/g)].map(([text]) => Number(text));
  const least = type[0] === 'u' || type === 'b1' ? 0 : -3;
  const matrix = (rows: number, columns: number): Matrix =>
    range(rows).map(() => range(columns).map(() => draws.below(type === 'b1' ? 2 : 7) + least));
  const what = type === 'b1' ? draws.pick(['.xor.popc', '.and.popc']) : '';
  const [a, b, c] = [matrix(m, k), matrix(k, n), matrix(m, n)];
  const [rowsA, rowsB, rowsC, rowsD] = range(4).map(() => draws.once(2)) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  const laid = (of: Matrix, inRows: boolean): readonly number[] => (inRows ? of : turned(of)).flat();
  const parts = [packed(type, laid(a, rowsA)), packed(type, laid(b, rowsB)), packed(sums, laid(c, rowsC))];
  const types = type === 'f16' ? `${sums}.${sums}` : `${sums}.${type}.${type}.${sums}`;
  const names = (letter: string, count: number): string =>
    `{${range(count)
      .map((at) => `%${letter}${at}`)
      .join(', ')}}`;
  const layout = (inRows: boolean): string => (inRows ? 'row' : 'col');
  const words = parts[2]!.length;
  const each = words / lanes;
  const d = a.map((row, y) =>
    c[y]!.map((value, x) =>
      row.reduce((sum, one, at) => sum + (what === '.xor.popc' ? one ^ b[at]![x]! : one * b[at]![x]!), value),
    ),
  );
  return {
    each,
    values: parts.flat(),
    body: `${type === 'f64' ? '.reg .b64' : '.reg .b32'} %ma<8>, %mb<8>, %mc<8>, %md<8>; add.u64 %d1, %in, ${4 * parts[0]!.length}; add.u64 %d2, %d1, ${4 * parts[1]!.length}; mov.u32 %r4, ${rowsB ? n : k};
wmma.load.a.sync.aligned.${layout(rowsA)}.${shape}.global.${type} ${names('ma', na)}, [%in], ${rowsA ? k : m};
wmma.load.b.sync.aligned.${layout(rowsB)}.${shape}.${type} ${names('mb', nb)}, [%d1], %r4;
wmma.load.c.sync.aligned.${layout(rowsC)}.${shape}.global.${sums} ${names('mc', nc)}, [%d2]${draws.once(2) ? `, ${rowsC ? n : m}` : ''};
wmma.mma${what}.sync.aligned.${layout(rowsA)}.${layout(rowsB)}.${shape}.${types} ${names('md', nc)}, ${names('ma', na)}, ${names('mb', nb)}, ${names('mc', nc)};
wmma.store.d.sync.aligned.${layout(rowsD)}.${shape}.global.${sums} [%out], ${names('md', nc)}, ${rowsD ? n : m};`,
    leaves: () => packed(sums, laid(d, rowsD)),
  };
};

/** Matrices of 8 by 8 halves, from shared memory to lanes and back. */
const matrixMoves: Make = (draws) => {
  const trans = draws.pick(['', '.trans']);
  const back = draws.pick(['', '.trans']);
  return {
    each: 8,
    values: range(4 * lanes).map((word) => unsigned((2 * word + 1) * 65_536 + 2 * word)),
    body: `mad.lo.u32 %r4, %t, 16, %r1; mad.wide.u32 %d1, %t, 16, %in; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d1]; st.shared.v4.u32 [%r4], {%r5, %r6, %r7, %r8}; bar.sync 0;
ldmatrix.sync.aligned.m8n8.x4${trans}.shared.b16 {%r9, %r10, %r11, %r12}, [%r4]; st.global.v4.u32 [%own], {%r9, %r10, %r11, %r12}; add.u32 %r4, %r4, 512;
stmatrix.sync.aligned.m8n8.x4${back}.shared.b16 [%r4], {%r9, %r10, %r11, %r12}; bar.sync 0; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4]; st.global.v4.u32 [%own+16], {%r5, %r6, %r7, %r8};`,
    leaves: () => {
      const place = (q: number, row: number, column: number, isTurned: boolean): number =>
        64 * q + (isTurned ? 8 * column + row : 8 * row + column);
      const words = (at: (q: number, row: number, column: number) => number, lane: number) =>
        range(4).map((q) =>
          unsigned(at(q, lane >> 2, 2 * (lane & 3)) | (at(q, lane >> 2, 2 * (lane & 3) + 1) << 16)),
        );
      const inRows = (lane: number) =>
        range(4).map((word) => {
          const [q, row] = [lane >> 3, lane & 7];
          const one = (column: number): number => place(q, row, column, (trans === '') !== (back === ''));
          return unsigned(one(2 * word) | (one(2 * word + 1) << 16));
        });
      return range(lanes).flatMap((lane) => [
        ...words((q, row, column) => place(q, row, column, trans !== ''), lane),
        ...inRows(lane),
      ]);
    },
  };
};

/** Parameters in functions by their generic addresses, and spaces that addresses are in. */
const spaces: Make = () => ({
  each: 2,
  body: `.local .align 4 .b8 near[16]; mov.u64 %d1, near; cvta.local.u64 %d2, %d1; cvt.u64.u32 %d3, %r3; cvta.shared.u64 %d3, %d3; st.u32 [%d2+4], %a; st.u32 [%d3], %t; ld.local.u32 %r4, [%d1+4]; ld.shared.u32 %r5, [%r3]; mad.lo.u32 %r4, %r4, 5, %r5; st.u32 [%own], %r4;
isspacep.local %p3, %d2; isspacep.shared %p4, %d3; isspacep.global %p5, %own; isspacep.global %p6, %d2; selp.u32 %r5, 1, 0, %p3; @%p4 add.u32 %r5, %r5, 2; @%p5 add.u32 %r5, %r5, 4; @%p6 add.u32 %r5, %r5, 8; cvta.to.shared.u64 %d4, %d3; cvt.u32.u64 %r6, %d4; setp.eq.u32 %p3, %r6, %r3; @%p3 add.u32 %r5, %r5, 32; st.global.u32 [%own+4], %r5;`,
  leaves: (given) => given.flatMap((one, at) => [unsigned(Math.imul(one, 5) + at), 39]),
});

/** Pairs of reals, reals of two widths, three operands, 128 bits, four parts: forms that few programs have. */
const rareForms: Make = (draws) => {
  const limit = draws.below(40) - 20;
  const [pairs, ofPairs] = draws.pick<readonly [string, (a: number, b: number) => number]>([
    ['add.rn.f32x2 %d3, %d1, %d2;', (a, b) => a + b],
    ['sub.rn.f32x2 %d3, %d1, %d2;', (a, b) => a - b],
    ['mul.rn.f32x2 %d3, %d1, %d2;', (a, b) => a * b],
    ['fma.rn.f32x2 %d3, %d1, %d2, %d1;', (a, b) => a * b + a],
  ]);
  const [mixed, ofMixed] = draws.pick<readonly [string, (a: number, b: number) => number]>([
    ['add.f32.f16 %f3, %h1, %f2;', (a, b) => a + b],
    ['sub.f32.f16 %f3, %h1, %f2;', (a, b) => a - b],
    ['fma.rn.f32.f16 %f3, %h1, %h2, %f2;', (a, b) => a * b + b],
  ]);
  const least = draws.once(2);
  const three = `${least ? 'min' : 'max'}.f32 %f3, %f1, %f2, %f0;`;
  const extreme = least ? Math.min : Math.max;
  const wide = draws.once(2);
  const exchange = wide
    ? 'atom.global.exch.b128 %q2, [%own], %q1;'
    : 'atom.global.cas.b128 %q2, [%own], %q3, %q1;';
  return {
    each: 12,
    body: `.reg .b128 %q<4>; .reg .b32 %s<4>; and.b32 %r4, %a, 31; sub.s32 %r4, %r4, 16; cvt.rn.f32.s32 %f1, %r4; cvt.rn.f32.u32 %f2, %t; cvt.rn.f16.f32 %h1, %f1; cvt.rn.f16.f32 %h2, %f2; mov.f32 %f0, 0f${single(limit).toString(16).padStart(8, '0')};
mov.b64 %d1, {%f1, %f2}; mov.b64 %d2, {%f2, %f1}; ${pairs} mov.b64 {%r5, %r6}, %d3; st.global.v2.u32 [%own+16], {%r5, %r6};
${mixed} st.global.f32 [%own+24], %f3; ${three} st.global.f32 [%own+28], %f3; ${least ? 'min' : 'max'}.xorsign.abs.f32 %f3, %f1, %f2; st.global.f32 [%own+32], %f3;
mov.b64 %d4, {%h1, %h2, %h2, %h1}; mov.b64 {%h3, %h4, %h5, %h6}, %d4; mov.b32 %r7, {%h4, %h3}; st.global.u32 [%own+36], %r7; mov.b32 %r7, {%h6, %h5}; st.global.u32 [%own+40], %r7; cvta.shared.u32 %s0, %r3; cvta.to.shared.u32 %s1, %s0; setp.eq.u32 %p3, %s1, %r3; isspacep.shared %p4, %s0; selp.u32 %s2, 1, 0, %p3; @%p4 add.u32 %s2, %s2, 2; st.global.u32 [%own+44], %s2;
st.global.v4.u32 [%own], {%t, 1, 2, 3}; cvt.u64.u32 %d5, %t; add.u64 %d5, %d5, 4294967296; mov.u64 %d6, 12884901890; mov.b128 %q3, {%d5, %d6}; mov.b128 %q1, {%d1, %d4}; ${exchange} mov.b128 {%d5, %d6}, %q2; mov.b64 {%s0, %s1}, %d5; mov.b64 {%s2, %s3}, %d6; xor.b32 %s0, %s0, %s1; xor.b32 %s0, %s0, %s2; xor.b32 %s0, %s0, %s3; ld.global.u32 %s1, [%own+44]; mad.lo.u32 %s1, %s0, 16, %s1; st.global.u32 [%own+44], %s1;`,
    leaves: (given) =>
      given.flatMap((word, t) => {
        const a = (word & 31) - 16;
        const [ha, hb] = [half(a), half(t)];
        const size = extreme(Math.abs(a), t);
        return [
          ...[single(a), single(t), unsigned(ha | (hb << 16)), unsigned(hb | (ha << 16))],
          ...[
            single(ofPairs(a, t)),
            single(ofPairs(t, a)),
            single(ofMixed(a, t)),
            single(extreme(a, t, limit)),
          ],
          ...[single(a < 0 ? -size : size), unsigned(hb | (ha << 16)), unsigned(ha | (hb << 16))],
          unsigned((t ^ 1 ^ 2 ^ 3) * 16 + 3),
        ];
      }),
  };
};

/** Halves that lanes exchange as a matrix is turned, and products of reals of 64 bits. */
const turnedHalves: Make = (draws) => {
  const c = draws.below(9) - 4;
  return {
    each: 5,
    values: range(lanes).map((word) => unsigned((2 * word + 1) * 65_536 + 2 * word)),
    body: `movmatrix.sync.aligned.m8n8.trans.b16 %r4, %a; st.global.u32 [%own], %r4; .reg .f64 %e<6>; and.b32 %r5, %t, 3; shr.u32 %r6, %t, 2; add.u32 %r7, %r5, %r6; cvt.rn.f64.u32 %e0, %r7; mul.lo.u32 %r7, %r5, %r6; cvt.rn.f64.u32 %e1, %r7; cvt.rn.f64.s32 %e2, ${c};
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%e4, %e5}, {%e0}, {%e1}, {%e2, %e2}; mov.b64 {%r4, %r5}, %e4; mov.b64 {%r6, %r7}, %e5; st.global.u32 [%own+4], %r4; st.global.u32 [%own+8], %r5; st.global.u32 [%own+12], %r6; st.global.u32 [%own+16], %r7;`,
    leaves: () =>
      range(lanes).flatMap((lane) => {
        const [group, member] = [lane >> 2, lane & 3];
        // Row `group` of the turned matrix is a column of the one before.
        const at = (column: number): number => 8 * column + group;
        const product = (column: number): number =>
          range(4).reduce((sum, k) => sum + (k + group) * (k * column), c);
        return [
          unsigned(at(2 * member) | (at(2 * member + 1) << 16)),
          ...new Uint32Array(Float64Array.of(product(2 * member), product(2 * member + 1)).buffer),
        ];
      }),
  };
};

const makers: readonly Make[] = [
  bulkIn,
  bulkJoin,
  bulkJoin,
  bulkOut,
  multicast,
  transactions,
  droppers,
  phases,
  storesToPeer,
  background,
  cleared,
  ofPeers,
  ring,
  recursion,
  mutual,
  byAddress,
  inRegisters,
  lock,
  heap,
  saysOnly,
  askedAll,
  wideSums,
  smallAtomics,
  advice,
  elected,
  tiles,
  tiles,
  matrixMoves,
  spaces,
  places,
  rareForms,
  turnedHalves,
  stack,
  // Those that are compiled in a way of their own.
  approximate,
  approximate,
  fused,
];

/** How many of the kinds, the last ones, are compiled in a way of their own. */
const ownKinds = 3;

/** How many kinds of such kernels there are. */
export const toldKinds = makers.length;

/** A kernel of a name and a kind that says what it leaves. */
export function toldKernel(name: string, kind: number, draws: readonly number[]): PlainKernel {
  const choice = new Draws(draws);
  const told = makers[kind % makers.length]!(choice);
  const {
    head = '',
    tuning = '',
    body,
    blocks = 1,
    cluster,
    shapes,
    threads = lanes,
    each = 1,
    compiled,
  } = told;
  const values =
    told.values ??
    range(blocks * threads).map(() =>
      choice.pick([choice.below(100), unsigned(Math.imul(choice.below(99_999), 42_949_673))]),
    );
  const text = `${toldMark}${told.leaves(values).join(' ')}
${head}
.visible .entry ${name}(.param .u64 in, .param .u64 out, .param .u64 sums)
${tuning}
{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %t, %b, %g, %a, %r<16>;
  .reg .f32 %f<4>;
  .reg .b64 %in, %out, %own, %d<8>;
  .shared .align 128 .b8 box[1024];
  .shared .align 8 .b8 bar[16];
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %r0, %ntid.x;
  mad.lo.u32 %g, %b, %r0, %t;
  mad.wide.u32 %own, %g, ${4 * each}, %out;
  mad.wide.u32 %d0, %g, 4, %in;
  ld.global.u32 %a, [%d0];
  mov.u32 %r1, box;
  mov.u32 %r2, bar;
  mad.lo.u32 %r3, %t, 4, %r1;
  setp.eq.u32 %p1, %t, 0;
  setp.ne.u32 %p6, %t, %t;
  ${body}
  ret;
}`;
  const shape = (x: number): Dimensions => [x, 1, 1];
  return {
    text,
    blocks,
    threads,
    grid: shape(blocks),
    block: shape(threads),
    ...(cluster !== undefined && { cluster: shape(cluster) }),
    ...shapes,
    values,
    sums: [0],
    ...(compiled && { compiled }),
    outBytes: 4 * each,
  };
}

/** Kernels of a name that say what they leave, compiled as usual or in a way of their own. */
export const toldKernelNamed = (name: string, isUsual = true): fc.Arbitrary<PlainKernel> =>
  fc
    .tuple(
      isUsual
        ? fc.nat(toldKinds - ownKinds - 1)
        : fc.integer({ min: toldKinds - ownKinds, max: toldKinds - 1 }),
      fc.noBias(fc.array(fc.nat(99_999), { minLength: 1500, maxLength: 1500, size: 'max' })),
    )
    .map(([kind, draws]) => toldKernel(name, kind, draws));
