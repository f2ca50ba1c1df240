import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { openPostgres } from '../postgres.ts';
import { type OwnInstance, restartInstance } from './instance.ts';

/** How a farm is disturbed. */
export interface Disturbance {
  /** Address of the database. */
  readonly address: string;
  /** What it is in. */
  readonly instance: OwnInstance;
  readonly workers: number;
  /** Milliseconds between two deaths, on average. */
  readonly killMilliseconds: number;
  /** Deaths at most. */
  readonly killsMax: number;
  /** How often the database is stopped at once and started again, and milliseconds before each. */
  readonly restarts: number;
  readonly restartMilliseconds: number;
  readonly seed: number;
  /** Seconds that all may take. */
  readonly secondsMax: number;
  readonly tell: (words: string) => void;
}

/** What happened. */
export interface Disturbed {
  readonly killed: number;
  readonly restarted: number;
  readonly seconds: number;
}

const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** Works on what is in a farm with processes of which one is killed now and then, until nothing is left. Errors: throws when that takes too long. */
export async function workWhileKilled(disturbance: Disturbance): Promise<Disturbed> {
  const {
    address,
    instance,
    workers,
    killMilliseconds,
    killsMax,
    restarts,
    restartMilliseconds,
    seed,
    secondsMax,
    tell,
  } = disturbance;
  const began = performance.now();
  const alive = new Set<ChildProcess>();
  let ending = false;
  let killed = 0;
  let restarted = 0;
  const begin = () => {
    const child = spawn('node', [resolve('cli/lockstep.mjs'), 'farm', 'work', '--database', address], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.on('data', (text) => {
      words += text;
    });
    alive.add(child);
    child.on('exit', (code, signal) => {
      alive.delete(child);
      // Who ends by himself has found nothing left to do, or something is wrong with him.
      if (ending) return;
      if (signal !== null) begin();
      else if (code !== 0 && code !== 1) tell(`a worker ended with code ${code}: ${words}`);
    });
  };
  for (let n = 0; n < workers; n++) begin();
  const disturb = async () => {
    for (let turn = 0; !ending && killed < killsMax; turn++) {
      const random = mixSeed(turn, seed);
      await sleep(killMilliseconds * (0.5 + (random % 1000) / 1000));
      const candidates = [...alive];
      if (ending || candidates.length === 0) continue;
      candidates[random % candidates.length]!.kill('SIGKILL');
      killed++;
    }
  };
  const restart = async () => {
    for (; restarted < restarts; restarted++) {
      await sleep(restartMilliseconds);
      if (ending) return;
      restartInstance(instance);
      tell(`${Math.round((performance.now() - began) / 1000)} s: the database was stopped and started`);
    }
  };
  const disturbing = disturb();
  const restarting = restart();
  while (alive.size > 0 && performance.now() - began < 1000 * secondsMax) await sleep(100);
  ending = true;
  const late = [...alive];
  for (const child of late) child.kill('SIGKILL');
  await Promise.all([disturbing, restarting]);
  if (late.length > 0) throw new Error(`found work left after ${secondsMax} s, expected none`);
  return { killed, restarted, seconds: (performance.now() - began) / 1000 };
}

/** Makes an empty database in the instance of an address; gives its address. */
export async function freshDatabase(address: string, name: string): Promise<string> {
  const database = await openPostgres(address);
  try {
    await database.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await database.query(`CREATE DATABASE ${name}`);
  } finally {
    await database.close();
  }
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

/** Carries out a command of Lockstep as a process of its own. */
export function lockstep(...args: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync('node', [resolve('cli/lockstep.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}
