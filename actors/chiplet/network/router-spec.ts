import type { Address } from '../../../kernel/message.ts';

/** Who draws random numbers: all routers one after the other from one stream, or each from its own. */
export type RandomSource = 'shared' | 'perRouter';

/** Fixed numbers of one router. */
export interface RouterSpec {
  readonly self: Address;
  readonly clock: Address;
  readonly injector: Address;
  /** Number of the router. */
  readonly router: number;
  /** Ports, port 0 for injection among them. */
  readonly ports: number;
  /** Virtual channels of a port, 1 to 32. */
  readonly channels: number;
  /** Flits that an input buffer holds, and flits that an output holds. */
  readonly bufferDepth: number;
  readonly outputDepth: number;
  /** Words of 64 bits in a flit. */
  readonly words: number;
  /** The link at each output port; -1 where none is. */
  readonly links: readonly number[];
  /** The router before each input port, and the number of its port there; -1 where none is. */
  readonly before: readonly number[];
  readonly beforePort: readonly number[];
  /** By input port: cycles until the router before it sees a credit. */
  readonly creditCycles: readonly number[];
  /** Routers by number: to whom the turn goes on. */
  readonly all: readonly Address[];
  /** The way on to a router, as `way` writes it. */
  readonly routeOf: (router: number, target: number, cycle: number) => number;
  readonly random: RandomSource;
  /** Last cycle of the simulation. */
  readonly lastCycle: number;
  /** True when places come back after the end before there are any more turns, since those are some cycles apart. */
  readonly creditsAreLate: boolean;
  /** Cycles between two turns. */
  readonly period: number;
  /** Who is told of each packet that arrives, if anybody. */
  readonly listener: Address | undefined;
  /** Whether a queue of injected packets that was full opens again after an ejection, too (chiplet specification 5.3, `strict: false`). */
  readonly reopens: boolean;
  /** Whether flits that arrive at a full buffer are lost with their packets. */
  readonly loses: boolean;
  /** The seed of the router's own stream, where each has one. */
  readonly seed: number;
}
