import type { Injection } from '../kernel/faults.ts';
import type { Run } from '../kernel/run.ts';
import type { Given, Machine, View } from '../machines/machine.ts';
import type { MachineProperties } from '../properties/properties.ts';
import { judgedOf, type Watch } from '../properties/property.ts';
import type { Export } from '../scenarios/exports/exporter.ts';
import { exporters } from '../scenarios/exports/exporters.ts';
import { NothingToShow, runSequence, type SequenceFilter } from '../scenarios/exports/run-sequence.ts';
import type { SequencePicture } from '../scenarios/exports/sequence-picture.ts';
import { sequenceSvg } from '../scenarios/exports/sequence-svg.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { OutputError } from '../scenarios/output-error.ts';
import type { Built, SimulateOptions } from '../scenarios/simulate.ts';
import { CausalPast } from './causal-past.ts';
import { type ExportRequest, exportKinds, logKind } from './export-request.ts';
import { StruckFaults } from './fault-report.ts';
import { Outputs, outputSink, type Sink, writeOutput } from './output.ts';
import { ScheduleDifference } from './schedule-difference.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** What is wanted of a run besides its result. */
export interface Wanted {
  readonly exports: readonly ExportRequest[];
  /** File for the picture of the event log. */
  readonly plot?: string;
  /** Draw these messages as a sequence diagram instead of the picture of the machine. */
  readonly sequence?: SequenceFilter;
  /** Views of the event log that are told, by name. */
  readonly views?: readonly string[];
  /** Keep what a sketch for the terminal needs. */
  readonly sketch: boolean;
  /** Let these properties of the machine watch; none when undefined. */
  readonly properties: MachineProperties | undefined;
}

/** A file that was written, and as what. */
export interface WrittenFile {
  readonly kind: string;
  readonly file: string;
  /** Where it stops short of the run, and what to do about it. */
  readonly cut?: string;
}

/** A view of the run in text. */
export interface ToldView {
  readonly view: string;
  readonly text: string;
}

/** Records of the event log that are kept for a sketch; a longer run is left unsketched. */
const sketchRecordsMax = 500_000;

/** Everything the command line attaches to one run: exports, the event log, the properties, what explains a violation. */
export class Observation implements Pick<SimulateOptions, 'observe' | 'onEnd'> {
  /** Sentences of the properties that watch the run. */
  watched: readonly string[];
  readonly #machine: Machine;
  readonly #wanted: Wanted;
  readonly #terminal: Pick<Terminal, 'out'>;
  readonly #exports: { readonly sink: Sink; readonly kind: string; readonly begun?: Export }[] = [];
  #records: object[] | undefined;
  readonly #atEnd: (() => void)[] = [];
  #sequence: (() => SequencePicture) | undefined;
  #given: Given | undefined;
  #watch: Watch | undefined;
  #past: CausalPast | undefined;
  #schedule: ScheduleDifference | undefined;
  #struck: StruckFaults | undefined;

  /** `terminal` takes exports to standard output; who wants none need not name it. Errors: `UsageError` when the machine cannot give what is wanted. */
  constructor(machine: Machine, wanted: Wanted, terminal: Pick<Terminal, 'out'> = { out: () => {} }) {
    this.#terminal = terminal;
    this.#machine = machine;
    this.#wanted = wanted;
    this.watched = wanted.properties?.sentences ?? [];
    const { logHeader } = machine;
    if (wanted.exports.some(({ kind }) => kind === logKind) && !logHeader)
      throw new UsageError(`the machine ${machine.name} has no event log`, 'use another kind of export');
    const kinds = [...exportKinds, ...Object.keys(machine.views ?? {})];
    for (const { kind } of wanted.exports)
      if (!kinds.includes(kind))
        throw new UsageError(`unknown kind of export "${kind}"`, didYouMean(kind, kinds, 'kinds'));
    for (const view of wanted.views ?? [])
      if (viewOf(machine, view).extension !== 'txt')
        throw new UsageError(
          `found --view ${view}, expected a view in text; this one is a file in ${viewOf(machine, view).extension}`,
          `--export ${view}=out/${view}.${viewOf(machine, view).extension}`,
        );
  }

  readonly observe = (run: Run, { given, assembly }: Built): void => {
    this.#given = given;
    const { exports, plot, views, sketch, properties } = this.#wanted;
    this.#schedule = new ScheduleDifference(run);
    this.#struck = new StruckFaults(run);
    if (properties) {
      this.#past = new CausalPast(run);
      this.watched = properties.sentencesOf?.(given) ?? properties.sentences;
      this.#watch = properties.watch(run, given, assembly);
    }
    if (plot !== undefined && (this.#wanted.sequence || !this.#machine.picture))
      this.#sequence = runSequence(`${given.name}: messages of the run`, run, this.#wanted.sequence);
    const tick = this.#machine.tickFemtoseconds?.(given.config);
    for (const { kind, file } of exports) {
      const sink = outputSink(this.#terminal, file);
      const begun = exporters[kind]?.attach(
        run,
        (text) => sink.write(text),
        tick === undefined ? {} : { tickFemtoseconds: tick },
      );
      this.#exports.push({ sink, kind, ...(begun && { begun }) });
    }
    const logs = this.#exports.filter(({ kind }) => kind === logKind);
    const draws =
      (plot !== undefined && !this.#sequence) ||
      (views ?? []).length > 0 ||
      exports.some(({ kind }) => this.#isView(kind));
    const keeps = draws || (sketch && this.#machine.sketch !== undefined);
    if (!assembly.follow || (logs.length === 0 && !keeps)) return;
    for (const { sink } of logs) sink.write(`${JSON.stringify(this.#machine.logHeader?.(given))}\n`);
    if (keeps) this.#records = [];
    const take = (record: object): void => {
      if (logs.length > 0) {
        const line = `${JSON.stringify(record)}\n`;
        for (const { sink } of logs) sink.write(line);
      }
      this.#records?.push(record);
      if (!draws && this.#records && this.#records.length > sketchRecordsMax) this.#records = undefined;
    };
    assembly.follow(run, take, (finish) => this.#atEnd.push(finish));
  };

  /** Sentences of the properties that had nothing to judge, once the run is over. */
  get notJudged(): readonly string[] {
    const judged = judgedOf(this.watched, this.#watch);
    return this.watched.filter((sentence) => !judged.includes(sentence));
  }

  readonly onEnd = (): void => this.#watch?.end();

  /** Completes all files and names those that could be written. */
  finish(outputs = new Outputs()): readonly WrittenFile[] {
    outputs.attempt(() => {
      for (const finish of this.#atEnd.splice(0)) finish();
    });
    const files = this.#exports.flatMap(({ sink, kind, begun }) => {
      const { file } = sink;
      const written = outputs.attempt(() => {
        begun?.end();
        if (this.#isView(kind)) sink.write(this.#drawn(kind));
        sink.end();
      });
      const cut = begun?.cut;
      return written ? [{ kind, file, ...(cut !== undefined && { cut }) }] : [];
    });
    const { plot } = this.#wanted;
    if (plot === undefined || !this.#given) return files;
    const given = this.#given;
    let drawn = false;
    outputs.attempt(() => {
      const picture = this.#sequence
        ? sequenceSvg(this.#sequenceFor(plot, this.#sequence))
        : this.#records && this.#machine.picture?.(given, this.#records);
      if (picture === undefined) return;
      writeOutput(this.#terminal, plot, picture);
      drawn = true;
    });
    return drawn ? [...files, { kind: 'plot', file: plot }] : files;
  }

  #sequenceFor(plot: string, sequence: () => SequencePicture): SequencePicture {
    try {
      return sequence();
    } catch (error) {
      if (!(error instanceof NothingToShow)) throw error;
      const { actors, messages } = error.seen;
      const { actors: [actor] = [], messages: [message] = [] } = this.#wanted.sequence ?? {};
      const help = [
        ...(actor === undefined ? [] : [didYouMean(actor, [...actors], 'actors')]),
        ...(message === undefined ? [] : [didYouMean(message, [...messages], 'messages')]),
      ];
      throw new OutputError(plot, error.message, help.join('; ') || 'choose other ticks with --plot-ticks');
    }
  }

  /** Leaves no half-written file behind, after a run that failed with an error. */
  abandon(): void {
    for (const { sink } of this.#exports) sink.abandon();
  }

  /** The views that are told, after `finish`. */
  get views(): readonly ToldView[] {
    return (this.#wanted.views ?? []).map((view) => ({ view, text: this.#drawn(view) }));
  }

  #isView(kind: string): boolean {
    return !Object.hasOwn(exporters, kind) && Object.hasOwn(this.#machine.views ?? {}, kind);
  }

  #drawn(view: string): string {
    return this.#given ? viewOf(this.#machine, view).draw(this.#given, this.#records ?? []) : '';
  }

  /** The event log as lines for a terminal; undefined when the machine has none or the run was too long. */
  sketch(columns: number): string | undefined {
    if (!this.#wanted.sketch || !this.#records || !this.#given) return undefined;
    return this.#machine.sketch?.(this.#given, this.#records, columns);
  }

  /** What led to the first violation; undefined when nothing is known of it. */
  get past(): Pick<CausalPast, 'lines' | 'late'> | undefined {
    return this.#past;
  }

  /** The first faults that struck. */
  get struck(): readonly Injection[] {
    return this.#struck?.kept ?? [];
  }

  /** In what the schedule differs from the default one. */
  get scheduleText(): string {
    return this.#schedule?.text ?? '';
  }
}

/** The view of this name. Errors: `UsageError` when the machine has none. */
function viewOf({ name, views = {} }: Machine, view: string): View {
  const found = Object.hasOwn(views, view) ? views[view] : undefined;
  if (found) return found;
  const known = Object.keys(views);
  throw new UsageError(
    `the machine ${name} has no view ${view}`,
    known.length === 0 ? 'its pictures are those of --plot and --sketch' : didYouMean(view, known, 'views'),
  );
}
