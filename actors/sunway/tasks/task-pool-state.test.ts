import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  drainTasks,
  fetchTask,
  loseHost,
  midFileText,
  newTaskPool,
  quitTasks,
  readMidFile,
  type TaskPoolState,
  type TaskRules,
} from './task-pool-state.ts';

const rules: TaskRules = { reassignLost: false, quitMarksDone: true };

/** Fetches for one host of a pool of so many tasks. */
const fetching =
  (pool: TaskPoolState, tasks: number, blockSize: number, choices = rules) =>
  (host: number) =>
    fetchTask(pool, { name: 'pool', host, tasks, blockSize }, choices);

describe('a task pool', () => {
  test('hands out the tasks of the worked scenario, and notes its blocks', () => {
    const pool = newTaskPool(undefined);
    const fetch = fetching(pool, 5, 2);

    expect([0, 1, 0, 1, 0, 1, 0].map(fetch)).toEqual([0, 2, 1, 3, 4, -1, -1]);
    expect(pool.done).toEqual([1, 1, 1]);
    expect(midFileText(readMidFile(pool.done))).toBe('blocks=3 done=3');
  });

  test('refuses bad arguments, a second caller that says otherwise, and a mid file that does not fit', () => {
    const pool = newTaskPool(undefined);
    const ask = (into: TaskPoolState, name: string, tasks: number, blockSize: number) =>
      fetchTask(into, { name, host: 0, tasks, blockSize }, rules);

    expect(ask(pool, '', 5, 2)).toBe(-2);
    expect(ask(pool, 'p', 0, 2)).toBe(-2);
    expect(ask(pool, 'p', 5, 0)).toBe(-2);
    expect(pool).toEqual(newTaskPool(undefined));
    expect(ask(pool, 'p', 5, 2)).toBe(0);
    expect(ask(pool, 'p', 5, 3)).toBe(-2);
    expect(ask(newTaskPool(Uint8Array.of(0, 0)), 'p', 5, 2)).toBe(-2);
    expect(ask(newTaskPool(Uint8Array.of()), 'p', 5, 2)).toBe(-2);
    expect(ask(newTaskPool(Uint8Array.of(0, 7, 0)), 'p', 5, 2)).toBe(-2);
    expect(ask(newTaskPool(Uint8Array.of(1, 0, 1)), 'p', 5, 2)).toBe(2);
  });

  test('hands out every task exactly once over all hosts when nobody is killed', () => {
    const calls = fc.array(fc.nat(3), { minLength: 200, maxLength: 200 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        calls,
        (tasks, size, hosts) => {
          const pool = newTaskPool(undefined);
          const fetch = fetching(pool, tasks, size);

          const handed = [
            ...hosts,
            ...[0, 1, 2, 3].flatMap((host) => new Array<number>(tasks + 1).fill(host)),
          ]
            .map(fetch)
            .filter((task) => task >= 0);

          expect(handed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: tasks }, (_, task) => task));
          expect(pool.done).toEqual(new Array<number>(Math.ceil(tasks / size)).fill(1));
        },
      ),
    );
  });

  test('after a crash hands out in the next run what was not done, and never forgets what was', () => {
    const calls = fc.array(fc.nat(2), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 7 }),
        calls,
        (tasks, size, hosts) => {
          const first = newTaskPool(undefined);
          const before = hosts.map(fetching(first, tasks, size));
          const file = hosts.length === 0 ? undefined : Uint8Array.from(first.done);
          const second = newTaskPool(file);
          const fetch = fetching(second, tasks, size);
          const after = new Array<number>(tasks + 1).fill(0).map(fetch);

          const handed = new Set([...before, ...after].filter((task) => task >= 0));
          expect(handed.size).toBe(tasks);
          expect(first.done.every((byte, block) => byte <= second.done[block]!)).toBe(true);
          expect(after.filter((task) => task >= 0)).toEqual(
            Array.from({ length: tasks }, (_, task) => task).filter(
              (task) => first.done[Math.floor(task / size)] !== 1,
            ),
          );
        },
      ),
    );
  });

  test('ends for everybody at a quit, with all tasks complete in the mid file', () => {
    const pool = newTaskPool(undefined);
    const fetch = fetching(pool, 10, 2);

    expect(quitTasks(pool, rules)).toBe(4);
    expect([fetch(0), fetch(1)]).toEqual([0, 2]);
    expect(quitTasks(pool, rules)).toBe(0);
    expect([fetch(0), fetch(1), fetch(2)]).toEqual([-1, -1, -1]);
    expect(pool.done).toEqual([1, 1, 1, 1, 1]);
    expect(fetching(newTaskPool(Uint8Array.from(pool.done)), 10, 2)(0)).toBe(-1);
  });

  test('leaves the rest open at a quit where that is chosen', () => {
    const pool = newTaskPool(undefined);
    const fetch = fetching(pool, 4, 1);
    const left = { ...rules, quitMarksDone: false };

    fetch(0);
    quitTasks(pool, left);
    fetch(0);

    expect(pool.done).toEqual([1, 0, 0, 0]);
  });

  test('that drains hands out nothing more and records what has ended', () => {
    const pool = newTaskPool(undefined);
    const fetch = fetching(pool, 6, 2);
    for (const host of [0, 1, 0]) fetch(host);

    drainTasks(pool);

    expect([fetch(0), fetch(1)]).toEqual([-1, -1]);
    expect(pool.done).toEqual([1, 0, 0]);
  });

  test('gives the block of a lost host to another one only where that is chosen', () => {
    const keep = newTaskPool(undefined);
    const again = newTaskPool(undefined);
    const wraps = { ...rules, reassignLost: true };
    fetching(keep, 4, 2)(0);
    fetching(again, 4, 2, wraps)(0);

    loseHost(keep, 0, rules);
    loseHost(again, 0, wraps);

    expect([1, 1, 1].map(fetching(keep, 4, 2))).toEqual([2, 3, -1]);
    expect([1, 1, 1, 1, 1].map(fetching(again, 4, 2, wraps))).toEqual([2, 3, 0, 1, -1]);
    expect(keep.done).toEqual([0, 1]);
    expect(again.done).toEqual([1, 1]);
  });
});
