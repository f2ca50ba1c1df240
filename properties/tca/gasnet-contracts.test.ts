import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { ByteMemory } from '../../actors/common/byte-memory.ts';
import { addressOf } from '../../actors/tca/address-map.ts';
import { copier } from '../../actors/tca/copier.ts';
import type { GasnetCall } from '../../actors/tca/gasnet/calls.ts';
import { descriptorCache } from '../../actors/tca/gasnet/descriptor-cache.ts';
import { contiguous, headerOf, type Job } from '../../actors/tca/gasnet/job.ts';
import { headerBytes, type RingClass, segmentBase } from '../../actors/tca/gasnet/layout.ts';
import { notifyBoard } from '../../actors/tca/gasnet/notify-board.ts';
import { encodeHeader } from '../../actors/tca/gasnet/packet.ts';
import { packetRx } from '../../actors/tca/gasnet/packet-rx.ts';
import { packetTx } from '../../actors/tca/gasnet/packet-tx.ts';
import { planner } from '../../actors/tca/gasnet/planner.ts';
import { runtime } from '../../actors/tca/gasnet/runtime.ts';
import { stopDetector } from '../../actors/tca/gasnet/stop-detector.ts';
import { weightTable } from '../../actors/tca/gasnet/weight-table.ts';
import { writeCombiner } from '../../actors/tca/gasnet/write-combiner.ts';
import { gpuKernel } from '../../actors/tca/gpu-kernel.ts';
import { hostMemory } from '../../actors/tca/host-memory.ts';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address } from '../../kernel/message.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { gasnetLayout } from '../../machines/tca/gasnet.ts';
import { gasnetConfigOf } from './gasnet-runs.ts';
import { message } from './message.arbitrary.ts';

const at = (address: number) => address as Address;
const config = gasnetConfigOf({ slots: 2, slotBytes: 576, sendBufferBytes: 1024, splitMin: 256 });
const { layout } = gasnetLayout(config, config.gasnet!);
const { environment: _environment, ...options } = config.gasnet!;
const { parameters } = config;
const memories = { cpu: at(2), gpu: at(3) };
/** What a part says to itself, at the end of something that took it time. */
const turn = (type: string) => fc.constant({ type });

/** The events that are for one state of a part alone: answers come only to who has asked. All others are decided on in every state. */
function undecidedOf(
  machine: AnyStateMachine,
  absent: readonly string[] = [],
): Record<string, readonly string[]> {
  const handled = (node: object): readonly string[] => Object.keys((node as { on?: object }).on ?? {});
  const states = Object.entries(machine.config.states ?? {});
  const types = [...new Set(states.flatMap(([, state]) => handled(state as object)))];
  const always = new Set(handled(machine.config));
  // A state that is left at once is never met.
  const passed = (name: string) => absent.includes(name);
  return Object.fromEntries(
    states
      .filter(([name]) => !passed(name))
      .map(([name, state]): [string, readonly string[]] => [
        name,
        types.filter((type) => !always.has(type) && !handled(state as object).includes(type)),
      ])
      .filter(([, list]) => list.length > 0),
  );
}

const own = (kind: 'cpu' | 'gpu', offset = 0) => segmentBase(layout, 0, kind) + offset;
const theirs = (kind: 'cpu' | 'gpu', offset = 0) => segmentBase(layout, 1, kind) + offset;
const job = (data: Job['data'], kind: 'put' | 'short' | 'long' = 'put'): Job => ({
  target: 1,
  ring: 0,
  data,
  payload: new Uint8Array(0),
  header: headerOf(kind, { handler: 128 }),
  tellsLeft: false,
  urgent: true,
});
const move = (src: number, dst: number, size: number, dmaAble = true): Job['data'] => ({
  src,
  dst,
  shape: contiguous(size),
  srcDmaAble: dmaAble,
  dstDmaAble: true,
});
const jobs = [
  job(null, 'short'),
  job(move(own('gpu'), theirs('gpu'), 64)),
  job(move(own('gpu'), theirs('gpu'), 1024), 'long'),
  job(move(own('gpu', 4), theirs('gpu'), 512)),
  job(move(own('cpu'), theirs('gpu'), 32)),
];
const loaded = message('memory.loaded', { data: fc.constant(new Uint8Array(128)) });
const ringClass = fc.constantFrom<RingClass>(0, 1);
const header = (kind: 'put' | 'short' | 'medium' | 'get' | 'fragment' | 'memset', more: object = {}) => ({
  ...headerOf(kind, { handler: 128, args: [1, 0, 4, 1, 0, 0, 0], address: own('cpu'), total: 4, ...more }),
  bytes: 4,
  offset: headerBytes,
  source: 1,
  sequence: 0,
  last: true,
  urgent: false,
});
const headers = (['put', 'short', 'medium', 'get', 'fragment', 'memset'] as const).map((kind) =>
  header(kind),
);
/** Announces a transfer with one part on a further channel. */
const counted = { ...header('put'), args: [0, 1, 0, 0] };
/** Tells of slots that the peer has freed. */
const telling = { ...header('short', { args: [1] }), freed: [3, 1] as const };
const gasnetCalls: readonly GasnetCall[] = [
  { call: 'init' },
  { call: 'attach', handlers: [128], cpuBytes: 4096, gpuBytes: 4096 },
  { call: 'poll' },
  { call: 'await' },
  { call: 'awaitPuts', source: 1, count: 1 },
  { call: 'put', form: 'blocking', bulk: true, src: own('cpu'), dst: own('cpu', 64), shape: contiguous(8) },
  { call: 'put', form: 'nb', bulk: true, src: own('cpu'), dst: theirs('cpu', 64), shape: contiguous(8) },
  { call: 'request', target: 1, kind: 'short', handler: 128, args: [], src: 0, bytes: 0, dst: 0 },
  { call: 'request', target: 0, kind: 'short', handler: 128, args: [], src: 0, bytes: 0, dst: 0 },
  { call: 'reply', kind: 'short', handler: 128, args: [], src: 0, bytes: 0, dst: 0 },
  { call: 'handled' },
  { call: 'handled' },
  { call: 'barrierNotify', id: 1, flags: 0 },
];

/** Contexts that hold bytes: JSON does not know them, and a persistent snapshot refuses bytes outside of resources (KRN007). */
const exceptBytes = ['its state survives JSON', 'a persistent snapshot goes on as if it had never stopped'];
const plain = new Set(['notify board', 'sender', 'weights', 'stops', 'cache', 'GPU']);

const subjects: [string, ContractSubject][] = [
  [
    'notify board',
    {
      machine: notifyBoard,
      input: () => ({
        node: 0,
        senders: [[], [at(4), at(5)]],
        receivers: [[], [at(6), at(7)]],
        planner: at(8),
        runtime: at(9),
      }),
      events: fc.oneof(
        message('flag.set', { source: fc.constant(1), slot: fc.nat(8), value: fc.nat(9) }),
        message('flag.set', { source: fc.constant(0), slot: fc.nat(3), value: fc.nat(9) }),
      ),
    },
  ],
  [
    'sender',
    {
      machine: packetTx,
      input: () => ({ peer: 1, ring: 0, slots: 2, planner: at(8), runtime: at(9) }),
      events: fc.oneof(
        { weight: 3, arbitrary: message('tx.reserve', {}) },
        { weight: 3, arbitrary: message('tx.posted', { channels: fc.constantFrom([], [0]) }) },
        message('ring.freed', { freed: fc.nat(4) }),
      ),
      undecided: undecidedOf(packetTx),
    },
  ],
  [
    'receiver',
    {
      machine: packetRx,
      input: () => ({
        node: 0,
        peer: 1,
        ring: 0,
        layout,
        update: 'half',
        parameters,
        memory: at(2),
        pio: at(10),
        runtime: at(9),
        planner: at(8),
        senders: [at(4), at(5)],
      }),
      runs: effort({ short: 80, long: 200 }),
      eventsMax: 60,
      events: fc.oneof(
        message('ring.head', { head: fc.nat(12) }),
        message('ring.part', { channel: fc.nat(3), count: fc.nat(2) }),
        message('ring.told', { done: fc.nat(12) }),
        { weight: 3, arbitrary: message('packet.take', {}) },
        {
          weight: 4,
          arbitrary: message('memory.loaded', {
            data: fc.constantFrom(
              ...[...headers, counted, telling].map((one) =>
                Uint8Array.of(...encodeHeader(one), ...new Uint8Array(64)),
              ),
            ),
          }),
        },
        { weight: 3, arbitrary: message('packet.done', {}) },
        { weight: 2, arbitrary: message('pio.done', {}) },
        turn('packet.turn'),
      ),
      undecided: undecidedOf(packetRx),
    },
  ],
  [
    'cache',
    {
      machine: descriptorCache,
      input: () => ({ entries: 2, planner: at(8) }),
      events: fc.oneof(
        message('cache.find', { key: fc.constantFrom('a', 'b', 'c') }),
        message('cache.keep', { key: fc.constantFrom('a', 'b', 'c'), parts: fc.constant([]) }),
        message('cache.release', { keys: fc.subarray(['a', 'b', 'c']) }),
      ),
    },
  ],
  [
    'weights',
    {
      machine: weightTable,
      input: () => ({ tagsPerChannel: [32, 16, 8, 8], channels: [0, 1], planner: at(8) }),
      events: fc.oneof(
        message('weights.ask', {
          pattern: fc.constantFrom('a', 'b'),
          amount: fc.constant(4096),
          unit: fc.constant(128),
        }),
        message('weights.note', {
          pattern: fc.constantFrom('a', 'b'),
          round: fc.record({
            split: fc.constant([2048, 2048, 0, 0]),
            totalNs: fc.integer({ min: 1, max: 50 }),
            channelNs: fc.constant([10, 20, 1, 1]),
          }),
        }),
      ),
    },
  ],
  [
    'stops',
    {
      machine: stopDetector,
      input: () => ({
        planner: at(8),
        dmacs: [12, 13, 14, 15].map(at),
        stopDetect: 'counter',
        parameters,
      }),
      events: fc.oneof(
        {
          weight: 3,
          arbitrary: message('stop.ask', {
            channels: fc.constantFrom([0], [0, 1], [1]),
            taken: fc.boolean(),
          }),
        },
        message('stop.started', { channels: fc.constantFrom([0], [0, 1]) }),
        message('chain.done', { channel: fc.nat(1), count: fc.nat(3) }),
        message('channel.error', { channel: fc.nat(1), code: fc.constant('EUR') }),
        message('writes.taken', { channel: fc.nat(1) }),
        { weight: 4, arbitrary: turn('stop.turn') },
      ),
      undecided: undecidedOf(stopDetector, ['idealStop', 'choosing']),
      unreached: ['idealStop'],
    },
  ],
  [
    'write combiner',
    {
      machine: writeCombiner,
      input: () => ({ node: 0, router: at(16), parameters }),
      events: fc.oneof(
        message('pio.store', {
          stores: fc.array(
            fc.record({ address: fc.constant(theirs('cpu')), data: fc.constant(new Uint8Array(8)) }),
            {
              minLength: 1,
              maxLength: 3,
            },
          ),
        }),
        { weight: 2, arbitrary: turn('pio.turn') },
      ),
      undecided: undecidedOf(writeCombiner),
    },
  ],
  [
    'copier',
    {
      machine: copier,
      input: () => ({ memories }),
      events: fc.oneof(
        {
          weight: 2,
          arbitrary: message('copy.job', {
            src: fc.constant(own('cpu')),
            dst: fc.constantFrom(own('cpu', 8), own('gpu')),
            bytes: fc.nat(64),
          }),
        },
        message('copy.job', {
          src: fc.constant(own('cpu')),
          dst: fc.constant(own('cpu', 8)),
          bytes: fc.nat(64),
          value: fc.nat(9),
        }),
        loaded,
        turn('copy.turn'),
        message('memory.stored', {}),
      ),
      undecided: undecidedOf(copier),
    },
  ],
  [
    'GPU',
    {
      machine: gpuKernel,
      input: () => ({}),
      events: fc.oneof(message('kernel.launch', { ns: fc.nat(90) }), turn('kernel.turn')),
      undecided: undecidedOf(gpuKernel),
    },
  ],
  [
    'memory with local access',
    {
      machine: hostMemory,
      input: () => ({
        down: at(19),
        cpu: at(20),
        readLatency: 3,
        completionBytes: 64,
        size: 64,
        bytes: new ByteMemory(256),
      }),
      events: fc.oneof(
        message('memory.load', {
          addr: fc.nat(60).map((k) => addressOf(0, 'cpu', k)),
          bytes: fc.nat(12),
        }),
        message('memory.store', {
          addr: fc.nat(60).map((k) => addressOf(0, 'cpu', k)),
          data: fc.uint8Array({ maxLength: 9 }),
        }),
        message('tlp.write', {
          addr: fc.nat(50).map((k) => addressOf(0, 'cpu', k)),
          data: fc.uint8Array({ minLength: 4, maxLength: 8 }),
          source: fc.constant(1),
          channel: fc.constant(0),
          seq: fc.constant(0),
        }),
        message('tlp.read', {
          addr: fc.nat(50).map((k) => addressOf(0, 'cpu', k)),
          bytes: fc.constant(4),
          tag: fc.constant(0),
          channel: fc.constant(0),
          requester: fc.constant(at(1)),
        }),
      ),
    },
  ],
  [
    'planner',
    {
      machine: planner,
      input: () => ({
        node: 0,
        layout,
        options,
        parameters,
        senders: [[], [at(4), at(5)]],
        dmacs: [12, 13, 14, 15].map(at),
        memories,
        copier: at(17),
        pio: at(10),
        cache: at(21),
        weights: at(22),
        stops: at(11),
        runtime: at(9),
        receivers: [[], [at(6), at(7)]],
      }),
      runs: effort({ short: 120, long: 300 }),
      eventsMax: 80,
      events: fc.oneof(
        { weight: 3, arbitrary: message('transfer.begin', { job: fc.constantFrom(...jobs) }) },
        message('transfer.resume', {}),
        message('ring.done', { peer: fc.constant(1), ring: ringClass, done: fc.nat(9) }),
        {
          weight: 3,
          arbitrary: message('tx.slot', { sequence: fc.nat(5), behind: fc.constantFrom([], [0]) }),
        },
        message('tx.full', { sequence: fc.nat(5) }),
        { weight: 2, arbitrary: message('cache.found', { parts: fc.constant(null) }) },
        message('cache.found', {
          parts: fc.constant([
            { channel: 0, data: [{ src: own('gpu'), dst: theirs('gpu'), ...contiguous(64) }] },
          ]),
        }),
        {
          weight: 2,
          arbitrary: message('weights.split', {
            split: fc.constantFrom([512, 512, 0, 0], [1024, 0, 0, 0]),
            tuning: fc.boolean(),
          }),
        },
        { weight: 3, arbitrary: message('stop.known', {}) },
        { weight: 2, arbitrary: message('self.notified', { channel: fc.nat(1), count: fc.nat(4) }) },
        { weight: 2, arbitrary: message('copy.done', {}) },
        { weight: 2, arbitrary: message('memory.stored', {}) },
        { weight: 2, arbitrary: loaded },
        { weight: 2, arbitrary: message('pio.done', {}) },
        { weight: 5, arbitrary: turn('planner.turn') },
      ),
    },
  ],
  [
    'runtime',
    {
      machine: runtime,
      input: () => ({
        node: 0,
        layout,
        options,
        parameters,
        cpu: at(0),
        planner: at(8),
        copier: at(17),
        pio: at(10),
        memories,
        receivers: [
          [at(9), at(9)],
          [at(6), at(7)],
        ],
      }),
      runs: effort({ short: 120, long: 300 }),
      eventsMax: 90,
      events: fc.oneof(
        { weight: 8, arbitrary: message('gasnet.call', { call: fc.constantFrom(...gasnetCalls) }) },
        { weight: 3, arbitrary: message('runtime.turn', {}) },
        { weight: 2, arbitrary: message('packet.ready', { peer: fc.constant(1), ring: ringClass }) },
        {
          weight: 4,
          arbitrary: message('packet.content', {
            peer: fc.constant(1),
            ring: ringClass,
            header: fc.constantFrom(...headers, { ...header('put'), kind: 'attach', args: [4096, 4096] }),
            payload: fc.constant(new Uint8Array(4)),
            slot: fc.constant(addressOf(0, 'cpu', 0)),
          }),
        },
        { weight: 3, arbitrary: message('packet.freed', {}) },
        message('tx.freed', { peer: fc.constant(1), ring: ringClass, freed: fc.nat(6) }),
        message('self.notified', { channel: fc.nat(1), count: fc.nat(4) }),
        { weight: 5, arbitrary: message('transfer.started', { sequence: fc.nat(5), left: fc.constant([]) }) },
        message('transfer.blocked', { peer: fc.constant(1), ring: ringClass, sequence: fc.nat(6) }),
        { weight: 2, arbitrary: message('copy.done', {}) },
        message('memory.stored', {}),
        message('memory.loaded', { data: fc.constant(new Uint8Array(4)) }),
        message('pio.done', {}),
      ),
    },
  ],
];

/** The two large parts ask for one answer at a time: which states random events lead to is not what is checked of them. */
const asksOne = new Set(['planner', 'runtime']);

describe.each(subjects)('%s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, {
    runs: effort({ short: 30, long: 60 }),
    ...subject,
  }).filter(
    (one) =>
      (plain.has(name) || !exceptBytes.some((end) => one.sentence.endsWith(end))) &&
      !(asksOne.has(name) && one.sentence.includes('every state decides')),
  ))
    test(sentence, () => expect(failures()).toEqual([]));
});
