import { isHead, isTail } from '../../actors/chiplet/network/flit.ts';
import type { InputChannelContext } from '../../actors/chiplet/network/input-channel.ts';
import type { LinkContext } from '../../actors/chiplet/network/link.ts';
import { outputChannelKit } from '../../actors/chiplet/network/output-channel.ts';
import type { NetworkMessage } from '../../actors/chiplet/network/protocol.ts';
import { routerKit, settleCome } from '../../actors/chiplet/network/router.ts';
import {
  delist,
  enlist,
  hasPlace,
  portOf,
  type RouterContext,
} from '../../actors/chiplet/network/router-context.ts';
import { portOfWay } from '../../actors/chiplet/network/topology/topology.ts';
import { fixed } from '../../kernel/resource.ts';
import { mutantsOf } from '../mutant.ts';
import { plantingIn, postedBy } from '../planting.ts';
import type { NetworkParts } from './assembly.ts';

const { instead, replace } = plantingIn<NetworkParts>();

type Arrival = Pick<NetworkMessage<'flit.arrive'>, 'port' | 'channel' | 'flit'>;

/** A fault in which channel a router hands an arriving flit to; -1 for none. */
const onArrival = (channelOf: (arrival: Arrival, channels: number) => number) =>
  replace('router', (router) => {
    const right = postedBy<RouterContext>(router, 'passFlit');
    const passFlit = routerKit.post<'flit.arrive'>((c, event, envelope) => {
      const channel = channelOf(event, c.spec.value.spec.channels);
      return channel < 0
        ? undefined
        : (right(c, { ...event, channel } as NetworkMessage<'flit.arrive'>, envelope) as never);
    });
    return { actions: { passFlit } };
  });

/** Planted faults of the network by id. */
export const networkMutants = mutantsOf<NetworkParts>({
  'credit-lost': {
    sentence: 'credits for channel 0 of port 3 are not counted',
    mutate: replace('router', (router) => {
      const right = postedBy<RouterContext>(router, 'passCredit');
      const passCredit = routerKit.post<'credit.return'>(
        (c, event: NetworkMessage<'credit.return'>, envelope) =>
          event.port === 3 && event.channel === 0 ? undefined : (right(c, event, envelope) as never),
      );
      return { actions: { passCredit } };
    }),
  },
  'credit-doubled': {
    sentence: 'every credit counts twice',
    mutate: replace('outputChannel', {
      actions: {
        givePlaceBack: outputChannelKit.update<'place.back'>((output) => {
          output.credits += 2;
        }),
      },
    }),
  },
  'wrong-turn': {
    sentence: 'some routers let packets take the first dimension before the last one',
    mutate: instead<InputChannelContext>('inputChannel', 'findWay', (findWay, channel, event, out) => {
      findWay(channel, event, out);
      const { routerNumber, routers } = channel.spec.value;
      const side = Math.sqrt(routers);
      const target = channel.flits[0]!.target;
      const rows = Math.floor(target / side) - Math.floor(routerNumber / side);
      if (routerNumber % 3 !== 1 || portOfWay(channel.way) < 3 || rows === 0) return;
      channel.way += (rows < 0 ? 1 : 2) - portOfWay(channel.way);
    }),
  },
  'channel-used-twice': {
    sentence: 'an output channel that is in use is given again',
    mutate: instead<RouterContext>('router', 'beginChannelAllocation', (begin, router, event, out) => {
      router.taken = [];
      begin(router, event, out);
    }),
  },
  'tail-keeps-channel': {
    sentence: 'an output channel is not free again after the tail',
    mutate: replace('outputChannel', { guards: { isTail: outputChannelKit.when(() => false) } }),
  },
  'switch-for-all': {
    sentence: 'every channel with a credit gets the switch',
    mutate: instead<RouterContext>('router', 'beginSwitchAllocation', (begin, router, event, out) => {
      for (const one of router.competing.filter((pair) => hasPlace(router, pair))) {
        const to = router.spec.value.inputs[one.input]!;
        delist(router.competing, one.input);
        enlist(router.granted, one);
        out.send(to, 0, { to, type: 'switch.granted' });
      }
      begin(router, event, out);
    }),
  },
  'tail-lost': {
    sentence: 'every second tail is lost on arrival',
    mutate: onArrival(({ channel, flit }) =>
      !isTail(flit) || isHead(flit) || (flit >> 2) % 2 === 0 ? channel : -1,
    ),
  },
  'channel-mistaken': {
    sentence: 'bodies enter the queue of the next channel',
    mutate: onArrival(({ channel, flit }, channels) =>
      isHead(flit) || isTail(flit) ? channel : (channel + 1) % channels,
    ),
  },
  'loss-untold': {
    sentence: 'where flits may be lost, bodies that meet a full buffer vanish and their packets go on',
    mutate: instead<RouterContext, NetworkMessage<'flit.refused'>>(
      'router',
      'dropFlit',
      (drop, router, event, out) => {
        const { input, flit, isFull } = event;
        if (!isFull || isHead(flit) || isTail(flit)) {
          drop(router, event, out);
          return;
        }
        router.flits--;
        settleCome(router, input, null);
      },
    ),
  },
  'slow-heads': {
    sentence: 'heads take two cycles longer on the wire',
    mutate: instead<LinkContext, NetworkMessage<'link.carry'>>('link', 'carry', (carry, link, event, out) => {
      const spec = link.spec.value;
      const slow = isHead(event.flit) && !isTail(event.flit);
      carry(slow ? { ...link, spec: fixed({ ...spec, cycles: spec.cycles + 2 }) } : link, event, out);
    }),
  },
  'toggles-forgotten': {
    sentence: 'an output does not remember the last word of a packet',
    mutate: instead<RouterContext, NetworkMessage<'flit.crossed'>>(
      'router',
      'cross',
      (cross, router, event, out) => {
        cross(router, event, out);
        if (!isTail(event.flit)) return;
        const { meter } = router;
        const counters = { ...meter.counters };
        meter.cross(
          portOf(router, event.input),
          portOf(router, event.output),
          event.halves.map(() => 0),
        );
        Object.assign(meter.counters, counters);
      },
    ),
  },
});
