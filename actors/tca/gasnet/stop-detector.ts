import { and, setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { channels, inSubTicks, type TcaParameters } from '../parameters.ts';
import { tcaProtocol } from '../protocol.ts';

/** Who asks, and how a stop is detected: by polling performance counters, or at no cost (TCA specification 8). */
export interface StopDetectorInput {
  readonly planner: Address;
  readonly dmacs: readonly Address[];
  readonly stopDetect: 'counter' | 'ideal';
  readonly parameters: Pick<TcaParameters, 'perfCounterReadRoundTrip'>;
}

/** What the driver knows of its channels; the first two lists are the chip's, of which it sees only samples. */
export interface StopDetectorContext {
  readonly spec: StopDetectorInput;
  finished: number[];
  finishedAt: number[];
  /** Chains started, and chains seen finished. */
  started: number[];
  seen: number[];
  /** Channels of the last transfer. */
  previous: readonly number[];
  asked: readonly number[];
  /** Whether their writes must be in the hands of the router as well, and the channels of which that is not known. */
  taken: boolean;
  untaken: readonly number[];
  /** Channels that are still to be polled, ascending. */
  left: readonly number[];
}

const role = tcaProtocol.roles.StopDetector;
const { update, when, act, report } = role.component<StopDetectorContext>();

/** Cycles after which the busy bit of a channel can be trusted (TCA specification 8). */
const settleCycles = 512;

const hasStopped = (c: StopDetectorContext, channel: number): boolean =>
  c.finished[channel]! >= c.started[channel]!;

/** True when nobody has to look: the channel was seen to stop, or has been at rest for so long that its busy bit can be trusted. */
const isKnown = (c: StopDetectorContext, channel: number, now: number): boolean =>
  c.seen[channel] === c.started[channel] ||
  (hasStopped(c, channel) && now - c.finishedAt[channel]! >= inSubTicks(settleCycles));

/** How the driver knows that channels have stopped before it starts them again (TCA specification 1.25, 8). */
export const stopDetector = setup({
  types: role.types<StopDetectorContext, StopDetectorInput>(),
  guards: {
    ideal: when((c) => c.spec.stopDetect === 'ideal'),
    allStopped: when((c) => c.asked.every((channel) => hasStopped(c, channel))),
    allSeen: when((c) => c.left.length === 0),
    taken: when((c) => c.taken),
    allTaken: when((c) => c.untaken.length === 0),
  },
  actions: {
    // Before a start on a channel that may be running all channels of the last transfer are polled, one after the other.
    list: update<'stop.ask'>((c, { channels: asked, taken }, { now }) => {
      c.asked = asked;
      c.taken = taken;
      const unknown = asked.some((channel) => !isKnown(c, channel, now));
      const all = [...new Set([...asked, ...c.previous])].sort((a, b) => a - b);
      c.left = unknown ? all.filter((channel) => !isKnown(c, channel, now)) : [];
    }),
    read: act((c, _event, out) => {
      const delay = inSubTicks(c.spec.parameters.perfCounterReadRoundTrip / 2);
      out.post({ to: out.self, type: 'stop.turn', delay });
    }),
    // A read of a counter samples it in its middle.
    sample: update((c) => {
      const [channel] = c.left as [number];
      if (!hasStopped(c, channel)) return;
      c.seen[channel] = c.started[channel]!;
      c.left = c.left.slice(1);
    }),
    noteChain: update<'chain.done'>((c, { channel, count }, { now }) => {
      c.finished[channel] = count;
      c.finishedAt[channel] = now;
    }),
    noteStart: update<'stop.started'>((c, { channels: started }) => {
      for (const channel of started) c.started[channel]!++;
      c.previous = started;
    }),
    complain: report<'channel.error'>((_c, { channel, code }) => ({
      property: 'no channel comes into error',
      why: `${code} on channel ${channel}`,
    })),
    askWrites: act((c, _event, out) => {
      c.untaken = c.asked;
      for (const channel of c.asked) out.post({ to: c.spec.dmacs[channel]!, type: 'writes.ask' });
    }),
    noteTaken: update<'writes.taken'>((c, { channel }) => {
      c.untaken = c.untaken.filter((one) => one !== channel);
    }),
    tell: act((c, _event, out) => {
      for (const channel of c.asked) c.seen[channel] = c.started[channel]!;
      out.post({ to: c.spec.planner, type: 'stop.known' });
    }),
  },
}).createMachine({
  id: 'stopDetector',
  context: ({ input }) => ({
    spec: input,
    finished: new Array<number>(channels).fill(0),
    finishedAt: new Array<number>(channels).fill(0),
    started: new Array<number>(channels).fill(0),
    seen: new Array<number>(channels).fill(0),
    previous: [],
    asked: [],
    taken: false,
    untaken: [],
    left: [],
  }),
  on: {
    'chain.done': { actions: 'noteChain' },
    'stop.started': { actions: 'noteStart' },
    'channel.error': { actions: 'complain' },
  },
  initial: 'resting',
  states: {
    resting: { on: { 'stop.ask': { target: 'choosing', actions: 'list' } } },
    choosing: {
      always: [
        { guard: and(['allSeen', 'taken']), target: 'handing', actions: 'askWrites' },
        { guard: 'allSeen', target: 'resting', actions: 'tell' },
        { guard: 'ideal', target: 'idealStop' },
        { target: 'asking' },
      ],
    },
    asking: {
      entry: 'read',
      on: { 'stop.turn': { target: 'sampled', actions: ['sample', 'read'] } },
    },
    sampled: { on: { 'stop.turn': { target: 'choosing' } } },
    idealStop: {
      ...waitingFor<StopDetectorContext>('the stop of its channels', ({ spec }) => [...spec.dmacs]),
      always: [
        { guard: and(['allStopped', 'taken']), target: 'handing', actions: 'askWrites' },
        { guard: 'allStopped', target: 'resting', actions: 'tell' },
      ],
    },
    handing: {
      ...waitingFor<StopDetectorContext>('the router to take the writes of its channels', ({ spec }) => [
        ...spec.dmacs,
      ]),
      always: { guard: 'allTaken', target: 'resting', actions: 'tell' },
      on: { 'writes.taken': { actions: 'noteTaken' } },
    },
  },
});
