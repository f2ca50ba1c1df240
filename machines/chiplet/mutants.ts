import type { FlitCrossed, FlitRefused } from '../../actors/chiplet/network/channel-messages.ts';
import { isHead, isTail } from '../../actors/chiplet/network/flit.ts';
import { type InputChannelContext, inputChannelKit } from '../../actors/chiplet/network/input-channel.ts';
import type { LinkContext, LinkSends } from '../../actors/chiplet/network/link.ts';
import type { CreditReturn, FlitArrive, LinkCarry } from '../../actors/chiplet/network/messages.ts';
import { outputChannelKit } from '../../actors/chiplet/network/output-channel.ts';
import { routerKit, settleCome } from '../../actors/chiplet/network/router.ts';
import {
  delist,
  enlist,
  hasPlace,
  portOf,
  type RouterContext,
} from '../../actors/chiplet/network/router-context.ts';
import { portOfWay } from '../../actors/chiplet/network/topology/topology.ts';
import { component, type Outbox } from '../../kernel/kit.ts';
import { fixed } from '../../kernel/resource.ts';
import type { Mutant, Mutants } from '../mutant.ts';
import { planted, postedBy, recipeOf } from '../planting.ts';
import type { NetworkParts } from './assembly.ts';

const onLink = component<LinkContext, LinkCarry, LinkSends>();

type Arrival = Pick<FlitArrive, 'port' | 'channel' | 'flit'>;

/** A fault in which channel a router hands an arriving flit to; -1 for none. */
const onArrival = (
  sentence: string,
  channelOf: (arrival: Arrival, channels: number) => number,
): Mutant<NetworkParts> => ({
  sentence,
  mutate: (parts) => {
    const right = postedBy<RouterContext>(parts.router, 'passFlit');
    const passFlit = routerKit.post<'flit.arrive'>((router, event, envelope) => {
      const channel = channelOf(event, router.spec.value.spec.channels);
      if (channel < 0) return undefined;
      return right(router, { ...event, channel } as FlitArrive, envelope) as never;
    });
    return { ...parts, router: planted(parts.router, { actions: { passFlit } }) };
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
    {
      sentence: 'credits for channel 0 of port 3 are not counted',
      mutate: (parts) => {
        const right = postedBy<RouterContext>(parts.router, 'passCredit');
        const passCredit = routerKit.post<'credit.return'>((router, event: CreditReturn, envelope) =>
          event.port === 3 && event.channel === 0 ? undefined : (right(router, event, envelope) as never),
        );
        return { ...parts, router: planted(parts.router, { actions: { passCredit } }) };
      },
    },
  ],
  [
    'credit-doubled',
    {
      sentence: 'every credit counts twice',
      mutate: (parts) => {
        const givePlaceBack = outputChannelKit.update<'place.back'>((output) => {
          output.credits += 2;
        });
        return {
          ...parts,
          outputChannel: planted(parts.outputChannel, { actions: { givePlaceBack } }),
        };
      },
    },
  ],
  [
    'wrong-turn',
    {
      sentence: 'some routers let packets take the first dimension before the last one',
      mutate: (parts) => {
        const right = recipeOf<InputChannelContext>(parts.inputChannel, 'findWay');
        const findWay = inputChannelKit.act<'channel.route'>((channel, event, out) => {
          right(channel, event, out as Outbox);
          const { routerNumber, routers } = channel.spec.value;
          const side = Math.sqrt(routers);
          const target = channel.flits[0]!.target;
          const rows = Math.floor(target / side) - Math.floor(routerNumber / side);
          if (routerNumber % 3 !== 1 || portOfWay(channel.way) < 3 || rows === 0) return;
          channel.way += (rows < 0 ? 1 : 2) - portOfWay(channel.way);
        });
        return { ...parts, inputChannel: planted(parts.inputChannel, { actions: { findWay } }) };
      },
    },
  ],
  [
    'channel-used-twice',
    {
      sentence: 'an output channel that is in use is given again',
      mutate: (parts) => {
        const right = recipeOf<RouterContext>(parts.router, 'beginChannelAllocation');
        const beginChannelAllocation = routerKit.act((router, event, out) => {
          router.taken = [];
          right(router, event, out as Outbox);
        });
        return { ...parts, router: planted(parts.router, { actions: { beginChannelAllocation } }) };
      },
    },
  ],
  [
    'tail-keeps-channel',
    {
      sentence: 'an output channel is not free again after the tail',
      mutate: (parts) => ({
        ...parts,
        outputChannel: planted(parts.outputChannel, {
          guards: { isTail: outputChannelKit.when(() => false) },
        }),
      }),
    },
  ],
  [
    'switch-for-all',
    {
      sentence: 'every channel with a credit gets the switch',
      mutate: (parts) => {
        const right = recipeOf<RouterContext>(parts.router, 'beginSwitchAllocation');
        const beginSwitchAllocation = routerKit.act((router, event, out) => {
          for (const one of router.competing.filter((pair) => hasPlace(router, pair))) {
            const to = router.spec.value.inputs[one.input]!;
            delist(router.competing, one.input);
            enlist(router.granted, one);
            out.send(to, 0, { to, type: 'switch.granted' });
          }
          right(router, event, out as Outbox);
        });
        return { ...parts, router: planted(parts.router, { actions: { beginSwitchAllocation } }) };
      },
    },
  ],
  [
    'tail-lost',
    onArrival('every second tail is lost on arrival', ({ channel, flit }) =>
      !isTail(flit) || isHead(flit) || (flit >> 2) % 2 === 0 ? channel : -1,
    ),
  ],
  [
    'channel-mistaken',
    onArrival('bodies enter the queue of the next channel', ({ channel, flit }, channels) =>
      isHead(flit) || isTail(flit) ? channel : (channel + 1) % channels,
    ),
  ],
  [
    'loss-untold',
    {
      sentence: 'where flits may be lost, bodies that meet a full buffer vanish and their packets go on',
      mutate: (parts) => {
        const right = recipeOf<RouterContext, FlitRefused>(parts.router, 'dropFlit');
        const dropFlit = routerKit.act<'flit.refused'>((router, event, out) => {
          const { input, flit, isFull } = event;
          if (!isFull || isHead(flit) || isTail(flit)) {
            right(router, event, out as Outbox);
            return;
          }
          router.flits--;
          settleCome(router, input, null);
        });
        return { ...parts, router: planted(parts.router, { actions: { dropFlit } }) };
      },
    },
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
    {
      sentence: 'an output does not remember the last word of a packet',
      mutate: (parts) => {
        const right = recipeOf<RouterContext, FlitCrossed>(parts.router, 'cross');
        const cross = routerKit.act<'flit.crossed'>((router, event, out) => {
          right(router, event, out as Outbox);
          if (!isTail(event.flit)) return;
          const { meter } = router;
          const counters = { ...meter.counters };
          meter.cross(
            portOf(router, event.input),
            portOf(router, event.output),
            event.halves.map(() => 0),
          );
          Object.assign(meter.counters, counters);
        });
        return { ...parts, router: planted(parts.router, { actions: { cross } }) };
      },
    },
  ],
]);
