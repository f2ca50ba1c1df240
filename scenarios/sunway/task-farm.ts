import type { MpeProgram } from '../../actors/sunway/program.ts';

const midFile = 'farm.mid';

/** Two hosts take turns: each waits for the other at the barrier of the hosts between two fetches; host 0 begins and has one fetch more. */
export const turns: MpeProgram = function* (h) {
  const returned: number[] = [];
  yield h.init();
  for (let turn = 0; turn < 7; turn++) {
    if (turn % 2 === h.cgn) returned.push(yield h.task_fetch(midFile, 5, 2));
    yield h.sync_node();
  }
  yield h.tell('returned', returned.join(' '));
};

/** Searches tasks of differing length until one has what is looked for; then the rest is superfluous, and all hosts learn which it was. */
export const search: MpeProgram = function* (h) {
  yield h.init();
  const found = h.crossAlloc(4);
  for (;;) {
    const task = yield h.task_fetch(midFile, 60, 4);
    if (task < 0) break;
    yield h.compute(1000 + 37 * ((task * 11) % 17));
    if ((task * task) % 127 !== 42) continue;
    yield h.st(found, 'i32', task);
    yield h.task_quit();
  }
  yield h.sync_node();
  yield h.tell('found', yield* h.ld(found, 'i32'));
};

/** Works through a pool of 12 tasks; which of them a run gets depends on what earlier runs have noted. */
export const resumed: MpeProgram = function* (h) {
  const done: number[] = [];
  yield h.init();
  for (;;) {
    const task = yield h.task_fetch(midFile, 12, 3);
    if (task < 0) break;
    yield h.compute(500);
    done.push(task);
  }
  yield h.tell('done', done.join(' '));
};

/** A pool that takes long: what a job is stopped in. */
export const many: MpeProgram = function* (h) {
  yield h.init();
  let done = 0;
  while ((yield h.task_fetch(midFile, 200_000, 10)) >= 0) {
    yield h.compute(100);
    done++;
  }
  yield h.tell('done', done);
};
