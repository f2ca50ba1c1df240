import fc from 'fast-check';
import type { WrittenScenario } from '../../../scenarios/written.ts';
import { exchangeKernels } from './kernels.ts';

/*
 * Systems in which every program must come to its end whatever the schedule: what chiplets do together is a list, and each of them does its share in the
 * order of that list. A send never waits, and a receive comes after its send, so nobody waits in a circle.
 */

/** Most values of a transfer. */
const valuesMost = 6;

const joint = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      from: fc.nat(99),
      to: fc.nat(99),
      count: fc.integer({ min: 1, max: valuesMost }),
      /** Whether kernels send and receive where there are some; the threads of one warp, or of two. */
      byKernel: fc.tuple(fc.boolean(), fc.boolean()),
      threads: fc.constantFrom(32, 64),
      /** A kernel that sends in the name of the receiver, where that is no fault. */
      foreign: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('compute' as const), who: fc.nat(99), cycles: fc.nat(60) }),
  fc.record({
    kind: fc.constant('kernel' as const),
    who: fc.nat(99),
    count: fc.integer({ min: 1, max: 64 }),
  }),
);
type Joint = typeof joint extends fc.Arbitrary<infer T> ? T : never;

const chiplet = fc.record({
  kind: fc.constantFrom('cpu' as const, 'gpu' as const),
  /** Steps to the next free place. */
  gap: fc.nat(2),
  clockRate: fc.constantFrom(1, 1, 0.5, 2),
  /** Instructions that a scheduler may issue of a warp in a cycle. */
  issues: fc.constantFrom(1, 1, 2, 3),
});

const network = fc.oneof(
  fc.record({ A: fc.constantFrom(2, 3), V: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ A: fc.constantFrom(2, 3, 4), R: fc.constant(1), V: fc.constantFrom(2, 3) }),
);

const buffers = fc.record({
  B: fc.constantFrom(1, 2, 6),
  O: fc.constantFrom(1, 4),
  F: fc.constant(1),
  random: fc.constantFrom('shared' as const, 'perRouter' as const),
  seed: fc.integer({ min: 1, max: 99 }),
});

const rules = fc.record({
  mode: fc.constantFrom('coupled' as const, 'coupled' as const, 'decoupled' as const, 'iterative' as const),
  mailbox: fc.constantFrom('queue' as const, 'queue' as const, 'indexed' as const),
  flitRule: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant('legosim' as const)),
  warpScheduler: fc.constantFrom('gto' as const, 'any' as const),
  strictSource: fc.boolean(),
});

const meetings = fc.option(
  fc.record({
    S: fc.integer({ min: 1, max: 60 }),
    I: fc.oneof(fc.integer({ min: 3, max: 80 }), fc.constant([7, 30])),
  }),
  { nil: undefined },
);

interface Member {
  readonly kind: 'cpu' | 'gpu';
  readonly at: readonly [x: number, y: number];
}

type Step = Readonly<Record<string, unknown>>;

/** What one member does in a joint step. */
function stepsOf(
  members: readonly Member[],
  own: number,
  one: Joint,
  number: number,
  strict: boolean,
): readonly Step[] {
  const here = (index: number): boolean => index % members.length === own;
  const { kind } = members[own]!;
  if (one.kind === 'compute') return here(one.who) ? [{ op: 'compute', instructions: one.cycles }] : [];
  if (one.kind === 'kernel') {
    if (!here(one.who) || kind === 'cpu') return [];
    const block = [64, 1, 1];
    const name = `array${number}`;
    return [
      { op: 'malloc', as: name, bytes: 256 },
      { op: 'launch', kernel: 'add', block, args: [{ ptr: name }, one.count] },
      { op: 'free', of: name },
    ];
  }
  const [from, to] = [one.from % members.length, one.to % members.length];
  if (from === to || (own !== from && own !== to)) return [];
  const peer = members[own === from ? to : from]!.at;
  const values = Array.from({ length: one.count }, (_, at) => 100 * number + at);
  const name = `data${number}`;
  const isForeign = one.foreign && !strict && own === from;
  const self = isForeign ? peer : [{ own: 'x' }, { own: 'y' }];
  if (kind === 'gpu' && one.byKernel[own === from ? 0 : 1])
    return [
      { op: 'malloc', as: name, bytes: 4 * one.count },
      ...(own === from ? [{ op: 'copyIn', to: name, values }] : []),
      {
        op: 'launch',
        kernel: own === from ? 'pass' : 'read',
        block: [one.threads, 1, 1],
        args: [...peer, ...self, { ptr: name }, one.count],
      },
      ...(own === to ? [{ op: 'copyOut', from: name, count: one.count, as: `read${number}` }] : []),
      ...(own === to ? [{ op: 'output', name, values: `read${number}` }] : []),
    ];
  return own === from
    ? [{ op: 'send', to: peer, values }]
    : [
        { op: 'receive', from: peer, count: one.count, as: name },
        { op: 'output', name, values: name },
      ];
}

/** Generated systems of chiplets (chiplet specification 4, 10, 12). */
export const systemScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(
    network,
    buffers,
    rules,
    meetings,
    fc.array(chiplet, { minLength: 2, maxLength: 4 }),
    fc.array(joint, { minLength: 1, maxLength: 8 }),
  )
  .map(([shape, room, given, syncFile, chiplets, steps]) => {
    const side = shape.A;
    let place = -1;
    const members = chiplets
      .map(({ kind, gap }): Member => {
        place += 1 + gap;
        return { kind, at: [Math.floor(place / side), place % side] };
      })
      .filter(({ at: [x] }) => x < side);
    return {
      name: 'generated: chiplets',
      config: {
        ...given,
        network: { ...shape, ...room },
        trustKernelSource: false,
        ...(syncFile && { syncFile: { enabled: true, ...syncFile } }),
        chiplets: members.map(({ kind, at: [x, y] }, own) => ({
          x,
          y,
          kind,
          program: `program ${own}`,
          clockRate: chiplets[own]!.clockRate,
          ...(kind === 'gpu' && { cores: 1 }),
          ...(kind === 'gpu' && chiplets[own]!.issues > 1 && { config: `issues ${chiplets[own]!.issues}` }),
        })),
      },
      programs: {
        kernels: members.some(({ kind }) => kind === 'gpu')
          ? [{ name: 'generated.ptx', text: exchangeKernels }]
          : [],
        configs: Object.fromEntries(
          [2, 3].map((count) => [
            `issues ${count}`,
            { file: 'issues.config', text: `-gpgpu_max_insn_issue_per_warp ${count}\n` },
          ]),
        ),
        hosts: Object.fromEntries(
          members.map((_, own) => [
            `program ${own}`,
            { steps: steps.flatMap((one, number) => stepsOf(members, own, one, number, given.strictSource)) },
          ]),
        ),
      },
    };
  });
