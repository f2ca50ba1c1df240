import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { commandPrefix } from '../../machines/chiplet/interchiplet-command-text.ts';

/** A process to be started. */
export interface ChildSpec {
  readonly cmd: string;
  readonly args: readonly string[];
  /** Its working directory. */
  readonly folder: string;
  /** The file that takes what it writes, absolute; nothing is kept when undefined. */
  readonly log: string | undefined;
  /** Takes what it writes besides commands, a line at a time, when it is to be shown. */
  readonly show: ((line: string) => void) | undefined;
  /** Takes its commands, without their prefix, with the number of the line from 1. */
  readonly onCommand: (command: string, line: number) => void;
  /** Told once, when it has ended and all its lines were taken; `why` is empty when it ended well. */
  readonly onEnd: (why: string) => void;
}

/** How long a process may take to end after it was asked to, in milliseconds. */
const graceMs = 1000;

/** A process outside, in a group of its own so that it ends with all that it has started. */
export class Child {
  readonly #process: ChildProcess;
  #ended = false;
  /** Those that have not ended: nothing that was started outlives this program, however it ends. */
  static readonly #alive = new Set<Child>();
  static #guarded = false;

  constructor({ cmd, args, folder, log, show, onCommand, onEnd }: ChildSpec) {
    this.#process = spawn(cmd, [...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    Child.#guard();
    Child.#alive.add(this);
    const take = (line: string): void => {
      if (log !== undefined) appendFileSync(log, `${line}\n`);
      if (show && !line.startsWith(commandPrefix)) show(line);
    };
    const { stdin, stdout, stderr } = this.#process;
    // A process that has ended takes no answers any more; its end tells that.
    stdin?.on('error', () => {});
    let number = 0;
    if (stdout)
      createInterface({ input: stdout }).on('line', (line) => {
        number++;
        take(line);
        if (line.startsWith(commandPrefix)) onCommand(line.slice(commandPrefix.length), number);
      });
    if (stderr) createInterface({ input: stderr }).on('line', take);
    const end = (why: string): void => {
      if (this.#ended) return;
      this.#ended = true;
      Child.#alive.delete(this);
      onEnd(why);
    };
    this.#process.on('error', (error) => end(error.message));
    this.#process.on('close', (code, signal) =>
      end(code === 0 ? '' : signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
    );
  }

  /** Gives it a line. */
  tell(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
  }

  /** Ends it and what it has started. */
  kill(): void {
    if (this.#ended) return;
    this.#signal('SIGTERM');
    setTimeout(() => this.#ended || this.#signal('SIGKILL'), graceMs).unref();
  }

  static #guard(): void {
    if (Child.#guarded) return;
    Child.#guarded = true;
    process.once('exit', () => {
      for (const child of Child.#alive) child.#signal('SIGKILL');
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}
