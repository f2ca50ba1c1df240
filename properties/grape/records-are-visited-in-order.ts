import type { Program } from '../../actors/grape/program.ts';
import { grapeProperty, inputName, memoryName } from './context.ts';

interface Memory {
  /** By region: the next record. */
  pointers: Record<number, number>;
  transfer: { readonly elt: number; readonly mode: number } | undefined;
  /** Of the transfer: its first record, units of a record, and units read so far. */
  first: number;
  units: number;
  reads: number;
}

/** Read pointers of regions: each record once and in order; mode 2 leaves them where they are (GRAPE specification 3.7, 13.13). */
export const recordsAreVisitedInOrder = grapeProperty(
  'idp visits the records of a region in order, mode 2 without moving on',
  ['control.run', 'idp.start', 'em.opened', 'em.refused', 'em.read', 'idp.done'],
  (): Memory => ({ pointers: {}, transfer: undefined, first: 0, units: 1, reads: 0 }),
  ({ config: { nBB }, program }) => ({
    judges: ({ type }) => type === 'idp.start',
    see(memory, { event }, found) {
      const { pointers, transfer, first, units, reads } = memory;
      switch (event.type) {
        case 'control.run':
          if (beginsRun(event.job.name)) memory.pointers = {};
          return;
        case 'idp.start':
          memory.transfer = { elt: event.elt, mode: event.mode };
          memory.reads = 0;
          return;
        case 'em.opened': {
          if (!transfer) return;
          const { elt, mode } = transfer;
          const next = pointers[elt] ?? 0;
          const records = mode === 0 ? nBB : 1;
          if (event.first !== next)
            found([memoryName], `region ${elt} is read from record ${event.first} on, not ${next}`);
          const limit = limitOf(program, elt);
          if (limit !== undefined && next + records > limit)
            found([memoryName], `region ${elt} has no record ${next + records - 1}, but was opened`);
          memory.first = event.first;
          memory.units = event.units.length;
          if (mode !== 2) pointers[elt] = event.first + records;
          return;
        }
        case 'em.refused': {
          if (!transfer) return;
          const { elt, mode } = transfer;
          const end = (pointers[elt] ?? 0) + (mode === 0 ? nBB : 1);
          const limit = limitOf(program, elt);
          if (limit === undefined || end <= limit)
            found([memoryName], `record ${end - 1} of region ${elt} is refused`);
          memory.transfer = undefined;
          return;
        }
        case 'em.read': {
          const record = first + Math.floor(reads / units);
          const unit = reads % units;
          if (event.elt !== transfer?.elt || event.record !== record || event.unit !== unit)
            found(
              [inputName],
              `word ${event.unit} of record ${event.record} is read where word ${unit} of record ${record} is next`,
            );
          memory.reads++;
          return;
        }
        case 'idp.done': {
          if (!transfer) return;
          const expected = (transfer.mode === 0 ? nBB : 1) * units;
          if (reads !== expected) found([inputName], `${reads} words were read, not ${expected}`);
          memory.transfer = undefined;
          return;
        }
      }
    },
  }),
);

/** Jobs that set all read pointers back. */
const beginsRun = (job: string): boolean => job === 'run' || job === 'type2Run' || job === 'alone';

/** Records that a region of a type II program has: regions of one table share the largest number. Undefined where there is no limit. */
function limitOf({ type, regions }: Program, elt: number): number | undefined {
  if (type === 1) return undefined;
  return Math.max(0, ...regions.filter((region) => region.elt === elt).map(({ count }) => count));
}
