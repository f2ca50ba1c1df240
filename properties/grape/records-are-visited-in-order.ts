import type { Program } from '../../actors/grape/program.ts';
import { judged, property } from '../property.ts';
import { type GrapeContext, inputName, memoryName, said } from './context.ts';

/** Read pointers of regions: each record once and in order; mode 2 leaves them where they are (GRAPE specification 3.7, 13.13). */
export const recordsAreVisitedInOrder = property<GrapeContext>(
  'idp visits the records of a region in order, mode 2 without moving on',
  (run, { config: { nBB }, program }) =>
    judged(
      said(run, 'control.run', 'idp.start', 'em.opened', 'em.refused', 'em.read', 'idp.done'),
      (found) => {
        const pointers = new Map<number, number>();
        let transfer: { readonly elt: number; readonly mode: number } | undefined;
        let first = 0;
        let units = 1;
        let reads = 0;

        return {
          see({ event }) {
            switch (event.type) {
              case 'control.run':
                if (beginsRun(event.job.name)) pointers.clear();
                return;
              case 'idp.start':
                transfer = event;
                reads = 0;
                return;
              case 'em.opened': {
                if (!transfer) return;
                const { elt, mode } = transfer;
                const next = pointers.get(elt) ?? 0;
                const records = mode === 0 ? nBB : 1;
                if (event.first !== next)
                  found([memoryName], `region ${elt} is read from record ${event.first} on, not ${next}`);
                const limit = limitOf(program, elt);
                if (limit !== undefined && next + records > limit)
                  found([memoryName], `region ${elt} has no record ${next + records - 1}, but was opened`);
                first = event.first;
                units = event.units.length;
                if (mode !== 2) pointers.set(elt, event.first + records);
                return;
              }
              case 'em.refused': {
                if (!transfer) return;
                const { elt, mode } = transfer;
                const end = (pointers.get(elt) ?? 0) + (mode === 0 ? nBB : 1);
                const limit = limitOf(program, elt);
                if (limit === undefined || end <= limit)
                  found([memoryName], `record ${end - 1} of region ${elt} is refused`);
                transfer = undefined;
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
                reads++;
                return;
              }
              case 'idp.done': {
                if (!transfer) return;
                const expected = (transfer.mode === 0 ? nBB : 1) * units;
                if (reads !== expected) found([inputName], `${reads} words were read, not ${expected}`);
                transfer = undefined;
                return;
              }
            }
          },
        };
      },
    ),
);

/** Jobs that set all read pointers back. */
const beginsRun = (job: string): boolean => job === 'run' || job === 'type2Run' || job === 'alone';

/** Records that a region of a type II program has: regions of one table share the largest number. Undefined where there is no limit. */
function limitOf({ type, regions }: Program, elt: number): number | undefined {
  if (type === 1) return undefined;
  return Math.max(0, ...regions.filter((region) => region.elt === elt).map(({ count }) => count));
}
