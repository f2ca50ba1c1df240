/** One record of the event log: its cycle and its serial number (Cell specification 18.4). */
interface Stamped {
  /** Cycle the record belongs to, from 0. */
  readonly t: number;
  /** Serial number in the log, from 0 by one. */
  readonly n: number;
}

/** The first line of a log: the machine that was run and how (Cell specification 2 and 18.4). */
export interface LogHeader {
  readonly format: 'cell-log/1';
  readonly name: string;
  /** Number of SPUs, 1..1024. */
  readonly N: number;
  /** Rings per direction, 1..64. */
  readonly K: number;
  /** Bytes in each SPU's memory, at least 1. */
  readonly memSize: number;
  readonly policy: string;
  /** The policy promises never to leave a request waiting before a free segment (CK-25). */
  readonly workConserving: boolean;
  readonly selfTransfer: 'point' | 'reject';
  readonly zeroSize: 'complete' | 'reject';
  readonly boundedWait: { readonly factor: number; readonly cap: number | null } | null;
  /** Cycles to run, or null for "until idle". */
  readonly cycles: number | null;
  /** Contents before cycle 0; "recorded" means unknown until first seen. */
  readonly memory: 'pattern' | 'zero' | 'recorded' | readonly (readonly number[])[];
  /** Largest total waiting time allowed, in cycles, or null for no limit (CK-24). */
  readonly waitLimit: number | null;
  readonly interleaving: 'ordered' | 'free';
}

/** A DMA module accepted a request of its SPU in cycle t, its issue cycle (Cell specification 3). */
export interface RequestEvent extends Stamped {
  readonly ev: 'REQ';
  readonly spu: number;
  readonly id: number;
  readonly kind: 'get' | 'put';
  readonly my: number;
  readonly peer: number;
  readonly addr: number;
  readonly size: number;
}

/** The arbiter decided at the end of cycle t that a request starts in t+1 (Cell specification 6). */
export interface GrantEvent extends Stamped {
  readonly ev: 'GRANT';
  readonly spu: number;
  readonly id: number;
  readonly start: number;
  readonly dir: number;
  readonly ring: number;
  readonly nodes: readonly number[];
}

/** The arbiter freed a segment at the end of cycle t, its last occupied cycle (Cell specification 6). */
export interface FreeEvent extends Stamped {
  readonly ev: 'FREE';
  readonly spu: number;
  readonly id: number;
  readonly dir: number;
  readonly ring: number;
  readonly nodes: readonly number[];
}

/** A transfer began to run in cycle t (Cell specification 15.3). */
export interface TransferStartEvent extends Stamped {
  readonly ev: 'XSTART';
  readonly spu: number;
  readonly id: number;
  readonly dir: number;
  readonly ring: number;
}

/** A transfer ended at the end of cycle t (Cell specification 9, T4). */
export interface TransferEndEvent extends Stamped {
  readonly ev: 'XEND';
  readonly spu: number;
  readonly id: number;
}

/** The bus recorded a command of module spu to module dest, at bus clock stamp q (Cell specification 7). */
export interface CommandEvent extends Stamped {
  readonly ev: 'CMD';
  readonly spu: number;
  readonly dest: number;
  readonly cmd: 'get' | 'put';
  readonly q: number;
}

/** Module spu held the bus between two stamps of the bus clock; logged at the release (Cell specification 7). */
export interface BusEvent extends Stamped {
  readonly ev: 'BUS';
  readonly spu: number;
  readonly in: number;
  readonly out: number;
}

/** One access to one byte of a memory, with that memory's clock at entry and completion (Cell specification 10.2). */
export interface AccessEvent extends Stamped {
  readonly ev: 'RD' | 'WR';
  readonly mem: number;
  readonly a: number;
  readonly v: number;
  readonly by: 'spu' | 'dma';
  readonly spu: number;
  /** Request the access belongs to; -1 for an access of the SPU itself. */
  readonly id: number;
  readonly in: number;
  readonly out: number;
}

/** A DMA module answered a status query of its SPU in cycle t (Cell specification 3). */
export interface StatusEvent extends Stamped {
  readonly ev: 'STATUS';
  readonly spu: number;
  readonly id: number;
  readonly status: number;
  readonly dir: number;
  readonly ring: number;
}

/** A program received the result of its k-th instruction, endCycle not counted (Cell specification 3). */
export interface ObservationEvent extends Stamped {
  readonly ev: 'OBS';
  readonly spu: number;
  readonly k: number;
  readonly op: 'read' | 'write' | 'get' | 'put' | 'status';
  readonly value: number | null;
}

/** An exception inside a program; it halts the SPU (Cell specification 11). */
export interface ExceptionEvent extends Stamped {
  readonly ev: 'EXC';
  readonly spu: number;
  readonly k: number;
  readonly why: string;
}

/** The SPU executes nothing from now on (Cell specification 3). */
export interface HaltEvent extends Stamped {
  readonly ev: 'HALT';
  readonly spu: number;
}

/** An entity reported the end of cycle t to the controller (Cell specification 8). */
export interface DoneEvent extends Stamped {
  readonly ev: 'DONE';
  readonly who: 'spu' | 'dma' | 'arb';
  readonly id: number;
}

/** Bytes of one memory as it holds them at the end of cycle t: at least all that were written (Cell specification 10). */
export interface MemoryEvent extends Stamped {
  readonly ev: 'MEM';
  readonly mem: number;
  readonly bytes: readonly (readonly [address: number, value: number])[];
}

/** The barrier of cycle t opened; with `next`, the cycles up to it are idle and are skipped (Cell specification 8). */
export interface BarrierEvent extends Stamped {
  readonly ev: 'BARRIER';
  readonly gen: number;
  readonly next?: number;
}

/** Cycles from..to were executed in bulk: one byte for each running transfer in each of them (Cell specification 24). */
export interface BulkEvent extends Stamped {
  readonly ev: 'BULK';
  readonly from: number;
  readonly to: number;
}

/** The run ended after so many cycles; always the last record (Cell specification 3). */
export interface StopEvent extends Stamped {
  readonly ev: 'STOP';
  readonly cycles: number;
}

/** A part of the machine itself found something wrong (Cell specification 15.7). */
export interface ReportEvent extends Stamped {
  readonly ev: 'REPORT';
  readonly class: 'EXCEPTION' | 'FATAL' | 'SYNC' | 'PERF';
  readonly inv: string;
  readonly text: string;
}

/** One pick of the scheduler; no property reads it (Cell specification 16). */
export interface ChoiceEvent extends Stamped {
  readonly ev: 'CHOICE';
  readonly what: string;
  readonly count: number;
  readonly pick: number;
}

/** Every record of a log after its header (Cell specification 18.4). */
export type LogEvent =
  | RequestEvent
  | GrantEvent
  | FreeEvent
  | TransferStartEvent
  | TransferEndEvent
  | CommandEvent
  | BusEvent
  | AccessEvent
  | StatusEvent
  | ObservationEvent
  | ExceptionEvent
  | HaltEvent
  | DoneEvent
  | MemoryEvent
  | BarrierEvent
  | BulkEvent
  | StopEvent
  | ReportEvent
  | ChoiceEvent;

/** The name of a record's kind (Cell specification 18.4). */
export type EventKind = LogEvent['ev'];

/** What one field of a line must be: a test and its wording. */
interface FieldRule {
  readonly expected: string;
  readonly test: (value: unknown) => boolean;
  readonly optional?: boolean;
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isNatural = (value: unknown): boolean => isInteger(value) && value >= 0;
const isByte = (value: unknown): boolean => isInteger(value) && value >= 0 && value <= 255;
const oneOf = (...names: readonly string[]): FieldRule => ({
  expected: `one of ${names.map((name) => JSON.stringify(name)).join(', ')}`,
  test: (value) => typeof value === 'string' && names.includes(value),
});
const range = (low: number, high: number): FieldRule => ({
  expected: `an integer ${low}..${high}`,
  test: (value) => isInteger(value) && value >= low && value <= high,
});

const integer: FieldRule = { expected: 'an integer', test: isInteger };
const natural: FieldRule = { expected: 'an integer of at least 0', test: isNatural };
const text: FieldRule = { expected: 'a string', test: (value) => typeof value === 'string' };
const truth: FieldRule = { expected: 'true or false', test: (value) => typeof value === 'boolean' };
const naturalOrNull: FieldRule = {
  expected: 'an integer of at least 0, or null',
  test: (value) => value === null || isNatural(value),
};
const integerOrNull: FieldRule = {
  expected: 'an integer or null',
  test: (value) => value === null || isInteger(value),
};
const nodes: FieldRule = {
  expected: 'a list of integers',
  test: (value) => Array.isArray(value) && value.every(isInteger),
};
const contents: FieldRule = {
  expected: 'a list of [address, value] pairs of integers',
  test: (value) =>
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isInteger)),
};
const kind = oneOf('get', 'put');
const request = { spu: natural, id: natural };
const segment = { ...request, dir: integer, ring: integer };
const access = {
  mem: natural,
  a: integer,
  v: integer,
  by: oneOf('spu', 'dma'),
  spu: natural,
  id: integer,
  in: integer,
  out: integer,
};

const HEADER_RULES: Readonly<Record<string, FieldRule>> = {
  format: oneOf('cell-log/1'),
  name: text,
  N: range(1, 1024),
  K: range(1, 64),
  memSize: { expected: 'an integer of at least 1', test: (value) => isInteger(value) && value >= 1 },
  policy: text,
  workConserving: truth,
  selfTransfer: oneOf('point', 'reject'),
  zeroSize: oneOf('complete', 'reject'),
  boundedWait: {
    expected: 'null or {"factor": number, "cap": integer or null}',
    test: (value) => value === null || isBoundedWait(value),
  },
  cycles: naturalOrNull,
  memory: {
    expected: '"pattern", "zero", "recorded" or a list of lists of bytes',
    test: (value) =>
      value === 'pattern' ||
      value === 'zero' ||
      value === 'recorded' ||
      (Array.isArray(value) && value.every((bytes) => Array.isArray(bytes) && bytes.every(isByte))),
  },
  waitLimit: naturalOrNull,
  interleaving: oneOf('ordered', 'free'),
};

const EVENT_RULES: Readonly<Record<EventKind, Readonly<Record<string, FieldRule>>>> = {
  REQ: { ...request, kind, my: integer, peer: integer, addr: integer, size: integer },
  GRANT: { ...request, start: integer, dir: integer, ring: integer, nodes },
  FREE: { ...segment, nodes },
  XSTART: segment,
  XEND: request,
  CMD: { spu: natural, dest: integer, cmd: kind, q: integer },
  BUS: { spu: natural, in: integer, out: integer },
  RD: access,
  WR: access,
  STATUS: { spu: natural, id: integer, status: integer, dir: integer, ring: integer },
  OBS: { spu: natural, k: natural, op: oneOf('read', 'write', 'get', 'put', 'status'), value: integerOrNull },
  EXC: { spu: natural, k: natural, why: text },
  HALT: { spu: natural },
  DONE: { who: oneOf('spu', 'dma', 'arb'), id: integer },
  MEM: { mem: natural, bytes: contents },
  BARRIER: { gen: integer, next: { ...natural, optional: true } },
  BULK: { from: natural, to: natural },
  STOP: { cycles: natural },
  REPORT: { class: oneOf('EXCEPTION', 'FATAL', 'SYNC', 'PERF'), inv: text, text },
  CHOICE: { what: text, count: natural, pick: natural },
};

const KINDS = Object.keys(EVENT_RULES);
const HEADER_FIELDS = Object.keys(HEADER_RULES);

/** The fields of each kind of record after t, n and ev, in the order in which they are written (Cell specification 18.4). */
export const EVENT_FIELDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(EVENT_RULES).map(([name, rules]) => [name, Object.keys(rules)]),
);

/** A line that is no record of the format: where, what was found, what was expected (Cell specification 18.4). */
export interface LogError {
  /** Line of the text, from 1. */
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

/** A parsed log; it is usable when `errors` is empty (Cell specification 18.4). */
export interface ParsedLog {
  readonly header: LogHeader | null;
  readonly events: readonly LogEvent[];
  readonly errors: readonly LogError[];
}

/** Reads a log of JSON lines, header first; malformed lines are left out and located in `errors` (Cell specification 18.4). */
export function parseLog(source: string): ParsedLog {
  const errors: LogError[] = [];
  const events: LogEvent[] = [];
  let header: LogHeader | null = null;
  let expectedSerial = 0;
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0)
    errors.push({ line: 1, found: 'an empty text', expected: 'a header of format cell-log/1' });
  lines.forEach((content, index) => {
    const line = index + 1;
    const record = parseObject(content);
    if (record === null) {
      errors.push({ line, found: excerpt(content), expected: 'one JSON object' });
      if (index > 0) expectedSerial++;
      return;
    }
    const error = index === 0 ? headerError(record) : eventError(record, expectedSerial);
    if (index > 0) expectedSerial = isInteger(record.n) ? record.n + 1 : expectedSerial + 1;
    if (error !== null) errors.push({ line, ...error });
    // The rules above have looked at every field, which is what the two assertions state.
    else if (index === 0) header = record as unknown as LogHeader;
    else events.push(record as unknown as LogEvent);
  });
  return { header, events, errors };
}

/** Writes a header or a record as one line of JSON without the line end, fields in the format's order (Cell specification 18.4). */
export function formatLine(record: LogHeader | LogEvent): string {
  const fields = 'format' in record ? HEADER_FIELDS : ['t', 'n', 'ev', ...(EVENT_FIELDS[record.ev] ?? [])];
  // A record is an object of exactly these fields; JSON drops the optional ones that are undefined.
  const values = record as unknown as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, values[field]])));
}

type Complaint = Omit<LogError, 'line'>;

/** A line that is an object: the fields every line is asked for, and whatever else it has. */
interface RawRecord extends Record<string, unknown> {
  readonly format?: unknown;
  readonly ev?: unknown;
  readonly t?: unknown;
  readonly n?: unknown;
}

function headerError(record: RawRecord): Complaint | null {
  if (record.format !== 'cell-log/1')
    return {
      found: `format ${excerpt(JSON.stringify(record.format) ?? 'missing')}`,
      expected: 'format "cell-log/1" in the first line',
    };
  return fieldError(record, HEADER_RULES, []);
}

function eventError(record: RawRecord, expectedSerial: number): Complaint | null {
  const name = record.ev;
  // Own properties only: a line that says "constructor" must not find a method of Object.
  if (typeof name !== 'string' || !Object.hasOwn(EVENT_RULES, name))
    return {
      found: `ev ${excerpt(JSON.stringify(name) ?? 'missing')}`,
      expected: `one of ${KINDS.join(', ')}`,
    };
  const complaint = fieldError(record, EVENT_RULES[name as EventKind], ['t', 'n', 'ev']);
  if (complaint !== null) return complaint;
  if (!isInteger(record.t))
    return { found: `t ${excerpt(JSON.stringify(record.t) ?? 'missing')}`, expected: integer.expected };
  if (record.n !== expectedSerial)
    return {
      found: `n ${excerpt(JSON.stringify(record.n) ?? 'missing')}`,
      expected: `n ${expectedSerial}`,
    };
  return null;
}

function fieldError(
  record: RawRecord,
  rules: Readonly<Record<string, FieldRule>>,
  envelope: readonly string[],
): Complaint | null {
  for (const [field, rule] of Object.entries(rules)) {
    const value = record[field];
    if (value === undefined && rule.optional === true) continue;
    if (value === undefined)
      return { found: `no field "${field}"`, expected: `"${field}": ${rule.expected}` };
    if (!rule.test(value))
      return {
        found: `"${field}": ${excerpt(JSON.stringify(value))}`,
        expected: `"${field}": ${rule.expected}`,
      };
  }
  const stranger = Object.keys(record).find(
    (field) => !Object.hasOwn(rules, field) && !envelope.includes(field),
  );
  if (stranger === undefined) return null;
  return {
    found: `field ${JSON.stringify(stranger)}`,
    expected: `only ${[...envelope, ...Object.keys(rules)].join(', ')}`,
  };
}

function parseObject(content: string): RawRecord | null {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawRecord) : null;
  } catch {
    return null;
  }
}

function isBoundedWait(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { factor, cap } = value as { factor?: unknown; cap?: unknown };
  return typeof factor === 'number' && Number.isFinite(factor) && (cap === null || isNatural(cap));
}

function excerpt(content: string): string {
  return content.length > 60 ? `${content.slice(0, 57)}...` : content;
}
