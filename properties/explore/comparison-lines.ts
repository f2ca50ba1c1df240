import { clipped, wrapped } from '../../scenarios/exports/text-lines.ts';
import { type CloseUp, type Comparison, changedFields } from './close-up.ts';
import { rangesOf } from './ranges.ts';
import type { Wording } from './wording.ts';

/** Lines that the fields of a context may take on a screen. */
const fieldsMax = 3;
/** Characters for the names of the lines. */
const [labelMin, labelMax] = [9, 26];

/** How much of a comparison is told. */
export interface ComparisonRoom {
  /** Columns. */
  readonly width: number;
  readonly full: boolean;
  /** Lines for what the actor holds besides what it changed. */
  readonly besides: number;
}

/** A delivery beside the last one of its kind that went well: what was got, the states, the fields that changed, what was sent. */
export function comparisonLines(
  { step: now, earlier }: Comparison,
  wording: Wording,
  { width, full, besides }: ComparisonRoom,
): readonly string[] {
  const { message, from, to } = now.step;
  const title = `what ${wording.actor(to)} did in tick ${message.due}${
    earlier ? `, and with the last such message before it` : ''
  }:`;
  const told = <T>(tell: (one: CloseUp) => T): readonly [T, T | undefined] => [
    tell(now),
    earlier && tell(earlier),
  ];
  const changes = told(fieldsOf);
  const paths = [...new Set(changes.flatMap((one) => (one ? [...one.keys()] : [])))];
  const shown = paths.slice(0, full ? paths.length : fieldsMax);
  const labelWidth = Math.min(labelMax, Math.max(labelMin, ...shown.map(({ length }) => length + 1)));
  const column = earlier ? Math.floor((width - labelWidth - 3) / 2) : width - labelWidth - 2;
  const cell = (text: string) => (full && !earlier ? text : clipped(text, column));
  const row = (label: string, here: string, there: string | undefined) =>
    `  ${clipped(label, labelWidth - 1).padEnd(labelWidth)}${there === undefined ? cell(here) : `${cell(here).padEnd(column)} ${cell(there)}`}`.trimEnd();
  const rows = [row('', `tick ${message.due}`, earlier && `tick ${earlier.step.message.due}`)];
  rows.push(
    row('got', ...told(({ step }) => `${wording.fullWords(step.message)} from ${wording.actor(from)}`)),
  );
  rows.push(
    row(
      'state',
      ...told(({ step }) => (step.before === step.after ? step.after : `${step.before} -> ${step.after}`)),
    ),
  );
  for (const path of shown)
    rows.push(
      row(path, changes[0].get(path) ?? 'as before', earlier && (changes[1]?.get(path) ?? 'as before')),
    );
  // What never changed in the run is how the actor was built.
  const changed = changedFields(now.initial, now.after).filter(({ path }) => !paths.includes(path));
  // Of one that nothing changes all that it holds may say why.
  const nothing = shown.length === 0 && changed.length === 0;
  const still = (nothing ? changedFields({}, now.after) : changed)
    .map(({ path, after }) => `${path}=${after}`)
    .join(' ');
  if (still !== '' && besides > 0) {
    const lines = wrapped(still, width - labelWidth - 2);
    const told = full || lines.length <= besides ? lines : lines.slice(0, besides);
    for (const [at, line] of told.entries()) {
      const cut = at === told.length - 1 && told.length < lines.length ? `${line} …` : line;
      rows.push(
        `  ${(at > 0 ? '' : nothing ? 'holds' : 'besides').padEnd(labelWidth)}${clipped(cut, width - labelWidth - 2)}`,
      );
    }
  }
  rows.push(row('sent', ...told(({ sent }) => sentWords(sent, wording))));
  return [title, ...(earlier ? rows : rows.slice(1))];
}

/** The fields that a delivery changed, by path. */
const fieldsOf = ({ before, after }: CloseUp): ReadonlyMap<string, string> =>
  // Of one that has just come to life everything is new.
  Object.keys(before).length === 0
    ? new Map()
    : new Map(changedFields(before, after).map((one) => [one.path, `${one.before} -> ${one.after}`]));

function sentWords(sent: CloseUp['sent'], wording: Wording): string {
  if (sent.length === 0) return 'nothing';
  const receivers = new Map<string, string[]>();
  for (const message of sent) {
    const words = wording.words(message);
    const to = message.to === message.from ? 'itself' : wording.actor(wording.nameOf(message.to));
    receivers.set(words, [...(receivers.get(words) ?? []), to]);
  }
  return [...receivers].map(([words, to]) => `${words} to ${rangesOf(to.sort(byNumber))}`).join(', ');
}

/** Names in the order of their numbers. */
const byNumber = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
