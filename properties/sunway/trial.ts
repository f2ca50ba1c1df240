import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { type SunwayResult, sunwayMachine } from '../../machines/sunway.ts';

/** What a run of a node came to. */
export interface Trial {
  readonly run: Run;
  readonly result: SunwayResult;
  /** The first result that each host program has told, by name. */
  readonly told: SunwayResult['told'][number];
}

type Hosts = MpeProgram | readonly MpeProgram[];

/** Runs a node to its end; `hosts` has one program for all core groups, or one for each. */
export const trial = (
  hosts: Hosts,
  config: object = {},
  options: RunOptions = {},
  look: (run: Run) => unknown = () => {},
): Trial => play(hosts, config, options, (run) => look(run));

/** The same under the eyes of the monitors of the machine: what they find of races and deadlocks is in the result. */
export const watchedTrial = (hosts: Hosts, config: object = {}): Trial =>
  play(hosts, config, {}, (run, attach) => attach(run));

function play(
  hosts: Hosts,
  config: object,
  options: RunOptions,
  look: (run: Run, attach: (run: Run) => void) => unknown,
): Trial {
  const given = {
    name: 'trial',
    config: sunwayConfig.parse(config),
    programs: typeof hosts === 'function' ? asModule(hosts) : hosts.map(asModule),
    mutants: [],
    scheduled: false,
  };
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring, options);
  look(run, (watched) => assembly.attach?.(watched));
  run.toEnd();
  const result = assembly.result(run);
  return { run, result, told: result.told[0]! };
}

const asModule = (program: MpeProgram) => ({ module: 'trial', program });

/** A host program that runs one program on all CPEs, with a buffer of 64-bit integers for what they have to say, one a CPE and word. */
export const onArray = (program: CpeProgram, words = 1): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(64 * 8 * words);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
    const said = yield* h.ldBlock(out, 'f64', 64 * words);
    for (let tid = 0; tid < 64; tid++)
      yield h.tell(`${tid}`, [...said.subarray(tid * words, (tid + 1) * words)].join(' '));
  };
