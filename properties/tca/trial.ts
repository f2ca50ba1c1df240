import type { TcaMessages } from '../../actors/tca/protocol.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { type TcaRunResult, tcaMachine } from '../../machines/tca.ts';
import { tcaMachineProperties } from './machine-properties.ts';
import type { TcaGiven } from './workloads.ts';

/** Ticks that a run may take when nothing else is said: a processor that polls for a chain which never ends goes on for ever. */
const usualTicksMax = 1_000_000;

/** What a run of TCA nodes under its properties came to. */
export interface Trial {
  readonly run: Run;
  readonly result: TcaRunResult;
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
  /** What was written, by address. */
  readonly written: ReadonlyMap<number, number>;
}

/** Runs TCA nodes to their end with all their properties watching; `look` may follow the run from its beginning. */
export function trial(
  given: TcaGiven,
  options: RunOptions = {},
  look: (run: Run) => unknown = () => {},
  ticksMax = usualTicksMax,
): Trial {
  const assembly = tcaMachine.assemble(given);
  const run = new Run(assembly.wiring, options);
  look(run);
  const written = new Map<number, number>();
  run.probes$.subscribe(({ probe }) => {
    if (probe.type !== 'memory.visible') return;
    const { addr, data } = probe as unknown as TcaMessages['memory.visible'];
    for (const [k, byte] of data.entries()) written.set(addr + k, byte);
  });
  const watching = tcaMachineProperties.watch(run, given, assembly);
  run.until(ticksMax);
  watching.end();
  const { verdict, violations } = run.outcome;
  const stopped: string[] = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  if (!run.ended) stopped.push('endless');
  return {
    run,
    written,
    result: assembly.result(run),
    raised: [...new Set(violations.map(({ property }) => property)), ...stopped],
  };
}
