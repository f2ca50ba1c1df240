import { Run } from '../../kernel/run.ts';
import {
  type NetworkParts,
  type NetworkPlan,
  soundNetwork,
  wireNetwork,
} from '../../machines/chiplet/assembly.ts';
import { trafficConfig, trafficPrograms } from '../../machines/chiplet/config.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { networkResult } from '../../machines/chiplet/result.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { firstDifference } from '../with-reference.ts';

/** Messages at the borders of routers: turns, flits, places, packets and the end. How routers ask for turns is their own affair. */
const border: ReadonlySet<string> = new Set([
  'router.turn',
  'link.carry',
  'flit.arrive',
  'credit.return',
  'packets.due',
  'packets.taken',
  'packet.delivered',
  'wire.late',
  'credit.late',
  'network.stop',
]);

/** Channels are stopped by their routers. */
const isRouter = (name: string): boolean => /^Router\[\d+\]$/.test(name);

/** What a network does in each tick: its messages at the borders and what it shows, in an order of their own. */
function ticksOf(
  plan: NetworkPlan,
  parts: NetworkParts,
): { readonly ticks: Map<number, string[]>; readonly end: object } {
  const wired = wireNetwork(plan, parts);
  const run = new Run(wired.wiring);
  const ticks = new Map<number, string[]>();
  const note = (tick: number, what: string): void => {
    const known = ticks.get(tick);
    if (known) known.push(what);
    else ticks.set(tick, [what]);
  };
  run.messages$.subscribe(({ message: { due, to, event } }) => {
    const name = wired.wiring.nameAt(to);
    if (!border.has(event.type) || (event.type === 'network.stop' && !isRouter(name))) return;
    // What flits carry goes by message where routers have no store of it in common.
    const { load, delay, to: _to, ...said } = event as unknown as Record<string, unknown>;
    note(due, `${name} ${JSON.stringify(said, Object.keys(said).sort())}`);
  });
  run.probes$.subscribe(({ tick, actor, probe }) => note(tick, `${actor} shows ${JSON.stringify(probe)}`));
  run.toEnd();
  const { verdict } = run.outcome;
  for (const messages of ticks.values()) messages.sort();
  return { ticks, end: { verdict, result: networkResult(run, wired, plan, 1000) } };
}

/**
 * The first tick in which a network with an actor for each virtual channel and one with an actor for each router do not do the same, with what differs; undefined when they are equal in
 * all ticks, in how they end, and in their results.
 */
export function twinDifference(
  plan: NetworkPlan,
  {
    channel = soundNetwork,
    router = soundNetwork,
  }: { readonly channel?: NetworkParts; readonly router?: NetworkParts } = {},
): string | undefined {
  const [one, other] = [
    ticksOf({ ...plan, detail: 'channel' }, channel),
    ticksOf({ ...plan, detail: 'router' }, router),
  ];
  for (const tick of [...new Set([...one.ticks.keys(), ...other.ticks.keys()])].sort((a, b) => a - b)) {
    const difference = firstDifference(
      { messages: one.ticks.get(tick) ?? [] },
      { messages: other.ticks.get(tick) ?? [] },
    );
    if (difference) return `tick ${tick}: ${difference}`;
  }
  const [seen, expected] = [JSON.stringify(one.end), JSON.stringify(other.end)];
  return seen === expected ? undefined : (firstDifference(one.end, other.end) ?? `${seen}, not ${expected}`);
}

/** The plan of a generated scenario. */
export function planOfWritten({ name, config, programs }: WrittenScenario): NetworkPlan {
  const given = {
    name,
    config: trafficConfig.parse(config),
    programs: trafficPrograms.parse(programs),
    mutants: [],
    scheduled: false,
  };
  return networkMachine.assemble(given).plan;
}
