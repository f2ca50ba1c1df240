import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UsageError } from '../usage-error.ts';

/** Share of the memory of the computer, or of the container, that a check takes when nothing is said. */
const usualShare = 3 / 4;
/** Share of the heap of Node that may be full of what is in use: from four fifths on, Node ends a process that cannot collect much. */
const heapShare = 0.75;
/** Bytes of that heap for what is new, which what stays cannot take. */
const youngBytes = 3 * 2 ** 24;
/** Milliseconds between two looks. */
const lookEvery = 200;

const [mebi, gibi] = [2 ** 20, 2 ** 30];
const units: Readonly<Record<string, number>> = { K: 2 ** 10, M: mebi, G: gibi, T: 2 ** 40 };

/** Reads the value of an option that is an amount of memory in bytes: `200M`, `4G`. Errors: `UsageError`. */
export function memoryOption(name: string): (text: string) => number {
  return (text) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT])i?B?$/i.exec(text) ?? [];
    const bytes = Math.floor(Number(number) * (units[unit?.toUpperCase() ?? ''] ?? Number.NaN));
    if (bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER) return bytes;
    throw new UsageError(
      `${name}: found "${text}", expected a number with K, M, G or T`,
      `for example ${name} 4G`,
    );
  };
}

/** An amount of memory, for people. */
export function memoryText(bytes: number): string {
  if (bytes >= gibi) return `${(bytes / gibi).toFixed(1)} GiB`;
  const isWhole = bytes >= 10 * mebi || bytes % mebi === 0;
  return isWhole ? `${Math.ceil(bytes / mebi)} MiB` : `${Math.ceil(bytes / 2 ** 10)} KiB`;
}

/** Memory that a check takes at most when nothing is said, in bytes. */
export function usualMemory(): number {
  const container = process.constrainedMemory?.() ?? 0;
  return Math.floor(usualShare * (container > 0 ? Math.min(container, totalmem()) : totalmem()));
}

/** Looks now and then whether the process has taken more memory than it may, so that a check ends with what it found instead of with the process. */
export class MemoryLimit {
  readonly #bytes: number;
  #looked = Number.NEGATIVE_INFINITY;

  /** `bytes` of the whole process, all threads included. */
  constructor(bytes = usualMemory()) {
    this.#bytes = bytes;
  }

  /** What is nearly full, when something is: the process has more, or the heap of this thread would soon end it. */
  get reached(): 'memory' | 'heap' | undefined {
    const now = performance.now();
    if (now - this.#looked < lookEvery) return undefined;
    this.#looked = now;
    if (this.#isOver) return 'memory';
    return isHeapFull() ? 'heap' : undefined;
  }

  get #isOver(): boolean {
    if (process.memoryUsage.rss() < this.#bytes) return false;
    // Part of it may be what nobody uses any more.
    collectGarbage();
    return process.memoryUsage.rss() >= this.#bytes;
  }
}

function isHeapFull(): boolean {
  if (heapUse() < heapShare) return false;
  collectGarbage();
  return heapUse() >= heapShare;
}

function heapUse(): number {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  return used / (most - youngBytes);
}

let collector: (() => void) | undefined;

/** Gives memory back that nobody uses any more. */
export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}
