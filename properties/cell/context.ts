import { filter, map, Observable } from 'rxjs';
import type { Run } from '../../kernel/run.ts';
import type { CellConfig, CellPrograms } from '../../machines/cell/config.ts';
import { followEvents, logHeader } from '../../machines/cell/event-log.ts';
import type { CellLogEvent, CellLogHeader } from '../../machines/cell/log-events.ts';
import type { CellAssembly, CellRunResult } from '../../machines/cell.ts';
import type { Given } from '../../machines/machine.ts';
import type { Property, RunStreams } from '../property.ts';

/** What properties of the Cell ring machine know of a run before it begins (Cell specification 12). */
export interface CellContext {
  /** The machine's numbers and promises: the first line of its event log. */
  readonly header: CellLogHeader;
  /** What the machine was built from. */
  readonly given: Given<CellConfig, CellPrograms>;
  /** The figures of the run as it is now. */
  readonly result: () => CellRunResult;
  /** The event log of the run, with what the memories hold at the end of each cycle (Cell specification 18.4). */
  readonly log: (run: RunStreams) => Observable<CellLogEvent>;
}

/** A property of the Cell ring machine. */
export type CellProperty = Property<CellContext>;

/** Makes the context for a run of an assembled machine; `waitLimit` is the total waiting time it may have, in cycles (Cell specification 14). */
export function cellContext(
  run: Run,
  given: Given<CellConfig, CellPrograms>,
  assembly: CellAssembly,
  waitLimit: number | null = null,
): CellContext {
  // Memories are looked at through the run that is watched; of its streams the log needs those of the watch.
  const machine: CellAssembly = { ...assembly, memory: (_streams, spu) => assembly.memory(run, spu) };
  return {
    header: logHeader(given, waitLimit),
    given,
    result: () => assembly.result(run),
    log: (streams) =>
      new Observable((subscriber) => {
        // `followEvents` subscribes to probes, picks and reports and asks a run for nothing else.
        followEvents(streams as unknown as Run, machine, (event) => subscriber.next(event));
        return streams.probes$.subscribe({ complete: () => subscriber.complete() });
      }),
  };
}

/** A probe as the parts show it: a record of the event log without its serial number (Cell specification 18.4). */
export type CellProbe<K extends CellLogEvent['ev']> = K extends unknown ? ProbeOf<CellLogEvent, K> : never;

type ProbeOf<E extends CellLogEvent, K> = E extends unknown
  ? K extends E['ev']
    ? Omit<E, 'ev' | 'n'> & { readonly type: K }
    : never
  : never;

/** The probes of the kinds named, in the order of the run (Cell specification 18.4). */
export function shown<K extends CellLogEvent['ev']>(
  run: RunStreams,
  ...kinds: readonly K[]
): Observable<CellProbe<K>> {
  return run.probes$.pipe(
    filter(({ probe }) => (kinds as readonly string[]).includes(probe.type)),
    map(({ probe }) => probe as unknown as CellProbe<K>),
  );
}

/** Every probe, whatever its kind: its cycle is all that is known of it. */
export function allShown(run: RunStreams): Observable<{ readonly type: string; readonly t: number }> {
  return run.probes$.pipe(
    map(({ probe }) => probe as unknown as { readonly type: string; readonly t: number }),
  );
}

/** The names under which the parts of a machine appear in reports. */
export const nameOfSpu = (spu: number): string => `Cell.Spu[${spu}]`;
/** The name of a DMA module. */
export const nameOfDma = (spu: number): string => `${nameOfSpu(spu)}.Dma`;
/** The name of the data arbiter. */
export const arbiterName = 'Cell.Arbiter';
/** The name of the command bus. */
export const busName = 'Cell.Bus';
/** The name of the cycle controller. */
export const controllerName = 'Cell.Controller';
