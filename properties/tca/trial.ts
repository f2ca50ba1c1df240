import type { TcaMessages } from '../../actors/tca/protocol.ts';
import type { Run, RunOptions } from '../../kernel/run.ts';
import { type TcaRunResult, tcaMachine } from '../../machines/tca.ts';
import { type WatchedTrial, watchedTrial } from '../watched-trial.ts';
import { tcaMachineProperties } from './machine-properties.ts';
import type { TcaGiven } from './workloads.ts';

/** Ticks that a run may take when nothing else is said: a processor that polls for a chain which never ends goes on for ever. */
const usualTicksMax = 1_000_000;

/** What a run of TCA nodes under its properties came to. */
export interface Trial extends WatchedTrial<TcaRunResult> {
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
  const written = new Map<number, number>();
  const follow = (run: Run): void => {
    look(run);
    run.probes$.subscribe(({ probe }) => {
      if (probe.type !== 'memory.visible') return;
      const { addr, data } = probe as unknown as TcaMessages['memory.visible'];
      for (const [k, byte] of data.entries()) written.set(addr + k, byte);
    });
  };
  const watched = watchedTrial(
    tcaMachine.assemble(given),
    (run, assembly) => tcaMachineProperties.watch(run, given, assembly),
    { ...options, look: follow, ticksMax },
  );
  return { ...watched, written };
}
