import type { Entrance } from '../../network/packet.ts';
import type { TboxInput } from '../tbox-input.ts';

/** The engine of one cluster that sends packets. */
export interface FlitEngineInput extends TboxInput {
  /** Number of its cluster, 0..15. */
  readonly cluster: number;
  readonly entrance: Entrance;
}
