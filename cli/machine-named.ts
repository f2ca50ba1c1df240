import type { Machine } from '../machines/machine.ts';
import { machines } from '../machines/machines.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { UsageError } from './usage-error.ts';

/** The machine of a name. Errors: `UsageError` with the nearest names. */
export function machineNamed(name: string): Machine {
  const machine = machines.find((one) => one.name === name);
  if (machine) return machine;
  const names = machines.map((one) => one.name);
  throw new UsageError(`unknown machine "${name}"`, didYouMean(name, names, 'machines'));
}
