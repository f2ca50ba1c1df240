import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryBase } from '../../actors/sunway/address/space.ts';
import { cpe } from '../../actors/sunway/cpe/cpe.ts';
import type { CpeInput } from '../../actors/sunway/cpe/cpe-state.ts';
import { mpe } from '../../actors/sunway/mpe/mpe.ts';
import type { MpeInput } from '../../actors/sunway/mpe/mpe-state.ts';
import type { MpeApi, MpeOperation } from '../../actors/sunway/mpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { sunwayProtocol } from '../../actors/sunway/protocol.ts';
import { timingTable } from '../../actors/sunway/timing/timing-table.ts';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address } from '../../kernel/message.ts';
import { fixed } from '../../kernel/resource.ts';

const address = (place: number) => place as Address;
const { roles } = sunwayProtocol;
const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
const routes = [{ first: memoryBase, bytes: 4096, to: address(9) }];

/** What a state leaves undecided: everything that it does not say, and that is not decided everywhere. */
const undecidedOf = (
  everything: readonly string[],
  decided: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(decided).map(([leaf, types]) => [leaf, everything.filter((one) => !types.includes(one))]),
  );

/** Small programs of a CPE: each leads to states of its own. */
const programs: readonly CpeProgram[] = [
  function* (c) {
    yield c.compute(3);
  },
  function* (c) {
    const own = c.ldmStatic('own', 64, 64);
    const reply = c.rply();
    yield c.dma_iget(own, memoryBase, 8, reply);
    yield c.dma_wait_value(reply, 1);
  },
  function* (c) {
    yield c.ssync_row();
    yield c.ssync_master_spe();
  },
  function* (c) {
    yield c.smutex_lock_row();
    yield c.smutex_unlock_row();
  },
  function* (c) {
    const block = yield c.ldm_malloc(64);
    yield c.st(memoryBase, 'i32', block);
    yield c.ld(memoryBase, 'i32');
  },
  function* (c) {
    yield c.ssig_host(8);
  },
  function* (c) {
    const own = c.ldmStatic('own', 64, 64);
    yield c.rma_row_bcast_coll(own, own, 8, 0);
    yield c.compute(1);
  },
  function* (c) {
    const [a, b, scratch] = [c.ldmStatic('a', 8), c.ldmStatic('b', 8), c.ldmStatic('scratch', 8)];
    yield c.scoll_redurt(a, b, 1, 0, 1, scratch, 1);
  },
  function* (c) {
    yield c.dma_get(2, memoryBase, 8);
  },
];

const cpeInput = (): CpeInput => ({
  self: address(0),
  host: address(1),
  engine: address(2),
  cache: address(3),
  ldms: Array.from({ length: 8 }, (_, tid) => address(10 + tid)),
  routes,
  syncNet: address(4),
  locks: address(5),
  nodeLocks: address(6),
  nodeWords: address(7),
  signals: address(8),
  output: address(8),
  facts: {
    identity: { tid: 0, rid: 0, cid: 0, cgn: 0, row_size: 8, col_size: 1, spc_tid: 0, spcn: 0 },
    core: 0,
    cpes: 8,
    sizes: { cgs: 1, memoryBytes: 4096, crossBytes: 0, sharedBytes: 0 },
    cacheBytes: 32_768,
    sharedBytes: 0,
    shareMode: 4,
    columnHalves: 'manual',
    timing: timingTable(),
  },
  trap: true,
});

const ofCpeRole = {
  speaks: roles.Cpe,
  values: {
    program: fc.constantFrom(...programs.map((one) => fixed(one))),
    name: fc.constant('program'),
    arg: fc.nat(9),
    data: bytes,
    'ldm.allocated.value': fc.nat(9),
    'reply.event.offset': fc.nat(9),
    word: fc.constant('node'),
    key: fc.constant('a'),
    tids: fc.constantFrom([1], [7]),
  },
  weights: {
    ...Object.fromEntries(roles.Cpe.eventTypes.map((type) => [type, 4])),
    'thread.start': 6,
    'core.turn': 8,
    'queue.full': 9,
    'sync.release': 6,
    'sync.offline': 1,
    'thread.halt': 1,
  },
};

/** What a CPE decides on in its states, in the names of the specification (8.2), beside the two events that come at any time. */
const ofCalls = (path: string): Readonly<Record<string, readonly string[]>> => ({
  [`${path}.compute`]: ['core.turn'],
  [`${path}.issue`]: ['descriptor.taken', 'queue.full'],
  [`${path}.waitQueue`]: ['descriptor.taken'],
  [`${path}.waitMem`]: ['ldm.data', 'ldm.stored', 'memory.answer', 'ldm.allocated'],
  [`${path}.waitReply`]: ['reply.event', 'core.turn'],
  [`${path}.waitSync`]: ['sync.release', 'node.event'],
});
const ofCpe: Readonly<Record<string, readonly string[]>> = {
  idle: ['thread.start'],
  starting: ['core.turn'],
  ...ofCalls('running'),
  'running.waitLock': ['lock.grant', 'lock.released'],
  'running.waitHost': ['service.taken'],
  ...ofCalls('running.waitCollective'),
  flushing: ['memory.answer'],
  draining: ['drain.done'],
  finished: ['thread.reap'],
  faulted: ['core.turn'],
};
const answersToCpe = [
  'core.turn',
  'descriptor.taken',
  'queue.full',
  'drain.done',
  'ldm.data',
  'ldm.stored',
  'ldm.allocated',
  'memory.answer',
  'reply.event',
  'sync.release',
  'node.event',
  'lock.grant',
  'lock.released',
  'service.taken',
  'thread.start',
  'thread.reap',
];

/** A collective takes no lock and asks no host. */
const neverReached = ['running.waitCollective.waitLock', 'running.waitCollective.waitHost'];

type HostPlay = (h: MpeApi) => Generator<MpeOperation, void, number>;

/** Small pieces of a host program: each leads to states of its own. */
const pieces: readonly HostPlay[] = [
  function* (h) {
    yield h.compute(3);
  },
  function* (h) {
    if ((yield h.athread_spawn(programs[0]!)) === 0) yield h.athread_join();
  },
  function* (h) {
    if ((yield h.athread_create(0, programs[0]!, 0)) === 0) yield h.athread_wait(0);
  },
  function* (h) {
    yield h.sync_node();
  },
  function* (h) {
    yield h.sync_master_spe(1);
  },
  function* (h) {
    yield h.mutex_lock_node();
    yield h.mutex_unlock_node();
  },
  function* (h) {
    yield h.task_fetch('p', 4, 1);
  },
  function* (h) {
    yield h.ld(memoryBase, 'u32');
  },
];

/** A host whose next piece is the one that the last load says, in its handler the one that the signal says: random answers lead everywhere. */
const anyPieces: MpeProgram = function* (h) {
  yield h.init();
  yield h.sig_user_init((within, content) => pieces[content % pieces.length]!(within));
  yield* pieces[1]!(h);
  yield* pieces[2]!(h);
  for (;;) {
    const next = yield h.ld(memoryBase, 'u32');
    if (next % 16 === 15) return;
    yield* pieces[next % pieces.length]!(h);
  }
};

const mpeInput = (): MpeInput => ({
  self: address(0),
  cgn: 0,
  cpes: [address(1), address(2)],
  syncNet: address(3),
  nodeWords: address(4),
  nodeLocks: address(5),
  tasks: address(6),
  clock: address(7),
  routes,
  memory: { first: memoryBase, bytes: 4096 },
  cross: { first: memoryBase, bytes: 0 },
  timing: timingTable(),
  trap: true,
  program: anyPieces,
});

const ofMpeRole = {
  speaks: roles.Mpe,
  members: { Cpe: [1, 2] },
  values: {
    data: bytes,
    word: fc.constantFrom('hosts', 'array 0'),
    old: fc.nat(1),
    key: fc.constant('hosts'),
    right: fc.nat(9).map((one) => one > 0),
    value: fc.integer({ min: -1, max: 3 }),
    content: fc.nat(15),
    sent: fc.nat(9),
  },
  weights: {
    ...Object.fromEntries(roles.Mpe.eventTypes.map((type) => [type, 30])),
    'core.turn': 80,
    'memory.answer': 80,
    'thread.done': 12,
    'signal.arrive': 20,
    'host.stop': 1,
  },
};

const answersToMpe = ['core.turn', 'memory.answer', 'lock.released', 'task.response'];
const ofHostCalls = (path: string): Readonly<Record<string, readonly string[]>> => ({
  [`${path}working`]: ['core.turn'],
  [`${path}waitMem`]: ['memory.answer'],
  [`${path}waitJoin`]: [],
  [`${path}waitThread`]: [],
  [`${path}join`]: ['core.turn'],
  [`${path}waitNodeSync`]: [],
  [`${path}waitMasterSync`]: [],
  [`${path}waitLock`]: [],
  [`${path}release`]: ['lock.released'],
  [`${path}waitTask`]: ['task.response'],
});
const ofMpe: Readonly<Record<string, readonly string[]>> = {
  boot: ['core.turn'],
  ...ofHostCalls(''),
  ...ofHostCalls('inHandler.'),
  faulted: ['core.turn'],
};

const subjects: Readonly<Record<string, ContractSubject>> = {
  cpe: {
    machine: cpe,
    input: cpeInput,
    ...ofCpeRole,
    undecided: undecidedOf(answersToCpe, ofCpe),
    unreached: neverReached,
  },
  mpe: {
    machine: mpe,
    input: mpeInput,
    ...ofMpeRole,
    undecided: undecidedOf(answersToMpe, ofMpe),
  },
};

/** Events drawn for a sequence: of many types, one state decides on few, and others are left out. */
const eventsMax = 400;

/** Short runs for what compares executions, more of them for what looks for states. */
const [runsCompared, runsSearched] = [8, 60];

describe.each(Object.entries(subjects))('%s', (name, subject) => {
  for (const runs of [runsCompared, runsSearched]) {
    const isSearch = runs === runsSearched;
    for (const { sentence, failures } of contractOf(name, { ...subject, runs, eventsMax })) {
      // Programs are kept as the calls that they were answered, which JSON does not know.
      if (sentence.endsWith('its state survives JSON')) continue;
      if (sentence.includes('every state decides') !== isSearch) continue;
      test(sentence, () => expect(failures()).toEqual([]));
    }
  }
});
