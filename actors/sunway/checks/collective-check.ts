import { arrayCpes } from '../array/identity.ts';
import { dataTypes } from '../reduction/data-type.ts';
import { isOperation, operationFits } from '../reduction/operation.ts';
import { type ReturnCode, returnCode } from '../return-code.ts';
import { alignCode, type CheckFacts, countCode, lengthCode, overlap, rangeCode } from './parts.ts';

/** The arguments of `scoll_alltoall`; buffers hold 64 units each. */
export interface AlltoallArguments {
  readonly source: number;
  readonly target: number;
  /** Bytes of a unit. */
  readonly unitBytes: number;
}

/** The code of `scoll_alltoall` (Sunway specification 6.11, 11: E1, E3, E11). */
export function alltoallCode(
  { source, target, unitBytes }: AlltoallArguments,
  facts: CheckFacts,
): ReturnCode {
  const bytes = unitBytes * arrayCpes;
  return (
    lengthCode(unitBytes) ||
    alignCode(4, source, target) ||
    rangeCode(['ldm'], source, bytes, facts) ||
    rangeCode(['ldm'], target, bytes, facts) ||
    (overlap(source, bytes, target, bytes) ? returnCode.E_OVERLAP : returnCode.SUCCESS)
  );
}

/** The arguments of `scoll_alltoall_inplace`. */
export interface InPlaceArguments {
  readonly source: number;
  readonly unitBytes: number;
  readonly scratch: number;
  /** Units that the scratch holds, 1 at least. */
  readonly scratchUnits: number;
}

/** The code of `scoll_alltoall_inplace`. */
export function alltoallInPlaceCode(given: InPlaceArguments, facts: CheckFacts): ReturnCode {
  const bytes = given.unitBytes * arrayCpes;
  const scratchBytes = given.unitBytes * given.scratchUnits;
  return (
    lengthCode(given.unitBytes) ||
    countCode(given.scratchUnits) ||
    alignCode(4, given.source, given.scratch) ||
    rangeCode(['ldm'], given.source, bytes, facts) ||
    rangeCode(['ldm'], given.scratch, scratchBytes, facts) ||
    (overlap(given.source, bytes, given.scratch, scratchBytes) ? returnCode.E_OVERLAP : returnCode.SUCCESS)
  );
}

/** The arguments of `scoll_redurt`. */
export interface ReductionArguments {
  readonly source: number;
  readonly target: number;
  /** Elements. */
  readonly units: number;
  /** Codes of data type and operation. */
  readonly dataType: number;
  readonly operation: number;
  readonly scratch: number;
  /** Elements that the scratch holds. */
  readonly scratchUnits: number;
}

/**
 * The code of `scoll_redurt` (Sunway specification 6.11, 11: E10).
 *
 * Details: source and target may be the same but not overlap otherwise; the part of the scratch that is used may overlap
 * neither. Whether all of the scratch is allocated is another question, see `ScratchOverflow`.
 */
export function reductionCode(given: ReductionArguments, facts: CheckFacts): ReturnCode {
  const type = dataTypes.get(given.dataType);
  if (type === undefined) return returnCode.E_DTYPE;
  if (!isOperation(given.operation) || !operationFits(given.operation, type)) return returnCode.E_OP;
  const bytes = given.units * type.bytes;
  const scratchBytes = Math.min(given.units, given.scratchUnits) * type.bytes;
  const clash =
    (given.source !== given.target && overlap(given.source, bytes, given.target, bytes)) ||
    overlap(given.scratch, scratchBytes, given.source, bytes) ||
    overlap(given.scratch, scratchBytes, given.target, bytes);
  return (
    countCode(given.units) ||
    countCode(given.scratchUnits) ||
    alignCode(4, given.source, given.target) ||
    alignCode(4, given.scratch) ||
    rangeCode(['ldm'], given.source, bytes, facts) ||
    rangeCode(['ldm'], given.target, bytes, facts) ||
    rangeCode(['ldm'], given.scratch, scratchBytes, facts) ||
    (clash ? returnCode.E_OVERLAP : returnCode.SUCCESS)
  );
}
