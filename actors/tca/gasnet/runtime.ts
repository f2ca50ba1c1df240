import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { channels } from '../parameters.ts';
import { tcaProtocol } from '../protocol.ts';
import { noBarrier } from './barrier.ts';
import { mayAdvance } from './barrier-calls.ts';
import type { GasnetCall } from './calls.ts';
import { isReached } from './completion.ts';
import { noLocks } from './handler-locks.ts';
import { ringClasses } from './layout.ts';
import { callActions } from './runtime-calls.ts';
import {
  emptyGroup,
  type Goal,
  implicitGroup,
  type RuntimeContext,
  type RuntimeInput,
} from './runtime-context.ts';
import { exitActions } from './runtime-exit.ts';
import { handlerActions } from './runtime-handlers.ts';
import { isCounted, type Need, needOf } from './runtime-packets.ts';
import { firstReply, ringActions } from './runtime-rings.ts';
import { waitsOn } from './waits-on.ts';

const role = tcaProtocol.roles.Gasnet;
const { when } = role.component<RuntimeContext>();

const callIs = (name: GasnetCall['call']) => when<'gasnet.call'>((_c, { call }) => call.call === name);

const isFull = (c: RuntimeContext): boolean => {
  const lowest = c.blocked.at(-1);
  if (!lowest) return false;
  const { peer, ring, sequence } = lowest;
  return sequence - c.freed[peer]![ring]! >= c.spec.options.slots;
};

/** The reply ring alone may be looked at while an answer is being sent, and before all nodes are attached. */
const hasReady = (c: RuntimeContext): boolean => (c.attached ? c.ready.length > 0 : firstReply(c) >= 0);

const needs = (need: Need) => when<'packet.content'>((_c, event) => needOf(event) === need);

const waitsWith = (...goals: readonly Goal['goal'][]) => when(({ goal }) => goals.includes(goal.goal));

/** What ends a wait: something is noticed a while after it has come (TCA specification 3: pollDetect). */
const noticed = {
  'packet.ready': { target: 'seeing', actions: ['noteReady', 'see'] },
  'tx.freed': { target: 'seeing', actions: ['noteFreed', 'see'] },
  'self.notified': { target: 'seeing', actions: ['noteSelf', 'see'] },
} as const;

/** A wait, which a deadlock report tells in these words. */
const noticing = (what: string) => ({
  ...waitingFor<RuntimeContext>(what, waitsOn),
  on: noticed,
});

/** The runtime of GASNet on a node (TCA specification 12, 15). */
export const runtime = setup({
  types: role.types<RuntimeContext, RuntimeInput>(),
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
    waitsForRoom: when((c) => c.blocked.length > 0),
    waitsForBarrier: waitsWith('barrier'),
    waitsForNodes: waitsWith('attach'),
    waitsForPackets: waitsWith('arrival', 'puts'),
    fromRing: when((c) => c.parcel !== null),
  },
  actions: { ...callActions, ...ringActions, ...handlerActions, ...exitActions },
}).createMachine({
  id: 'runtime',
  context: ({ input }) => ({
    spec: input,
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
        { guard: 'failed', target: 'leaving', actions: ['complain', 'exitAsFailed'] },
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
        { guard: 'waitsForRoom', target: 'waitingForRoom' },
        { guard: 'waitsForBarrier', target: 'waitingForBarrier' },
        { guard: 'waitsForNodes', target: 'waitingForNodes' },
        { guard: 'waitsForPackets', target: 'waitingForPackets' },
        { target: 'waiting' },
      ],
    },
    waitingForRoom: noticing('space in a ring, whose receiver has to take packets out'),
    waitingForBarrier: noticing('the word of another node in a barrier'),
    waitingForNodes: noticing('the other nodes to attach'),
    waitingForPackets: noticing('a message or a put of another node'),
    waiting: noticing('the end of an operation'),
    seeing: { on: { 'runtime.turn': { target: 'deciding' } } },
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
    counting: { on: { 'runtime.turn': { target: 'freeing', actions: 'notePacket' } } },
    delivering: { on: { 'copy.done': { target: 'freeing', actions: 'notePacket' } } },
    lookingUp: { on: { 'memory.loaded': { target: 'answering', actions: 'sendValue' } } },
    dispatching: {
      always: { guard: 'failed', target: 'leaving', actions: ['complain', 'exitAsFailed'] },
      on: { 'runtime.turn': { target: 'inHandler', actions: 'runHandler' } },
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
        { guard: 'failed', target: 'leaving', actions: ['complain', 'exitAsFailed'] },
        { guard: 'inHandler', target: 'inHandler', actions: 'sayReply' },
        { target: 'attached', actions: 'sayReply' },
      ],
    },
    judging: {
      always: [
        { guard: 'failed', target: 'leaving', actions: ['complain', 'exitAsFailed'] },
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
          { guard: 'answersData', target: 'freeing' },
          { target: 'parting', actions: 'noteLeaving' },
        ],
        'transfer.blocked': { target: 'squeezed', actions: 'noteBlocked' },
      },
    },
    // A long reply returns when its source has been read.
    parting: { always: { guard: 'allLeft', target: 'inHandler', actions: 'sayReply' } },
    // An answer finds no slot: replies alone are taken, so that two nodes which answer each other go on.
    squeezed: {
      ...waitingFor<RuntimeContext>('space in a ring of replies', waitsOn),
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
    drainingCopy: { on: { 'copy.done': { target: 'drained', actions: 'noteDrained' } } },
    drained: { entry: 'freeDrained', on: { 'packet.freed': { target: 'squeezed' } } },
    handled: {
      always: [
        { guard: 'failed', target: 'leaving', actions: ['complain', 'exitAsFailed'] },
        { guard: 'fromRing', target: 'freeing' },
        { target: 'deciding' },
      ],
    },
    freeing: { entry: 'freePacket', on: { 'packet.freed': { target: 'deciding' } } },
    leaving: { on: { 'pio.done': { target: 'exiting' }, 'runtime.turn': refused } },
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
