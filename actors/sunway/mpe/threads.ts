import type { MpeOperationOf } from '../mpe-api.ts';
import { nodeWords, wordAt } from '../node-word.ts';
import { returnCode } from '../return-code.ts';
import type { MpeOut, MpeState } from './mpe-state.ts';

type Spawn = MpeOperationOf<'athread_spawn' | 'athread_spawn_noflush'>;

const some = (c: MpeState, slot: MpeState['slots'][number]): boolean => c.slots.includes(slot);

/** The first cycle after the one at hand, for what is posted now. */
const next = { delay: 1 };

function start(
  c: MpeState,
  tid: number,
  call: Pick<Spawn, 'program' | 'arg' | 'flush'>,
  group: boolean,
  out: MpeOut,
) {
  c.slots[tid] = 'running';
  const { program, arg, flush } = call;
  const { name } = program.value;
  out.post({
    to: c.spec.value.cpes[tid]!,
    type: 'thread.start',
    program,
    name,
    arg,
    flush,
    group,
    ...next,
  });
}

/** Starts a thread on one CPE; the answer is its code (specification 5.2). */
export function create(c: MpeState, call: MpeOperationOf<'athread_create'>, out: MpeOut): number {
  const slot = c.slots[call.id];
  if (slot === undefined) return returnCode.E_TID;
  if (slot === 'offline') return returnCode.OFFLINE;
  if (slot === 'running') return returnCode.BUSY;
  if (slot === 'finished') return returnCode.UNREAPED;
  // Threads of a group and single threads are not mixed while either is live.
  if (c.group) return returnCode.E_STATE;
  start(c, call.id, { ...call, flush: true }, false, out);
  return returnCode.SUCCESS;
}

/** Starts a thread on every CPE that is available. */
export function spawn(c: MpeState, call: Spawn, out: MpeOut): number {
  if (some(c, 'running')) return returnCode.BUSY;
  if (some(c, 'finished')) return returnCode.UNREAPED;
  if (!some(c, 'idle')) return returnCode.OFFLINE;
  c.group = true;
  for (const [tid, slot] of c.slots.entries()) if (slot === 'idle') start(c, tid, call, true, out);
  return returnCode.SUCCESS;
}

/** Closes CPEs: they take part in nothing from now on. */
function close(c: MpeState, tids: readonly number[], out: MpeOut): void {
  const { cpes, syncNet } = c.spec.value;
  for (const tid of tids) {
    c.slots[tid] = 'offline';
    out.post({ to: cpes[tid]!, type: 'thread.halt', ...next });
  }
  for (const to of [syncNet, ...cpes]) out.post({ to, type: 'sync.offline', tids, ...next });
}

/** Declares that a CPE gets no more work. */
export function end(c: MpeState, id: number, out: MpeOut): number {
  const slot = c.slots[id];
  if (slot === undefined) return returnCode.E_TID;
  if (slot === 'running') return returnCode.BUSY;
  if (slot === 'finished') return returnCode.UNREAPED;
  if (slot === 'offline') return returnCode.OFFLINE;
  close(c, [id], out);
  return returnCode.SUCCESS;
}

/** Declares that the array gets no more work: threads that run are stopped where they are (specification 5.2, 8.2). */
export function halt(c: MpeState, out: MpeOut): number {
  const open = [...c.slots.keys()].filter((tid) => c.slots[tid] !== 'offline');
  if (open.length === 0) return returnCode.OFFLINE;
  close(c, open, out);
  c.group = false;
  leaveArray(c, out);
  return returnCode.SUCCESS;
}

/** The array gets no more work: nobody of the node waits for it. */
export function leaveArray(c: MpeState, out: MpeOut): void {
  const { nodeWords: words, cgn } = c.spec.value;
  out.post({ to: wordAt(words, nodeWords.arrays), type: 'node.leave', who: 'array', cgn, ...next });
}

/** Takes note of threads that have finished: their CPEs are free again. */
export function reap(c: MpeState, tids: readonly number[], out: MpeOut): void {
  for (const tid of tids) {
    c.slots[tid] = 'idle';
    out.post({ to: c.spec.value.cpes[tid]!, type: 'thread.reap', ...next });
  }
}

/** The CPEs of the group that have finished. */
export const finished = (c: MpeState): readonly number[] =>
  [...c.slots.keys()].filter((tid) => c.slots[tid] === 'finished');
