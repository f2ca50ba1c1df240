import type { Machine } from '../machines/machine.ts';
import { machineOf, machines } from '../machines/machines.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { UsageError } from './usage-error.ts';

/** The machine of a name. Errors: `UsageError` with the nearest names. */
export async function machineNamed(name: string): Promise<Machine> {
  const machine = await machineOf(name);
  if (machine) return machine;
  const names = machines.map((one) => one.name);
  throw new UsageError(`unknown machine "${name}"`, didYouMean(name, names, 'machines'));
}
