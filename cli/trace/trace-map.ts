import type { ReadShown } from '../../kernel/explore/step-graph.ts';
import { loadExport } from '../load-export.ts';
import { UsageError } from '../usage-error.ts';
import type { ReadLine } from './log.ts';

/** How a log and a model are brought together. */
export interface TraceMap {
  readonly line?: ReadLine;
  readonly event?: ReadShown;
}

const help =
  'write for example --map log.ts#toEvent, where log.ts exports function toEvent(record) { return { at: record.host, event: record.kind }; }, or an object { line, event } of two functions';

/** The map that `file.ts#export` names. Errors: `UsageError` when there is none. */
export async function loadTraceMap(reference: string): Promise<TraceMap> {
  const found = await loadExport('--map', reference, help);
  if (typeof found === 'function') return { line: found as ReadLine };
  const { line, event } = (found ?? {}) as Record<string, unknown>;
  const given = [line, event].filter((one) => one !== undefined);
  if (given.length > 0 && given.every((one) => typeof one === 'function')) return found as TraceMap;
  throw new UsageError(
    `--map: found ${typeof found} as ${reference}, expected a function, or an object with the function line or the function event`,
    help,
  );
}
