import type { Shard } from '../properties/explore/campaign.ts';
import { UsageError } from './usage-error.ts';

/** Shards that a campaign may have. */
const shardsMax = 65_536;

/** Flags and words of the option that every campaign has. */
export const shardFlags = [
  '--shard <i/n>',
  'carry out part i of n; `lockstep merge` puts the ledgers together',
] as const;

/** Reads `3/16`. Errors: `UsageError`. */
export function shardOption(text: string): Shard {
  const [, number = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of && of <= shardsMax) return { number, of };
  throw new UsageError(
    `--shard: found "${text}", expected I/N with I from 1 to N, and N at most ${shardsMax}`,
    'for example --shard 3/16',
  );
}

/** A shard as its option has it: `3/16`. */
export const shardWord = ({ number, of }: Shard): string => `${number}/${of}`;
