import { type KnownMachine, loadMachine } from '../../machines/machine.ts';
import type { Configuration } from '../../manifests/define-config.ts';
import { machines } from '../../manifests/machines.ts';
import { withCycle } from '../../properties/endless.ts';
import { explainFailure } from '../../properties/explore/explain.ts';
import { explanationPage } from '../../properties/explore/explanation-page.ts';
import { Trials } from '../../properties/explore/trial.ts';
import { type JudgedScenario, judgedScenario } from '../../properties/judged-scenario.ts';
import { importModule } from '../../scenarios/import-module.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { moduleExport } from '../../scenarios/module-export.ts';
import { formatRecording, type Recording, recordingIn } from '../../scenarios/recording.ts';
import { recordedScenario } from '../../scenarios/replay.ts';
import { choicesOf } from '../../scenarios/simulate.ts';
import type {
  ExplanationView,
  ExploredView,
  Fork,
  Judgement,
  Moment,
  Opened,
  Opening,
  Questions,
  RunView,
  StateView,
} from '../protocol.ts';
import { Explored } from './explored.ts';
import { linkedPage } from './linked-page.ts';
import { putFiles } from './node/fs.ts';
import { opensAt, withJudgement } from './opens-at.ts';
import { type Course, TravelledRun } from './travelled-run.ts';

/** Tells the page how far long work has come, and now and then what can be shown of it; a turn of the event loop, so that the page hears of it. */
export type Progress = (words: string, sofar?: Opened) => Promise<void>;

/** Milliseconds after which a run that is still carried out is shown again, and how much more of it there is then at least: a picture costs as much as the run is long. */
const [showAfter, showAgain] = [400, 1.5];

/** One page's simulator: the run that was opened, and one that was changed at a pick. */
export class Session {
  #run: TravelledRun | undefined;
  #recording: Recording | undefined;
  #fork: TravelledRun | undefined;
  #explored: Explored | undefined;
  #label = '';

  constructor(
    readonly known: readonly KnownMachine[] = machines,
    readonly progress: Progress = async () => {},
  ) {}

  /** Carries the run out and has it judged. Errors: as `carryOut`. */
  async open(opening: Opening): Promise<Opened> {
    return withJudgement(await this.carryOut(opening), await this.judge(opening));
  }

  /** Reads what was opened and carries its run out, to be looked at. Errors: those of a scenario or a recording that is wrong. */
  async carryOut(opening: Opening): Promise<Opened> {
    const { judged, course, recording } = await this.#read(opening);
    const { scenario, machine } = judged;
    const run = new TravelledRun(judged, course, { judged: false, looked: true });
    this.#run = run;
    this.#recording = recording;
    this.#fork = undefined;
    const told = (view: RunView): Opened => ({
      title: scenario.name,
      machine: machine.name,
      file: opening.label,
      kind: opening.kind,
      asynchronous: run.run.asynchronous,
      hasScene: run.hasScene,
      opensAt: opensAt(view, run.hasScene),
      run: view,
    });
    const begun = performance.now();
    let next = 0;
    await run.carryOut(async () => {
      const gone = performance.now() - begun;
      const isTime = gone >= next;
      await this.progress(deliveriesOf(run), isTime ? told(run.view) : undefined);
      if (isTime) next = Math.max(gone + showAfter, showAgain * gone);
    });
    return told(run.view);
  }

  /** Carries the run out once more while its properties watch: that takes longer than the run itself. Errors: as `carryOut`. */
  async judge(opening: Opening): Promise<Judgement> {
    const { judged, course, recording } = this.#run
      ? { judged: this.#run.judged, course: this.#run.settled, recording: this.#recording }
      : await this.#read(opening);
    const run = new TravelledRun(judged, course, { judged: true, looked: false });
    await run.carryOut(() => this.progress(deliveriesOf(run)));
    const { marks, ending } = run.view;
    const difference = recording && differenceOf(recording, run);
    return { marks, ending, ...(difference !== undefined && { difference }) };
  }

  /** The machines of Lockstep, and those of the project that the configuration describes. */
  async #machinesOf({ configuration }: Opening): Promise<readonly KnownMachine[]> {
    if (configuration === undefined) return this.known;
    const { default: given } = await importModule(configuration);
    const { machines: own = [] } = given as Configuration;
    const found = own.map((one) => (typeof one === 'string' ? moduleExport(one, configuration) : one));
    return [...this.known, ...((await Promise.all(found)) as readonly KnownMachine[])];
  }

  async #read(opening: Opening): Promise<{
    readonly judged: JudgedScenario;
    readonly course: Course;
    readonly recording?: Recording;
  }> {
    const { kind, text, file, label, files, handed } = opening;
    putFiles(files);
    this.#label = label;
    const known = await this.#machinesOf(opening);
    const taker = known.find(({ name }) => name === handed?.machine);
    if (taker) (await loadMachine(taker)).takeOver?.(handed!.what);
    if (kind === 'scenario') {
      const judged = await judgedScenario(await parseScenario(text, file, known));
      const { scenario } = judged;
      // First come, first served is a tape without anything in it.
      if (scenario.schedule.kind === 'fifo') return { judged, course: { tape: [], scheduled: false } };
      // The picks of another schedule are known when its run has been: a page changes one of them.
      const choices = choicesOf(scenario, scenario.schedule);
      return { judged, course: { tape: [], choices, scheduled: !choices.canonical } };
    }
    const recording = recordingIn(text, file);
    const found = await judgedScenario(await recordedScenario(recording, file, known));
    const judged = { ...found, properties: withCycle(found.properties, recording.cycle) };
    const { tape, scheduled, until, end } = recording;
    return {
      judged,
      recording,
      course: { tape, scheduled, until: until ?? end.ticks, deliveriesMax: end.deliveries },
    };
  }

  get #opened(): TravelledRun {
    if (!this.#run) throw new Error('nothing was opened');
    return this.#run;
  }

  moment({ at, actor, fork, scene = false }: Questions['moment']['ask']): Moment {
    const run = fork && this.#fork ? this.#fork : this.#opened;
    return run.moment(at, actor, scene);
  }

  alternatives({ pick }: Questions['alternatives']['ask']): Questions['alternatives']['answer'] {
    return this.#opened.alternatives(pick);
  }

  /** Carries out the run that answers one question otherwise. */
  async fork({ pick, answer }: Questions['fork']['ask']): Promise<Fork> {
    const { settled, index } = this.#opened;
    const { deliveriesMax: _, until: __, ...further } = settled;
    const { at, pick: before } = index.picks[pick]!;
    const words = `Pick ${pick} answered with ${answer} instead of ${before}`;
    return this.#beside({ ...further, tape: this.#opened.tapeWith(pick, answer) }, at, words);
  }

  /** Explores all schedules of the opened machine, as far as a page does. Errors: those of an exploration, for what cannot be explored. */
  async explore(): Promise<ExploredView> {
    this.#explored = new Explored(this.#opened.judged);
    return this.#explored.toEnd((words) => this.progress(words));
  }

  explored({ state }: Questions['explored']['ask']): StateView {
    return this.#known.state(state);
  }

  /** The shortest way to a finding of the exploration, as a run beside the opened one. */
  async wayTo({ finding }: Questions['wayTo']['ask']): Promise<Fork> {
    const tape = this.#known.tapeOf(finding);
    return this.#beside({ tape, scheduled: true }, undefined, 'The shortest way to the finding');
  }

  get #known(): Explored {
    if (!this.#explored) throw new Error('nothing was explored');
    return this.#explored;
  }

  async #beside(course: Course, differs: number | undefined, words: string): Promise<Fork> {
    const { judged, view } = this.#opened;
    const other = new TravelledRun(judged, course);
    await other.carryOut(() => this.progress(deliveriesOf(other)));
    this.#fork = other;
    return {
      run: other.view,
      differs: differs ?? firstDifference(view, other.view),
      words,
      recording: formatRecording(other.recording()),
    };
  }

  explain(): ExplanationView {
    const { judged, settled, index } = this.#opened;
    const { tape, scheduled, until } = settled;
    const { scenario, machine, properties } = judged;
    const explanation = explainFailure(new Trials(scenario, machine, properties), tape, {
      scheduled,
      ...(until !== undefined && { until }),
    });
    if (!explanation) return { parts: [{ text: 'This run did not fail: there is nothing to explain.' }] };
    const page = explanationPage(explanation, {
      about: `${scenario.name} (${machine.name})`,
      replay: `npx lockstep replay ${this.#label}`,
      width: 80,
    });
    return { parts: linkedPage(page, explanation, index.network) };
  }
}

/** The first delivery in which two runs differ. */
function firstDifference(one: RunView, other: RunView): number {
  const told = ({ columns: { from, to, type, tick }, types, actors }: RunView, at: number): string =>
    [actors[to[at]!]?.name, actors[from[at]!]?.name, types[type[at]!], tick[at]].join();
  const most = Math.min(one.columns.count, other.columns.count);
  for (let at = 0; at < most; at++) if (told(one, at) !== told(other, at)) return at;
  return Math.max(0, most - 1);
}

const deliveriesOf = ({ index }: TravelledRun): string => `${index.count.toLocaleString('en')} deliveries`;

/** In what a run is not the recorded one. */
function differenceOf({ end }: Recording, { run }: TravelledRun): string | undefined {
  const { outcome, fingerprint } = run;
  if (outcome.verdict !== end.verdict)
    return `it was recorded as ${end.verdict} and is ${outcome.verdict} now`;
  if (fingerprint !== end.fingerprint) return 'it ends in another state than the one that was recorded';
  return undefined;
}
