import { type HeldBuffer, heldBuffers } from '../../actors/chiplet/network/held-buffers.ts';
import type { PacketBook } from '../../actors/chiplet/network/packet-book.ts';
import type { RouterContext } from '../../actors/chiplet/network/router.ts';
import type { Run } from '../../kernel/run.ts';
import { cycleText, findCycle } from '../../kernel/wait-cycle.ts';
import type { Figure } from '../machine.ts';
import type { NetworkPlan, WiredNetwork } from './assembly.ts';

/** A network that stands still (chiplet specification 13, E-DEADLOCK): who holds which buffer and waits for whom, and the circle among them. */
export interface Standstill {
  /** One sentence for each buffer whose packet cannot go on, router by router. */
  readonly buffers: readonly string[];
  /** Buffers that wait for each other, in the order of waiting; none when no circle is among them. */
  readonly circle: readonly string[];
}

/** How a packet is told; a system knows the message that it carries. */
export type PacketText = (packet: number) => string;

interface Held extends HeldBuffer {
  readonly router: number;
  readonly name: string;
}

const nameOf = (router: number, port: number, channel: number): string =>
  `Router[${router}] ${port === 0 ? 'queue' : `buffer ${port}`}.${channel}`;

/** The packet of a flit. */
function packetOf(packets: PacketBook, flit: number): number {
  let [first, last] = [0, packets.count - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (packets.firstFlitOf(middle) <= flit) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** How the network of a run that has come to rest stands still; undefined when no packet is stuck. */
export function standstillOf(
  run: Run,
  { routers, sharedState }: WiredNetwork,
  { topology, bufferDepth, channels }: NetworkPlan,
  tell: PacketText = (packet) => `packet ${packet}`,
): Standstill | undefined {
  const contexts = routers.map((address) => run.part(address).context as unknown as RouterContext);
  const held = contexts.flatMap((context, router) =>
    heldBuffers(context).map(
      (one): Held => ({ ...one, router, name: nameOf(router, one.port, one.channel) }),
    ),
  );
  if (held.length === 0) return undefined;
  /** Where a packet goes on: the buffer behind the channel that it has, or those whose packets have the channels that it wants. */
  const waitsOn = (one: Held): readonly string[] => {
    if (one.has < 0)
      return held
        .filter(({ router, output }) => router === one.router && output === one.output)
        .filter(({ has }) => one.wanted.includes(has))
        .map(({ name }) => name);
    const wire = topology.wireOf(one.router, one.output)!;
    return [nameOf(wire.router, wire.port, one.has)];
  };
  const told = (one: Held): string => {
    const { router, name, flits, output, has, wanted } = one;
    const wire = topology.wireOf(router, output)!;
    const packet = tell(packetOf(sharedState.packets, flits[0]!));
    const holds = `${name} holds ${counted(flits.length, 'flit')} of ${packet}`;
    const [on] = waitsOn(one);
    if (has >= 0) {
      const there = contexts[wire.router]!.state.buffers.flitsOf(wire.port * channels + has).length;
      return `${holds}, has channel ${has} to Router[${wire.router}], waits for a place in ${on}, which holds ${there} of ${bufferDepth}`;
    }
    const users = waitsOn(one).join(', ');
    const by = users === '' ? 'in use' : `had by ${users}`;
    return `${holds}, waits for channel ${wanted.join(' or ')} to Router[${wire.router}], ${by}`;
  };
  return {
    buffers: held.map(told),
    circle: findCycle(new Map(held.map((one) => [one.name, waitsOn(one)]))),
  };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** A standstill as lines of a report: every buffer, and the circle. */
export const standstillFigures = ({
  standstill,
}: {
  readonly standstill?: Standstill | undefined;
}): readonly Figure[] =>
  standstill === undefined
    ? []
    : [
        ...standstill.buffers.map((value) => ({ label: 'buffer', value })),
        ...(standstill.circle.length > 0 ? [{ label: 'circle', value: cycleText(standstill.circle) }] : []),
      ];
