/*
 * The flat addresses of a chiplet (chiplet specification 7.1): device memory from a nonzero base, local and shared memory of a thread in windows at
 * the top. All fit 32 bits, so that texts of both address sizes can hold them.
 */

/** First address of device memory. */
export const deviceBase = 0x10000;
/** First generic address of local memory. */
export const localWindow = 0xf0000000;
/** First generic address of shared memory. */
export const sharedWindow = 0xf8000000;
/** First address of the parameters of a kernel, where an instruction takes their address. */
export const parameterWindow = 0xff000000;
/** Bytes of local memory that `alloca` shares out. */
export const dynamicStackBytes = 1 << 13;
/** What `cudaMalloc` aligns to. */
export const allocationAlign = 256;

/** The next multiple of `align`. */
export const alignedUp = (bytes: number, align: number): number => Math.ceil(bytes / align) * align;
