import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';
import { loadBases } from './bases.ts';
import { type Case, Cases } from './cases.ts';

/**
 * A process that carries out cases, one after another, each in a folder of its own: their numbers come as messages.
 *
 * Details: it tells on descriptor 3, which takes what it gets at once: who watches it must hear of progress while a case keeps it busy.
 */
const tell = (message: object): void => void writeSync(3, `${JSON.stringify(message)}\n`);

/** A terminal that lets the watcher know of each word, since that is progress. */
class HeardTerminal extends KeptTerminal {
  override err(text: string): void {
    super.err(text.slice(0, 20_000));
    tell({ progress: true });
  }
}

const seed = Number(process.argv[2]);
const home = process.cwd();
const cases = await Cases.of(loadBases(process.argv[3]!));

process.on('message', (index: number) => {
  const one = cases.case(seed, index);
  carriedOut(one).then(
    (ended) => tell({ index, args: one.args, how: one.how, ...ended }),
    (error: unknown) =>
      tell({
        index,
        args: one.args,
        how: one.how,
        exitCode: null,
        out: '',
        err: String(error instanceof Error ? error.stack : error),
        left: [],
        changed: [],
      }),
  );
});
tell({ ready: true });

async function carriedOut({ args, files }: Case) {
  const folder = join(home, 'case');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, contents);
  }
  symlinkSync('file', 'link');
  symlinkSync('nothing', 'dangling');
  symlinkSync('circle', 'circle');
  mkdirSync('read-only');
  chmodSync('read-only', 0o555);
  const before = digests(files);
  const terminal = new HeardTerminal();
  const began = process.cpuUsage();
  const exitCode = await main(args, terminal);
  const { user, system } = process.cpuUsage(began);
  const after = digests(files);
  return {
    exitCode,
    out: terminal.stdout.length > 100_000 ? whole(terminal.stdout) : terminal.stdout,
    err: terminal.stderr.slice(0, 4000),
    seconds: (user + system) / 1e6,
    left: readdirSync('.', { recursive: true }).map(String).slice(0, 200),
    // What is named as an output may change.
    changed: Object.keys(before).filter((name) => before[name] !== after[name] && !named(args, name)),
  };
}

/** A long output stands for itself as far as a judge needs it. */
function whole(text: string): string {
  try {
    return JSON.stringify({ json: typeof JSON.parse(text) === 'object' });
  } catch {
    return text.slice(0, 4000);
  }
}

const named = (args: readonly string[], name: string): boolean =>
  args
    .slice(1)
    .some(
      (word) =>
        ['.', 'folder'].includes(word) ||
        word.endsWith('link') ||
        word.endsWith(name) ||
        name.startsWith(`${word}/`),
    );

const digests = (files: Readonly<Record<string, Buffer>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(files).map((name) => {
      try {
        return [name, createHash('sha1').update(readFileSync(name)).digest('hex')];
      } catch {
        return [name, 'gone'];
      }
    }),
  );
