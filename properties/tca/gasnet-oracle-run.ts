import { segmentBase } from '../../actors/tca/gasnet/layout.ts';
import type { Choices } from '../../kernel/choices.ts';
import type { RunOptions } from '../../kernel/run.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';
import { gasnetLayout } from '../../machines/tca/gasnet.ts';
import { type Drawn, expectedAfter, oracleProgram } from './gasnet-oracle.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';
import type { Settings } from './gasnet-settings.arbitrary.ts';
import type { Trial } from './trial.ts';

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
