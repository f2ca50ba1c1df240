import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { withCycle } from '../../properties/endless.ts';
import { type Explanation, explainFailure } from '../../properties/explore/explain.ts';
import { explainedRun } from '../../properties/explore/explained-run.ts';
import { explanationJson } from '../../properties/explore/explanation-json.ts';
import { explanationPage } from '../../properties/explore/explanation-page.ts';
import { explanationPicture } from '../../properties/explore/explanation-picture.ts';
import { stepsInLanes } from '../../properties/explore/telling-steps.ts';
import { Wording } from '../../properties/explore/wording.ts';
import { type JudgedScenario, judgedScenario } from '../../properties/judged-scenario.ts';
import { watchedRun } from '../../properties/watched-run.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { sequenceMermaid } from '../../scenarios/exports/sequence-mermaid.ts';
import type { SequencePicture } from '../../scenarios/exports/sequence-picture.ts';
import { sequenceSvg } from '../../scenarios/exports/sequence-svg.ts';
import { LocatedDocument } from '../../scenarios/located-document.ts';
import { loadRecording, type Recording, recordingOf, saveRecording } from '../../scenarios/recording.ts';
import { recordedScenario, replay } from '../../scenarios/replay.ts';
import { withRefinement } from '../check/refines.ts';
import type { Session } from '../command.ts';
import { knownMachines } from '../known-machines.ts';
import { Observation } from '../observation.ts';
import { RoundSteps } from '../round-steps.ts';
import { UsageError } from '../usage-error.ts';
import { withProgress } from '../with-progress.ts';

interface ExplainCommandOptions {
  readonly full?: boolean;
  readonly mermaid?: string;
  readonly svg?: string;
  readonly simplified?: string;
  readonly json?: boolean;
}

/** Columns of a page at most: longer lines are hard to read. */
const columnsMax = 100;

/** `lockstep explain RECORDING` (design, section 6). */
export function declareExplain(command: Command, session: Session): void {
  command
    .argument('<recording>', 'a recording of a run that failed')
    .option('--full', 'everything that could have led to the failure, however long')
    .option('--mermaid <file>', 'write the sequence diagram for Markdown')
    .option('--svg <file>', 'write the sequence diagram as a picture')
    .option(
      '--simplified <file>',
      'write a simpler run that fails in the same way, as a recording of its own',
    )
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep explain out/a-broken-promise.check.json
  lockstep explain out/a-broken-promise.check.json --svg out/broken.svg --simplified out/simpler.json`,
    )
    .action((file: string, options: ExplainCommandOptions) => explain(file, options, session));
}

async function explain(file: string, options: ExplainCommandOptions, { terminal }: Session): Promise<void> {
  const recording = loadRecording(file);
  const { scheduled, until, tape, end } = recording;
  if (end.verdict === 'ok') throw notFailed(file);
  const parsed = await recordedScenario(recording, file, await knownMachines());
  const found = await withRefinement(await judgedScenario(parsed), recording.refines);
  const loaded = { ...found, properties: withCycle(found.properties, recording.cycle) };
  const round = recording.cycle && new RoundSteps(recording.cycle);
  await withProgress(terminal, undefined, ({ turn, ...heed }) =>
    verify(file, recording, loaded, { turn, ...heed, observe: (run) => round?.attach(run) }),
  );

  const { scenario, machine } = loaded;
  const how = { scheduled, ...(until !== undefined && { until }) };
  const explained = explainedRun(loaded, tape, how, end.verdict === 'livelock' ? end.ticks : undefined);
  const explanation = explainFailure(explained.trials, explained.tape, how);
  if (!explanation) throw notFailed(file);
  const { full = false } = options;
  const simpler = file.replace(/(\.json)?$/, '.simplified.json');
  const again = `npx lockstep replay ${file}`;
  terminal.err(
    explanationPage(explanation, {
      about: `${scenario.name} (${machine.name}), ${file}`,
      replay: again,
      simplify: `npx lockstep explain ${file} --simplified ${simpler}`,
      full,
      width: Math.min(columnsMax, terminal.columns),
    }),
  );
  if (round) terminal.err(round.text);
  const steps = full ? explanation.past : stepsInLanes(explanation);
  for (const line of draw(explanation, steps, options)) terminal.err(`${line}\n`);
  for (const line of recordSimplified(explanation, loaded, how, options.simplified))
    terminal.err(`${line}\n`);
  if (options.json) terminal.out(`${JSON.stringify(explanationJson(explanation, steps, again))}\n`);
}

/** Records the simpler run, when that is asked for. Returns what to tell about it. */
function recordSimplified(
  { simplified, tape, failure }: Explanation,
  judged: JudgedScenario,
  how: { readonly scheduled: boolean; readonly until?: number },
  file: string | undefined,
): readonly string[] {
  if (file === undefined) return [];
  if (!simplified) return ['no simpler run was found that fails in the same way: nothing was written'];
  const simulation = watchedRun(judged, simplified.tape, how);
  // Of a livelock a run of fewer deliveries was simplified.
  if (simulation.outcome.verdict !== failure.verdict)
    return [
      'the simpler run comes to its end where the machine allows more deliveries in a tick: nothing was written',
    ];
  saveRecording(file, recordingOf(judged.scenario, simulation, undefined, judged.refines));
  const before = tape.filter((pick) => pick !== 0).length;
  return [
    `simplified from ${before} picks that are not first come, first served to ${simplified.deviations}; recording written: ${file}`,
  ];
}

/** Writes the pictures that are asked for. Returns a line for each. */
function draw(
  explanation: Explanation,
  steps: Explanation['past'],
  { mermaid, svg }: ExplainCommandOptions,
): readonly string[] {
  const wanted: readonly (readonly [string | undefined, (picture: SequencePicture) => string])[] = [
    [mermaid, sequenceMermaid],
    [svg, sequenceSvg],
  ];
  return wanted.flatMap(([file, drawn]) => {
    if (file === undefined) return [];
    const picture = explanationPicture(explanation, steps, new Wording(explanation.history));
    writeFileAtomically(file, drawn(picture));
    return [`sequence diagram written: ${file}`];
  });
}

/** Carries the run out as it was recorded. Errors: `UsageError` when it is another one by now. */
async function verify(
  file: string,
  recording: Recording,
  { machine, properties }: JudgedScenario,
  progress: Parameters<typeof replay>[2],
): Promise<void> {
  const observation = new Observation(machine, { exports: [], sketch: false, properties });
  const { difference } = await replay(recording, await knownMachines(), {
    ...progress,
    observe: (run, built) => {
      progress?.observe?.(run, built);
      observation.observe(run, built);
    },
    onEnd: observation.onEnd,
  });
  if (difference)
    throw new UsageError(
      `${file}: found a recording of another run than the one that its scenario and tape give now: ${difference.text}`,
      'the machine, its programs or its properties changed since, or properties were left out: record the run again',
    );
}

function notFailed(file: string): UsageError {
  const { line, column } = new LocatedDocument(readFileSync(file, 'utf8'), file).at(['end', 'verdict']);
  return new UsageError(
    `${file}:${line}:${column} end.verdict: found a run that ended "ok", expected one that failed`,
    'there is nothing to explain; `lockstep replay` shows the run',
  );
}
