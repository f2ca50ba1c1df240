import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteMemory } from '../../actors/common/byte-memory.ts';
import { programOf } from '../../actors/common/program.ts';
import { addressOf, notifySlots } from '../../actors/tca/address-map.ts';
import { cpu } from '../../actors/tca/cpu.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import { dmac } from '../../actors/tca/dmac.ts';
import { hostMemory } from '../../actors/tca/host-memory.ts';
import { hostSwitch } from '../../actors/tca/host-switch.ts';
import { link } from '../../actors/tca/link.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';
import { pioWindow } from '../../actors/tca/pio-window.ts';
import { tcaProtocol } from '../../actors/tca/protocol.ts';
import { registerFile } from '../../actors/tca/register-file.ts';
import { router } from '../../actors/tca/router.ts';
import { tagPool } from '../../actors/tca/tag-pool.ts';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address } from '../../kernel/message.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { tcaParameters } from '../../machines/tca/config.ts';

const { roles } = tcaProtocol;
const at = (address: number) => address as Address;
const parameters = tcaParameters.parse({ tagsPerChannel: [2, 1, 1, 1], stopTail: 1 });
const bytes = fc.uint8Array({ minLength: 4, maxLength: 8 });
const size = 64;
const offset = fc.nat(6).map((k) => 8 * k);

const addr = fc.record({ node: fc.nat(1), region: fc.constantFrom('cpu' as const, 'gpu' as const), offset });
const address = addr.map((one) => addressOf(one.node, one.region, one.offset));
const block = (src: number, bytesOfBlock: number, count = 1): Descriptor => ({
  src,
  dst: addressOf(1, 'gpu', src % 16),
  size: bytesOfBlock,
  count,
  srcStride: 16,
  dstStride: 32,
});
const chain: readonly Descriptor[] = [
  block(addressOf(0, 'cpu', 0), 8, 2),
  { ...block(0, 8), data: new Uint8Array(8).fill(1) },
];
const ranges = { nodes: 2, cpu: 64 + 8 * 256, gpu: 64 };
const short: readonly Descriptor[] = [block(addressOf(0, 'cpu', 0), 8)];
const slow = chain.map((one) => ({ ...one, pipeline: false, useInternal: false }));
const remote: readonly Descriptor[] = [block(addressOf(1, 'cpu', 0), 8)];
const ownWord = addressOf(0, 'cpu', 8);
const inCpuMemory = fc.nat(24).map((offset) => addressOf(0, 'cpu', offset));
const operations: readonly NodeOperation[] = [
  { op: 'now' },
  { op: 'read', address: ownWord, bytes: 4 },
  { op: 'counter', channel: 0 },
  { op: 'launch', ns: 4 },
  { op: 'join' },
  { op: 'write', address: ownWord, data: new Uint8Array(4) },
  { op: 'copy', src: ownWord, dst: ownWord, bytes: 4 },
  { op: 'register', register: 'busy', channel: 0 },
  { op: 'reset', channel: 1 },
  { op: 'start', channel: 0, chain },
  { op: 'start', channel: 0, chain },
  { op: 'start', channel: 1, chain: [] },
  { op: 'compute', ns: 8 },
  { op: 'pio', address: addressOf(1, 'cpu', 0), data: new Uint8Array(8) },
  { op: 'pio', address: addressOf(1, 'cpu', 0), data: new Uint8Array(68) },
  { op: 'wait', flags: [{ source: 1, slot: 0 }] },
  { op: 'stopped', channels: [] },
  { op: 'stopped', channels: [0, 1] },
  { op: 'wait', flags: [0, 1].map((slot) => ({ source: 0, slot })) },
  { op: 'stopped', channels: [0] },
];
const stopped: NodeOperation = { op: 'stopped', channels: [] };
const cpuInput =
  (stopDetect: 'counter' | 'ideal', program: readonly NodeOperation[], more: object = {}) =>
  () => ({
    node: 0,
    dmacs: [1, 2, 3, 4].map(at),
    router: at(6),
    registers: at(7),
    ranges,
    strict: true,
    memories: { cpu: at(8), gpu: at(9) },
    copier: at(10),
    gpu: at(11),
    program: programOf<NodeOperation, NodeAnswer>(program),
    parameters,
    stopDetect,
    ...more,
  });
/** Only turns and answers that the processor has asked for come to it. */
const cpuAnswers: Readonly<Record<string, readonly string[]>> = {
  turn: ['cpu.turn'],
  memory: ['memory.loaded', 'memory.stored', 'copy.done'],
  runtime: ['gasnet.return'],
  register: ['mmio.answer'],
};
const cpuAwaits: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['idle', 'seeing', 'asking', 'sampled', 'sampling', 'counted'].map((state) => [state, ['turn']]),
  ),
  working: ['turn'],
  askingRegister: ['register'],
  accessing: ['memory'],
  calling: ['runtime'],
  waiting: [],
  joining: [],
  idealStop: [],
};
const cpuUndecided = (...absent: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(cpuAwaits)
      .filter(([state]) => !absent.includes(state))
      .map(([state, awaited]) => [
        state,
        Object.entries(cpuAnswers).flatMap(([kind, types]) => (awaited.includes(kind) ? [] : types)),
      ]),
  );

/** States of a processor that only starts chains and asks for their stop. */
const notOfStops = [
  'asking',
  'sampled',
  'accessing',
  'askingRegister',
  'calling',
  'joining',
  'sampling',
  'counted',
];

/** Contexts that hold bytes or maps, which JSON does not know. */
const exceptBytes = ['its state survives JSON'];
const plain = new Set(['register file', 'tag pool', 'host switch', 'memory']);

const credits = { writeHeaders: 2, writeUnits: 2, readHeaders: 1 };
const linkInput = (ingress?: { bytes: number; numerator: number; denominator: number }) => () => ({
  far: at(8),
  farPort: 2,
  credits,
  queueOf: { router: at(9), port: 1 },
  writeLatency: 16,
  otherLatency: 0,
  overhead: { read: 24, completion: 20, write: 24 },
  ...(ingress && { ingress }),
});
/** Small values of fields, so that messages have to do with each other. */
const values = {
  addr: address,
  data: bytes,
  'tlp.read.bytes': fc.constantFrom(4, 8),
  'memory.load.bytes': fc.nat(8),
  tag: fc.nat(2),
  channel: fc.nat(1),
  offset: fc.constantFrom(0, 4),
  seq: fc.nat(4),
  input: fc.constant(undefined),
  chain: fc.constantFrom(chain, slow, short, short, remote),
  slot: fc.nat(1),
  count: fc.nat(2),
  port: fc.nat(1),
  kind: fc.constantFrom('P', 'NP'),
  headers: fc.constant(1),
  units: fc.constant(1),
  error: fc.constantFrom(null, 'EUR'),
  code: fc.constant('EUR'),
  'cpu.exit.code': fc.nat(2),
  'memory.loaded.data': fc.constant(new Uint8Array(4)),
  'mmio.answer.value': fc.nat(1),
};
const members = { Cpu: [0, 1], Dmac: [5] };
const ofCpu = {
  speaks: roles.Cpu,
  weights: {
    'cpu.turn': 12,
    'gasnet.return': 3,
    'memory.loaded': 3,
    'flag.set': 3,
    'chain.done': 3,
    'mmio.answer': 3,
  },
};
/** Only turns that have been asked for come. */
const ofLink = { speaks: roles.Link, undecided: { idle: ['link.turn'], noCredit: ['link.turn'] } };

describe.each<[string, ContractSubject]>([
  [
    'channel of the DMA controller',
    {
      machine: dmac,
      input: () => ({
        node: 0,
        channel: 1,
        tags: at(5),
        router: at(6),
        cpu: at(0),
        registers: at(7),
        ranges,
        strict: false,
        seed: 3,
        parameters,
      }),
      runs: effort({ short: 80, long: 200 }),
      eventsMax: 60,
      speaks: roles.Dmac,
      weights: { 'dmac.doorbell': 2, 'dmac.turn': 6, 'tag.grant': 6, 'tag.free': 2 },
      // A tag comes only to a channel that has asked for one, or had before it failed.
      undecided: Object.fromEntries(
        ['idle', 'start', 'pause', 'stall', 'fetch', 'drain', 'stopping'].map((state) => [
          state,
          ['tag.grant'],
        ]),
      ),
    },
  ],
  [
    'tag pool',
    {
      machine: tagPool,
      input: () => ({ tagsPerChannel: [2, 1, 1, 1] }),
      speaks: roles.TagPool,
      values: { channel: fc.nat(3) },
      weights: { 'tag.take': 2 },
    },
  ],
  [
    'router',
    {
      machine: router,
      input: () => ({
        node: 0,
        links: { N: at(2), E: at(3) },
        senders: { N: at(4), E: at(5) },
        dmacs: [6, 7, 8, 9].map(at),
        ports: ['N', 'E'],
        // No time passes here: what comes is across the chip at once, and finds no second place on the ring.
        transmitPackets: 1,
        parameters: { ...parameters, chipOut: 0, chipTransit: 0 },
      }),
      speaks: roles.Router,
      weights: { 'tlp.write': 4, 'router.turn': 2 },
    },
  ],
  [
    'host switch',
    {
      machine: hostSwitch,
      input: () => ({ up: at(1), cpu: at(2), gpu: at(3) }),
      speaks: roles.HostSwitch,
    },
  ],
  [
    'PIO window',
    {
      machine: pioWindow,
      input: () => ({ router: at(1), credits }),
      speaks: roles.PioWindow,
    },
  ],
  [
    'register file',
    {
      machine: registerFile,
      input: () => ({ dmacs: [1, 2, 3, 4].map(at), seed: 5, parameters }),
      speaks: roles.RegisterFile,
      values: { channel: fc.nat(3) },
    },
  ],
  [
    'memory',
    {
      machine: hostMemory,
      input: () => ({
        down: at(2),
        cpu: at(0),
        readLatency: 3,
        completionBytes: 64,
        size: 32,
        bytes: new ByteMemory(size + 8 * notifySlots),
      }),
      speaks: roles.Memory,
      values: { 'memory.load.addr': inCpuMemory, 'memory.store.addr': inCpuMemory },
    },
  ],
  [
    'link',
    {
      machine: link,
      input: linkInput(),
      ...ofLink,
      weights: { 'link.turn': 5 },
    },
  ],
  [
    'link to a GPU with a small buffer',
    {
      machine: link,
      input: linkInput({ bytes: 12, numerator: 1, denominator: 4 }),
      ...ofLink,
      // Reads never wait for the buffer.
      weights: { 'tlp.read': 0, 'tlp.completion': 0, 'tlp.write': 6, 'link.turn': 6 },
      runs: effort({ short: 80, long: 200 }),
      eventsMax: 40,
    },
  ],
  [
    'processor that polls counters',
    {
      machine: cpu,
      input: cpuInput('counter', operations),
      ...ofCpu,
      undecided: cpuUndecided('idealStop', 'calling'),
      unreached: ['idealStop', 'calling'],
      runs: effort({ short: 100, long: 300 }),
      eventsMax: 120,
    },
  ],
  [
    'processor that knows of stops',
    {
      machine: cpu,
      input: cpuInput('ideal', [
        stopped,
        { op: 'start', channel: 0, chain },
        { op: 'stopped', channels: [0] },
        { op: 'wait', flags: [{ source: 1, slot: 0 }] },
      ]),
      runs: effort({ short: 60, long: 120 }),
      eventsMax: 60,
      ...ofCpu,
      undecided: cpuUndecided(...notOfStops),
      unreached: notOfStops,
    },
  ],
  [
    'processor under GASNet',
    {
      machine: cpu,
      input: cpuInput(
        'counter',
        [
          { op: 'start', channel: 0, chain: short },
          { op: 'gasnet', call: { call: 'poll' } },
          { op: 'read', address: ownWord, bytes: 4 },
          { op: 'gasnet', call: { call: 'init' } },
        ],
        { runtime: at(11) },
      ),
      runs: effort({ short: 60, long: 120 }),
      eventsMax: 60,
      ...ofCpu,
      undecided: Object.fromEntries(
        Object.entries(cpuUndecided()).filter(([state]) => ['idle', 'calling', 'accessing'].includes(state)),
      ),
      unreached: [
        'joining',
        'sampling',
        'counted',
        'working',
        'askingRegister',
        'waiting',
        'seeing',
        'asking',
        'sampled',
        'idealStop',
      ],
    },
  ],
])('%s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, {
    runs: 30,
    members,
    ...subject,
    values: { ...values, ...subject.values },
  }).filter((one) => plain.has(name) || !exceptBytes.some((end) => one.sentence.endsWith(end))))
    test(sentence, () => expect(failures()).toEqual([]));
});
