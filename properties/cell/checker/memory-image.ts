import type { LogHeader } from './log.ts';

const PAGE_BITS = 8;
const PAGE_BYTES = 1 << PAGE_BITS;

/** Content of a byte that the log has not shown yet. */
export const UNKNOWN = -1;

/** The checker's own copy of all memories; pages come into being when they are touched (Cell specification 10). */
export class MemoryImage {
  private readonly initial: LogHeader['memory'];
  private readonly pages: (Int16Array | undefined)[][];

  constructor(header: LogHeader) {
    this.initial = header.memory;
    this.pages = Array.from({ length: header.N }, () => []);
  }

  /** Content 0..255 of a byte, or UNKNOWN; the place must exist. */
  read(mem: number, address: number): number {
    return this.page(mem, address)[address & (PAGE_BYTES - 1)] ?? UNKNOWN;
  }

  /** Sets a byte; the place must exist. */
  write(mem: number, address: number, value: number): void {
    this.page(mem, address)[address & (PAGE_BYTES - 1)] = value;
  }

  private page(mem: number, address: number): Int16Array {
    const index = Math.floor(address / PAGE_BYTES);
    const row = this.pages[mem];
    if (row === undefined) throw new RangeError(`there is no memory ${mem}`);
    const found = row[index];
    if (found !== undefined) return found;
    const page = new Int16Array(PAGE_BYTES);
    for (let offset = 0; offset < PAGE_BYTES; offset++)
      page[offset] = initialByte(this.initial, mem, index * PAGE_BYTES + offset);
    row[index] = page;
    return page;
  }
}

/** Content of a byte before cycle 0, or UNKNOWN for a recorded memory; the pattern is that of Cell specification 18.1. */
export function initialByte(memory: LogHeader['memory'], mem: number, address: number): number {
  if (memory === 'zero') return 0;
  if (memory === 'recorded') return UNKNOWN;
  if (memory === 'pattern') return (mem * 167 + address * 13 + Math.floor(address / 256) * 7 + 1) % 256;
  return memory[mem]?.[address] ?? 0;
}
