import { Run } from '../../kernel/run.ts';
import type { CellParts } from '../../machines/cell/parts.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { assembleSteps } from '../../machines/cell.ts';
import type { CellGiven } from './arbitraries.ts';
import { arbiterName } from './context.ts';

/** Far above what a generated machine takes. */
const lastTick = 20_000;

/** All that the neighbours of the arbiter and the observers see of a run, each with its tick and in the order of the run, and what it comes to. */
interface Seen {
  /** Messages that do not stay inside the arbiter. */
  readonly messages: readonly string[];
  readonly probes: readonly string[];
  readonly result: readonly [string];
}

const inside = (name: string): boolean => name === arbiterName || name.startsWith(`${arbiterName}.`);

/** Runs a machine in the canonical order with one of the two arbiters. */
function seenWith(given: CellGiven, arbiter: 'explicit' | 'fast', parts: CellParts): Seen {
  const config = { ...given.config, arbiter, interleaving: 'ordered' as const };
  const assembly = assembleSteps({ ...given, config, scheduled: false }, parts);
  const run = new Run(assembly.wiring);
  const messages: string[] = [];
  const probes: string[] = [];
  run.messages$.subscribe(({ from, to, message: { due, event } }) => {
    if (!inside(from) || !inside(to))
      messages.push(`${due} ${from} -> ${to} ${JSON.stringify({ ...event, to: undefined })}`);
  });
  run.probes$.subscribe(({ tick, actor, probe }) =>
    probes.push(`${tick} ${actor} shows ${JSON.stringify(probe)}`),
  );
  const { verdict } = run.until(lastTick);
  return { messages, probes, result: [JSON.stringify([verdict, assembly.result(run)])] };
}

/**
 * Where the explicit arbiter and its fast twin first differ on a workload in canonical order, or undefined: every probe, every message that
 * reaches or leaves the arbiter or passes between others, tick by tick, and the result. `parts` are those of the explicit machine.
 */
export function twinsDiffer(given: CellGiven, parts: CellParts = soundParts): string | undefined {
  const [explicit, fast] = [seenWith(given, 'explicit', parts), seenWith(given, 'fast', soundParts)];
  for (const what of ['probes', 'messages', 'result'] as const) {
    const [ours, theirs] = [explicit[what], fast[what]];
    for (let at = 0; at < Math.max(ours.length, theirs.length); at++)
      if (ours[at] !== theirs[at])
        return `${what}, entry ${at}\n  explicit: ${ours[at] ?? 'nothing more'}\n  fast:     ${theirs[at] ?? 'nothing more'}`;
  }
  return undefined;
}
