import { type BenchLine, benchTextOf } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import type { Phase2 } from '../../actors/chiplet/interchiplet/hop-latencies.ts';
import type { NetworkConfig } from './config.ts';
import { NetworkRun } from './network-run.ts';
import { networkMisfits, planOf } from './plan.ts';
import type { TraceFault } from './trace-text.ts';
import { readTransactions } from './transaction-text.ts';

/** A trace with an address outside the network (chiplet specification 13, E-ADDR): the line is that of the trace. */
export class BenchAddressError extends Error {
  override readonly name = 'BenchAddressError';
  constructor(readonly fault: TraceFault) {
    super(`${fault.code} bench.txt:${fault.line}: found ${fault.found}, expected ${fault.expected}`);
  }
}

/**
 * Phase 2 by a network in this process: it carries the transactions of a trace and tells what each took (chiplet specification 9.1, 9.7).
 *
 * Details: with the width of a grid addresses are the numbers of nodes, as graphs have them. Lines come in the order in which transactions end. Events of equal time are ordered by a heap, as in the edition that knows transactions
 * (chiplet specification 5.11). Errors: `BenchAddressError`.
 */
export const popnetLatencies =
  (config: NetworkConfig, width?: number): Phase2 =>
  (bench: readonly BenchLine[]) => {
    const text = bench.map(benchTextOf(width)).join('\n');
    const requests = readTransactions(text, { side: config.A, coordinates: config.c });
    if ('code' in requests) throw new BenchAddressError(requests);
    const packets = requests.map(({ packet }) => packet);
    const edition = { ...config, ties: 'legosim', firstStart: 'trace' } as const;
    // With other stage delays the edition would stand still.
    const isStaged = networkMisfits(edition).some(({ key }) => key === 'ties');
    const plan = planOf({ ...edition, ties: isStaged ? 'fifo' : 'legosim' }, packets, requests);
    const network = new NetworkRun(plan, config.L);
    const lines: string[] = [];
    network.followTransactions(requests, (line) => lines.push(line));
    network.toEnd();
    return parseDelay(lines.join('\n'), 'delayInfo.txt', width);
  };
