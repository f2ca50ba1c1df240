import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import type { NetworkMessages } from '../../actors/chiplet/network/protocol.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { NetworkConfig } from '../../machines/chiplet/config.ts';
import type { NetworkAssembly } from '../../machines/chiplet/network-machine.ts';
import { judgingOf } from '../judging.ts';

/** What properties of a network know before a run begins. */
export interface ChipletContext {
  readonly config: NetworkConfig;
  /** Packets of the traffic by number. */
  readonly packets: readonly PacketOrder[];
  readonly ports: number;
  /** Where the link at a port of a router leads, by `from.port`. */
  readonly links: ReadonlyMap<string, LinkSeen>;
}

/** Where a link leads, the cycles on its wire, and the cycles between turns of the routers before and behind it. */
export interface LinkSeen {
  readonly to: number;
  readonly port: number;
  readonly delay: number;
  readonly periods: readonly [before: number, behind: number];
}

/** A property of networks, for one of them. */
export type ChipletProperty = (context: ChipletContext) => Observer;

/** Reads what properties know from a network that was assembled; one in a system has no packets before its run. */
export function chipletContext(
  { plan, wired }: Pick<NetworkAssembly, 'plan' | 'wired'>,
  config: NetworkConfig,
): ChipletContext {
  const { topology, packets } = plan;
  const periodOf = (router: number): number => topology.periodOf?.(router) ?? 1;
  const links = wired.links.map(({ from, port }) => {
    const wire = topology.wireOf(from, port)!;
    const periods = [periodOf(from), periodOf(wire.router)] as const;
    return [`${from}.${port}`, { to: wire.router, port: wire.port, delay: wire.delay, periods }] as const;
  });
  return { config, packets, ports: topology.ports, links: new Map(links) };
}

/** Declares a property of networks. */
export const judging = judgingOf<NetworkMessages>();

/** The number in a name as `Router[12]`. */
export const routerIn = (name: string): number => Number(/^Router\[(\d+)\]$/.exec(name)?.[1]);

/** Router and port in the name of a link, as `12.3`. */
export const linkIn = (name: string): string => /^Link\[(.+)\]$/.exec(name)?.[1] ?? '';

/** Head and tail as a flit says them itself, and its number. */
export const numberOf = (flit: number): number => flit >> 2;
export const opens = (flit: number): boolean => (flit & 2) !== 0;
export const closes = (flit: number): boolean => (flit & 1) !== 0;

/** The address of a router. */
export function addressOf({ A, c }: NetworkConfig, router: number): readonly number[] {
  const address: number[] = [];
  for (let rest = router, k = 0; k < c; k++, rest = Math.floor(rest / A)) address.unshift(rest % A);
  return address;
}
