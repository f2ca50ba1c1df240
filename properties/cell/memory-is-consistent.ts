import type { AccessEvent, LogHeader } from './checker/log.ts';
import { initialByte } from './checker/memory-image.ts';
import { type Access, type ByteContent, type CycleTrace, level1 } from './checker/serialisability.ts';
import { cellProperty, nameOfMemory, type Tell } from './context.ts';
import { contentsIn, contentsSaid, noteWrite, nothingWritten, type WrittenBytes } from './written-bytes.ts';

/** An access as the event log has it, as much of it as matters here. */
type AccessRecord = Pick<AccessEvent, 'mem' | 'a' | 'v' | 'by' | 'spu' | 'id' | 'out'> & {
  readonly write: boolean;
};

/** What happens to the memories, for traces of one cycle after the other (Cell specification 10.1). */
export interface MemoryTrace {
  /** By memory and address: the bytes that were looked at. */
  readonly held: Record<number, Record<number, number>>;
  /** By memory: its accesses in this cycle, in their order. */
  accesses: Record<number, AccessRecord[]>;
}

/** Nothing has happened yet. */
export const noTrace = (): MemoryTrace => ({ held: {}, accesses: {} });

/** Notes an access. */
export const noteAccess = ({ accesses }: MemoryTrace, access: AccessRecord): void => {
  accesses[access.mem] ??= [];
  accesses[access.mem]!.push(access);
};

/** The trace of a cycle, at the end of which the memories hold this; it is valid until the trace is settled. */
export function traceOf(
  { memory }: LogHeader,
  { held, accesses }: MemoryTrace,
  after: readonly ByteContent[],
): CycleTrace {
  const spus = new Map<number, Access[]>();
  const transfers = new Map<number, { read?: Access; write?: Access }>();
  for (const { write, mem, a, v, by, spu, id, out } of Object.values(accesses).flat()) {
    const access = { write, mem, address: a, value: v, stamp: out };
    if (by === 'spu') {
      const program = spus.get(spu);
      if (program) program.push(access);
      else spus.set(spu, [access]);
      continue;
    }
    const name = spu * 2 ** 32 + id;
    const pair = transfers.get(name) ?? {};
    if (write) pair.write = access;
    else pair.read = access;
    transfers.set(name, pair);
  }
  return {
    spus: [...spus.values()],
    // Half a move is the business of another property.
    transfers: [...transfers.values()].filter((pair): pair is { read: Access; write: Access } =>
      Boolean(pair.read && pair.write),
    ),
    before: (mem, address) => held[mem]?.[address] ?? initialByte(memory, mem, address),
    after,
  };
}

/** Makes the contents at the end of a cycle the contents before the next one. */
export function settle(trace: MemoryTrace, after: readonly ByteContent[]): void {
  for (const { mem, address, value } of after) {
    trace.held[mem] ??= {};
    trace.held[mem]![address] = value;
  }
  trace.accesses = {};
}

interface Memory {
  readonly trace: MemoryTrace;
  readonly written: WrittenBytes;
  /** The cycle whose barrier has opened in this tick, -1 for none. */
  ended: number;
}

/** What every cycle does to the memories can be explained by some order of its accesses (Cell specification 10 and 12, CK-20 at level 1). */
export const memoryIsConsistent = cellProperty(
  'the memories at the end of a cycle follow from those before it and its accesses in some order',
  ['RD', 'WR', 'BARRIER'],
  (): Memory => ({ trace: noTrace(), written: nothingWritten(), ended: -1 }),
  ({ header }) => {
    function close(memory: Memory, after: readonly ByteContent[], found: Tell): void {
      const { answer, why } = level1(traceOf(header, memory.trace, after));
      settle(memory.trace, after);
      if (answer === 'violation') found([nameOfMemory(memoryNamed(why))], `cycle ${memory.ended}: ${why}`);
      memory.ended = -1;
    }

    return {
      about: (event) => (event.type === 'BARRIER' ? undefined : event.mem),
      see(memory, event, found) {
        if (memory.ended >= 0 && event.t > memory.ended) close(memory, contentsSaid(memory.written), found);
        if (event.type === 'BARRIER') {
          memory.ended = event.t;
          return;
        }
        const { type, mem, a, v, by, spu, id, out } = event;
        noteAccess(memory.trace, { write: type === 'WR', mem, a, v, by, spu, id, out });
        if (type === 'WR') noteWrite(memory.written, event);
      },
      seeState(memory, state, found) {
        if (memory.ended < 0) return;
        close(memory, contentsIn(memory.written, state), found);
      },
    };
  },
);

/** The checker names a byte as `Memory[3]:17`. */
const memoryNamed = (why: string): number => Number(/Memory\[(\d+)\]/.exec(why)?.[1] ?? 0);
