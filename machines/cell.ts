import type { Outcome } from '../kernel/outcome.ts';
import { assembleBursts, assembleSteps, type CellAssembly, type CellRunResult } from './cell/assembly.ts';
import { type CellConfig, type CellPrograms, cellConfig, cellPrograms } from './cell/config.ts';
import { followEvents, logHeader } from './cell/event-log.ts';
import type { CellLogEvent } from './cell/log-events.ts';
import { cellMutants } from './cell/mutants.ts';
import { soundParts } from './cell/parts.ts';
import { cellScene } from './cell/scene.ts';
import { sketch } from './cell/sketch.ts';
import { spaceTimePicture } from './cell/space-time.ts';
import type { Figure, Given, Machine } from './machine.ts';
import { mutantSentences, withMutants } from './mutant.ts';

type CellGiven = Given<CellConfig, CellPrograms>;

/** The Cell-type ring machine: SPUs with DMA modules on bidirectional data rings, a data arbiter, a command bus. */
export const cellMachine: Machine<CellConfig, CellPrograms, CellRunResult> = {
  name: 'cell',
  config: cellConfig,
  programs: cellPrograms,
  mutants: mutantSentences(cellMutants),
  check,
  assemble: (given) => {
    const assembly = wire(given);
    return {
      ...assembly,
      follow: (run, take) => followEvents(run, assembly, take),
      scene: (run) => cellScene(given.config, run),
    };
  },
  figures,
  logHeader,
  picture: (given, records) => spaceTimePicture(logHeader(given), records as readonly CellLogEvent[]),
  sketch: (given, records, width) => sketch(logHeader(given), records as readonly CellLogEvent[], width),
};

/** Bursts know the canonical order of sound parts only; every schedule, every mutant and every fault on a message needs the steps. */
function wire(given: CellGiven): CellAssembly {
  const sound = given.mutants.length === 0 && !given.faults?.length;
  if (given.config.detail === 'burst' && !given.scheduled && sound) return assembleBursts(given);
  const parts = withMutants(soundParts, cellMutants, given.mutants);
  return assembleSteps(given, parts);
}

type CheckFinding = ReturnType<NonNullable<Machine['check']>>[number];

/** What concerns several keys at once: lengths, order and addresses of programs. */
function check(config: CellConfig, programs: CellPrograms): readonly CheckFinding[] {
  const { N, memSize } = config;
  const findings: CheckFinding[] = [];
  if (!Array.isArray(programs)) {
    const { outstanding, sizeMin, sizeMax } = programs.saturate;
    const destinations = memSize / 2 + N * outstanding * sizeMax;
    if (sizeMin > sizeMax)
      findings.push({
        path: ['programs', 'saturate', 'sizeMin'],
        found: `sizeMin ${sizeMin}`,
        expected: `at most sizeMax, which is ${sizeMax}`,
      });
    if (N < 2)
      findings.push({
        path: ['programs', 'saturate'],
        found: 'N = 1',
        expected: 'at least 2 SPUs: each needs a peer',
      });
    if (memSize % 2 !== 0 || destinations > memSize || memSize / 2 - 64 - sizeMax < 0) {
      const least = 2 * Math.max(N * outstanding * sizeMax, 64 + sizeMax);
      findings.push({
        path: ['programs', 'saturate'],
        found: `memSize ${memSize}`,
        expected: `an even memSize of at least ${least}: room for the destinations of N * outstanding requests of sizeMax bytes`,
      });
    }
    return findings;
  }
  if (programs.length > N)
    findings.push({
      path: ['programs', N],
      found: `program number ${N}`,
      expected: `at most ${N} programs, one per SPU (N = ${N})`,
    });
  for (const [spu, program] of programs.entries()) {
    if (!Array.isArray(program)) continue;
    for (let index = 1; index < program.length; index++) {
      const [before, here] = [program[index - 1]!.cycle, program[index]!.cycle];
      if (here < before)
        findings.push({
          path: ['programs', spu, index, 0],
          found: `cycle ${here} after cycle ${before}`,
          expected: 'a list sorted by cycle',
        });
    }
  }
  if (config.detail === 'burst' && config.interleaving === 'free') {
    findings.push({
      path: ['config', 'interleaving'],
      found: 'free interleaving with detail: burst',
      expected: 'detail: step, since bursts know the canonical order only',
    });
  }
  return findings;
}

function figures(result: CellRunResult, outcome: Outcome): readonly Figure[] {
  const two = (value: number) => value.toFixed(2);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    { label: 'cycles', value: String(result.cycles) },
    { label: 'bytes moved', value: `${result.bytes} (${two(result.bytesPerCycle)} per cycle)` },
    { label: 'commands', value: String(result.commands) },
    {
      label: 'requests',
      value: `${result.transfers.length}${result.incomplete ? ', not all finished' : ''}`,
    },
    {
      label: 'total wait',
      value: `${result.totalWait} cycles (mean ${two(result.meanWait)}, 95 % ${result.wait95}, 99 % ${result.wait99}, longest ${result.maxWait})`,
    },
    { label: 'running transfers', value: `mean ${two(result.runningMean)}, peak ${result.runningPeak}` },
    { label: 'ring occupation', value: result.occupation.map(percent).join(', ') },
    { label: 'detours', value: percent(result.detours) },
    ...result.exceptions.map(({ spu, why }) => ({ label: `exception in SPU ${spu}`, value: why })),
    { label: 'memory hash', value: result.memHash },
    { label: 'read hash', value: result.readHash },
    { label: 'deliveries', value: String(outcome.deliveries) },
  ];
}

export {
  assembleBursts,
  assembleSteps,
  type CellAssembly,
  type CellRunResult,
  initialMemories,
  patternByte,
} from './cell/assembly.ts';
export { type CellConfig, type CellPrograms, cellConfig, cellPrograms } from './cell/config.ts';
