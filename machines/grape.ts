import { type ProgramFunction, programOf, Program as RunningProgram } from '../actors/common/program.ts';
import type { HostProgram } from '../actors/grape/host.ts';
import type { HostAnswer, TimedCall } from '../actors/grape/host-calls.ts';
import { tableOf } from '../actors/grape/host-tables.ts';
import { type HostRecord, HostValueError, wordsOfRecord } from '../actors/grape/host-words.ts';
import { scratchOf, scratchShorts } from '../actors/grape/jobs.ts';
import type { Program, Variable } from '../actors/grape/program.ts';
import { invariant } from '../kernel/errors.ts';
import type { Run } from '../kernel/run.ts';
import { assembledSource, definesOf, sourceOf } from './grape/assembled.ts';
import { AssemblyError, tellDiagnostic } from './grape/assembler/diagnostics.ts';
import { type GrapeParts, soundParts, wire } from './grape/assembly.ts';
import { type GrapeConfig, type GrapePrograms, grapeConfig, grapePrograms } from './grape/config.ts';
import { MacroError } from './grape/macros/errors.ts';
import { handedExpansion, hasMacros, loadMacros, takeExpansions } from './grape/macros/expand.ts';
import { misfitsOf } from './grape/misfits.ts';
import { grapeMutants } from './grape/mutants.ts';
import { figuresOf, type GrapeRunResult, resultOfRun } from './grape/result.ts';
import { grapeScene } from './grape/scene.ts';
import { ScheduleError } from './grape/schedule/schedule-error.ts';
import { slotPicture, slotSketch } from './grape/slot-picture.ts';
import type { ChipRecord } from './grape/slot-timeline.ts';
import type { Assembly, Given, Machine } from './machine.ts';
import { mutantSentences, withMutants } from './mutant.ts';

type GrapeGiven = Given<GrapeConfig, GrapePrograms>;

/** With what a chip was run: what the assembler said of its program, and the configuration. */
interface Setting {
  readonly diagnostics: readonly string[];
  readonly config: GrapeConfig;
}

/** A chip ready to run, and the program in it. */
export type GrapeAssembly = Assembly<GrapeRunResult & Setting>;

/** The SING / GRAPE-DR chip: a control processor, broadcast blocks of PEs in lock step, a reduction network, external memory, a host. */
export const grapeMachine: Machine<GrapeConfig, GrapePrograms, GrapeRunResult & Setting> = {
  name: 'grape',
  // 500 MHz (GRAPE specification 1).
  tickFemtoseconds: () => 2_000_000,
  config: grapeConfig,
  programs: grapePrograms,
  mutants: mutantSentences(grapeMutants),
  prepare: async (programs) => {
    if (hasMacros(sourceOf(programs).text)) await loadMacros();
  },
  handOver: (_config, programs) => {
    const { file, text } = sourceOf(programs);
    return handedExpansion(text, definesOf(programs), file);
  },
  takeOver: (handed) => takeExpansions(handed as ReturnType<typeof handedExpansion>),
  check,
  assemble,
  figures: ({ config, diagnostics, ...result }) => [
    ...figuresOf(result, config),
    ...diagnostics.map((value) => ({ label: 'assembler', value })),
  ],
  logHeader: ({ name, config: { nBB, nPE, mode } }) => ({ format: 'grape-log/1', name, nBB, nPE, mode }),
  picture: ({ name, config }, records) => slotPicture(name, records as readonly ChipRecord[], config.mode),
  sketch: (_given, records, width) => slotSketch(records as readonly ChipRecord[], width),
};

function assemble(given: GrapeGiven): GrapeAssembly {
  const { config, programs, mutants } = given;
  const { program, diagnostics } = assembledSource(config, programs);
  const said = diagnostics.map((one) => tellDiagnostic(sourceOf(programs).file, one));
  const parts: GrapeParts = withMutants(soundParts, grapeMutants, mutants);
  const { wiring } = wire(config, program, hostProgram(programs), parts);
  return {
    wiring,
    result: (run) => ({ ...resultOfRun(run), diagnostics: said, config }),
    scene: (run) => grapeScene(config, run),
    follow: (run, take) => follow(run, take),
  };
}

/** Members of the records of a call that its table does not have, and values that they cannot hold. */
function recordFindings(program: Program, call: TimedCall, at: number): readonly CheckFinding[] {
  const path = ['programs', 'host', at];
  switch (call.call) {
    case 'sendEltData':
      return misfitsOfRecord(tableOf(program, 'elt', call.num), call.record, [...path, 'record']);
    case 'sendHltData':
      return misfitsOfRecord(tableOf(program, 'hlt', call.num), call.record, [...path, 'record']);
    case 'sendIParticle':
      return call.particles.flatMap((record, number) =>
        misfitsOfRecord(tableOf(program, 'hlt', 0), record, [...path, 'particles', number]),
      );
    default:
      return [];
  }
}

function misfitsOfRecord(
  variables: readonly Variable[],
  record: HostRecord,
  path: readonly (string | number)[],
): readonly CheckFinding[] {
  // The library answers a table that there is not with a code.
  if (variables.length === 0) return [];
  return Object.entries(record).flatMap(([name, value]) => {
    const here = [...path, name];
    const variable = variables.find((one) => one.name === name);
    if (!variable) {
      const expected = `one of its members: ${variables.map((one) => one.name).join(', ')}`;
      return [{ path: here, found: `a member "${name}" that the table does not have`, expected }];
    }
    try {
      wordsOfRecord([variable], { [name]: value });
      return [];
    } catch (error) {
      if (!(error instanceof HostValueError)) throw error;
      const { found, expected } = error;
      return [{ path: here, found, expected }];
    }
  });
}

function hostProgram({ host }: GrapePrograms): HostProgram {
  if (!('module' in host)) return programOf(host);
  const { module, program } = host;
  invariant(program, `the program ${module} was not loaded`);
  // The host starts a program without an answer and gives one to every call.
  return new RunningProgram(program as ProgramFunction<TimedCall, HostAnswer | undefined>);
}

/** The event log: slots, transfers through the ports, calls of the host, warnings. */
function follow(run: Run, take: (record: object) => void): void {
  let n = 0;
  run.probes$.subscribe(({ probe }) => {
    const { type, ...rest } = probe as { readonly type: string };
    take({ n: n++, ev: type, ...rest });
  });
}

type CheckFinding = ReturnType<NonNullable<Machine['check']>>[number];

/** What concerns the source: it must assemble, and leave room for what the library does. */
function check(config: GrapeConfig, programs: GrapePrograms): readonly CheckFinding[] {
  const path = ['programs', 'source'];
  try {
    const { program } = assembledSource(config, programs);
    if (program.type === 1 && scratchOf(program) + scratchShorts > config.bmShort)
      return [
        {
          path,
          found: `${scratchOf(program)} short words of broadcast memory in use, of ${config.bmShort}`,
          expected: `${scratchShorts} more, which the library needs to move data`,
        },
      ];
    const misfits = misfitsOf(program, config).map((found) => ({
      path,
      found,
      expected: 'numbers of PEs and blocks below nPE and nBB',
    }));
    const { host } = programs;
    return 'module' in host
      ? misfits
      : [...misfits, ...host.flatMap((call, at) => recordFindings(program, call, at))];
  } catch (error) {
    const known = [AssemblyError, MacroError, ScheduleError].some((kind) => error instanceof kind);
    if (!known || !(error instanceof Error)) throw error;
    return [{ path, found: error.message, expected: 'a program that assembles' }];
  }
}
