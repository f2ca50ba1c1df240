import type { Waiting } from '../../kernel/outcome.ts';
import { clipped, sequenceLanes } from '../../scenarios/exports/sequence-lanes.ts';
import type { Explanation } from './explain.ts';
import { explanationPicture } from './explanation-picture.ts';
import { proseOf } from './prose.ts';
import { waitingText } from './told-failure.ts';
import { Wording } from './wording.ts';

/** How an explanation is laid out. */
export interface PageOptions {
  /** Where the run comes from, in one line: scenario, machine, file. */
  readonly about: string;
  /** The command that carries the run out again. */
  readonly replay: string;
  /** Everything, however long. */
  readonly full?: boolean;
  /** Columns; 100 when absent. */
  readonly width?: number;
}

/** Lines of lists that a screen has room for: picks, waiting actors, lines of the finding. */
const [picksMax, waitingMax, whyMax] = [5, 6, 4];

/** An explanation as text: at most a screen of 45 lines, unless all of it is asked for. */
export function explanationPage(explanation: Explanation, options: PageOptions): string {
  const { about, replay, full = false, width = 100 } = options;
  const wording = new Wording(explanation.history);
  const limit = <T>(list: readonly T[], max: number) => (full ? list : list.slice(0, max));
  const more = (all: number, shown: number) => (all > shown ? [`  and ${all - shown} more`] : []);
  const { failure, deviations, past, telling } = explanation;

  const who = failure.actors.length > 0 ? `, ${limit(failure.actors, 4).join(', ')}` : '';
  const found = limit(wrapped(`in tick ${failure.tick}${who}: ${failure.why}`, width - 2), whyMax);
  const headline = [
    ...wrapped(`${failure.verdict}: ${failure.what}`, width),
    ...indented(found),
    clipped(`  ${about}`, width),
  ];

  const waiting = explanation.history.trial.outcome.deadlock?.waiting ?? [];
  const stuck = limit(waiting, waitingMax).map((one) =>
    clipped(`  ${waitingLine(one, explanation, wording)}`, width),
  );

  const picks = limit(deviations, picksMax).flatMap((decision) =>
    hanging(`pick ${decision.position + 1}, tick ${decision.tick}: ${wording.deviation(decision)}`, width),
  );
  const shown = full ? past : telling.steps;
  const left = past.length - shown.length;
  const lanes = sequenceLanes(explanationPicture(explanation, shown, wording), width);

  return [
    headline,
    ['what happened:', ...indented(wrapped(proseOf(explanation, wording), width - 2))],
    stuck.length > 0 ? ['who waits:', ...stuck, ...more(waiting.length, stuck.length)] : [],
    [
      ...wrapped(scheduleText(explanation), width),
      ...picks,
      ...more(deviations.length, limit(deviations, picksMax).length),
    ],
    nearestText(explanation, wording, width),
    [
      left > 0
        ? `what led to it: ${shown.length} of ${past.length} messages that could have (--full shows all):`
        : 'what led to it:',
      ...lanes,
    ],
    [`replay it: ${replay}`],
  ]
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')
    .concat('\n');
}

function waitingLine(waiting: Waiting, { history }: Explanation, wording: Wording): string {
  const last = history.steps.findLast(({ to }) => to === waiting.actor);
  const told = {
    ...waiting,
    actor: wording.actor(waiting.actor),
    on: waiting.on.map((one) => wording.actor(one)),
  };
  return last
    ? `${waitingText(told)}; last it got ${wording.step(last)} in tick ${last.message.due}`
    : waitingText(told);
}

function scheduleText({ minimalTape, tape, deviations, history, complete }: Explanation): string {
  const simpler = complete ? '' : ' (not simplified to the end)';
  if (minimalTape.length === 0) {
    const given = tape.length > 0 ? `, simpler than the ${tape.length} picks given` : '';
    return `the schedule: first come, first served${given}${simpler}`;
  }
  const count = deviations.length === 1 ? '1 pick is' : `${deviations.length} picks are`;
  return `the schedule: of ${history.picks} picks ${count} not first come, first served${simpler}:`;
}

function nearestText(
  { nearestPassing, firstDifference, scheduled }: Explanation,
  wording: Wording,
  width: number,
): readonly string[] {
  if (!scheduled) return [];
  if (!nearestPassing) return ['the nearest schedule that passes: none was found'];
  const { position, differing, tape } = nearestPassing;
  const which =
    tape.length === 0
      ? 'first come, first served'
      : differing === 1
        ? '1 pick differs'
        : `${differing} picks differ`;
  const head = `the nearest schedule that passes: ${which}`;
  if (!firstDifference) return [`${head}; the first is pick ${position + 1}`];
  const { here, there } = firstDifference;
  return [
    `${head}:`,
    ...hanging(
      `pick ${position + 1}, tick ${there.tick}: ${wording.chosen(there)}, not ${wording.chosen(here)}`,
      width,
    ),
  ];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** An item of a list: later lines stand further in. */
function hanging(text: string, width: number): readonly string[] {
  return wrapped(text, width - 4).map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`));
}

/** A text in lines of at most `width` characters, broken at spaces; a word that is longer than a line is cut. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(clipped(word, width));
  }
  return lines;
}
