import { z } from 'zod';
import type { Outcome } from '../../kernel/outcome.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { assembleInterchipletGiven, type InterchipletResult } from '../../machines/chiplet/interchiplet.ts';
import {
  type InterchipletPrograms,
  interchipletConfig,
  interchipletPrograms,
  scriptSchema,
} from '../../machines/chiplet/interchiplet-config.ts';
import { equalRow, type Row } from '../reference-row.ts';

const place = z.string().regex(/^\d{1,2},\d{1,2}$/);

const roundSchema = z.strictObject({
  round: z.int().min(1),
  logs: z.record(place, z.array(z.array(z.union([z.string(), z.number()])))),
  cycles: z.number(),
  bench: z.array(z.string()),
  delay: z.array(z.string()),
  converged: z.boolean(),
  warn: z.array(z.string()),
});

const caseSchema = z.strictObject({
  name: z.string(),
  note: z.string(),
  meshSide: z.int().min(1),
  errorThreshold: z.number(),
  clockRates: z.record(place, z.number().positive()),
  phase2ClockRate: z.number().positive(),
  popnetParams: z.record(z.string(), z.number()),
  script: z.record(place, scriptSchema),
  rounds: z.array(roundSchema).min(1),
});

/** Reference runs of a coordinator, round by round. */
export const interchipletGoldenSchema = z.strictObject({ cases: z.array(caseSchema) });

/** Reference runs of a coordinator. */
export type InterchipletGolden = z.output<typeof interchipletGoldenSchema>;
export type InterchipletCase = InterchipletGolden['cases'][number];

/** The processes of a case, in the order in which they are written. */
export const programsOfCase = ({ script, clockRates }: InterchipletCase): InterchipletPrograms =>
  interchipletPrograms.parse(
    Object.entries(script).map(([at, steps]) => {
      const [x, y] = at.split(',').map(Number);
      return { x, y, clockRate: clockRates[at] ?? 1, script: steps };
    }),
  );

/** What one round is run with, besides its processes. */
export interface RoundGiven {
  readonly networkRate: number;
  readonly error: number;
  readonly delay: readonly string[];
  /** Cycles of the round before; absent in the first round. */
  readonly previousCycles?: number | undefined;
}

/** Runs one round of processes from given latency records. */
export function runRound(
  programs: InterchipletPrograms,
  given: RoundGiven,
  options: RunOptions = {},
): { readonly outcome: Outcome; readonly result: InterchipletResult } {
  const config = interchipletConfig.parse({ ...given, rounds: 1 });
  const assembly = assembleInterchipletGiven(config, programs);
  const run = new Run(assembly.wiring, options);
  const outcome = run.toEnd();
  return { outcome, result: assembly.result(run) };
}

const sorted = (lines: readonly string[]): string => [...lines].sort().join('\n');

/** Compares every round of every case: the delay of the round before is given; logs, cycles, trace and convergence must be equal. */
export function* interchipletRows({ cases }: InterchipletGolden): Iterable<Row> {
  for (const one of cases) {
    const programs = programsOfCase(one);
    for (const [index, expected] of one.rounds.entries()) {
      const before = one.rounds[index - 1];
      const id = `${one.name} round ${expected.round}`;
      const { outcome, result } = runRound(programs, {
        networkRate: one.phase2ClockRate,
        error: one.errorThreshold,
        delay: before?.delay ?? [],
        previousCycles: before?.cycles,
      });
      yield equalRow(id, 'verdict', 'ok', outcome.verdict);
      const found = result.rounds[0];
      for (const [at, log] of Object.entries(expected.logs))
        yield equalRow(id, `log of (${at})`, JSON.stringify(log), JSON.stringify(found?.logs[at] ?? null));
      yield equalRow(id, 'cycles', expected.cycles, found?.cycles);
      yield equalRow(id, 'trace, in any order', sorted(expected.bench), sorted(found?.bench ?? []));
      yield equalRow(id, 'converged', expected.converged, found?.converged);
      yield equalRow(id, 'warnings', expected.warn.length, result.warnings.length);
    }
  }
}
