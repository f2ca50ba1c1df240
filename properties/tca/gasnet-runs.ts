import { nodeOf, placeOf } from '../../actors/tca/address-map.ts';
import { type GasnetProgram, gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import { segmentBase } from '../../actors/tca/gasnet/layout.ts';
import type { Run, RunOptions } from '../../kernel/run.ts';
import { type TcaConfig, tcaConfig } from '../../machines/tca/config.ts';
import { gasnetLayout } from '../../machines/tca/gasnet.ts';
import { type Trial, trial } from './trial.ts';
import { givenOf } from './workloads.ts';

/** Ticks that a run may take: 10 ms. */
const ticksMax = 40_000_000;

/** A machine with GASNet, written with what differs from two nodes and small memories. */
export const gasnetConfigOf = (gasnet: object = {}, changes: object = {}): TcaConfig =>
  tcaConfig.parse({ cpuBytes: 2 ** 20, gpuBytes: 2 ** 16, ...changes, gasnet });

/** A run of these programs, one for all nodes or one a node. */
export function gasnetTrial(
  config: TcaConfig,
  programs: GasnetProgram | readonly GasnetProgram[],
  options: RunOptions = {},
  mutants: readonly string[] = [],
  look: (run: Run) => unknown = () => {},
): Trial {
  const all = Array.from({ length: config.nodes }, (_, node) =>
    gasnetProgram(typeof programs === 'function' ? programs : programs[node]!),
  );
  return trial(givenOf(config, all, mutants), options, look, ticksMax);
}

/** What was written of the memory that programs of a node may use, by address: neither rings nor words of the board. */
export function userBytes(config: TcaConfig, { written }: Trial, node: number): ReadonlyMap<number, number> {
  const { layout } = gasnetLayout(config, config.gasnet!);
  const first = segmentBase(layout, 0, 'cpu');
  return new Map(
    [...written].filter(([address]) => {
      const { region, offset } = placeOf(address);
      return nodeOf(address) === node && (region === 'gpu' || (offset >= first && offset < config.cpuBytes));
    }),
  );
}

/** Bytes that tell themselves apart, none of them 0. */
export const patternBytes = (seed: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, k) => 1 + ((seed * 89 + k * 7 + (k >> 6) * 31) % 255));
