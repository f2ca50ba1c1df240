import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from '../jitter.ts';
import type {
  FileFill,
  FilePatch,
  JobDrain,
  JobStop,
  TaskLeave,
  TaskRequest,
  TaskResponse,
} from '../messages.ts';
import { returnCode } from '../return-code.ts';
import {
  badTask,
  drainTasks,
  fetchTask,
  hasLocalTask,
  loseHost,
  newTaskPool,
  quitTasks,
  type TaskPoolState,
  type TaskRules,
} from '../tasks/task-pool-state.ts';

/** The task pools of a node: one for each name of a mid file. */
export interface TaskPoolInput extends JitterInput {
  readonly files: Address;
  /** Mid files of earlier runs. */
  readonly earlier: ReadonlyMap<string, Uint8Array>;
  readonly rules: TaskRules;
  /** Cycles to the answer of a request that needs the shared counter; at least 2. */
  readonly counterCycles: number;
}

/** The task pools of a node. */
export interface TaskPoolContext extends Jittered {
  readonly spec: Fixed<TaskPoolInput>;
  pools: Map<string, TaskPoolState>;
  /** The pool that each host process last fetched from, by core group. */
  current: Map<number, string>;
  draining: boolean;
}

type TaskPoolEvent = TaskRequest | TaskLeave | JobDrain | JobStop;
type Out = Outbox<TaskResponse | FileFill | FilePatch>;

const { act, choose } = component<TaskPoolContext, TaskPoolEvent, TaskResponse | FileFill | FilePatch>();

function answer(c: TaskPoolContext, value: number, cycles: number, out: Out): void {
  const delay = Math.max(1, cycles - 1) + c.jitter;
  out.post({ to: out.from, type: 'task.response', value, delay });
}

function newPool(c: TaskPoolContext, name: string): TaskPoolState {
  const pool = newTaskPool(c.spec.value.earlier.get(name));
  if (c.draining) drainTasks(pool);
  return pool;
}

/** Hands out a task, and has the mid file say what is new: that there is a pool, or that a block is complete. */
function fetch(c: TaskPoolContext, request: TaskRequest, out: Out): void {
  const { file, taskNum: tasks, blockSize, cgn } = request;
  const { files, rules, counterCycles } = c.spec.value;
  const pool = c.pools.get(file) ?? newPool(c, file);
  const isNew = pool.tasks === 0;
  const held = pool.hosts[cgn]?.block;
  const local = hasLocalTask(pool, cgn);
  const value = fetchTask(pool, { name: file, host: cgn, tasks, blockSize }, rules);
  // What is refused comes from no queue.
  answer(c, value, local && value !== badTask ? 0 : counterCycles, out);
  if (value === badTask) return;
  c.pools.set(file, pool);
  c.current.set(cgn, file);
  const next = { to: files, file, delay: 1 };
  if (isNew && !pool.resumed) out.post({ ...next, type: 'file.fill', bytes: pool.done.length, value: 0 });
  if (held !== undefined && pool.hosts[cgn]?.block !== held && pool.done[held] === 1)
    out.post({ ...next, type: 'file.patch', offset: held, value: 1 });
}

function quit(c: TaskPoolContext, request: TaskRequest, out: Out): void {
  const { cgn } = request;
  const { files, rules, counterCycles } = c.spec.value;
  const file = c.current.get(cgn);
  const pool = file === undefined ? undefined : c.pools.get(file);
  if (file === undefined || pool === undefined) {
    answer(c, returnCode.E_STATE, 0, out);
    return;
  }
  answer(c, quitTasks(pool, rules), counterCycles, out);
  if (rules.quitMarksDone)
    out.post({
      to: files,
      type: 'file.fill',
      file,
      bytes: pool.done.length,
      value: 1,
      delay: 1,
    });
}

/**
 * The dynamic task pools of a node (specification 5.7, 8.10): every request is one step.
 *
 * Details: a task from the caller's own queue is answered at once, whatever looks at the shared counter takes the time of an atomic access. Signal
 * 34 to the job lets nothing more be handed out, 35 ends everything.
 */
export const taskPool = setup({
  types: {} as { context: TaskPoolContext; events: TaskPoolEvent; input: TaskPoolInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    serve: act<'task.request'>((c, request, out) => {
      if (request.request === 'fetch') fetch(c, request, out);
      else quit(c, request, out);
    }),
    lose: act<'task.leave'>((c, { cgn }) => {
      for (const pool of c.pools.values()) loseHost(pool, cgn, c.spec.value.rules);
      c.current.delete(cgn);
    }),
    drain: act<'job.drain'>((c) => {
      c.draining = true;
      for (const pool of c.pools.values()) drainTasks(pool);
    }),
  },
}).createMachine({
  id: 'taskPool',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    pools: new Map(),
    current: new Map(),
    draining: false,
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'task.request': { actions: ['drawJitter', 'serve'] },
        'task.leave': { actions: 'lose' },
        'job.drain': { actions: 'drain' },
        'job.stop': 'stopped',
      },
    },
    stopped: {
      on: { 'task.request': refused, 'task.leave': refused, 'job.drain': refused, 'job.stop': refused },
    },
  },
});
