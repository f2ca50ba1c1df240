import type { LockstepEvent, MessageContent } from '../../kernel/message.ts';
import { payloadOf } from '../../scenarios/exports/plain-data.ts';

/** Characters of a record that are worth telling. */
const recordMin = 16;
/** Characters of a field's value and of a record; a longer one is cut. */
const [valueMax, recordMax] = [24, 60];

/**
 * An event in words: its type and its fields, `memory.access op=read addr=4`.
 *
 * Details: a field `t` that says the tick again is left out, and so are the fields from the first one on that goes beyond `max` characters.
 */
export function eventWords(event: LockstepEvent, tick?: number, max = Number.MAX_SAFE_INTEGER): string {
  let words = event.type;
  for (const [key, value] of Object.entries(payloadOf(wordsInHexadecimal(event)))) {
    if (value === undefined || (key === 't' && value === tick)) continue;
    const field = ` ${key}=${valueWords(value)}`;
    if (words.length + field.length > max) {
      const left = max - words.length;
      // The beginning of a record is worth more than nothing.
      return typeof value === 'object' && left > recordMin
        ? `${words}${field.slice(0, left - 1)}…`
        : `${words} …`;
    }
    words += field;
  }
  return words;
}

/**
 * A message in words, of at most about `max` characters: what it is about comes first, long data last.
 *
 * Details: first what is to be done, then where and with what, then which one and how much; numbers and words before lists.
 */
export const messageWords = ({ event, due }: MessageContent, max?: number): string => {
  const { type, ...fields } = event as LockstepEvent & Record<string, unknown>;
  const told = Object.entries(fields)
    .map(([key, value]) => [key, shortened(value)] as const)
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(([key, value]) => [key, sorted(value)] as const);
  return eventWords({ type, ...Object.fromEntries(told) }, due, max);
};

/** Of long data how much there is: what they are matters less. */
function shortened(value: unknown): unknown {
  const length = Array.isArray(value) || value instanceof Uint8Array ? value.length : 0;
  return length > valuesMax ? `${length} ${value instanceof Uint8Array ? 'bytes' : 'values'}` : value;
}

/** A record with its most telling fields first, and of its long data how much there is. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array)
    return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, shortened(one)] as const);
  return Object.fromEntries(
    fields.sort((one, other) => rankOf(one) - rankOf(other)).map(([key, one]) => [key, sorted(one)]),
  );
}

/** Values of a list that are told. */
const valuesMax = 8;

/** Names of fields by what they say of a message, the most telling first. */
const tellingNames: readonly RegExp[] = [
  /^(op|operation|kind|mode|what|command|action|call|status|error|fault|refused)$/i,
  /^(addr|address|record|elt|mem|my|peer|src|dst|value|v)$/i,
  /(^|[a-z])(id|tag|packet|number|index|key|channel|slot|line|request|transaction|seq)$/i,
  /^(size|bytes|length|count|words|flits)$/i,
];

/** Where a field stands in a message: the smaller the earlier; equal ones as they come. */
function rankOf([key, value]: readonly [string, unknown]): number {
  // How long data are is a size.
  if (typeof value === 'string' && /^\d+ (bytes|values)$/.test(value)) return tellingNames.length - 1;
  if (typeof value === 'object' && value !== null) return tellingNames.length + 1;
  const at = tellingNames.findIndex((names) => names.test(key));
  return at < 0 ? tellingNames.length : at;
}

/** The fields of an event that are not so in another one of its type, in words. */
export function otherFields(event: LockstepEvent, than: LockstepEvent): string {
  const [here, there] = [payloadOf(wordsInHexadecimal(event)), payloadOf(wordsInHexadecimal(than))];
  return Object.entries(here)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(there[key]))
    .map(([key, value]) => `${key}=${valueWords(value)}`)
    .join(' ');
}

/** An event whose long words are hexadecimal digits, as findings show them; what a plain number can hold stays decimal. */
const wordsInHexadecimal = (event: LockstepEvent): object =>
  Object.fromEntries(Object.entries(event).map(([key, value]) => [key, digitsOf(value)]));

function digitsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(digitsOf);
  if (typeof value !== 'bigint') return value;
  const plain = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return plain ? value : `${value < 0n ? '-' : ''}0x${(value < 0n ? -value : value).toString(16)}`;
}

/**
 * A value in words: a text without its marks, a record as `{status=BAD_ARG handler=300}`, a list as `[1,2]`; parts that wait for nothing have the
 * largest number as their next time, which is `∞`.
 */
export function valueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === Number.MAX_SAFE_INTEGER) return '∞';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => `${key}=${valueText(one)}`)
      .join(' ')}}`;
  return JSON.stringify(value);
}

function valueWords(value: unknown): string {
  const text = valueText(value);
  const most = typeof value === 'object' && !Array.isArray(value) ? recordMax : valueMax;
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Shortens names of actors by the part that all of them begin with: `Cell.Spu[0].Dma` to `Spu[0].Dma`. */
export function shortNames(names: readonly string[]): (name: string) => string {
  const paths = names.filter((name) => name !== 'world').map((name) => name.split('.'));
  const [first = [], ...others] = paths;
  let shared = 0;
  while (
    paths.length > 0 &&
    paths.every((path) => path.length > shared + 1) &&
    others.every((path) => path[shared] === first[shared])
  )
    shared++;
  const prefix = first
    .slice(0, shared)
    .map((one) => `${one}.`)
    .join('');
  return (name) => (prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name);
}
