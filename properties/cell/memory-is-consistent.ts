import { judged, property } from '../property.ts';
import type { AccessEvent, LogEvent, LogHeader } from './checker/log.ts';
import { initialByte } from './checker/memory-image.ts';
import {
  type Access,
  type CycleTrace,
  level1,
  type SerialisabilityVerdict,
} from './checker/serialisability.ts';
import { type CellContext, nameOfSpu } from './context.ts';

/**
 * Collects what happens to the memories, and hands it over cycle by cycle (Cell specification 10.1).
 *
 * Details: `before` of a trace is valid until the next record is taken.
 */
export class CycleTraces {
  readonly #held = new Map<string, number>();
  #accesses: AccessEvent[] = [];
  #after: { mem: number; address: number; value: number }[] = [];

  constructor(readonly header: LogHeader) {}

  /** Takes the next record; the trace of the cycle that ends with it, if any. */
  take(event: LogEvent): CycleTrace | undefined {
    if (event.ev === 'RD' || event.ev === 'WR') this.#accesses.push(event);
    else if (event.ev === 'MEM')
      for (const [address, value] of event.bytes) this.#after.push({ mem: event.mem, address, value });
    else if (event.ev === 'BARRIER') return this.#trace();
    return undefined;
  }

  /** Makes the contents at the end of the last trace the contents before the next one. */
  settle(): void {
    for (const { mem, address, value } of this.#after) this.#held.set(`${mem} ${address}`, value);
    this.#after = [];
    this.#accesses = [];
  }

  #trace(): CycleTrace {
    const spus = new Map<number, Access[]>();
    const transfers = new Map<string, { read?: Access; write?: Access }>();
    for (const event of this.#accesses) {
      const { ev, mem, a, v, out } = event;
      const access = { write: ev === 'WR', mem, address: a, value: v, stamp: out };
      if (event.by === 'spu') {
        const program = spus.get(event.spu);
        if (program) program.push(access);
        else spus.set(event.spu, [access]);
        continue;
      }
      const name = `${event.spu} ${event.id}`;
      const pair = transfers.get(name) ?? {};
      transfers.set(name, access.write ? { ...pair, write: access } : { ...pair, read: access });
    }
    return {
      spus: [...spus.values()],
      // Half a move is the business of another property.
      transfers: [...transfers.values()].filter((pair): pair is { read: Access; write: Access } =>
        Boolean(pair.read && pair.write),
      ),
      before: (mem, address) =>
        this.#held.get(`${mem} ${address}`) ?? initialByte(this.header.memory, mem, address),
      after: this.#after,
    };
  }
}

/** What every cycle does to the memories can be explained by some order of its accesses (Cell specification 10 and 12, CK-20 at level 1). */
export const memoryIsConsistent = property<CellContext>(
  'the memories at the end of a cycle follow from those before it and its accesses in some order',
  (run, { header, log }) =>
    judged(log(run), (found) => {
      const traces = new CycleTraces(header);
      return {
        see(event) {
          const trace = traces.take(event);
          if (trace === undefined) return;
          const { answer, why }: SerialisabilityVerdict = level1(trace);
          traces.settle();
          if (answer === 'violation') found([nameOfSpu(spuNamed(why))], `cycle ${event.t}: ${why}`);
        },
      };
    }),
);

/** The checker names a byte as `Memory[3]:17`. */
const spuNamed = (why: string): number => Number(/Memory\[(\d+)\]/.exec(why)?.[1] ?? 0);
