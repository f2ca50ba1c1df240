import type { RouterContext as FastContext } from '../../actors/chiplet/network/fast/router.ts';
import type { LateEvents } from '../../actors/chiplet/network/late-events.ts';
import type { LinkContext } from '../../actors/chiplet/network/link.ts';
import type { RouterContext } from '../../actors/chiplet/network/router-context.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { type NetworkPlan, turnAfterEnd, type WiredNetwork } from './assembly.ts';
import { type NetworkCounters, type NetworkPowers, powersOf } from './energy.ts';
import type { Standstill } from './standstill.ts';

/** What a network has done. */
export interface NetworkResult extends NetworkPowers {
  /** Packets that arrived, with the sum of their delays in cycles and its average; 0 when none did. */
  readonly finished: number;
  readonly totalDelay: number;
  readonly avgDelay: number;
  /** Time of the last event in cycles. */
  readonly endTime: number;
  readonly counters: NetworkCounters;
  /** Flits that went over links, each link counted. */
  readonly flitHops: number;
  /** Packets and flits that entered the network. */
  readonly injectedPackets: number;
  readonly injectedFlits: number;
  /** Packets of the traffic that are due before the end; absent where the traffic is not known beforehand. */
  readonly duePackets?: number;
  /** How it stands still; absent in a network that does not. */
  readonly standstill?: Standstill;
  /** Packets that were abandoned and flits that were dropped; absent where none can be. */
  readonly lostPackets?: number;
  readonly droppedFlits?: number;
}

/** Reads what a network has done so far. `now`: the time until which powers are averaged, when the run has not ended. */
export function networkResult(
  run: Run,
  wired: WiredNetwork,
  plan: NetworkPlan,
  linkLength: number,
  now?: number,
): NetworkResult {
  const contextOf = <C>(address: Address): C => run.part(address).context as unknown as C;
  const byChannel = wired.detail === 'channel';
  const routers = wired.routers.map((address) =>
    byChannel
      ? contextOf<RouterContext>(address).meter.counters
      : contextOf<FastContext>(address).state.counters,
  );
  const links = wired.links.map(({ address }) => contextOf<LinkContext>(address));
  const sum = <T>(rows: readonly T[], of: (row: T) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const { words, channels, topology } = plan;
  const flitHops = sum(links, ({ flits }) => flits);
  const counters: NetworkCounters = {
    bufReadWords: words * sum(routers, ({ flitsRead }) => flitsRead),
    bufWriteWords: words * sum(routers, ({ flitsWritten }) => flitsWritten),
    bufWriteToggles: sum(routers, ({ writeToggles }) => writeToggles),
    xbarInToggles: sum(routers, ({ inToggles }) => inToggles),
    xbarOutToggles: sum(routers, ({ outToggles }) => outToggles),
    xbarCtrlSwitches: sum(routers, ({ switches }) => switches),
    linkWords: words * flitHops,
    linkToggles: sum(links, ({ toggles }) => toggles),
    vcGrants: sum(routers, ({ grants }) => grants),
    vcReqToggles: sum(routers, ({ requestToggles }) => requestToggles),
    vcGrantChanges: sum(routers, ({ grantChanges }) => grantChanges),
  };
  const finished = sum(routers, (one) => one.finished);
  const totalDelay = sum(routers, ({ delaySum }) => delaySum);
  const closed = contextOf<LateEvents>(wired.clock).endTime;
  const endTime = now ?? (closed >= 0 ? closed : idleEnd(plan));
  const shape = { ports: topology.ports, channels, linkLength };
  return {
    finished,
    totalDelay,
    avgDelay: finished > 0 ? totalDelay / finished : 0,
    endTime,
    ...powersOf(counters, endTime, shape),
    counters,
    flitHops,
    injectedPackets: sum(routers, ({ packetsInjected }) => packetsInjected),
    injectedFlits: sum(routers, ({ flitsInjected }) => flitsInjected),
    ...(plan.loses && {
      lostPackets: byChannel
        ? Object.keys(contextOf<RouterContext>(wired.routers[0]!).lost).length
        : contextOf<FastContext>(wired.routers[0]!).sharedState.packetsLost,
      droppedFlits: sum(routers, ({ flitsDropped }) => flitsDropped),
    }),
  };
}

/** The first event after the end in a network that has come to rest: a packet, or the next turn of a router. */
function idleEnd(plan: NetworkPlan): number {
  const next = turnAfterEnd(plan);
  return plan.packets.find(({ time }) => time > plan.end && time < next)?.time ?? next;
}
