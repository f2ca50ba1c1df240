import { placeOf } from '../../actors/tca/address-map.ts';
import type { Packet } from '../../actors/tca/messages.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';
import { judged, property } from '../property.ts';
import { isCable, isLink, said, type TcaContext } from './context.ts';

/** Content of the write buffer of a GPU, in parts of a byte, as of a tick (TCA specification 5). */
interface Buffer {
  level: number;
  tick: number;
}

/** One direction of a link: packets that went in with the tick in which each arrives, and when it becomes free. */
interface Direction {
  readonly under: { readonly packet: string; readonly arrival: number }[];
  free: number;
  readonly buffer: Buffer;
}

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

const direction = (): Direction => ({ under: [], free: 0, buffer: { level: 0, tick: 0 } });

/** A link sends one packet after the other, as soon as it can, each as long as its bytes (TCA specification 4, 5). */
export const linksSendOneByOne = property<TcaContext>(
  'a link sends its packets one after the other, each arrives after its bytes and the latency',
  (run, { config }) =>
    judged(said(run, 'tlp.read', 'tlp.completion', 'tlp.write'), (found) => {
      const { parameters } = config;
      const links = new Map<string, Direction>();
      const of = (name: string): Direction => {
        const known = links.get(name) ?? direction();
        links.set(name, known);
        return known;
      };

      /** The first tick from which on a packet for the GPU fits into its buffer. */
      const fits = (buffer: Buffer, packet: Packet, from: number): number => {
        const { gpuIngressFifoBytes, gpuDrainDenominator, gpuDrainNumerator } = parameters;
        const content = levelAt(buffer, from, parameters) + payload(packet) * gpuDrainDenominator;
        return (
          from +
          Math.max(0, Math.ceil((content - gpuIngressFifoBytes * gpuDrainDenominator) / gpuDrainNumerator))
        );
      };

      const queued = (name: string, packet: Packet, tick: number) => {
        const link = of(name);
        let start = Math.max(tick, link.free);
        if (goesToGpu(name, packet)) {
          start = fits(link.buffer, packet, start);
          const level =
            levelAt(link.buffer, start, parameters) + payload(packet) * parameters.gpuDrainDenominator;
          Object.assign(link.buffer, { level, tick: start });
        }
        link.free = start + wireBytes(packet, config);
        link.under.push({ packet: shown(packet), arrival: link.free + latencyOf(name, packet, config) });
      };

      const arrived = (name: string, packet: Packet, tick: number) => {
        const { under } = of(name);
        const at = under.findIndex((one) => one.packet === shown(packet));
        const [sent] = at < 0 ? [] : under.splice(at, 1);
        if (!sent) found([name], `${shown(packet)} never went in`);
        else if (tick !== sent.arrival)
          found([name], `${shown(packet)} arrives in tick ${tick}, not in ${sent.arrival}`);
        if (tick !== packet.at) found([name], `${shown(packet)} says tick ${packet.at} in tick ${tick}`);
      };

      return {
        see({ tick, from, to, event }) {
          if (isLink(from)) arrived(from, event, tick);
          if (isLink(to)) queued(to, event, tick);
        },
        end() {
          if (!run.quiet) return;
          for (const [name, { under }] of links)
            if (under.length > 0) found([name], `${under.length} packets were never sent`);
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
