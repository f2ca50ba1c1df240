import type { Command } from 'commander';
import { TapeChoices } from '../../kernel/choices.ts';
import { CoverageSum } from '../../kernel/coverage-sum.ts';
import { KernelError } from '../../kernel/errors.ts';
import type { Checkpoint } from '../../kernel/explore/checkpoint.ts';
import { type ExploreLimit, Explorer, type Finding } from '../../kernel/explore/explorer.ts';
import type { Shard } from '../../properties/explore/campaign.ts';
import { type JudgedScenario, judgedScenario } from '../../properties/judged-scenario.ts';
import { SpecificationError } from '../../properties/refinement/specification.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { OutputError } from '../../scenarios/output-error.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { thrownAt } from '../../scenarios/thrown-at.ts';
import { exploreAlone } from '../check/alone.ts';
import { carryOutSwarm } from '../check/carry-out-swarm.ts';
import {
  type CheckReport,
  type Counterexample,
  casesOf,
  checkJson,
  checkText,
  isJudgedToEnd,
} from '../check/check-report.ts';
import { CheckpointFolder, identityOf } from '../check/checkpoint-folder.ts';
import { loadConstraint } from '../check/constraint.ts';
import { type Failing, failingOf, showFailing } from '../check/counterexample.ts';
import { type EveryTape, everyTape } from '../check/every-tape.ts';
import { type ExplorationOptions, explorationOf } from '../check/exploration.ts';
import { memoryOption, memoryText, usualMemory } from '../check/memory-limit.ts';
import { NotExplorable } from '../check/not-explorable.ts';
import { withRefinement } from '../check/refines.ts';
import { TickGraph } from '../check/state-graph-file.ts';
import { StepTrace } from '../check/step-trace.ts';
import { wholeRunOf } from '../check/whole-run.ts';
import { exploreWithWorkers } from '../check/worker-pool.ts';
import { type CiFiles, ciOptions, writeCiFiles } from '../ci-report.ts';
import type { Session } from '../command.ts';
import { coverageTable } from '../coverage/coverage-text.ts';
import { exitCodes } from '../exit-codes.ts';
import { knownMachines } from '../known-machines.ts';
import { naturalOption } from '../natural-option.ts';
import { Outputs, standardOutput, writeOutput } from '../output.ts';
import { grouped } from '../progress.ts';
import { outputName } from '../recording-file.ts';
import { shardFlags, shardOption } from '../shard-option.ts';
import { UsageError } from '../usage-error.ts';
import { type ProgressOptions, withProgress } from '../with-progress.ts';

interface CheckOptions extends CiFiles {
  readonly maxStates: number;
  /** Bytes. */
  readonly memory?: number;
  readonly resume?: boolean;
  /** A folder, false for none, true for the usual one. */
  readonly checkpoint: string | boolean;
  readonly swarm?: number;
  readonly seed?: number;
  readonly known?: number;
  readonly out?: string;
  readonly shard?: Shard;
  readonly reduction: boolean;
  readonly workers: number;
  readonly symmetry?: boolean;
  readonly allProperties?: boolean;
  /** A file, false for `--no-record`, absent for a file beside other output. */
  readonly record?: string | boolean;
  readonly until?: number;
  readonly depth?: number;
  readonly constraint?: string;
  /** What the scenario is to refine, and how what it does is seen there. */
  readonly refines?: string;
  readonly map?: string;
  readonly keepGoing?: boolean;
  readonly coverage?: boolean;
  /** Files for the counterexample as a trace of states, and for the graph of all states. */
  readonly trace?: string;
  readonly graph?: string;
  readonly json?: boolean;
}

interface Checked extends Omit<CheckReport, 'wallSeconds'> {
  /** What was found, first in the order in which it was found. */
  readonly failing?: readonly Failing[];
  /** What no run shows although a property says that some run does: there is no run to show. */
  readonly unreached?: readonly Counterexample[];
  /** Text of what the exploration has covered. */
  readonly covered?: string;
  /** The graph of states, to be written. */
  readonly graph?: GraphOutput;
}

const defaultStatesMax = 10_000_000;
const searchesMax = 1_000_000;
/** Of a search of a swarm, where nothing else is said: bytes of its bit array, ticks that it goes deep, its seed. */
const swarmBytes = 2 ** 26;
const swarmDepth = 100_000;
const swarmSeed = 1;
/** Threads that one check may have. */
const workersMax = 256;

/** `lockstep check SCENARIO` (design, section 7). */
export function declareCheck(command: Command, session: Session): void {
  command
    .argument('<scenario>', 'a scenario file')
    .option(
      '--max-states <n>',
      'states, or states inside one tick (with --all-properties: runs), after which it stops',
      naturalOption('--max-states'),
      defaultStatesMax,
    )
    .option(
      '--memory <size>',
      'memory for states, as 4G: with one thread the others go to the checkpoint folder, with several it stops; three quarters of what the computer has without this',
      memoryOption('--memory'),
    )
    .option('--resume', 'go on from the checkpoint of an earlier check that was interrupted or killed')
    .option(
      '--checkpoint <dir>',
      'where a check that takes longer keeps how far it has come; out/NAME.checkpoint without this',
    )
    .option('--no-checkpoint', 'keep nothing')
    .option(
      '--swarm <n>',
      'so many depth-first searches, each in an order of its own, which know states again by a bit array: for more states than any memory; never the whole answer',
      naturalOption('--swarm', searchesMax),
    )
    .option('--seed <n>', 'with --swarm, what their orders follow from', naturalOption('--seed'))
    .option(
      '--known <n>',
      'with --swarm, how many states there are, to tell the share that was covered',
      naturalOption('--known'),
    )
    .option('--out <dir>', 'with --swarm, folder for its ledger, from which the same command goes on')
    .option(...shardFlags, shardOption)
    .option('--no-reduction', 'try every order of deliveries, also where it makes no difference')
    .option(
      '--all-properties',
      'run every tape instead of merging states: judges all properties, much slower',
    )
    .option(
      '--workers <n>',
      'threads; what is found does not depend on them',
      naturalOption('--workers', workersMax),
      1,
    )
    .option(
      '--symmetry',
      'explore states that differ only in the places of interchangeable actors once, where the machine declares some',
    )
    .option('--until <tick>', 'last tick that is carried out', naturalOption('--until'))
    .option('--depth <n>', 'ticks with deliveries after which it stops', naturalOption('--depth'))
    .option(
      '--constraint <file#export>',
      'a function of the state: states for which it says false are left out, and what follows them',
    )
    .option(
      '--refines <file#machine>',
      'a specification: every step must be a step of it, or none; { initial, next }, a machine, a wiring, or a scenario file',
    )
    .option(
      '--map <file#export>',
      'with --refines, what is compared: a function of the state, { state, of }, or { event } for what is shown; all that is shown without this',
    )
    .option('--keep-going', 'go on after a failure; tells one of each kind')
    .option('--coverage', 'tell which transitions and guards the exploration has met, and which never')
    .option(
      '--trace <file>',
      'the counterexample as a trace of states, each with what is changed; as ITF where the name ends in .itf.json, - for standard output',
    )
    .option(
      '--graph <file>',
      'the graph of all states: .dot for Graphviz, .svg for a picture of some hundred',
    )
    .option('--record <file>', 'write a recording; without this a run that fails is recorded in out/')
    .option('--no-record', 'write no recording, even of a run that fails')
    .option(...ciOptions[0])
    .option(...ciOptions[1])
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep check scenarios/protocols/paxos.yaml
  lockstep check scenarios/protocols/abd.yaml --refines scenarios/protocols/single-copy.yaml
  lockstep check model.yaml --refines spec.ts#machine --map spec.ts#map`,
    )
    .action(async (file: string, options: CheckOptions) => {
      session.exitCode = await check(file, options, session);
    });
}

async function check(file: string, options: CheckOptions, { terminal }: Session): Promise<number> {
  if (options.workers === 0)
    throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
  if (options.workers > 1 && options.allProperties)
    throw new UsageError(
      '--workers: found together with --all-properties, expected one of them',
      'runs under every tape are carried out by one thread: take --workers out',
    );
  if (options.symmetry && options.allProperties)
    throw new UsageError(
      '--symmetry: found together with --all-properties, expected one of them',
      'runs under every tape are not merged, and so never exchanged: take one of the two out',
    );
  refuseTogether(options);
  const { refines: specification, map } = options;
  const refines =
    specification === undefined ? undefined : { specification, ...(map !== undefined && { map }) };
  const given = await withRefinement(
    await judgedScenario(await loadScenario(file, await knownMachines())),
    refines,
  );
  const { until } = options;
  const loaded = until === undefined ? given : { ...given, scenario: { ...given.scenario, until } };
  const began = performance.now();
  const carryOut = options.allProperties ? runTapes : options.swarm === undefined ? explore : swarm;
  const unit = options.allProperties ? 'runs' : 'states';
  const found = await withProgress(
    terminal,
    undefined,
    (progress) => carryOut(loaded, options, progress),
    unit,
  ).catch((error: unknown) => {
    if (error instanceof SpecificationError) {
      const at = thrownAt(error);
      throw new UsageError(`--refines: ${error.what}${at === undefined ? '' : `, at ${at}`}`, error.help);
    }
    throw error instanceof KernelError || error instanceof NotExplorable ? notExplorable(file, error) : error;
  });
  const wallSeconds = (performance.now() - began) / 1000;

  const outputs = new Outputs();
  const { failing = [], unreached = [], covered, graph, ...checked } = found;
  const all = failing.map((one, index) => {
    const trace = options.trace === undefined ? undefined : new StepTrace();
    const ending = index === 0 ? 'check' : `check-${index + 1}`;
    const shown = showFailing(loaded, one, numbered(options.record, index), outputs, terminal, {
      ...(trace && { trace }),
      ending,
    });
    return { ...shown, trace };
  });
  const [first] = all;
  const report: CheckReport = {
    ...checked,
    ...(first && { counterexample: first.counterexample }),
    ...(options.keepGoing && {
      counterexamples: [...all.map(({ counterexample }) => counterexample), ...unreached],
    }),
    wallSeconds,
  };
  const text = [checkText(report), ...(first ? [first.text] : []), ...(covered ? [covered] : [])].join('\n');
  // Standard output is for people unless something else is asked for there.
  const isForFiles = [options.record, options.trace, options.graph, options.junit, options.sarif].includes(
    standardOutput,
  );
  if (options.json || isForFiles) terminal.err(text);
  else terminal.out(text);
  if (!first)
    for (const [what, name] of Object.entries({ recording: options.record, trace: options.trace }))
      if (typeof name === 'string') terminal.err(`nothing was found: no ${what} is written to ${name}\n`);
  all.forEach(({ trace }, index) => {
    const name = numbered(options.trace, index);
    if (!trace || name === undefined) return;
    const lines = name.endsWith('.itf.json') ? trace.itf : trace.text;
    outputs.attempt(() => writeOutput(terminal, name, lines));
  });
  if (graph) {
    const made = await outputs.attempted(graph.text);
    if (made !== undefined) outputs.attempt(() => writeOutput(terminal, graph.file, made));
  }
  writeCiFiles(options, 'check', casesOf(report, file), wallSeconds, outputs, terminal);
  if (options.json) terminal.out(`${JSON.stringify({ ...checkJson(report), ...outputs.json })}\n`);
  outputs.settle();
  if (report.counterexample) return exitCodes.failed;
  if (report.interrupted) return exitCodes.interrupted;
  return isJudgedToEnd(report) ? exitCodes.ok : exitCodes.open;
}

/** Errors: `UsageError` for options of which one makes the other impossible. */
function refuseTogether({ workers, ...options }: CheckOptions): void {
  if (options.map !== undefined && options.refines === undefined)
    throw new UsageError(
      '--map: found without --refines, expected both',
      'say what is refined: --refines spec.ts#machine',
    );
  const wholeGraph = (['coverage', 'graph'] as const).find((name) => options[name] !== undefined);
  if (wholeGraph && workers > 1)
    throw new UsageError(
      `--${wholeGraph}: found together with --workers ${workers}, expected one of them`,
      'no thread has all of the states: take --workers out',
    );
  if (options.resume) refuseWithResume({ workers, ...options });
  refuseWithSwarm(options);
  const named = {
    coverage: '--coverage',
    graph: '--graph',
    depth: '--depth',
    constraint: '--constraint',
    keepGoing: '--keep-going',
    memory: '--memory',
  };
  for (const [key, name] of Object.entries(named))
    if (options.allProperties && options[key as keyof typeof named] !== undefined)
      throw new UsageError(
        `${name}: found together with --all-properties, expected one of them`,
        'runs under every tape have no states in common: take one of the two out',
      );
}

/** Errors: `UsageError` for options that a swarm does not know, or that only a swarm knows. */
function refuseWithSwarm({ swarm: searches, ...options }: Omit<CheckOptions, 'workers'>): void {
  const { seed, known, out, shard, resume, symmetry, graph, coverage, refines, allProperties } = options;
  const own = { '--seed': seed, '--known': known, '--out': out, '--shard': shard };
  const others = {
    '--resume': resume,
    '--symmetry': symmetry,
    '--graph': graph,
    '--coverage': coverage,
    '--refines': refines,
    '--all-properties': allProperties,
  };
  const name = Object.entries(searches === undefined ? own : others).find(
    ([, given]) => given !== undefined,
  )?.[0];
  if (name === undefined) return;
  if (searches === undefined)
    throw new UsageError(`${name}: found without --swarm, expected both`, 'for example --swarm 16');
  throw new UsageError(
    `${name}: found together with --swarm, expected one of them`,
    `searches of a swarm keep no states: take ${name} out`,
  );
}

/** Errors: `UsageError` for a check that cannot go on from a checkpoint. */
function refuseWithResume({ workers, refines, graph, allProperties, checkpoint }: CheckOptions): void {
  const other = Object.entries({
    '--workers': workers > 1,
    '--refines': refines !== undefined,
    '--graph': graph !== undefined,
    '--all-properties': allProperties,
    '--no-checkpoint': checkpoint === false,
  }).find(([, given]) => given)?.[0];
  if (other)
    throw new UsageError(
      `--resume: found together with ${other}, expected one of them`,
      `checks by one thread keep how far they have come, without refinement, graph and tapes: take ${other} out`,
    );
}

/** A file name for the counterexample of a number from 0: the first has the name as it is given. */
function numbered<N extends string | boolean | undefined>(file: N, index: number): N | string {
  if (typeof file !== 'string' || index === 0 || file === '-') return file;
  const end = /(\.itf)?\.[^./]*$/.exec(file)?.index ?? file.length;
  return `${file.slice(0, end)}-${index + 1}${file.slice(end)}`;
}

/** Explores all states. */
async function explore(
  loaded: JudgedScenario,
  options: CheckOptions,
  progress: ProgressOptions,
): Promise<Checked> {
  const { scenario, machine } = loaded;
  const { reduction, maxStates: statesMax, workers, symmetry = false } = options;
  const how: ExplorationOptions = {
    reduction,
    statesMax,
    symmetry,
    shared: workers > 1,
    ...(options.until !== undefined && { until: options.until }),
    ...(options.depth !== undefined && { depth: options.depth }),
    ...(options.keepGoing && { keepGoing: true }),
    ...(options.constraint !== undefined && { constraint: options.constraint }),
    ...(loaded.refines && { refines: loaded.refines }),
  };
  const constraint = how.constraint === undefined ? undefined : await loadConstraint(how.constraint);
  const graph = options.graph === undefined ? undefined : graphFile(options.graph);
  const { judged, unjudged, atRest, open, interchangeable, notSymmetric, ...what } = explorationOf(
    loaded,
    how,
    constraint,
  );
  const memory = options.memory ?? usualMemory();
  const kept = checkpointOf(scenario, options, { ...how, statesMax: 0 });
  const alone = (): Explorer =>
    new Explorer(what.make, {
      ...what.options,
      ...(options.coverage && { coverage: true }),
      ...(graph && { onTick: (from, to, deliveries) => graph.ticks.add(from, to, deliveries) }),
      ...(kept && { store: kept.store }),
      ...(kept?.checkpoint && { from: { checkpoint: kept.checkpoint, bytesMax: memory } }),
    });
  const explorer = workers === 1 ? alone() : undefined;
  const {
    exploration,
    shown,
    interrupted,
    exchanged = 0,
    doubt,
  } = explorer
    ? await exploreAlone(explorer, scenario.file, progress, memory, kept?.store, how.keepGoing)
    : await exploreWithWorkers(
        {
          ...how,
          file: scenario.file,
          text: scenario.text,
          ...(options.memory !== undefined && { memory: options.memory }),
        },
        workers,
        progress,
        (what.options.observers ?? []).flatMap(({ sentence, reachable }) => (reachable ? [sentence] : [])),
      );
  const { verdict: found, limit, findings, open: left, witnesses, idle, ...figures } = exploration;
  // What one thread leaves open of a sentence, several leave open, too.
  const allOpen = [...new Map([...left, ...open].map((one) => [one.sentence, one])).values()];
  const verdict = found === 'ok' && allOpen.length > 0 ? 'incomplete' : found;
  const whole =
    shown.length > 0 || findings.length > 0 || interrupted || constraint || options.depth !== undefined
      ? undefined
      : wholeRunOf(loaded, unjudged);
  const goesOn = interrupted || (limit !== undefined && verdict === 'incomplete');
  if (kept && !goesOn) kept.store.remove();
  const common = {
    scenario,
    machine,
    verdict: whole?.failing?.claim.verdict ?? verdict,
    judged,
    unjudged,
    wholeRun: whole !== undefined,
    atRest,
    open: allOpen,
    idle,
    witnessed: witnesses.map(({ what, place }) => ({ sentence: what, state: place.state })),
    reduction,
    ...(limit && { limit: { at: limit, why: limitText(limit, options) } }),
    ...(symmetry && {
      symmetry: { actors: interchangeable, exchanged, notSymmetric, ...(doubt !== undefined && { doubt }) },
    }),
    interrupted,
    ...(goesOn && kept && checkpointReport(kept.store)),
  };
  const observers = what.options.observers ?? [];
  const failing = [
    ...shown.map((one) => failingOf(one, observers)),
    ...(whole?.failing ? [whole.failing] : []),
  ];
  const unreached = findings.filter((finding) => finding.unreached);
  return {
    ...common,
    figures: { way: 'states', ...figures },
    ...(unreached[0] && failing.length === 0 && { counterexample: unreached[0] }),
    failing,
    unreached,
    ...(explorer && options.coverage && { covered: coveredText(explorer) }),
    ...(explorer && graph && { graph: graphOutput(graph, explorer, findings, scenario.name) }),
  };
}

/** Carries out the searches of a swarm. */
async function swarm(
  loaded: JudgedScenario,
  options: CheckOptions,
  progress: ProgressOptions,
): Promise<Checked> {
  const { scenario, machine } = loaded;
  const { reduction, maxStates: statesMax, workers, shard, out, known, swarm: searches = 1 } = options;
  const how: ExplorationOptions = {
    reduction,
    statesMax,
    symmetry: false,
    shared: true,
    ...(options.until !== undefined && { until: options.until }),
    ...(options.constraint !== undefined && { constraint: options.constraint }),
  };
  const constraint = how.constraint === undefined ? undefined : await loadConstraint(how.constraint);
  const { judged, unjudged, atRest, open, ...what } = explorationOf(
    loaded,
    { ...how, swarm: true },
    constraint,
  );
  const { rows, shown, interrupted } = await carryOutSwarm(
    {
      order: {
        ...how,
        file: scenario.file,
        text: scenario.text,
        seed: options.seed ?? swarmSeed,
        bytes: options.memory ?? swarmBytes,
        depthMax: options.depth ?? swarmDepth,
        searchStatesMax: statesMax,
      },
      scenario: scenario.name,
      searches,
      shard,
      workers,
      out,
      keepGoing: options.keepGoing ?? false,
    },
    what,
    progress,
  );
  const failing = shown && failingOf(shown, what.options.observers ?? []);
  return {
    scenario,
    machine,
    verdict: shown?.finding.verdict ?? 'incomplete',
    judged,
    unjudged,
    atRest,
    idle: [],
    open,
    witnessed: [],
    reduction,
    interrupted,
    figures: { way: 'swarm', rows, searches, ...(known !== undefined && { known }) },
    ...(failing && { failing: [failing] }),
  };
}

/** Where an exploration keeps how far it has come, and where it goes on from; undefined where it keeps nothing. Errors: `UsageError` for a `--resume` from nothing. */
function checkpointOf(
  { file, name, text }: Scenario,
  { checkpoint, resume, workers, graph, refines, coverage = false }: CheckOptions,
  how: ExplorationOptions,
): { readonly store: CheckpointFolder; readonly checkpoint?: Checkpoint } | undefined {
  if (workers > 1 || graph !== undefined || refines !== undefined || checkpoint === false) return undefined;
  const folder = typeof checkpoint === 'string' ? checkpoint : outputName(name, 'checkpoint');
  const check = () => identityOf(file, text, { ...how, coverage });
  return resume ? CheckpointFolder.resumed(folder, check) : { store: CheckpointFolder.forNew(folder, check) };
}

/** What is told of a checkpoint from which a check can go on, or of why there is none; nothing of a check that has not taken long enough. */
function checkpointReport(store: CheckpointFolder): Pick<CheckReport, 'checkpoint'> {
  store.close();
  const { kept, failure, folder } = store;
  if (kept) return { checkpoint: { folder, states: kept.states } };
  return failure ? { checkpoint: { folder, failure: failure.message } } : {};
}

/** What an exploration stopped at, and how it would go further. */
function limitText(
  limit: ExploreLimit,
  { maxStates, depth = 0, memory = usualMemory() }: CheckOptions,
): string {
  switch (limit) {
    case 'states':
      return `stopped at ${grouped(maxStates)} states: --max-states raises this limit`;
    case 'states of a tick':
      return `stopped inside one tick, which has more than ${grouped(maxStates)} states of its own: --max-states raises this limit; fewer actors that act in the same tick make it smaller`;
    case 'memory of a tick':
      return 'stopped inside one tick, whose states take all the memory that one tick may have: messages pile up in it. `lockstep run` tells along one order whether it ends: more than a million deliveries in one tick are a livelock';
    case 'depth':
      return `stopped at --depth ${grouped(depth)}`;
    case 'memory':
      return `stopped at ${memoryText(memory)} of memory: --memory raises this limit`;
    case 'disk':
      return `stopped when the states that do not fit into ${memoryText(memory)} of memory could not be written: make room, or name another place with --checkpoint`;
    case 'heap':
      return 'stopped when the heap of Node was nearly full: NODE_OPTIONS=--max-old-space-size=MEGABYTES makes it larger';
    default:
      return limit satisfies never;
  }
}

/** What an exploration has covered of the state machines. */
function coveredText({ coverage }: Explorer): string {
  const sum = new CoverageSum();
  sum.add({ coverage, orders: [] });
  return `covered by the exploration, each handling of a message in a local state counted once:\n${coverageTable(sum.coverage, false)}`;
}

/** States that a picture may have. */
const pictureStatesMax = 400;

interface GraphFile {
  readonly file: string;
  readonly ticks: TickGraph;
}

/** Errors: `UsageError` for a file of no kind that is known. */
function graphFile(file: string): GraphFile {
  if (!/\.(dot|svg)$/.test(file))
    throw new UsageError(
      `--graph: found "${file}", expected a name that ends in .dot or .svg`,
      'for example --graph out/states.svg',
    );
  return { file, ticks: new TickGraph() };
}

/** The graph of states, made when it is written: the verdict is told before. Errors: its text throws `OutputError` for more states than a picture can show. */
function graphOutput(
  { file, ticks }: GraphFile,
  explorer: Explorer,
  findings: readonly Finding[],
  name: string,
): GraphOutput {
  const { states: count } = explorer.figures;
  const text = async () => {
    if (file.endsWith('.svg') && count > pictureStatesMax)
      throw new OutputError(
        file,
        `found ${count} states, expected at most ${pictureStatesMax} for a picture`,
        'write a .dot file, or make fewer of them with --depth, --until or --constraint',
      );
    const states = [...explorer.states()];
    const wrong = new Set(findings.filter(({ unreached }) => !unreached).map(({ place }) => place.state));
    return file.endsWith('.svg')
      ? ticks.svg(states, wrong, `${count} states of ${name}`)
      : ticks.dot(states, wrong);
  };
  return { file, text };
}

/** A graph of states that is still to be written. */
interface GraphOutput {
  readonly file: string;
  readonly text: () => Promise<string>;
}

/** Runs every tape. */
async function runTapes(
  loaded: JudgedScenario,
  { maxStates }: CheckOptions,
  { onProgress, shouldStop, turn }: ProgressOptions,
): Promise<Checked> {
  let last: EveryTape | undefined;
  let [interrupted, cut] = [false, false];
  const { scenario, machine, properties } = loaded;
  for (const so of everyTape(loaded)) {
    last = so;
    if (so.runs % runsBetweenTurns !== 0 && so.runs < maxStates) continue;
    onProgress(so.runs, so.deliveries);
    await turn();
    interrupted = shouldStop();
    cut = so.runs >= maxStates;
    if (interrupted || cut) break;
  }
  const { runs = 0, ends = 0, deliveries = 0, ticks = 0, failed } = last ?? {};
  return {
    scenario,
    machine,
    verdict: failed?.kind.verdict ?? (interrupted || cut ? 'incomplete' : 'ok'),
    figures: { way: 'tapes', runs, states: ends, transitions: deliveries, depth: ticks },
    judged: properties?.sentences ?? [],
    unjudged: [],
    atRest: [],
    open: [],
    idle: [],
    witnessed: [],
    reduction: false,
    interrupted,
    ...(failed && {
      failing: [
        {
          claim: { ...failed.kind, actors: [], why: failed.why },
          choices: new TapeChoices(failed.tape),
        },
      ],
    }),
  };
}

const runsBetweenTurns = 100;

/** A machine that cannot be explored is a mistake of who wrote it. */
function notExplorable(file: string, error: Error): UsageError {
  const [what = '', help = ''] = error.message.split('\n  help: ');
  return new UsageError(`${file}: cannot be explored: ${what}`, help);
}
