import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BundleFiles, FarmCampaign } from '../../farm/campaign.ts';
import { type Runner, RunnerDied } from '../../farm/runner.ts';
import type { FindingRecord } from '../../farm/take-in.ts';
import type { FarmBatch } from '../../farm/tally.ts';
import type { FailureKind } from '../../properties/explore/trial.ts';
import type { CampaignOrder } from '../fuzz/order.ts';
import { threadModule } from '../project.ts';

/** What a runner's process is asked for, one thing after the other. */
export type Asked =
  | { readonly kind: 'open'; readonly order: CampaignOrder }
  | { readonly kind: 'batch'; readonly first: number; readonly count: number }
  | {
      readonly kind: 'simplify';
      readonly finding: number;
      readonly run: number;
      readonly failure: FailureKind;
    }
  | { readonly kind: 'scenario'; readonly run: number };

/** What it answers, in the order in which it was asked; a sign in between says that it goes on. */
export type Answer = { readonly done: unknown } | { readonly error: string } | { readonly sign: true };

interface Waiting {
  resolve(done: unknown): void;
  reject(error: Error): void;
}

/** A runner that is a process of its own, in a folder of its own where the modules of its campaign lie. */
export class ChildRunner implements Runner {
  readonly firstEnd: Promise<string>;
  lastSign = performance.now();
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting: Waiting[] = [];
  #died: RunnerDied | undefined;

  constructor(
    { subject, identity }: Pick<FarmCampaign, 'subject' | 'identity'>,
    bundle: BundleFiles | undefined,
  ) {
    this.#folder = mkdtempSync(join(tmpdir(), 'lockstep-farm-'));
    for (const [path, text] of bundle?.texts ?? []) {
      const file = join(this.#folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const cwd = join(this.#folder, bundle?.folder ?? '.');
    mkdirSync(cwd, { recursive: true });
    const serve = threadModule('cli/farm/serve');
    // A process begins without what the command has registered, which the sources need.
    const execArgv = serve.pathname.endsWith('.ts')
      ? ['--import', new URL('../modules/register.mjs', import.meta.url).href]
      : [];
    this.#child = fork(fileURLToPath(serve), [], {
      cwd,
      execArgv,
      serialization: 'advanced',
      // What modules of users write must not get between the results.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.#child.on('message', (answer: Answer) => this.#hear(answer));
    this.#child.on('error', (error) => this.#die(error.message));
    this.#child.on('exit', (code, signal) =>
      this.#die(signal === null ? `the process ended with code ${code}` : `the process ended by ${signal}`),
    );
    const { seed, strategies, coverage } = identity;
    this.firstEnd = this.#ask<string>({
      kind: 'open',
      order: { subject: subject as CampaignOrder['subject'], plan: { seed, strategies, coverage } },
    });
    this.firstEnd.catch(() => {});
  }

  batch(first: number, count: number): Promise<FarmBatch> {
    return this.#ask({ kind: 'batch', first, count });
  }

  simplify(finding: number, run: number, failure: FailureKind): Promise<FindingRecord> {
    return this.#ask({ kind: 'simplify', finding, run, failure });
  }

  /** The text of the scenario of a run. */
  scenario(run: number): Promise<string> {
    return this.#ask({ kind: 'scenario', run });
  }

  end(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ask<Done>(asked: Asked): Promise<Done> {
    return new Promise((resolve, reject) => {
      if (this.#died) {
        reject(this.#died);
        return;
      }
      this.#waiting.push({ resolve: resolve as Waiting['resolve'], reject });
      this.#child.send(asked, (error) => {
        if (error) this.#die(error.message);
      });
    });
  }

  #hear(answer: Answer): void {
    this.lastSign = performance.now();
    if ('sign' in answer) return;
    const waiting = this.#waiting.shift();
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.done);
  }

  #die(how: string): void {
    this.#died ??= new RunnerDied(how);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#died);
  }
}
