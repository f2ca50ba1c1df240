import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Ended } from './judge.ts';

/** What a worker tells of a case. */
export type Told = Omit<Ended, 'silentSeconds' | 'cut'> & {
  readonly index: number;
  readonly args: readonly string[];
  readonly how: string;
};

/** Clock ticks of the system in a second, in which it counts processor time. */
const ticksPerSecond = 100;
/** Seconds without any work after which a case waits for something that never comes. */
const idleSecondsMax = 60;
/** Milliseconds between two looks at the processor time of a worker. */
const lookMs = 500;

/** A worker under watch: it is ended when a case takes too much processor time, and begun again for the next one. */
export class WatchedProcess {
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #heard: (message: Record<string, unknown>) => void = () => {};
  #ended: (code: number | null) => void = () => {};

  constructor(
    readonly folder: string,
    readonly seed: number,
    /** The file with what is made bad. */
    readonly bases: string,
    /** Processor seconds after which a case is ended even when it tells of progress. */
    readonly secondsMax: number,
    readonly silentSecondsMax: number,
    /** The module that carries cases out, beside this one. */
    readonly worker = 'worker.mjs',
  ) {}

  /** Carries a case out. A case that takes too long, or ends its process, has no exit code. */
  async carryOut(index: number): Promise<Told & Ended> {
    if (!this.#child) await this.#begin();
    const child = this.#child!;
    let silentSince = secondsOf(child.pid!);
    const began = silentSince;
    let silentSeconds = 0;
    let [workedAt, worked] = [performance.now(), began];
    return await new Promise((resolve) => {
      const nothing = { index, args: [], how: '', out: '', made: [], changed: [] };
      const end = (result: Told & Ended) => {
        clearInterval(look);
        resolve(result);
      };
      const look = setInterval(() => {
        const now = secondsOf(child.pid!);
        silentSeconds = Math.max(silentSeconds, now - silentSince);
        if (now - worked > idleSecondsMax / 100) [workedAt, worked] = [performance.now(), now];
        const isIdle = performance.now() - workedAt > idleSecondsMax * 1000;
        if (!isIdle && silentSeconds <= this.silentSecondsMax && now - began < this.secondsMax) return;
        this.end();
        end({
          ...nothing,
          exitCode: null,
          err: isIdle ? 'waits for ever' : 'ended by the watch',
          seconds: now - began,
          silentSeconds,
          cut: !isIdle,
        });
      }, lookMs);
      this.#heard = (message) => {
        if ('progress' in message) {
          const now = secondsOf(child.pid!);
          silentSeconds = Math.max(silentSeconds, now - silentSince);
          silentSince = now;
        } else if (message['index'] === index)
          end({ ...(message as unknown as Told), silentSeconds, cut: false });
      };
      this.#ended = (code) => {
        this.#child = undefined;
        end({
          ...nothing,
          exitCode: null,
          err: `the process ended with ${code}: ${this.#last}`,
          seconds: 0,
          silentSeconds,
          cut: false,
        });
      };
      child.send(index);
    });
  }

  end(): void {
    this.#ended = () => {};
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #last = '';

  async #begin(): Promise<void> {
    const worker = fileURLToPath(new URL(this.worker, import.meta.url));
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=1500', worker, String(this.seed), this.bases],
      {
        cwd: this.folder,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'ipc'],
        env: { ...process.env, NODE_PATH: '' },
      },
    );
    this.#child = child;
    this.#last = '';
    child.stderr!.on('data', (data) => {
      this.#last = `${this.#last}${data}`.slice(-3000);
    });
    let rest = '';
    this.#ready = new Promise((resolve, reject) => {
      child.on('close', (code) => {
        reject(new Error(`a worker ended with ${code}: ${this.#last}`));
        if (this.#child === child) this.#ended(code);
      });
      child.stdio[3]!.on('data', (data: Buffer) => {
        const lines = `${rest}${data}`.split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          const message = JSON.parse(line) as Record<string, unknown>;
          if ('ready' in message) resolve();
          else this.#heard(message);
        }
      });
    });
    await this.#ready;
  }
}

/** Processor seconds of a process so far; 0 when it is gone. */
function secondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return 0;
  }
}
