import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { LocatedDocument } from '../../scenarios/located-document.ts';
import { loadRecording, type Recording, saveRecording } from '../../scenarios/recording.ts';
import { replay } from '../../scenarios/replay.ts';
import { patiently } from '../background/patiently.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  type ExplanationOrder,
  type ExplanationTexts,
  explanationTexts,
  judgedRecording,
} from '../explanation-texts.ts';
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

async function explain(file: string, options: ExplainCommandOptions, session: Session): Promise<void> {
  const { terminal } = session;
  const recording = loadRecording(file);
  if (recording.end.verdict === 'ok') throw notFailed(file);
  const judged = await judgedRecording({ recording, file });
  const round = recording.cycle && new RoundSteps(recording.cycle);
  await withProgress(terminal, undefined, ({ turn, ...heed }) =>
    verify(file, recording, judged, { turn, ...heed, observe: (run) => round?.attach(run) }),
  );

  const wanted = (['mermaid', 'svg'] as const).filter((kind) => options[kind] !== undefined);
  const order: ExplanationOrder = {
    file,
    recording,
    full: options.full ?? false,
    pictures: wanted,
    simplified: options.simplified !== undefined,
    width: Math.min(columnsMax, terminal.columns),
  };
  const { done, interrupted } = await patiently<ExplanationTexts | undefined>(terminal, {
    here: (heed) => explanationTexts(judged, order, heed),
    order: { kind: 'explanation', ...order },
  });
  if (!done) throw notFailed(file);
  terminal.err(done.page);
  if (round) terminal.err(round.text);
  for (const [at, kind] of wanted.entries()) {
    writeFileAtomically(options[kind]!, done.pictures[at]!);
    terminal.err(`sequence diagram written: ${options[kind]}\n`);
  }
  const { simplified } = done;
  if (simplified && 'recorded' in simplified) {
    saveRecording(options.simplified!, simplified.recorded);
    terminal.err(`${simplified.about}; recording written: ${options.simplified}\n`);
  } else if (simplified) terminal.err(`${simplified.none}\n`);
  if (options.json) terminal.out(`${JSON.stringify(done.json)}\n`);
  if (interrupted) session.exitCode = exitCodes.interrupted;
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
