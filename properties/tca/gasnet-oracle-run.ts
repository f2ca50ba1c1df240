import fc from 'fast-check';
import { segmentBase } from '../../actors/tca/gasnet/layout.ts';
import type { Choices } from '../../kernel/choices.ts';
import type { RunOptions } from '../../kernel/run.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';
import { gasnetLayout } from '../../machines/tca/gasnet.ts';
import { type Drawn, expectedAfter, oracleProgram } from './gasnet-oracle.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';
import type { Trial } from './trial.ts';

/** Settings of the runtime under which random programs run. */
export const settings = fc.record({
  channels: fc.constantFrom([0], [0, 1, 2, 3], [2, 3]),
  slots: fc.constantFrom(1, 2, 8),
  slotBytes: fc.constantFrom(576, 1024),
  sendBufferBytes: fc.constant(1024),
  splitMin: fc.constant(256),
  update: fc.constantFrom('eager', 'half'),
  completion: fc.constantFrom('acked', 'acked', 'local'),
  forceMode: fc.constantFrom('auto', 'auto', 'BtoB', 'BtoM', 'MtoB'),
  cacheEntries: fc.constantFrom(0, 2, 64),
  parallelPackets: fc.boolean(),
  scheduler: fc.constantFrom('split', 'perRequest'),
});
/** Drawn settings. */
export type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** The machine of a drawn program. */
export const configOf = ({ nodes }: Drawn, gasnet: Settings, stopDetect = 'counter'): TcaConfig =>
  gasnetConfigOf(gasnet, { topology: 'ring', nodes, cpuBytes: 2 ** 20, gpuBytes: 2 ** 18, stopDetect });

/** The first byte in which the memories of a run differ from those of the oracle. */
export function difference(config: TcaConfig, drawn: Drawn, { written }: Trial): string | undefined {
  const { layout } = gasnetLayout(config, config.gasnet!);
  for (const [node, memories] of expectedAfter(drawn).at(-1)!.entries())
    for (const kind of ['cpu', 'gpu'] as const) {
      const base = segmentBase(layout, node, kind);
      const at = memories[kind].findIndex((byte, k) => (written.get(base + k) ?? 0) !== byte);
      if (at >= 0) return `node ${node} ${kind} ${at}: ${written.get(base + at)}, not ${memories[kind][at]}`;
    }
  return undefined;
}

/** Runs a drawn program. */
export const runOf = (drawn: Drawn, gasnet: Settings, options: RunOptions = {}): Trial =>
  gasnetTrial(configOf(drawn, gasnet), oracleProgram(drawn), options);

/** What is wrong with a drawn program under one schedule; undefined when all is well. */
export function wrongWith(drawn: Drawn, gasnet: Settings, choices?: Choices): string | undefined {
  const run = runOf(drawn, gasnet, choices && { choices });
  const { failure } = run.run.outcome;
  if (failure) return `${failure.actor}: ${failure.message}`;
  if (run.raised.length > 0) return run.raised.join('; ');
  // A put that is only known to have left is in place when the other side has seen it.
  return gasnet.completion === 'acked' ? difference(configOf(drawn, gasnet), drawn, run) : undefined;
}
