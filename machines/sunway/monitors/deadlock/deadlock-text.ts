import { type CoreId, coreName } from '../race/race-event.ts';
import type { ProgramText } from '../race/race-report.ts';
import type { CoreStanding } from './blocked.ts';
import { coreNames } from './core-names.ts';
import { type DeadlockAnalysis, type RootCause, waitText } from './deadlock-analysis.ts';
import type { Blocked } from './wait-for-graph.ts';

const replyWord = 'reply word';
const causesShown = 8;
const groupsShown = 12;

/** An explanation for people: at most 24 lines, causes first, then who waits for what; those who wait alike share a line. */
export function deadlockText(
  { cycle, blocked, causes }: DeadlockAnalysis,
  text?: Pick<ProgramText, 'placeOf'> & Partial<ProgramText>,
): string {
  const standings = new Map(blocked.map(({ standing }) => [standing.core, standing]));
  const where = (core: CoreId): string => {
    const operation = standings.get(core)?.operation;
    if (!operation) return '';
    const place = text?.placeOf(core, { ...operation, cycle });
    return place === undefined ? operation.name : `${operation.name} (${place})`;
  };
  /** Reply words as the program of the core calls them. */
  const named = (sentence: string, core: CoreId): string =>
    sentence.replace(/reply word(s?) at 0x([0-9a-f]+)/, (found, plural: string, offset: string) => {
      const name = text?.bufferAt?.(core, Number.parseInt(offset, 16), cycle);
      if (!name?.startsWith(replyWord)) return found;
      return `${replyWord}${plural}${name.slice(replyWord.length)} at 0x${offset}`;
    });
  const told = mergedCauses(causes).map(({ cores, sentence }) => {
    const call = where(cores[0]!);
    return `  ${named(sentence, cores[0]!)}${call === '' ? '' : `; ${coreName(cores[0]!)} is in ${call}`}`;
  });
  const groups = new Map<string, Blocked[]>();
  for (const one of blocked) {
    const key = `${templateOf(one.standing)} ${where(one.standing.core)}`;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  const lines = [...groups.values()].map((members) => {
    const cores = members.map(({ standing }) => standing.core);
    const cycles = members.map(({ standing }) => standing.since);
    const [first, last] = [Math.min(...cycles), Math.max(...cycles)];
    const since = first === last ? `cycle ${first}` : `cycles ${first} to ${last}`;
    const missing = members.flatMap((one) => one.missing);
    const have = new Set(missing).size === 1 ? 'has' : 'have';
    const absent = missing.length === 0 ? '' : `, where ${coreNames(missing)} ${have} not come`;
    const call = where(cores[0]!);
    return `  ${coreNames(cores)}${call === '' ? '' : ` in ${call}`}, since ${since}: ${named(sharedText(members), cores[0]!)}${absent}`;
  });
  return [
    `deadlock in cycle ${cycle}: ${blocked.length} ${blocked.length === 1 ? 'core waits' : 'cores wait'}`,
    told.length === 1 ? 'root cause:' : 'root causes:',
    ...shown(told, causesShown),
    'blocked:',
    ...shown(lines, groupsShown),
  ].join('\n');
}

const shown = (all: readonly string[], most: number): readonly string[] =>
  all.length > most ? [...all.slice(0, most), `  and ${all.length - most} more`] : all;

/** Causes that differ only in their cores, as one. */
function mergedCauses(causes: readonly RootCause[]): readonly Pick<RootCause, 'cores' | 'sentence'>[] {
  const merged = new Map<string, RootCause[]>();
  for (const one of causes) {
    const key = one.alike?.key ?? one.sentence;
    merged.set(key, [...(merged.get(key) ?? []), one]);
  }
  return [...merged.values()].map((all) => {
    const [first] = all as [RootCause];
    if (all.length === 1 || !first.alike) return first;
    const cores = all.flatMap((one) => one.cores);
    return { cores, sentence: `${coreNames(cores)} ${first.alike.words}` };
  });
}

/** `row 3 with mask 0xff of CG 1`: the kind of barrier, its number, and the rest. */
const lineOf = /^(row|column) (\d+)( .*)$/;
/** `8spe:3`: the kind of lock and its number. */
const lockOf = /^(\w+):(\d+)(.*)$/;

/** Equal for cores whose waits can be told as one. */
function templateOf({ core, waitsFor }: CoreStanding): string {
  switch (waitsFor?.kind) {
    case 'meeting':
      return waitsFor.meeting.name.replace(lineOf, '$1s$3');
    case 'lock':
      return waitsFor.lock.replace(lockOf, '$1$3');
    case 'reply':
      return `word ${waitsFor.word.offset}`;
    case 'service':
    case 'threads':
      return waitsFor.kind;
    default:
      return `core ${core}`;
  }
}

/** What cores with equal templates wait for. */
function sharedText(members: readonly Blocked[]): string {
  const [{ standing }] = members as [Blocked];
  const all = [...new Set(members.map((one) => waitText(one.standing)))];
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const numbers = (pattern: RegExp, names: readonly string[]): string =>
    ranges(names.map((name) => Number(pattern.exec(name)?.[2])));
  const { waitsFor } = standing;
  switch (waitsFor?.kind) {
    case 'meeting': {
      const names = members.flatMap(({ standing: { waitsFor: one } }) =>
        one?.kind === 'meeting' ? [one.meeting.name] : [],
      );
      return `at ${waitsFor.meeting.name.replace(lineOf, `$1s ${numbers(lineOf, names)}$3`)}`;
    }
    case 'lock': {
      const names = members.flatMap(({ standing: { waitsFor: one } }) =>
        one?.kind === 'lock' ? [one.lock] : [],
      );
      return `for the locks ${waitsFor.lock.replace(lockOf, `$1:${numbers(lockOf, names)}$3`)}`;
    }
    case 'reply': {
      const words = members.flatMap(({ standing: { waitsFor: one } }) =>
        one?.kind === 'reply' ? [one] : [],
      );
      const values = spread(words.map(({ value }) => value));
      const current = spread(words.map((one) => one.current));
      return `for their reply words at 0x${waitsFor.word.offset.toString(16)} to reach ${values} (they are ${current})`;
    }
    default:
      return all.join(', ');
  }
}

/** `0-3, 7`. */
function ranges(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: [number, number][] = [];
  for (const one of sorted) {
    const last = parts.at(-1);
    if (last?.[1] === one - 1) last[1] = one;
    else parts.push([one, one]);
  }
  return parts.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}

/** `3`, or `0 to 3`. */
const spread = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(least) : `${least} to ${most}`;
};
