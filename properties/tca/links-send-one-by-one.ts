import { placeOf } from '../../actors/tca/address-map.ts';
import type { Packet } from '../../actors/tca/messages.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';
import { judged, property } from '../property.ts';
import { isCable, isLink, said, type TcaContext } from './context.ts';
import { LeftOver } from './left-over.ts';

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

/** One direction of a link: packets that went in, reads apart from the others, and when it was last busy. */
interface Direction {
  readonly reads: Sent[];
  readonly others: Sent[];
  /** Times in which it was busy, of late: first tick and the one after the last. */
  busy: (readonly [first: number, end: number])[];
}

/** How long ago a time may be that a packet of another latency can still meet. */
const busyMemory = 4096;

/** What a packet is, without the tick of its arrival. */
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

const direction = (): Direction => ({ reads: [], others: [], busy: [] });

/**
 * A link sends one packet at a time, each as long as its bytes, reads in their order and all others in theirs (TCA specification 4, 5, 6).
 *
 * Details: what a packet says of its arrival, its bytes and its latency tell when it was on the link.
 */
export const linksSendOneByOne = property<TcaContext>(
  'a link sends its packets one after the other, each arrives after its bytes and the latency',
  (run, { config }) =>
    judged(said(run, 'tlp.read', 'tlp.completion', 'tlp.write'), (found) => {
      const links = new Map<string, Direction>();
      const of = (name: string): Direction => {
        const known = links.get(name) ?? direction();
        links.set(name, known);
        return known;
      };
      const classOf = (link: Direction, packet: Packet): Sent[] =>
        packet.type === 'tlp.read' ? link.reads : link.others;

      const queued = (name: string, packet: Packet, tick: number) => {
        classOf(of(name), packet).push({ packet: shown(packet), tick });
      };

      const arrived = (name: string, packet: Packet, tick: number) => {
        const link = of(name);
        const sent = classOf(link, packet).shift();
        if (sent?.packet !== shown(packet)) {
          found([name], `${shown(packet)} comes where ${sent?.packet ?? 'nothing'} went in`);
          return;
        }
        const end = tick - latencyOf(name, packet, config);
        const first = end - wireBytes(packet, config);
        if (first < sent.tick)
          found([name], `${shown(packet)} went in in tick ${sent.tick} and arrives in tick ${tick} already`);
        const meets = link.busy.find(([from, to]) => first < to && end > from);
        if (meets)
          found([name], `${shown(packet)} begins in tick ${first}, busy from ${meets[0]} to ${meets[1]}`);
        link.busy = [...link.busy.filter(([, to]) => to > tick - busyMemory), [first, end]];
        if (tick !== packet.at) found([name], `${shown(packet)} says tick ${packet.at} in tick ${tick}`);
      };

      return {
        see({ tick, from, to, event }) {
          if (isLink(from)) arrived(from, event, tick);
          if (isLink(to)) queued(to, event, tick);
        },
        end() {
          if (!run.quiet) return;
          const kept = new LeftOver();
          for (const [name, { reads, others }] of links)
            kept.add(name, `a packet of ${name}`, reads.length + others.length);
          kept.tell('was never sent', 'packets were never sent', found);
        },
      };
    }),
);

/** The write buffer of a GPU holds at most its bytes (TCA specification 19, I9). */
export const gpuBuffersHoldTheirBytes = property<TcaContext>(
  'the write buffer of a GPU never holds more than it has room for',
  (run, { config }) =>
    judged(said(run, 'tlp.write'), (found) => {
      const { parameters } = config;
      const { gpuDrainDenominator, gpuIngressFifoBytes } = parameters;
      const buffers = new Map<string, Buffer>();

      return {
        see({ tick, from, event }) {
          if (!goesToGpu(from, event)) return;
          // A packet takes its room when it begins to be sent.
          const start = tick - latencyOf(from, event, config) - wireBytes(event, config);
          const before = buffers.get(from) ?? { level: 0, tick: 0 };
          const level = levelAt(before, start, parameters) + event.data.length * gpuDrainDenominator;
          if (level > gpuIngressFifoBytes * gpuDrainDenominator)
            found([from], `${level / gpuDrainDenominator} bytes are in the buffer of ${gpuIngressFifoBytes}`);
          buffers.set(from, { level, tick: start });
        },
      };
    }),
);
