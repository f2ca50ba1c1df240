import type { Address } from '../../../kernel/message.ts';
import { packetFields } from './link-parts.ts';
import { type PlainPart, type PlainSetting, placeIn, type Send, type Taken, u } from './plain-part.ts';

/** Ports by number: host, east, west, the other ring. */
export const ports = ['N', 'E', 'W', 'S'] as const;
const inputsMost = 8;
/** What a packet from outside of a ring leaves free in it (TCA specification 2: bubble rule). */
const bubble = 1;

/** Nodes of a ring. */
const ringOf = ({ config: { topology, nodes } }: PlainSetting): number =>
  topology === 'dualRing' ? nodes / 2 : nodes;

/** The node behind a port, and the port of it; undefined where there is no cable (TCA specification 2). */
export function neighbour(
  setting: PlainSetting,
  node: number,
  port: number,
): { readonly node: number; readonly port: number } | undefined {
  const { topology, nodes } = setting.config;
  const size = ringOf(setting);
  if (port === 0) return undefined;
  if (topology === 'pair') {
    if (port === 3 || (port === 1) !== (node === 0)) return undefined;
    return { node: 1 - node, port: 3 - port };
  }
  if (port === 3) return topology === 'dualRing' ? { node: (node + size) % nodes, port: 3 } : undefined;
  const ring = Math.floor(node / size) * size;
  const step = port === 1 ? 1 : size - 1;
  return { node: ring + ((node - ring + step) % size), port: 3 - port };
}

/** The port by which a node sends to another one: across first, then the shorter way round, east when both are equal (TCA specification 2). */
function portTo(setting: PlainSetting, node: number, target: number): number {
  const size = ringOf(setting);
  if (target === node) return 0;
  if (setting.config.topology === 'pair') return node === 0 ? 1 : 2;
  if (Math.floor(target / size) !== Math.floor(node / size)) return 3;
  const eastward = (target - node + size) % size;
  return eastward * 2 <= size ? 1 : 2;
}

/** East and west lead round a ring. */
const isRing = (port: number): boolean => port === 1 || port === 2;

/** A write at an input, where it goes, and when it has crossed the chip. */
interface Waiting {
  readonly packet: Taken;
  readonly port: number;
  readonly ready: number;
}

/**
 * The router of a chip (TCA specification 2, 6): a packet is granted as soon as it has crossed the chip, its port has not granted another one in this cycle and has room; among several inputs by turns.
 */
export class PlainRouter implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #node: number;
  readonly #inputs: Waiting[][] = Array.from({ length: inputsMost }, () => []);
  readonly #room: number[];
  readonly #grantsAt = ports.map(() => 0);
  readonly #last = ports.map(() => inputsMost - 1);
  readonly #inputOf = new Map<Address, number>();
  readonly #senders: (Address | undefined)[];
  readonly #links: Address[];
  readonly #channels: Address[];
  readonly own = ['router.turn'];

  constructor(setting: PlainSetting, node: number) {
    this.#setting = setting;
    this.#node = node;
    const { of, config } = setting;
    this.#room = ports.map(() => config.room.transmitPackets);
    this.#senders = ports.map((_, port) => {
      if (port === 0) return of(node, 'PioWindow');
      const other = neighbour(setting, node, port);
      return other && of(other.node, `Link.${ports[other.port]}`);
    });
    this.#links = ports.map((name, port) => of(node, port === 0 ? 'Link.Up' : `Link.${name}`));
    this.#channels = [0, 1, 2, 3].map((channel) => of(node, `Dmac[${channel}]`));
    for (const [port, sender] of this.#senders.entries())
      if (sender !== undefined) this.#inputOf.set(sender, port);
    for (const [channel, address] of this.#channels.entries())
      this.#inputOf.set(address, ports.length + channel);
  }

  late(now: number): string | undefined {
    let first = Number.POSITIVE_INFINITY;
    for (let input = 0; input < inputsMost; input++) {
      const head = this.#inputs[input]![0];
      if (head && this.#hasRoom(input, head.port))
        first = Math.min(first, Math.max(head.ready, this.#grantsAt[head.port]!));
    }
    return first < now ? `a packet could be granted in tick ${first}` : undefined;
  }

  take(event: Taken, now: number, from: Address, send: Send): void {
    const { of, config } = this.#setting;
    switch (event.type) {
      case 'tlp.read':
        send(of(this.#node, 'Link.Up'), 0, event.type, packetFields(event));
        return;
      case 'tlp.completion':
        send(event.requester, 0, event.type, packetFields(event));
        return;
      case 'port.room':
        this.#room[event.port]!++;
        break;
      case 'tlp.write': {
        const { chipOut, chipTransit } = config.parameters;
        const port = portTo(this.#setting, this.#node, placeIn(event.addr).node);
        // What was made on this node has not crossed a chip.
        const ready = now + u * (event.source === this.#node ? chipOut : chipTransit);
        this.#inputs[this.#inputOf.get(from)!]!.push({ packet: event, port, ready });
      }
    }
    while (this.#grantOne(now, send));
  }

  #hasRoom(input: number, port: number): boolean {
    const kept = isRing(port) && !isRing(input) ? bubble : 0;
    return this.#room[port]! > kept;
  }

  /** Grants once at each port that can; false when none can. */
  #grantOne(now: number, send: Send): boolean {
    let isGranted = false;
    for (const port of ports.keys()) {
      if (this.#grantsAt[port]! > now) continue;
      for (let turn = 1; turn <= inputsMost; turn++) {
        const input = (this.#last[port]! + turn) % inputsMost;
        const head = this.#inputs[input]![0];
        if (!head || head.port !== port || head.ready > now || !this.#hasRoom(input, port)) continue;
        this.#grant(input, now, send);
        isGranted = true;
        break;
      }
    }
    return isGranted;
  }

  #grant(input: number, now: number, send: Send): void {
    const { config } = this.#setting;
    const { packet, port } = this.#inputs[input]!.shift()!;
    this.#room[port]!--;
    this.#last[port] = input;
    this.#grantsAt[port] = now + u;
    send(this.#links[port]!, 0, packet.type, packetFields(packet));
    if (input >= ports.length) {
      send(this.#channels[input - ports.length]!, 0, 'write.accepted');
      return;
    }
    const units = Math.ceil(packet.data.length / 16);
    const way = input === 0 ? 0 : u * config.parameters.cableLatency;
    send(this.#senders[input]!, way, 'fc.update', { kind: 'P', headers: 1, units });
  }
}
