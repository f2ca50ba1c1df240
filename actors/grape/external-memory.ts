import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import type { Word } from './arithmetic/word.ts';
import type { GrapeMessage, GrapeOutbox, RecordUnit } from './protocol.ts';
import { grapeProtocol } from './protocol.ts';

/** A table in external memory. */
export interface TableSpec {
  readonly elt: number;
  /** Records it may have; null for as many as the host writes. */
  readonly records: number | null;
  readonly units: readonly RecordUnit[];
}

/** Whom external memory answers, its tables and its latency in cycles. */
export interface MemoryInput {
  readonly inputPort: Address;
  readonly tables: readonly TableSpec[];
  readonly latency: number;
}

/** External memory: records by table, read pointers, and from when on it has read ahead. */
export interface MemoryContext {
  readonly spec: MemoryInput;
  /** By table and record: the words of its units; null for a record never written. */
  records: (readonly Word[] | null)[][];
  /** By table: the next record to read. */
  pointers: number[];
  /** First cycle in which the memory has the first word of what it reads ahead. */
  readyFrom: number;
}

const role = grapeProtocol.roles.ExternalMemory;
const { update, act } = role.component<MemoryContext>();

const tableIndex = ({ spec }: MemoryContext, elt: number): number =>
  spec.tables.findIndex((table) => table.elt === elt);

function open(
  c: MemoryContext,
  { elt, records, advance }: GrapeMessage<'em.open'>,
  out: GrapeOutbox<'ExternalMemory'>,
): void {
  const to = c.spec.inputPort;
  const at = tableIndex(c, elt);
  const table = c.spec.tables[at];
  if (table === undefined) {
    out.post({ to, type: 'em.refused', why: `there is no region ${elt}` });
    return;
  }
  const first = c.pointers[at]!;
  if (table.records !== null && first + records > table.records) {
    const why = `record ${first + records - 1} of region ${elt}, which has ${table.records}`;
    out.post({ to, type: 'em.refused', why });
    return;
  }
  if (advance) c.pointers[at] = first + records;
  out.post({ to, type: 'em.opened', first, units: table.units });
}

/** A unit, as soon as the memory has it: records that were never written are zeros (GRAPE specification 3.7). */
function read(
  c: MemoryContext,
  { elt, record, unit }: GrapeMessage<'em.read'>,
  out: GrapeOutbox<'ExternalMemory'>,
): void {
  const word = c.records[tableIndex(c, elt)]?.[record]?.[unit] ?? 0n;
  const delay = Math.max(0, c.readyFrom - out.now);
  out.post({ to: c.spec.inputPort, type: 'em.word', word, delay });
}

/**
 * External memory (GRAPE specification 6.3, EM): records of tables, one unit a cycle.
 *
 * Details: it reads ahead from its read pointers, so that its latency shows only after a store or a rewind; the cycles of a transfer are then those
 * of the specification's formulas (6.6).
 */
export const externalMemory = setup({
  types: role.types<MemoryContext, MemoryInput>(),
  actions: {
    store: update<'em.store'>((c, { elt, record, words }, { now }) => {
      const table = c.records[tableIndex(c, elt)]!;
      while (table.length < record) table.push(null);
      table[record] = words;
      c.readyFrom = Math.max(c.readyFrom, now + c.spec.latency);
    }),
    rewind: update<'em.rewind'>((c, _event, { now }) => {
      c.pointers.fill(0);
      // The run begins in the next cycle.
      c.readyFrom = Math.max(c.readyFrom, now + 1 + c.spec.latency);
    }),
    clear: update((c) => {
      for (const table of c.records) table.length = 0;
    }),
    open: act<'em.open'>(open),
    serve: act<'em.read'>(read),
  },
}).createMachine({
  id: 'externalMemory',
  context: ({ input }) => ({
    spec: input,
    records: input.tables.map(() => []),
    pointers: input.tables.map(() => 0),
    readyFrom: 0,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'em.store': { actions: 'store' },
        'em.rewind': { actions: 'rewind' },
        'em.clear': { actions: 'clear' },
        'em.open': { actions: 'open' },
        'em.read': { target: 'serve', actions: 'serve' },
      },
    },
    serve: { always: 'idle' },
  },
});
