/** Where something in a program was called. The text of a stack is made only when it is read. */
interface Site {
  readonly stack?: string;
  /** Where it is written in a scenario, which no stack tells. */
  readonly written?: string;
}

const writtenSites = new WeakMap<object, Site>();

/** Notes where in a scenario an operation is written: `slave[2]`. */
export function writtenAt<Operation extends object>(written: string, operation: Operation): Operation {
  writtenSites.set(operation, { written });
  return operation;
}

/** Bytes that a program has laid out or been given. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly site: Site | undefined;
  /** `buffer`, `reply word`, `block`. */
  readonly what: string;
  /** What the program calls it, if anything. */
  readonly name: string | undefined;
}

/** A static variable or a reply word of a program, and where it lies in its LDM. */
export interface StaticDatum {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** What a piece of the heap is called. */
const block = 'block';

/** What a program that is run again shows: where it makes its operations, and what lies where in its memory. */
export class ProgramTrace {
  /** Operations that the program had asked for when it was traced. */
  readonly upTo: number;
  readonly #made = new WeakMap<object, Site>();
  readonly #sites: (Site | undefined)[] = [];
  readonly #pieces: Piece[] = [];

  constructor(upTo: number) {
    this.upTo = upTo;
  }

  /** An operation was made by a function of the context. */
  made(operation: object, site: Site): void {
    this.#made.set(operation, site);
  }

  /** Bytes were laid out; without a name, where that was done tells them apart. */
  laidOut(from: number, bytes: number, what: string, name: string | undefined, site: Site): void {
    this.#pieces.push({ from, to: from + bytes, site, what, name });
  }

  /** The same steps; which operation each of them was is noted. */
  *followed<Step, Given>(steps: Iterator<Step, void, Given>): Generator<Step, void, Given> {
    for (let step = steps.next(); step.done !== true; ) {
      const operation: unknown = step.value;
      const site = isObject(operation)
        ? (writtenSites.get(operation) ?? this.#made.get(operation))
        : undefined;
      this.#sites.push(site);
      const given = yield step.value;
      this.#allocated(operation, given, site);
      step = steps.next(given);
    }
  }

  /** Where the operation of this number, from 1, is written: `axpy.ts:31`. */
  placeOf(step: number): string | undefined {
    return placeIn(this.#sites[step - 1]);
  }

  /** What is at an address: `buffer "x 0"`, `reply word of axpy.ts:60`. */
  bufferAt(address: number): string | undefined {
    const found = this.#pieces.findLast(({ from, to }) => from <= address && address < to);
    if (!found) return undefined;
    const { what, name, site } = found;
    if (name !== undefined) return `${what} "${name}"`;
    const place = placeIn(site);
    return place === undefined ? what : `${what} of ${place}`;
  }

  /** Its static variables and reply words, in the order in which it lays them out. */
  get statics(): readonly StaticDatum[] {
    return this.#pieces
      .filter(({ what }) => what !== block)
      .map(({ from, to, what, name }) => ({ name: name ?? what, offset: from, bytes: to - from }));
  }

  /** A block of the heap is at the address that the call has answered. */
  #allocated(operation: unknown, given: unknown, site: Site | undefined): void {
    if (!isObject(operation) || typeof given !== 'number' || given === 0) return;
    const { op, size } = operation as { readonly op?: unknown; readonly size?: unknown };
    if (op !== 'pldm_malloc' || typeof size !== 'number') return;
    this.#pieces.push({ from: given, to: given + size, site, what: block, name: undefined });
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What the functions lay out that are no operations, by their names. */
const layouts: Readonly<
  Record<string, (given: readonly unknown[]) => { readonly what: string; readonly bytes: number }>
> = {
  ldmStatic: ([, bytes]) => ({ what: 'buffer', bytes: Number(bytes) }),
  rply: () => ({ what: 'reply word', bytes: 4 }),
  athread_rply: () => ({ what: 'reply word', bytes: 8 }),
  memAlloc: ([bytes]) => ({ what: 'memory', bytes: Number(bytes) }),
  crossAlloc: ([bytes]) => ({ what: 'cross segment', bytes: Number(bytes) }),
};

/** Which of their arguments is the name that the program gives. */
const nameOf: Readonly<Record<string, number>> = { ldmStatic: 0, rply: 0, memAlloc: 2 };

/** The same functions; where an operation is made and what is laid out is noted. */
export function watched<Context extends object>(context: Context, trace: ProgramTrace): Context {
  const entries = namesOf(context).map((name) => {
    const value: unknown = (context as Record<string, unknown>)[name];
    if (typeof value !== 'function') return [name, value] as const;
    const layout = layouts[name];
    const called = (...given: readonly unknown[]): unknown => {
      const result: unknown = value(...given);
      const site: Site = {};
      captureSite(site, called);
      if (isObject(result)) trace.made(result, site);
      else if (layout) {
        const { what, bytes } = layout(given);
        const own = given[nameOf[name] ?? given.length];
        trace.laidOut(Number(result), bytes, what, own === undefined ? own : String(own), site);
      }
      return result;
    };
    return [name, called] as const;
  });
  // Every entry has the type that it had: functions keep arguments and results.
  return Object.fromEntries(entries) as Context;
}

/** What engines have of their own: those without it give no places. */
const engine = Error as {
  stackTraceLimit?: number | undefined;
  captureStackTrace?: (into: object, above: unknown) => void;
};
/** The caller, and what of the engine itself may stand above it, such as `Array.map`. */
const framesMax = 4;

/** Notes where a function was called; each frame costs time, and one has a place. */
function captureSite(site: Site, called: unknown): void {
  const before = engine.stackTraceLimit;
  engine.stackTraceLimit = framesMax;
  engine.captureStackTrace?.(site, called);
  engine.stackTraceLimit = before;
}

/** Names of what an object has or inherits. */
function namesOf(context: object): readonly string[] {
  const names: string[] = [];
  for (const name in context) names.push(name);
  return names;
}

/** Where it is written, or file and line of the first call in its stack: `axpy.ts:31`. */
function placeIn({ stack, written }: Site = {}): string | undefined {
  if (written !== undefined) return written;
  const line = stack?.split('\n').find((one) => /:\d+:\d+\)?$/.test(one));
  const found = line && /([^/\\(\s]+):(\d+):\d+\)?$/.exec(line);
  return found ? `${found[1]}:${found[2]}` : undefined;
}
