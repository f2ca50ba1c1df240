import { defect } from '../../kernel/errors.ts';
import type { Violation, Waiting } from '../../kernel/outcome.ts';
import { sequenceLanes } from '../../scenarios/exports/sequence-lanes.ts';
import { clipped, wrapped } from '../../scenarios/exports/text-lines.ts';
import { otherwiseWords, partWords, reachWords, tickOfPart } from './cause-words.ts';
import type { Cause } from './causes.ts';
import { comparisonLines } from './comparison-lines.ts';
import type { Explanation } from './explain.ts';
import { explanationPicture } from './explanation-picture.ts';
import { isAtRest, lastSentBy, type Step } from './history.ts';
import { proseOf } from './prose.ts';
import { rangesOf, roleOf } from './ranges.ts';
import { sharedState } from './standing.ts';
import { idleWords } from './standstill-words.ts';
import { faultWords, type StruckFault, takesAway } from './struck-fault.ts';
import { stepsInLanes, tellingMax } from './telling-steps.ts';
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
const [screenLines, whyMax, proseMax, waitingMax, standingMax, rowsMin] = [45, 6, 8, 3, 12, 3];
/** Groups of those that wait that are told in brief, after the others. */
const briefMax = 3;
/** How many causes and close-ups are told: as few as needed to leave room for the lanes. */
interface Room {
  readonly picks: number;
  readonly compared: number;
  /** Lines for what else an actor holds that is looked at from near. */
  readonly besides: number;
  readonly refusals: number;
  /** Groups of those that wait; as many as usual when absent. */
  readonly waiting?: number;
  /** Actors that are waited for. */
  readonly awaited: number;
  /** Properties that do not hold at rest. */
  readonly left: number;
  /** Actors of which it is told how they stand; as many as usual when absent. */
  readonly standing?: number;
  /** Whether actors of one kind that wait for the same thing are told of together, whichever of their partners each waits for. */
  readonly together: boolean;
}
const rooms: readonly Room[] = [
  { picks: 5, compared: 2, besides: 3, refusals: 3, awaited: 2, left: 5, together: false },
  { picks: 5, compared: 2, besides: 1, refusals: 3, awaited: 2, left: 5, together: false },
  { picks: 3, compared: 1, besides: 2, refusals: 2, awaited: 2, left: 5, together: false },
  { picks: 3, compared: 1, besides: 1, refusals: 2, awaited: 1, left: 5, together: false },
  { picks: 3, compared: 1, besides: 1, refusals: 2, awaited: 1, left: 4, together: true },
  { picks: 1, compared: 1, besides: 1, refusals: 1, waiting: 2, awaited: 1, left: 4, together: true },
  { picks: 1, compared: 0, besides: 0, refusals: 1, awaited: 1, left: 4, standing: 6, together: true },
];
/** Where something was wrong before the run ended in something worse, the part that did it says more than what was refused and who waits. */
const roomForFirst: Room = {
  picks: 1,
  compared: 1,
  besides: 1,
  refusals: 0,
  waiting: 1,
  awaited: 0,
  left: 2,
  together: true,
};
const everything: Room = {
  picks: Number.MAX_SAFE_INTEGER,
  compared: Number.MAX_SAFE_INTEGER,
  besides: Number.MAX_SAFE_INTEGER,
  refusals: Number.MAX_SAFE_INTEGER,
  awaited: Number.MAX_SAFE_INTEGER,
  left: Number.MAX_SAFE_INTEGER,
  together: false,
};
/** Lines of an item of a list. */
const itemMax = 2;
/** Lines of the lanes besides their rows: names, the finding, the legend. */
const laneLines = 6;

/** An explanation as text: at most a screen of 45 lines, unless all of it is asked for. */
export function explanationPage(explanation: Explanation, options: PageOptions): string {
  const page = new Page(explanation, options);
  if (options.full) return page.text(everything, explanation.past);
  const { first } = explanation.failure;
  for (const room of first ? rooms.toSpliced(-1, 0, roomForFirst) : rooms) {
    const faultLines = explanation.faults.length;
    const left = screenLines - laneLines - faultLines - page.text(room, []).split('\n').length;
    if (left < rowsMin && room !== rooms.at(-1)) continue;
    return page.text(room, stepsInLanes(explanation, Math.min(tellingMax, left)));
  }
  return defect('no page');
}

/** A property that did not hold, in words. */
const violationWords = ({ property, actors, why }: Violation): string =>
  `this did not hold: ${property} (${[actors.join(', '), why].filter((one) => one !== '').join(': ')})`;

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

  /** The page with so much in its parts, and these deliveries. */
  text(
    {
      picks,
      compared,
      besides,
      refusals,
      together,
      awaited,
      left,
      standing = standingMax,
      waiting = waitingMax,
    }: Room,
    steps: readonly Step[],
  ): string {
    const sections = [
      this.#headline(),
      ['what happened:', ...this.#lines(proseOf(this.explanation, this.#wording), proseMax)],
      this.#waiting(together, waiting, awaited),
      this.#standing(standing),
      this.#left(left),
      this.#refusals(refusals),
      this.#compared(compared, besides),
      this.#causes(picks),
      this.#schedule(),
      this.#past(steps),
      [`replay it: ${this.options.replay}`],
    ];
    const told = sections.filter((section) => section.length > 0).map((section) => section.join('\n'));
    return `${told.join('\n\n')}\n`;
  }

  #headline(): readonly string[] {
    const { verdict, what, tick, actors, why, first, thrown = [] } = this.explanation.failure;
    const named = actors.slice(0, this.#full ? actors.length : 4).join(', ');
    const where = `in tick ${tick}${named && `, ${named}`}`;
    return [
      ...wrapped(`${verdict}: ${what}`, this.#width),
      ...this.#lines(`${where}: ${why}`, whyMax),
      ...(thrown.length > 0 ? this.#lines(`thrown in ${thrown.join(', called by ')}`, whyMax) : []),
      ...(first ? this.#lines(`before that, in tick ${first.tick}, ${violationWords(first)}`, whyMax) : []),
      ...this.#lines(this.options.about, 1),
    ];
  }

  /** Who waits, those that wait alike in one line, and how those stand whom they wait for. */
  #waiting(together: boolean, most: number, awaitedMost: number): readonly string[] {
    const { history } = this.explanation;
    const { outcome } = history.trial;
    const waiting = outcome.deadlock?.waiting ?? [];
    const idle = idleWords(outcome);
    if (waiting.length === 0) return [];
    const wording = this.#wording;
    const alike = new Map<string, Waiting[]>();
    for (const one of waiting) {
      const on = together ? one.on.map(roleOf) : one.on;
      const kind = JSON.stringify([one.state, one.waitsFor, on]);
      alike.set(kind, [...(alike.get(kind) ?? []), one]);
    }
    // Where what others sent came to its end, what holds them all up is nearest.
    const ends = new Set(this.explanation.trailEnds.map(({ end }) => end.to));
    const isEnd = (group: readonly Waiting[]) => group.some(({ actor }) => ends.has(actor));
    const groups = [...alike.values()].sort((a, b) => Number(isEnd(b)) - Number(isEnd(a)));
    const stuck = new Set(waiting.map(({ actor }) => actor));
    const awaited = [...new Set(groups.flat().flatMap(({ on }) => on))].filter((name) => !stuck.has(name));
    const waits = this.#list('who waits:', groups, most + briefMax, (group) => {
      const [one] = group as [Waiting, ...Waiting[]];
      const names = rangesOf(group.map(({ actor }) => wording.actor(actor)));
      const whose = [...new Set(group.flatMap(({ on }) => on))];
      const on = rangesOf(whose.map((name) => wording.actor(name)));
      const since = [...new Set(group.map(({ since }) => since))];
      const ticks =
        since.length === 1 ? `tick ${since[0]}` : `ticks ${Math.min(...since)} to ${Math.max(...since)}`;
      const whom = on === '' ? '' : `: ${on}`;
      const verb = group.length === 1 ? 'waits' : 'wait';
      const text = `${names} (${one.state}) ${verb} since ${ticks} for ${one.waitsFor}${whom}`;
      if (!this.#full && groups.indexOf(group) >= most) return [text];
      const last = whose.length === 0 ? this.#lastAwaited(one, stuck) : [];
      if (group.length > 1)
        return [
          text,
          ...last,
          ...this.#lastSentBy(group),
          ...this.#trailsFrom(group.map(({ actor }) => actor)),
        ];
      return [text, ...last, ...this.#lastOf(one.actor, together), ...this.#trailsFrom([one.actor])];
    });
    const others = awaited.slice(0, awaitedMost);
    const { actors: standing = [] } = this.explanation.standing ?? {};
    const shared = standing.filter(({ state }) => state === sharedState);
    return [
      ...waits,
      ...others.flatMap((name) => {
        const state = history.steps.findLast(({ to }) => to === name)?.after;
        const is =
          state === undefined ? `got nothing${this.#besideOf(name)}` : `is ${state} and does not wait`;
        const holds = standing.find((one) => one.name === name)?.fields;
        return [
          `  ${wording.actor(name)}, which is waited for, ${is}${holds ? `: ${holds}` : ''}`,
          ...[...this.#lastOf(name), ...this.#trailsFrom([name])].map((line) => `  ${line}`),
        ];
      }),
      ...(awaited.length > others.length
        ? [
            `  and ${awaited.length - others.length} more ${awaited.length - others.length === 1 ? 'is' : 'are'} waited for`,
          ]
        : []),
      ...shared.map(({ name, fields }) => `  ${name}, which is shared: ${fields}`),
      ...(idle ? [`  ${idle}`] : []),
    ].flatMap((line) => this.#item(line));
  }

  /** How everything stands when a state is wrong, an actor a line. */
  #standing(most: number): readonly string[] {
    const { standing, failure } = this.explanation;
    if (!standing || failure.verdict === 'deadlock') return [];
    const wording = this.#wording;
    const { actors, underWay } = standing;
    const shown = actors.slice(0, this.#full ? actors.length : most);
    const columns = shown.map(({ name, state }) => [wording.actor(name), state] as const);
    const widthOf = (column: 0 | 1) => Math.max(...columns.map((cells) => cells[column].length));
    const lines = shown.map(({ fields }, at) => {
      const [name, state] = columns[at]!;
      const line = `  ${name.padEnd(widthOf(0))}  ${state.padEnd(widthOf(1))}  ${fields}`.trimEnd();
      return this.#full ? line : clipped(line, this.#width);
    });
    const told = [...new Set(underWay.map((message) => wording.message(message)))].join(', ');
    const underWayStill = isAtRest(this.explanation.history)
      ? 'under way, and changing nothing where it goes'
      : 'under way';
    return [
      `how everything stands at the end of tick ${failure.tick}:`,
      ...lines,
      ...(shown.length < actors.length ? [`  and ${actors.length - shown.length} more actors`] : []),
      ...this.#item(told === '' ? '  nothing is under way' : `  ${underWayStill}: ${told}`),
    ];
  }

  /** What does not hold at rest: often it says what was never given back. */
  #left(most: number): readonly string[] {
    const { left = [] } = this.explanation.failure;
    if (left.length === 0) return [];
    const shown = this.#full ? left : left.slice(0, most);
    const more = left.length - shown.length;
    const told = shown.map(({ property, actors, why }) => {
      const line = `  ${[actors.join(', '), why].filter((one) => one !== '').join(': ')} (${property})`;
      return this.#full ? line : clipped(line.replaceAll(/\s*\n\s*/g, '; '), this.#width);
    });
    const title = 'properties miss, now that nothing moves any more:';
    return [title, ...told, ...(more > 0 ? [`  and ${more} more`] : [])];
  }

  /** What the nearest one of its kind, or beside it, got last. */
  #besideOf(actor: string): string {
    const { steps } = this.explanation.history;
    const folder = actor.slice(0, actor.lastIndexOf('.') + 1);
    const beside =
      steps.findLast(({ to }) => folder !== '' && to.startsWith(folder) && to !== actor) ??
      steps.findLast(({ to }) => roleOf(to) === roleOf(actor));
    if (!beside) return '';
    return `, while ${this.#wording.actor(beside.to)} got ${this.#wording.words(beside.message)} in tick ${beside.message.due}`;
  }

  /** Where the last message of the kind that is waited for went, when it is not known from whom it should come: who has it may be who should hand it on. */
  #lastAwaited({ waitsFor }: Waiting, stuck: ReadonlySet<string>): readonly string[] {
    const { steps } = this.explanation.history;
    const types = new Set(waitsFor.split(/[^\w.-]+/));
    const last = steps.findLast(({ message, from, to }) => types.has(message.event.type) && from !== to);
    if (!last || stuck.has(last.to)) return [];
    const { to, message } = last;
    const state = steps.findLast((step) => step.to === to)?.after;
    const sent = steps.findLast((step) => step.from === to && step.to !== to && step.index > last.index);
    const since = sent ? `sent ${this.#wording.words(sent.message)} last` : 'has sent nothing since';
    const holds = this.explanation.standing?.actors.find(({ name }) => name === to)?.fields;
    const where = `${this.#wording.actor(to)} in tick ${message.due}, which is ${state} and ${since}`;
    return [`  the last ${message.event.type} went to ${where}${holds ? `: ${holds}` : ''}`];
  }

  /** What each of several that wait alike sent last, equal ones together. */
  #lastSentBy(group: readonly Waiting[]): readonly string[] {
    const { steps } = this.explanation.history;
    const senders = new Map<string, string[]>();
    for (const { actor } of group) {
      const step = lastSentBy(steps, actor);
      if (!step) continue;
      const words = this.#wording.words(step.message);
      senders.set(words, [...(senders.get(words) ?? []), this.#wording.actor(actor)]);
    }
    const told = [...senders].map(([words, names]) => `${words} (${rangesOf(names)})`);
    return told.length === 0 ? [] : [`  the last they sent: ${told.join('; ')}`];
  }

  /** The last message of an actor to another that a fault took away, if it was sent behind a delivered one. */
  #lostAfter(actor: string, sent: Step | undefined): StruckFault | undefined {
    const lost = this.explanation.history.faults.findLast(
      (one) => takesAway(one) && one.from === actor && one.to !== actor,
    );
    return lost && lost.message.seq > (sent?.message.seq ?? -1) ? lost : undefined;
  }

  /** The last messages that an actor got and sent; where room is scarce only what it sent, if it sent anything. */
  #lastOf(actor: string, sentOnly = false): readonly string[] {
    const { steps } = this.explanation.history;
    const told = (what: string, step: Step | undefined, came = ' in') =>
      step
        ? [`  the last it ${what}: ${this.#wording.stepInFull(step)}${came} tick ${step.message.due}`]
        : [];
    const [got, sent] = [steps.findLast(({ to }) => to === actor), lastSentBy(steps, actor)];
    const lost = this.#lostAfter(actor, sent);
    if (lost)
      return [
        ...told('got', got),
        `  the last it sent was lost in tick ${lost.tick}: ${faultWords(lost, this.#wording)}`,
      ];
    const idle = lastSentBy(this.explanation.history.late, actor);
    if (idle && idle.message.seq > (sent?.message.seq ?? -1))
      return [...told('got', got), `  the last it sent stays under way: ${this.#wording.stepInFull(idle)}`];
    return [...(sentOnly && sent ? [] : told('got', got)), ...told('sent', sent, ', which came in')];
  }

  /** How far what some actors sent last came, if it was followed. */
  #trailsFrom(actors: readonly string[]): readonly string[] {
    const { late } = this.explanation.history;
    const told = this.explanation.trailEnds
      .filter(({ root }) => actors.includes(root.from) && !this.#lostAfter(root.from, root))
      .flatMap(({ root, end, lost }) => {
        const who = `${this.#wording.actor(end.to)} (${end.after})`;
        const { due } = end.message;
        const sent = lost.map((fault) => faultWords(fault, this.#wording)).join(', ');
        const idle = late
          .filter(({ message }) => message.cause === end.message.seq)
          .map((step) => this.#wording.stepInFull(step))
          .join(', ');
        const then =
          sent !== ''
            ? `what it sent then was lost: ${sent}`
            : idle === ''
              ? 'sent nothing then'
              : `what it sent then stays under way: ${idle}`;
        const came =
          root === end
            ? `${who} got it in tick ${due}, and ${then}`
            : `it came as far as ${who}, which got ${this.#wording.words(end.message)} in tick ${due}${sent === '' ? ' and' : ';'} ${then}`;
        return [`  ${came}`, ...this.#keptSince(end)];
      });
    return [...new Set(told)];
  }

  #keptSince(end: Step): readonly string[] {
    return this.explanation.keptSince
      .filter(({ of }) => of === end)
      .map(({ then, since, step: { message, from } }) => {
        const got = `${this.#wording.words(message)} from ${this.#wording.actor(from)}`;
        return `  its ${then.path} went from ${then.before} to ${then.after}; with ${got} in tick ${message.due} it went from ${since.before} to ${since.after}`;
      });
  }

  /** What was refused, or was answered with an error: nobody says that it led to the failure. */
  #refusals(most: number): readonly string[] {
    const { refusals } = this.explanation;
    if (refusals.length === 0 || most === 0) return [];
    const told = refusals.slice(-most);
    const title =
      told.length < refusals.length
        ? `refused before that, the last ${told.length} of ${refusals.length}:`
        : 'refused before that:';
    const { steps } = this.explanation.history;
    return this.#list(title, told, told.length, ({ index, message, from, to }) => {
      const asked = steps.findLast(
        (one) => one.index < index && one.message.from === message.to && one.message.to === message.from,
      );
      const answered = asked ? `, to which it had sent ${this.#wording.words(asked.message)}` : '';
      return [
        `tick ${message.due}: ${this.#wording.actor(to)} got ${this.#wording.fullWords(message)} from ${this.#wording.actor(from)}${answered}`,
      ];
    });
  }

  /** The deliveries that the failure is about, each beside the last one of its kind that went well. */
  #compared(most: number, besides: number): readonly string[] {
    const { compared } = this.explanation;
    const shown = compared.slice(0, most);
    const wording = this.#wording;
    return shown.flatMap((one) =>
      comparisonLines(one, wording, { width: this.#width, full: this.#full, besides }),
    );
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
        const { rested } = cause.passing;
        const reach = rested ? '' : `, ${reachWords(cause.passing)}`;
        const without = alone ? `; ${otherwiseWords(part, wording)} it passes${reach}` : '';
        return `tick ${tickOfPart(part)}: ${partWords(part, wording)}${without}`;
      });
    };
    if (others.length === 0 && first.parts.length === 1) return [];
    if (first.parts.length > 1)
      return this.#list('what makes the difference, all of it together:', lines(first), most, (one) => [one]);
    const told = [...new Set(causes.causes.flatMap(lines))];
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
    const record = this.options.simplify === undefined ? [] : [`  record it: ${this.options.simplify}`];
    const simpler = left ? [`a simpler run of ${left} fails in the same way`, ...record] : [];
    return [`${picks}${complete ? '' : ' (the search was stopped before its end)'}`, ...simpler];
  }

  #past(steps: readonly Step[]): readonly string[] {
    const { past } = this.explanation;
    if (past.length === 0) return [];
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
    const indent = line.length - line.trimStart().length;
    const lines = wrapped(line.trimStart(), this.#width - indent - 4).map(
      (part, index) => `${' '.repeat(index === 0 ? indent : indent + 4)}${part}`,
    );
    if (this.#full || lines.length <= itemMax) return lines;
    return [...lines.slice(0, itemMax - 1), clipped(`${lines[itemMax - 1]} …`, this.#width)];
  }

  /** A text in lines that stand in, on a screen at most `max`. */
  #lines(text: string, max: number): readonly string[] {
    const lines = wrapped(text, this.#width - 2).map((line) => `  ${line}`);
    if (this.#full || lines.length <= max) return lines;
    return [...lines.slice(0, max - 1), clipped(`${lines[max - 1]} …`, this.#width)];
  }
}
