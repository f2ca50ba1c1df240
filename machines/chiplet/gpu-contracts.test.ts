import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dispatcher } from '../../actors/chiplet/gpu/dispatcher.ts';
import { host } from '../../actors/chiplet/gpu/host.ts';
import {
  gpuHostCosts,
  type HostAnswer,
  type HostOperation,
} from '../../actors/chiplet/gpu/host-operations.ts';
import { instantCarrier } from '../../actors/chiplet/gpu/instant-carrier.ts';
import { mailbox } from '../../actors/chiplet/gpu/mailbox.ts';
import { memoryChannel } from '../../actors/chiplet/gpu/memory-channel.ts';
import { outside } from '../../actors/chiplet/gpu/outside.ts';
import { simtCore } from '../../actors/chiplet/gpu/simt-core.ts';
import { noStatistics } from '../../actors/chiplet/gpu/statistics.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { Program } from '../../actors/common/program.ts';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address } from '../../kernel/message.ts';
import { fixed } from '../../kernel/resource.ts';

const at = (address: number) => address as Address;
const timing: GpuTiming = { ...defaultTiming, cores: 2, warpsPerCore: 4, blocksPerCore: 2 };

const program = compilePtx([
  {
    file: 'small.ptx',
    text: `.version 7.0
.target sm_75
.global .align 4 .b32 words[64];
.visible .entry small(.param .u32 rounds)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .shared .align 4 .b8 near[256];
  mov.u32 %r1, %tid.x;
  mov.u64 %rd1, words;
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  ld.param.u32 %r2, [rounds];
again:
  ld.global.u32 %r3, [%rd1];
  setp.lt.u32 %p, %r1, 7;
  @%p add.s32 %r3, %r3, 1;
  mad.lo.s32 %r3, %r3, 5, %r1;
  bar.sync 0;
  st.global.u32 [%rd1], %r3;
  sub.s32 %r2, %r2, 1;
  setp.ne.s32 %p, %r2, 0;
  @%p bra again;
  setp.ne.u32 %p, %r1, 0;
  @%p ret;
  mov.u32 %r4, 100000;
  addc.u32 %r5, %r4, %r3;
  addc.u32 %r5, 100001, 0;
  st.global.u32 [%rd1], %r5;
  ret;
}`,
  },
]);
const kernel = program.kernels.get('small')!;
const launch = fixed(launchOf(kernel, [2, 1, 1], [40, 1, 1], [2]));

const cycle = fc.nat(40);
const place = fc.constantFrom<readonly [number, number]>([0, 0], [0, 1]);
const item = fc.record({
  operation: fc.constantFrom('send', 'receive'),
  own: fc.constant([0, 1]),
  peer: place,
  value: fc.nat(3),
});
const values = fc.array(fc.nat(9), { minLength: 1, maxLength: 1 });

const core = (changes: Partial<GpuTiming>) => () => ({
  self: at(1),
  number: 0,
  dispatcher: at(0),
  channels: [at(5), at(6)],
  mailbox: at(7),
  timing: { ...timing, ...changes },
  memory: new DeviceMemory(program.image),
});
const coreEvents = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('block.assign'),
      launch: fc.constant(launch),
      block: fc.nat(1),
      cycle,
    }),
  },
  { weight: 12, arbitrary: fc.record({ type: fc.constant('core.turn'), cycle: fc.nat(60) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('memory.data'), request: fc.nat(6), cycle }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('mailbox.answer'), ticket: fc.nat(3), values, cycle }),
  },
);

const operations: readonly HostOperation[] = [
  { op: 'malloc', bytes: 16 },
  { op: 'compute', instructions: 3 },
  { op: 'launch', kernel: 'small', grid: [1, 1, 1], block: [32, 1, 1], args: [1] },
  { op: 'send', to: [0, 0], values: [1, 2] },
  { op: 'receive', from: [0, 0], count: 1 },
  { op: 'now' },
  { op: 'loadInts', file: 'data', from: 0, to: 2 },
  { op: 'free', address: 5 },
];
const hostInput = (list: readonly HostOperation[]) => () => ({
  self: at(0),
  own: [0, 1] as const,
  mailbox: at(7),
  device: { dispatcher: at(1), memory: new DeviceMemory(program.image), kernels: program.kernels },
  program: new Program<HostOperation, HostAnswer>(function* () {
    yield* list;
  }),
  costs: gpuHostCosts,
  files: { data: [1, 2, 3] },
});
const report = { kernel: 'small', start: 1, cycles: 5, coresUsed: 1, statistics: noStatistics() };
const hostEvents = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('host.turn'), cycle }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('grid.done'), report: fc.constant(report), cycle }) },
  fc.record({ type: fc.constant('grid.fault'), why: fc.constant('E-MEM'), cycle }),
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('mailbox.answer'), ticket: fc.constant(0), values, cycle }),
  },
);

const message = { src: place, dst: place, value: fc.nat(9), cycle };

// A host hears of kernels and messages only what it has asked for.
const hostUndecided = {
  idle: ['grid.done', 'grid.fault', 'mailbox.answer'],
  working: ['grid.done', 'grid.fault', 'mailbox.answer'],
  launching: ['host.turn', 'mailbox.answer'],
  exchanging: ['host.turn', 'grid.done', 'grid.fault'],
  ended: ['host.turn', 'grid.done', 'grid.fault', 'mailbox.answer'],
  stopped: ['host.turn', 'grid.done', 'grid.fault', 'mailbox.answer'],
};

const undecidedWithout = (state: keyof typeof hostUndecided) =>
  Object.fromEntries(Object.entries(hostUndecided).filter(([name]) => name !== state));

describe.each<[string, ContractSubject]>([
  ['core', { machine: simtCore, input: core({}), events: coreEvents, unreached: ['failed'] }],
  [
    'core whose order of warps is a choice',
    { machine: simtCore, input: core({ scheduler: 'any' }), events: coreEvents, unreached: ['failed'] },
  ],
  [
    'memory channel',
    {
      machine: memoryChannel,
      input: () => timing.memory,
      events: fc.oneof(
        fc.record({
          type: fc.constant('memory.read'),
          lead: fc.nat({ max: 300 }),
          core: fc.constant(1),
          request: fc.nat(5),
          segment: fc.nat(9),
          cycle,
        }),
        fc.record({ type: fc.constant('memory.write'), segment: fc.nat(9), cycle }),
      ),
    },
  ],
  [
    'dispatcher',
    {
      machine: dispatcher,
      input: () => ({ host: at(0), cores: [at(1), at(2)], timing }),
      events: fc.oneof(
        fc.record({ type: fc.constant('grid.launch'), launch: fc.constant(launch), cycle }),
        {
          weight: 3,
          arbitrary: fc.record({
            type: fc.constant('block.done'),
            core: fc.nat(1),
            block: fc.nat(1),
            statistics: fc.constant(noStatistics()),
            cycle,
          }),
        },
        fc.record({ type: fc.constant('core.fault'), core: fc.nat(1), why: fc.constant('E-MEM'), cycle }),
      ),
      // One kernel after the other, and nobody ends a block that was not given away.
      undecided: {
        idle: ['block.done', 'core.fault'],
        running: ['grid.launch'],
        failed: ['grid.launch'],
      },
    },
  ],
  ...(['queue', 'indexed'] as const).map((mode): [string, ContractSubject] => [
    `mailbox, ${mode}`,
    {
      machine: mailbox,
      input: () => ({
        own: [0, 1],
        mode,
        trustSource: mode === 'queue',
        carrier: at(9),
        inbox: [{ src: [0, 0], values: [4, 5] }],
      }),
      events: fc.oneof(
        fc.record({
          type: fc.constant('mailbox.request'),
          asker: fc.constant(1),
          ticket: fc.nat(3),
          items: fc.array(item, { minLength: 1, maxLength: 3 }),
          afterCycles: fc.nat(4),
          receiveCycles: fc.nat(1),
          cycle: fc.constant(9),
        }),
        fc.record({ type: fc.constant('message.arrived'), ...message, cycle: fc.constant(9) }),
      ),
    },
  ]),
  [
    'host of a GPU chiplet',
    {
      machine: host,
      input: hostInput(operations),
      events: hostEvents,
      undecided: undecidedWithout('ended'),
      unreached: ['ended'],
    },
  ],
  [
    'host that comes to its end',
    {
      machine: host,
      input: hostInput(operations.slice(0, 3)),
      events: hostEvents,
      undecided: undecidedWithout('exchanging'),
      unreached: ['exchanging'],
    },
  ],
  [
    'instant carrier',
    {
      machine: instantCarrier,
      input: () => ({ mailboxes: { '0,1': at(7) } }),
      events: fc.record({ type: fc.constant('message.send'), ...message }),
    },
  ],
  [
    'outside',
    {
      machine: outside,
      input: () => undefined,
      events: fc.record({ type: fc.constant('message.send'), ...message }),
    },
  ],
])('%s', (name, subject) => {
  // Contexts with resources are no JSON.
  const plain = ['memory channel', 'instant carrier', 'outside'].includes(name);
  for (const { sentence, failures } of contractOf(name, { runs: 25, ...subject }).filter(
    (one) => plain || !one.sentence.endsWith('its state survives JSON'),
  ))
    test(sentence, () => expect(failures()).toEqual([]));
});
