import type { z } from 'zod';
import { descriptorCache } from '../../actors/tca/gasnet/descriptor-cache.ts';
import type { GasnetSetting } from '../../actors/tca/gasnet/gasnet.ts';
import {
  pageBytes,
  type RingClass,
  ringClasses,
  runtimeBytes,
  scratchBytes,
} from '../../actors/tca/gasnet/layout.ts';
import { notifyBoard } from '../../actors/tca/gasnet/notify-board.ts';
import { packetRx } from '../../actors/tca/gasnet/packet-rx.ts';
import { packetTx } from '../../actors/tca/gasnet/packet-tx.ts';
import { planner } from '../../actors/tca/gasnet/planner.ts';
import { runtime } from '../../actors/tca/gasnet/runtime.ts';
import { stopDetector } from '../../actors/tca/gasnet/stop-detector.ts';
import { weightTable } from '../../actors/tca/gasnet/weight-table.ts';
import { writeCombiner } from '../../actors/tca/gasnet/write-combiner.ts';
import type { Address } from '../../kernel/message.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import type { gasnetConfig, TcaConfig } from './config.ts';

/** The state machines of the runtime on a node (TCA specification 15); mutants replace some. */
export interface GasnetParts {
  readonly runtime: typeof runtime;
  readonly planner: typeof planner;
  readonly packetTx: typeof packetTx;
  readonly packetRx: typeof packetRx;
  readonly notifyBoard: typeof notifyBoard;
  readonly descriptorCache: typeof descriptorCache;
  readonly weightTable: typeof weightTable;
  readonly stopDetector: typeof stopDetector;
  readonly writeCombiner: typeof writeCombiner;
}

/** The runtime as specified. */
export const soundGasnetParts: GasnetParts = {
  runtime,
  planner,
  packetTx,
  packetRx,
  notifyBoard,
  descriptorCache,
  weightTable,
  stopDetector,
  writeCombiner,
};

type GasnetConfig = z.output<typeof gasnetConfig>;
type NodeConfig = Pick<TcaConfig, 'nodes' | 'cpuBytes' | 'gpuBytes' | 'parameters' | 'stopDetect'>;

/** What programs are told of GASNet. */
export const gasnetLayout = (
  { nodes, cpuBytes, gpuBytes }: Pick<NodeConfig, 'nodes' | 'cpuBytes' | 'gpuBytes'>,
  { environment, ...options }: GasnetConfig,
): GasnetSetting => ({ layout: { nodes, cpuBytes, gpuBytes, options }, environment });

/** CPU memory that a node needs at least: what the runtime keeps, and a page of segment and of private memory each. */
export function gasnetBytesMin(config: NodeConfig, gasnet: GasnetConfig): number {
  const { layout } = gasnetLayout(config, gasnet);
  return runtimeBytes(layout) + 2 * scratchBytes(layout) + 2 * pageBytes;
}

/** What the runtime of a node stands on. */
export interface NodeBelow {
  readonly cpu: Address;
  readonly copier: Address;
  readonly dmacs: readonly Address[];
  /** What takes its stores into other nodes. */
  readonly router: Address;
  readonly cpuMemory: Address;
  readonly gpuMemory: Address;
}

/** Those parts of a runtime whom the node talks to. */
export interface PlacedGasnet {
  readonly runtime: Address;
  readonly stops: Address;
  readonly board: Address;
}

/** Places the runtime of a node: planner, board, one sender and one receiver for each peer and class of ring. */
export function placeGasnet(
  wiring: Wiring,
  config: NodeConfig,
  gasnet: GasnetConfig,
  node: number,
  below: NodeBelow,
  parts: GasnetParts,
): PlacedGasnet {
  const { parameters, stopDetect, nodes } = config;
  const { layout } = gasnetLayout(config, gasnet);
  const { environment: _environment, ...options } = gasnet;
  const own = (name: string): Address => wiring.reserve(`Node[${node}].${name}`);
  const [self, plan, board] = [own('Gasnet'), own('Planner'), own('NotifyBoard')];
  const [cache, weights, stops, pio] = [
    own('DescriptorCache'),
    own('WeightTable'),
    own('StopDetector'),
    own('Pio'),
  ];
  const memories = { cpu: below.cpuMemory, gpu: below.gpuMemory };
  const rings = (place: (peer: number, ring: RingClass) => Address): readonly (readonly Address[])[] =>
    Array.from({ length: nodes }, (_, peer) =>
      peer === node ? ringClasses.map(() => self) : ringClasses.map((ring) => place(peer, ring)),
    );
  const ringName = (peer: number, ring: RingClass) => `[${peer}].${ring === 0 ? 'Requests' : 'Replies'}`;
  const senders = rings((peer, ring) =>
    wiring.place(`Node[${node}].PacketTx${ringName(peer, ring)}`, parts.packetTx, {
      peer,
      ring,
      slots: options.slots,
      planner: plan,
      runtime: self,
    }),
  );
  const receivers = rings((peer, ring) => {
    const receiver = own(`PacketRx${ringName(peer, ring)}`);
    return wiring.place(receiver, parts.packetRx, {
      node,
      peer,
      ring,
      layout,
      update: options.update,
      parameters,
      memory: below.cpuMemory,
      pio,
      runtime: self,
      planner: plan,
      senders: senders[peer]!,
    });
  });
  wiring.place(board, parts.notifyBoard, { node, senders, receivers, planner: plan, runtime: self });
  wiring.place(cache, parts.descriptorCache, { entries: options.cacheEntries, planner: plan });
  wiring.place(weights, parts.weightTable, {
    tagsPerChannel: parameters.tagsPerChannel,
    channels: options.channels,
    planner: plan,
  });
  wiring.place(stops, parts.stopDetector, {
    planner: plan,
    dmacs: below.dmacs,
    stopDetect,
    parameters,
  });
  wiring.place(pio, parts.writeCombiner, { node, router: below.router, parameters });
  wiring.place(plan, parts.planner, {
    node,
    layout,
    options,
    parameters,
    senders,
    dmacs: below.dmacs,
    memories,
    copier: below.copier,
    pio,
    cache,
    weights,
    stops,
    runtime: self,
    receivers,
  });
  wiring.place(self, parts.runtime, {
    node,
    layout,
    options,
    parameters,
    cpu: below.cpu,
    planner: plan,
    copier: below.copier,
    pio,
    memories,
    receivers,
    senders,
  });
  return { runtime: self, stops, board };
}
