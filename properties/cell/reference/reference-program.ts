import type { CellConfig, CellPrograms } from '../../../machines/cell/config.ts';

/** An instruction as the reference machine carries it out. */
export type ReferenceInstruction =
  | { readonly op: 'read'; readonly address: number; readonly logged?: boolean }
  | { readonly op: 'write'; readonly address: number; readonly value: number }
  | { readonly op: 'status'; readonly id: number; readonly logged?: boolean }
  | {
      readonly op: 'get' | 'put';
      readonly my: number;
      readonly peer: number;
      readonly address: number;
      readonly size: number;
    };

/** A program: asked for its next instruction until it ends the cycle; one whose result never came is asked for again in the next. */
export interface ReferenceProgram {
  next(t: number): ReferenceInstruction | 'end of cycle' | 'over';
  /** The instruction was carried out, with this result. */
  done(result: number): void;
  /** True when the run need not go on for its sake though it goes on as long as others do. */
  readonly content: boolean;
}

/** Whether the reference knows all programs. */
export const knowsPrograms = (programs: CellPrograms): boolean =>
  !Array.isArray(programs) || programs.every((program) => Array.isArray(program));

/** The program of one SPU (Cell specification 18.1). */
export function programOf(config: CellConfig, programs: CellPrograms, spu: number): ReferenceProgram {
  if (!Array.isArray(programs)) return closedLoop(config, programs.saturate, spu);
  const list = programs[spu] ?? [];
  return timedList(Array.isArray(list) ? list : []);
}

type TimedList = Extract<Extract<CellPrograms, readonly unknown[]>[number], readonly unknown[]>;

function timedList(list: TimedList): ReferenceProgram {
  let at = 0;
  return {
    content: false,
    next(t) {
      const entry = list[at];
      if (!entry) return 'over';
      if (entry.cycle > t) return 'end of cycle';
      const { instruction } = entry;
      switch (instruction.op) {
        case 'read':
          return { op: 'read', address: instruction.addr, logged: true };
        case 'write':
          return { op: 'write', address: instruction.addr, value: instruction.value };
        case 'status':
          return { op: 'status', id: instruction.id, logged: true };
        case 'endCycle':
          return 'end of cycle';
        default: {
          const { op, my, peer, addr: address, size } = instruction;
          return { op, my, peer, address, size };
        }
      }
    },
    done() {
      at++;
    },
  };
}

type ClosedLoop = Exclude<CellPrograms, readonly unknown[]>['saturate'];

/**
 * The closed loop, written as the specification tells it: slots, then local operations.
 *
 * Details: what is asked for next depends on the result before, so the loop is a generator that is handed each result.
 */
function closedLoop({ N, memSize }: CellConfig, load: ClosedLoop, spu: number): ReferenceProgram {
  const { outstanding: slots, perSpu, sizeMin, sizeMax, seed, localOps } = load;
  let x = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(spu + 1, 0x85ebca6b)) | 1;
  const random = () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
  const held = new Array<number | undefined>(slots).fill(undefined);
  let issued = 0;
  let now = 0;
  function* work(): Generator<ReferenceInstruction | 'end of cycle', never, number> {
    for (;;) {
      for (let slot = 0; slot < slots; slot++) {
        const id = held[slot];
        if (id !== undefined) {
          if ((yield { op: 'status', id }) !== 3) continue;
          held[slot] = undefined;
        }
        if (issued === perSpu) continue;
        issued++;
        const other = random() % (N - 1);
        const peer = other >= spu ? other + 1 : other;
        const size = sizeMin + (random() % (sizeMax - sizeMin + 1));
        const op = random() % 2 === 0 ? 'get' : 'put';
        const source = 64 + (random() % (memSize / 2 - 64 - size + 1));
        const destination = memSize / 2 + (spu * slots + slot) * sizeMax;
        const [my, address] = op === 'get' ? [destination, source] : [source, destination];
        held[slot] = yield { op, my, peer, address, size };
      }
      for (let i = 0; i < localOps; i++) {
        const address = (now + i) % 64;
        const value = yield { op: 'read', address };
        yield { op: 'write', address, value: (value + spu + 1) % 256 };
        yield { op: 'read', address, logged: true };
      }
      yield 'end of cycle';
    }
  }
  const steps = work();
  let next = steps.next(0).value;
  let ended = false;
  return {
    get content() {
      return issued === perSpu && held.every((id) => id === undefined);
    },
    next(t) {
      // A request that was blocked takes the rest of its cycle's work into the next one.
      now = t;
      if (ended) {
        // The cycle that ended is over: the loop goes on in this one.
        next = steps.next(0).value;
        ended = false;
      }
      ended = next === 'end of cycle';
      return next;
    },
    done(result) {
      next = steps.next(result).value;
    },
  };
}
