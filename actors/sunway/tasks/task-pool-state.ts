import { returnCode } from '../return-code.ts';

/** What a host holds of a pool: a block and which of its tasks it has been handed. */
export interface TaskHost {
  block: number;
  /** Next task of the block that is not handed out yet. */
  next: number;
  /** Last task of the block. */
  last: number;
}

/** The state of a task pool: plain data, changed in place by the functions of this file (Sunway specification 5.7). */
export interface TaskPoolState {
  /** Arguments of the first caller in this run; 0 before. */
  tasks: number;
  blockSize: number;
  /** Next block to look at. */
  cursor: number;
  /** Host of each block, -1 for none. */
  owners: number[];
  /** The mid file: a byte a block, 1 when all its tasks are done. */
  done: number[];
  /** By host number; absent when it holds no block. */
  hosts: Record<number, TaskHost>;
  quit: boolean;
  draining: boolean;
  /** True when there was a mid file: then its bytes have to fit the arguments. */
  resumed: boolean;
}

/** Choices that the specification leaves (Sunway specification 2.4, 15: U6). */
export interface TaskRules {
  /** Blocks of a host that was killed are handed out again in the same run. */
  readonly reassignLost: boolean;
  /** `task_quit` marks everything complete in the mid file. */
  readonly quitMarksDone: boolean;
}

/** Returned when no task is left. */
export const noTask = -1;
/** Returned when the arguments or the mid file are bad. */
export const badTask = -2;

/** A pool that nobody has called yet; `file` are the bytes of an existing mid file. */
export const newTaskPool = (file: Uint8Array | undefined): TaskPoolState => ({
  tasks: 0,
  blockSize: 0,
  cursor: 0,
  owners: [],
  done: file ? [...file] : [],
  hosts: {},
  quit: false,
  draining: false,
  resumed: file !== undefined,
});

/** Bytes of the mid file of a pool: one for each block. */
export const midFileBytes = (tasks: number, blockSize: number): number =>
  Math.floor((tasks + blockSize - 1) / blockSize);

/** What a fetch says of its pool. */
export interface TaskFetch {
  readonly name: string;
  readonly host: number;
  readonly tasks: number;
  readonly blockSize: number;
}

/**
 * Hands out a task number, or a negative code: one atomic step (Sunway specification 5.7, steps 1 to 5).
 */
export function fetchTask(pool: TaskPoolState, fetch: TaskFetch, rules: TaskRules): number {
  if (!acceptable(pool, fetch)) return badTask;
  open(pool, fetch);
  const held = pool.hosts[fetch.host];
  if (pool.quit || pool.draining) {
    closeFinished(pool, fetch.host);
    return noTask;
  }
  if (held !== undefined && hasLocalTask(pool, fetch.host)) return held.next++;
  closeFinished(pool, fetch.host);
  const block = nextBlock(pool, rules);
  if (block === undefined) return noTask;
  const first = block * pool.blockSize;
  pool.owners[block] = fetch.host;
  pool.hosts[fetch.host] = {
    block,
    next: first + 1,
    last: Math.min(first + pool.blockSize, pool.tasks) - 1,
  };
  return first;
}

/** Whether a host has tasks left of the block that it holds, so that it need not ask the shared counter. */
export function hasLocalTask(pool: TaskPoolState, host: number): boolean {
  const held = pool.hosts[host];
  return held !== undefined && held.next <= held.last && !pool.quit && !pool.draining;
}

/** Ends the handing out of tasks for everybody; `E_STATE` before the first fetch (Sunway specification 5.7). */
export function quitTasks(pool: TaskPoolState, rules: TaskRules): 0 | typeof returnCode.E_STATE {
  if (pool.tasks === 0) return returnCode.E_STATE;
  pool.quit = true;
  if (rules.quitMarksDone) pool.done.fill(1);
  return returnCode.SUCCESS;
}

/** No new task is handed out; those in progress finish and are recorded (`bsignal` 34). */
export function drainTasks(pool: TaskPoolState): void {
  pool.draining = true;
}

/** A host was killed: its block stays unfinished, and can be handed out again in this run where the rules say so. */
export function loseHost(pool: TaskPoolState, host: number, { reassignLost }: TaskRules): void {
  const held = pool.hosts[host];
  if (held === undefined) return;
  delete pool.hosts[host];
  if (reassignLost) pool.owners[held.block] = -1;
}

/** What a mid file tells (`readmid`). */
export interface MidFile {
  /** Bytes of the file, a block each. */
  readonly blocks: number;
  /** Blocks that are complete. */
  readonly done: number;
  readonly bytes: readonly number[];
}

/** Reads a mid file. */
export const readMidFile = (bytes: ArrayLike<number>): MidFile => ({
  blocks: bytes.length,
  done: Array.from(bytes).filter((byte) => byte === 1).length,
  bytes: Array.from(bytes),
});

/** The line that `readmid` prints. */
export const midFileText = ({ blocks, done }: MidFile): string => `blocks=${blocks} done=${done}`;

function acceptable(pool: TaskPoolState, { name, tasks, blockSize }: TaskFetch): boolean {
  const whole = [tasks, blockSize].every((count) => Number.isSafeInteger(count) && count >= 1);
  if (name === '' || !whole) return false;
  if (pool.tasks !== 0) return tasks === pool.tasks && blockSize === pool.blockSize;
  if (!pool.resumed) return true;
  return (
    pool.done.length === midFileBytes(tasks, blockSize) && pool.done.every((byte) => byte === 0 || byte === 1)
  );
}

function open(pool: TaskPoolState, { tasks, blockSize }: TaskFetch): void {
  if (pool.tasks !== 0) return;
  const blocks = midFileBytes(tasks, blockSize);
  pool.tasks = tasks;
  pool.blockSize = blockSize;
  pool.owners = new Array<number>(blocks).fill(-1);
  if (!pool.resumed) pool.done = new Array<number>(blocks).fill(0);
}

/** A task is finished when its host asks for the next one, a block when its last task is. */
function closeFinished(pool: TaskPoolState, host: number): void {
  const held = pool.hosts[host];
  if (held === undefined || held.next <= held.last) return;
  pool.done[held.block] = 1;
  delete pool.hosts[host];
}

function nextBlock(pool: TaskPoolState, { reassignLost }: TaskRules): number | undefined {
  const blocks = pool.owners.length;
  const isFree = (block: number) => pool.done[block] === 0 && pool.owners[block] === -1;
  while (pool.cursor < blocks && !isFree(pool.cursor)) pool.cursor++;
  if (pool.cursor < blocks) return pool.cursor++;
  if (!reassignLost) return undefined;
  const lost = pool.owners.findIndex((_, block) => isFree(block));
  return lost < 0 ? undefined : lost;
}
