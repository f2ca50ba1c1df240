import { assembledSource } from '../../machines/grape/assembled.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import type { GrapeConfig, GrapePrograms } from '../../machines/grape/config.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { type GrapeRunResult, resultOfRun } from '../../machines/grape/result.ts';
import { besideScenario } from '../beside-scenario.ts';
import { firstDifference, type Reference } from '../with-reference.ts';

/** What does not depend on when the host makes its calls. */
const untimed = ({ calls, counts, output, results }: GrapeRunResult) => ({
  codes: calls.map(({ call, code }) => `${call} ${code}`),
  counts,
  output,
  results,
});

/** The schedules of a scenario share its library. */
const known = new WeakMap<object, string | 'none'>();

function libraryFault(
  config: GrapeConfig,
  programs: GrapePrograms,
  seen: GrapeRunResult,
): string | undefined {
  const { host } = programs;
  if (!Array.isArray(host)) return undefined;
  const library = new GrapeLibrary(assembledSource(config, programs).program, config);
  for (const { at: _, ...call } of host) library.call(call);
  const why = firstDifference(untimed(resultOfRun(library.simulation)), untimed(seen));
  if (why !== undefined) return `the library: ${why}`;
  // The text of a scheduled program numbers its constants in another order, so that no session holds it.
  if (config.schedule) return undefined;
  const made = library.session().programs.host.map(({ at: _, ...call }) => call);
  const calls = host.map(({ at: _, ...call }) => call);
  return firstDifference(made, calls, '.session');
}

/** A library that makes the calls of a scenario one by one comes to what the scenario comes to, and its session has them (GRAPE specification 7, 8). */
export const librariesAnswerAlike: Reference = (run, given) => {
  const programs = given.programs as GrapePrograms;
  return () => {
    const kept =
      known.get(programs) ?? libraryFault(given.config as GrapeConfig, programs, resultOfRun(run)) ?? 'none';
    known.set(programs, kept);
    return kept === 'none' ? undefined : kept;
  };
};

/** A record goes through all blocks and back. */
const pump = (nops: number, slot = 'idp xs 0'): string => `bvar long x elt flt64to72
bvar vector long y
evar xs 0 4
loop body
${slot}
nop ${nops}
rrn fadd x 1 flt72to64
nop 4
`;

/** A run that breaks a rule of ports or memories: how, and what is said. */
interface Broken {
  readonly source: string;
  readonly passes: number;
  /** Room for what is sent. */
  readonly length?: number;
  readonly why: string;
}

const brokenRuns = (nBB: number, records: number): readonly Broken[] => [
  {
    source: pump(8),
    passes: Math.floor(records / nBB) + 1,
    why: `X_EM_RANGE: record ${(Math.floor(records / nBB) + 1) * nBB - 1} of region 0, which has ${records}`,
  },
  {
    source: pump(8),
    passes: 2,
    length: 1,
    why: 'X_TOO_MANY_PASSES: 2 passes send 2 values, there is room for 1',
  },
  { source: pump(1), passes: 1, why: 'X_PORT_BUSY: line 7 begins a transfer while one is under way' },
  {
    source: pump(8, 'idp xs 0 ; rrn fadd y 1 flt72to64'),
    passes: 1,
    why: 'X_PORT_BUSY: line 5 begins two transfers',
  },
];

/** Words that external memory has for the records of `pump`. */
const records = 4;

/** What is wrong with what is said of a run that breaks a rule; undefined when it ends with its code and reason. */
export function faultFault(number: number): string | undefined {
  const nBB = 1 + (number % 4);
  const all = brokenRuns(nBB, records);
  const { source, passes, length, why } = all[Math.floor(number / 4) % all.length]!;
  const { program } = assemble(source, { type: 2 });
  const library = new GrapeLibrary(program, { nBB, nPE: 1, hostCall: number % 30 });
  library.init();
  for (let at = 0; at < records; at++) library.sendEltData(0, { x: at }, at);
  const code = library.type2Run(passes, [], length);
  const [found] = library.simulation.outcome.violations;
  if (code === -4 && found?.why === why) return undefined;
  return `a run of ${passes} passes on ${nBB} blocks ends with ${code}, "${found?.why}", not with -4, "${why}"`;
}

/** Runs that break the rules of ports and memories end with their codes (GRAPE specification 3.7, 7). */
export const faultsAreTold = besideScenario(faultFault);
