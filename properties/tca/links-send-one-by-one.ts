import { placeOf } from '../../actors/tca/address-map.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import type { Packet } from '../../actors/tca/protocol.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';
import type { Tell } from '../judging.ts';
import { byName, isCable, isLink, type TcaKnown, type Timed, tcaProperty, timed } from './context.ts';
import { mustEnd } from './left-over.ts';

/** Content of the write buffer of a GPU, in parts of a byte, as of a tick (TCA specification 5). */
interface Buffer {
  level: number;
  tick: number;
}

/** A packet that went into a link, and when. */
interface Sent {
  readonly packet: string;
  readonly tick: number;
}

/** One direction of a link: packets that went in, reads apart from the others, and when it was busy, as far back as a packet may meet. */
interface Direction {
  readonly reads: Sent[];
  readonly others: Sent[];
  /** First ticks, and those after the last. */
  busy: (readonly [first: number, end: number])[];
}

/** What a packet is. */
const shown = (packet: Packet): string =>
  packet.type === 'tlp.write'
    ? `write ${packet.seq} of node ${packet.source}, channel ${packet.channel}`
    : `${packet.type.slice(4)} with tag ${packet.tag}`;

const payload = (packet: Packet): number => (packet.type === 'tlp.read' ? 0 : packet.data.length);

/** Bytes of a packet on the wire (TCA specification 4). */
function wireBytes(packet: Packet, { parameters }: TcaConfig): number {
  const { readOverheadBytes, completionOverheadBytes, writeOverheadBytes } = parameters;
  const overhead = {
    'tlp.read': readOverheadBytes,
    'tlp.completion': completionOverheadBytes,
    'tlp.write': writeOverheadBytes,
  };
  return payload(packet) + overhead[packet.type];
}

/** Ticks from the end of a packet to its arrival (TCA specification 3). */
function latencyOf(name: string, packet: Packet, { parameters }: TcaConfig): number {
  if (isCable(name)) return subTicks * parameters.cableLatency;
  return name.endsWith('.Up') && packet.type === 'tlp.write' ? subTicks * parameters.hostInLatency : 0;
}

const goesToGpu = (name: string, packet: Packet): boolean =>
  name.endsWith('.Link.Up') && packet.type === 'tlp.write' && placeOf(packet.addr).region === 'gpu';

/** Parts of a byte that are in the buffer in a tick. */
const levelAt = ({ level, tick }: Buffer, now: number, { gpuDrainNumerator }: TcaConfig['parameters']) =>
  Math.max(0, level - gpuDrainNumerator * (now - tick));

/** Ticks back from the arrival of a packet to when it can have been on the link: of the largest packet and the longest latency. */
const longestWay = ({ parameters }: TcaConfig): number =>
  subTicks * Math.max(parameters.cableLatency, parameters.hostInLatency) +
  Math.max(parameters.bytesPerTag, pioBytes) +
  Math.max(parameters.readOverheadBytes, parameters.completionOverheadBytes, parameters.writeOverheadBytes);

/** Bytes of a store of the processor into another node at most (TCA specification 9). */
const pioBytes = 64;

/**
 * A link sends one packet at a time, each as long as its bytes, reads in their order and all others in theirs (TCA specification 4, 5, 6).
 *
 * Details: when a packet arrives, its bytes and its latency tell when it was on the link.
 */
export const linksSendOneByOne = ({ config }: TcaKnown) => {
  const longest = longestWay(config);
  const of = ({ byName }: Timed<Direction>, name: string): Direction => {
    byName[name] ??= { reads: [], others: [], busy: [] };
    return byName[name];
  };
  const classOf = (link: Direction, packet: Packet): Sent[] =>
    packet.type === 'tlp.read' ? link.reads : link.others;

  const arrived = (link: Direction, name: string, packet: Packet, now: number, found: Tell) => {
    const sent = classOf(link, packet).shift();
    if (sent?.packet !== shown(packet)) {
      found([name], `${shown(packet)} comes where ${sent?.packet ?? 'nothing'} went in`);
      return;
    }
    const end = now - latencyOf(name, packet, config);
    const first = end - wireBytes(packet, config);
    if (first < sent.tick)
      found([name], `${shown(packet)} went in in tick ${sent.tick} and arrives in tick ${now} already`);
    const meets = link.busy.find(([from, to]) => first < to && end > from);
    if (meets)
      found([name], `${shown(packet)} begins in tick ${first}, busy from ${meets[0]} to ${meets[1]}`);
    link.busy = [...link.busy.filter(([, to]) => to > now - longest), [first, end]];
  };

  return tcaProperty({
    sentence: 'a link sends its packets one after the other, each arrives after its bytes and the latency',
    watches: ['tlp.read', 'tlp.completion', 'tlp.write'],
    ...timed<Direction>(),
    see(links, { from, to, event }, found) {
      if (isLink(from)) arrived(of(links, from), from, event, links.now, found);
      if (isLink(to)) classOf(of(links, to), event).push({ packet: shown(event), tick: links.now });
    },
    ...mustEnd('was never sent', 'packets were never sent', (links: Timed<Direction>) =>
      byName(links.byName).flatMap(([who, { reads, others }]) =>
        [...reads, ...others].map(({ packet }) => ({
          who,
          what: `a packet of ${who}`,
          key: `${who} ${packet}`,
        })),
      ),
    ),
  });
};

/**
 * The write buffer of a GPU holds at most its bytes (TCA specification 19, I9).
 *
 * Details: not judged on links that damage packets: when one is sent again its arrival does not tell when it took its room.
 */
export const gpuBuffersHoldTheirBytes = ({ config }: TcaKnown) => {
  const { parameters } = config;
  const { gpuDrainDenominator, gpuIngressFifoBytes } = parameters;
  const tellsItsStart = config.bitErrorRate === 0;
  return tcaProperty({
    sentence: 'the write buffer of a GPU never holds more than it has room for',
    watches: tellsItsStart ? ['tlp.write'] : [],
    ...timed<Buffer>(),
    see({ now, byName: buffers }, { from, event }, found) {
      if (!goesToGpu(from, event)) return;
      // A packet takes its room when it begins to be sent.
      const start = now - latencyOf(from, event, config) - wireBytes(event, config);
      const before = buffers[from] ?? { level: 0, tick: 0 };
      const level = levelAt(before, start, parameters) + event.data.length * gpuDrainDenominator;
      if (level > gpuIngressFifoBytes * gpuDrainDenominator)
        found([from], `${level / gpuDrainDenominator} bytes are in the buffer of ${gpuIngressFifoBytes}`);
      buffers[from] = { level, tick: start };
    },
  });
};
