import { Run } from '../../kernel/run.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import type { SunwayGiven } from './workloads.ts';

/** The sentences that do not hold in a run, each once, and the verdict of a run that stands still; it is left where it stands at `lastTick`. */
export function raisedIn(given: SunwayGiven, lastTick = 200_000): readonly string[] {
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring);
  assembly.attach?.(run);
  const watching = sunwayMachineProperties.watch(run, given, assembly);
  run.until(lastTick);
  watching.end();
  const { verdict, violations } = run.outcome;
  const stopped = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  return [...new Set(violations.map(({ property }) => property)), ...stopped];
}
