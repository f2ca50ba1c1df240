import fc from 'fast-check';
import { buffer } from './drawn.ts';
import { buffers, type Phase } from './stage.ts';

const lanes = 16;
/** Rows of the table of each CPE (Sunway specification 6.10: a row has 64 bytes). */
const rows = 4;

const vector = fc.array(fc.nat(rows - 1), { minLength: lanes, maxLength: lanes });

/** A table is copied to lanes, written and looked up (6.10). */
export const tables: fc.Arbitrary<Phase> = fc
  .record({
    from: buffer,
    count: fc.constantFrom(lanes, lanes, 8, 1),
    written: vector,
    looked: vector,
    value: fc.nat(2 ** 20),
  })
  .map(({ from, count, written, looked, value }) => (stage) => {
    const table = stage.addressOf('table');
    const original = buffers[from]!;
    const bases = new Array<number>(lanes).fill(Math.floor(table / 64) * 4);
    const offsets = (of: readonly number[]): number[] => of.map((row) => 4 * row);
    const values = bases.map((_, lane) => value + lane);
    const origins = bases.map((_, lane) => stage.addressOf(buffers[(from + lane) % buffers.length]!));
    stage.add(
      count === lanes ? ['ptab_cpy16', original, rows, table] : ['ptab_cpy', origins, rows, count, table],
      ['ptab_lookup', offsets(looked), bases],
      ['ptab_write', offsets(written), bases, values],
      ['ptab_lookup', offsets(looked), bases],
    );
    stage.atCpes((world, tid) => {
      const bytes = world.table(tid);
      const view = new DataView(bytes.buffer);
      for (let lane = 0; lane < count; lane++) {
        const name = count === lanes ? original : buffers[(from + lane) % buffers.length]!;
        const entries = new DataView(world.of(name, tid).buffer);
        for (let row = 0; row < rows; row++)
          view.setUint32(64 * row + 4 * lane, entries.getUint32(4 * row, true), true);
      }
      for (const [lane, row] of written.entries()) view.setUint32(64 * row + 4 * lane, values[lane]!, true);
    });
  });
