import type { Dimensions, LaunchValue } from '../ptx/launch.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import type { ValueType } from '../ptx/value-type.ts';
import type { KernelReport } from './statistics.ts';

/*
 * What the program of a host asks for (chiplet specification 4.4, 4.5, 8), on a GPU chiplet and on a CPU chiplet.
 */

/** One operation. */
export type HostOperation =
  /** cudaMalloc: gives the address. */
  | { readonly op: 'malloc'; readonly bytes: number }
  /** cudaFree. */
  | { readonly op: 'free'; readonly address: number }
  /** cudaGetSymbolAddress: the address of a variable of .global or .const. */
  | { readonly op: 'symbol'; readonly name: string }
  /** cudaMemcpy from host to device. */
  | {
      readonly op: 'copyIn';
      readonly address: number;
      readonly type: ValueType;
      /** Integers of 64 bits that a number does not hold as bigints. */
      readonly values: readonly (number | bigint)[];
    }
  /** cudaMemcpy from device to host: gives the values. */
  | { readonly op: 'copyOut'; readonly address: number; readonly type: ValueType; readonly count: number }
  /** `kernel<<<grid, block, dynamicSharedBytes>>>(args)`, to its end: gives the report. */
  | {
      readonly op: 'launch';
      readonly kernel: string;
      readonly grid: Dimensions;
      readonly block: Dimensions;
      readonly args: readonly LaunchValue[];
      readonly dynamicSharedBytes?: number;
      /** Blocks of a cluster in each direction, where the kernel does not fix them. */
      readonly cluster?: Dimensions;
    }
  /** Works for so many instructions. */
  | { readonly op: 'compute'; readonly instructions: number }
  /** Reads or writes so many elements of its own memory. */
  | { readonly op: 'access'; readonly elements: number }
  /** passGpuMessage, sendGpuMessage: one message a value. */
  | { readonly op: 'send'; readonly to: ChipletAddress; readonly values: readonly number[] }
  /** readGpuMessage: gives the values. */
  | { readonly op: 'receive'; readonly from: ChipletAddress; readonly count: number }
  /** Integers of a data file, `from` to `to` - 1, counted from 0 (chiplet specification 4.5, data mapping). */
  | { readonly op: 'loadInts'; readonly file: string; readonly from: number; readonly to: number }
  /** Writes integers into an output file of the chiplet; what it held before is gone. */
  | { readonly op: 'output'; readonly file: string; readonly values: readonly number[] }
  /** Asks for the cycle, from 0. */
  | { readonly op: 'now' };

/** What an operation gives: a number, values, the report of a kernel, or nothing. */
export type HostAnswer = number | readonly number[] | KernelReport | null;

/** The program of a chiplet, which is told its address. */
export type HostProgram = (x: number, y: number) => Generator<HostOperation, void, HostAnswer>;

/** Cycles of what a host does itself (chiplet specification 8). */
export interface HostCosts {
  /** Cycles an instruction. */
  readonly cyclesPerInstruction: number;
  /** Cycles an element of its own memory, also where it is read from a file. */
  readonly cyclesPerElement: number;
  /** Cycles a value that is received. */
  readonly cyclesPerReceived: number;
  /** Cycles a value that is copied to or from a device. */
  readonly cyclesPerCopied: number;
}

/** A CPU chiplet. */
export const cpuCosts: HostCosts = {
  cyclesPerInstruction: 1,
  cyclesPerElement: 1,
  cyclesPerReceived: 1,
  cyclesPerCopied: 1,
};

/** The host side of a GPU chiplet: what counts are the cycles of its kernels. */
export const gpuHostCosts: HostCosts = {
  cyclesPerInstruction: 1,
  cyclesPerElement: 0,
  cyclesPerReceived: 1,
  cyclesPerCopied: 0,
};
