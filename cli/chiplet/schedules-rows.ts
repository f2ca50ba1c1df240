import {
  type ComparedSchedules,
  ComparedSystems,
  schedulesOf,
} from '../../properties/chiplet/system/schedules.ts';
import type { Rows } from '../campaign/schedules.ts';
import { projectFile } from '../project.ts';

/** What makes the rows of a campaign of schedules, as plain data. */
export interface SystemsOrder {
  /** Systems by their numbers. */
  readonly numbers: readonly number[];
  readonly seed: number;
  readonly mutants: readonly string[];
}

/** Numbers of schedules that a system may have: those of two systems are never the same. */
export const schedulesMax = 1_000_000;

/** The systems of an order, each a row: no schedule changes what its programs compute. */
export async function systemRows({ numbers, seed, mutants }: SystemsOrder): Promise<Rows> {
  const systems = new ComparedSystems(seed, mutants, projectFile('scenarios/chiplet'));
  // Its canonical run is made once for the schedules of a system that follow each other.
  let last: { readonly row: number; readonly compared: ComparedSchedules } | undefined;
  return {
    names: numbers.map((number) => `system ${number}`),
    tried: async (row, schedule) => {
      if (last?.row !== row) last = { row, compared: schedulesOf(await systems.system(numbers[row]!)) };
      return last.compared.differs(schedulesMax * numbers[row]! + schedule);
    },
  };
}

/** The name of a system for people. */
export async function systemName({ seed, mutants }: SystemsOrder, number: number): Promise<string> {
  const systems = new ComparedSystems(seed, mutants, projectFile('scenarios/chiplet'));
  const { name, config } = await systems.system(number);
  return `${name}, ${config.mode}`;
}
