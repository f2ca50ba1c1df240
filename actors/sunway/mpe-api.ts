import { hostCalls } from './calls/host-calls.ts';
import { type HostMemory, hostMemory } from './calls/host-memory.ts';

type Calls = typeof hostCalls;

/** What a program of a host process yields. */
export type MpeOperation = {
  [Name in keyof Calls]: Omit<ReturnType<Calls[Name]>, typeof Symbol.iterator>;
}[keyof Calls];

/** One kind of operation, by its name. */
export type MpeOperationOf<Op extends MpeOperation['op']> = Extract<MpeOperation, { readonly op: Op }>;

/** Which host process a program is, and its memory. */
interface MpeIdentity {
  /** Core group, 0 to 5. */
  readonly cgn: number;
  /** Allocates bytes of the core group's main memory, which reports call by the name. Errors: throws when there are no more. */
  memAlloc(bytes: number, align?: number, name?: string): number;
  /** Allocates bytes of the cross segment, which all core groups see; at the same place in every host that asks in the same order. */
  crossAlloc(bytes: number, align?: number): number;
  /** Typed views of what was allocated: `yield* h.mem.f64(address).get(3)`. */
  readonly mem: HostMemory;
}

/** What a program of a host process is given (specification 5). */
export type MpeApi = MpeIdentity & Calls;

/** A range of main memory that is given out from its lowest address on. */
export interface MemoryRange {
  readonly first: number;
  readonly bytes: number;
}

function allocatorOf({ first, bytes }: MemoryRange, what: string) {
  let next = first;
  return (wanted: number, align = 64): number => {
    const address = Math.ceil(next / align) * align;
    if (address + wanted > first + bytes)
      throw new Error(`found no room for ${wanted} bytes in ${what}, which has ${bytes} bytes`);
    next = address + wanted;
    return address;
  };
}

/** What one program of one host process is given. */
export function mpeApi(cgn: number, memory: MemoryRange, cross: MemoryRange): MpeApi {
  return {
    ...hostCalls,
    cgn,
    mem: hostMemory,
    memAlloc: allocatorOf(memory, `the main memory of core group ${cgn}`),
    crossAlloc: allocatorOf(cross, 'the cross segment'),
  };
}
