import { instructionClasses } from '../../../actors/chiplet/ptx/instruction.ts';
import type { PtxProgram } from '../../../actors/chiplet/ptx/program.ts';
import { compilePtx } from '../../../actors/chiplet/ptx/program.ts';
import { type CaseOutcome, runCase } from '../../../machines/chiplet/gpu-case.ts';
import type { SystemAssembly, SystemGiven } from '../../../machines/chiplet/system.ts';
import { compileOptionsOf } from '../../../machines/chiplet/system-programs.ts';
import { chipletStates } from '../../../machines/chiplet/system-result.ts';
import { firstDifference, type Reference } from '../../with-reference.ts';
import {
  firstWrong,
  type Launched,
  launchesIn,
  plainHost,
  type Steps,
} from './kernels-do-what-plain-threads-do.ts';

/** As the GPU of the specification has them (chiplet specification 7.3). */
const schedulersPerCore = 2;
/** Cycles of schedulers at both ends of a block, and behind a branch, that are counted twice or not at all: these, and a twentieth. */
const slack = 60;
/** Of a warp: the most segments of an access. */
const lanes = 32;
/** Atomics read and write what they touch. */
const atomics = instructionClasses.indexOf('atomic');

/** What each launch of a host leaves and counts without timing. */
const known = new WeakMap<object, readonly CaseOutcome[]>();

function casesOf(
  program: () => PtxProgram,
  steps: Steps,
  launches: readonly Launched[],
): readonly CaseOutcome[] {
  const kept = known.get(steps);
  if (kept) return kept;
  const compiled = program();
  const made = launches.map(({ kernel, grid, block, cluster, values, sums, read }) => {
    const words = read.find(({ buffer }) => buffer === 'out')!.count;
    return runCase(compiled, compiled.kernels.get(kernel)!, {
      name: kernel,
      entry: kernel,
      grid,
      block,
      ...(cluster && { cluster }),
      params: [{ ptr: 'in' }, { ptr: 'out' }, { ptr: 'sums' }],
      buffers: {
        in: { type: 'u32', data: values },
        out: { type: 'u32', data: new Array<number>(words).fill(0) },
        sums: { type: 'u32', data: sums },
      },
    });
  });
  known.set(steps, made);
  return made;
}

/** Kernels leave and count with timing what they do without (chiplet specification 7.2, 7.4), and that is what plain threads leave and count. */
export const kernelsRunAsCases: Reference = (run, given, assembly) => {
  const { config, programs } = given as SystemGiven;
  const texts = programs.kernels.map(({ file, text = '' }) => ({ file, text }));
  const hosts = config.chiplets.flatMap((chiplet, at) => {
    const host = programs.hosts[chiplet.program];
    if (!host || !('steps' in host)) return [];
    const launches = launchesIn(host.steps);
    return launches.length > 0 && launches.every(({ read }) => read.some(({ buffer }) => buffer === 'out'))
      ? [{ at, chiplet, steps: host.steps, launches }]
      : [];
  });
  if (hosts.length === 0) return undefined;
  return () => {
    const chiplets = chipletStates(run, (assembly as SystemAssembly).wired, config);
    for (const { at, chiplet, steps, launches } of hosts) {
      const cases = casesOf(() => compilePtx(texts, compileOptionsOf(config)), steps, launches);
      const { outputs, instructions } = plainHost(
        texts.map(({ text }) => text),
        steps,
      );
      for (const [k, { kernel, read }] of launches.entries()) {
        const { buffers, counts } = cases[k]!;
        for (const { name, buffer } of read) {
          const wrong = firstWrong(buffers[buffer], outputs.get(name)!);
          if (wrong >= 0)
            return `without timing word ${wrong} of ${name} is ${buffers[buffer]![wrong]}, not ${outputs.get(name)![wrong]}`;
        }
        // How often warps ask before something has come depends on their order.
        if (instructions[k] === undefined) continue;
        const { start, cycles, coresUsed, statistics } = chiplets[at]!.kernels[k]!;
        const where = `Chip[${chiplet.x}][${chiplet.y}], ${kernel}`;
        const counted = { counts: statistics.counts };
        const difference =
          firstDifference(counted, { counts }) ??
          firstDifference(counted, { counts: { threadInstructions: instructions[k] } });
        if (difference !== undefined) return `${where}: ${difference}`;
        const slots = coresUsed * schedulersPerCore * cycles;
        // A core counts while it has a block, and the one whose block ends last had one all the time: the others may have been done long before.
        const leastUsed = schedulersPerCore * cycles;
        const used =
          counts.warpInstructions + Object.values(statistics.stalls).reduce((sum, one) => sum + one, 0);
        if (
          start < 0 ||
          counts.warpInstructions > slots ||
          used > slots + slots / 20 + slack * coresUsed ||
          used < leastUsed - slots / 20 - slack * coresUsed
        )
          return `${where}: instructions and stalls fill ${used} of ${slots} cycles of schedulers`;
        const moved = statistics.l1Hits + statistics.l1Misses + statistics.segmentsWritten;
        // Local memory goes the way of global memory, and its segments are not counted.
        const more = moved - counts.globalSegments;
        if (counts.lanesOfClass[atomics] === 0 && (more < 0 || more > lanes * counts.localAccesses))
          return `${where}: ${moved} segments are read and written, ${counts.globalSegments} are touched`;
      }
    }
    return undefined;
  };
};
