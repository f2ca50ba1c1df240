import { coreName, coresPerGroup, groupOf } from '../race/race-event.ts';
import type { Activity } from './activity.ts';

/** Cycles of a microsecond (Sunway specification 1). */
const cyclesPerMicrosecond = 2250;

/** One event in the trace-event format that timeline viewers read. Times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  /** `X` a span, `b` and `e` begin and end of something beside the spans, `M` a name. */
  readonly ph: 'X' | 'b' | 'e' | 'M';
  readonly ts: number;
  readonly dur?: number;
  /** Core group. */
  readonly pid: number;
  /** The core in its group: tid of a CPE, 64 for the MPE. */
  readonly tid: number;
  readonly id?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

const microseconds = (cycle: number): number => cycle / cyclesPerMicrosecond;

/** A run as a timeline with a row for each core: its calls, what it waited for, and its transfers. */
export function traceEvents({ calls, waiting, transfers }: Activity): {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: 'ns';
} {
  const at = (core: number) => ({ pid: groupOf(core), tid: core % coresPerGroup });
  const cores = new Set([...calls, ...waiting].map(({ core }) => core));
  for (const { issuer } of transfers) cores.add(issuer);
  const names = [...cores]
    .sort((a, b) => a - b)
    .map(
      (core): TraceEvent => ({
        name: 'thread_name',
        cat: 'name',
        ph: 'M',
        ts: 0,
        ...at(core),
        args: { name: coreName(core) },
      }),
    );
  const span = (core: number, name: string, cat: string, from: number, to: number): TraceEvent => ({
    name,
    cat,
    ph: 'X',
    ts: microseconds(from),
    dur: microseconds(to - from),
    ...at(core),
  });
  return {
    displayTimeUnit: 'ns',
    traceEvents: [
      ...names,
      ...calls.map(({ core, call, from, to }) => span(core, call, 'call', from, to)),
      ...waiting.map(({ core, waitsFor, from, to }) => span(core, `waits: ${waitsFor}`, 'wait', from, to)),
      ...transfers.flatMap(({ transfer, issuer, engine, action, bytes, issued, done }): TraceEvent[] => {
        const one = { name: `${engine} ${action}`, cat: engine, id: String(transfer), ...at(issuer) };
        const begin: TraceEvent = { ...one, ph: 'b', ts: microseconds(issued), args: { bytes } };
        return done === undefined ? [begin] : [begin, { ...one, ph: 'e', ts: microseconds(done) }];
      }),
    ],
  };
}
