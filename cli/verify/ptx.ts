import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { BarrierDeadlock } from '../../actors/chiplet/ptx/functional-grid.ts';
import { MessageFault } from '../../actors/chiplet/ptx/lane-messages.ts';
import { LaunchError } from '../../actors/chiplet/ptx/launch.ts';
import { compilePtx, type PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { PtxError } from '../../actors/chiplet/ptx/ptx-error.ts';
import { KernelTrap, MemoryFault } from '../../actors/chiplet/ptx/warp.ts';
import { coreWithRoom } from '../../machines/chiplet/core-room.ts';
import { type CaseOutcome, runCase } from '../../machines/chiplet/gpu-case.ts';
import {
  caseOf,
  type ExpectedCase,
  expectedCounts,
  firstDifference,
  gpuCaseFile,
} from '../../machines/chiplet/gpu-case-schema.ts';
import { timedCase } from '../../machines/chiplet/gpu-case-timed.ts';
import { soundChipletParts } from '../../machines/chiplet/gpu-chiplet.ts';
import { referenceData } from '../../scenarios/json-data.ts';
import {
  DamagedReference,
  equalRow,
  NothingToCompare,
  type ReferenceKind,
  type Row,
} from '../../scenarios/reference-kind.ts';

/** PTX kernels with their data (chiplet specification 7): once without timing, once on a chiplet whose every warp is an actor. */
export const ptxKernels: ReferenceKind = {
  name: 'ptx kernels',
  summary: 'buffers, messages and counts of PTX kernels, without timing and on a timed chiplet',
  recognises: ({ json }) =>
    typeof json === 'object' &&
    json !== null &&
    'ptx' in json &&
    'cases' in json &&
    Array.isArray(json.cases),
  *rows(file) {
    const { ptx, cases } = referenceData(file, gpuCaseFile);
    const text = join(dirname(file.path), ptx);
    if (!existsSync(text)) throw new NothingToCompare(`the text ${ptx} is not beside it`);
    const program = compiled(text);
    for (const one of cases) yield* caseRows(program, one);
  },
};

function compiled(file: string): PtxProgram {
  try {
    return compilePtx([{ file, text: readFileSync(file, 'utf8') }]);
  } catch (error) {
    if (error instanceof PtxError) throw new DamagedReference(error.message);
    throw error;
  }
}

const atFault = (error: unknown): error is Error =>
  error instanceof MemoryFault ||
  error instanceof MessageFault ||
  error instanceof KernelTrap ||
  error instanceof BarrierDeadlock ||
  error instanceof LaunchError;

function* caseRows(program: PtxProgram, one: ExpectedCase): Iterable<Row> {
  const kernel = program.kernels.get(one.entry);
  if (!kernel) throw new DamagedReference(`${one.name}: there is no kernel ${one.entry}`);
  const runs: readonly [name: string, run: () => CaseOutcome][] = [
    ['functional', () => runCase(program, kernel, caseOf(one))],
    [
      'timed',
      () => {
        const { timing } = coreWithRoom(defaultTiming, kernel, caseOf(one));
        const timed = timedCase(program, kernel, caseOf(one), timing, {}, soundChipletParts, 'warp');
        timed.run.toEnd();
        return timed.outcome();
      },
    ],
  ];
  for (const [name, run] of runs) {
    let outcome: CaseOutcome;
    try {
      outcome = run();
    } catch (error) {
      if (!atFault(error)) throw error;
      yield equalRow(`${one.name} ${name}`, 'the kernel ends', 'finished', error.message);
      continue;
    }
    yield* outcomeRows(`${one.name} ${name}`, one, outcome);
    // How often a loop that waits for others is repeated depends on timing.
    if (name === 'functional') yield* countRows(one, outcome);
  }
}

function* outcomeRows(
  id: string,
  one: ExpectedCase,
  { exactly, sent, finished }: CaseOutcome,
): Iterable<Row> {
  const buffers = exactly();
  yield equalRow(id, 'the kernel ends', 'finished', finished ? 'finished' : 'waiting');
  for (const [name, expected] of Object.entries(one.expected)) {
    const difference = firstDifference(buffers[name], expected, one.relTolerance);
    yield {
      id,
      what: `buffer ${name}`,
      expected: difference ? `${difference.expected} at ${difference.index}` : `${expected.length} values`,
      found: difference
        ? `${difference.found ?? 'nothing'} at ${difference.index}`
        : `${expected.length} values`,
      tolerance: one.relTolerance,
      passed: difference === undefined,
    };
  }
  if (one.messagesSent)
    yield equalRow(
      id,
      'messages sent',
      JSON.stringify(one.messagesSent.map(inOrder)),
      JSON.stringify(sent.map(inOrder)),
    );
}

const inOrder = ({ src, dst, value }: CaseOutcome['sent'][number]) => ({ src, dst, value });

function* countRows(one: ExpectedCase, { counts }: CaseOutcome): Iterable<Row> {
  for (const [name, expected] of Object.entries(one.stats ?? {}))
    yield equalRow(one.name, name, expected, counts[expectedCounts[name as keyof typeof expectedCounts]]);
}
