import type { MemoryRoute } from '../../actors/sunway/engine/tbox-input.ts';
import { fastRouter } from '../../actors/sunway/network/fast/router.ts';
import type { InputPortInput, inputPort } from '../../actors/sunway/network/input-port.ts';
import { clusters, gateways } from '../../actors/sunway/network/packet.ts';
import type { PaiuInput, paiu } from '../../actors/sunway/network/paiu.ts';
import { east, gridSide, local, neighbourOf, portNames, west } from '../../actors/sunway/network/ports.ts';
import type { router, WholeRouterInput } from '../../actors/sunway/network/router.ts';
import type { PortEnd, RouterInput } from '../../actors/sunway/network/router-input.ts';
import type { TimingTable } from '../../actors/sunway/timing/timing-table.ts';
import type { Address } from '../../kernel/message.ts';
import type { Wiring } from '../../kernel/wiring.ts';

/** The network of a core group at the level of flits: a router a cluster, a gateway to memory a row (Sunway specification 2.1). */
export interface MeshParts {
  /** By cluster, whether it has CPEs or not. */
  readonly routers: readonly Address[];
  /** By row of clusters. */
  readonly gateways: readonly Address[];
}

/** Reserves the names of a network. */
export const reserveMesh = (own: (name: string) => Address): MeshParts => ({
  routers: Array.from({ length: clusters }, (_, cluster) => own(`Router[${cluster}]`)),
  gateways: Array.from({ length: gateways }, (_, row) => own(`Paiu[${row}]`)),
});

/** Wires the network of a core group, whose name begins with `group`; `fast`: with plain code in the place of input ports. `engines` are those of the clusters that have CPEs. */
export function placeMesh(
  wiring: Wiring,
  machines: {
    readonly router: typeof router;
    readonly inputPort: typeof inputPort;
    readonly paiu: typeof paiu;
  },
  mesh: MeshParts,
  engines: ReadonlyMap<number, Address>,
  routes: readonly MemoryRoute[],
  { rma, flit }: TimingTable,
  group: string,
  fast: boolean,
): void {
  const { perCycle: flitsPerCycle, bufferFlits } = flit;
  // Heads move in whole cycles.
  const { round } = Math;
  const [hopX, hopY, eject, way] = [round(rma.hopX), round(rma.hopY), round(flit.eject), round(flit.paiu)];
  for (const [cluster, self] of mesh.routers.entries()) {
    const ends = portNames.map((_, port): PortEnd | null => {
      if (port === local) {
        const to = engines.get(cluster);
        return to === undefined ? null : { to, isRouter: false, cycles: eject };
      }
      const next = neighbourOf(cluster, port);
      const cycles = port === east || port === west ? hopX : hopY;
      if (next >= 0) return { to: mesh.routers[next]!, isRouter: true, cycles };
      if (port !== west) return null;
      return { to: mesh.gateways[Math.floor(cluster / gridSide)]!, isRouter: false, cycles };
    });
    const input: RouterInput = { self, cluster, ends, flitsPerCycle, bufferFlits };
    if (fast) wiring.place(self, fastRouter, input);
    else {
      const member = (port: number) => ({
        machine: machines.inputPort,
        input: { router: { self, ends }, port } satisfies InputPortInput,
      });
      const inputs = wiring.family(`${group}.Router[${cluster}].Input`, member, self);
      wiring.place(self, machines.router, { ...input, inputs } satisfies WholeRouterInput);
    }
  }
  for (const [row, self] of mesh.gateways.entries())
    wiring.place(self, machines.paiu, {
      self,
      node: clusters + row,
      entrance: { router: mesh.routers[row * gridSide]!, port: west, cycles: way + hopX },
      flitsPerCycle,
      routes,
      cycles: way,
      bufferFlits,
    } satisfies PaiuInput);
}
