import type { Figure, Machine } from '../../machines/machine.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';

/** What people are told of a run of a scenario file of this folder, line by line. */
export async function figuresOfFile(
  machine: Pick<Machine, 'name'>,
  file: string,
): Promise<readonly string[]> {
  const known = machine as Machine;
  const path = new URL(`../../scenarios/${file}`, import.meta.url).pathname;
  const { scenario } = await loadScenario(path, [known]);
  const { outcome, result } = simulate(scenario, known, {
    checkpoints: 0,
    observe: (run, { assembly }) => assembly.attach?.(run),
  });
  return known.figures(result, outcome).map(({ label, value }: Figure) => `${label}: ${value}`);
}
