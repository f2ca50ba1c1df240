import type { Program } from '../../actors/grape/program.ts';
import { controlName, countTicks, grapeProperty, nameOfBlock } from './context.ts';
import { slotsOf } from './sections.ts';

/** A run of passes over j records, as far as it has come. */
interface Passes {
  readonly count: number;
  /** Slots issued. */
  slots: number;
  /** Transfers of records begun, and the cycles from which on those that ended are in place. */
  begun: number;
  readonly inPlace: number[];
  /** By pass: the cycle in which its last slot that the next records must wait for ends. */
  readonly read: Record<number, number>;
}

/** A pass has its own records in broadcast memory, those and no others, as long as it reads them (GRAPE specification 6.4). */
export const passesBeginWithTheirRecords = grapeProperty(
  'a pass begins when its records are in place, and they stay until it has read them',
  ['control.run', 'slot.issue', 'idp.start', 'idp.done', 'control.done'],
  (): { passes: Passes | undefined; tick: number } => ({ passes: undefined, tick: 0 }),
  ({ config, program }) => {
    const first = nameOfBlock(0);
    const before = slotsOf(program, 'loopInitialization').length;
    const body = slotsOf(program, 'loopBody');
    const brings = program.type === 1 && places(program).length > 0 && body.length > 0;
    const last = config.jPolicy === 'serial' ? body.length - 1 : lastReader(program);

    return {
      advance: countTicks,
      judges: ({ type }) => type.startsWith('idp.'),
      see(memory, { to, event }, found) {
        const { passes, tick } = memory;
        // What the control processor begins, begins in the cycle after the one in which it says so.
        const begins = tick + 1;
        switch (event.type) {
          case 'control.run': {
            const { name, passes: count } = event.job;
            memory.passes =
              brings && name === 'run' ? { count, slots: 0, begun: 0, inPlace: [], read: {} } : undefined;
            return;
          }
          case 'idp.start': {
            if (!passes) return;
            const pass = passes.begun++;
            if (event.elt !== 0 || event.mode !== 0)
              found([controlName], `records of table ${event.elt} come in a pass`);
            const from = pass === 0 ? 0 : passes.read[pass - 1];
            if (from === undefined || begins < from)
              found(
                [controlName],
                `the records of pass ${pass} come before pass ${pass - 1} has read its own`,
              );
            return;
          }
          case 'idp.done':
            passes?.inPlace.push(tick + event.after);
            return;
          case 'slot.issue': {
            if (!passes || to !== first) return;
            const at = passes.slots++ - before;
            const pass = Math.floor(at / body.length);
            if (at < 0 || pass >= passes.count) return;
            if (at % body.length === last) passes.read[pass] = begins + event.length;
            const from = passes.inPlace[pass];
            if (at % body.length === 0 && (from === undefined || from > begins))
              found([controlName], `pass ${pass} begins in cycle ${begins}, before its records are there`);
            return;
          }
          case 'control.done':
            if (passes && event.fault === null && passes.begun !== passes.count)
              found([controlName], `${passes.begun} transfers of records for ${passes.count} passes`);
            memory.passes = undefined;
            return;
        }
      },
    };
  },
);

/** Short-word addresses of a j record. */
function places({ symbols }: Program): readonly number[] {
  return symbols.flatMap(({ transfer, addr, long, vector }) =>
    transfer?.kind === 'elt' && transfer.num === 0
      ? Array.from({ length: (long ? 2 : 1) * (vector ? 4 : 1) }, (_, at) => addr + at)
      : [],
  );
}

/** Index of the last slot of the body that reads the record from broadcast memory; the last one of all when none does. */
function lastReader(program: Program): number {
  const record = new Set(places(program));
  const body = slotsOf(program, 'loopBody');
  const found = body.findLastIndex(({ slot, vlen }) => {
    if (!slot?.bm?.toPe) return false;
    const { addr, long } = slot.bm.bm;
    const count = vlen * (long ? 2 : 1);
    return Array.from({ length: count }, (_, at) => addr + at).some((one) => record.has(one));
  });
  return found < 0 ? body.length - 1 : found;
}
