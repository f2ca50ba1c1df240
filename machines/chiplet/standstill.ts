import { heldBuffers as heldBuffersOfRouter } from '../../actors/chiplet/network/fast/held-buffers.ts';
import type { RouterContext } from '../../actors/chiplet/network/fast/router.ts';
import { type HeldBuffer, heldBuffers } from '../../actors/chiplet/network/held-buffers.ts';
import type { InputChannelContext } from '../../actors/chiplet/network/input-channel.ts';
import type { PacketBook } from '../../actors/chiplet/network/packet-book.ts';
import type { Address } from '../../kernel/message.ts';
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

const contextOf = <C>(run: Run, address: Address): C => run.part(address).context as unknown as C;

/** The buffers of a router whose packets cannot go on. */
export function heldIn(run: Run, { routers, inputs }: WiredNetwork, router: number): readonly HeldBuffer[] {
  const own = inputs[router];
  if (own === undefined) return heldBuffersOfRouter(contextOf<RouterContext>(run, routers[router]!));
  return heldBuffers(own.filter((at) => at >= 0).map((at) => contextOf<InputChannelContext>(run, at)));
}

/** Flits in the buffer of an input channel. */
export const flitsIn = (
  run: Run,
  { routers, inputs }: WiredNetwork,
  router: number,
  input: number,
): number =>
  inputs[router]
    ? contextOf<InputChannelContext>(run, inputs[router]![input]!).flits.length
    : contextOf<RouterContext>(run, routers[router]!).state.buffers.flitsOf(input).length;

/** How the network of a run that has come to rest stands still; undefined when no packet is stuck. */
export function standstillOf(
  run: Run,
  wired: WiredNetwork,
  { topology, bufferDepth, channels }: NetworkPlan,
  tell: PacketText = (packet) => `packet ${packet}`,
): Standstill | undefined {
  const { routers, packets: book } = wired;
  const held = routers.flatMap((_, router) =>
    heldIn(run, wired, router).map(
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
    const packet = tell(packetOf(book, flits[0]!));
    const holds = `${name} holds ${counted(flits.length, 'flit')} of ${packet}`;
    const [on] = waitsOn(one);
    if (has >= 0) {
      const there = flitsIn(run, wired, wire.router, wire.port * channels + has);
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
