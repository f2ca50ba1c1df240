import { injectionLimit } from '../../actors/chiplet/network/packet-source.ts';
import { type ChipletContext, judging, routerIn } from './context.ts';

interface Packets {
  /** By number: who injected it. */
  readonly underWay: Record<number, string>;
  readonly lost: Record<number, true>;
  /** By router: packets and flits that entered there. */
  readonly entered: Record<number, readonly [packets: number, flits: number]>;
  /** True once the simulation has ended with packets under way. */
  isCut: boolean;
}

/** What is sent is delivered, once, and where it was sent to (chiplet specification 14, N1, N8, N10). */
export const packetsArriveOnce = ({ packets, config }: ChipletContext) =>
  judging({
    sentence:
      'every packet arrives once, at its target, or is lost, and none stays in a network that has come to rest',
    watches: ['packet.injected', 'packet.finished', 'flit.dropped', 'network.stop'],
    about: ({ event }) => (event.type === 'network.stop' ? undefined : event.packet),
    begin: (): Packets => ({ underWay: {}, lost: {}, entered: {}, isCut: false }),
    see(packetsOfRun, { to: actor, event }, tell) {
      const { underWay, lost, entered } = packetsOfRun;
      if (event.type === 'network.stop') {
        packetsOfRun.isCut = true;
        return;
      }
      const { packet: number } = event;
      if (event.type === 'flit.dropped') {
        lost[number] = true;
        return;
      }
      const packet = packets[number];
      if (event.type === 'packet.injected') {
        underWay[number] = actor;
        const [count, flits] = entered[routerIn(actor)] ?? [0, 0];
        entered[routerIn(actor)] = [count + 1, flits + event.size];
        if (packet && (packet.source !== routerIn(actor) || packet.size !== event.size))
          tell([actor], `packet ${number} is injected as another one than was given`);
        return;
      }
      if (lost[number]) tell([actor], `packet ${number} arrives, of which flits were lost`);
      if (underWay[number] === undefined) tell([actor], `packet ${number} arrives that is not under way`);
      delete underWay[number];
      if (packet && packet.target !== routerIn(actor))
        tell([actor], `packet ${number} for router ${packet.target} arrives here`);
    },
    atRest({ underWay, lost, entered, isCut }, tell) {
      if (isCut) return;
      // The first event after the end may be that a packet is injected, which nothing follows (5.3).
      for (const [packet, source] of Object.entries(underWay))
        if (!lost[Number(packet)] && !(Number(packets[Number(packet)]?.time) > config.T))
          tell([source], `packet ${packet} has not arrived`);
      const given: Record<number, number> = {};
      for (const [packet, { source, time }] of packets.entries()) {
        given[source] = (given[source] ?? 0) + 1;
        const [count, flits] = entered[source] ?? [0, 0];
        // A source that was full may never open again, as that of the original (5.3).
        const mayBeFull = config.strict && flits > injectionLimit;
        // They enter in their order.
        if (given[source] === count + 1 && time <= config.T && !mayBeFull)
          tell([`Router[${source}]`], `packet ${packet} has never entered the network`);
      }
    },
  });
