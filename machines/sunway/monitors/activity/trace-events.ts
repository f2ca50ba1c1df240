import { coreName, coresPerGroup, groupOf } from '../race/race-event.ts';
import type { Activity } from './activity.ts';

/** One event in the trace-event format that timeline viewers read. A CPE cycle is told as one microsecond: the format rounds fractions. */
export interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  /** `X` a span, `b` and `e` begin and end of something beside the spans, `M` a name or an order. */
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

/** A run as a timeline with a row for each core: its calls, what it waited for, and its transfers. */
export function traceEvents({ calls, waiting, transfers }: Activity): {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: 'ms';
  readonly otherData: Readonly<Record<string, string>>;
} {
  const at = (core: number) => ({ pid: groupOf(core), tid: core % coresPerGroup });
  const cores = new Set([...calls, ...waiting].map(({ core }) => core));
  for (const { issuer } of transfers) cores.add(issuer);
  const named = (what: string, core: number, args: NonNullable<TraceEvent['args']>): TraceEvent => ({
    name: what,
    cat: 'name',
    ph: 'M',
    ts: 0,
    ...at(core),
    args,
  });
  const sorted = [...cores].sort((a, b) => a - b);
  const names = [
    ...[...new Set(sorted.map(groupOf))].map((group) =>
      named('process_name', group * coresPerGroup, { name: `core group ${group}` }),
    ),
    ...sorted.flatMap((core) => {
      const { tid } = at(core);
      return [
        named('thread_name', core, { name: coreName(core) }),
        // Viewers put the lowest first; a host stands above its CPEs.
        named('thread_sort_index', core, { sort_index: tid === coresPerGroup - 1 ? -1 : tid }),
      ];
    }),
  ];
  return {
    displayTimeUnit: 'ms',
    otherData: { unit: 'a microsecond of this trace is a CPE cycle of 1/2250 microsecond' },
    traceEvents: [
      ...names,
      ...calls.map(
        ({ core, call, from, to }): TraceEvent => ({
          name: call,
          cat: 'call',
          ph: 'X',
          ts: from,
          dur: to - from,
          ...at(core),
        }),
      ),
      ...waiting.map(
        ({ core, waitsFor, on, place, open, from, to }): TraceEvent => ({
          name: `waits: ${waitsFor}`,
          cat: 'wait',
          ph: 'X',
          ts: from,
          dur: to - from,
          ...at(core),
          args: { on, ...(place !== undefined && { place }), ...(open && { ended: false }) },
        }),
      ),
      ...transfers.flatMap((one): readonly TraceEvent[] => {
        const { transfer, issuer, engine, action, call, place, bytes, issued, done } = one;
        const base = { name: `${engine} ${action}`, cat: engine, id: String(transfer), ...at(issuer) };
        const args = { bytes, call, ...(place !== undefined && { place }) };
        const begin: TraceEvent = { ...base, ph: 'b', ts: issued, args };
        return done === undefined ? [begin] : [begin, { ...base, ph: 'e', ts: done }];
      }),
    ],
  };
}
