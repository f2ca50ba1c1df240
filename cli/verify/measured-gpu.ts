import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { BarrierDeadlock, StepLimit } from '../../actors/chiplet/ptx/functional-grid.ts';
import { LaunchError } from '../../actors/chiplet/ptx/launch.ts';
import { compileKernels, type PartialProgram } from '../../actors/chiplet/ptx/program.ts';
import { PtxError } from '../../actors/chiplet/ptx/ptx-error.ts';
import { KernelTrap, MemoryFault } from '../../actors/chiplet/ptx/warp.ts';
import {
  type MeasuredCase,
  type MeasuredOutcome,
  measuredBytes,
  measuredFile,
  runMeasured,
} from '../../machines/chiplet/measured-case.ts';
import { timedMeasured } from '../../machines/chiplet/measured-cycles.ts';
import { differenceOf, liesAmong } from '../../machines/chiplet/measured-difference.ts';
import { referenceData } from '../../scenarios/json-data.ts';
import { formatOf, type ReferenceKind, type Row } from '../../scenarios/reference-kind.ts';

/** Warp instructions that a launch may issue before it counts as one that does not end. */
const stepsMost = 20_000_000;

/** Launches of compiled kernels beside the bytes that a GPU answered (chiplet specification 7); each row has one of four verdicts. */
export const measuredGpu: ReferenceKind = {
  name: 'lockstep-gpu/1',
  summary:
    'launches of compiled kernels against the bytes of a GPU: equal, allowed difference, wrong, refused',
  recognises: (file) => formatOf(file) === 'lockstep-gpu/1',
  *rows(file) {
    const { cases } = referenceData(file, measuredFile);
    const texts = new Texts(dirname(file.path));
    for (const one of cases)
      for (const text of Object.keys(one.expected)) {
        const id = `${one.name} ${text}`;
        if (texts.has(text)) yield judged(id, texts, text, one, file.explicit ? onWarps : onGrid);
        else
          yield { ...row(id, 'wrong', `${text} is not beside the file`), skipped: 'its text is not there' };
      }
  },
};

/** How a launch is run: without timing, or on a chiplet whose every warp, load and block is an actor. Errors: as `runMeasured`; `Unended` for a chiplet that stands still. */
type Runner = (program: PartialProgram, one: MeasuredCase) => MeasuredOutcome;

const onGrid: Runner = (program, one) => runMeasured(program, one, stepsMost);

const onWarps: Runner = (program, one) => {
  const { run, outcome } = timedMeasured(program, one, defaultTiming, 'warp');
  const { verdict, violations } = run.toEnd();
  const left = outcome();
  if (left === undefined) throw new Unended(violations[0]?.why ?? `the launch ends as ${verdict}`);
  return left;
};

class Unended extends Error {
  override readonly name = 'Unended';
}

type Verdict = NonNullable<Row['verdict']>;

const row = (id: string, verdict: Verdict, found: string): Row => ({
  id,
  what: 'buffers of the launch',
  expected: 'the bytes of the GPU',
  found,
  tolerance: null,
  passed: verdict === 'equal' || verdict.startsWith('allowed'),
  verdict,
});

/** Texts of a folder, each compiled once for each reading. */
class Texts {
  readonly #folder: string;
  readonly #compiled = new Map<string, PartialProgram | PtxError>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(text: string): boolean {
    return existsSync(join(this.#folder, text));
  }

  /** The kernels of a text, or why it cannot be read. */
  compiled(text: string, options: CompileOptions): PartialProgram | PtxError {
    const key = `${text} ${JSON.stringify(options)}`;
    let known = this.#compiled.get(key);
    if (known === undefined) {
      try {
        const file = join(this.#folder, text);
        // Nobody sends messages here.
        known = compileKernels([{ file, text: readFileSync(file, 'utf8') }], {
          messageOpcode: 'off',
          ...options,
        });
      } catch (error) {
        if (!(error instanceof PtxError)) throw error;
        known = error;
      }
      this.#compiled.set(key, known);
    }
    return known;
  }
}

function judged(id: string, texts: Texts, text: string, one: MeasuredCase, runner: Runner): Row {
  const program = texts.compiled(text, {});
  const error = program instanceof PtxError ? program : program.refused.get(one.entry);
  if (program instanceof PtxError || error) return row(id, 'refused', shortOf(error!));
  if (!program.kernels.has(one.entry)) return row(id, 'refused', `there is no kernel ${one.entry}`);
  let outcome: MeasuredOutcome;
  try {
    outcome = runner(program, one);
  } catch (error) {
    if (error instanceof LaunchError) return row(id, 'refused', error.message);
    if (!isFault(error)) throw error;
    return row(id, 'wrong', error.message);
  }
  const found = differences(one, text, outcome, false);
  if (found.length === 0) return row(id, 'equal', 'the same bytes');
  if (differences(one, text, outcome, true).length === 0) return row(id, 'allowed: NaN payload', found[0]!);
  return row(id, allowance(texts, text, one, outcome, runner) ?? 'wrong', found[0]!);
}

/** Seeds of the runs that show how much a launch depends on approximate results. */
const seeds = [0, 1, 2, 3, 4, 5];

/**
 * Why a difference is allowed; undefined when it is not: the launch is as the GPU's when products are fused, or approximate results are those of an H100, or the GPU's numbers lie among those
 * that come out when approximate results move within their bounds.
 */
function allowance(
  texts: Texts,
  text: string,
  one: MeasuredCase,
  plain: MeasuredOutcome,
  runner: Runner,
): Verdict | undefined {
  const run = (options: CompileOptions): MeasuredOutcome => {
    const program = texts.compiled(text, { ...options, entries: [one.entry] });
    if (program instanceof PtxError) throw program;
    return runner(program, one);
  };
  const [fused, all] = (['fuse', 'fuse-all'] as const).map((contraction) => run({ contraction }));
  for (const outcome of [fused!, all!])
    if (differences(one, text, outcome, true).length === 0) return 'allowed: contraction';
  for (const [name, exact, contraction] of [
    ['approximation', plain, 'none'],
    ['contraction and approximation', fused!, 'fuse'],
    ['contraction and approximation', all!, 'fuse-all'],
  ] as const) {
    if (differences(one, text, run({ contraction, approximations: 'h100' }), true).length === 0)
      return `allowed: ${name}`;
    const moved = seeds.map((perturbation) => run({ contraction, perturbation }));
    const within = one.compare.every((name) => {
      const all = [exact, ...moved].map(({ buffers }) => buffers.get(name)!);
      return liesAmong(one.buffers[name]!.type, all, measuredBytes(one, text, name));
    });
    if (within) return `allowed: ${name}`;
  }
  return undefined;
}

const isFault = (error: unknown): error is Error =>
  error instanceof Unended ||
  error instanceof MemoryFault ||
  error instanceof KernelTrap ||
  error instanceof BarrierDeadlock ||
  error instanceof StepLimit;

const shortOf = ({ at, what }: PtxError): string => `line ${at.line}: ${what.slice(0, 160)}`;

/** What differs from the GPU's buffers, one sentence a buffer. */
function differences(
  one: MeasuredCase,
  text: string,
  { buffers }: MeasuredOutcome,
  anyNaN: boolean,
): readonly string[] {
  return one.compare.flatMap((name) => {
    const { type } = one.buffers[name]!;
    const found = differenceOf(type, buffers.get(name)!, measuredBytes(one, text, name), anyNaN);
    if (found === undefined) return [];
    const { index, count, of } = found;
    return [
      `${name}[${index}] is ${found.found}, the GPU has ${found.expected}; ${count} of ${of} elements differ`,
    ];
  });
}
