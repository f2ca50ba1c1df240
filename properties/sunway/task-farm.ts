import type { MpeProgram } from '../../actors/sunway/program.ts';

/** What the tasks of a farm are, and how long one takes. */
interface Farm {
  readonly file: string;
  readonly tasks: number;
  readonly blockSize: number;
  /** MPE cycles of a task. */
  readonly cycles: (task: number) => number;
  /** The task that finds what all look for, and ends the farm. */
  readonly quitsAt?: number;
}

/** A host that fetches tasks until there are none, and tells what it was handed and what it has completed. */
export const farmer = ({ file, tasks, blockSize, cycles, quitsAt }: Farm): MpeProgram =>
  function* (h) {
    const handed: number[] = [];
    const executed: number[] = [];
    yield h.init();
    for (;;) {
      const task = yield h.task_fetch(file, tasks, blockSize);
      handed.push(task);
      yield h.tell('handed', handed.join(' '));
      if (task < 0) return;
      yield h.compute(cycles(task));
      executed.push(task);
      yield h.tell('executed', executed.join(' '));
      if (task === quitsAt) yield h.task_quit();
    }
  };

/** The numbers that a host has told as one line. */
export const numbersOf = (told: string | number | undefined): readonly number[] =>
  told === undefined || told === '' ? [] : String(told).split(' ').map(Number);
