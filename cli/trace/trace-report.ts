import type { Machine } from '../../machines/machine.ts';
import type { TraceFigures, TraceResult } from '../../properties/refinement/check-trace.ts';
import { shortText } from '../../properties/refinement/differing.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { grouped } from '../progress.ts';
import type { LoggedEvent } from './log.ts';

/** What is told of a trace. */
export interface TraceReport {
  readonly scenario: Scenario;
  readonly machine: Machine;
  readonly log: string;
  readonly lines: number;
  readonly events: readonly LoggedEvent[];
  /** True when it was to be of a run that came to rest. */
  readonly ended: boolean;
  readonly result: TraceResult | (TraceFigures & { readonly verdict: 'interrupted' });
  readonly wallSeconds: number;
}

/** Events that are named as possible for people, and for scripts. */
const namedMax = 12;
const listedMax = 1000;

/** The trace as one object for scripts. */
export function traceJson({
  scenario,
  machine,
  log,
  lines,
  events,
  result,
  wallSeconds,
}: TraceReport): object {
  const { verdict, states, heldMax } = result;
  const next = events[result.events];
  return {
    machine: machine.name,
    scenario: scenario.name,
    log,
    verdict,
    lines,
    events: events.length,
    accepted: result.events,
    states,
    heldMax,
    ...(result.verdict === 'refused' && {
      refused: {
        line: next?.line ?? null,
        found: next?.what ?? null,
        possible: result.possible.slice(0, listedMax).map(({ what, words }) => ({ event: what, by: words })),
        possibleCount: result.possible.length,
        ...(result.nearest && {
          nearest: {
            event: result.nearest.what,
            differs: result.nearest.differs.map(({ path, one, other }) => ({
              path,
              expected: one ?? null,
              found: other ?? null,
            })),
          },
        }),
      },
    }),
    ...((verdict === 'incomplete' || verdict === 'interrupted') && { open: { line: next?.line ?? null } }),
    wallSeconds,
  };
}

/** The trace for people. */
export function traceText(report: TraceReport): string {
  const { scenario, machine, log, events, result, wallSeconds } = report;
  const { states, heldMax } = result;
  const model = `${scenario.name} (${machine.name})`;
  const figures = `${grouped(result.events)} of ${grouped(events.length)} events, ${grouped(states)} states of the model, at most ${grouped(heldMax)} at a time, in ${wallSeconds.toFixed(3)} s`;
  const next = events[result.events];
  switch (result.verdict) {
    case 'ok':
      return `${log}: a run of ${model}${report.ended ? ' that comes to rest' : ''}\n${figures}\n`;
    case 'refused':
      return `${[...refusal(report, result, model), figures].join('\n')}\n`;
    case 'incomplete':
      return `${log}: a run of ${model} so far; open from line ${next?.line ?? 'of the end'} on: more states than --max-states\n${figures}\n`;
    case 'interrupted':
      return `${log}: a run of ${model} so far, interrupted at line ${next?.line ?? 'of the end'}\n${figures}\n`;
    default:
      return result satisfies never;
  }
}

function refusal(
  { log, events }: TraceReport,
  { events: done, found, possible, nearest }: Extract<TraceResult, { verdict: 'refused' }>,
  model: string,
): readonly string[] {
  const next = events[done];
  const head = next
    ? `${log}:${next.line} NOT a run of ${model}: found ${shortText(found)}`
    : `${log}: NOT a run of ${model} that has come to rest: it ends, and the model goes on`;
  const named = possible
    .slice(0, namedMax)
    .map(({ what, words }) => `  ${shortText(what)}${words === '' ? '' : `  by ${words}`}`);
  const more = possible.length - named.length;
  const before =
    done === 0 ? 'at the beginning' : `after the ${done === 1 ? 'event' : `${done} events`} before it`;
  return [
    head,
    possible.length === 0 ? `${before} the model shows nothing more` : `${before} the model could show:`,
    ...named,
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    ...(nearest
      ? [
          `the nearest is ${shortText(nearest.what)}, which differs in:`,
          ...nearest.differs.map(
            ({ path, one, other }) =>
              `  ${path === '' ? 'all of it' : path}: expected ${shortText(one)}, found ${shortText(other)}`,
          ),
        ]
      : []),
  ];
}
