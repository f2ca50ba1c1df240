import type { Address } from '../../../kernel/message.ts';
import { mixSeed } from '../../../kernel/mix-seed.ts';
import type { TcaConfig, TcaPrograms } from '../../../machines/tca/config.ts';
import { PlainCache, PlainStops, PlainWeights } from './channel-books.ts';
import { PlainChannel } from './channel-part.ts';
import { ringNames } from './gasnet-layout.ts';
import { PlainCopier, PlainGpu, PlainMemory, PlainRegisters, plainSwitch } from './host-parts.ts';
import { PlainLink, PlainPioWindow } from './link-parts.ts';
import type { PlainPart, PlainSetting } from './plain-part.ts';
import { plainProgram } from './plain-programs.ts';
import { PlainPlanner } from './planner-part.ts';
import { PlainProcessor } from './processor-part.ts';
import { PlainCombiner, PlainReceiver, PlainSender, plainBoard } from './ring-parts.ts';
import { neighbour, PlainRouter, ports } from './router-part.ts';
import { PlainRuntime } from './runtime-part.ts';

/** Whether links, routers and switches are compared, too: most of all messages are theirs, so only where the seed is odd, as it is when nothing is said. */
const hasWires = ({ seed }: TcaConfig): boolean => seed % 2 === 1;

/** The plain parts of all nodes, by address. */
export function plainParts(setting: PlainSetting, programs: TcaPrograms): readonly (PlainPart | undefined)[] {
  const { config, of } = setting;
  const { nodes, bitErrorRate, parameters, seed } = config;
  const parts: (PlainPart | undefined)[] = [];
  const addWire = (self: Address, part: PlainPart): void => {
    if (hasWires(config)) parts[self] = part;
  };
  // Who is decided for by the seed has a number of its own: cables, then by node its channels, its registers, its links to the host.
  let seeded = 0;
  const decides = (): ((number: number) => number) => {
    const key = mixSeed(seeded++, seed);
    return (number) => mixSeed(number, key);
  };
  const noise = () => (bitErrorRate > 0 ? decides() : undefined);
  for (let node = 0; node < nodes; node++) {
    for (const [port, name] of ports.entries()) {
      const other = neighbour(setting, node, port);
      if (!other) continue;
      const self = of(node, `Link.${name}`);
      const link = new PlainLink(config, {
        self,
        far: of(other.node, 'Router'),
        queueOf: { router: of(node, 'Router'), port },
        writeLatency: parameters.cableLatency,
        otherLatency: parameters.cableLatency,
        endsAtGpu: false,
        noise: noise(),
      });
      addWire(self, link);
    }
  }
  for (let node = 0; node < nodes; node++) {
    const router = of(node, 'Router');
    for (let channel = 0; channel < 4; channel++) {
      const heard = decides();
      parts[of(node, `Dmac[${channel}]`)] = new PlainChannel(
        setting,
        node,
        channel,
        (early) => heard(early) % 2 === 1,
      );
    }
    const late = decides();
    let reads = 0;
    parts[of(node, 'RegisterFile')] = new PlainRegisters(setting, node, (choices) => late(reads++) % choices);
    const [up, down] = [of(node, 'Link.Up'), of(node, 'Link.Down')];
    const upward = new PlainLink(config, {
      self: up,
      far: of(node, 'HostSwitch'),
      queueOf: { router, port: 0 },
      writeLatency: parameters.hostInLatency,
      otherLatency: 0,
      endsAtGpu: true,
      noise: noise(),
    });
    const downward = new PlainLink(config, {
      self: down,
      far: router,
      writeLatency: 0,
      otherLatency: 0,
      endsAtGpu: false,
      noise: noise(),
    });
    addWire(up, upward);
    addWire(down, downward);
    addWire(router, new PlainRouter(setting, node));
    addWire(of(node, 'PioWindow'), new PlainPioWindow(config, router));
    addWire(of(node, 'HostSwitch'), plainSwitch(setting, node));
    parts[of(node, 'CpuMemory')] = new PlainMemory(setting, node, 'cpu');
    parts[of(node, 'GpuMemory')] = new PlainMemory(setting, node, 'gpu');
    parts[of(node, 'Copier')] = new PlainCopier(setting, node);
    parts[of(node, 'GpuKernel')] = new PlainGpu(setting, node);
    if (config.gasnet) addRuntime(parts, setting, node);
    const program = config.gasnet ? undefined : plainProgram(programs, node, config);
    if (program) parts[of(node, 'Cpu')] = new PlainProcessor(setting, node, program);
  }
  return parts;
}

/** The parts of the runtime of GASNet on a node. */
function addRuntime(parts: (PlainPart | undefined)[], setting: PlainSetting, node: number): void {
  const { config, of } = setting;
  parts[of(node, 'NotifyBoard')] = plainBoard(setting, node);
  parts[of(node, 'Pio')] = new PlainCombiner(setting, node);
  parts[of(node, 'StopDetector')] = new PlainStops(setting, node);
  parts[of(node, 'DescriptorCache')] = new PlainCache(setting, node);
  parts[of(node, 'Gasnet')] = new PlainRuntime(setting, node);
  parts[of(node, 'Planner')] = new PlainPlanner(setting, node);
  parts[of(node, 'WeightTable')] = new PlainWeights(setting, node);
  for (let peer = 0; peer < config.nodes; peer++)
    for (const ring of [0, 1] as const) {
      if (peer === node) continue;
      const name = `[${peer}].${ringNames[ring]}`;
      parts[of(node, `PacketTx${name}`)] = new PlainSender(setting, node, peer, ring);
      parts[of(node, `PacketRx${name}`)] = new PlainReceiver(setting, node, peer, ring);
    }
}
