import { isHead, isTail } from '../../actors/chiplet/network/flit.ts';
import type { LinkContext, LinkSends } from '../../actors/chiplet/network/link.ts';
import type { FlitArrive, LinkCarry, RouterTurn } from '../../actors/chiplet/network/messages.ts';
import type { RouterContext, RouterEvent } from '../../actors/chiplet/network/router.ts';
import type { RouterSends, RouterSpec } from '../../actors/chiplet/network/router-spec.ts';
import { channelStates, type RouterState } from '../../actors/chiplet/network/router-state.ts';
import { returnCredit } from '../../actors/chiplet/network/stages.ts';
import { portOfWay } from '../../actors/chiplet/network/topology/topology.ts';
import { component, type Outbox } from '../../kernel/kit.ts';
import { fixed } from '../../kernel/resource.ts';
import type { Mutant, Mutants } from '../mutant.ts';
import { planted, recipeOf } from '../planting.ts';
import type { NetworkParts } from './assembly.ts';

const { act } = component<RouterContext, RouterEvent, RouterSends>();
const onLink = component<LinkContext, LinkCarry, LinkSends>();

type Turned = (context: RouterContext, event: RouterTurn, out: Outbox) => void;

/** A fault in what a router does in its turn. */
const inTurn = (sentence: string, fault: (original: Turned) => Turned): Mutant<NetworkParts> => ({
  sentence,
  mutate: (parts) => {
    const changed = fault(recipeOf<RouterContext, RouterTurn>(parts.router, 'takeTurn'));
    const takeTurn = act<'router.turn'>((context, event, out) => changed(context, event, out as Outbox));
    return { ...parts, router: planted(parts.router, { actions: { takeTurn } }) };
  },
});

/** A fault in the state that a router begins its turn with. */
const beforeTurn = (sentence: string, spoil: (state: RouterState) => void): Mutant<NetworkParts> =>
  inTurn(sentence, (original) => (context, event, out) => {
    spoil(context.state);
    original(context, event, out);
  });

/** A fault in the fixed numbers that a router goes by. */
const bySpec = (sentence: string, change: (spec: RouterSpec) => Partial<RouterSpec>): Mutant<NetworkParts> =>
  inTurn(sentence, (original) => (context, event, out) => {
    const spec = fixed({ ...context.spec.value, ...change(context.spec.value) });
    original({ ...context, spec }, event, out);
  });

type Received = (context: RouterContext, event: FlitArrive, out: Outbox) => void;

const onArrival = (sentence: string, fault: (original: Received) => Received): Mutant<NetworkParts> => ({
  sentence,
  mutate: (parts) => {
    const changed = fault(recipeOf<RouterContext, FlitArrive>(parts.router, 'receive'));
    const receive = act<'flit.arrive'>((context, event, out) => changed(context, event, out as Outbox));
    return { ...parts, router: planted(parts.router, { actions: { receive } }) };
  },
});

type Credited = (context: RouterContext, event: object, out: Outbox) => void;

const onCredit = (sentence: string, fault: (original: Credited) => Credited): Mutant<NetworkParts> => ({
  sentence,
  mutate: (parts) => {
    const changed = fault(recipeOf<RouterContext, object>(parts.router, 'credit'));
    const credit = act<'credit.return'>((context, event, out) => changed(context, event, out as Outbox));
    return { ...parts, router: planted(parts.router, { actions: { credit } }) };
  },
});

type Carried = (context: LinkContext, event: LinkCarry, out: Outbox) => void;

const onWire = (sentence: string, fault: (original: Carried) => Carried): Mutant<NetworkParts> => ({
  sentence,
  mutate: (parts) => {
    const changed = fault(recipeOf<LinkContext, LinkCarry>(parts.link, 'carry'));
    const carry = onLink.act<'link.carry'>((context, event, out) => changed(context, event, out as Outbox));
    return { ...parts, link: planted(parts.link, { actions: { carry } }) };
  },
});

/** Planted faults of the network by id. */
export const networkMutants: Mutants<NetworkParts> = new Map<string, Mutant<NetworkParts>>([
  [
    'credit-lost',
    onCredit('credits for channel 0 of port 3 are not counted', (original) => (context, event, out) => {
      const { port, channel } = event as unknown as { port: number; channel: number };
      if (port !== 3 || channel !== 0) original(context, event, out);
    }),
  ],
  [
    'credit-doubled',
    onCredit('every credit counts twice', (original) => (context, event, out) => {
      original(context, event, out);
      original(context, event, out);
    }),
  ],
  [
    'wrong-turn',
    bySpec(
      'some routers let packets take the first dimension before the last one',
      ({ routeOf, router, all }) => ({
        routeOf: (at, target, cycle) => {
          const right = routeOf(at, target, cycle);
          const rows = Math.floor(target / Math.sqrt(all.length)) - Math.floor(at / Math.sqrt(all.length));
          if (router % 3 !== 1 || portOfWay(right) < 3 || rows === 0) return right;
          return right - portOfWay(right) + (rows < 0 ? 1 : 2);
        },
      }),
    ),
  ],
  [
    'channel-used-twice',
    beforeTurn('an output channel that is in use is given again', ({ used }) => used.fill(0)),
  ],
  [
    'tail-keeps-channel',
    inTurn('an output channel is not free again after the tail', (original) => (context, event, out) => {
      const before = context.state.used.slice();
      original(context, event, out);
      for (const [port, used] of before.entries()) context.state.used[port]! |= used;
    }),
  ],
  [
    'switch-for-all',
    beforeTurn('every channel with a credit gets the switch', (state) => {
      for (const [input, doing] of state.states.entries())
        if (doing === channelStates.competing && state.credits[state.outputs[input]!]! > 0)
          state.enter(input, channelStates.granted);
    }),
  ],
  [
    'tail-lost',
    onArrival('every second tail is lost on arrival', (original) => (context, event, out) => {
      if (!isTail(event.flit) || isHead(event.flit) || (event.flit >> 2) % 2 === 0)
        original(context, event, out);
    }),
  ],
  [
    'channel-mistaken',
    onArrival('bodies enter the queue of the next channel', (original) => (context, event, out) => {
      const { channels } = context.spec.value;
      const body = !isHead(event.flit) && !isTail(event.flit);
      original(context, body ? { ...event, channel: (event.channel + 1) % channels } : event, out);
    }),
  ],
  [
    'loss-untold',
    onArrival(
      'where flits may be lost, bodies that meet a full buffer vanish and their packets go on',
      (original) => (context, event, out) => {
        const { spec, state, sharedState } = context;
        const { port, channel, flit, cycle } = event;
        const { channels, bufferDepth } = state.tables;
        const isBody = !isHead(flit) && !isTail(flit);
        if (!spec.value.loses || !isBody || state.buffers.count(port * channels + channel) < bufferDepth)
          original(context, event, out);
        else returnCredit({ spec: spec.value, sharedState, out, cycle }, port, channel, 1);
      },
    ),
  ],
  [
    'slow-heads',
    onWire('heads take two cycles longer on the wire', (original) => (context, event, out) => {
      const spec = context.spec.value;
      const slow = isHead(event.flit) && !isTail(event.flit);
      original(
        slow ? { ...context, spec: fixed({ ...spec, cycles: spec.cycles + 2 }) } : context,
        event,
        out,
      );
    }),
  ],
  [
    'toggles-forgotten',
    inTurn('an output does not remember the last word of a packet', (original) => (context, event, out) => {
      const { state } = context;
      const { cells, tables } = state;
      const before = cells.slice();
      original(context, event, out);
      for (const [port, flit] of state.waiting.entries()) {
        if (flit === -1 || !isTail(flit)) continue;
        const register = tables.ports + port;
        const words = tables.seenWords + 2 * tables.words * register;
        cells[tables.seenFlits + register] = before[tables.seenFlits + register]!;
        cells.set(before.subarray(words, words + 2 * tables.words), words);
      }
    }),
  ],
]);
