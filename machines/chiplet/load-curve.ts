import { type NetworkConfig, networkConfig } from './config.ts';
import { NetworkRun } from './network-run.ts';
import { planOf } from './plan.ts';
import { packetsOf, randomTraffic } from './traffic.ts';

/** A mesh under uniform traffic, and how long it is watched. */
export interface CurveSettings {
  readonly side: number;
  readonly channels: number;
  readonly bufferDepth: number;
  /** Flits of a packet. */
  readonly flits: number;
  /** Cycles from an empty network to the end. */
  readonly cycles: number;
  readonly seed: number;
  /** Whether each virtual channel is an actor; default: what the network's configuration has. */
  readonly detail?: NetworkConfig['detail'];
}

/** One load of a curve; loads are flits a router and cycle. */
export interface CurvePoint {
  readonly offered: number;
  readonly accepted: number;
  /** Average delay in cycles of the packets that arrived. */
  readonly delay: number;
  readonly finished: number;
}

/** Delay and accepted load of a network that starts empty, for one offered load (golden data, popnet, curve8x8). */
export function curvePoint(settings: CurveSettings, offered: number): CurvePoint {
  const { side, channels, bufferDepth, flits, cycles, seed, detail } = settings;
  const traffic = randomTraffic.parse({ pattern: 'uniform', rate: offered / flits, cycles, flits, seed });
  const packets = packetsOf(traffic, side);
  const given = { A: side, V: channels, B: bufferDepth, O: 12, F: 1, T: cycles, seed, detail };
  const config = networkConfig.parse(given);
  const { finished, avgDelay } = new NetworkRun(planOf(config, packets), config.L).toEnd();
  return {
    offered,
    accepted: (finished * flits) / (side * side * cycles),
    delay: avgDelay,
    finished,
  };
}

/** Times the delay at the lowest load at which a network counts as saturated. */
const saturationFactor = 2;

/**
 * The offered load at which the delay reaches twice that of the lowest load, between two points on the straight line through them; undefined for a
 * curve that does not reach it. Points are in the order of their loads.
 */
export function kneeOf(points: readonly Pick<CurvePoint, 'offered' | 'delay'>[]): number | undefined {
  const [lowest] = points;
  if (!lowest) return undefined;
  const limit = saturationFactor * lowest.delay;
  const above = points.findIndex(({ delay }) => delay >= limit);
  if (above <= 0) return undefined;
  const [before, after] = [points[above - 1]!, points[above]!];
  const share = (limit - before.delay) / (after.delay - before.delay);
  return before.offered + share * (after.offered - before.offered);
}
