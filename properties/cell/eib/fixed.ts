import { fourPairsRows } from '../../../machines/cell/cellbe-workloads.ts';

/** The pairs of the published measurements, a text for each row (Cell specification 19.3). */
export const cellbeFixed = { pairsOfRows: fourPairsRows.map((row) => row.join(' ')) };
