import { setup } from 'xstate';
import { component, refused } from '../../../kernel/kit.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { placeOf } from '../address-map.ts';
import type { MemoryLoaded } from '../messages.ts';
import { channels, inSubTicks } from '../parameters.ts';
import { judgeReply, messageJob, ownWorks } from './active-messages.ts';
import { noBarrier } from './barrier.ts';
import { advance, mayAdvance } from './barrier-calls.ts';
import { begin } from './begin.ts';
import type { GasnetCall } from './calls.ts';
import { isReached, settle } from './completion.ts';
import { actOnLock, holdSubTicksMax, holdsSomething, type LockAction, noLocks } from './handler-locks.ts';
import { boardAddress, boardSlots, boardWord, replies, ringClasses } from './layout.ts';
import type * as messages from './messages.ts';
import {
  answer,
  emptyGroup,
  fail,
  implicitGroup,
  type LocalWork,
  ownDelivery,
  type RuntimeContext,
  type RuntimeEvent,
  type RuntimeInput,
  type RuntimeOut,
  type RuntimeSends,
} from './runtime-context.ts';
import {
  dataJob,
  deliveryOf,
  isCounted,
  judgeHandler,
  type Need,
  needOf,
  note,
  valueAt,
  valueJob,
  workOf,
} from './runtime-packets.ts';
import { waitsOn } from './waits-on.ts';

const { update, when, act } = component<RuntimeContext, RuntimeEvent, RuntimeSends>();

/** A lock was held, or handlers were held off, longer than is wise (TCA specification 20, C17). */
export interface LongHold {
  readonly type: 'hsl.long';
  readonly node: number;
  readonly action: LockAction;
  readonly lock: number;
  readonly subTicks: number;
}

/** Exit code of a job that was ended by a fatal error. */
export const fatalExitCode = 255;

const callIs = (name: GasnetCall['call']) => when<'gasnet.call'>((_c, { call }) => call.call === name);

const isFull = (c: RuntimeContext): boolean => {
  const lowest = c.blocked.at(-1);
  if (!lowest) return false;
  const { peer, ring, sequence } = lowest;
  return sequence - c.freed[peer]![ring]! >= c.spec.options.slots;
};

/** The reply ring alone may be looked at while an answer is being sent, and before all nodes are attached. */
const firstReply = (c: RuntimeContext): number => c.ready.findIndex(({ ring }) => ring === replies);
const hasReady = (c: RuntimeContext): boolean => (c.attached ? c.ready.length > 0 : firstReply(c) >= 0);

function takeFrom(c: RuntimeContext, place: number, out: RuntimeOut): void {
  const [{ peer, ring }] = c.ready.splice(place, 1) as [RuntimeContext['ready'][number]];
  out.post({ to: c.spec.receivers[peer]![ring]!, type: 'packet.take', at: c.now });
}

function freeSlot(c: RuntimeContext, { peer, ring }: { peer: number; ring: 0 | 1 }, out: RuntimeOut): void {
  out.post({ to: c.spec.receivers[peer]![ring]!, type: 'packet.done', at: c.now });
}

function carryOut(c: RuntimeContext, one: LocalWork, out: RuntimeOut): void {
  const { copier, self, memories } = c.spec;
  const address = one.work === 'load' ? one.src : one.dst;
  const memory = memories[placeOf(address).region as 'cpu' | 'gpu'];
  switch (one.work) {
    case 'copy':
    case 'fill': {
      const { dst, bytes } = one;
      const source = one.work === 'copy' ? { src: one.src } : { src: dst, value: one.value };
      out.post({ to: copier, type: 'copy.job', ...source, dst, bytes, requester: self, at: c.now });
      return;
    }
    case 'store':
      out.post({
        to: memory,
        type: 'memory.store',
        addr: one.dst,
        data: one.data,
        requester: self,
        at: c.now,
      });
      return;
    case 'load':
      out.post({
        to: memory,
        type: 'memory.load',
        addr: one.src,
        bytes: one.bytes,
        requester: self,
        at: c.now,
      });
      return;
    default:
      one satisfies never;
  }
}

const turnIn = (c: RuntimeContext, delay: number, out: RuntimeOut): void =>
  out.post({ to: c.spec.self, type: 'runtime.turn', at: c.now + delay, delay });

/** Tells all other nodes that the job is over. */
function tellExit(c: RuntimeContext, out: RuntimeOut): void {
  const { layout, node, pio, self } = c.spec;
  const stores = Array.from({ length: layout.nodes }, (_, target) => target)
    .filter((target) => target !== node)
    .map((target) => ({
      address: boardAddress(layout, node, target, boardSlots.exit),
      data: boardWord(c.exitCode + 1),
    }));
  out.post({ to: pio, type: 'pio.store', stores, requester: self, at: c.now });
}

/** Notes the completion that the group of a job waits for (TCA specification 12.4). */
function register(c: RuntimeContext, { sequence, left }: messages.TransferStarted): void {
  const { job, group, waitsLeft } = c.sending!;
  c.sending = null;
  if (waitsLeft) c.goal = { goal: 'left', left };
  const waiting = c.groups[group];
  if (!waiting) return;
  if (c.spec.options.completion === 'acked' || job.header.kind === 'memset') {
    const key = `${job.target} ${job.ring}`;
    waiting.acks[key] = Math.max(waiting.acks[key] ?? -1, sequence);
  } else
    for (const { channel, count } of left) waiting.left[channel] = Math.max(waiting.left[channel]!, count);
}

/** What a test that found nothing, and a look at the rings, take: a program that asks again and again must not stand still in time. */
const looksOnly = ({ call, status }: RuntimeContext): boolean =>
  call!.call === 'poll' || status === 'NOT_READY';

const needs = (need: Need) => when<'packet.content'>((_c, event) => needOf(event) === need);

/** Bytes that were loaded are the payload of a message to the node itself, or the value of the operation just begun. */
function keepLoaded(c: RuntimeContext, data: Uint8Array): void {
  if (c.own) c.own = { ...c.own, payload: data };
  else c.groups[c.nextHandle - 1]!.data = data;
}

/** The runtime of GASNet on a node (TCA specification 12, 15). */
export const runtime = setup({
  types: {} as { context: RuntimeContext; events: RuntimeEvent; input: RuntimeInput },
  guards: {
    isInit: callIs('init'),
    isAttach: callIs('attach'),
    isExit: callIs('exit'),
    isLock: callIs('hsl'),
    inHandler: when((c) => c.call !== null),
    isReply: callIs('reply'),
    isHandled: callIs('handled'),
    failed: when((c) => c.fatal !== null),
    hasBudget: when((c) => c.budget > 0 && (c.parked.length > 0 || hasReady(c))),
    hasParked: when((c) => c.attached && c.parked.length > 0),
    hasReady: when(hasReady),
    hasReplies: when((c) => firstReply(c) >= 0),
    hasRoom: when((c) => c.blocked.length > 0 && !isFull(c)),
    mustSend: when((c) => c.blocked.length === 0 && c.jobs.length > 0),
    mustWork: when((c) => c.works.length > 0),
    mayAdvance: when((c) => c.blocked.length === 0 && mayAdvance(c)),
    notBegun: when((c) => !c.begun),
    reached: when((c) => c.blocked.length === 0 && isReached(c)),
    needsNothing: needs('nothing'),
    needsCopy: needs('copy'),
    needsCount: when<'packet.content'>((_c, { header }) => header.total > 1 && isCounted(header.kind)),
    isAttachedNow: when((c) => c.attached),
    needsHandler: needs('handler'),
    needsValue: needs('value'),
    answersData: when((c) => c.delivery === null),
    refusedReply: when((c) => c.status !== 'OK'),
    ownReply: when((c) => c.delivery!.source === c.spec.node),
    ownReplyBrings: when((c) => c.works.length > 0),
    allLeft: when((c) => c.leaving.every(({ channel, count }) => c.selfSeen[channel]! >= count)),
    fromRing: when((c) => c.parcel !== null),
  },
  actions: {
    noteReady: update<'packet.ready'>((c, { peer, ring, at }) => {
      c.now = Math.max(c.now, at);
      c.ready.push({ peer, ring });
    }),
    noteFreed: update<'tx.freed'>((c, { peer, ring, freed, at }) => {
      c.now = Math.max(c.now, at);
      c.freed[peer]![ring] = Math.max(c.freed[peer]![ring]!, freed);
    }),
    noteSelf: update<'self.notified'>((c, { channel, count, at }) => {
      c.now = Math.max(c.now, at);
      c.selfSeen[channel] = Math.max(c.selfSeen[channel]!, count);
    }),
    turn: update((c, { at }) => {
      c.now = at;
    }),
    sayOk: act<'gasnet.call'>((c, { at }, out) => {
      c.now = at;
      answer(c, { answer: 'done', status: 'OK', value: 0, data: new Uint8Array(0) }, 0, out);
    }),
    sayNotInit: act<'gasnet.call'>((c, { at }, out) => {
      c.now = at;
      answer(c, { answer: 'done', status: 'NOT_INIT', value: 0, data: new Uint8Array(0) }, 0, out);
    }),
    take: update<'gasnet.call'>((c, { call, at }) => {
      c.now = at;
      c.call = call;
      c.begun = false;
      c.goal = { goal: 'nothing' };
      c.status = 'OK';
      c.value = 0;
      c.data = new Uint8Array(0);
      c.jobs = [];
      c.works = [];
      c.own = null;
      c.arrivalsBefore = c.arrivals;
      if (holdsSomething(c.locks))
        fail(c, 'EHSL', `"${call.call}" while a lock is held, or handlers are held off`);
      // A call looks at the packets that are there, not at those which come meanwhile.
      c.budget = c.attached ? c.ready.length + c.parked.length : 0;
    }),
    begin: update(begin),
    advance: update(advance),
    send: act((c, _event, out) => {
      c.sending = c.jobs.shift()!;
      out.post({ to: c.spec.planner, type: 'transfer.begin', job: c.sending.job, at: c.now });
    }),
    resume: act((c, _event, out) => {
      c.blocked.pop();
      out.post({ to: c.spec.planner, type: 'transfer.resume', at: c.now });
    }),
    noteBlocked: update<'transfer.blocked'>((c, { peer, ring, sequence, at }) => {
      c.now = at;
      c.blocked.push({ peer, ring, sequence });
    }),
    register: update<'transfer.started'>((c, event) => {
      c.now = event.at;
      register(c, event);
    }),
    work: act((c, _event, out) => carryOut(c, c.works[0]!, out)),
    worked: update((c, event) => {
      c.now = event.at;
      const one = c.works.shift()!;
      if (one.work === 'load') keepLoaded(c, (event as MemoryLoaded).data);
      if (c.works.length > 0 || !c.own) return;
      c.parked.push(c.own);
      c.own = null;
    }),
    parkOwn: update((c) => {
      if (!c.own || c.works.length > 0) return;
      c.parked.push(c.own);
      c.own = null;
    }),
    finish: act((c, _event, out) => {
      settle(c);
      if (c.call!.call === 'attach' && c.status === 'OK') c.attached = true;
      const { status, value, data } = c;
      const delay = looksOnly(c) ? inSubTicks(c.spec.parameters.pollDetect) : 0;
      answer(c, { answer: 'done', status, value, data }, delay, out);
      c.call = null;
    }),
    takePacket: act((c, _event, out) => {
      c.budget--;
      takeFrom(c, c.attached ? 0 : firstReply(c), out);
    }),
    takeReply: act((c, _event, out) => takeFrom(c, firstReply(c), out)),
    takeParked: update((c) => {
      c.budget--;
      c.parcel = null;
      c.delivery = c.parked.shift()!;
    }),
    hold: update<'packet.content'>((c, { peer, ring, header, payload, slot, at }) => {
      c.now = at;
      c.parcel = { peer, ring, header, payload, slot };
      c.delivery = null;
    }),
    holdDrained: update<'packet.content'>((c, { peer, ring, header, payload, slot, at }) => {
      c.now = at;
      c.drained = { peer, ring, header, payload, slot };
    }),
    // The flags of further channels are looked at one after the other.
    count: act((c, _event, out) => {
      const gap = c.spec.parameters.pollGapPerChannel;
      turnIn(c, inSubTicks(gap * (c.parcel!.header.total - 1)), out);
    }),
    notePacket: update((c) => {
      note(c, c.parcel!);
    }),
    noteDrained: update((c) => note(c, c.drained!)),
    copyPacket: act((c, _event, out) => carryOut(c, workOf(c.parcel!), out)),
    copyDrained: act((c, _event, out) => carryOut(c, workOf(c.drained!), out)),
    park: update((c) => {
      const delivery = deliveryOf(c, c.drained!);
      judgeHandler(c, delivery);
      c.parked.push(delivery);
    }),
    deliver: update((c) => {
      c.delivery = deliveryOf(c, c.parcel!);
    }),
    dispatch: act((c, _event, out) => {
      judgeHandler(c, c.delivery!);
      c.replied = false;
      turnIn(c, inSubTicks(c.spec.parameters.amDispatch), out);
    }),
    runHandler: act((c, _event, out) => answer(c, { answer: 'handler', delivery: c.delivery! }, 0, out)),
    loadValue: act((c, _event, out) => {
      const { addr, bytes } = valueAt(c.parcel!);
      carryOut(c, { work: 'load', src: addr, bytes }, out);
    }),
    sendValue: act<'memory.loaded'>((c, { data, at }, out) => {
      c.now = at;
      out.post({ to: c.spec.planner, type: 'transfer.begin', job: valueJob(c.parcel!, data), at });
    }),
    sendData: act((c, _event, out) =>
      out.post({ to: c.spec.planner, type: 'transfer.begin', job: dataJob(c, c.parcel!), at: c.now }),
    ),
    judgeReply: update<'gasnet.call'>((c, { call, at }) => {
      c.now = at;
      if (holdsSomething(c.locks)) fail(c, 'EHSL', 'a reply while a lock is held, or handlers are held off');
      c.status = judgeReply(c, call as Extract<GasnetCall, { call: 'reply' }>);
    }),
    judgeInHandler: update<'gasnet.call'>((c, { call }) => {
      c.fatal ??= {
        code: 'EREPLY',
        why: `EREPLY: rank ${c.spec.node}: "${call.call}" in a handler, which may only reply`,
      };
    }),
    sendReply: act<'gasnet.call'>((c, { call, at }, out) => {
      const reply = call as Extract<GasnetCall, { call: 'reply' }>;
      c.replied = true;
      const job = messageJob(c, c.delivery!.source, reply, true);
      out.post({ to: c.spec.planner, type: 'transfer.begin', job, at });
    }),
    prepareOwnReply: update<'gasnet.call'>((c, { call }) => {
      const reply = call as Extract<GasnetCall, { call: 'reply' }>;
      c.replied = true;
      c.works = ownWorks(reply);
      c.own = ownDelivery(c.spec.node, reply, true);
    }),
    noteLeaving: update<'transfer.started'>((c, { left, at }) => {
      c.now = at;
      c.leaving = left;
    }),
    sayReply: act((c, _event, out) => {
      const { status } = c;
      c.status = 'OK';
      answer(c, { answer: 'done', status, value: 0, data: new Uint8Array(0) }, 0, out);
    }),
    see: act((c, _event, out) => {
      turnIn(c, inSubTicks(c.spec.parameters.pollDetect), out);
    }),
    freePacket: act((c, { at }, out) => {
      c.now = Math.max(c.now, at);
      freeSlot(c, c.parcel!, out);
    }),
    freeDrained: act((c, { at }, out) => {
      c.now = Math.max(c.now, at);
      freeSlot(c, c.drained!, out);
    }),
    useLock: act<'gasnet.call'>((c, { call, at }, out) => {
      c.now = at;
      const { action, lock } = call as Extract<GasnetCall, { call: 'hsl' }>;
      const { wrong, since } = actOnLock(c.locks, action, lock, at);
      if (wrong !== undefined) fail(c, 'EHSL', wrong);
      if (out.observed && since !== undefined && at - since > holdSubTicksMax)
        out.probe<LongHold>({ type: 'hsl.long', node: c.spec.node, action, lock, subTicks: at - since });
    }),
    endHandler: update((c, { at }) => {
      c.now = Math.max(c.now, at);
      if (holdsSomething(c.locks))
        fail(c, 'EHSL', 'a handler ends with a lock held, or with handlers held off');
      c.delivery = null;
      c.arrivals++;
    }),
    noteExit: update<'job.exit'>((c, { code, at }) => {
      c.now = at;
      c.exitCode = code;
    }),
    askExit: act<'gasnet.call'>((c, { call, at }, out) => {
      c.now = at;
      c.exitCode = (call as Extract<GasnetCall, { call: 'exit' }>).code;
      tellExit(c, out);
    }),
    complain: act((c, { at }, out) => {
      c.now = Math.max(c.now, at);
      c.exitCode = fatalExitCode;
      out.report({ property: 'no node ends the job with a fatal error', why: c.fatal!.why });
      tellExit(c, out);
    }),
    stop: act((c, _event, out) =>
      out.post({ to: c.spec.cpu, type: 'cpu.exit', code: c.exitCode, at: c.now }),
    ),
  },
}).createMachine({
  id: 'runtime',
  context: ({ input }) => ({
    spec: input,
    now: 0,
    attached: false,
    handlers: [],
    segments: input.receivers.map(() => null),
    call: null,
    begun: false,
    goal: { goal: 'nothing' },
    status: 'OK',
    value: 0,
    data: new Uint8Array(0),
    budget: 0,
    jobs: [],
    sending: null,
    works: [],
    own: null,
    blocked: [],
    freed: input.receivers.map(() => ringClasses.map(() => 0)),
    selfSeen: new Array<number>(channels).fill(0),
    ready: [],
    parked: [],
    partial: {},
    leaving: [],
    parcel: null,
    drained: null,
    delivery: null,
    replied: false,
    arrivals: 0,
    arrivalsBefore: 0,
    putsFrom: input.receivers.map(() => 0),
    groups: { [implicitGroup]: emptyGroup() },
    gets: {},
    nextToken: 1,
    nextHandle: 1,
    region: 0,
    barrier: noBarrier(),
    locks: noLocks(),
    fatal: null,
    exitCode: 0,
  }),
  on: {
    'packet.ready': { actions: 'noteReady' },
    'tx.freed': { actions: 'noteFreed' },
    'self.notified': { actions: 'noteSelf' },
    'job.exit': { target: '.exiting', actions: 'noteExit' },
  },
  initial: 'uninit',
  states: {
    uninit: {
      on: {
        'gasnet.call': [
          { guard: 'isInit', target: 'inited', actions: 'sayOk' },
          { guard: 'isExit', target: 'leaving', actions: 'askExit' },
          { actions: 'sayNotInit' },
        ],
      },
    },
    inited: {
      on: {
        'gasnet.call': [
          { guard: 'isAttach', target: 'deciding', actions: 'take' },
          { guard: 'isExit', target: 'leaving', actions: 'askExit' },
          { actions: 'sayNotInit' },
        ],
      },
    },
    attached: {
      on: {
        'gasnet.call': [
          { guard: 'isExit', target: 'leaving', actions: 'askExit' },
          { guard: 'isLock', target: 'locking', actions: 'useLock' },
          { target: 'deciding', actions: 'take' },
        ],
      },
    },
    deciding: {
      always: [
        { guard: 'failed', target: 'leaving', actions: 'complain' },
        { guard: 'hasBudget', target: 'polling' },
        { guard: 'hasRoom', target: 'working', actions: 'resume' },
        { guard: 'mustSend', target: 'working', actions: 'send' },
        { guard: 'mustWork', target: 'copying', actions: 'work' },
        { guard: 'mayAdvance', target: 'deciding', actions: 'advance', reenter: true },
        { guard: 'notBegun', target: 'deciding', actions: ['begin', 'parkOwn'], reenter: true },
        { guard: 'reached', target: 'returning' },
        { target: 'polling' },
      ],
    },
    returning: {
      entry: 'finish',
      always: [{ guard: 'isAttachedNow', target: 'attached' }, { target: 'inited' }],
    },
    working: {
      on: {
        'transfer.started': { target: 'deciding', actions: 'register' },
        'transfer.blocked': { target: 'deciding', actions: 'noteBlocked' },
      },
    },
    copying: {
      on: {
        'copy.done': { target: 'deciding', actions: 'worked' },
        'memory.stored': { target: 'deciding', actions: 'worked' },
        'memory.loaded': { target: 'deciding', actions: 'worked' },
      },
    },
    polling: {
      always: [
        { guard: 'hasParked', target: 'dispatching', actions: ['takeParked', 'dispatch'] },
        { guard: 'hasReady', target: 'taking', actions: 'takePacket' },
        { target: 'waiting' },
      ],
    },
    waiting: {
      tags: ['waiting'],
      meta: waitsFor<RuntimeContext>('a packet, the end of an operation, or space in a ring', waitsOn),
      on: {
        'packet.ready': { target: 'seeing', actions: ['noteReady', 'see'] },
        'tx.freed': { target: 'seeing', actions: ['noteFreed', 'see'] },
        'self.notified': { target: 'seeing', actions: ['noteSelf', 'see'] },
      },
    },
    seeing: { on: { 'runtime.turn': { target: 'deciding', actions: 'turn' } } },
    taking: {
      on: {
        'packet.content': [
          { guard: 'needsCount', target: 'counting', actions: ['hold', 'count'] },
          { guard: 'needsNothing', target: 'freeing', actions: ['hold', 'notePacket'] },
          { guard: 'needsCopy', target: 'delivering', actions: ['hold', 'copyPacket'] },
          { guard: 'needsHandler', target: 'dispatching', actions: ['hold', 'deliver', 'dispatch'] },
          { guard: 'needsValue', target: 'lookingUp', actions: ['hold', 'loadValue'] },
          { target: 'answering', actions: ['hold', 'sendData'] },
        ],
      },
    },
    counting: { on: { 'runtime.turn': { target: 'freeing', actions: ['turn', 'notePacket'] } } },
    delivering: { on: { 'copy.done': { target: 'freeing', actions: ['turn', 'notePacket'] } } },
    lookingUp: { on: { 'memory.loaded': { target: 'answering', actions: 'sendValue' } } },
    dispatching: {
      always: { guard: 'failed', target: 'leaving', actions: 'complain' },
      on: { 'runtime.turn': { target: 'inHandler', actions: ['turn', 'runHandler'] } },
    },
    inHandler: {
      on: {
        'gasnet.call': [
          { guard: 'isHandled', target: 'handled', actions: 'endHandler' },
          { guard: 'isReply', target: 'judging', actions: 'judgeReply' },
          { guard: 'isLock', target: 'locking', actions: 'useLock' },
          { guard: 'isExit', target: 'leaving', actions: 'askExit' },
          { target: 'deciding', actions: 'judgeInHandler' },
        ],
      },
    },
    locking: {
      always: [
        { guard: 'failed', target: 'leaving', actions: 'complain' },
        { guard: 'inHandler', target: 'inHandler', actions: 'sayReply' },
        { target: 'attached', actions: 'sayReply' },
      ],
    },
    judging: {
      always: [
        { guard: 'failed', target: 'leaving', actions: 'complain' },
        { guard: 'refusedReply', target: 'inHandler', actions: 'sayReply' },
        { guard: 'ownReply', target: 'ownReply', actions: 'prepareOwnReply' },
        { target: 'answering', actions: 'sendReply' },
      ],
    },
    ownReply: {
      always: [
        { guard: 'ownReplyBrings', target: 'copyingReply', actions: 'work' },
        { target: 'inHandler', actions: ['parkOwn', 'sayReply'] },
      ],
    },
    copyingReply: {
      on: {
        'copy.done': { target: 'ownReply', actions: 'worked' },
        'memory.loaded': { target: 'ownReply', actions: 'worked' },
      },
    },
    answering: {
      on: {
        'transfer.started': [
          { guard: 'answersData', target: 'freeing', actions: 'turn' },
          { target: 'parting', actions: 'noteLeaving' },
        ],
        'transfer.blocked': { target: 'squeezed', actions: 'noteBlocked' },
      },
    },
    // A long reply returns when its source has been read.
    parting: { always: { guard: 'allLeft', target: 'inHandler', actions: 'sayReply' } },
    // An answer finds no slot: replies alone are taken, so that two nodes which answer each other go on.
    squeezed: {
      tags: ['waiting'],
      meta: waitsFor<RuntimeContext>('space in a ring of replies', waitsOn),
      always: [
        { guard: 'hasRoom', target: 'answering', actions: 'resume' },
        { guard: 'hasReplies', target: 'draining', actions: 'takeReply' },
      ],
    },
    draining: {
      on: {
        'packet.content': [
          { guard: 'needsNothing', target: 'drained', actions: ['holdDrained', 'noteDrained'] },
          { guard: 'needsCopy', target: 'drainingCopy', actions: ['holdDrained', 'copyDrained'] },
          { target: 'drained', actions: ['holdDrained', 'park'] },
        ],
      },
    },
    drainingCopy: { on: { 'copy.done': { target: 'drained', actions: ['turn', 'noteDrained'] } } },
    drained: { entry: 'freeDrained', on: { 'packet.freed': { target: 'squeezed', actions: 'turn' } } },
    handled: {
      always: [
        { guard: 'failed', target: 'leaving', actions: 'complain' },
        { guard: 'fromRing', target: 'freeing' },
        { target: 'deciding' },
      ],
    },
    freeing: { entry: 'freePacket', on: { 'packet.freed': { target: 'deciding', actions: 'turn' } } },
    leaving: { on: { 'pio.done': { target: 'exiting', actions: 'turn' }, 'runtime.turn': refused } },
    // What was under way comes to nobody.
    exiting: {
      entry: 'stop',
      on: {
        'gasnet.call': refused,
        'runtime.turn': refused,
        'packet.content': refused,
        'packet.freed': refused,
        'transfer.started': refused,
        'transfer.blocked': refused,
        'copy.done': refused,
        'memory.loaded': refused,
        'memory.stored': refused,
        'pio.done': refused,
        'job.exit': refused,
      },
    },
  },
});
