/** The path of an SPU in findings. */
export const spuName = (spu: number): string => `Spu[${spu}]`;

/** The path of a DMA module in findings. */
export const dmaName = (spu: number): string => `Dma[${spu}]`;

/** The path of an SPU's memory in findings. */
export const memoryName = (spu: number): string => `Memory[${spu}]`;

/** The path of the data arbiter in findings. */
export const ARBITER = 'Arbiter';

/** The path of the command bus in findings. */
export const BUS = 'Bus';

/** The path of the cycle controller in findings. */
export const CONTROLLER = 'Controller';
