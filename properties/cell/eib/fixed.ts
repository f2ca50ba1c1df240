import type { CellbePrograms } from '../../../machines/cell/cellbe-config.ts';
import {
  adjacentPairs,
  allToMemory,
  fourPairs,
  fourPairsRows,
  hotSpot,
  onePair,
  shifted,
} from '../../../machines/cell/cellbe-workloads.ts';

const names = ['A', 'B', 'C', 'D', 'E'];

/** What each element is given: how many commands, the first and the last. */
const told = (programs: CellbePrograms): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(programs).map(([name, list]) => {
      const commands = list as readonly object[];
      const [first, last] = [commands[0]!, commands.at(-1)!].map((one) => Object.values(one).join(' '));
      return [name, `${commands.length} from ${first} to ${last}`];
    }),
  );

/** The workloads of the published measurements (Cell specification 19.1, 19.3, 19.4), a text for each row of pairs. */
export const cellbeFixed = {
  pairsOfRows: fourPairsRows.map((row) => row.join(' ')),
  fourPairs: told(fourPairs([[1, 3]])),
  onePair: told(onePair(128)),
  hotSpot: told(hotSpot()),
  allToMemory: told(allToMemory()),
  shifted: told(shifted(names, 2)),
  adjacentPairs: told(adjacentPairs(names)),
};
