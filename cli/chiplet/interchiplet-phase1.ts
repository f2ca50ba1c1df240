import { writeFileSync } from 'node:fs';
import { type BenchLine, parseBench } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { delayText } from '../../actors/chiplet/interchiplet/delay-line.ts';
import type { DelayLine } from '../../actors/chiplet/interchiplet/latency-records.ts';
import { placeText } from '../../actors/chiplet/interchiplet/place.ts';
import { Run } from '../../kernel/run.ts';
import { assembleInterchipletGiven, interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import {
  type InterchipletConfig,
  interchipletConfig,
  interchipletPrograms,
} from '../../machines/chiplet/interchiplet-config.ts';
import { BenchFileError } from '../../scenarios/chiplet/interchiplet-bench-file.ts';
import { logFile, workingFolder } from './interchiplet-folders.ts';
import type { InProcess } from './interchiplet-plan.ts';

/** What a round of phase 1 is given. */
export interface Phase1Given {
  readonly cwd: string;
  readonly round: number;
  readonly networkRate: number;
  /** Bytes that a flit carries. */
  readonly flitBytes: number;
  readonly delay: readonly DelayLine[];
}

/** What a round of phase 1 came to; `stopped` tells why it did not come to its end. */
export interface Phase1Result {
  readonly cycles: number;
  readonly bench: readonly BenchLine[];
  readonly warnings: readonly string[];
  readonly stopped?: {
    readonly why: 'deadlock' | 'failed' | 'interrupted';
    /** Who waits for what, or which process failed. */
    readonly lines: readonly string[];
  };
}

/** Carries out a round of processes that are steps: a run of the machine, first come first served. */
export function runInProcess(
  processes: readonly InProcess[],
  { cwd, round, networkRate, flitBytes, delay }: Phase1Given,
): Phase1Result {
  const config: InterchipletConfig = interchipletConfig.parse({
    rounds: 1,
    networkRate,
    flitBytes,
    delay: delay.map(delayText),
  });
  const programs = interchipletPrograms.parse(
    processes.map(({ place, script, entry }) => ({ ...place, clockRate: entry.clockRate, script })),
  );
  for (const { path, found, expected } of interchipletMachine.check?.(config, programs) ?? []) {
    const entry = processes[Number(path[1])]?.entry;
    if (entry)
      throw new BenchFileError(
        'E-PROG',
        entry.at,
        `found ${found}`,
        `expected ${expected}; see step ${path[3] ?? 0} of ${entry.script ?? entry.program}`,
      );
  }
  const assembly = assembleInterchipletGiven(config, programs);
  const run = new Run(assembly.wiring);
  const { verdict } = run.toEnd();
  const { rounds, warnings, blocked } = assembly.result(run);
  const [found] = rounds;
  for (const [index, { entry, place }] of processes.entries()) {
    const folder = workingFolder(cwd, { round, phase: 1, index }, entry);
    const log = logFile(folder, entry);
    const rows = found?.logs[placeText(place)] ?? [];
    if (log !== undefined) writeFileSync(log, rows.map((row) => `${row.join(' ')}\n`).join(''));
  }
  const lines = blocked.map(({ process, why }) => `${process} ${why}`);
  return {
    cycles: found?.cycles ?? 0,
    bench: parseBench((found?.bench ?? []).join('\n'), 'bench.txt'),
    warnings: warnings.map((text) => text.replace(/^round \d+/, `round ${round}`)),
    ...(verdict === 'deadlock' && { stopped: { why: 'deadlock' as const, lines } }),
  };
}
