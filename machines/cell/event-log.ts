import { holderUsesBus } from '../../actors/cell/command-bus.ts';
import { createPolicy } from '../../actors/cell/policies/policies.ts';
import type { Run, Shown } from '../../kernel/run.ts';
import type { Given } from '../machine.ts';
import type { CellAssembly } from './assembly.ts';
import type { CellConfig } from './config.ts';
import type { CellLogEvent, CellLogHeader, ReportEvent } from './log-events.ts';

/** The header of the event log of a run (Cell specification 18.4). */
export function logHeader(given: Given<CellConfig, unknown>, waitLimit: number | null = null): CellLogHeader {
  const { config } = given;
  const { N, K, boundedWait } = config;
  const interleaving =
    config.interleaving === 'auto' ? (given.scheduled ? 'free' : 'ordered') : config.interleaving;
  return {
    format: 'cell-log/1',
    name: given.name,
    N,
    K,
    memSize: config.memSize,
    policy: config.policy,
    workConserving: createPolicy(config.policy, { N, K, boundedWait }).workConserving,
    selfTransfer: config.selfTransfer,
    zeroSize: config.zeroSize,
    boundedWait,
    cycles: config.run === 'untilIdle' ? null : config.run.cycles,
    memory: config.memory,
    waitLimit,
    interleaving,
  };
}

/**
 * Hands every event of a run to `take`, in order, as the event log has it.
 *
 * Details: the parts show the events as probes. What the memories hold is read from them at the end of each cycle, for the bytes that were
 * written in it, independently of what the parts say they wrote.
 */
export function followEvents(run: Run, assembly: CellAssembly, take: (event: CellLogEvent) => void): void {
  let n = 0;
  let stopped = false;
  const put = (event: object) => take(event as unknown as CellLogEvent);
  const written = new Map<number, Set<number>>();
  run.probes$.subscribe(({ probe }: Shown) => {
    const { type, t, ...rest } = probe as unknown as { type: string; t: number };
    if (type === 'WR') {
      const { mem, a } = rest as unknown as { mem: number; a: number };
      const known = written.get(mem);
      if (known) known.add(a);
      else written.set(mem, new Set([a]));
    }
    if (type === 'BARRIER') {
      for (const [mem, addresses] of [...written].sort(([a], [b]) => a - b)) {
        const memory = assembly.memory(run, mem);
        const bytes = [...addresses].sort((a, b) => a - b).map((a) => [a, memory.read(a)]);
        put({ t, n: n++, ev: 'MEM', mem, bytes });
      }
      written.clear();
    }
    put({ t, n: n++, ev: type, ...rest });
    stopped ||= type === 'STOP';
  });
  run.picks$.subscribe(({ tick, what, count, pick }) => {
    // In which order the parts are told that the run is over is no longer part of it.
    if (!stopped) put({ t: tick, n: n++, ev: 'CHOICE', what, count, pick });
  });
  // What properties find is no part of the log: the checker judges by itself.
  run.reports$.subscribe(({ tick, property, why }) =>
    put({ t: tick, n: n++, ev: 'REPORT', class: classOf(property), inv: property, text: why }),
  );
}

/** The class of what a part reports (Cell specification 13): SYNC for who uses the command bus of another (15.5), FATAL for a wrong grant (15.4) or address (CK-21). */
const classOf = (property: string): ReportEvent['class'] => (property === holderUsesBus ? 'SYNC' : 'FATAL');
