/** The parts of a transfer by channel, in bytes or, when it is block-stride, in blocks; 0 where a channel is not used. */
export type Split = readonly number[];

/** Rounds of tuning before a split is kept for ever (TCA specification 12.8). */
export const tuneRounds = 8;

/** Bytes of a unit of a contiguous transfer; a block-stride transfer is split by blocks (TCA specification 12.8). */
export const unitBytes = 128;

/**
 * Splits an amount by weight: every used channel but the first gets the floor of its share in whole units, the first the rest (TCA
 * specification 12.8).
 *
 * Details: `weights` by channel, 0 for a channel that is not used; some weight is above 0.
 */
export function splitByWeight(amount: number, unit: number, weights: readonly number[]): Split {
  const units = Math.floor(amount / unit);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const first = weights.findIndex((weight) => weight > 0);
  const parts = weights.map((weight, channel) =>
    channel === first ? 0 : unit * Math.floor((units * weight) / sum),
  );
  return parts.with(first, amount - parts.reduce((total, part) => total + part, 0));
}

/** How one transfer went. */
export interface TuningRound {
  readonly split: Split;
  /** From the start until every flag was seen. */
  readonly totalNs: number;
  /** By channel from its doorbell to its completion; anything where the channel had no part. */
  readonly channelNs: readonly number[];
}

/** What is known about how to split the transfers of one pattern (TCA specification 12.8). */
export type Tuning =
  | { readonly state: 'untuned'; readonly weights: readonly number[] }
  | {
      readonly state: 'tuning';
      /** Transfers measured so far. */
      readonly round: number;
      readonly weights: readonly number[];
      readonly best: TuningRound;
    }
  | { readonly state: 'frozen'; readonly best: TuningRound };

/** Begins with the tags of the channels that may be used. */
export const untuned = (tags: readonly number[], channels: readonly number[]): Tuning => ({
  state: 'untuned',
  weights: tags.map((count, channel) => (channels.includes(channel) ? count : 0)),
});

/** The split of the next transfer. */
export const nextSplit = (tuning: Tuning, amount: number, unit: number): Split =>
  tuning.state === 'frozen' ? tuning.best.split : splitByWeight(amount, unit, tuning.weights);

/** Takes note of a transfer: the next weights are part by time; after `tuneRounds` the fastest split is kept, the earliest of equals. */
export function noteRound(tuning: Tuning, round: TuningRound): Tuning {
  if (tuning.state === 'frozen') return tuning;
  const count = tuning.state === 'tuning' ? tuning.round + 1 : 1;
  const best = tuning.state === 'tuning' && tuning.best.totalNs <= round.totalNs ? tuning.best : round;
  if (count === tuneRounds) return { state: 'frozen', best };
  const speeds = round.split.map((part, channel) => (part > 0 ? part / round.channelNs[channel]! : 0));
  const sum = speeds.reduce((total, speed) => total + speed, 0);
  return { state: 'tuning', round: count, weights: speeds.map((speed) => speed / sum), best };
}
