import type { IndexMismatches } from '../../actors/chiplet/gpu/mailbox-store.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import type { ChipletState } from './system-result.ts';

/** What is worth a look in what chiplets did (chiplet specification 13): each a sentence with its code. */
export const warningsOf = (states: readonly ChipletState[]): readonly string[] =>
  states.flatMap(({ at, unread, foreignSources, mismatches, kernels }) => [
    ...unread.map(
      ({ source, count }) =>
        `W-UNREAD (${at.join(', ')}) has ${count} values of (${source.join(', ')}) unread`,
    ),
    ...(foreignSources > 0
      ? [`E-OPCODE (${at.join(', ')}) sent ${foreignSources} messages in the name of another chiplet`]
      : []),
    ...(mismatches ? [indexWarning(at, mismatches)] : []),
    ...kernels
      .map(({ kernel, statistics }) => ({ kernel, parted: statistics.counts.partedBarriers }))
      .filter(({ parted }) => parted > 0)
      .map(
        ({ kernel, parted }) =>
          `E-BARDIV (${at.join(', ')}) warps of ${kernel} came ${parted} times to a barrier while lanes of theirs were elsewhere or had ended`,
      ),
  ]);

/** Receives that name another index than a queue gives them: nothing is wrong, but the kernel may have meant another value (chiplet specification 4.3). */
const indexWarning = (at: ChipletAddress, { count, source, index, taken }: IndexMismatches): string =>
  `W-INDEX (${at.join(', ')}) took ${count} values by another index than their number in the kernel, first index ${index} of (${source.join(', ')}) for value ${taken}`;
