import { and, setup } from 'xstate';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { chainError } from './descriptor.ts';
import type { DmacContext, DmacInput, DmacOut } from './dmac-context.ts';
import { later, load, request, retireAll, take, unacceptedMax } from './dmac-reads.ts';
import { tcaProtocol } from './protocol.ts';

const role = tcaProtocol.roles.Dmac;
const { update, when, act } = role.component<DmacContext>();

/** Cycles that it takes longer to fetch a descriptor from CPU memory than from the chip. */
const hostFetch = ({ chain, spec }: DmacContext, index: number): number =>
  chain[index]?.useInternal === false ? spec.parameters.cpuReadLatency : 0;

/** Whether the chip hears a doorbell during a chain: every second one, as the seed decides (TCA specification 8). */
const isHeard = ({ early, spec }: DmacContext): boolean => mixSeed(early, spec.seed) % 2 === 1;

function tellBusy(c: DmacContext, busy: boolean, out: DmacOut): void {
  const { registers, channel } = c.spec;
  out.post({ to: registers, type: 'dmac.busy', channel, busy, error: c.error });
}

const partition = ({ spec }: DmacContext): number => spec.parameters.tagsPerChannel[spec.channel]!;

/** A channel of the DMA controller (TCA specification 7). */
export const dmac = setup({
  types: role.types<DmacContext, DmacInput>(),
  guards: {
    noTag: when((c) => c.free === 0),
    failed: when((c) => c.error !== null),
    moreReads: when((c) => c.read < c.reads.length),
    isHeard: when(isHeard),
    strict: when((c) => c.spec.strict),
    mustSettle: when((c) => c.chain[c.descriptor]!.pipeline === false && c.free < partition(c)),
    isClear: when((c) => c.free === partition(c) && !c.turning),
    hasTail: when((c) => c.spec.parameters.stopTail > 0),
    moreDescriptors: when((c) => c.descriptor + 1 < c.chain.length),
    allFree: when((c) => c.free === partition(c)),
  },
  actions: {
    latch: act<'dmac.doorbell'>((c, { chain }, out) => {
      c.chain = chain;
      c.descriptor = 0;
      c.error = c.spec.strict ? (chainError(chain) ?? null) : null;
      tellBusy(c, true, out);
      later(c, c.spec.parameters.dmacStart + hostFetch(c, 0), out);
    }),
    turn: update<'dmac.turn'>((c) => {
      c.turning = false;
    }),
    load: update((c) => load(c)),
    next: update((c) => {
      c.descriptor++;
    }),
    takeTag: act((c, _event, out) => {
      const { tags, channel } = c.spec;
      c.free--;
      out.post({ to: tags, type: 'tag.take', channel });
    }),
    request: act<'tag.grant'>((c, { tag }, out) => request(c, tag, out)),
    // A tag that was asked for before the channel failed.
    giveBack: act<'tag.grant'>((c, { tag }, out) => {
      const { tags, channel } = c.spec;
      out.post({ to: tags, type: 'tag.release', channel, tag });
    }),
    fetch: act((c, _event, out) =>
      later(c, c.spec.parameters.descriptorFetch + hostFetch(c, c.descriptor + 1), out),
    ),
    settle: act((c, _event, out) => later(c, c.spec.parameters.stopTail, out)),
    freeTag: update<'tag.free'>((c) => {
      c.free++;
    }),
    takeBytes: act<'tlp.completion'>((c, { tag, offset, data }, out) => {
      take(c, tag, offset, data, out);
    }),
    goOnRetiring: act<'write.accepted'>((c, _event, out) => {
      c.unaccepted--;
      retireAll(c, out);
    }),
    ask: update((c) => {
      c.asked = true;
    }),
    // A write that waits before the router is on no wire yet: what comes by PIO could still overtake it (TCA specification 6).
    tellTaken: act((c, _event, out) => {
      if (!c.asked || c.unaccepted > 0) return;
      c.asked = false;
      out.post({ to: c.spec.cpu, type: 'writes.taken', channel: c.spec.channel });
    }),
    takeWord: act<'dmac.internal'>((c, { tag, data }, out) => {
      take(c, tag, 0, data, out);
    }),
    count: act((c, _event, out) => {
      c.finished++;
      const { cpu, channel } = c.spec;
      out.post({ to: cpu, type: 'chain.done', channel, count: c.finished });
      tellBusy(c, false, out);
    }),
    refuse: act<'dmac.doorbell'>((c, _event, out) => {
      out.post({ to: c.spec.cpu, type: 'channel.error', channel: c.spec.channel, code: 'EBUSY' });
    }),
    // The new chain is gone; whether the old one goes on as well is up to the seed (TCA specification 8).
    loseDoorbell: act<'dmac.doorbell'>((c, _event, out) => {
      c.early++;
      if (out.observed) out.probe({ type: 'doorbell.lost' });
    }),
    corrupt: update((c) => {
      c.error = 'EBUSY';
    }),
    reset: update<'dmac.reset'>((c) => {
      c.error = null;
    }),
    tellError: act((c, _event, out) => {
      const { cpu, channel } = c.spec;
      tellBusy(c, false, out);
      out.post({ to: cpu, type: 'channel.error', channel, code: c.error! });
    }),
  },
}).createMachine({
  id: 'dmac',
  context: ({ input }) => ({
    spec: input,
    chain: [],
    descriptor: 0,
    reads: [],
    read: 0,
    slots: [],
    unaccepted: 0,
    asked: false,
    free: input.parameters.tagsPerChannel[input.channel]!,
    seq: 0,
    early: 0,
    finished: 0,
    turning: false,
    error: null,
  }),
  on: {
    'dmac.doorbell': [
      { guard: 'strict', actions: 'refuse' },
      { guard: 'isHeard', target: '.error', actions: ['loseDoorbell', 'corrupt', 'tellError'] },
      { actions: 'loseDoorbell' },
    ],
    'dmac.reset': {},
    'tag.free': { actions: 'freeTag' },
    'tlp.completion': { actions: 'takeBytes' },
    'dmac.internal': { actions: 'takeWord' },
    'write.accepted': { actions: ['goOnRetiring', 'tellTaken'] },
    'writes.ask': { actions: ['ask', 'tellTaken'] },
    // What a channel had in mind before it failed.
    'dmac.turn': { actions: 'turn' },
  },
  initial: 'idle',
  states: {
    idle: { on: { 'dmac.doorbell': { target: 'start', actions: 'latch' } } },
    start: {
      on: {
        'dmac.turn': [
          { guard: 'failed', target: 'error', actions: ['turn', 'tellError'] },
          { target: 'issue', actions: ['turn', 'load'] },
        ],
      },
    },
    // A free tag is asked for before anything else, also before the next descriptor is fetched.
    issue: {
      always: [
        { guard: 'noTag', target: 'stall' },
        { guard: 'moreReads', target: 'asking', actions: 'takeTag' },
        { guard: 'mustSettle', target: 'settling' },
        { target: 'fetch' },
      ],
    },
    // A descriptor without pipelining: its reads are over before the next one is fetched.
    settling: {
      ...waitingFor<DmacContext>('all of its tags', ({ spec }) => spec.router),
      always: { guard: 'allFree', target: 'fetch' },
      on: { 'tag.free': { actions: 'freeTag' } },
    },
    asking: { on: { 'tag.grant': { target: 'pause', actions: 'request' } } },
    pause: {
      always: { guard: 'failed', target: 'error', actions: 'tellError' },
      on: { 'dmac.turn': { target: 'issue', actions: 'turn' } },
    },
    stall: {
      ...waitingFor<DmacContext>('a free tag', ({ spec, unaccepted }) =>
        unaccepted < unacceptedMax ? spec.tags : spec.router,
      ),
      on: { 'tag.free': { target: 'issue', actions: 'freeTag' } },
    },
    fetch: {
      entry: 'fetch',
      on: {
        'dmac.turn': [
          { guard: 'moreDescriptors', target: 'issue', actions: ['turn', 'next', 'load'] },
          { target: 'drain', actions: 'turn' },
        ],
      },
    },
    drain: {
      ...waitingFor<DmacContext>(
        'its tags, which come back when the router takes its writes',
        ({ spec }) => spec.router,
      ),
      always: [
        { guard: and(['allFree', 'hasTail']), target: 'stopping', actions: 'settle' },
        { guard: 'allFree', target: 'idle', actions: 'count' },
      ],
      on: { 'tag.free': { actions: 'freeTag' } },
    },
    stopping: { on: { 'dmac.turn': { target: 'idle', actions: ['turn', 'count'] } } },
    error: {
      on: {
        'dmac.doorbell': { actions: 'refuse' },
        'dmac.reset': { target: 'clearing', actions: 'reset' },
        'tag.grant': { actions: 'giveBack' },
      },
    },
    // What was under way when the channel failed comes to its end first.
    clearing: {
      always: { guard: 'isClear', target: 'idle' },
      on: {
        'dmac.doorbell': { actions: 'refuse' },
        'tag.grant': { actions: 'giveBack' },
        'tag.free': { actions: 'freeTag' },
      },
    },
  },
});
