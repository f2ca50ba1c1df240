import type { Address } from '../../../kernel/message.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';

/** A chiplet as those see it who carry messages. */
export interface ChipletPlace {
  readonly mailbox: Address;
  /** Ticks of the system in one of its cycles. */
  readonly cycleTicks: number;
  /** Number of its router. */
  readonly router: number;
}

/** Chiplets by address, as `x,y`. */
export type ChipletPlaces = Readonly<Record<string, ChipletPlace>>;

/** The tick of the system in which a chiplet does what it does in one of its cycles, which count from 1. */
export const tickOfCycle = ({ cycleTicks }: ChipletPlace, cycle: number): number => cycleTicks * (cycle - 1);

/** When a chiplet can read what reaches it in a tick: ticks until then, and the cycle of its own. */
export function readableFrom(
  { cycleTicks }: ChipletPlace,
  tick: number,
): { readonly delay: number; readonly cycle: number } {
  const edge = Math.ceil(tick / cycleTicks);
  return { delay: edge * cycleTicks - tick, cycle: edge + 1 };
}

/** Sender and receiver as one key. */
export const pairKey = (src: ChipletAddress, dst: ChipletAddress): string =>
  `${src.join(',')}>${dst.join(',')}`;

/** What is said of a message to or from where no chiplet is (chiplet specification 13, E-ADDR). */
export const noChiplet = (src: ChipletAddress, dst: ChipletAddress) => ({
  property: 'every message goes to a chiplet',
  why: `E-ADDR found a message from (${src.join(', ')}) to (${dst.join(', ')}), expected chiplets at both places`,
});
