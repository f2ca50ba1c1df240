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
import type { MadeFile } from './judge.ts';

/**
 * A process that carries out cases, one after another, each in a folder of its own: their numbers come as messages.
 *
 * Details: it tells on descriptor 3, which takes what it gets at once: who watches it must hear of progress while a case keeps it busy.
 */
const tell = (message: object): void => void writeSync(3, `${JSON.stringify(message)}\n`);

/** A terminal that lets the watcher know of each word, since that is progress. */
class HeardTerminal extends KeptTerminal {
  #last = '';

  override err(text: string): void {
    super.err(text.slice(0, 20_000));
    // The same again is none, and a rate changes by itself.
    const so = text.slice(0, 500).replace(/[\d,.]+ \S+\/s|about .* left/g, '');
    if (so === this.#last) return;
    this.#last = so;
    tell({ progress: true });
  }
}

const seed = Number(process.argv[2]);
const home = process.cwd();
const cases = await Cases.of(loadBases(process.argv[3]!));
const listeners = (): number => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
const listenersBefore = listeners();

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
        made: [],
        changed: [],
      }),
  );
});
tell({ ready: true });

async function carriedOut({ index, args, files }: Case) {
  // A folder of its own: modules that were imported from one stay what they were.
  // What a case makes in the folder above its own stays in that of the case.
  const root = join(home, `case-${index}`);
  const folder = join(root, 'above', 'own');
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
  const there = new Set(filesHere());
  const terminal = new HeardTerminal();
  const began = process.cpuUsage();
  const exitCode = await main(args, terminal);
  const { user, system } = process.cpuUsage(began);
  process.chdir(folder);
  const after = digests(files);
  const ended = {
    exitCode,
    out: terminal.stdout.length > 100_000 ? whole(terminal.stdout) : terminal.stdout,
    err: terminal.stderr.slice(0, 20_000),
    seconds: (user + system) / 1e6,
    made: filesHere()
      .filter((name) => !there.has(name))
      .slice(0, 50)
      .map(madeFile),
    // What is named as an output may change.
    changed: Object.keys(before).filter((name) => before[name] !== after[name] && !named(args, name)),
  };
  if (listeners() > listenersBefore) ended.err += '\nInvariant: a listener for signals is left';
  process.chdir(home);
  rmSync(root, { recursive: true, force: true });
  return ended;
}

const filesHere = (): readonly string[] =>
  readdirSync('.', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function madeFile(name: string): MadeFile {
  const contents = readFileSync(name);
  return { name, bytes: contents.length, damaged: name.endsWith('.json') && !isJson(contents.toString()) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A long output stands for itself as far as a judge needs it. */
function whole(text: string): string {
  try {
    return JSON.stringify({ long: JSON.parse(text) !== null });
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
