import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockPlace } from '../../actors/chiplet/gpu/block-place.ts';
import { dispatcher } from '../../actors/chiplet/gpu/dispatcher.ts';
import { fastSimtCore } from '../../actors/chiplet/gpu/fast/simt-core.ts';
import { host } from '../../actors/chiplet/gpu/host.ts';
import {
  gpuHostCosts,
  type HostAnswer,
  type HostOperation,
} from '../../actors/chiplet/gpu/host-operations.ts';
import { mailbox } from '../../actors/chiplet/gpu/mailbox.ts';
import { memoryChannel } from '../../actors/chiplet/gpu/memory-channel.ts';
import { memoryLoad } from '../../actors/chiplet/gpu/memory-load.ts';
import { chipletProtocol } from '../../actors/chiplet/gpu/protocol.ts';
import { simtCore } from '../../actors/chiplet/gpu/simt-core.ts';
import { simtWarp } from '../../actors/chiplet/gpu/simt-warp.ts';
import { noStatistics } from '../../actors/chiplet/gpu/statistics.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { outside } from '../../actors/chiplet/outside.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { Program } from '../../actors/common/program.ts';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address } from '../../kernel/message.ts';
import type { AnyRole } from '../../kernel/protocol/protocol.ts';
import { fixed } from '../../kernel/resource.ts';
import { instantCarrier } from './testing/instant-carrier.ts';

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

/** Kernels that are soon at what a core does besides arithmetic. */
const { kernels: shortKernels } = compilePtx([
  {
    file: 'short.ptx',
    text: `.version 7.0
.target sm_75
.global .align 4 .b32 words[64];
.visible .entry meets()
{
  bar.sync 0;
  ret;
}
.visible .entry loads()
{
  .reg .b32 %r<3>;
  ld.global.u32 %r1, [words];
  ret;
}
.visible .entry sends()
{
  .reg .b32 %r<3>;
  addc.u32 %r1, 100000, 5;
  ret;
}
.visible .entry ends()
{
  ret;
}
.visible .entry traps()
{
  trap;
}`,
  },
]);
type ShortKernel = 'meets' | 'loads' | 'sends' | 'ends' | 'traps';
const shortLaunch = (name: ShortKernel) =>
  fixed(launchOf(shortKernels.get(name)!, [2, 1, 1], [32, 1, 1], []));
const early = fc.constantFrom(1, 1, 1, 2, 2, 3);
const first = fc.constant(1);

/** What a core hears from outside and from its warps, loads and blocks, in few cycles. */
const wholeCoreEvents = (kernels: readonly ShortKernel[]) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        type: fc.constant('block.assign'),
        launch: fc.constantFrom(...kernels.map(shortLaunch)),
        number: first,
        block: fc.nat(1),
        cycle: first,
      }),
    },
    { weight: 36, arbitrary: fc.record({ type: fc.constant('core.turn'), cycle: early }) },
    {
      weight: 24,
      arbitrary: fc.record({ type: fc.constant('memory.data'), request: fc.constant(0), cycle: early }),
    },
    // One that nobody has asked for throws, which ends a sequence.
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('mailbox.answer'),
        ticket: fc.constant(0),
        values,
        cycle: early,
      }),
    },
    {
      weight: 60,
      arbitrary: fc.record({
        type: fc.constant('warp.line'),
        slot: fc.constant(0),
        waits: fc.constantFrom('turn', 'turn', 'turn', 'result', 'memory'),
        unit: fc.constant(0),
        from: first,
        cycle: early,
      }),
    },
    { weight: 20, arbitrary: fc.record({ type: fc.constant('load.noted'), cycle: early }) },
    {
      weight: 60,
      arbitrary: fc.record({
        type: fc.constant('load.over'),
        load: fc.constant(0),
        slot: fc.constant(0),
        age: fc.nat(1),
        usable: early,
        cycle: early,
      }),
    },
    { weight: 20, arbitrary: fc.record({ type: fc.constant('block.noted'), cycle: early }) },
  );
const wholeCore = (changes: Partial<GpuTiming>) => () => ({
  ...core({ warpsPerCore: 32, ...changes })(),
  warps: at(2 ** 20),
  loads: at(2 ** 21),
  blocks: at(3 * 2 ** 20),
});

/** Types that each state does not decide on: what a core and those inside it say to each other, each says only where it is meant. */
const undecidedBut = (types: readonly string[], decided: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(decided).map(([state, known]) => [state, types.filter((one) => !known.includes(one))]),
  );
const outsideTypes = ['block.assign', 'core.turn', 'memory.data', 'mailbox.answer'];
const coreDecides = {
  'resting.idle': outsideTypes,
  'resting.counting': outsideTypes,
  'resting.waiting': outsideTypes,
  'entering.block': ['block.noted'],
  'entering.warps.telling': ['warp.line'],
  'filling.telling': ['load.noted', 'load.over'],
  'filling.completing': ['warp.line'],
  answering: ['warp.line'],
  'turn.waking.telling': ['warp.line'],
  'turn.loading': ['load.noted'],
  'turn.issued': ['warp.line'],
  'meeting.gathering': ['block.noted'],
  'meeting.releasing.telling': ['warp.line'],
  'meeting.ending': ['block.noted'],
  'meeting.clearing.telling': ['warp.line'],
  'stopping.clearing': ['warp.line', 'load.noted', 'block.noted'],
  failed: outsideTypes,
};
const wholeCoreSubject = (
  changes: Partial<GpuTiming>,
  kernels: readonly ShortKernel[],
  unreached: readonly (keyof typeof coreDecides)[],
): ContractSubject => ({
  machine: simtCore,
  input: wholeCore(changes),
  events: wholeCoreEvents(kernels),
  runs: 100,
  eventsMax: 80,
  undecided: undecidedBut(
    [...outsideTypes, 'warp.line', 'load.noted', 'load.over', 'block.noted'],
    Object.fromEntries(
      Object.entries(coreDecides).filter(([state]) => !unreached.some((one) => one === state)),
    ),
  ),
  unreached,
});

const needs = fc.constantFrom({ registers: [1, 2], unit: 1 }, { registers: [3], unit: 3 });
const loadAddress = fc.constantFrom(8, 9);
const age = fc.nat(1);
const clear = fc.record({ type: fc.constant('place.clear'), cycle });
const warpTypes = ['warp.enter', 'warp.issue', 'warp.due', 'barrier.open', 'message.values'];

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

/** The roles of parts by the beginnings of the names of their subjects. */
const { Core, Dispatcher, Mailbox, Host, Channel, Outside } = chipletProtocol.roles;
const rolesByName: readonly (readonly [string, AnyRole])[] = [
  ['fast core', Core],
  ['core', Core],
  ['warp', chipletProtocol.roles['Core.Warp']],
  ['load', chipletProtocol.roles['Core.Load']],
  ['block', chipletProtocol.roles['Core.Block']],
  ['memory channel', Channel],
  ['dispatcher', Dispatcher],
  ['mailbox', Mailbox],
  ['host', Host],
  ['instant carrier', Outside],
  ['outside', Outside],
];
const roleOf = (name: string): AnyRole => rolesByName.find(([begins]) => name.startsWith(begins))![1];

describe.each<[string, ContractSubject]>([
  ['fast core', { machine: fastSimtCore, input: core({}), events: coreEvents, unreached: ['failed'] }],
  [
    'fast core whose order of warps is a choice',
    { machine: fastSimtCore, input: core({ scheduler: 'any' }), events: coreEvents, unreached: ['failed'] },
  ],
  [
    'core whose warps load',
    wholeCoreSubject(
      {},
      ['loads', 'loads', 'loads', 'loads', 'traps'],
      ['answering', 'meeting.gathering', 'meeting.releasing.telling'],
    ),
  ],
  [
    'core whose order of warps is a choice, and whose warps meet and send',
    wholeCoreSubject(
      { scheduler: 'any' },
      ['meets', 'meets', 'sends', 'sends', 'ends', 'ends', 'ends'],
      ['filling.telling', 'filling.completing', 'turn.loading', 'stopping.clearing', 'failed'],
    ),
  ],
  [
    'warp',
    {
      machine: simtWarp,
      input: () => ({ core: at(1), mailbox: at(7), slot: 3 }),
      events: fc.oneof(
        fc.record({ type: fc.constant('warp.enter'), age, block: fc.constant(at(5)), needs, cycle }),
        {
          weight: 4,
          arbitrary: fc.record({
            type: fc.constant('warp.issue'),
            outcome: fc.constantFrom('goesOn', 'goesOn', 'barrier', 'message', 'finished'),
            results: fc.constantFrom([], [1], [2, 3]),
            usable: cycle,
            load: fc.constantFrom(null, null, 8, 9),
            needs,
            from: cycle,
            cycle,
          }),
        },
        fc.record({ type: fc.constant('warp.due'), cycle }),
        fc.record({ type: fc.constantFrom('barrier.open', 'message.values'), needs, from: cycle, cycle }),
        fc.record({
          type: fc.constant('message.values'),
          needs: fc.option(needs),
          from: cycle,
          cycle,
        }),
        fc.record({ type: fc.constant('load.complete'), load: loadAddress, age, usable: cycle, cycle }),
        clear,
      ),
      undecided: undecidedBut(warpTypes, {
        free: ['warp.enter'],
        waitingForMemory: [],
        waitingForResult: ['warp.due'],
        waitingForTarget: ['warp.due'],
        ready: ['warp.issue'],
        waitingForBarrier: ['barrier.open'],
        waitingForMessage: ['message.values'],
        finished: [],
      }),
    },
  ],
  [
    'load',
    {
      machine: memoryLoad,
      input: () => ({ core: wholeCore({})(), load: 2 }),
      events: fc.oneof(
        fc.record({
          type: fc.constant('load.open'),
          slot: fc.nat(3),
          age,
          segments: fc.constantFrom([4], [4, 5]),
          usable: cycle,
          cycle,
        }),
        {
          weight: 2,
          arbitrary: fc.record({ type: fc.constant('segment.came'), segment: fc.constantFrom(4, 5), cycle }),
        },
        clear,
      ),
      undecided: { free: ['segment.came'], awaitingSegments: ['load.open'] },
    },
  ],
  [
    'block',
    {
      machine: blockPlace,
      input: () => at(1),
      events: fc.oneof(
        fc.record({ type: fc.constant('block.enter'), number: fc.nat(3), cycle }),
        {
          weight: 3,
          arbitrary: fc.record({
            type: fc.constant('block.gather'),
            waiting: fc.constantFrom([], [3], [3, 4]),
            missing: fc.constantFrom([], [5]),
            cycle,
          }),
        },
        clear,
      ),
      undecided: { free: ['block.gather'], running: ['block.enter'], gathering: ['block.enter'] },
    },
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
  const plain = ['memory channel', 'instant carrier', 'outside', 'warp', 'block'].includes(name);
  for (const { sentence, failures } of contractOf(name, {
    runs: 25,
    speaks: roleOf(name),
    ...subject,
  }).filter((one) => plain || !one.sentence.endsWith('its state survives JSON')))
    test(sentence, () => expect(failures()).toEqual([]));
});
