import type { EibSpec } from './eib-spec.ts';
import type { EibCommand } from './operations.ts';

/**
 * Says what is wrong with a command of element `self`, or undefined when an MFC can carry it out: 1, 2, 4, 8 or a multiple of 16 bytes up to
 * the largest size, at most so many list pieces, a tag group that exists, another element, ranges inside both stores (Cell specification 19.1).
 *
 * Details: both addresses are multiples of the size, or of 16 for sizes from 16 up. The specification gives the sizes only; without the
 * alignment the beats of a packet would not be whole quadwords.
 */
export function commandFault(
  spec: EibSpec,
  storeBytes: readonly number[],
  self: number,
  command: EibCommand,
): string | undefined {
  const { local, element, pieces, tag } = command;
  if (storeBytes[element] === undefined)
    return `element is ${element}, expected 0..${spec.elements.length - 1}`;
  if (element === self) return `element is ${spec.elements[self]} itself, expected another one`;
  if (!isIndex(tag, spec.tagGroups)) return `tag is ${tag}, expected 0..${spec.tagGroups - 1}`;
  if (pieces.length < 1 || pieces.length > spec.maxListElements)
    return `the list has ${pieces.length} elements, expected 1..${spec.maxListElements}`;
  let own = local;
  for (const { address, size } of pieces) {
    if (!isDmaSize(spec, size))
      return `size is ${size}, expected 1, 2, 4, 8 or a multiple of 16 up to ${spec.maxDmaBytes}`;
    const alignment = Math.min(size, 16);
    const fault =
      placeFault('local address', own, size, alignment, storeBytes[self]!) ??
      placeFault('address', address, size, alignment, storeBytes[element]!);
    if (fault !== undefined) return fault;
    own += size;
  }
  return undefined;
}

function isDmaSize(spec: EibSpec, size: number): boolean {
  if (!Number.isInteger(size) || size < 1 || size > spec.maxDmaBytes) return false;
  return size % 16 === 0 || size === 1 || size === 2 || size === 4 || size === 8;
}

function isIndex(value: number, count: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count;
}

function placeFault(
  what: string,
  address: number,
  size: number,
  alignment: number,
  storeBytes: number,
): string | undefined {
  if (!isIndex(address, storeBytes) || address + size > storeBytes)
    return `${what} ${address} and ${size} bytes leave the store of ${storeBytes} bytes`;
  if (address % alignment !== 0)
    return `${what} is ${address}, expected a multiple of ${alignment} for ${size} bytes`;
  return undefined;
}
