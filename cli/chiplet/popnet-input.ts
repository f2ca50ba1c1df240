import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { readTrace, type TraceFault, type TraceShape } from '../../machines/chiplet/trace-text.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';

/** The text of a file. Errors: E-FILE. */
export function popnetFile(path: string, option: string): string {
  if (existsSync(path) && !statSync(path).isDirectory()) {
    try {
      return readInput(path);
    } catch (error) {
      throw new UsageError(
        `E-FILE ${path}: ${error instanceof Error ? error.message : error}`,
        `give a file that can be read after ${option}`,
      );
    }
  }
  throw new UsageError(`E-FILE ${path}: found no such file`, `check the path after ${option}`);
}

/**
 * The packets of a trace: of the main file, or, when there is none, of the local files `bench.x.y` beside it, merged by time, at equal times by
 * sender (chiplet specification 3.2). Errors: E-FILE, E-TRACE, E-ADDR, with file and line.
 */
export function popnetTrace(path: string, shape: TraceShape): readonly PacketOrder[] {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  if (existsSync(path) && !isFolder) return packetsIn(path, shape);
  const folder = isFolder ? path : dirname(path);
  const main = isFolder ? 'bench' : basename(path);
  if (isFolder && existsSync(join(folder, main))) return packetsIn(join(folder, main), shape);
  const locals = localFiles(folder, main, shape.coordinates);
  if (locals.length === 0)
    throw new UsageError(
      `E-FILE ${path}: found neither it nor local files ${main}.x.y`,
      'check the path after -I',
    );
  return locals
    .flatMap((file) => packetsIn(join(folder, file), shape))
    .sort((one, other) => one.time - other.time);
}

/** Local traces in the order of their senders. */
function localFiles(folder: string, main: string, coordinates: number): readonly string[] {
  if (!existsSync(folder)) return [];
  const senderOf = (file: string): readonly number[] | undefined => {
    if (!file.startsWith(`${main}.`)) return undefined;
    const parts = file.slice(main.length + 1).split('.');
    return parts.length === coordinates && parts.every((part) => /^\d+$/.test(part))
      ? parts.map(Number)
      : undefined;
  };
  const order = (one: string, other: string): number => {
    const [a, b] = [senderOf(one)!, senderOf(other)!];
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  };
  return readdirSync(folder)
    .filter((file) => senderOf(file) !== undefined)
    .sort(order);
}

function packetsIn(path: string, shape: TraceShape): readonly PacketOrder[] {
  const read = readTrace(popnetFile(path, '-I'), shape);
  if (!('code' in read)) return read;
  throw traceError(path, read);
}

/** A fault of a trace as an error, with file and line. */
export const traceError = (path: string, { code, line, found, expected }: TraceFault): UsageError =>
  new UsageError(`${code} ${path}:${line}: found ${found}`, `expected ${expected}`);
