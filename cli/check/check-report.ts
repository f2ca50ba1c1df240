import type { ExploreFigures, ExploreLimit, OpenSentence } from '../../kernel/explore/explorer.ts';
import type { Verdict } from '../../kernel/outcome.ts';
import type { Machine } from '../../machines/machine.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { JudgedCase } from '../ci-report.ts';
import { grouped } from '../progress.ts';
import { coveredBy, type SwarmRow, swarmText } from './swarm.ts';

/** Something that is not as it should be, and the recording that shows it. */
export interface Counterexample {
  readonly verdict: Exclude<Verdict, 'ok'>;
  readonly what: string;
  readonly actors: readonly string[];
  readonly why: string;
  readonly recording?: string;
  /** What else the run that shows it contradicts. */
  readonly also?: readonly {
    readonly what: string;
    readonly actors: readonly string[];
    readonly why: string;
  }[];
  /** How many other different findings are of its kind, where all were looked for. */
  readonly alike?: number;
}

/** What is told about a check. */
export interface CheckReport {
  readonly scenario: Scenario;
  readonly machine: Machine;
  /** `incomplete`: nothing was found, and not everything was looked at. */
  readonly verdict: Verdict | 'incomplete';
  readonly figures: CheckFigures;
  readonly judged: readonly string[];
  readonly unjudged: readonly string[];
  /** True when the run that is first come, first served was judged as a whole besides. */
  readonly wholeRun?: boolean;
  /** Those judged that wait for something without a deadline: what never comes is told where nothing will happen any more, and only there. */
  readonly atRest: readonly string[];
  /** Sentences that were not judged to their end, and why. */
  readonly open: readonly OpenSentence[];
  /** Sentences of which nothing that they look at came in any run. */
  readonly idle: readonly string[];
  /** Sentences about what some run shows, and the state from which one does. */
  readonly witnessed: readonly { readonly sentence: string; readonly state: number }[];
  readonly reduction: boolean;
  /** What was made of interchangeable actors, where that was asked for. */
  readonly symmetry?: SymmetryReport;
  readonly interrupted: boolean;
  /** What it stopped at before its end, and how it would go further. */
  readonly limit?: { readonly at: ExploreLimit; readonly why: string };
  /** Where it keeps how far it had come, of how many states, or why nothing is kept; absent where it came to its end or cannot go on. */
  readonly checkpoint?: { readonly folder: string; readonly states?: number; readonly failure?: string };
  readonly counterexample?: Counterexample;
  /** One of each kind, where all were looked for; the first of them is that one. */
  readonly counterexamples?: readonly Counterexample[];
  readonly wallSeconds: number;
}

/** What was made of interchangeable actors. */
export interface SymmetryReport {
  readonly actors: readonly string[];
  /** Ends of ticks for which another state stands. */
  readonly exchanged: number;
  /** Sentences that do not say that they mean all these actors alike. */
  readonly notSymmetric: readonly string[];
  /** Why these actors cannot be exchanged, beside what was found nevertheless. */
  readonly doubt?: string;
}

/** Figures of an exploration, or of runs under every tape. */
export type CheckFigures =
  | ({ readonly way: 'states' } & ExploreFigures)
  | {
      readonly way: 'tapes';
      readonly runs: number;
      /** Different states in which runs ended. */
      readonly states: number;
      readonly transitions: number;
      readonly depth: number;
    }
  | {
      readonly way: 'swarm';
      readonly rows: readonly SwarmRow[];
      /** How many there are to be in all. */
      readonly searches: number;
      /** How many states there are, where that is known. */
      readonly known?: number;
    };

/** Figures for scripts: of a swarm what each search came to and what they have covered together. */
function countsOf(figures: CheckFigures): object {
  if (figures.way !== 'swarm') {
    const { way: _, ...counts } = figures;
    return counts;
  }
  const { rows, searches, known } = figures;
  return {
    searches,
    rows: rows.map(({ sketch: _, ...row }) => row),
    covered: coveredBy(rows, known),
  };
}

/** Those of which nothing was found, where not everything was looked at: they hold in what was explored only. */
function unfinishedIn(report: CheckReport): readonly OpenSentence[] {
  const why = whyUnfinished(report);
  if (why === undefined) return [];
  const { judged, atRest, open, witnessed, counterexample, counterexamples } = report;
  const found = counterexamples ?? (counterexample ? [counterexample] : []);
  const known = new Set([
    ...atRest,
    ...open.map(({ sentence }) => sentence),
    ...witnessed.map(({ sentence }) => sentence),
    ...found.flatMap(({ what, also = [] }) => [what, ...also.map((one) => one.what)]),
  ]);
  return judged.filter((sentence) => !known.has(sentence)).map((sentence) => ({ sentence, why }));
}

function whyUnfinished({
  figures,
  verdict,
  counterexample,
  counterexamples,
}: CheckReport): string | undefined {
  if (figures.way === 'swarm') return 'a swarm is never the whole answer';
  const isWhole = figures.way === 'states' ? figures.unexplored === 0 : verdict === 'ok';
  if (!isWhole)
    return counterexample && !counterexamples
      ? 'the exploration stopped at what was found (--keep-going goes on)'
      : 'not everything was explored';
  return figures.way === 'states' && figures.cut > 0
    ? 'what comes behind the last tick of the scenario is not explored'
    : undefined;
}

/** True when everything that was asked was judged to its end, and holds. */
export const isJudgedToEnd = (report: CheckReport): boolean =>
  report.verdict === 'ok' && openIn(report).length === 0;

/** The check as one object for scripts. */
export function checkJson(report: CheckReport): object {
  const { scenario, machine, verdict, figures, judged, unjudged, interrupted, counterexample } = report;
  return {
    machine: machine.name,
    scenario: scenario.name,
    // Who reads this one word reads what the exit code says, too.
    verdict: verdict === 'ok' && openIn(report).length > 0 ? 'incomplete' : verdict,
    way: figures.way,
    ...countsOf(figures),
    reduction: report.reduction,
    ...(report.symmetry && { symmetry: report.symmetry }),
    properties: judged,
    judgedAtRest: report.atRest,
    notJudged: unjudged,
    ...(report.wholeRun && { wholeRun: 'first come, first served' }),
    open: [...report.open, ...unfinishedIn(report)],
    idle: report.idle,
    witnessed: report.witnessed,
    ...(interrupted && { interrupted }),
    ...(report.limit && { limit: report.limit }),
    ...(report.checkpoint && { checkpoint: report.checkpoint }),
    wallSeconds: report.wallSeconds,
    ...(counterexample && { counterexample }),
    ...(report.counterexamples && { counterexamples: report.counterexamples }),
  };
}

/** What was judged, one by one: reports, deadlocks and the like together, and each property. */
export function casesOf(report: CheckReport, file: string): readonly JudgedCase[] {
  const { judged, unjudged, atRest, open, counterexample, counterexamples } = report;
  const found = counterexamples ?? (counterexample ? [counterexample] : []);
  // A run that shows one thing may contradict other sentences, too.
  const told = [...found, ...found.flatMap((one) => (one.also ?? []).map((also) => ({ ...one, ...also })))];
  const failureOf = ({ verdict: kind, why, recording }: Counterexample) => ({
    kind,
    message: why,
    ...(recording !== undefined && { detail: `npx lockstep explain ${recording}` }),
  });
  const left = new Map([
    ...unjudged.map((sentence) => [sentence, 'it looks at whole runs'] as const),
    ...atRest.map((sentence) => [sentence, 'judged only where a run comes to rest'] as const),
    ...[...open, ...unfinishedIn(report)].map(({ sentence, why }) => [sentence, why] as const),
  ]);
  const sentences = [...new Set([...judged, ...left.keys()])].map((name): JudgedCase => {
    const why = left.get(name);
    const failed = told.find(({ what }) => what === name);
    if (failed) return { name, file, failure: failureOf(failed) };
    return { name, file, ...(why !== undefined && { open: why }) };
  });
  const others = found.filter(({ what }) => !sentences.some(({ name }) => name === what));
  const own = 'no actor reports anything, none waits for ever, none fails';
  const why = whyUnfinished(report);
  return [
    ...(others.length === 0
      ? [{ name: own, file, ...(why !== undefined && { open: why }) }]
      : others.map((one) => ({ name: one.what, file, failure: failureOf(one) }))),
    ...sentences,
  ];
}

/** The check for people, without its counterexample, which is a run and told as one. */
export function checkText(report: CheckReport): string {
  const { scenario, machine, figures } = report;
  const about = scenario.about?.trim();
  const lines = [
    `${scenario.name} (${machine.name}): ${headline(report)}`,
    ...(about ? [about] : []),
    figuresText(figures, report),
    ...(figures.way === 'states' && report.reduction ? [reductionText(figures)] : []),
    ...(report.limit ? [report.limit.why] : []),
    ...(report.symmetry ? [symmetryText(report.symmetry)] : []),
    judgedText(report),
    ...openText(report),
    ...kindsText(report),
    ...(report.interrupted ? [interruptedText(report)] : []),
    ...(!report.interrupted && report.checkpoint?.states !== undefined
      ? [resumeText(report.checkpoint)]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** What is left of a check that was interrupted, and how to come to its end. */
function interruptedText({ counterexample, symmetry, machine, checkpoint, figures }: CheckReport): string {
  if (checkpoint?.states !== undefined) return `interrupted: ${resumeText(checkpoint)}`;
  const why = checkpoint?.failure?.split('\n')[0];
  const begins = `interrupted: the states are not kept${why ? ` (${why})` : ''}, so the same command begins anew`;
  if (figures.way === 'swarm')
    return 'interrupted: searches that had come to their ends count; with --out they are kept, and the same command goes on with the others';
  if (counterexample) return `${begins}; what was found until then is told below`;
  const wider = symmetry || machine.symmetric === undefined ? '' : ' or --symmetry';
  return `${begins}; it comes further in the same time with more --workers${wider}, and to an end with "until" in the scenario`;
}

const resumeText = ({ folder, states = 0 }: NonNullable<CheckReport['checkpoint']>): string =>
  `${grouped(states)} states are kept in ${folder}: the same command with --resume goes on from there`;

function headline(report: CheckReport): string {
  const { verdict, interrupted, counterexample, open, figures } = report;
  const stop = interrupted ? ', interrupted' : '';
  const all = figures.way === 'states' && figures.unexplored === 0;
  if (verdict === 'ok' || (verdict === 'incomplete' && all && open.length > 0)) {
    const left = openIn(report);
    // A run that leaves the boundary is not judged behind it.
    const inside = figures.way === 'states' && figures.outside > 0 ? ' inside the boundary' : '';
    return left.length === 0
      ? `ok under every schedule${inside}`
      : `ok so far under every schedule${inside}: ${left.join('; ')}`;
  }
  if (verdict === 'incomplete') return `nothing found so far, not everything explored${stop}`;
  // Of several kinds the one that is shown, which need not be the gravest.
  const { what = '', actors = [], verdict: kind = verdict } = counterexample ?? {};
  const where = kind === 'deadlock' || actors.length === 0 ? '' : ` (${actors.join(', ')})`;
  return `${kind} under some schedule: ${what}${where}`;
}

/** What was asked and is not judged to its end, in words. */
function openIn({ unjudged, atRest, open, figures }: CheckReport): readonly string[] {
  const cut = figures.way === 'states' && figures.cut > 0;
  return [
    ...(unjudged.length > 0 ? [`${counted(unjudged)} not judged`] : []),
    ...(atRest.length > 0 ? [`${counted(atRest)} judged only where a run comes to rest`] : []),
    ...(open.length > 0 ? [`${counted(open.map(({ sentence }) => sentence))} open`] : []),
    ...(cut ? ['what comes behind the last tick of the scenario is not explored'] : []),
  ];
}

function figuresText(figures: CheckFigures, report: CheckReport): string {
  if (figures.way === 'states') return statesText(figures, report);
  if (figures.way === 'tapes') return tapesText(figures, report);
  return swarmText(figures.rows, figures.searches, figures.known);
}

function statesText(figures: ExploreFigures, { wallSeconds }: CheckReport): string {
  const { states, transitions, depth, quiet, cut, outside, unexplored, readsTime } = figures;
  return [
    `${grouped(states)} states, ${grouped(transitions)} transitions (deliveries), ${grouped(depth)} ticks deep, in ${wallSeconds.toFixed(3)} s${rate(transitions, wallSeconds)}`,
    `in ${grouped(quiet)} of the states nothing will happen any more`,
    ...(cut > 0 ? [`${grouped(cut)} states lie at the last tick of the scenario`] : []),
    ...(outside > 0
      ? [`${grouped(outside)} ends of ticks lie outside the boundary: what comes behind them is not explored`]
      : []),
    ...(unexplored > 0 ? [`${grouped(unexplored)} states were found and not gone on from`] : []),
    ...(readsTime === undefined
      ? []
      : [
          `the tick is a part of each state, since ${readsTime} reads the time (now)${unexplored > 0 ? ': a run without end has ever new states, so bound it (--until), or do not read the time' : ''}`,
        ]),
  ].join('\n');
}

function tapesText(
  { runs, states, transitions, depth }: Extract<CheckFigures, { way: 'tapes' }>,
  { wallSeconds }: CheckReport,
): string {
  return `${grouped(runs)} runs, one for each tape, ${grouped(states)} different ends, ${grouped(transitions)} deliveries, up to ${grouped(depth)} ticks, in ${wallSeconds.toFixed(3)} s${rate(transitions, wallSeconds)}`;
}

const reductionText = ({ postponed, merged }: ExploreFigures): string =>
  `not explored: ${grouped(postponed)} deliveries that commute with what can come before them, and what follows ${grouped(merged)} that led to a state already known`;

function symmetryText({ doubt, ...symmetry }: SymmetryReport): string {
  const text = exchangeText(symmetry);
  return doubt === undefined
    ? text
    : `${text}\nWARNING: what was found is real, but there may be more, and the figures do not count: ${doubt}`;
}

function exchangeText({ actors, exchanged, notSymmetric }: SymmetryReport): string {
  const [first, last] = [actors[0] ?? 'nobody', actors.at(-1) ?? 'nobody'];
  const how = `symmetry: each state stands for all that differ in the places of ${actors.length} actors only, ${first} to ${last}; ${grouped(exchanged)} ends of ticks were exchanged for it`;
  if (notSymmetric.length === 0) return how;
  const list = notSymmetric.map((sentence) => `\n  ${sentence}`).join('');
  return `${how}\nWARNING: these properties do not declare themselves symmetric; that they mean all actors alike was tested on a sample only, so check without --symmetry to be sure:${list}`;
}

const rate = (count: number, seconds: number): string =>
  seconds < 0.2 ? '' : ` (${grouped(Math.round(count / seconds))} a second)`;

const list = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `\n  ${sentence}`).join('');
const counted = ({ length }: readonly string[]): string =>
  length === 1 ? '1 property is' : `${length} properties are`;

/** What was found of each kind, where all was looked for. */
const kindsText = ({ counterexamples = [] }: CheckReport): readonly string[] =>
  counterexamples.length === 0
    ? []
    : [
        `found, one of each kind (${counterexamples.length}):${counterexamples
          .map(({ verdict, what, actors, why, alike = 0, recording }) => {
            const more = alike > 0 ? `; ${grouped(alike)} more of this kind` : '';
            const where =
              recording === undefined
                ? ''
                : `\n    npx lockstep replay ${recording}\n    npx lockstep view ${recording}`;
            const who = actors.length === 0 || verdict === 'deadlock' ? '' : ` (${actors.join(', ')})`;
            return `\n  ${verdict}: ${what}${who}: ${why}${more}${where}`;
          })
          .join('')}`,
      ];

function openText(report: CheckReport): readonly string[] {
  const { open } = report;
  const [unfinished] = unfinishedIn(report);
  const which = open.length === 0 && !report.counterexample ? 'the properties' : 'the other properties';
  return [
    ...(open.length === 0
      ? []
      : [`open:${open.map(({ sentence, why }) => `\n  ${sentence}: ${why}`).join('')}`]),
    ...(unfinished ? [`${which} hold in what was explored only: ${unfinished.why}`] : []),
  ];
}

/** What is told of sentences that the end of a run contradicts, in an exploration that has come upon so many ends. */
function atRestText(atRest: readonly string[], { quiet, cut }: ExploreFigures): string {
  if (atRest.length === 0) return '';
  const beyond = cut > 0 ? `, and the ${grouped(cut)} at the last tick of the scenario do not count` : '';
  const how =
    quiet === 0
      ? 'NOT judged to the end, since no run comes to rest: what never comes is not told from what comes later'
      : `judged only where nothing will happen any more, in ${grouped(quiet)} states; runs that never come to rest are not judged by them`;
  return `\n${how}${beyond}:${list(atRest)}`;
}

const wholeRunText =
  'judged as a whole, and compared with plain references where there are some: the run that is first come, first served; --all-properties judges all runs so';

function judgedText({ judged, unjudged, idle, atRest, figures, wholeRun }: CheckReport): string {
  const own = 'reports of actors, deadlocks, livelocks, errors';
  const more =
    judged.length === 0
      ? ''
      : `, and ${judged.length === 1 ? '1 property' : `${judged.length} properties`}:${list(judged)}`;
  const rest =
    unjudged.length === 0 || figures.way === 'tapes'
      ? ''
      : `\nNOT judged, since they look at whole runs; --all-properties runs every tape for them:${list(unjudged)}`;
  const whole = wholeRun ? `\n${wholeRunText}` : '';
  return `judged: ${own}${more}${figures.way === 'states' ? atRestText(atRest, figures) : ''}${idleText('these', idle)}${rest}${whole}`;
}

/** Names properties of which nothing that they look at came: right for what must never come; for others perhaps a misspelt type. */
export const idleText = (of: string, idle: readonly string[]): string =>
  idle.length === 0 ? '' : `\nof ${of}, what they look at came in no run:${list(idle)}`;
