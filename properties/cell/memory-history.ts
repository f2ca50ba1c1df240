import { Observable } from 'rxjs';
import { findingsOf } from '../consistency/consistent-history.ts';
import type { Access } from '../consistency/history.ts';
import { linearizable } from '../consistency/oracles.ts';
import { property } from '../property.ts';
import type { AccessEvent, LogHeader } from './checker/log.ts';
import { initialByte } from './checker/memory-image.ts';
import { type CellContext, nameOfDma, nameOfSpu, shown } from './context.ts';

/** A record of the event log as an access: its moments are the readings of its memory's clock when it came in and when it was done (Cell specification 18.4). */
export const accessOf = (
  record: Pick<AccessEvent, 'ev' | 't' | 'mem' | 'a' | 'v' | 'by' | 'spu' | 'id' | 'in' | 'out'>,
): Access => ({
  process: record.by === 'spu' ? nameOfSpu(record.spu) : `${nameOfDma(record.spu)} request ${record.id}`,
  kind: record.ev === 'RD' ? 'read' : 'write',
  location: `Memory[${record.mem}]:${record.a}`,
  value: record.v,
  invoked: record.in,
  responded: record.out,
  ticks: [record.t, record.t],
});

/**
 * Every byte of the memories is a register, over the whole run: linearizable in the time of its memory (Cell specification 10).
 *
 * Details: finds what `memory-is-consistent` finds, from the accesses alone, without what the memories hold at the end of a cycle; in exchange for the room that all
 * accesses take, it tells the few that contradict each other, and why.
 */
export const bytesAreLinearizable = property<CellContext>(
  'every byte reads as it was last written',
  (run, { header }) =>
    new Observable<readonly Access[]>((subscriber) => {
      const accesses: Access[] = [];
      return shown(run, 'RD', 'WR').subscribe({
        next: ({ type, ...record }) => accesses.push(accessOf({ ev: type, ...record })),
        complete: () => {
          subscriber.next(accesses);
          subscriber.complete();
        },
      });
    }).pipe(findingsOf((history) => linearizable(history, { initial: firstByte(header) }))),
);

const firstByte =
  ({ memory }: LogHeader) =>
  (location: string): number => {
    const [, mem, address] = /^Memory\[(\d+)\]:(\d+)$/.exec(location)!;
    return initialByte(memory, Number(mem), Number(address));
  };
