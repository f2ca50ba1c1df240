import type { Descriptor } from './descriptor.ts';
import type { GasnetAnswer, GasnetCall } from './gasnet/calls.ts';
import type { GasnetSetting } from './gasnet/gasnet.ts';

/** A word of the notify board: who writes it, and which one. */
export interface Flag {
  readonly source: number;
  readonly slot: number;
  /** The value to wait for; any when absent (TCA specification 9). */
  readonly tag?: number;
}

/** What a program of a node asks for (TCA specification 10). */
export type NodeOperation =
  /** Asks whether a channel takes a chain, before `tcaDescSet` loads one: EBUSY where it runs and the driver is strict. */
  | { readonly op: 'load'; readonly channel: number }
  /** Starts a chain on a channel: `tcaDescSet` and `tcaStartDMADesc`. */
  | { readonly op: 'start'; readonly channel: number; readonly chain: readonly Descriptor[] }
  /** Waits until each of these words was written once more: `tcaWaitDMARecvDesc`. */
  | { readonly op: 'wait'; readonly flags: readonly Flag[] }
  /** Waits until chains on these channels have stopped: `tcaWaitDMAC`. */
  | { readonly op: 'stopped'; readonly channels: readonly number[] }
  /** Writes at most 64 bytes into the memory of a node: `tcaSendPIO`, `tcaSendPIOCommit`. */
  | { readonly op: 'pio'; readonly address: number; readonly data: Uint8Array }
  /** Reads a register of a channel: the busy bit as 0 or 1, which is late, or the code of its error, 0 without one. */
  | {
      readonly op: 'register';
      readonly register: 'busy' | 'error';
      readonly channel: number;
    }
  /** Lets a channel in error begin anew. */
  | { readonly op: 'reset'; readonly channel: number }
  /** Works for so many nanoseconds. */
  | { readonly op: 'compute'; readonly ns: number }
  /** Looks at bytes of the node's own memories; they are the answer. */
  | { readonly op: 'read'; readonly address: number; readonly bytes: number }
  /** Writes bytes of the node's own memories. */
  | { readonly op: 'write'; readonly address: number; readonly data: Uint8Array }
  /** Copies bytes inside the node: the processor's own loop, or the driver of the GPU (TCA specification 3: cpuCopy, gpuCopy). */
  | { readonly op: 'copy'; readonly src: number; readonly dst: number; readonly bytes: number }
  /** Has the GPU work for so many nanoseconds, behind what it was given before; goes on at once. */
  | { readonly op: 'launch'; readonly ns: number }
  /** Waits until the GPU has done all its kernels. */
  | { readonly op: 'join' }
  /** Reads the performance counter of a channel, which is the answer (TCA specification 8). */
  | { readonly op: 'counter'; readonly channel: number }
  /** Calls the runtime of GASNet (TCA specification 12). */
  | { readonly op: 'gasnet'; readonly call: GasnetCall }
  /** Asks for the time in nanoseconds. */
  | { readonly op: 'now' };

/** What an operation gives back: the time in nanoseconds at which it was done, the value of a register, the code of an error, bytes, or what the runtime says. */
export type NodeAnswer = number | string | Uint8Array | GasnetAnswer;

/** The program of a node, given its rank, the number of nodes and, where there is GASNet, what programs are told of it. */
export type NodeProgram = (
  rank: number,
  nodes: number,
  gasnet?: GasnetSetting,
) => Generator<NodeOperation, void, NodeAnswer>;
