import { changeBetween } from '../change.ts';
import { headBit, tailBit } from '../flit.ts';
import { changeAt, type PayloadStore, wordsAt } from './payload-store.ts';
import type { RouterTables } from './router-tables.ts';

/** The register's words are held by itself. */
export const held = -1;

/**
 * Registers that remember the words of the last flit that went by and say what the next one changes (chiplet specification 5.9).
 *
 * Details: they are a table of their router. A register that saw the flit before in the packet takes what was counted at injection. Words are
 * copied only when a tail goes by: before that, the packet is still in the network, and the payload store has them. All registers begin with
 * zeros.
 */
export class ToggleRegisters {
  constructor(
    readonly tables: RouterTables,
    readonly cells: Int32Array,
  ) {}

  /** What a flit changes in a register, which then has seen it; as `changeBetween` writes it. */
  see(register: number, flit: number, payload: PayloadStore): number {
    const { cells, tables } = this;
    const at = tables.seenFlits + register;
    const last = cells[at]!;
    const page = payload.pageOf(flit);
    const record = payload.offsetOf(flit);
    const width = 2 * tables.words;
    const own = tables.seenWords + register * width;
    let change = 0;
    if ((flit & headBit) === 0 && last >> 2 === (flit >> 2) - 1) change = page[record + changeAt]!;
    else {
      const before = last === held ? cells : payload.pageOf(last);
      const beforeAt = last === held ? own : payload.offsetOf(last) + wordsAt;
      for (let i = 0; i < width; i++)
        change += changeBetween(page[record + wordsAt + i]!, before[beforeAt + i]!);
    }
    if ((flit & tailBit) === 0) cells[at] = flit;
    else {
      for (let i = 0; i < width; i++) cells[own + i] = page[record + wordsAt + i]!;
      cells[at] = held;
    }
    return change;
  }
}
