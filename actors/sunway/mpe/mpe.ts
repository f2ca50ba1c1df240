import { setup } from 'xstate';
import { component, refused } from '../../../kernel/kit.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { fixed } from '../../../kernel/resource.ts';
import { valueOfBytes } from '../access-type.ts';
import type {
  CoreTurn,
  HostStop,
  LockGrant,
  LockReleased,
  MemoryAnswer,
  NodeEvent,
  SignalArrive,
  TaskResponse,
  ThreadDone,
} from '../messages.ts';
import { mpeApi } from '../mpe-api.ts';
import { nodeWords, wordAt } from '../node-word.ts';
import type { CallBegin, CallEnd, CoreFault, SignalHandle } from '../probes.ts';
import { refusalText, returnCode } from '../return-code.ts';
import { carryOut } from './carry-out.ts';
import { hostProgram } from './host-program.ts';
import { hostCore, type MpeInput, type MpeSends, type MpeState } from './mpe-state.ts';
import { finished, leaveArray, reap } from './threads.ts';

type MpeEvent =
  | CoreTurn
  | HostStop
  | LockGrant
  | LockReleased
  | MemoryAnswer
  | NodeEvent
  | SignalArrive
  | TaskResponse
  | ThreadDone;

const { act, report, update, when } = component<MpeState, MpeEvent, MpeSends>();

const does = (what: MpeState['doing']) => when((c) => c.doing === what);

const grantCode = ({ held }: LockGrant): number => (held ? returnCode.SUCCESS : returnCode.BUSY);

/** Whether a word or lock is what the interrupted call waits for. It asked first, so the first one is its own. */
function isForInterrupted({ interrupted }: MpeState, event: LockGrant | NodeEvent): boolean {
  if (interrupted === null || interrupted.arrived) return false;
  return event.type === 'lock.grant'
    ? interrupted.doing === 'lock' && interrupted.key === event.key
    : interrupted.doing === 'word' && interrupted.key === event.word;
}

const refusalOf = (c: MpeState): string =>
  refusalText(
    c.call!,
    c.fault,
    String,
    `in the host process of core group ${c.spec.value.cgn} in cycle ${c.now}`,
  );

const membersOnline = ({ slots, spec }: MpeState) =>
  spec.value.cpes.filter((_, tid) => slots[tid] === 'running');

/** What comes to a process that has ended, and to nobody. */
const over = {
  'core.turn': refused,
  'memory.answer': refused,
  'node.event': refused,
  'lock.grant': refused,
  'lock.released': refused,
  'task.response': refused,
  'host.stop': refused,
};

/** A state that waits for something that may be long in coming: signals are handled meanwhile. */
const whenSignalled = { guard: 'hearsSignal', target: '#mpe.inHandler', actions: 'interrupt' } as const;

/** The states of calls, of the program and of a handler: where it is over, and what may come between. */
const calls = <const Over extends object, const Between extends object>(
  over: Over,
  between: readonly Between[],
) =>
  ({
    ready: { entry: 'finishCall', always: [...between, { target: 'advance' }] },
    advance: {
      entry: 'fetch',
      always: [
        over,
        { guard: 'works', target: 'working' },
        { guard: 'accesses', target: 'waitMem' },
        { guard: 'joins', target: 'waitJoin' },
        { guard: 'awaitsThread', target: 'waitThread' },
        { guard: 'meetsHosts', target: 'waitNodeSync' },
        { guard: 'meets', target: 'waitMasterSync' },
        { guard: 'locks', target: 'waitLock' },
        { guard: 'unlocks', target: 'release' },
        { guard: 'awaitsTask', target: 'waitTask' },
      ],
    },
    working: {
      on: {
        'core.turn': [
          { guard: 'isFaulty', target: '#mpe.faulted', actions: 'note' },
          { target: 'ready', actions: 'note' },
        ],
      },
    },
    waitMem: {
      ...waitingFor<MpeState>('memory'),
      on: { 'memory.answer': { target: 'ready', actions: ['note', 'takeBytes'] } },
    },
    waitJoin: {
      ...waitingFor<MpeState>('the threads of its group to end', membersOnline),
      always: [{ guard: 'groupHasEnded', target: 'join', actions: 'reapGroup' }, ...between],
    },
    waitThread: {
      ...waitingFor<MpeState>('a thread to end', ({ spec, awaited }) => spec.value.cpes[awaited]!),
      always: [{ guard: 'threadHasEnded', target: 'join', actions: 'reapThread' }, ...between],
    },
    join: { entry: 'pause', on: { 'core.turn': { target: 'ready', actions: 'note' } } },
    waitNodeSync: {
      ...waitingFor<MpeState>('the other hosts of the node', ({ spec }) =>
        wordAt(spec.value.nodeWords, nodeWords.hosts),
      ),
      always: between,
      on: { 'node.event': { guard: 'isForCallAtHand', target: 'ready', actions: 'note' } },
    },
    waitMasterSync: {
      ...waitingFor<MpeState>('its CPEs at a word of the node', ({ spec, key }) =>
        wordAt(spec.value.nodeWords, key),
      ),
      always: between,
      on: { 'node.event': { guard: 'isForCallAtHand', target: 'ready', actions: 'note' } },
    },
    waitLock: {
      ...waitingFor<MpeState>('a lock', ({ spec }) => spec.value.nodeLocks),
      always: between,
      on: { 'lock.grant': { guard: 'isForCallAtHand', target: 'ready', actions: ['note', 'takeGrant'] } },
    },
    release: {
      ...waitingFor<MpeState>('a lock to be given back', ({ spec }) => spec.value.nodeLocks),
      on: { 'lock.released': { target: 'released', actions: ['note', 'takeRelease'] } },
    },
    released: { always: [{ guard: 'isFaulty', target: '#mpe.faulted' }, { target: 'ready' }] },
    waitTask: {
      ...waitingFor<MpeState>('a task', ({ spec }) => spec.value.tasks),
      on: { 'task.response': { target: 'released', actions: ['note', 'takeTask'] } },
    },
  }) as const;

/** One host process: runs its program, starts threads on the CPEs of its core group and waits for them (specification 5, 8.3). */
export const mpe = setup({
  types: {} as { context: MpeState; events: MpeEvent; input: MpeInput },
  guards: {
    isOver: does('over'),
    works: does('work'),
    accesses: does('memory'),
    joins: does('join'),
    awaitsThread: does('thread'),
    meetsHosts: when((c) => c.doing === 'word' && c.key === nodeWords.hosts),
    meets: does('word'),
    locks: does('lock'),
    unlocks: does('unlock'),
    awaitsTask: does('task'),
    isHandled: does('handled'),
    hearsSignal: when((c) => c.hears && c.signals.length > 0 && c.interrupted === null),
    goesOn: when((c) => c.doing === 'between'),
    isForInterrupted: when<'lock.grant' | 'node.event'>(isForInterrupted),
    isForCallAtHand: when<'lock.grant' | 'node.event'>((c, event) => !isForInterrupted(c, event)),
    isFaulty: when((c) => c.fault !== 0),
    groupHasEnded: when((c) => !c.slots.includes('running')),
    threadHasEnded: when((c) => c.slots[c.awaited] === 'finished'),
  },
  actions: {
    note: update((c, _event, { now }) => {
      c.now = now;
    }),
    fetch: act((c, _event, out) => {
      const core = hostCore(c.spec.value.cgn);
      if (out.observed && c.call !== null)
        out.probe<CallEnd>({
          type: 'call.end',
          core,
          name: c.call.op,
          code: typeof c.answer === 'number' ? c.answer : 0,
        });
      c.call = c.program.next(c.signalled ?? c.answer) ?? null;
      c.answer = 0;
      c.signalled = null;
      if (c.call === null) {
        c.doing = 'over';
        return;
      }
      if (out.observed && c.call.op !== 'handled')
        out.probe<CallBegin>({
          type: 'call.begin',
          core,
          name: c.call.op,
          arguments: c.call,
          step: c.program.steps,
        });
      carryOut(c, out);
    }),
    finishCall: update((c) => {
      c.doing = 'between';
    }),
    queueSignal: update<'signal.arrive'>((c, { content, tid, sent }, { now }) => {
      c.now = now;
      c.signals.push({ content, tid, sent });
    }),
    interrupt: act((c, _event, out) => {
      const { content, tid, sent } = c.signals.shift()!;
      const { call, answer, doing, awaited, key } = c;
      c.interrupted = { call, answer, doing, awaited, key, arrived: false };
      c.call = null;
      c.doing = 'between';
      c.signalled = { content };
      if (out.observed) {
        const core = hostCore(c.spec.value.cgn);
        out.probe<SignalHandle>({ type: 'signal.handle', core, tid, sent });
      }
    }),
    keep: update<'lock.grant' | 'node.event'>((c, event, { now }) => {
      c.now = now;
      const interrupted = c.interrupted!;
      interrupted.arrived = true;
      if (event.type === 'lock.grant') interrupted.answer = grantCode(event);
    }),
    resume: update((c) => {
      const { arrived, ...call } = c.interrupted!;
      Object.assign(c, call, arrived && { doing: 'between' });
      c.interrupted = null;
    }),
    noteDone: update<'thread.done'>((c, { tid }, { now }) => {
      c.now = now;
      // One that was halted on its way stays closed.
      if (c.slots[tid] !== 'offline') c.slots[tid] = 'finished';
    }),
    reapGroup: act((c, _event, out) => {
      reap(c, finished(c), out);
      c.group = false;
    }),
    reapThread: act((c, _event, out) => reap(c, [c.awaited], out)),
    pause: act((c, _event, out) => {
      const delay = c.spec.value.timing.join.latency;
      out.post({ to: c.spec.value.self, type: 'core.turn', delay });
    }),
    takeBytes: update<'memory.answer'>((c, { data }) => {
      const { call } = c;
      if (call?.op === 'ld') c.answer = valueOfBytes(call.type, data);
      else if (call?.op === 'ldBlock') c.answer = data;
    }),
    takeGrant: update<'lock.grant'>((c, grant) => {
      c.answer = grantCode(grant);
    }),
    takeRelease: update<'lock.released'>((c, { right }) => {
      if (right) return;
      c.answer = returnCode.E_STATE;
      if (c.spec.value.trap) c.fault = returnCode.E_STATE;
    }),
    takeTask: update<'task.response'>((c, { value }) => {
      c.answer = value;
      if (c.call?.op === 'task_quit' && value >= returnCode.E_STATE && c.spec.value.trap) c.fault = value;
    }),
    leave: act((c, _event, out) => {
      const { nodeWords: words, tasks, clock, cgn } = c.spec.value;
      const next = { cgn, delay: 1 };
      out.post({ to: wordAt(words, nodeWords.hosts), type: 'node.leave', who: 'host', ...next });
      out.post({ to: tasks, type: 'task.leave', ...next });
      // At once: the clock is not to count a cycle in which nothing else happens any more.
      if (clock !== null) out.post({ to: clock, type: 'node.leave', who: 'host', cgn, delay: 0 });
    }),
    leaveArray: act((c, _event, out) => leaveArray(c, out)),
    // Threads go on when the process that has started them ends by itself.
    leaveIdleArray: act((c, _event, out) => {
      if (!c.slots.includes('running')) leaveArray(c, out);
    }),
    haltThreads: act((c, _event, out) => {
      for (const to of c.spec.value.cpes) out.post({ to, type: 'thread.halt', delay: 1 });
    }),
    showFault: act((c, _event, out) => {
      if (out.observed)
        out.probe<CoreFault>({
          type: 'core.fault',
          core: hostCore(c.spec.value.cgn),
          name: c.call!.op,
          code: c.fault,
        });
      out.post({ to: c.spec.value.self, type: 'core.turn', delay: 1 });
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
  id: 'mpe',
  context: ({ input: { program, ...spec } }) => ({
    spec: fixed(spec),
    program: hostProgram(program, () => mpeApi(spec.cgn, spec.memory, spec.cross)),
    now: 0,
    call: null,
    answer: 0,
    hears: false,
    signals: [],
    signalled: null,
    interrupted: null,
    initialised: false,
    slots: spec.cpes.map(() => 'idle' as const),
    group: false,
    awaited: -1,
    key: '',
    doing: 'between',
    fault: 0,
    told: {},
  }),
  on: {
    'thread.done': { actions: 'noteDone' },
    'signal.arrive': { actions: 'queueSignal' },
    'lock.grant': { guard: 'isForInterrupted', actions: 'keep' },
    'node.event': { guard: 'isForInterrupted', actions: 'keep' },
    'host.stop': { target: '.stopped', actions: 'note' },
  },
  initial: 'boot',
  states: {
    boot: { on: { 'core.turn': { target: 'ready', actions: 'note' } } },
    ...calls({ guard: 'isOver', target: '#mpe.ended' }, [whenSignalled]),
    // The call that is interrupted stays as it is, or blocked, meanwhile (specification 8.3).
    inHandler: { initial: 'ready', states: calls({ guard: 'isHandled', target: '#mpe.resumed' }, []) },
    resumed: {
      entry: 'resume',
      always: [
        { guard: 'goesOn', target: 'ready' },
        { guard: 'joins', target: 'waitJoin' },
        { guard: 'awaitsThread', target: 'waitThread' },
        { guard: 'meetsHosts', target: 'waitNodeSync' },
        { guard: 'meets', target: 'waitMasterSync' },
        { guard: 'locks', target: 'waitLock' },
      ],
    },
    faulted: { entry: ['showFault', 'reportFault'], on: { 'core.turn': { actions: 'stop' } } },
    ended: {
      entry: ['leave', 'leaveIdleArray'],
      on: { ...over, 'thread.done': { actions: ['noteDone', 'leaveIdleArray'] } },
    },
    stopped: { entry: ['leave', 'leaveArray', 'haltThreads'], on: over },
  },
});
