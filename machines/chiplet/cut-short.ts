import type { LateEvents } from '../../actors/chiplet/network/late-events.ts';
import type { Run } from '../../kernel/run.ts';
import type { NetworkResult } from './result.ts';
import type { WiredSystem } from './system-assembly.ts';
import type { SystemConfig } from './system-config.ts';
import type { SystemRound } from './system-rounds.ts';

/** What a run of a system came to, as far as limits concern it. */
export interface Limited {
  readonly run: Run;
  readonly wired: WiredSystem;
  readonly messages: { readonly sent: number; readonly delivered: number };
  /** The network that messages went through, during the run or after it, and how many went there. */
  readonly network: NetworkResult;
  readonly packets: number;
  /** Absent where nothing is repeated. */
  readonly rounds?: readonly SystemRound[];
}

/** True when the network of a coupled run has come to its last cycle. */
export const isNetworkOver = (run: Run, { network }: Pick<WiredSystem, 'network'>): boolean =>
  network !== undefined && (run.part(network.clock).context as unknown as LateEvents).endTime >= 0;

/**
 * What has kept a run from its end (chiplet specification 13, E-LIMIT): each a sentence with the key of the limit. Of chiplets that wait for ever nothing is said here;
 * a network that stands still on a trace is told, since no chiplet notices it.
 */
export function cutShort(
  { mode, network: { T }, rounds: roundsMost }: SystemConfig,
  { run, wired, messages: { sent, delivered }, network, packets, rounds }: Limited,
): readonly string[] {
  if (!run.ended) {
    const cycle = Math.ceil(run.outcome.ticks / wired.cycleTicks);
    return [`E-LIMIT the run was cut in cycle ${cycle}: its figures are those so far`];
  }
  const left =
    mode !== 'coupled'
      ? packets - network.finished - (network.lostPackets ?? 0)
      : isNetworkOver(run, wired)
        ? sent - delivered
        : 0;
  const last = rounds?.at(-1);
  return [
    ...(left === 0
      ? []
      : network.standstill
        ? [`E-DEADLOCK the network stands still with ${left} of ${packets} messages on their way`]
        : [
            `E-LIMIT cycle ${T} of the network (config.network.T) was reached with ${left} of ${packets} messages on their way`,
          ]),
    ...(last && last.round > 1 && run.outcome.verdict !== 'ok'
      ? [`the chiplets of round ${last.round} came to: ${run.outcome.verdict}`]
      : []),
    ...(last && !last.converged && last.round === roundsMost
      ? [`E-LIMIT round ${last.round}, the last one (config.rounds), has not converged: cycles are its own`]
      : []),
  ];
}
