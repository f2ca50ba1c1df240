import { type Command, Option } from 'commander';
import { instructionsPerCycle } from '../../actors/chiplet/gpu/statistics.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import {
  approximations,
  type CompileOptions,
  contractions,
  divergences,
  type MessageOpcode,
  messageOpcodes,
} from '../../actors/chiplet/ptx/compile-options.ts';
import type { Kernel } from '../../actors/chiplet/ptx/kernel.ts';
import { LaunchError } from '../../actors/chiplet/ptx/launch.ts';
import { compileKernels, type PartialProgram, type PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { PtxError, shortLine } from '../../actors/chiplet/ptx/ptx-error.ts';
import { coreWithRoom } from '../../machines/chiplet/core-room.ts';
import { readGpgpusimConfig } from '../../machines/chiplet/gpgpusim-config.ts';
import { type CaseOutcome, runCase } from '../../machines/chiplet/gpu-case.ts';
import {
  caseOf,
  type ExpectedCase,
  expectedCounts,
  firstDifference,
  gpuCaseFile,
} from '../../machines/chiplet/gpu-case-schema.ts';
import { timedCase } from '../../machines/chiplet/gpu-case-timed.ts';
import { consoleLines } from '../../machines/chiplet/gpu-console.ts';
import { powerOf, powerReport } from '../../machines/chiplet/gpu-power.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { naturalOption } from '../natural-option.ts';
import { writeOutput } from '../output.ts';
import { readInput } from '../read-input.ts';
import { readJsonAs } from '../read-json.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { type ProgressOptions, withProgress } from '../with-progress.ts';

interface PtxOptions {
  readonly case: string;
  readonly name?: string;
  readonly config?: string;
  readonly power?: string;
  readonly cycles: number;
  readonly contraction: NonNullable<CompileOptions['contraction']>;
  readonly approximations: NonNullable<CompileOptions['approximations']>;
  readonly divergence: NonNullable<CompileOptions['divergence']>;
  readonly messageOpcode: MessageOpcode;
  readonly json?: boolean;
}

/** Cycles that a kernel may take unless it is told otherwise: minutes of work for this program. */
const cyclesMostUsual = 50_000_000;
/** Cycles between two looks at the terminal. */
const sliceCycles = 20_000;
/** Warps of a kernel that does not end whose places are told. */
const placesTold = 4;

/** `lockstep chiplet ptx FILE --case CASES.json`: runs kernels on the data of cases (chiplet specification 7). */
export function declarePtx(command: Command, session: Session): void {
  command
    .argument('<file.ptx>', 'PTX text')
    .requiredOption('--case <cases.json>', 'launches with their buffers, parameters and what is expected')
    .option('--name <case>', 'only this case')
    .option('--config <gpgpusim.config>', 'the chiplet; as shipped when absent')
    .option(
      '--cycles <n>',
      'cycles after which a kernel is stopped',
      naturalOption('--cycles'),
      cyclesMostUsual,
    )
    .addOption(
      new Option(
        '--contraction <rule>',
        'products and the sums that take them: apart, or fused where PTX allows it',
      )
        .choices(contractions)
        .default('none'),
    )
    .addOption(
      new Option(
        '--approximations <rule>',
        'approximate instructions: rounded from what is exact, or as an H100 has them',
      )
        .choices(approximations)
        .default('exact'),
    )
    .addOption(
      new Option(
        '--divergence <rule>',
        'lanes of a warp that wait for each other: go on, or stand on a stack',
      )
        .choices(divergences)
        .default('independent'),
    )
    .addOption(
      new Option('--message-opcode <rule>', 'whether addc is a message; auto: unless a carry goes before it')
        .choices(messageOpcodes)
        .default('auto'),
    )
    .option('--power <file>', 'write the power report of all launches together')
    .option('--json', 'one JSON object {file, cases} on standard output')
    .action(async (file: string, options: PtxOptions) => {
      const { terminal } = session;
      const program = compiled(file, options);
      const timing = timingOf(options.config, terminal);
      const began = performance.now();
      const results: CaseResult[] = [];
      const cases = casesOf(options);
      const refused = cases.filter(({ entry }) => program.refused.has(entry));
      const refusalOf = ({ entry }: ExpectedCase) => usageOf(file, program.refused.get(entry)!);
      // What cannot be read keeps no other case from being run.
      if (refused.length === cases.length && refused[0]) throw refusalOf(refused[0]);
      const isOver = await withProgress(
        terminal,
        undefined,
        async (heed) => {
          for (const one of cases.filter(({ entry }) => !program.refused.has(entry))) {
            const result = await runOne(file, program, one, timing, options, heed);
            if (result === undefined) return false;
            results.push(result);
          }
          return true;
        },
        'cycles',
      );
      if (!isOver) {
        session.exitCode = exitCodes.interrupted;
        return;
      }
      const seconds = (performance.now() - began) / 1000;
      const reports = results.flatMap(({ report }) => (report ? [report] : []));
      const power = powerOf(reports, timing);
      const notRead = refused.map((one) => ({
        name: one.name,
        entry: one.entry,
        refused: refusalOf(one).what,
      }));
      if (options.json)
        terminal.out(`${JSON.stringify({ file, cases: [...results.map(shown), ...notRead], power })}\n`);
      else {
        for (const one of results) terminal.out(`${one.printed.join('')}${line(one)}\n`);
        for (const one of notRead) terminal.out(`${one.name} ${one.entry}: REFUSED ${one.refused}\n`);
      }
      for (const one of results)
        for (const what of warningsOf(one)) terminal.err(`${one.name} warning: ${what}\n`);
      const sum = (of: (one: (typeof reports)[number]) => number): number =>
        reports.reduce((total, one) => total + of(one), 0);
      const instructions = sum(({ statistics }) => statistics.counts.threadInstructions);
      terminal.err(consoleLines({ seconds, instructions, cycles: sum(({ cycles }) => cycles) }));
      if (results.some(({ problems }) => problems.length > 0)) session.exitCode = exitCodes.failed;
      if (refused.length > 0) session.exitCode = exitCodes.usage;
      if (options.power !== undefined) writeOutput(terminal, options.power, powerReport(file, power));
    });
}

/** The kernels of a text; one that cannot be compiled is only a mistake when a case wants it. */
function compiled(
  file: string,
  { contraction, approximations: rules, divergence, messageOpcode }: PtxOptions,
): PartialProgram {
  const text = readInput(file);
  try {
    return compileKernels([{ file, text }], {
      contraction,
      approximations: rules,
      divergence,
      messageOpcode,
    });
  } catch (error) {
    throw error instanceof PtxError ? usageOf(file, error) : error;
  }
}

function usageOf(file: string, error: PtxError): UsageError {
  const { at, what, help, names } = error;
  const near = names === undefined ? help : didYouMean(names.found, names.known, names.of);
  return new UsageError(`${file}:${at.line}:${at.column} E-PTX ${what}\n  ${shortLine(error.text)}`, near);
}

function timingOf(file: string | undefined, terminal: Terminal): GpuTiming {
  if (file === undefined) return defaultTiming;
  const { timing, findings } = readGpgpusimConfig(readInput(file));
  for (const { line: at, kind, what } of findings) {
    if (kind === 'error') throw new UsageError(`${file}:${at} ${what}`, 'correct the line, or leave it out');
    terminal.err(`${file}:${at} warning: ${what}\n`);
  }
  return timing;
}

function casesOf({ case: file, name }: PtxOptions): readonly ExpectedCase[] {
  const { cases } = readJsonAs(file, gpuCaseFile, 'write {ptx, cases: [...]}');
  if (name === undefined) return cases;
  const found = cases.filter((one) => one.name === name);
  if (found.length === 0)
    throw new UsageError(
      `${file}: found no case "${name}"`,
      didYouMean(
        name,
        cases.map((one) => one.name),
        'cases',
      ),
    );
  return found;
}

/** A case on a timed chiplet, compared with what it expects; undefined when it was interrupted. */
async function runOne(
  file: string,
  program: PartialProgram,
  one: ExpectedCase,
  timing: GpuTiming,
  { case: caseFile, cycles, config }: PtxOptions,
  heed: ProgressOptions,
) {
  const kernel = program.kernels.get(one.entry);
  if (!kernel)
    throw new UsageError(
      `${caseFile}, ${one.name}: found no kernel "${one.entry}" in ${file}, expected one of its kernels`,
      didYouMean(one.entry, [...program.kernels.keys()], 'kernels'),
    );
  // A chiplet that somebody has described stays as it is.
  const core =
    config === undefined ? coreWithRoom(timing, kernel, caseOf(one)) : { timing, enlarged: undefined };
  const outcome = await timedOutcome(program, one, core.timing, caseFile, cycles, heed);
  if (outcome === undefined) return undefined;
  const { violations, failure, deadlock } = outcome.outcome;
  const { left } = outcome;
  const more = left.length > placesTold ? [`and ${left.length - placesTold} more warps`] : [];
  const places = [...left.slice(0, placesTold), ...more].map((place) => `\n    ${place}`).join('');
  const waiting = deadlock?.waiting.map(
    ({ actor, since, waitsFor }) => `${actor} waits since cycle ${since} for ${waitsFor}`,
  );
  const never = left.length > 0 ? 'its warps wait at' : (waiting?.join(', ') ?? 'nothing is left to do');
  const stuck =
    outcome.finished || violations.length > 0
      ? []
      : outcome.outcome.verdict === 'ok'
        ? [`E-LIMIT the kernel has not ended after --cycles ${cycles} cycles; its warps are at${places}`]
        : [`E-DEADLOCK the kernel never ends: ${never}${places}`];
  const problems = [
    ...violations.map(({ why }) => why),
    ...(failure ? [failure.message] : []),
    ...stuck,
    ...differencesOf(one, outcome),
    ...(outcome.finished ? countDifferences(program, kernel, one) : []),
  ];
  const { enlarged } = core;
  return { name: one.name, entry: one.entry, ...outcome, problems, stuck, enlarged, isJudged: isJudged(one) };
}

/** True for a case that says what must come of it. */
const isJudged = ({ expected, messagesSent, stats }: ExpectedCase): boolean =>
  messagesSent !== undefined ||
  Object.keys(stats ?? {}).length > 0 ||
  Object.values(expected).some(({ length }) => length > 0);

/** Buffers and messages that are not as expected. */
function differencesOf(
  { expected: buffers, relTolerance, messagesSent }: ExpectedCase,
  outcome: CaseOutcome,
): readonly string[] {
  const found = outcome.exactly();
  const differences = Object.entries(buffers).flatMap(([name, values]) => {
    const difference = firstDifference(found[name], values, relTolerance);
    return difference
      ? [`${name}[${difference.index}] is ${difference.found}, expected ${difference.expected}`]
      : [];
  });
  if (messagesSent === undefined) return differences;
  const [sent, wanted] = [outcome.sent, messagesSent].map((list) => list.map(spelled)) as [
    string[],
    string[],
  ];
  const at = Array.from({ length: Math.max(sent.length, wanted.length) }).findIndex(
    (_, index) => sent[index] !== wanted[index],
  );
  if (at < 0) return differences;
  const [is, expected] = [sent, wanted].map((list) => list[at] ?? 'none');
  return [...differences, `message ${at} sent is ${is}, expected ${expected}`];
}

const spelled = ({ src, dst, value }: CaseOutcome['sent'][number]): string =>
  `${value} from (${src.join(', ')}) to (${dst.join(', ')})`;

/** Counts that are not as expected: without timing, on which it depends how often a loop that waits for others is repeated. */
function countDifferences(program: PtxProgram, kernel: Kernel, one: ExpectedCase): readonly string[] {
  const wanted = Object.entries(one.stats ?? {});
  if (wanted.length === 0) return [];
  const { counts } = runCase(program, kernel, caseOf(one));
  return wanted.flatMap(([name, expected]) => {
    const found = counts[expectedCounts[name as keyof typeof expectedCounts]];
    return found === expected ? [] : [`${name} is ${found}, expected ${expected}`];
  });
}

async function timedOutcome(
  program: PtxProgram,
  one: ExpectedCase,
  timing: GpuTiming,
  caseFile: string,
  cycles: number,
  { onProgress, shouldStop, turn }: ProgressOptions,
) {
  try {
    const timed = timedCase(program, program.kernels.get(one.entry)!, caseOf(one), timing);
    const { run } = timed;
    for (let last = sliceCycles; ; last += sliceCycles) {
      const { ticks, deliveries } = run.until(Math.min(last, cycles));
      if (run.ended || last >= cycles) return timed.outcome();
      if (shouldStop()) return undefined;
      onProgress(ticks, deliveries);
      await turn();
    }
  } catch (error) {
    if (error instanceof LaunchError)
      throw new UsageError(`${caseFile}, ${one.name}: ${error.message}`, 'correct the launch');
    throw error;
  }
}

type CaseResult = NonNullable<Awaited<ReturnType<typeof runOne>>>;

/** What is no error but hardly meant (chiplet specification 13, W-UNREAD, E-BARDIV). */
const warningsOf = ({ unread, counts, enlarged }: CaseResult): readonly string[] => [
  ...(enlarged === undefined
    ? []
    : [
        `it ran on a core with ${enlarged}, more than the chiplet as shipped has; --config says what another has`,
      ]),
  ...unread.map(
    ({ source, count }) => `W-UNREAD ${count} values from (${source.join(', ')}) were never read`,
  ),
  ...(counts.partedBarriers > 0
    ? [
        `E-BARDIV warps came ${counts.partedBarriers} times to a barrier while lanes of theirs were elsewhere or had ended`,
      ]
    : []),
];

const shown = ({ name, entry, finished, problems, report, exactly, sent, printed }: CaseResult) => ({
  name,
  entry,
  finished,
  problems,
  cycles: report?.cycles ?? null,
  ipc: report ? instructionsPerCycle(report) : null,
  coresUsed: report?.coresUsed ?? 0,
  statistics: report?.statistics ?? null,
  buffers: Object.fromEntries(Object.entries(exactly()).map(([key, list]) => [key, list.map(written)])),
  sent,
  ...(printed.length > 0 && { printed: printed.join('') }),
});

/** A value as case files have it: in quotes where JSON has no number for it. */
const written = (value: number | bigint): number | string =>
  typeof value === 'bigint' || !Number.isFinite(value) ? String(value) : value;

function line({ name, entry, report, problems, sent, isJudged }: CaseResult): string {
  const ended = isJudged ? 'ok' : 'ended, nothing is expected of it';
  const found = problems.length === 0 ? ended : `FAILED ${problems.join('; ')}`;
  if (!report) return `${name} ${entry}: ${found}`;
  const { counts, l1Hits, l1Misses, bankConflicts } = report.statistics;
  return `${name} ${entry}: ${found}; ${report.cycles} cycles, ${counts.warpInstructions} warp and ${counts.threadInstructions} thread instructions (${instructionsPerCycle(report).toFixed(2)} a cycle), ${report.coresUsed} cores, L1 ${l1Hits} hits ${l1Misses} misses, ${bankConflicts} bank conflicts, ${counts.divergentBranches} divergent branches, ${sent.length} messages sent`;
}
