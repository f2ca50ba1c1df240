import { setup } from 'xstate';
import { component, refused } from '../../../kernel/kit.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { fixed } from '../../../kernel/resource.ts';
import { Program } from '../../common/program.ts';
import { valueOfBytes } from '../access-type.ts';
import type { CoreTurn, LockGrant, LockReleased, MemoryAnswer, NodeEvent, ThreadDone } from '../messages.ts';
import { type MpeOperation, mpeContext } from '../mpe-context.ts';
import type { Answer } from '../operation.ts';
import type { CallBegin, CallEnd, CoreFault } from '../probes.ts';
import { returnCode, returnCodeMeaning, returnCodeName } from '../return-code.ts';
import { carryOut } from './carry-out.ts';
import { hostSteps } from './host-steps.ts';
import { hostCore, type MpeContext, type MpeInput, type MpeSends } from './mpe-context.ts';
import { finished, reap } from './threads.ts';

type MpeEvent = CoreTurn | LockGrant | LockReleased | MemoryAnswer | NodeEvent | ThreadDone;

const { act, update, when } = component<MpeContext, MpeEvent, MpeSends>();

const does = (what: MpeContext['doing']) => when((c) => c.doing === what);

function refusalText(c: MpeContext): string {
  const { op, ...rest } = c.call!;
  const given = Object.entries(rest).map(([key, value]) => `${key} ${String(value)}`);
  const name = returnCodeName(c.fault);
  const meaning = name === undefined ? '' : `: ${returnCodeMeaning[name]}`;
  return `${name ?? c.fault} from ${op}(${given.join(', ')}) in the host process of core group ${c.spec.value.cgn} in cycle ${c.now}${meaning}`;
}

const membersOnline = ({ slots, spec }: MpeContext) =>
  spec.value.cpes.filter((_, tid) => slots[tid] === 'running');

/** One host process: runs its program, starts threads on the CPEs of its core group and waits for them (specification 5, 8.3). */
export const mpe = setup({
  types: {} as { context: MpeContext; events: MpeEvent; input: MpeInput },
  guards: {
    isOver: does('over'),
    works: does('work'),
    accesses: does('memory'),
    joins: does('join'),
    awaitsThread: does('thread'),
    meets: does('word'),
    locks: does('lock'),
    unlocks: does('unlock'),
    isFaulty: when((c) => c.fault !== 0),
    groupHasEnded: when((c) => !c.slots.includes('running')),
    threadHasEnded: when((c) => c.slots[c.awaited] === 'finished'),
  },
  actions: {
    note: update((c, { at }) => {
      c.now = at;
    }),
    fetch: act((c, _event, out) => {
      const core = hostCore(c.spec.value.cgn);
      if (out.observed && c.call !== null)
        out.probe<CallEnd>({
          type: 'call.end',
          core,
          name: c.call.op,
          code: typeof c.answer === 'number' ? c.answer : 0,
          at: c.now,
        });
      c.call = c.program.next(c.answer) ?? null;
      c.answer = 0;
      if (c.call === null) {
        c.doing = 'over';
        return;
      }
      if (out.observed) {
        const { op, ...rest } = c.call;
        out.probe<CallBegin>({
          type: 'call.begin',
          core,
          name: op,
          arguments: rest,
          step: c.program.steps,
          at: c.now,
        });
      }
      carryOut(c, out);
    }),
    noteDone: update<'thread.done'>((c, { tid, at }) => {
      c.now = at;
      c.slots[tid] = 'finished';
    }),
    reapGroup: act((c, _event, out) => {
      reap(c, finished(c), out);
      c.group = false;
    }),
    reapThread: act((c, _event, out) => reap(c, [c.awaited], out)),
    pause: act((c, _event, out) => {
      const delay = c.spec.value.timing.join.latency;
      out.post({ to: c.spec.value.self, type: 'core.turn', at: c.now + delay, delay });
    }),
    takeBytes: update<'memory.answer'>((c, { data }) => {
      const { call } = c;
      if (call?.op === 'ld') c.answer = valueOfBytes(call.type, data);
      else if (call?.op === 'ldBlock') c.answer = data;
    }),
    takeGrant: update<'lock.grant'>((c, { held }) => {
      c.answer = held ? returnCode.SUCCESS : returnCode.BUSY;
    }),
    takeRelease: update<'lock.released'>((c, { right }) => {
      if (right) return;
      c.answer = returnCode.E_STATE;
      if (c.spec.value.trap) c.fault = returnCode.E_STATE;
    }),
    leave: act((c, _event, out) => {
      const { nodeCross, cgn } = c.spec.value;
      out.post({ to: nodeCross, type: 'node.leave', who: 'host', cgn, at: c.now + 1, delay: 1 });
    }),
    reportFault: act((c, _event, out) => {
      if (out.observed)
        out.probe<CoreFault>({
          type: 'core.fault',
          core: hostCore(c.spec.value.cgn),
          name: c.call!.op,
          code: c.fault,
          at: c.now,
        });
      out.report({ property: 'calls get arguments that they take', why: refusalText(c) });
      out.post({ to: c.spec.value.self, type: 'core.turn', at: c.now + 1, delay: 1 });
    }),
    stop: act((c) => {
      throw new Error(refusalText(c));
    }),
  },
}).createMachine({
  id: 'mpe',
  context: ({ input: { program, ...spec } }) => ({
    spec: fixed(spec),
    program: new Program<MpeOperation, Answer>(() =>
      hostSteps(program, mpeContext(spec.cgn, spec.memory, spec.cross)),
    ),
    now: 0,
    call: null,
    answer: 0,
    initialised: false,
    slots: spec.cpes.map(() => 'idle' as const),
    group: false,
    awaited: -1,
    doing: 'over',
    fault: 0,
    told: {},
  }),
  on: { 'thread.done': { actions: 'noteDone' } },
  initial: 'boot',
  states: {
    boot: { on: { 'core.turn': { target: 'ready', actions: 'note' } } },
    ready: {
      entry: 'fetch',
      always: [
        { guard: 'isOver', target: 'ended' },
        { guard: 'works', target: 'working' },
        { guard: 'accesses', target: 'waitMem' },
        { guard: 'joins', target: 'waitJoin' },
        { guard: 'awaitsThread', target: 'waitThread' },
        { guard: 'meets', target: 'waitSync' },
        { guard: 'locks', target: 'waitLock' },
        { guard: 'unlocks', target: 'release' },
      ],
    },
    working: {
      on: {
        'core.turn': [
          { guard: 'isFaulty', target: 'faulted', actions: 'note' },
          { target: 'ready', actions: 'note' },
        ],
      },
    },
    waitMem: {
      tags: ['waiting'],
      meta: waitsFor<MpeContext>('memory'),
      on: { 'memory.answer': { target: 'ready', actions: ['note', 'takeBytes'] } },
    },
    waitJoin: {
      tags: ['waiting'],
      meta: waitsFor<MpeContext>('the threads of its group to end', membersOnline),
      always: { guard: 'groupHasEnded', target: 'join', actions: 'reapGroup' },
    },
    waitThread: {
      tags: ['waiting'],
      meta: waitsFor<MpeContext>('a thread to end', ({ spec, awaited }) => spec.value.cpes[awaited]!),
      always: { guard: 'threadHasEnded', target: 'join', actions: 'reapThread' },
    },
    join: { entry: 'pause', on: { 'core.turn': { target: 'ready', actions: 'note' } } },
    waitSync: {
      tags: ['waiting'],
      meta: waitsFor<MpeContext>(
        'the other parties at a word of the node',
        ({ spec }) => spec.value.nodeCross,
      ),
      on: { 'node.event': { target: 'ready', actions: 'note' } },
    },
    waitLock: {
      tags: ['waiting'],
      meta: waitsFor<MpeContext>('a lock', ({ spec }) => spec.value.nodeLocks),
      on: { 'lock.grant': { target: 'ready', actions: ['note', 'takeGrant'] } },
    },
    release: {
      on: { 'lock.released': { target: 'released', actions: ['note', 'takeRelease'] } },
    },
    released: { always: [{ guard: 'isFaulty', target: 'faulted' }, { target: 'ready' }] },
    faulted: { entry: 'reportFault', on: { 'core.turn': { actions: 'stop' } } },
    ended: {
      entry: 'leave',
      on: {
        'core.turn': refused,
        'memory.answer': refused,
        'node.event': refused,
        'lock.grant': refused,
        'lock.released': refused,
      },
    },
  },
});
