import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import {
  beginChannelAllocation,
  beginGrants,
  beginSwitchAllocation,
  gatherChannels,
  gatherProposals,
  gatherRequests,
  grantSwitch,
  request,
  requestVector,
} from './arbitration.ts';
import { arrivalEntry, creditEntry, wireEntry } from './event-log.ts';
import { isTail } from './flit.ts';
import { type NetworkMessage, type NetworkOutbox, type NetworkShown, networkProtocol } from './protocol.ts';
import {
  type ChannelPair,
  delist,
  enlist,
  hasPlace,
  lower,
  portOf,
  type RouterContext,
  type RouterInput,
  raise,
  restingRouter,
  wantsTurn,
} from './router-context.ts';

const role = networkProtocol.roles.Router;

/** The kit of routers, also for planted faults. */
export const routerKit = role.component<RouterContext>();
const { act, post, update, when, probe } = routerKit;

type Out = NetworkOutbox<'Router'>;
type Router = RouterContext;

const specOf = ({ spec }: Router) => spec.value.spec;

/** Tells the router before an input port that a place in its buffer is free. */
function returnCredit(router: Router, input: number, cycle: number, out: Out): void {
  const spec = specOf(router);
  const port = portOf(router, input);
  if (port === 0) return;
  const channel = input - port * spec.channels;
  if (router.spec.value.logs) {
    router.entries.push(creditEntry(spec.before[port]!, spec.beforePort[port]!, channel, spec));
    return;
  }
  const { clock } = spec;
  if (spec.creditsAreLate && cycle === spec.lastCycle) out.send(clock, 1, { to: clock, type: 'credit.late' });
  const to = spec.all[spec.before[port]!]!;
  const cycles = spec.creditCycles[port]!;
  out.send(to, 2 * cycles - 1, {
    to,
    type: 'credit.return',
    port: spec.beforePort[port]!,
    channel,
    cycle: cycle + cycles,
  });
}

/** Stage 5: each output port puts the flit that waits there on its wire. */
function traverseLinks(router: Router, out: Out): void {
  const spec = specOf(router);
  for (const { port, channel, change, flit } of router.leaving) {
    const to = spec.links[port] as Address;
    const { flit: number, packet, target, start, halves } = flit;
    const load = { packet, target, start, halves };
    out.send(to, 0, { to, type: 'link.carry', flit: number, channel, change, cycle: router.cycle, load });
    if (!router.spec.value.logs) continue;
    router.entries.push(wireEntry(spec, port), number, channel, change);
    router.begunFlits.push(flit);
  }
  router.flits -= router.leaving.length;
  router.leaving = [];
}

/** Takes a packet out of the network at its target (chiplet specification 5.4, accept). */
function accept(router: Router, { flit, packet, start }: NetworkMessage<'flit.ejected'>, out: Out): void {
  const spec = specOf(router);
  const { counters } = router.meter;
  const { cycle } = router;
  router.flits--;
  counters.flitsAccepted++;
  if (!isTail(flit) || isLost(router, packet, cycle + 1)) return;
  const delay = cycle - start;
  counters.finished++;
  counters.delaySum += delay;
  router.arrived++;
  if (out.observed)
    out.probe({ type: 'packet.finished', packet, cycle, delay } satisfies NetworkShown<'packet.finished'>);
  const to = spec.listener;
  if (to === undefined) return;
  out.send(to, 0, { to, type: 'packet.delivered', packet, cycle });
  if (router.spec.value.logs) router.entries.push(arrivalEntry(packet));
}

/** True when a packet was abandoned before a cycle. */
const isLost = ({ lost }: Router, packet: number, cycle: number): boolean => {
  const since = lost[packet];
  return since !== undefined && since < cycle;
};

/** A channel has kept the first of its flits of which it had not told, or dropped it (null). Words are written in the order in which flits came, however channels are scheduled. */
export function settleCome(router: Router, input: number, written: readonly number[] | null): void {
  const { coming, meter } = router;
  coming.find((one) => one.input === input && one.written === undefined)!.written = written;
  for (let first = coming[0]; first?.written !== undefined; first = coming[0]) {
    coming.shift();
    if (first.written !== null) meter.write(portOf(router, first.input), first.written);
  }
}

/** A packet is abandoned: from the next cycle on, or an earlier one. */
function abandon({ lost }: Router, packet: number, cycle: number): void {
  lost[packet] = Math.min(cycle, lost[packet] ?? cycle);
}

/** Ends a turn: the next one is the router's own affair, or the clock is told. */
function endTurn(router: Router, wants: boolean, out: Out): void {
  const { self, clock, router: number, random, lastCycle } = specOf(router);
  const { cycle, arrived, entries, begunFlits } = router;
  if (random === 'perRouter' && !wants) return;
  if (random === 'perRouter' && cycle < lastCycle) {
    out.send(self, 2, { to: self, type: 'router.turn', cycle: cycle + 1 });
    return;
  }
  const done = { to: clock, type: 'turn.done', router: number, cycle, wants } as const;
  if (!router.spec.value.logs) {
    out.send(clock, 0, done);
    return;
  }
  const loads = Object.fromEntries(
    begunFlits.map(({ flit, packet, target, start, halves }) => [flit, { packet, target, start, halves }]),
  );
  out.send(clock, 0, { ...done, begun: { entries: [...entries], loads, arrived } });
}

const outputPort = (router: Router) => (one: ChannelPair) => portOf(router, one.output);
const outputChannel = ({ output }: ChannelPair) => output;

/** The channels that wait for something; those of a router that is stopped wait no more. */
function stopChannels(router: Router, out: Out): void {
  const { inputs } = router.spec.value;
  for (const { input } of [...router.wanting, ...router.competing, ...router.granted]) {
    const to = inputs[input]!;
    out.send(to, 0, { to, type: 'network.stop' });
  }
}

/** An input channel gets the output channel that it asked for. */
function giveChannel(router: Router, one: ChannelPair, out: Out): void {
  const { input, output } = one;
  const to = router.spec.value.outputs[output]!;
  router.meter.grant(output, input, ...requestVector(router));
  delist(router.wanting, input);
  raise(router.taken, output);
  out.send(to, 0, { to, type: 'channel.give', input, cycle: router.cycle });
  if (out.observed)
    out.probe({
      type: 'channel.granted',
      cycle: router.cycle,
      input,
      output,
    } satisfies NetworkShown<'channel.granted'>);
}

function giveSwitch(router: Router, one: ChannelPair, out: Out): void {
  const to = router.spec.value.inputs[one.input]!;
  grantSwitch(router, one);
  out.send(to, 0, { to, type: 'switch.granted' });
}

/** A flit has gone through the switch: it is at its output port, and its place is free. */
function cross(router: Router, event: NetworkMessage<'flit.crossed'>, out: Out): void {
  const { input, output, left, isFree, flit, packet, target, start, halves } = event;
  const { channels } = specOf(router);
  const port = portOf(router, output);
  const { cycle } = router;
  returnCredit(router, input, cycle, out);
  const change = router.meter.cross(portOf(router, input), port, halves);
  router.leaving.push({
    port,
    channel: output - port * channels,
    change,
    flit: { flit, packet, target, start, halves },
  });
  router.leaving.sort((one, other) => one.port - other.port);
  if (out.observed)
    out.probe({ type: 'switch.passed', cycle, input, output, flit } satisfies NetworkShown<'switch.passed'>);
  delist(router.granted, input);
  if (!event.hasPlace) raise(router.blocked, output);
  if (isFree) lower(router.taken, output);
  if (left === 0) return;
  if (isTail(flit)) raise(router.front, input);
  else enlist(router.competing, { input, output });
}

/**
 * A router of the network (chiplet specification 5.2, 5.4): what arrives goes to its channels, and in its turn it leads them through the five stages,
 * last one first, so that a flit moves on by one stage a cycle.
 *
 * Details: what a packet waits for is a state of its input channel (`input-channel.ts`); who has an output channel, and the places behind it, are
 * states of that one (`output-channel.ts`). The router has their request lines, and decides between them. It has a turn in a cycle only
 * when something can change. Order: channels are served one after the other, in ascending order of their numbers, since that is the order of
 * random draws (5.6).
 */
export const router = setup({
  types: role.types<RouterContext, RouterInput>(),
  guards: {
    isRestless: when(({ spec }) => spec.value.restless),
    isFront: when<'packet.entered'>(({ spec }, { isFront }) => isFront || spec.value.restless),
    hasPlace: when<'switch.wanted'>((router, event) => hasPlace(router, event)),
    isWaitedFor: when<'place.free'>(({ competing }, event) =>
      competing.some(({ output }) => output === event.output),
    ),
    isBetweenTurns: when<'router.turn'>((router, { cycle }) => {
      const { period } = specOf(router);
      return period > 1 && cycle % period !== 0;
    }),
    someoneLeft: when(({ serving }) => serving.length > 0),
    severalChoices: when(({ choices }) => choices.length > 1),
    fromSource: when<'flit.crossed' | 'flit.ejected'>((router, { input }) => portOf(router, input) === 0),
    wantsTurn: when(wantsTurn),
  },
  actions: {
    // Arrivals.
    countFlit: update<'flit.arrive'>((router, { port, channel, change }) => {
      router.flits++;
      const { loses, channels } = specOf(router);
      // Where flits may be lost, a buffer does not see all that its wire carries.
      if (loses) router.coming.push({ input: port * channels + channel });
      else router.meter.writeChanged(change);
    }),
    passFlit: post<'flit.arrive'>((router, { port, channel, flit, cycle, load }) => ({
      to: router.spec.value.inputs[port * specOf(router).channels + channel]!,
      type: 'flit.enter',
      flit,
      ...load!,
      cycle,
      abandoned: isLost(router, load!.packet, cycle),
    })),
    passCredit: post<'credit.return'>((router, { port, channel, cycle }) => ({
      to: router.spec.value.outputs[port * specOf(router).channels + channel]!,
      type: 'place.back',
      cycle,
    })),
    passDue: post<'packets.due'>((router, { at, cycle, packet, order }) => ({
      to: router.spec.value.source,
      type: 'packets.take',
      now: at,
      cycle,
      ...(packet !== undefined && { order: { packet, time: at, ...order! } }),
    })),
    countKept: update<'flit.kept'>((router, { input, halves }) => settleCome(router, input, halves)),
    dropFlit: act<'flit.refused'>((router, { input, packet, flit, cycle, isFull }, out) => {
      router.flits--;
      settleCome(router, input, null);
      router.meter.counters.flitsDropped++;
      if (out.observed)
        out.probe({
          type: 'flit.dropped',
          cycle,
          packet,
          flit,
          input,
          isFull,
        } satisfies NetworkShown<'flit.dropped'>);
      if (!isFull) return;
      for (const to of specOf(router).all) out.send(to, 0, { to, type: 'packet.abandoned', packet, cycle });
    }),
    noteAbandoned: update<'packet.abandoned'>((router, { packet, cycle }) => abandon(router, packet, cycle)),
    enterPacket: update<'packet.entered'>((router, { input, flits, isFront }) => {
      const { meter } = router;
      for (const { halves } of flits) meter.write(0, halves);
      meter.counters.flitsInjected += flits.length;
      meter.counters.packetsInjected++;
      router.flits += flits.length;
      if (isFront) raise(router.front, input);
    }),
    showEntered: probe<'packet.entered'>(
      (_router, { input, packet, flits }): NetworkShown<'packet.injected'> => ({
        type: 'packet.injected',
        packet,
        channel: input,
        first: flits[0]!.flit >> 2,
        size: flits.length,
        target: flits[0]!.target,
        halves: flits.flatMap(({ halves }) => halves),
      }),
    ),
    noteEntered: post((router) => ({ to: router.spec.value.source, type: 'packet.noted' })),
    tellTaken: post((router) => {
      const { injector, random } = specOf(router);
      return random === 'shared' ? { to: injector, type: 'packets.taken' } : undefined;
    }),
    // Request lines.
    raiseFront: update<'channel.front'>((router, { input }) => raise(router.front, input)),
    raiseSwitch: update<'switch.wanted'>((router, { input, output }) =>
      enlist(router.competing, { input, output }),
    ),
    noteFree: update<'place.free'>((router, { output }) => lower(router.blocked, output)),
    askForTurn: act<
      'channel.front' | 'switch.wanted' | 'place.free' | 'packet.entered' | 'source.settled' | 'flit.arrive'
    >((router, { cycle }, out) => {
      const { self, clock, router: number, random, lastCycle } = specOf(router);
      if (random === 'perRouter' && cycle <= lastCycle)
        out.send(self, 1, { to: self, type: 'router.turn', cycle });
      else out.send(clock, 0, { to: clock, type: 'turn.wanted', router: number, cycle });
    }),
    // The stages of a turn.
    beginTurn: update<'router.turn'>((router, { cycle }) => {
      router.cycle = cycle;
      router.entries = [];
      router.begunFlits = [];
      router.arrived = 0;
    }),
    traverseLinks: act((router, _event, out) => traverseLinks(router, out)),
    beginTraversal: update((router) => {
      router.serving = router.granted.map(({ input }) => input);
    }),
    traverseNext: act((router, _event, out) => {
      const to = router.spec.value.inputs[router.serving.shift()!]!;
      out.send(to, 0, { to, type: 'switch.traverse' });
    }),
    cross: act<'flit.crossed'>(cross),
    tellSource: post<'flit.crossed' | 'flit.ejected'>((router, { type, input, left }) => ({
      to: router.spec.value.source,
      type: 'queue.shorter',
      input,
      left,
      cycle: router.cycle,
      isThroughSwitch: type === 'flit.crossed',
    })),
    beginSwitchAllocation: update(beginSwitchAllocation),
    gatherProposals: update(gatherProposals),
    beginSwitchGrants: update((router) => beginGrants(router, outputPort(router))),
    gatherForPort: update((router) => gatherRequests(router, outputPort(router))),
    giveSwitch: act((router, _event, out) => giveSwitch(router, router.choices[0]!, out)),
    giveSwitchDrawn: act<'random.picked'>((router, { pick }, out) =>
      giveSwitch(router, router.choices[pick]!, out),
    ),
    beginChannelAllocation: update(beginChannelAllocation),
    gatherChannels: update(gatherChannels),
    beginChannelGrants: update((router) => beginGrants(router, outputChannel)),
    gatherForChannel: update((router) => gatherRequests(router, outputChannel)),
    giveChannel: act((router, _event, out) => giveChannel(router, router.choices[0]!, out)),
    giveChannelDrawn: act<'random.picked'>((router, { pick }, out) =>
      giveChannel(router, router.choices[pick]!, out),
    ),
    draw: post((router) => ({
      to: router.spec.value.random,
      type: 'random.pick',
      count: router.choices.length,
    })),
    request: update((router) => request(router, 0)),
    requestDrawn: update<'random.picked'>((router, { pick }) => request(router, pick)),
    beginRouting: update((router) => {
      router.serving = [...router.front];
    }),
    routeNext: act((router, _event, out) => {
      const to = router.spec.value.inputs[router.serving.shift()!]!;
      out.send(to, 0, { to, type: 'channel.route', cycle: router.cycle });
    }),
    noteWanted: update<'channel.wanted'>((router, { input, way }) => {
      lower(router.front, input);
      enlist(router.wanting, { input, way });
    }),
    takeIn: act<'flit.ejected'>((router, event, out) => {
      if (event.left === 0) lower(router.front, event.input);
      returnCredit(router, event.input, router.cycle, out);
      accept(router, event, out);
    }),
    endTurn: act((router, _event, out) => endTurn(router, false, out)),
    wantAnother: act((router, _event, out) => endTurn(router, true, out)),
    stopChannels: act((router, _event, out) => stopChannels(router, out)),
  },
}).createMachine({
  id: 'router',
  context: ({ input }) => restingRouter(input),
  initial: 'resting',
  on: {
    'flit.arrive': { actions: ['countFlit', 'passFlit'] },
    'credit.return': { actions: 'passCredit' },
    'packets.due': { actions: 'passDue' },
    'packet.entered': { actions: ['enterPacket', 'showEntered', 'noteEntered'] },
    'source.settled': { actions: 'tellTaken' },
    'flit.kept': { actions: 'countKept' },
    'flit.refused': { actions: 'dropFlit' },
    'packet.abandoned': { actions: 'noteAbandoned' },
    'channel.front': { actions: 'raiseFront' },
    'switch.wanted': { actions: 'raiseSwitch' },
    'place.free': { actions: 'noteFree' },
    'network.stop': { target: '.stopped', actions: 'stopChannels' },
  },
  states: {
    resting: {
      on: {
        'flit.arrive': [
          { guard: 'isRestless', target: 'asked', actions: ['countFlit', 'passFlit', 'askForTurn'] },
          { actions: ['countFlit', 'passFlit'] },
        ],
        'packet.entered': [
          {
            guard: 'isFront',
            target: 'asked',
            actions: ['enterPacket', 'showEntered', 'noteEntered', 'askForTurn'],
          },
          { actions: ['enterPacket', 'showEntered', 'noteEntered'] },
        ],
        'source.settled': [
          { guard: 'isRestless', target: 'asked', actions: ['tellTaken', 'askForTurn'] },
          { actions: 'tellTaken' },
        ],
        'channel.front': { target: 'asked', actions: ['raiseFront', 'askForTurn'] },
        'switch.wanted': [
          { guard: 'hasPlace', target: 'asked', actions: ['raiseSwitch', 'askForTurn'] },
          { actions: 'raiseSwitch' },
        ],
        'place.free': [
          { guard: 'isWaitedFor', target: 'asked', actions: ['noteFree', 'askForTurn'] },
          { actions: 'noteFree' },
        ],
      },
    },
    asked: {
      on: {
        'router.turn': [
          { guard: 'isBetweenTurns', target: 'turn.ending', actions: 'beginTurn' },
          { target: 'turn', actions: 'beginTurn' },
        ],
      },
    },
    turn: {
      initial: 'linkTraversal',
      states: {
        linkTraversal: { entry: 'traverseLinks', always: 'switchTraversal' },
        switchTraversal: {
          entry: 'beginTraversal',
          initial: 'next',
          states: {
            next: {
              always: [
                { guard: 'someoneLeft', target: 'crossing', actions: 'traverseNext' },
                { target: '#router.turn.switchAllocation' },
              ],
            },
            crossing: {
              ...waitingFor<Router>('a flit to go through the switch'),
              on: {
                'flit.crossed': [
                  { guard: 'fromSource', target: 'refilling', actions: ['cross', 'tellSource'] },
                  { target: 'next', actions: 'cross' },
                ],
              },
            },
            refilling: {
              ...waitingFor<Router>('its source', ({ spec }) => spec.value.source),
              on: { 'source.settled': 'next' },
            },
          },
        },
        switchAllocation: {
          entry: 'beginSwitchAllocation',
          initial: 'proposing',
          states: {
            proposing: {
              always: [
                { guard: 'someoneLeft', target: 'proposal', actions: 'gatherProposals' },
                { target: 'granting', actions: 'beginSwitchGrants' },
              ],
            },
            proposal: {
              always: [
                { guard: 'severalChoices', target: 'drawingProposal' },
                { target: 'proposing', actions: 'request' },
              ],
            },
            drawingProposal: {
              ...waitingFor<Router>('a random number', ({ spec }) => spec.value.random),
              entry: 'draw',
              on: { 'random.picked': { target: 'proposing', actions: 'requestDrawn' } },
            },
            granting: {
              always: [
                { guard: 'someoneLeft', target: 'grant', actions: 'gatherForPort' },
                { target: '#router.turn.channelAllocation' },
              ],
            },
            grant: {
              always: [
                { guard: 'severalChoices', target: 'drawingGrant' },
                { target: 'granting', actions: 'giveSwitch' },
              ],
            },
            drawingGrant: {
              ...waitingFor<Router>('a random number', ({ spec }) => spec.value.random),
              entry: 'draw',
              on: { 'random.picked': { target: 'granting', actions: 'giveSwitchDrawn' } },
            },
          },
        },
        channelAllocation: {
          entry: 'beginChannelAllocation',
          initial: 'requesting',
          states: {
            requesting: {
              always: [
                { guard: 'someoneLeft', target: 'request', actions: 'gatherChannels' },
                { target: 'granting', actions: 'beginChannelGrants' },
              ],
            },
            request: {
              always: [
                { guard: 'severalChoices', target: 'drawingRequest' },
                { target: 'requesting', actions: 'request' },
              ],
            },
            drawingRequest: {
              ...waitingFor<Router>('a random number', ({ spec }) => spec.value.random),
              entry: 'draw',
              on: { 'random.picked': { target: 'requesting', actions: 'requestDrawn' } },
            },
            granting: {
              always: [
                { guard: 'someoneLeft', target: 'grant', actions: 'gatherForChannel' },
                { target: '#router.turn.routing' },
              ],
            },
            grant: {
              always: [
                { guard: 'severalChoices', target: 'drawingGrant' },
                { target: 'giving', actions: 'giveChannel' },
              ],
            },
            drawingGrant: {
              ...waitingFor<Router>('a random number', ({ spec }) => spec.value.random),
              entry: 'draw',
              on: { 'random.picked': { target: 'giving', actions: 'giveChannelDrawn' } },
            },
            giving: {
              ...waitingFor<Router>('an output channel to tell its input channel'),
              on: { 'switch.wanted': { target: 'granting', actions: 'raiseSwitch' } },
            },
          },
        },
        routing: {
          entry: 'beginRouting',
          initial: 'next',
          states: {
            next: {
              always: [
                { guard: 'someoneLeft', target: 'looking', actions: 'routeNext' },
                { target: '#router.turn.ending' },
              ],
            },
            looking: {
              ...waitingFor<Router>('an input channel to find its way'),
              on: {
                'channel.wanted': { target: 'next', actions: 'noteWanted' },
                'flit.ejected': [
                  { guard: 'fromSource', target: 'refilling', actions: ['takeIn', 'tellSource'] },
                  { target: 'next', actions: 'takeIn' },
                ],
              },
            },
            refilling: {
              ...waitingFor<Router>('its source', ({ spec }) => spec.value.source),
              on: { 'source.settled': 'next' },
            },
          },
        },
        ending: {
          always: [
            { guard: 'wantsTurn', target: '#router.asked', actions: 'wantAnother' },
            { target: '#router.resting', actions: 'endTurn' },
          ],
        },
      },
    },
    stopped: { on: { 'router.turn': {}, 'network.stop': {} } },
  },
});
