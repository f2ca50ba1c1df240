import type { Item, Program } from '../../actors/grape/program.ts';
import type { GrapeConfig } from './config.ts';

type ChipSize = Pick<GrapeConfig, 'nBB' | 'nPE'>;

/** A program that names PEs or blocks that a chip does not have. */
export class ChipMisfit extends Error {
  override readonly name = 'ChipMisfit';
}

/**
 * What a program names that a chip does not have, one sentence each; empty when it fits. The assembler knows no chip (GRAPE specification 3.6,
 * 3.7, 7.6, 13.19).
 */
export function misfitsOf(program: Program, size: ChipSize): readonly string[] {
  const items = Object.values(program.sections).flat();
  const results = program.symbols.flatMap(({ name, transfer }) =>
    readsOut(transfer?.redop, size) ? [`${name} is the result of block ${transfer!.redop}`] : [],
  );
  const found = [...results, ...items.flatMap((item) => misfitsOfItem(item, size))];
  return found.map((what) => `${what}, the chip has ${size.nBB} of ${size.nPE} PEs`);
}

function misfitsOfItem(item: Item, size: ChipSize): readonly string[] {
  const { nBB, nPE } = size;
  switch (item.kind) {
    case 'slot': {
      const { line, bm, idp, rrn } = item;
      return [
        ...(bm?.peid !== undefined && bm.peid >= nPE ? [`line ${line} moves words of PE ${bm.peid}`] : []),
        ...(idp && idp.mode !== 0 && idp.bbid >= nBB ? [`line ${line} fills block ${idp.bbid}`] : []),
        ...(readsOut(rrn?.op, size) ? [`line ${line} reads out block ${rrn!.op}`] : []),
      ];
    }
    case 'RRN':
      return readsOut(item.op, size) ? [`line ${item.line} reads out block ${item.op}`] : [];
    case 'print':
    case 'DBG': {
      const { line, bb, pe = 0 } = item;
      return bb >= nBB || pe >= nPE ? [`line ${line} shows PE ${pe} of block ${bb}`] : [];
    }
    default:
      return [];
  }
}

const readsOut = (op: string | undefined, { nBB }: ChipSize): boolean =>
  op !== undefined && /^\d+$/.test(op) && Number(op) >= nBB;
