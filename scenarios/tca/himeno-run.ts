import type { GasnetOptions } from '../../actors/tca/gasnet/options.ts';
import { type Decomposition, rankCount } from '../../actors/tca/himeno/decomposition.ts';
import { placementOf } from '../../actors/tca/himeno/placement.ts';
import type { HimenoResult } from '../../actors/tca/himeno/problem.ts';
import { type TcaConfig, tcaConfig } from '../../machines/tca/config.ts';
import {
  type HimenoIteration,
  type HimenoVariation,
  himenoProgram,
} from '../../machines/tca/himeno-program.ts';
import { environmentOf, type HimenoSetting } from '../../machines/tca/himeno-setting.ts';
import { type TcaRunResult, tcaMachine } from '../../machines/tca.ts';
import { type SimulateOptions, type Simulation, simulate } from '../simulate.ts';

/** What a run on nodes came to. */
export interface HimenoRun {
  readonly simulation: Simulation<TcaRunResult>;
  /** What rank 0 has put together; undefined when the run did not end well. */
  readonly result: HimenoResult | undefined;
  readonly p: Float32Array | undefined;
  /** By rank, in order. */
  readonly iterations: readonly (readonly HimenoIteration[])[];
}

/** What may be chosen about the nodes. */
export interface HimenoNodes {
  /** Channels that the runtime may use. */
  readonly channels?: readonly number[];
  /** More settings of the runtime. */
  readonly gasnet?: Partial<GasnetOptions>;
  readonly stopDetect?: TcaConfig['stopDetect'];
}

/** Bytes of CPU memory: the rings of GASNet among eight nodes are 1 MiB of it. */
const cpuBytes = 4 * 2 ** 20;

/** Nodes of as many ranks: a pair, or a ring. */
export function himenoConfig(
  setting: HimenoSetting,
  { channels, gasnet, stopDetect }: HimenoNodes = {},
): TcaConfig {
  const ranks = rankCount(setting.decomposition);
  return tcaConfig.parse({
    topology: ranks <= 2 ? 'pair' : 'ring',
    nodes: Math.max(2, ranks),
    cpuBytes,
    gpuBytes: gpuBytesOf(setting.decomposition),
    ...(stopDetect && { stopDetect }),
    gasnet: {
      completion: 'local',
      ...gasnet,
      environment: environmentOf(setting),
      ...(channels && { channels: [...channels] }),
    },
  });
}

/** Bytes of GPU memory that a decomposition takes on a node. */
export const gpuBytesOf = (decomposition: Decomposition): number => placementOf(decomposition).bytes;

/** Solves a problem on nodes. */
export function runHimeno(
  setting: HimenoSetting,
  nodes: HimenoNodes = {},
  options: SimulateOptions = {},
  variation: HimenoVariation = {},
): HimenoRun {
  const ranks = rankCount(setting.decomposition);
  const iterations: HimenoIteration[][] = Array.from({ length: ranks }, () => []);
  let result: HimenoResult | undefined;
  let p: Float32Array | undefined;
  const program = himenoProgram(
    {
      iteration: (rank, times) => iterations[rank]!.push(times),
      result: (checksums, residual, whole) => {
        result = { ...checksums, ...residual };
        p = whole;
      },
    },
    variation,
  );
  const scenario = {
    file: 'himeno',
    text: '',
    name: 'himeno',
    machine: tcaMachine.name,
    config: himenoConfig(setting, nodes),
    programs: { module: 'himeno', program },
    faults: [],
    schedule: { kind: 'fifo' as const, seed: 0 },
  };
  const simulation = simulate(scenario, tcaMachine, { checkpoints: 0, ...options });
  return { simulation, result, p, iterations };
}
