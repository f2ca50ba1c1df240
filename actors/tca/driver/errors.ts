/** What the hardware and its driver refuse (TCA specification 17), with cause and cure. */
export const driverErrors = {
  EALIGN: {
    cause:
      'a size is no multiple of 4, source and destination differ in their low four address bits, or their strides in their class',
    cure: 'use sizes that are multiples of 4 bytes, and offsets and strides that agree modulo 16',
  },
  ENOTREG: {
    cause: 'the memory was not obtained with tcaMalloc, or its handle was destroyed',
    cure: 'take memory from tcaMalloc and make a handle of it',
  },
  ERANGE: {
    cause: 'a transfer reaches beyond the memory of its handle, or a slot or channel is not there',
    cure: 'keep offset and extent inside the size of the handle, slots below 256, channels below 4',
  },
  EUR: {
    cause: 'a channel reads an address of another node, or something is written where no memory is',
    cure: 'read local memory only: what is remote is written, never read; then reset the channel',
  },
  EUNREACH: {
    cause: 'the node belongs to another sub-cluster',
    cure: 'exchange handles inside of a sub-cluster of at most 16 nodes',
  },
  EBUSY: {
    cause: 'a channel that has not stopped was loaded or started',
    cure: 'wait with tcaWaitDMAC before the next tcaDescSet or tcaStartDMADesc',
  },
  ECHAIN: {
    cause: 'a chain is empty, has more than 1024 descriptors or an empty block',
    cure: 'use 1 to 1024 descriptors, each with blocks of at least 4 bytes',
  },
  RESOURCE: {
    cause: 'the memory of the node has no piece of this size left',
    cure: 'free memory, or configure more of it',
  },
} as const;

/** Code of a refusal of the driver. */
export type DriverErrorCode = keyof typeof driverErrors;

/** A call of the driver that was refused: nothing was started. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  constructor(
    readonly code: DriverErrorCode,
    /** The call. */
    readonly call: string,
    /** What it was given. */
    found: string,
  ) {
    const { cause, cure } = driverErrors[code];
    super(`${code} ${call}: ${found}; expected otherwise, since ${cause}\n  help: ${cure}`);
  }
}

/** True for a code of the catalogue. */
export const isDriverErrorCode = (text: string): text is DriverErrorCode => Object.hasOwn(driverErrors, text);
