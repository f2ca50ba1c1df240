import { defect } from '../../kernel/errors.ts';
import { sequenceLanes } from '../../scenarios/exports/sequence-lanes.ts';
import { clipped, wrapped } from '../../scenarios/exports/text-lines.ts';
import { otherwiseWords, partWords, tickOfPart } from './cause-words.ts';
import type { Cause } from './causes.ts';
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
  /** The command that records a simpler run which fails in the same way. */
  readonly simplify?: string;
  /** Everything, however long. */
  readonly full?: boolean;
  /** Columns; 100 when absent. */
  readonly width?: number;
}

/** Lines of a screen, and how many of them the parts of a page may take. */
const [screenLines, whyMax, proseMax, waitingMax, rowsMax, rowsMin] = [45, 2, 8, 3, 14, 6];
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
      this.#causes(picks),
      this.#schedule(),
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

  /** What makes the difference, besides what is told in the prose. */
  #causes(most: number): readonly string[] {
    const { causes, scheduled } = this.explanation;
    if (!scheduled) return [];
    const [first, ...others] = causes.causes;
    const wording = this.#wording;
    if (!first) return [];
    const lines = (cause: Cause): readonly string[] => {
      const alone = cause.parts.length === 1;
      return cause.parts.map((part) => {
        const without = alone ? `; ${otherwiseWords(part, wording)} it passes` : '';
        return `tick ${tickOfPart(part)}: ${partWords(part, wording)}${without}`;
      });
    };
    if (others.length === 0 && first.parts.length === 1) return [];
    if (first.parts.length > 1)
      return this.#list('what makes the difference, all of it together:', lines(first), most, (one) => [one]);
    const told = causes.causes.flatMap(lines);
    return this.#list('what makes the difference, each alone (tried by running):', told, most, (one) => [
      one,
    ]);
  }

  #schedule(): readonly string[] {
    const { deviations, history, simplified, complete } = this.explanation;
    const picks =
      deviations === 0
        ? 'the schedule: first come, first served'
        : `the schedule: ${deviations} of ${history.picks} picks ${deviations === 1 ? 'is' : 'are'} not first come, first served`;
    const left = simplified && `${simplified.deviations} of ${simplified.picks} such picks`;
    const record = this.options.simplify === undefined ? '' : `: ${this.options.simplify}`;
    const simpler = left ? [`a simpler run of ${left} fails in the same way${record}`] : [];
    return [`${picks}${complete ? '' : ' (the search was stopped before its end)'}`, ...simpler];
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
