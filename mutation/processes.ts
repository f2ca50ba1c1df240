import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplacedModule } from './mutant.ts';
import { projectFolder } from './project-files.ts';

/** How a process that judged came to its end. */
export type Ending = 'ended' | 'stopped' | 'no sign of life';

/** What a process is started with. */
export interface Started {
  /** A module beside this one. */
  readonly module: string;
  readonly args: readonly string[];
  /** One module or several; undefined for the sources as they are. */
  readonly replaced: ReplacedModule | readonly ReplacedModule[] | undefined;
  /** Further settings in its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds without a message after which it is taken for one that never ends. */
  readonly silenceMax: number;
}

/**
 * Starts a process with one module replaced and hands on what it tells, until it ends or `onMessage` answers true, which stops it.
 *
 * Details: the process and those that it starts are one group, which is ended as a whole; its text output is kept for the caller.
 */
export function watched<Message>(
  { module, args, replaced, env = {}, silenceMax }: Started,
  onMessage: (message: Message) => boolean,
): Promise<{ readonly ending: Ending; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  const mutant = join(folder, 'module.json');
  if (replaced) writeFileSync(mutant, JSON.stringify(replaced));
  const child = fork(join(projectFolder, 'mutation', module), args, {
    cwd: projectFolder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${new URL('replace-module.mjs', import.meta.url).href} --max-old-space-size=3072`,
      NODE_NO_WARNINGS: '1',
      ...(replaced && { LOCKSTEP_MUTANT: mutant }),
      ...env,
    },
  });
  lower(child);
  return new Promise((resolve) => {
    let output = '';
    let ending: Ending = 'ended';
    let silence: NodeJS.Timeout;
    const alive = () => {
      clearTimeout(silence);
      silence = setTimeout(() => stop('no sign of life'), silenceMax);
    };
    const stop = (why: Ending) => {
      if (ending === 'ended') ending = why;
      endGroup(child);
    };
    const keep = (text: Buffer) => {
      output = (output + text.toString()).slice(-20_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('message', (message) => {
      alive();
      if (onMessage(message as Message)) stop('stopped');
    });
    child.on('close', () => {
      clearTimeout(silence);
      rmSync(folder, { recursive: true, force: true });
      resolve({ ending, output });
    });
    alive();
  });
}

/** Leaves the processor to others where they want it. */
function lower(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // It has ended already.
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
