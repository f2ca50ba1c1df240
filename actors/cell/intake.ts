/** The part of a machine's configuration that decides whether a request is acceptable (Cell specification 2, 11). */
export interface IntakeSpec {
  readonly N: number;
  readonly memSize: number;
  readonly selfTransfer: 'point' | 'reject';
  readonly zeroSize: 'complete' | 'reject';
}

/** What is wrong with the arguments of a get or put, or undefined (Cell specification 11). Nothing is changed in either case. */
export function refusalOf(
  spec: IntakeSpec,
  spu: number,
  request: { readonly my: number; readonly peer: number; readonly addr: number; readonly size: number },
): string | undefined {
  const { my, peer, addr, size } = request;
  if (!Number.isInteger(size) || size < 0) return `size is ${size}, expected an integer of at least 0`;
  if (!Number.isInteger(peer) || peer < 0 || peer >= spec.N)
    return `SPU ${peer} does not exist, expected 0..${spec.N - 1}`;
  if (peer === spu && spec.selfTransfer === 'reject')
    return `SPU ${spu} may not transfer to itself (selfTransfer: reject)`;
  if (size === 0 && spec.zeroSize === 'reject')
    return 'a transfer of 0 bytes is not allowed (zeroSize: reject)';
  return (
    rangeRefusal('own address', my, size, spec.memSize) ??
    rangeRefusal(`address in SPU ${peer}`, addr, size, spec.memSize)
  );
}

/** What is wrong with an address, or undefined. */
export function addressRefusal(addr: number, memSize: number): string | undefined {
  return Number.isInteger(addr) && addr >= 0 && addr < memSize
    ? undefined
    : `address ${addr} is outside 0..${memSize - 1}`;
}

/** What is wrong with a byte value, or undefined. */
export function valueRefusal(value: number): string | undefined {
  return Number.isInteger(value) && value >= 0 && value <= 255
    ? undefined
    : `value ${value} is outside 0..255`;
}

function rangeRefusal(what: string, first: number, size: number, memSize: number): string | undefined {
  // For an empty transfer the address may be the end of the memory.
  const end = first + size;
  if (Number.isInteger(first) && first >= 0 && end <= memSize) return undefined;
  return size === 0
    ? `${what} ${first} with 0 bytes is outside 0..${memSize}`
    : `${what} ${first} with ${size} bytes is outside 0..${memSize - 1}`;
}
