import { setup } from 'xstate';
import { invariant } from '../../../../kernel/errors.ts';
import type { Address } from '../../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { signedTogglesOf } from '../change.ts';
import { isHead } from '../flit.ts';
import { type NetworkMessage, type NetworkOutbox, networkProtocol } from '../protocol.ts';
import type { RouterSpec } from '../router-spec.ts';
import { allocateChannels, allocateSwitch } from './allocation.ts';
import { offer, takePackets } from './injection.ts';
import { admits } from './packet-loss.ts';
import { channelStates, paces, type RouterState } from './router-state.ts';
import type { SharedState } from './shared-state.ts';
import { route, type Turn, traverseLinks, traverseSwitch } from './stages.ts';

/** What a router is made from. */
export interface RouterInput {
  readonly spec: RouterSpec;
  readonly state: RouterState;
  readonly sharedState: SharedState;
}

/** A router: its fixed numbers, what changes, and what it shares with the others. */
export interface RouterContext {
  readonly spec: Fixed<RouterSpec>;
  readonly state: RouterState;
  readonly sharedState: SharedState;
}

const role = networkProtocol.roles.Router;
const { when, act } = role.component<RouterContext>();

type Out = NetworkOutbox<'Router'>;

/** Asks for a turn in a cycle that the router does not yet have one in. `delay`: ticks until the cycle. */
function ask({ spec, state, sharedState }: RouterContext, cycle: number, delay: number, out: Out): void {
  if (state.asked) return;
  state.asked = true;
  const { self, clock, random, router, lastCycle } = spec.value;
  if (random === 'perRouter') {
    if (cycle <= lastCycle) {
      out.send(self, delay, { to: self, type: 'router.turn', cycle });
      return;
    }
    sharedState.raise(router);
    out.send(clock, delay, { to: clock, type: 'cycle.wanted', cycle });
    return;
  }
  sharedState.raise(router);
  if (sharedState.wanted || sharedState.log !== undefined) return;
  sharedState.wanted = true;
  out.send(clock, delay, { to: clock, type: 'cycle.wanted', cycle });
}

/** Looks whether there is something to do now, after something came. */
function wake(context: RouterContext, cycle: number, out: Out): void {
  const { state } = context;
  if (state.pace === paces.working) return;
  state.settle();
  if (state.pace === paces.working) ask(context, cycle, 1, out);
}

/** A flit enters its queue (chiplet specification 5.3, WIRE). */
function receive(context: RouterContext, event: NetworkMessage<'flit.arrive'>, out: Out): void {
  const { spec, state, sharedState } = context;
  if (spec.value.loses && !admits(state, sharedState, event, out)) return;
  const { port, channel, flit, change, cycle } = event;
  const { buffers, counters, cells, tables, registers } = state;
  const input = port * tables.channels + channel;
  buffers.push(input, flit);
  state.flits++;
  counters.flitsWritten++;
  // What was dropped came over the wire and was not written.
  const written = spec.value.loses
    ? registers.see(2 * tables.ports + port, flit, sharedState.payload)
    : change;
  counters.writeToggles += signedTogglesOf(written);
  const before = cells[tables.states + input]!;
  if (isHead(flit)) {
    if (buffers.count(input) === 1) state.enter(input, channelStates.routing);
  } else if (before === channelStates.idle) state.enter(input, channelStates.competing);
  else if (before === channelStates.home) state.enter(input, channelStates.home);
  wake(context, cycle, out);
}

/** A place behind an output channel is free again (chiplet specification 5.3, CREDIT). */
function creditBack(
  context: RouterContext,
  { port, channel, cycle }: NetworkMessage<'credit.return'>,
  out: Out,
): void {
  const { state } = context;
  const { cells, tables } = state;
  const credit = ++cells[tables.credits + port * tables.channels + channel]!;
  if (credit === 1 && state.pace === paces.blocked) wake(context, cycle, out);
}

function inject(
  context: RouterContext,
  { at, cycle, packet }: NetworkMessage<'packets.due'>,
  out: Out,
): void {
  const { spec, state, sharedState } = context;
  if (packet !== undefined) offer(state, sharedState, packet);
  takePackets(spec.value, state, sharedState, at, out);
  wake(context, cycle, out);
  const { injector, random } = spec.value;
  if (random === 'shared') out.send(injector, 0, { to: injector, type: 'packets.taken' });
}

/** The five stages of one cycle, and the right to draw goes on (chiplet specification 5.4). */
function takeTurn(context: RouterContext, cycle: number, out: Out): void {
  const { state, sharedState } = context;
  const spec = context.spec.value;
  const turn: Turn = { spec, state, sharedState, out, cycle };
  state.asked = false;
  if (spec.period > 1 && cycle % spec.period !== 0) {
    goOn(context, cycle, out);
    return;
  }
  traverseLinks(turn);
  traverseSwitch(turn);
  allocateSwitch(turn);
  allocateChannels(turn);
  route(turn);
  state.settle();
  goOn(context, cycle, out);
}

/** Asks for a turn in the next cycle if there is something to do, and hands the right to draw on. */
function goOn(context: RouterContext, cycle: number, out: Out): void {
  const { state, sharedState } = context;
  const spec = context.spec.value;
  if (spec.random === 'perRouter') {
    if (state.pace === paces.working) ask(context, cycle + 1, 2, out);
    return;
  }
  sharedState.lower(spec.router);
  if (state.pace === paces.working) {
    state.asked = true;
    sharedState.raise(spec.router);
  }
  handOn(spec, sharedState, cycle, out);
}

/** Gives the turn to the next router that wants one; the last one tells the clock what comes. */
function handOn({ router, all, clock }: RouterSpec, sharedState: SharedState, cycle: number, out: Out): void {
  const next = sharedState.firstFrom(router + 1);
  if (next >= 0) {
    const to = all[next]!;
    out.send(to, 0, { to, type: 'router.turn', cycle });
    return;
  }
  if (sharedState.log !== undefined) {
    out.send(clock, 0, { to: clock, type: 'turns.done', cycle });
    return;
  }
  sharedState.wanted = sharedState.firstFrom(0) >= 0;
  if (sharedState.wanted) out.send(clock, 2, { to: clock, type: 'cycle.wanted', cycle: cycle + 1 });
}

/** The routers that a blocked one waits for: those behind the output channels that its packets have or want. */
function awaited({ spec, state }: RouterContext): readonly Address[] {
  const { all, before, channels } = spec.value;
  const found = new Set<Address>();
  for (const [input, doing] of state.states.entries()) {
    if (doing !== channelStates.allocating && doing !== channelStates.competing) continue;
    const port =
      doing === channelStates.competing
        ? Math.floor(state.outputs[input]! / channels)
        : state.ways[input]! & 0xffff;
    const next = before[port]!;
    invariant(next >= 0, 'packets go where a router is');
    found.add(all[next]!);
  }
  return [...found];
}

/**
 * A router of the network: input buffers with virtual channels, a switch, one flit an output (chiplet specification 5.2, 5.4).
 *
 * Details: it has a turn in a cycle only when something can change: an idle or blocked router costs nothing.
 */
export const router = setup({
  types: role.types<RouterContext, RouterInput>(),
  guards: {
    canWork: when(({ state }) => state.pace === paces.working),
    isStuck: when(({ state }) => state.pace === paces.blocked),
    isEmpty: when(({ state }) => state.pace === paces.empty),
  },
  actions: {
    receive: act<'flit.arrive'>(receive),
    credit: act<'credit.return'>(creditBack),
    inject: act<'packets.due'>(inject),
    takeTurn: act<'router.turn'>((context, { cycle }, out) => takeTurn(context, cycle, out)),
  },
}).createMachine({
  id: 'router',
  context: ({ input: { spec, state, sharedState } }) => ({ spec: fixed(spec), state, sharedState }),
  initial: 'empty',
  states: {
    empty: {
      on: {
        'flit.arrive': { target: 'working', actions: 'receive' },
        'credit.return': { actions: 'credit' },
        'packets.due': { actions: 'inject' },
        'network.stop': 'stopped',
      },
      always: { guard: 'canWork', target: 'working' },
    },
    working: {
      on: {
        'router.turn': { actions: 'takeTurn' },
        'flit.arrive': { actions: 'receive' },
        'credit.return': { actions: 'credit' },
        'packets.due': { actions: 'inject' },
        'network.stop': 'stopped',
      },
      always: [
        { guard: 'isStuck', target: 'blocked' },
        { guard: 'isEmpty', target: 'empty' },
      ],
    },
    blocked: {
      tags: ['waiting'],
      meta: {
        waitsFor: { what: 'a free channel, or a place in the buffer behind one', on: awaited as never },
      },
      on: {
        'flit.arrive': { actions: 'receive' },
        'credit.return': { actions: 'credit' },
        'packets.due': { actions: 'inject' },
        'network.stop': 'stopped',
      },
      always: [
        { guard: 'canWork', target: 'working' },
        { guard: 'isEmpty', target: 'empty' },
      ],
    },
    stopped: {
      on: {
        'router.turn': {},
        'flit.arrive': { actions: 'receive' },
        'credit.return': { actions: 'credit' },
        'packets.due': { actions: 'inject' },
        'network.stop': {},
      },
    },
  },
});
