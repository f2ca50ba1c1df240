import type {
  FileAppend,
  FileFill,
  FilePatch,
  TaskLeave,
  TaskRequest,
  TaskResponse,
} from '../../../actors/sunway/messages.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import type { SunwayConfig } from '../../../machines/sunway/config.ts';
import type { SunwayResult } from '../../../machines/sunway.ts';
import { type Follower, type Following, type Heard, Promises } from './follower.ts';
import { timesOf } from './times.ts';

/*
 * Task pools and files (Sunway specification 5.7, 6.8), worked out beside the run: which task each host gets and when, and what the files hold in the end.
 */

interface Pool {
  readonly tasks: number;
  readonly block: number;
  readonly done: number[];
  readonly owners: (number | undefined)[];
  cursor: number;
  hasQuit: boolean;
  /** By host: its block, the next task of it and the last one. */
  readonly held: Map<number, { readonly block: number; next: number; readonly last: number }>;
}

const bytesOf = (digits: string): number[] =>
  Array.from({ length: digits.length / 2 }, (_, k) => Number.parseInt(digits.slice(2 * k, 2 * k + 2), 16));

class ServicesFollower implements Follower {
  readonly watches = [
    ...['task.request', 'task.response', 'task.leave', 'job.drain', 'job.stop', 'host.stop'],
    ...['file.append', 'file.fill', 'file.patch', 'service.taken', 'signal.send'],
  ];
  readonly #config: SunwayConfig;
  readonly #counterCycles: number;
  readonly #acceptCycles: number;
  readonly #pools = new Map<string, Pool>();
  readonly #current = new Map<number, string>();
  readonly #files: Map<string, number[]>;
  readonly #promises: Promises;
  /** What comes from outside. */
  readonly #outside = new Promises();
  #drains = false;
  #isStopped = false;

  constructor(config: SunwayConfig) {
    const times = timesOf(config);
    this.#config = config;
    this.#counterCycles = Math.max(1, Math.max(2, times.faa.latency) - 1);
    this.#acceptCycles = Math.max(1, times.gld.latency - 1);
    this.#promises = new Promises(config.fuzz.maxJitter);
    for (const { signal, at } of config.job.bsignal) {
      if (signal === 34) this.#outside.promise('job.drain at Node.TaskPool', at);
      else {
        for (const name of ['TaskPool', 'FileStore']) this.#outside.promise(`job.stop at Node.${name}`, at);
        for (let cgn = 0; cgn < config.cgs; cgn++) this.#outside.promise(`host.stop at Cg[${cgn}].Mpe`, at);
      }
    }
    for (const { cgn, at } of config.job.kill) this.#outside.promise(`host.stop at Cg[${cgn}].Mpe`, at);
    this.#files = new Map(Object.entries(config.files).map(([name, digits]) => [name, bytesOf(digits)]));
  }

  difference(result: () => SunwayResult): string | undefined {
    if (this.#isStopped || this.#outside.difference !== undefined) return this.#outside.difference;
    if (this.#promises.difference !== undefined) return this.#promises.difference;
    const { files } = result();
    const names = new Set([...Object.keys(files), ...this.#files.keys()]);
    for (const name of names) {
      const expected = this.#files
        .get(name)
        ?.map((byte) => byte.toString(16).padStart(2, '0'))
        .join('');
      if (files[name] !== expected)
        return `file ${name} ends as ${files[name]}, the reference has ${expected}`;
    }
    return undefined;
  }

  hear(event: LockstepEvent, { from, to, tick }: Heard): void {
    if (/^(job|host)\./.test(event.type)) this.#outside.keep(`${event.type} at ${to}`, tick);
    if (this.#isStopped) return;
    switch (event.type) {
      case 'job.drain':
        this.#drains = true;
        return;
      case 'job.stop':
        this.#isStopped = true;
        return;
      case 'task.request':
        this.#request(event as TaskRequest, from, tick);
        return;
      case 'task.response':
        this.#promises.keep(`task ${(event as TaskResponse).value} for ${to}`, tick);
        return;
      case 'task.leave':
        this.#leave(event as TaskLeave);
        return;
      case 'signal.send':
        this.#promises.promise(`that ${from} goes on`, tick + 1);
        return;
      case 'file.append':
        if (to.endsWith('.SioProxy')) this.#pass(event as FileAppend, from, tick);
        else this.#append(event as FileAppend, tick);
        return;
      case 'service.taken':
        this.#promises.keep(`that ${to} goes on`, tick);
        return;
      case 'file.fill':
      case 'file.patch': {
        const { file, value } = event as FileFill | FilePatch;
        this.#promises.keep(`${event.type} of ${file} with ${value}`, tick);
      }
    }
  }

  #pass({ file, data }: FileAppend, from: string, tick: number): void {
    this.#promises.promise(`${data.join(' ')} for file ${file}`, tick + 1);
    this.#promises.promise(`that ${from} goes on`, tick + this.#acceptCycles);
  }

  /** What several core groups write in one cycle comes in any order. */
  #append({ file, data }: FileAppend, tick: number): void {
    this.#promises.keep(`${data.join(' ')} for file ${file}`, tick);
    this.#files.set(file, [...(this.#files.get(file) ?? []), ...data]);
  }

  #request({ request, file, taskNum, blockSize, cgn }: TaskRequest, from: string, tick: number): void {
    const told = (value: number, cycles: number): void =>
      this.#promises.promise(`task ${value} for ${from}`, tick + cycles);
    if (request === 'quit') {
      const current = this.#current.get(cgn);
      const pool = current === undefined ? undefined : this.#pools.get(current);
      if (pool === undefined) {
        told(4, 1);
        return;
      }
      pool.hasQuit = true;
      told(0, this.#counterCycles);
      if (!this.#config.task.quitMarksDone) return;
      pool.done.fill(1);
      this.#files.set(current!, pool.done.slice());
      this.#promises.promise(`file.fill of ${current} with 1`, tick + 1);
      return;
    }
    const known = this.#pools.get(file);
    const pool = known ?? this.#poolOf(file, taskNum, blockSize);
    if (pool === undefined || pool.tasks !== taskNum || pool.block !== blockSize) {
      told(-2, this.#counterCycles);
      return;
    }
    this.#pools.set(file, pool);
    this.#current.set(cgn, file);
    if (known === undefined && !this.#files.has(file)) {
      this.#files.set(file, pool.done.slice());
      this.#promises.promise(`file.fill of ${file} with 0`, tick + 1);
    }
    const held = pool.held.get(cgn);
    const isOver = pool.hasQuit || this.#drains;
    if (held && held.next <= held.last && !isOver) {
      told(held.next++, 1);
      return;
    }
    if (held && held.next > held.last) {
      pool.held.delete(cgn);
      pool.done[held.block] = 1;
      this.#files.get(file)![held.block] = 1;
      this.#promises.promise(`file.patch of ${file} with 1`, tick + 1);
    }
    told(isOver ? -1 : this.#take(pool, cgn), this.#counterCycles);
  }

  /** A pool that nobody has asked for before; undefined for arguments or a file that are none. */
  #poolOf(file: string, tasks: number, block: number): Pool | undefined {
    if (file === '' || !(tasks >= 1) || !(block >= 1)) return undefined;
    const blocks = Math.ceil(tasks / block);
    const earlier = this.#files.get(file);
    if (earlier && (earlier.length !== blocks || earlier.some((byte) => byte > 1))) return undefined;
    return {
      ...{ tasks, block, cursor: 0, hasQuit: false, held: new Map() },
      done: earlier?.slice() ?? new Array<number>(blocks).fill(0),
      owners: new Array<undefined>(blocks).fill(undefined),
    };
  }

  /** The first task of the next block that is open, -1 when there is none. */
  #take(pool: Pool, cgn: number): number {
    const { done, owners, tasks, block: size } = pool;
    const isOpen = (block: number): boolean => done[block] === 0 && owners[block] === undefined;
    while (pool.cursor < done.length && !isOpen(pool.cursor)) pool.cursor++;
    let block = pool.cursor;
    if (block >= done.length) {
      if (!this.#config.task.reassignLost) return -1;
      block = [...done.keys()].find(isOpen) ?? -1;
      if (block < 0) return -1;
    } else pool.cursor++;
    owners[block] = cgn;
    pool.held.set(cgn, { block, next: block * size + 1, last: Math.min((block + 1) * size, tasks) - 1 });
    return block * size;
  }

  #leave({ cgn }: TaskLeave): void {
    this.#current.delete(cgn);
    for (const { held, owners } of this.#pools.values()) {
      const one = held.get(cgn);
      if (one === undefined) continue;
      held.delete(cgn);
      if (this.#config.task.reassignLost) owners[one.block] = undefined;
    }
  }
}

/** The task pools and files of a node. */
export const services: Following = ({ config }) => new ServicesFollower(config);
