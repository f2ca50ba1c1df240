import { existsSync, readFileSync } from 'node:fs';
import { cellMachine } from '../../machines/cell.ts';
import { cellResultOf, formatResult } from '../../scenarios/cell/result.ts';
import { type CellWorkload, parseWorkload, WorkloadError } from '../../scenarios/cell/workload.ts';
import {
  DamagedReference,
  equalRow,
  formatOf,
  NothingToCompare,
  type ReferenceKind,
  type Row,
} from '../../scenarios/reference-kind.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { bare, scenarioOf } from '../cell/run-workload.ts';

/** Workloads with their results (Cell specification 18.1, 18.2): every key, and the line byte for byte. */
export const cellWorkloads: ReferenceKind = {
  name: 'cell-workload/1',
  summary: 'a workload run on the machine, compared with the result beside it',
  recognises: (file) => formatOf(file) === 'cell-workload/1',
  *rows({ path, text, explicit }) {
    const resultPath = resultBeside(path);
    if (!existsSync(resultPath)) throw new NothingToCompare(`there is no ${resultPath} to compare with`);
    const expectedLine = readFileSync(resultPath, 'utf8');
    const expected = objectOf(expectedLine, resultPath);
    const workload = workloadOf(text, path);
    const scenario = explicit ? scenarioOf(workload, 'step', 'explicit') : scenarioOf(workload, 'burst');
    const { result } = simulate(scenario, cellMachine, bare);
    const foundLine = formatResult(cellResultOf(result));
    const found = objectOf(foundLine, 'the result');
    yield* keyRows(expected, found);
    yield {
      ...equalRow('line', 'the result as one line of text', expectedLine, foundLine),
      ...(expectedLine === foundLine ? {} : firstDifference(expectedLine, foundLine)),
    };
  },
};

/** Where the result of a workload lies. */
export const resultBeside = (workloadPath: string): string =>
  workloadPath.replace(/(\.workload)?\.json$/, '.result.json');

function* keyRows(
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): Iterable<Row> {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [one, other] = [JSON.stringify(expected[key]), JSON.stringify(found[key])];
    if (one === other || !Array.isArray(expected[key]) || !Array.isArray(found[key])) {
      yield { ...equalRow(key, `the result's ${key}`, expected[key], found[key]), passed: one === other };
      continue;
    }
    const [rows, others] = [expected[key] as unknown[], found[key] as unknown[]];
    const at = rows.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(others[index]));
    const index = at < 0 ? rows.length : at;
    yield equalRow(
      `${key}[${index}]`,
      `the first row of ${key} that differs`,
      rows[index] ?? null,
      others[index] ?? null,
    );
  }
}

function workloadOf(text: string, path: string): CellWorkload {
  try {
    return parseWorkload(text, path);
  } catch (error) {
    if (error instanceof WorkloadError) throw new DamagedReference(error.message);
    throw error;
  }
}

function objectOf(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below, with what is no object.
  }
  throw new DamagedReference(`${path} holds no JSON object`);
}

/** Where two texts part, with what follows there. */
function firstDifference(expected: string, found: string): Pick<Row, 'expected' | 'found'> {
  let at = 0;
  while (expected[at] === found[at]) at++;
  const from = (text: string) => `from character ${at}: ${text.slice(at, at + 40)}`;
  return { expected: from(expected), found: from(found) };
}
