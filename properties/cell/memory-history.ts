import type { Access } from '../consistency/history.ts';
import { linearizable } from '../consistency/oracles.ts';
import { refutationWords } from '../consistency/verdict.ts';
import type { AccessEvent, LogHeader } from './checker/log.ts';
import { initialByte } from './checker/memory-image.ts';
import { cellProperty, nameOfDma, nameOfSpu } from './context.ts';

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
export const bytesAreLinearizable = cellProperty(
  'every byte reads as it was last written',
  ['RD', 'WR'],
  /** By memory: its accesses in their order. */
  (): Record<number, Access[]> => ({}),
  ({ header }) => ({
    see(accesses, { type, ...record }) {
      accesses[record.mem] ??= [];
      accesses[record.mem]!.push(accessOf({ ev: type, ...record }));
    },
    atRest(accesses, found) {
      const verdict = linearizable(Object.values(accesses).flat(), { initial: firstByte(header) });
      if (verdict.verdict === 'inconsistent')
        found([...new Set(verdict.accesses.map(({ process }) => process))], refutationWords(verdict));
    },
  }),
);

const firstByte =
  ({ memory }: LogHeader) =>
  (location: string): number => {
    const [, mem, address] = /^Memory\[(\d+)\]:(\d+)$/.exec(location)!;
    return initialByte(memory, Number(mem), Number(address));
  };
