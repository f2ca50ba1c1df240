import { invariant } from '../../kernel/errors.ts';
import { farmer, numbersOf } from './task-farm.ts';
import { trial } from './trial.ts';

/** A farm that is stopped again and again. */
export interface KilledFarm {
  readonly hosts: number;
  readonly tasks: number;
  readonly blockSize: number;
  /** How long tasks take: the cycles of task k are `cycles[k mod length]`. */
  readonly cycles: readonly number[];
  /** When each run is ended from outside; the run after the last of them is left alone. */
  readonly ends: readonly FarmEnd[];
}

/** How a run is ended: its job gets a signal, or one of its hosts is killed while the others go on. */
export interface FarmEnd {
  readonly by: 34 | 35 | 'kill';
  readonly at: number;
  /** Host that is killed, modulo the number of hosts. */
  readonly host: number;
}

/** What is wrong with a farm that was stopped and resumed; empty when all is right. */
export function findingsOfKilledFarm(farm: KilledFarm): readonly string[] {
  const { hosts, tasks, blockSize, cycles, ends } = farm;
  const program = farmer({
    file: 'farm.mid',
    tasks,
    blockSize,
    cycles: (task) => cycles[task % cycles.length]!,
  });
  const found: string[] = [];
  const executed = new Set<number>();
  let files: Readonly<Record<string, string>> = {};
  for (const end of [...ends, undefined]) {
    const { result, run } = trial(program, {
      cgs: hosts,
      cpesPerCg: 1,
      fidelity: 'functional',
      race: { policy: 'off' },
      files,
      job: jobOf(end, hosts),
    });
    for (const { executed: done } of result.told) for (const task of numbersOf(done)) executed.add(task);
    const before = files['farm.mid'];
    const after = result.files['farm.mid'];
    if (run.outcome.verdict !== 'ok') found.push(`a run ended as ${run.outcome.verdict}`);
    found.push(...midFileFindings(farm, before, after, executed));
    files = result.files;
    if (end === undefined) {
      if (after !== '01'.repeat(Math.ceil(tasks / blockSize))) found.push(`the last mid file is ${after}`);
      for (let task = 0; task < tasks; task++)
        if (!executed.has(task)) found.push(`task ${task} was never executed`);
    }
  }
  return found;
}

function jobOf(end: FarmEnd | undefined, hosts: number): object {
  if (end === undefined) return {};
  if (end.by === 'kill') return { kill: [{ cgn: end.host % hosts, at: end.at }] };
  return { bsignal: [{ signal: end.by, at: end.at }] };
}

/** A mid file is valid: its length, its bytes, no complete block that has an unexecuted task, none that was complete before and is not now. */
function midFileFindings(
  { tasks, blockSize }: KilledFarm,
  before: string | undefined,
  after: string | undefined,
  executed: ReadonlySet<number>,
): readonly string[] {
  if (after === undefined) return before === undefined ? [] : ['the mid file is gone'];
  const blocks = Math.ceil(tasks / blockSize);
  invariant(blockSize >= 1, 'blocks have tasks');
  if (!/^(0[01])*$/.test(after) || after.length !== 2 * blocks) return [`the mid file is ${after}`];
  const found: string[] = [];
  for (let block = 0; block < blocks; block++) {
    const isDone = after[2 * block + 1] === '1';
    if (!isDone && before?.[2 * block + 1] === '1') found.push(`block ${block} was forgotten`);
    if (!isDone) continue;
    for (let task = block * blockSize; task < Math.min((block + 1) * blockSize, tasks); task++)
      if (!executed.has(task)) found.push(`block ${block} is complete without task ${task}`);
  }
  return found;
}
