import { placeOf } from '../address/space.ts';
import { type ReturnCode, returnCode } from '../return-code.ts';
import { alignCode, type CheckFacts, lengthCode, rangeCode } from './parts.ts';

/** Directions of `memcpy_sldm` (Sunway specification 6.5). */
export const copyDirection = { MEM_TO_LDM: 0x9000_1000, LDM_TO_MEM: 0x9000_2000 } as const;

/** The arguments of `memcpy_sldm`. */
export interface SharedCopyArguments {
  readonly target: number;
  readonly source: number;
  readonly bytes: number;
  readonly direction: number;
}

/** The code of `memcpy_sldm`: one side shared, the other main memory, as the direction says (Sunway specification 6.6, 11: E29). */
export function sharedCopyCode(given: SharedCopyArguments, facts: CheckFacts): ReturnCode {
  if (facts.sizes.sharedBytes === 0) return returnCode.E_STATE;
  const [shared, memory] =
    given.direction === copyDirection.MEM_TO_LDM
      ? [given.target, given.source]
      : [given.source, given.target];
  const known = given.direction === copyDirection.MEM_TO_LDM || given.direction === copyDirection.LDM_TO_MEM;
  return (
    lengthCode(given.bytes) ||
    alignCode(4, given.target, given.source) ||
    (known ? returnCode.SUCCESS : returnCode.E_SPACE) ||
    rangeCode(['shared'], shared, given.bytes, facts) ||
    rangeCode(['memory', 'cross'], memory, given.bytes, facts)
  );
}

/** The code of `sldm_get`: from shared space into the caller's LDM (Sunway specification 6.6). */
export const sharedGetCode = (
  { target, source, bytes }: Omit<SharedCopyArguments, 'direction'>,
  facts: CheckFacts,
): ReturnCode =>
  (facts.sizes.sharedBytes === 0 ? returnCode.E_STATE : returnCode.SUCCESS) ||
  lengthCode(bytes) ||
  alignCode(4, target, source) ||
  rangeCode(['ldm'], target, bytes, facts) ||
  rangeCode(['shared'], source, bytes, facts);

/** The code of `scache_evict`: main memory from `first` to `last`, both included (Sunway specification 6.9, 11: E31). */
export function evictCode(first: number, last: number, { sizes }: Pick<CheckFacts, 'sizes'>): ReturnCode {
  if (last < first) return returnCode.E_RANGE;
  const places = [placeOf(first, sizes), placeOf(last, sizes)];
  if (places.includes(undefined)) return returnCode.E_RANGE;
  return places.every((place) => place?.space === 'memory' || place?.space === 'cross')
    ? returnCode.SUCCESS
    : returnCode.E_SPACE;
}
