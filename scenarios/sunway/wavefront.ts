import { remoteAddress } from '../../actors/sunway/address/space.ts';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const side = 8;
/** Rows of the array. */
const rowsFull = 8;

type Steps<T = void> = Generator<CpeOperation, T, number>;

/** What a CPE makes of its number and the values above and left of it. */
const valueAt = (tid: number, above: number, left: number): number =>
  ((tid % 13) + 1 + 3 * above + 5 * left) % 1009;

/** The same by a loop on one core. */
function sequentially(cpes: number): readonly number[] {
  const values: number[] = [];
  for (let tid = 0; tid < cpes; tid++)
    values.push(valueAt(tid, values[tid - side] ?? 0, tid % side > 0 ? values[tid - 1]! : 0));
  return values;
}

/** How a CPE hands a value on. */
interface Habits {
  /** Flags are marked as such. */
  readonly marked: boolean;
  /** The value goes before the flag that announces it. */
  readonly valueFirst: boolean;
}

/** Waits for the values above and left, and pushes its own right and down through the window between LDMs. */
const push = (rows: number, { marked, valueFirst }: Habits): CpeProgram =>
  function* (c, out) {
    const slots = ['above', 'left'].map((name) => ({
      value: c.ldmStatic(name, 4),
      flag: c.ldmStatic(`${name} is here`, 4),
    }));
    const own = c.ldmStatic('own', 4);
    const [above, left] = [slots[0]!, slots[1]!];
    for (const { flag } of slots) yield c.stFlag(flag, 0);
    yield c.ssync_array();
    const taken = function* (slot: typeof above): Steps<number> {
      const look = () => (marked ? c.ldFlag(slot.flag) : c.ld(slot.flag, 'i32'));
      while ((yield look()) === 0) yield c.compute(16);
      return yield* c.ld(slot.value, 'i32');
    };
    const fromAbove = c.rid > 0 ? yield* taken(above) : 0;
    const fromLeft = c.cid > 0 ? yield* taken(left) : 0;
    const value = valueAt(c.tid, fromAbove, fromLeft);
    if (c.cid < side - 1) yield* hand(c, c.tid + 1, left, value, { marked, valueFirst });
    if (c.rid < rows - 1) yield* hand(c, c.tid + side, above, value, { marked, valueFirst });
    yield c.st(own, 'i32', value);
    yield c.dma_put(out + 4 * c.tid, own, 4);
  };

/** Writes a value and its flag into the LDM of another CPE. */
function* hand(
  c: CpeApi,
  to: number,
  slot: { readonly value: number; readonly flag: number },
  value: number,
  { marked, valueFirst }: Habits,
): Steps {
  const flag = remoteAddress(to, slot.flag);
  const raise = () => (marked ? c.stFlag(flag, 1) : c.st(flag, 'i32', 1));
  if (!valueFirst) yield raise();
  yield c.st(remoteAddress(to, slot.value), 'i32', value);
  if (valueFirst) yield raise();
}

/** Runs the array, and compares the values with those of a loop. */
const onGrid = (rows: number, habits: Habits): MpeProgram =>
  function* (h) {
    const cpes = rows * side;
    yield h.init();
    const out = h.memAlloc(4 * cpes);
    yield h.athread_spawn(push(rows, habits), out);
    yield h.athread_join();
    const values = [...(yield* h.ldBlock(out, 'i32', cpes))];
    const expected = sequentially(cpes);
    yield h.tell('row 0', values.slice(0, side).join(' '));
    yield h.tell('row 7', values.slice(-side).join(' '));
    yield h.tell(
      'sum',
      values.reduce((sum, one) => sum + one, 0),
    );
    yield h.tell('as a loop on one core', values.filter((one, tid) => one === expected[tid]).length);
  };

/** A wavefront over so many rows of the array, with flags in remote LDM (specification 13, S11). */
export const wavefrontOf = (rows: number): MpeProgram => onGrid(rows, { marked: true, valueFirst: true });
/** The same on the whole array. */
export const wavefront = wavefrontOf(rowsFull);
/** Flags are words like others. */
export const unmarkedWavefront = onGrid(rowsFull, { marked: false, valueFirst: true });
/** Flags are raised before the value is there. */
export const hastyWavefront = onGrid(rowsFull, { marked: true, valueFirst: false });
