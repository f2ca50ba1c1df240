import type { MpeOperation, MpeOperationOf } from '../mpe-api.ts';
import { nodeWords, parityWord, wordAt } from '../node-word.ts';
import { returnCode } from '../return-code.ts';
import { cpeCyclesOfMpe, mpeCyclesOfCpe } from '../timing/sync-time.ts';
import type { HostStep } from './host-program.ts';
import { hostCore, type MpeOut, type MpeState } from './mpe-state.ts';
import { create, end, halt, spawn } from './threads.ts';

type DataCall = Extract<MpeOperation, { readonly op: 'ld' | 'st' | 'ldBlock' | 'stBlock' }>;

/** Goes on after so many CPE cycles, with an answer. */
function work(c: MpeState, cycles: number, answer: number, out: MpeOut): void {
  c.doing = 'work';
  c.answer = answer;
  out.post({ to: c.spec.value.self, type: 'core.turn', delay: cycles });
}

/** A call that has come to a code: one that says that something is in use is told, another stops the run if that is wanted. */
function conclude(c: MpeState, code: number, out: MpeOut): void {
  if (code >= returnCode.E_STATE && c.spec.value.trap) c.fault = code;
  work(c, cpeCyclesOfMpe(c.spec.value.timing, 1), code, out);
}

function meet(c: MpeState, word: string, cycles: number, out: MpeOut): void {
  c.doing = 'word';
  c.key = word;
  const { nodeWords: words, cgn } = c.spec.value;
  out.post({
    to: wordAt(words, word),
    type: 'node.add',
    word,
    core: hostCore(cgn),
    answerDelay: Math.max(1, cycles - 1),
    delay: 1,
  });
}

const lockKeyOf = (key: string | number): string => (key === 'node' ? 'hosts' : `word ${key}`);

/** What is wrong with the variable of a lock: a 64-bit integer in main memory (specification 5.4). */
function lockCode({ spec }: MpeState, key: string | number): number {
  if (typeof key === 'string') return returnCode.SUCCESS;
  if (!Number.isInteger(key) || key % 4 !== 0) return returnCode.E_ALIGN;
  const isKept = spec.value.routes.some(({ first, bytes }) => key >= first && key + 8 <= first + bytes);
  return isKept ? returnCode.SUCCESS : returnCode.E_RANGE;
}

function requestLock(c: MpeState, key: string | number, tries: boolean, out: MpeOut): void {
  const code = lockCode(c, key);
  if (code !== returnCode.SUCCESS) {
    conclude(c, code, out);
    return;
  }
  c.doing = 'lock';
  c.key = lockKeyOf(key);
  const { nodeLocks, cgn } = c.spec.value;
  out.post({
    to: nodeLocks,
    type: 'lock.request',
    key: c.key,
    try: tries,
    core: hostCore(cgn),
    delay: 1,
  });
}

function releaseLock(c: MpeState, key: string | number, out: MpeOut): void {
  c.doing = 'unlock';
  const { nodeLocks, cgn } = c.spec.value;
  out.post({
    to: nodeLocks,
    type: 'lock.release',
    key: lockKeyOf(key),
    core: hostCore(cgn),
    delay: 1,
  });
}

type TaskArguments = Pick<MpeOperationOf<'task_fetch'>, 'mid_file_name' | 'task_num' | 'block_size'>;

function requestTask(
  c: MpeState,
  request: 'fetch' | 'quit',
  { mid_file_name: file, task_num: taskNum, block_size: blockSize }: TaskArguments,
  out: MpeOut,
): void {
  c.doing = 'task';
  const { tasks, cgn } = c.spec.value;
  out.post({
    to: tasks,
    type: 'task.request',
    request,
    file,
    taskNum,
    blockSize,
    cgn,
    delay: 1,
  });
}

function access(c: MpeState, call: DataCall, out: MpeOut): void {
  const { self, cgn, timing, routes } = c.spec.value;
  const { address } = call;
  const isLoad = call.op === 'ld' || call.op === 'ldBlock';
  const bytes = isLoad ? call.bytes : call.data.length;
  const route = routes.find(({ first, bytes: size }) => address >= first && address + bytes <= first + size);
  if (bytes < 1) conclude(c, returnCode.E_LEN, out);
  else if (route === undefined) conclude(c, returnCode.E_RANGE, out);
  else {
    c.doing = 'memory';
    out.post({
      to: route.to,
      type: 'memory.access',
      kind: isLoad ? 'load' : 'store',
      memory: address,
      bytes,
      data: isLoad ? new Uint8Array(0) : call.data,
      value: 0,
      core: hostCore(cgn),
      flag: 'flag' in call && call.flag,
      requester: self,
      answerDelay: Math.max(1, timing.gld.latency - 1),
      delay: 1,
    });
  }
}

/** Calls that need no runtime. */
const plainOperations: readonly HostStep['op'][] = [
  'init',
  'tell',
  'compute',
  'ld',
  'st',
  'ldBlock',
  'stBlock',
  'handled',
];

/** Begins a call of the program; its state waits for what comes back. */
export function carryOut(c: MpeState, out: MpeOut): void {
  const call = c.call!;
  const { timing, cgn } = c.spec.value;
  if (!c.initialised && !plainOperations.includes(call.op)) {
    if (call.op === 'athread_get_max_threads') work(c, 1, -1, out);
    else conclude(c, returnCode.E_STATE, out);
    return;
  }
  switch (call.op) {
    case 'init':
      c.initialised = true;
      conclude(c, returnCode.SUCCESS, out);
      return;
    case 'tell':
      c.told[call.name] = call.value;
      work(c, 1, 0, out);
      return;
    case 'compute':
      work(c, Math.max(1, cpeCyclesOfMpe(timing, call.cycles)), 0, out);
      return;
    case 'time_cycle':
      work(c, cpeCyclesOfMpe(timing, 1), mpeCyclesOfCpe(timing, c.now), out);
      return;
    case 'ld':
    case 'st':
    case 'ldBlock':
    case 'stBlock':
      access(c, call, out);
      return;
    case 'athread_create':
      conclude(c, create(c, call, out), out);
      return;
    case 'athread_spawn':
    case 'athread_spawn_noflush':
      conclude(c, spawn(c, call, out), out);
      return;
    case 'athread_end':
      conclude(c, end(c, call.id, out), out);
      return;
    case 'athread_halt':
      conclude(c, halt(c, out), out);
      return;
    case 'athread_get_max_threads':
      work(c, cpeCyclesOfMpe(timing, 1), c.slots.filter((slot) => slot !== 'offline').length, out);
      return;
    case 'athread_wait': {
      const slot = c.slots[call.id];
      if (slot === undefined) conclude(c, returnCode.E_TID, out);
      else if (c.group || slot === 'idle' || slot === 'offline') conclude(c, returnCode.E_STATE, out);
      else {
        c.awaited = call.id;
        c.doing = 'thread';
      }
      return;
    }
    case 'athread_join':
      if (c.group) c.doing = 'join';
      else conclude(c, returnCode.E_STATE, out);
      return;
    case 'sync_node':
      meet(c, nodeWords.hosts, 2 * timing.faa.latency + timing.ring.extra, out);
      return;
    case 'sync_master_spe':
      if (c.slots[call.tid] === undefined || c.slots[call.tid] === 'offline')
        conclude(c, returnCode.E_TID, out);
      else meet(c, parityWord(cgn, call.tid), timing.faa.latency, out);
      return;
    case 'sync_master_array':
      // Threads that were started one by one are no group (specification 5.3).
      if (!c.group) conclude(c, returnCode.E_STATE, out);
      else meet(c, parityWord(cgn), timing.faa.latency, out);
      return;
    case 'mutex_lock_node':
    case 'mutex_lock':
      requestLock(c, call.key, false, out);
      return;
    case 'mutex_trylock_node':
    case 'mutex_trylock':
      requestLock(c, call.key, true, out);
      return;
    case 'mutex_unlock_node':
    case 'mutex_unlock': {
      const code = lockCode(c, call.key);
      if (code === returnCode.SUCCESS) releaseLock(c, call.key, out);
      else conclude(c, code, out);
      return;
    }
    case 'sig_user_init':
      c.hears = true;
      conclude(c, returnCode.SUCCESS, out);
      return;
    case 'task_fetch':
      requestTask(c, 'fetch', call, out);
      return;
    case 'task_quit':
      requestTask(c, 'quit', { mid_file_name: '', task_num: 0, block_size: 0 }, out);
      return;
    case 'handled':
      c.doing = 'handled';
      return;
    default:
      call satisfies never;
      // Only a program that evades its types gets here: a call of the slave side outside a thread (specification 11, E12).
      conclude(c, returnCode.E_STATE, out);
  }
}
