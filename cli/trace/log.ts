import { describeFound } from '../../scenarios/found.ts';
import { placeOf } from '../../scenarios/thrown-at.ts';
import { UsageError } from '../usage-error.ts';

/** An event of a log, and the number of its line, from 1. */
export interface LoggedEvent {
  readonly line: number;
  readonly what: unknown;
}

/** Makes an event of a line of a log; undefined for a line that is none. */
export type ReadLine = (record: unknown) => unknown;

const help =
  'write one JSON object a line, { "at": "Server[0]", "event": "stored", …fields }, or make events of your lines with --map log.ts#toEvent';

/** Reads a log of JSON lines; empty lines are left out, and so is what `compared` makes nothing of. Errors: `UsageError` for a line that is no JSON or no event, and for a log without events. */
export function readLog(
  text: string,
  file: string,
  read: ReadLine | undefined,
  compared: (event: unknown) => unknown,
): { readonly events: readonly LoggedEvent[]; readonly lines: number } {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const events = lines.flatMap((one, index): LoggedEvent[] => {
    if (one.trim() === '') return [];
    const place = `${file}:${index + 1}`;
    const record = recordOf(one, place);
    const what = compared(read ? mapped(read, record, place) : eventOf(record, place));
    return what === undefined ? [] : [{ line: index + 1, what }];
  });
  if (events.length === 0)
    throw new UsageError(
      `${file}: found no events in ${lines.length} lines, expected at least one to compare`,
      'a log of nothing is a run of every model: look whether it was written, and what --map and --hide leave out',
    );
  return { events, lines: lines.length };
}

function recordOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${place}: found no JSON: ${(error as Error).message}`, help);
  }
}

function eventOf(record: unknown, place: string): unknown {
  const { at, event } = (record ?? {}) as { at?: unknown; event?: unknown };
  if (typeof at === 'string' && typeof event === 'string') return record;
  throw new UsageError(
    `${place}: found ${describeFound(record)}, expected an object with the texts "at" and "event"`,
    help,
  );
}

function mapped(read: ReadLine, record: unknown, place: string): unknown {
  let event: unknown;
  try {
    event = read(record);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const thrown = placeOf(error);
    throw new UsageError(
      `${place}: the function of --map threw: ${what}${thrown === undefined ? '' : `, at ${thrown}`}`,
      'mend it: it is given each line as an object, and gives an event, or undefined to leave it out',
    );
  }
  if (typeof (event as { then?: unknown } | null | undefined)?.then !== 'function') return event;
  throw new UsageError(
    `${place}: the function of --map gave a promise, expected an event`,
    'take async away from it',
  );
}
