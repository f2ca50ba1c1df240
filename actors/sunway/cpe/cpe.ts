import { setup } from 'xstate';
import { component, refused } from '../../../kernel/kit.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { fixed } from '../../../kernel/resource.ts';
import type { CpeOperation } from '../cpe-api.ts';
import { userLockNeverFree } from '../crts/locks.ts';
import type {
  CoreTurn,
  DescriptorTaken,
  DrainDone,
  LdmAllocated,
  LdmData,
  LdmStored,
  LockGrant,
  LockReleased,
  MemoryAnswer,
  NodeEvent,
  QueueFull,
  ReplyEvent,
  ServiceTaken,
  SyncOffline,
  SyncRelease,
  ThreadHalt,
  ThreadReap,
  ThreadStart,
} from '../messages.ts';
import { wordAt } from '../node-word.ts';
import type { CoreFault, CoreRuns, CoreWaits } from '../probes.ts';
import { refusalText, returnCode } from '../return-code.ts';
import { carryOut, goOnAfter, walkCache } from './carry-out.ts';
import { type CpeInput, type CpeSends, type CpeState, factsOf, specOf } from './cpe-state.ts';
import { endRefused, fetch, takeBytes } from './fetch.ts';
import { threadOf } from './running.ts';

type CpeEvent =
  | CoreTurn
  | DescriptorTaken
  | DrainDone
  | LdmAllocated
  | LdmData
  | LdmStored
  | LockGrant
  | LockReleased
  | MemoryAnswer
  | NodeEvent
  | QueueFull
  | ReplyEvent
  | ServiceTaken
  | SyncOffline
  | SyncRelease
  | ThreadHalt
  | ThreadReap
  | ThreadStart;

const { act, report, update, when } = component<CpeState, CpeEvent, CpeSends>();

type StepName = NonNullable<CpeState['step']>['op'];
const does = (...names: readonly StepName[]) => when((c) => c.step !== null && names.includes(c.step.op));

function refusalOf(c: CpeState): string {
  const { cgn, tid } = c.spec.value.facts.identity;
  const where = `on CPE ${tid} of core group ${cgn} in cycle ${c.now}`;
  const isTired = c.call!.op === 'user_lock' && c.fault === returnCode.E_STATE;
  return refusalText(c.call!, c.fault, plain, where, isTired ? userLockNeverFree : undefined);
}

/** Calls in which a whole group takes part, and which are scripts of transfers and barriers: `WaitCollective` of the specification. */
const isCollective = ({ op }: CpeOperation): boolean =>
  op.endsWith('_coll') || op.startsWith('scoll_') || op === 'memcpy_sldm' || op === 'sldm_get';

const plain = (value: unknown): string =>
  typeof value === 'number' && value > 9 ? `0x${value.toString(16)}` : String(value);

/** What the primitives of all calls lead to. */
const transfers = [
  { guard: 'works', target: 'compute' },
  { guard: 'issues', target: 'issue' },
  { guard: 'accesses', target: 'waitMem' },
  { guard: 'awaitsReply', target: 'waitReply' },
] as const;

/** Where a primitive of a single call leads; the last one is what is left. */
const single = [
  ...transfers,
  { guard: 'synchronises', target: 'waitSync' },
  { guard: 'locks', target: 'waitLock' },
  { target: 'waitHost' },
] as const;

/** Where a primitive of a collective leads: it takes no lock, and asks no host. */
const collective = [...transfers, { target: 'waitSync' }] as const;

/** The states of both kinds of calls; `other` leads to those of the other kind, where the call at hand is one of them. */
const callStates = <
  const Guard extends string,
  const Target extends string,
  const Chosen extends readonly object[],
>(
  other: { readonly guard: Guard; readonly target: Target },
  chosen: Chosen,
) =>
  ({
    exec: {
      entry: 'fetch',
      always: [
        { guard: 'flushes', target: '#cpe.flushing' },
        { guard: 'isOver', target: '#cpe.draining' },
        other,
        ...chosen,
      ],
    },
    chosen: { always: chosen },
    compute: {
      on: {
        'core.turn': [
          { guard: 'isFaulty', target: '#cpe.faulted', actions: 'note' },
          { target: 'exec', actions: ['note', 'endWork'] },
        ],
      },
    },
    issue: {
      ...waitingFor<CpeState>('its engine to take a descriptor', ({ spec }) => spec.value.engine),
      on: {
        'descriptor.taken': { target: 'exec', actions: 'note' },
        'queue.full': { target: 'waitQueue', actions: 'note' },
      },
    },
    waitQueue: {
      ...waitingFor<CpeState>('a place in the queue of its engine', ({ spec }) => spec.value.engine),
      on: { 'descriptor.taken': { target: 'exec', actions: 'note' } },
    },
    waitMem: {
      ...waitingFor<CpeState>('memory'),
      on: {
        'ldm.data': { target: 'exec', actions: ['note', 'takeBytes'] },
        'ldm.stored': { target: 'exec', actions: 'note' },
        'memory.answer': { target: 'exec', actions: ['note', 'takeBytes'] },
        'ldm.allocated': { target: 'exec', actions: ['note', 'takeAllocated'] },
      },
    },
    waitReply: {
      ...waitingFor<CpeState>('a reply word to reach its value', ({ spec }) => spec.value.engine),
      entry: 'showWait',
      on: {
        'reply.event': { actions: ['note', 'takeWord', 'poll'] },
        'core.turn': { target: 'exec', actions: 'note' },
      },
    },
    waitSync: {
      ...waitingFor<CpeState>('all members of a barrier to arrive', ({ spec, step }) =>
        step?.op === 'meet' ? wordAt(spec.value.nodeWords, step.word) : spec.value.syncNet,
      ),
      entry: 'showWait',
      on: {
        'sync.release': { target: 'exec', actions: ['note', 'takeAgreement'] },
        'node.event': { target: 'exec', actions: ['note', 'takeOld'] },
      },
    },
  }) as const;

/** What single calls wait for besides. */
const singleWaits = {
  waitLock: {
    ...waitingFor<CpeState>('a lock', ({ spec }) => [spec.value.locks, spec.value.nodeLocks]),
    entry: 'showWait',
    on: {
      'lock.grant': { target: 'exec', actions: 'note' },
      'lock.released': { target: 'exec', actions: ['note', 'takeRight'] },
    },
  },
  waitHost: {
    ...waitingFor<CpeState>('its host to take what it was sent', ({ spec }) => spec.value.host),
    entry: 'showWait',
    on: { 'service.taken': { target: 'exec', actions: ['note', 'takeService'] } },
  },
} as const;

/**
 * One slave core: runs the program of its thread (specification 8.2).
 *
 * Details: a call of the program becomes a script of primitives, and each state below waits for what one primitive needs.
 */
export const cpe = setup({
  types: {} as { context: CpeState; events: CpeEvent; input: CpeInput },
  guards: {
    isOver: when((c) => c.step === null),
    flushes: when((c) => c.step === null && c.thread!.flush && c.spec.value.cache !== null),
    works: does('compute', 'time', 'statics', 'refuse'),
    issues: does('descriptor'),
    accesses: does('read', 'write', 'gather', 'scatter', 'add', 'allocate', 'evict', 'flush'),
    awaitsReply: does('wait'),
    synchronises: does('arrive', 'meet'),
    locks: does('lock', 'unlock'),
    isCollective: when((c) => c.call !== null && isCollective(c.call)),
    isSingle: when((c) => c.call === null || !isCollective(c.call)),
    isFaulty: when((c) => c.fault !== 0),
  },
  actions: {
    note: update((c, _event, { now }) => {
      c.now = now;
    }),
    noteOffline: update<'sync.offline'>((c, { tids }) => {
      c.offline.push(...tids);
    }),
    begin: act<'thread.start'>((c, { program, name, arg, flush }, out) => {
      const { facts, ldms } = c.spec.value;
      const { identity, timing } = facts;
      c.tables = [];
      c.thread = { name, arg, flush, program: threadOf(program.value, factsOf(c).identity, arg) };
      c.answer = 0;
      out.post({
        to: ldms[identity.tid]!,
        type: 'ldm.statics',
        begins: true,
        end: 0,
        variables: [],
        delay: 1,
      });
      goOnAfter(c, Math.max(1, timing.spawn.latency - 1), out);
    }),
    fetch: act((c, _event, out) => {
      if (out.observed) out.probe<CoreRuns>({ type: 'core.runs', core: c.spec.value.facts.core });
      fetch(c, out);
      if (c.step !== null) carryOut(c, out);
    }),
    showWait: act((c, _event, out) => {
      const { step } = c;
      if (out.observed && step !== null && step.op !== 'statics' && step.op !== 'unlock')
        out.probe<CoreWaits>({ type: 'core.waits', core: c.spec.value.facts.core, on: step });
    }),
    endWork: act((c, _event, out) => {
      if (c.step?.op === 'time') c.answer = c.now + (c.spec.value.facts.clockAhead ?? 0);
      endRefused(c, out);
    }),
    takeBytes: update<'ldm.data' | 'memory.answer'>((c, { data }) => takeBytes(c, data)),
    takeAllocated: update<'ldm.allocated'>((c, { value }) => {
      c.answer = value;
    }),
    takeService: update<'service.taken'>((c, { value }) => {
      c.answer = value;
    }),
    takeWord: update<'reply.event'>((c, { value }) => {
      c.answer = value;
    }),
    takeOld: update<'node.event'>((c, { old }) => {
      c.answer = old;
    }),
    takeAgreement: update<'sync.release'>((c, { agreed }) => {
      c.answer = agreed ? 0 : 1;
    }),
    takeRight: update<'lock.released'>((c, { right }) => {
      c.answer = right ? 1 : 0;
    }),
    poll: act((c, _event, out) => goOnAfter(c, c.spec.value.facts.timing.poll.cost, out)),
    flush: act((c, _event, out) => walkCache(c, 0, Number.MAX_SAFE_INTEGER, out)),
    drain: act((c, _event, out) => {
      const { engine, facts } = c.spec.value;
      out.post({ to: engine, type: 'drain.request', tid: facts.identity.tid, delay: 1 });
    }),
    tellDone: act((c, _event, out) => {
      c.thread = null;
      const { host, facts } = c.spec.value;
      out.post({ to: host, type: 'thread.done', tid: facts.identity.tid, delay: 1 });
    }),
    showFault: act((c, _event, out) => {
      const { facts } = c.spec.value;
      if (out.observed)
        out.probe<CoreFault>({
          type: 'core.fault',
          core: facts.core,
          name: c.call!.op,
          code: c.fault,
        });
      goOnAfter(c, 1, out);
    }),
    reportFault: report((c) => ({
      property: 'calls get arguments that they take',
      why: refusalOf(c),
    })),
    stop: act((c) => {
      throw new Error(refusalOf(c));
    }),
  },
}).createMachine({
  id: 'cpe',
  context: ({ input }) => ({
    spec: fixed(specOf(input)),
    now: 0,
    thread: null,
    call: null,
    script: null,
    step: null,
    answer: 0,
    transfers: 0,
    issued: new Map(),
    offline: [],
    tables: [],
    told: {},
    fault: 0,
  }),
  on: {
    'sync.offline': { actions: 'noteOffline' },
    'thread.halt': { target: '.offline', actions: 'note' },
  },
  initial: 'idle',
  states: {
    idle: { on: { 'thread.start': { target: 'starting', actions: ['note', 'begin'] } } },
    starting: { on: { 'core.turn': { target: 'running', actions: 'note' } } },
    running: {
      initial: 'exec',
      states: {
        ...callStates({ guard: 'isCollective', target: '#cpe.running.waitCollective.chosen' }, single),
        ...singleWaits,
        // A collective runs its own script of the same primitives (specification 8.2).
        waitCollective: {
          initial: 'chosen',
          states: callStates({ guard: 'isSingle', target: '#cpe.running.chosen' }, collective),
        },
      },
    },
    flushing: {
      ...waitingFor<CpeState>('its data cache to write back', ({ spec }) => spec.value.cache ?? []),
      entry: 'flush',
      on: { 'memory.answer': { target: 'draining', actions: 'note' } },
    },
    draining: {
      ...waitingFor<CpeState>('its last transfers to be complete', ({ spec }) => spec.value.engine),
      entry: 'drain',
      on: { 'drain.done': { target: 'finished', actions: ['note', 'tellDone'] } },
    },
    finished: { on: { 'thread.reap': 'idle' } },
    faulted: {
      entry: ['showFault', 'reportFault'],
      on: { 'core.turn': { actions: 'stop' } },
    },
    // What was under way when the array was halted comes to nobody.
    offline: {
      on: {
        'core.turn': refused,
        'descriptor.taken': refused,
        'queue.full': refused,
        'drain.done': refused,
        'ldm.data': refused,
        'ldm.stored': refused,
        'ldm.allocated': refused,
        'memory.answer': refused,
        'reply.event': refused,
        'sync.release': refused,
        'node.event': refused,
        'lock.grant': refused,
        'lock.released': refused,
        'service.taken': refused,
        'thread.start': refused,
        'thread.reap': refused,
      },
    },
  },
});
