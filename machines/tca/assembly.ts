import { ByteMemory } from '../../actors/common/byte-memory.ts';
import { Program } from '../../actors/common/program.ts';
import { notifySlots } from '../../actors/tca/address-map.ts';
import { copier } from '../../actors/tca/copier.ts';
import { cpu } from '../../actors/tca/cpu.ts';
import { dmac } from '../../actors/tca/dmac.ts';
import { gpuKernel } from '../../actors/tca/gpu-kernel.ts';
import { hostMemory } from '../../actors/tca/host-memory.ts';
import { hostSwitch } from '../../actors/tca/host-switch.ts';
import { type LinkInput, link } from '../../actors/tca/link.ts';
import type { NodeProgram } from '../../actors/tca/node-program.ts';
import { channels, inSubTicks } from '../../actors/tca/parameters.ts';
import { pioWindow } from '../../actors/tca/pio-window.ts';
import { tcaProtocol } from '../../actors/tca/protocol.ts';
import { registerFile } from '../../actors/tca/register-file.ts';
import { type Port, portOrder, router } from '../../actors/tca/router.ts';
import { tagPool } from '../../actors/tca/tag-pool.ts';
import type { Address } from '../../kernel/message.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { TcaConfig } from './config.ts';
import { type GasnetParts, gasnetLayout, placeGasnet, soundGasnetParts } from './gasnet.ts';
import { cablesOf, portsOf } from './topology.ts';

/** The state machines that nodes are wired from; mutants replace some. */
export interface TcaParts extends GasnetParts {
  readonly cpu: typeof cpu;
  readonly copier: typeof copier;
  readonly gpuKernel: typeof gpuKernel;
  readonly dmac: typeof dmac;
  readonly tagPool: typeof tagPool;
  readonly router: typeof router;
  readonly hostSwitch: typeof hostSwitch;
  readonly hostMemory: typeof hostMemory;
  readonly link: typeof link;
  readonly pioWindow: typeof pioWindow;
  readonly registerFile: typeof registerFile;
}

/** Nodes as specified. */
export const soundParts: TcaParts = {
  cpu,
  copier,
  gpuKernel,
  dmac,
  tagPool,
  router,
  hostSwitch,
  hostMemory,
  link,
  pioWindow,
  registerFile,
  ...soundGasnetParts,
};

/** The addresses of a node's parts. */
export interface NodeParts {
  readonly cpu: Address;
  readonly copier: Address;
  readonly gpu: Address;
  /** Who counts the chains that the channels finish: the processor, or the driver below GASNet. */
  readonly counts: Address;
  readonly dmacs: readonly Address[];
  readonly tags: Address;
  readonly router: Address;
  readonly pioWindow: Address;
  readonly registers: Address;
  readonly hostSwitch: Address;
  readonly cpuMemory: Address;
  readonly gpuMemory: Address;
  readonly up: Address;
  readonly down: Address;
}

/** Wired nodes. */
export interface WiredNodes {
  readonly wiring: Wiring;
  readonly nodes: readonly NodeParts[];
}

/** 0.3 GB/s of the 4 GB/s of a link: how fast a GPU behind the other socket takes bytes (TCA specification 5). */
const behindQpi = { numerator: 3, denominator: 40 };

/** Wires nodes and cables (TCA specification 2, 15); `programs` has one for each node. */
export function wireNodes(
  config: TcaConfig,
  programs: readonly NodeProgram[],
  parts: TcaParts = soundParts,
): WiredNodes {
  const {
    nodes: count,
    parameters,
    cpuBytes,
    gpuBytes,
    stopDetect,
    strict,
    seed,
    room,
    cplSplit,
    gpuBehindQpi,
    bitErrorRate,
  } = config;
  const { transmitPackets, ...credits } = room;
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(tcaProtocol, { checked: false });
  const gasnet = config.gasnet && gasnetLayout(config, config.gasnet);
  const reserved = Array.from({ length: count }, (_, node) => {
    const own = (name: string): Address => wiring.reserve(`Node[${node}].${name}`);
    return {
      cpu: own('Cpu'),
      copier: own('Copier'),
      gpu: own('GpuKernel'),
      dmacs: Array.from({ length: channels }, (_, channel) => own(`Dmac[${channel}]`)),
      tags: own('TagPool'),
      router: own('Router'),
      pioWindow: own('PioWindow'),
      registers: own('RegisterFile'),
      hostSwitch: own('HostSwitch'),
      cpuMemory: own('CpuMemory'),
      gpuMemory: own('GpuMemory'),
      up: own('Link.Up'),
      down: own('Link.Down'),
    };
  });
  const runtimes = reserved.map((own, node) =>
    config.gasnet
      ? placeGasnet(wiring, config, config.gasnet, node, { ...own, router: own.pioWindow }, parts)
      : { stops: own.cpu, board: own.cpu, runtime: undefined },
  );
  const nodes = reserved.map((own, node): NodeParts => ({ ...own, counts: runtimes[node]!.stops }));
  const overhead = {
    read: parameters.readOverheadBytes,
    completion: parameters.completionOverheadBytes,
    write: parameters.writeOverheadBytes,
  };
  // Each part that the seed decides for gets a number of its own.
  let seeded = 0;
  const seeds = (): number => mixSeed(seeded++, seed);
  const boardBytes = 8 * notifySlots * count;
  const ranges = { nodes: count, cpu: cpuBytes + boardBytes, gpu: gpuBytes };
  const bitErrors = () => (bitErrorRate > 0 ? { errors: { rate: bitErrorRate, seed: seeds() } } : {});
  const cables = cablesOf(config);
  const links = nodes.map(
    (_, node): Partial<Record<Port, Address>> =>
      Object.fromEntries(
        cables
          .filter(({ from }) => from === node)
          .map(({ port, to, farPort }) => {
            const self = wiring.reserve(`Node[${node}].Link.${port}`);
            const latency = inSubTicks(parameters.cableLatency);
            const input: LinkInput = {
              far: nodes[to]!.router,
              farPort: portOrder.indexOf(farPort),
              credits,
              queueOf: { router: nodes[node]!.router, port: portOrder.indexOf(port) },
              writeLatency: latency,
              otherLatency: latency,
              overhead,
              ...bitErrors(),
            };
            wiring.place(self, parts.link, input);
            return [port, self];
          }),
      ),
  );
  for (const [node, own] of nodes.entries()) {
    const { dmacs, tags, up, down } = own;
    const { runtime, stops, board } = runtimes[node]!;
    const memories = { cpu: own.cpuMemory, gpu: own.gpuMemory };
    wiring.place(own.copier, parts.copier, { memories });
    wiring.place(own.gpu, parts.gpuKernel, {});
    wiring.place(own.cpu, parts.cpu, {
      node,
      dmacs,
      router: own.pioWindow,
      registers: own.registers,
      strict,
      ranges,
      memories,
      copier: own.copier,
      gpu: own.gpu,
      ...(runtime !== undefined && { runtime }),
      program: new Program(() => programs[node]!(node, count, gasnet)),
      parameters,
      stopDetect,
    });
    for (const [channel, self] of dmacs.entries())
      wiring.place(self, parts.dmac, {
        node,
        channel,
        tags,
        router: own.router,
        registers: own.registers,
        ranges,
        strict,
        seed: seeds(),
        cpu: stops,
        parameters,
      });
    wiring.place(own.registers, parts.registerFile, { dmacs, seed: seeds(), parameters });
    wiring.place(tags, parts.tagPool, { tagsPerChannel: parameters.tagsPerChannel });
    const senders = cables
      .filter(({ to }) => to === node)
      .map(({ from, port, farPort }) => [farPort, links[from]![port]]);
    wiring.place(own.pioWindow, parts.pioWindow, { router: own.router, credits });
    wiring.place(own.router, parts.router, {
      node,
      links: { ...links[node], N: up },
      senders: { ...Object.fromEntries(senders), N: own.pioWindow },
      dmacs,
      transmitPackets,
      ports: portsOf(config, node),
      parameters,
    });
    wiring.place(own.hostSwitch, parts.hostSwitch, {
      up,
      cpu: own.cpuMemory,
      gpu: own.gpuMemory,
    });
    wiring.place(own.cpuMemory, parts.hostMemory, {
      down,
      cpu: board,
      readLatency: parameters.cpuReadLatency,
      completionBytes: cplSplit,
      size: cpuBytes,
      bytes: new ByteMemory(cpuBytes + boardBytes),
    });
    wiring.place(own.gpuMemory, parts.hostMemory, {
      down,
      cpu: board,
      readLatency: (gpuBehindQpi ? 3 : 1) * parameters.gpuReadLatency,
      completionBytes: cplSplit,
      size: gpuBytes,
      bytes: new ByteMemory(gpuBytes),
    });
    wiring.place(up, parts.link, {
      far: own.hostSwitch,
      farPort: -1,
      credits,
      queueOf: { router: own.router, port: portOrder.indexOf('N') },
      writeLatency: inSubTicks(parameters.hostInLatency),
      otherLatency: 0,
      overhead,
      ...bitErrors(),
      ingress: {
        bytes: parameters.gpuIngressFifoBytes,
        ...(gpuBehindQpi
          ? behindQpi
          : { numerator: parameters.gpuDrainNumerator, denominator: parameters.gpuDrainDenominator }),
      },
    });
    wiring.place(down, parts.link, {
      far: own.router,
      farPort: portOrder.indexOf('N'),
      credits,
      writeLatency: 0,
      otherLatency: 0,
      overhead,
      ...bitErrors(),
    });
    wiring.begin({ to: own.cpu, type: 'cpu.turn' });
  }
  return { wiring, nodes };
}
