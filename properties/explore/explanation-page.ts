import { defect } from '../../kernel/errors.ts';
import { sequenceLanes } from '../../scenarios/exports/sequence-lanes.ts';
import { clipped, wrapped } from '../../scenarios/exports/text-lines.ts';
import type { Explanation } from './explain.ts';
import { explanationPicture } from './explanation-picture.ts';
import type { Step } from './history.ts';
import { proseOf } from './prose.ts';
import { inOrder } from './telling-steps.ts';
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

/** Lines of a screen, and how many of them the parts of a page may take. */
const [screenLines, whyMax, proseMax, waitingMax, nearestMax, rowsMax, rowsMin] = [45, 2, 8, 3, 3, 14, 6];
/** How many picks are told, as few as needed to leave room for the lanes. */
const picksTold = [5, 3, 1];
/** Lines of the lanes besides their rows: names, the finding, the legend. */
const laneLines = 6;

/** An explanation as text: at most a screen of 45 lines, unless all of it is asked for. */
export function explanationPage(explanation: Explanation, options: PageOptions): string {
  const page = new Page(explanation, options);
  if (options.full) return page.text(Number.MAX_SAFE_INTEGER, explanation.past);
  for (const picks of picksTold) {
    const faultLines = explanation.faults.length;
    const left = screenLines - laneLines - faultLines - page.text(picks, []).split('\n').length;
    if (left >= rowsMin || picks === picksTold.at(-1))
      return page.text(picks, inOrder(explanation.telling.ranked.slice(0, Math.min(rowsMax, left))));
  }
  return defect('no page');
}

/** Puts the sections of a page together. */
class Page {
  readonly #wording: Wording;
  readonly #width: number;
  readonly #full: boolean;

  constructor(
    readonly explanation: Explanation,
    readonly options: PageOptions,
  ) {
    this.#wording = new Wording(explanation.history);
    this.#width = options.width ?? 100;
    this.#full = options.full ?? false;
  }

  /** The page with so many picks and these deliveries. */
  text(picks: number, steps: readonly Step[]): string {
    const sections = [
      this.#headline(),
      ['what happened:', ...this.#lines(proseOf(this.explanation, this.#wording), proseMax)],
      this.#waiting(),
      this.#schedule(picks),
      this.#nearest(),
      this.#past(steps),
      [`replay it: ${this.options.replay}`],
    ];
    const told = sections.filter((section) => section.length > 0).map((section) => section.join('\n'));
    return `${told.join('\n\n')}\n`;
  }

  #headline(): readonly string[] {
    const { verdict, what, tick, actors, why } = this.explanation.failure;
    const named = actors.slice(0, this.#full ? actors.length : 4).join(', ');
    const where = `in tick ${tick}${named && `, ${named}`}`;
    return [
      ...wrapped(`${verdict}: ${what}`, this.#width),
      ...this.#lines(`${where}: ${why}`, whyMax),
      ...this.#lines(this.options.about, 1),
    ];
  }

  #waiting(): readonly string[] {
    const { history } = this.explanation;
    const waiting = history.trial.outcome.deadlock?.waiting ?? [];
    if (waiting.length === 0) return [];
    const wording = this.#wording;
    return this.#list('who waits:', waiting, waitingMax, (one) => {
      const last = history.steps.findLast(({ to }) => to === one.actor);
      const on = one.on.map((name) => wording.actor(name));
      const waits = waitingText({ ...one, actor: wording.actor(one.actor), on });
      return last ? [waits, `  the last it got: ${wording.step(last)} in tick ${last.message.due}`] : [waits];
    });
  }

  #schedule(picks: number): readonly string[] {
    const { minimalTape, tape, deviations, history, complete } = this.explanation;
    const simpler = complete ? '' : ' (not simplified to the end)';
    if (minimalTape.length === 0) {
      const given = tape.length > 0 ? `, simpler than the ${tape.length} picks given` : '';
      return [`the schedule: first come, first served${given}${simpler}`];
    }
    const are = deviations.length === 1 ? 'is' : 'are';
    const title = `the schedule: ${deviations.length} of ${history.picks} picks ${are} not first come, first served${simpler}:`;
    return this.#list(title, deviations, picks, (one) => [
      `pick ${one.position + 1}, tick ${one.tick}: ${this.#wording.deviation(one)}`,
    ]);
  }

  #nearest(): readonly string[] {
    const { nearestPassing, firstDifference, scheduled } = this.explanation;
    if (!scheduled) return [];
    if (!nearestPassing) return ['the nearest schedule that passes: none was found'];
    const { position, differing, tape } = nearestPassing;
    const differs = differing === 1 ? '1 pick differs' : `${differing} picks differ, the first of them here`;
    const title = `the nearest schedule that passes: ${tape.length === 0 ? 'first come, first served' : differs}`;
    if (!firstDifference) return [`${title}; pick ${position + 1}`];
    const { here, there } = firstDifference;
    const text = `pick ${position + 1}, tick ${there.tick}: ${this.#wording.chosen(there)}, not ${this.#wording.chosen(here)}`;
    return [`${title}:`, ...this.#lines(text, nearestMax)];
  }

  #past(steps: readonly Step[]): readonly string[] {
    const { past } = this.explanation;
    const some = `what led to it: ${steps.length} of ${past.length} messages that could have (--full shows all):`;
    const title = steps.length < past.length ? some : 'what led to it:';
    const picture = explanationPicture(this.explanation, steps, this.#wording);
    return [title, ...(steps.length > 0 ? sequenceLanes(picture, this.#width) : [])];
  }

  /** A title and its items of one or more lines, which are cut on a screen, where at most `max` items are told. */
  #list<T>(
    title: string,
    items: readonly T[],
    max: number,
    told: (item: T) => readonly string[],
  ): readonly string[] {
    const shown = items.slice(0, this.#full ? items.length : max);
    const lines = shown.flatMap(told).flatMap((line) => this.#item(`  ${line}`));
    const more = items.length - shown.length;
    return [title, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
  }

  #item(line: string): readonly string[] {
    if (!this.#full) return [clipped(line, this.#width)];
    return wrapped(line.trimStart(), this.#width - 6).map((part, index) =>
      index === 0 ? `  ${part}` : `      ${part}`,
    );
  }

  /** A text in lines that stand in, on a screen at most `max`. */
  #lines(text: string, max: number): readonly string[] {
    const lines = wrapped(text, this.#width - 2).map((line) => `  ${line}`);
    if (this.#full || lines.length <= max) return lines;
    return [...lines.slice(0, max - 1), clipped(`${lines[max - 1]} …`, this.#width)];
  }
}
