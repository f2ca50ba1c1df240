import { setup } from 'xstate';
import { channels, inSubTicks } from '../parameters.ts';
import { tcaProtocol } from '../protocol.ts';
import { amountOf, partsOf } from './chains.ts';
import { blocksIn, contiguous } from './job.ts';
import { sendBufferAddress } from './layout.ts';
import {
  isLeft,
  type PlannerContext,
  type PlannerInput,
  pieceOf,
  senderOf,
  workOf,
} from './planner-context.ts';
import {
  behindAndOwn,
  carriesPacket,
  channelsOf,
  copy,
  headerBytesOf,
  inStores,
  isDeferred,
  isPacketOnly,
  isSmall,
  keyOf,
  load,
  maySplit,
  movedBy,
  noteTimes,
  onOne,
  othersBehind,
  packetBytes,
  patternOf,
  ring,
  sent,
  slotHere,
  slotThere,
  soonest,
  stopAsked,
  store,
  storeByPio,
  turnIn,
  usesDma,
  wireBytes,
} from './planner-steps.ts';
import { type Piece, planOf } from './transfer-plan.ts';

const role = tcaProtocol.roles.Planner;
const { update, when, act } = role.component<PlannerContext>();

/** What decides how the bytes of jobs go over the wires (TCA specification 12.3, 12.8, 15). */
export const planner = setup({
  types: role.types<PlannerContext, PlannerInput>(),
  guards: {
    over: when((c) => pieceOf(c) === undefined),
    needsSlot: when((c) => pieceOf(c)!.kind !== null && workOf(c).slot < 0),
    bounces: when((c) => pieceOf(c)!.way === 'BtoM'),
    bouncesNow: when((c) => pieceOf(c)!.way === 'BtoM' && isLeft(c, c.buffers[c.buffer]!)),
    bufferFree: when((c) => isLeft(c, c.buffers[c.buffer]!)),
    copiesPacket: when((c) => pieceOf(c)!.way === 'BtoB'),
    isPacket: when((c) => pieceOf(c)!.way === 'packet'),
    isPio: when((c) => pieceOf(c)!.way === 'PIO'),
    hasPayload: when((c) => pieceOf(c)!.shape.size > 0),
    small: when(isSmall),
    mayOvertake: when((c) => workOf(c).behind.length > 0),
    mayOvertakeOthers: when((c) => carriesPacket(c) && othersBehind(c).length > 0),
    maySplit: when(maySplit),
    uncached: when((c) => c.tuning || c.spec.options.cacheEntries === 0),
    hit: when<'cache.found'>((_c, { parts }) => parts !== null),
    moreChannels: when((c) => c.started < c.parts.length),
    deferred: when(isDeferred),
    defersMessage: when((c) => isDeferred(c) && !isPacketOnly(c)),
  },
  actions: {
    begin: act<'transfer.begin'>((c, { job }, out) => {
      c.works.push({
        job,
        pieces: planOf(job, c.spec.options),
        next: 0,
        slot: -1,
        behind: [],
        sequence: -1,
        left: [],
        told: null,
      });
      turnIn(inSubTicks(c.spec.parameters.gasnetPutSoftware) + c.clockDebt, out);
      c.clockDebt = 0;
    }),
    finish: act((c, _event, out) => {
      const { sequence, left } = c.works.pop()!;
      out.post({ to: c.spec.runtime, type: 'transfer.started', sequence, left });
    }),
    reserve: act((c, _event, out) => out.post({ to: senderOf(c), type: 'tx.reserve' })),
    noteSlot: update<'tx.slot'>((c, { sequence, behind }) => {
      const work = workOf(c);
      work.slot = sequence;
      work.behind = behind;
    }),
    tellBlocked: act<'tx.full'>((c, { sequence }, out) => {
      const { target, ring: full } = workOf(c).job;
      out.post({ to: c.spec.runtime, type: 'transfer.blocked', peer: target, ring: full, sequence });
    }),
    fillBuffer: act((c, _event, out) => {
      const { src, dst, shape } = pieceOf(c)!;
      const { layout, node } = c.spec;
      c.buffers[c.buffer] = [];
      copy(c, src, sendBufferAddress(layout, node, c.buffer) + (dst % 16), shape.size, out);
    }),
    fillSlot: act((c, _event, out) => {
      const { src, shape } = pieceOf(c)!;
      copy(c, src, slotHere(c) + wireBytes(c), shape.size, out);
    }),
    storePayload: act((c, _event, out) => {
      const { job } = workOf(c);
      const { src, shape } = pieceOf(c)!;
      store(c, slotHere(c) + wireBytes(c), job.payload.slice(src, src + shape.size), out);
    }),
    storeHeader: act((c, _event, out) => store(c, slotHere(c), headerBytesOf(c, undefined), out)),
    loadPacket: act((c, _event, out) => load(c, slotHere(c), 4 * Math.ceil(packetBytes(c) / 4), out)),
    loadSource: act((c, _event, out) => {
      const { src, shape } = pieceOf(c)!;
      load(c, src, shape.size, out);
    }),
    hold: update<'memory.loaded'>((c, { data }) => {
      c.bytes = data;
    }),
    storePacket: act((c, _event, out) => storeByPio(c, inStores(slotThere(c), c.bytes), out)),
    storeDirect: act((c, _event, out) => {
      const { dst, kind } = pieceOf(c)!;
      const { target } = workOf(c).job;
      const data = [{ address: dst, data: c.bytes }];
      const packet = kind === null ? [] : inStores(slotThere(c), headerBytesOf(c, [...c.partsSent[target]!]));
      storeByPio(c, [...data, ...packet], out);
    }),
    storeHead: act((c, _event, out) => storeByPio(c, [], out)),
    keepOneChannel: update((c, _event, { now }) => {
      const { shape } = movedBy(c);
      const { scheduler, channels: enabled } = c.spec.options;
      const own = usesDma(pieceOf(c)!) && pieceOf(c)!.way !== 'MtoB';
      const channel =
        scheduler === 'perRequest' && own ? soonest(c, shape.size * blocksIn(shape), now) : enabled[0]!;
      c.split = onOne(channel, amountOf(shape).amount);
      c.tuning = false;
    }),
    askWeights: act((c, _event, out) => {
      const { amount, unit } = amountOf(movedBy(c).shape);
      const pattern = patternOf(c);
      out.post({ to: c.spec.weights, type: 'weights.ask', pattern, amount, unit });
    }),
    noteSplit: update<'weights.split'>((c, { split, tuning }) => {
      c.split = split;
      c.tuning = tuning;
    }),
    lookInCache: act((c, _event, out) => out.post({ to: c.spec.cache, type: 'cache.find', key: keyOf(c) })),
    takeFound: update<'cache.found'>((c, { parts }) => {
      c.parts = parts!;
      c.inFlight.push({ key: keyOf(c), channels: channelsOf(c) });
    }),
    build: act((c, _event, out) => {
      const { src, dst, shape } = movedBy(c);
      c.parts = partsOf(src, dst, shape, c.split);
      const cycles = c.spec.parameters.descriptorBuildOnMiss * c.parts.length;
      turnIn(inSubTicks(cycles), out);
    }),
    keepBuilt: act((c, _event, out) => {
      if (c.tuning || c.spec.options.cacheEntries === 0) return;
      const key = keyOf(c);
      c.inFlight.push({ key, channels: channelsOf(c) });
      out.post({ to: c.spec.cache, type: 'cache.keep', key, parts: c.parts });
    }),
    askStop: act((c, _event, out) => stopAsked(c, channelsOf(c), false, out)),
    askGathered: act((c, _event, out) => stopAsked(c, behindAndOwn(c), true, out)),
    askStopOfOthers: act((c, _event, out) => stopAsked(c, othersBehind(c), true, out)),
    askStopBehind: act((c, _event, out) => stopAsked(c, workOf(c).behind, true, out)),
    releaseDescriptors: act((c, _event, out) => {
      // The channels that are to be started have stopped: nobody reads the descriptors that they had.
      const stopped = channelsOf(c);
      const own = keyOf(c);
      const isOver = (one: { key: string; channels: readonly number[] }) =>
        one.key !== own && one.channels.every((channel) => stopped.includes(channel));
      const keys = c.inFlight.filter(isOver).map(({ key }) => key);
      c.inFlight = c.inFlight.filter((one) => !isOver(one));
      if (keys.length > 0) out.post({ to: c.spec.cache, type: 'cache.release', keys });
    }),
    tellStarted: act((c, _event, out) => {
      c.started = 0;
      out.post({ to: c.spec.stops, type: 'stop.started', channels: channelsOf(c) });
    }),
    ring: act((c, _event, out) => ring(c, out)),
    // The message follows by itself when all channels have stopped; its slot is kept for it.
    deferMessage: update((c) => {
      const work = workOf(c);
      const piece = pieceOf(c)!;
      const packet: Piece = { ...piece, way: 'packet', shape: contiguous(0) };
      work.behind = behindAndOwn(c);
      work.pieces = [...work.pieces.slice(0, work.next), { ...piece, kind: null }, packet];
    }),
    advance: update((c) => {
      if (pieceOf(c)!.way === 'BtoM') c.buffer = 1 - c.buffer;
      workOf(c).next++;
    }),
    seeBuffer: act((c, _event, out) => turnIn(inSubTicks(c.spec.parameters.pollDetect), out)),
    sentByChannels: act((c, _event, out) => sent(c, channelsOf(c).slice(0, 1), out)),
    sentByPio: act((c, _event, out) => sent(c, [], out)),
    noteDone: update<'ring.done'>((c, { peer, ring: one, done }) => {
      c.doneFrom[peer]![one] = done;
    }),
    noteSelf: act<'self.notified'>((c, event, out) => {
      c.selfSeen[event.channel] = Math.max(c.selfSeen[event.channel]!, event.count);
      noteTimes(c, event, out);
    }),
  },
}).createMachine({
  id: 'planner',
  context: ({ input }) => ({
    spec: input,
    works: [],
    buffers: [[], []],
    buffer: 0,
    selfSent: new Array<number>(channels).fill(0),
    selfSeen: new Array<number>(channels).fill(0),
    partsSent: input.senders.map(() => new Array<number>(channels).fill(0)),
    doneFrom: input.receivers.map(() => [0, 0]),
    inFlight: [],
    timed: [],
    clockDebt: 0,
    expected: new Array<number>(channels).fill(0),
    split: [],
    tuning: false,
    parts: [],
    started: 0,
    bytes: new Uint8Array(0),
  }),
  on: { 'self.notified': { actions: 'noteSelf' }, 'ring.done': { actions: 'noteDone' } },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'transfer.begin': { target: 'chooseMode', actions: 'begin' },
        'transfer.resume': { target: 'reserving' },
      },
    },
    chooseMode: { on: { 'planner.turn': { target: 'nextPiece' } } },
    nextPiece: {
      always: [
        { guard: 'over', target: 'idle', actions: 'finish' },
        { guard: 'needsSlot', target: 'reserving' },
        { target: 'prepare' },
      ],
    },
    reserving: {
      entry: 'reserve',
      on: {
        'tx.slot': { target: 'prepare', actions: 'noteSlot' },
        'tx.full': { target: 'idle', actions: 'tellBlocked' },
      },
    },
    prepare: {
      always: [
        { guard: 'bouncesNow', target: 'bouncing', actions: 'fillBuffer' },
        { guard: 'bounces', target: 'buffering' },
        { guard: 'copiesPacket', target: 'filling', actions: 'fillSlot' },
        { guard: 'isPacket', target: 'payload' },
        { guard: 'isPio', target: 'fetching', actions: 'loadSource' },
        { target: 'split' },
      ],
    },
    buffering: { always: { guard: 'bufferFree', target: 'seeing', actions: 'seeBuffer' } },
    seeing: { on: { 'planner.turn': { target: 'bouncing', actions: 'fillBuffer' } } },
    bouncing: { on: { 'copy.done': { target: 'split' } } },
    filling: { on: { 'copy.done': { target: 'heading' } } },
    payload: {
      always: [{ guard: 'hasPayload', target: 'storing', actions: 'storePayload' }, { target: 'heading' }],
    },
    storing: { on: { 'memory.stored': { target: 'heading' } } },
    heading: {
      entry: 'storeHeader',
      on: {
        'memory.stored': [{ guard: 'small', target: 'loading', actions: 'loadPacket' }, { target: 'split' }],
      },
    },
    loading: {
      on: {
        'memory.loaded': [
          { guard: 'mayOvertake', target: 'ordering', actions: ['hold', 'askStopBehind'] },
          { target: 'pushing', actions: ['hold', 'storePacket'] },
        ],
      },
    },
    ordering: { on: { 'stop.known': { target: 'pushing', actions: 'storePacket' } } },
    pushing: { on: { 'pio.done': { target: 'posted', actions: 'sentByPio' } } },
    fetching: {
      on: {
        'memory.loaded': [
          { guard: 'mayOvertake', target: 'orderingData', actions: ['hold', 'askStopBehind'] },
          { target: 'pushing', actions: ['hold', 'storeDirect'] },
        ],
      },
    },
    orderingData: { on: { 'stop.known': { target: 'pushing', actions: 'storeDirect' } } },
    split: {
      always: [
        { guard: 'maySplit', target: 'weighing', actions: 'askWeights' },
        { target: 'lookUp', actions: 'keepOneChannel' },
      ],
    },
    weighing: { on: { 'weights.split': { target: 'lookUp', actions: 'noteSplit' } } },
    lookUp: {
      always: [
        { guard: 'uncached', target: 'build' },
        { target: 'asking', actions: 'lookInCache' },
      ],
    },
    asking: {
      on: {
        'cache.found': [{ guard: 'hit', target: 'waitStop', actions: 'takeFound' }, { target: 'build' }],
      },
    },
    build: {
      entry: 'build',
      on: { 'planner.turn': { target: 'waitStop', actions: 'keepBuilt' } },
    },
    waitStop: {
      entry: 'askStop',
      on: {
        'stop.known': [
          {
            guard: 'mayOvertakeOthers',
            target: 'orderingChain',
            actions: ['releaseDescriptors', 'askStopOfOthers'],
          },
          { target: 'start', actions: ['releaseDescriptors', 'tellStarted'] },
        ],
      },
    },
    // Channels do not keep the order of each other: a packet comes behind those that others carry (TCA specification 1.19).
    orderingChain: { on: { 'stop.known': { target: 'start', actions: 'tellStarted' } } },
    start: {
      entry: 'ring',
      on: {
        'planner.turn': [
          { guard: 'moreChannels', target: 'start', reenter: true },
          { guard: 'defersMessage', target: 'posted', actions: 'deferMessage' },
          { guard: 'deferred', target: 'gathering', actions: 'askGathered' },
          { target: 'posted', actions: 'sentByChannels' },
        ],
      },
    },
    // A packet that was split is announced when all channels have stopped.
    gathering: { on: { 'stop.known': { target: 'announcing', actions: 'storeHead' } } },
    announcing: { on: { 'pio.done': { target: 'posted', actions: 'sentByPio' } } },
    posted: { always: { target: 'nextPiece', actions: 'advance' } },
  },
});
