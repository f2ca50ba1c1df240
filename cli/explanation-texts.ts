import { withCycle } from '../properties/endless.ts';
import { type Explanation, explainFailure } from '../properties/explore/explain.ts';
import { explainedRun } from '../properties/explore/explained-run.ts';
import { explanationJson } from '../properties/explore/explanation-json.ts';
import { explanationPage } from '../properties/explore/explanation-page.ts';
import { explanationPicture } from '../properties/explore/explanation-picture.ts';
import { stepsInLanes } from '../properties/explore/telling-steps.ts';
import { Wording } from '../properties/explore/wording.ts';
import { type JudgedScenario, judgedScenario } from '../properties/judged-scenario.ts';
import { watchedRun } from '../properties/watched-run.ts';
import { sequenceMermaid } from '../scenarios/exports/sequence-mermaid.ts';
import { sequenceSvg } from '../scenarios/exports/sequence-svg.ts';
import { type Recording, recordingOf } from '../scenarios/recording.ts';
import { recordedScenario } from '../scenarios/replay.ts';
import type { Heed } from './background/heed.ts';
import { withRefinement } from './check/refines.ts';
import { knownMachines } from './known-machines.ts';

/** A recording that is to be explained, and what is told of it, in words that another thread can be told. */
export interface ExplanationOrder {
  /** Where the recording lies. */
  readonly file: string;
  readonly recording: Recording;
  /** Everything that could have led to the failure, however long. */
  readonly full: boolean;
  /** Kinds of sequence diagrams that are drawn. */
  readonly pictures: readonly (keyof typeof drawings)[];
  /** Whether the simpler run is to be recorded. */
  readonly simplified: boolean;
  /** Columns of the page. */
  readonly width: number;
}

const drawings = { mermaid: sequenceMermaid, svg: sequenceSvg } as const;

/** An explanation in all forms that were asked for; undefined when the run does not fail. */
export interface ExplanationTexts {
  readonly page: string;
  readonly pictures: readonly string[];
  /** The simpler run, or why there is none to record. */
  readonly simplified?: SimplerRun;
  readonly json: object;
}

type SimplerRun = { readonly recorded: Recording; readonly about: string } | { readonly none: string };

/** The scenario of a recording with what judges it. */
export async function judgedRecording({
  recording,
  file,
}: Pick<ExplanationOrder, 'recording' | 'file'>): Promise<JudgedScenario> {
  const parsed = await recordedScenario(recording, file, await knownMachines());
  const found = await withRefinement(await judgedScenario(parsed), recording.refines);
  return { ...found, properties: withCycle(found.properties, recording.cycle) };
}

/** Explains the run of a recording. */
export function explanationTexts(
  judged: JudgedScenario,
  { recording, file, full, pictures, simplified, width }: ExplanationOrder,
  { shouldStop, onTrial }: Heed,
): ExplanationTexts | undefined {
  const { scheduled, until, tape, end } = recording;
  const { scenario, machine } = judged;
  const how = { scheduled, ...(until !== undefined && { until }) };
  const explained = explainedRun(judged, tape, how, end.verdict === 'livelock' ? end.ticks : undefined);
  const explanation = explainFailure(explained.trials, explained.tape, { ...how, shouldStop, onTrial });
  if (!explanation) return undefined;
  const simpler = file.replace(/(\.json)?$/, '.simplified.json');
  const again = `npx lockstep replay ${file}`;
  const steps = full ? explanation.past : stepsInLanes(explanation);
  const drawn = () => explanationPicture(explanation, steps, new Wording(explanation.history));
  return {
    page: explanationPage(explanation, {
      about: `${scenario.name} (${machine.name}), ${file}`,
      replay: again,
      simplify: `npx lockstep explain ${file} --simplified ${simpler}`,
      full,
      width,
    }),
    pictures: pictures.map((kind) => drawings[kind](drawn())),
    ...(simplified && { simplified: simplerRun(explanation, judged, how) }),
    json: explanationJson(explanation, steps, again),
  };
}

function simplerRun(
  { simplified, tape, failure }: Explanation,
  judged: JudgedScenario,
  how: { readonly scheduled: boolean; readonly until?: number },
): SimplerRun {
  if (!simplified)
    return { none: 'no simpler run was found that fails in the same way: nothing was written' };
  const simulation = watchedRun(judged, simplified.tape, how);
  // Of a livelock a run of fewer deliveries was simplified.
  if (simulation.outcome.verdict !== failure.verdict)
    return {
      none: 'the simpler run comes to its end where the machine allows more deliveries in a tick: nothing was written',
    };
  const before = tape.filter((pick) => pick !== 0).length;
  return {
    recorded: recordingOf(judged.scenario, simulation, undefined, judged.refines),
    about: `simplified from ${before} picks that are not first come, first served to ${simplified.deviations}`,
  };
}
