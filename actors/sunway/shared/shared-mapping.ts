import { invariant } from '../../../kernel/errors.ts';

/** How the shared space of a share group lies over the LDMs of its members (Sunway specification 6.6). */
export interface SharedMapping {
  /** Members in order of their parts. */
  readonly members: readonly number[];
  /** Bytes that each member contributes. */
  readonly shareBytes: number;
  /** Where that begins in its LDM. */
  readonly base: number;
  /** Bytes of a block of the cyclic mapping, a divisor of `shareBytes`; 0 for whole parts one after the other. */
  readonly interleaveBytes: number;
}

/** A contiguous piece of the shared space within one LDM. */
export interface SharedPiece {
  /** Whose LDM. */
  readonly tid: number;
  /** First byte in that LDM. */
  readonly local: number;
  /** First byte from the start of the range that was asked for. */
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes of the whole shared space. */
export const sharedSpaceBytes = ({ members, shareBytes }: SharedMapping): number =>
  members.length * shareBytes;

/** Cuts a range of the shared space by ownership, in ascending order; neighbours in one LDM are one piece. */
export function sharedPieces(mapping: SharedMapping, first: number, bytes: number): readonly SharedPiece[] {
  invariant(first >= 0 && first + bytes <= sharedSpaceBytes(mapping), 'the range lies in the shared space');
  const unit = mapping.interleaveBytes === 0 ? mapping.shareBytes : mapping.interleaveBytes;
  const cut: SharedPiece[] = [];
  for (let offset = 0; offset < bytes; ) {
    const at = first + offset;
    const block = Math.floor(at / unit);
    const within = at % unit;
    const count = Math.min(bytes - offset, unit - within);
    const place = ownerOf(mapping, block, unit);
    const last = cut.at(-1);
    if (last !== undefined && last.tid === place.tid && last.local + last.bytes === place.local + within)
      cut[cut.length - 1] = { ...last, bytes: last.bytes + count };
    else cut.push({ tid: place.tid, local: place.local + within, offset, bytes: count });
    offset += count;
  }
  return cut;
}

function ownerOf(
  { members, base, interleaveBytes }: SharedMapping,
  block: number,
  unit: number,
): { readonly tid: number; readonly local: number } {
  if (interleaveBytes === 0) return { tid: members[block]!, local: base };
  const round = Math.floor(block / members.length);
  return { tid: members[block % members.length]!, local: base + round * unit };
}
