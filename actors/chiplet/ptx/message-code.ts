/*
 * The parameter of a message instruction: nine decimal digits abcdefghi (chiplet specification 4.1).
 */

/** Place of a chiplet in its grid, each 0 to 99. */
export type ChipletAddress = readonly [x: number, y: number];

/** What a parameter says. `own` is the chiplet that executes the instruction, `peer` the one that it sends to or receives from. */
export interface MessageCode {
  readonly own: ChipletAddress;
  readonly peer: ChipletAddress;
  /** 0 send, 1 receive; others are errors (E-OPCODE). */
  readonly operation: number;
}

/** The largest coordinate that has a place in the parameter. */
export const coordinateMost = 99;

export const encodeMessage = ({ own, peer, operation }: MessageCode): number =>
  own[0] * 10_000_000 + own[1] * 100_000 + peer[0] * 1000 + peer[1] * 10 + operation;

export function decodeMessage(parameter: number): MessageCode {
  const a = parameter >>> 0;
  const digits = (below: number, unit: number): number => Math.floor((a % below) / unit);
  return {
    own: [Math.floor(a / 10_000_000), digits(10_000_000, 100_000)],
    peer: [digits(100_000, 1000), digits(1000, 10)],
    operation: a % 10,
  };
}
