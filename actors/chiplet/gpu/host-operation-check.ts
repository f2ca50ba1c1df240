import { numberTypes } from '../ptx/value-type.ts';
import type { HostOperation } from './host-operations.ts';

/** What a field of an operation may hold: a test, and what it expects in words. */
type Kind = readonly [fits: (value: unknown) => boolean, expected: string];

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const listOf =
  (fits: (value: unknown) => boolean, count?: number) =>
  (value: unknown): boolean =>
    Array.isArray(value) && (count === undefined || value.length === count) && value.every(fits);

const natural: Kind = [isNatural, 'a whole number of at least 0'];
const amount: Kind = [(value) => Number.isFinite(value) && Number(value) >= 0, 'a number of at least 0'];
const text: Kind = [(value) => typeof value === 'string', 'a text'];
const values: Kind = [listOf((value) => typeof value === 'number'), 'a list of numbers'];
const peer: Kind = [listOf(isNatural, 2), 'the two coordinates of a chiplet'];
// Their range is that of the launch.
const dimensions: Kind = [listOf((value) => typeof value === 'number', 3), 'three whole numbers'];
const type: Kind = [
  (value) => [...numberTypes].some((one) => one === value),
  `one of ${[...numberTypes].join(', ')}`,
];
const args: Kind = [
  listOf((value) => ['number', 'bigint'].includes(typeof value) || isStructure(value)),
  'a list of numbers, bigints and structures { bytes }',
];
const isStructure = (value: unknown): boolean =>
  Array.isArray((value as { readonly bytes?: unknown } | null | undefined)?.bytes);

type Fields = {
  readonly [Op in HostOperation as Op['op']]: { readonly [Field in keyof Omit<Op, 'op'>]-?: Kind };
};

const fields: Fields = {
  malloc: { bytes: natural },
  free: { address: natural },
  symbol: { name: text },
  copyIn: {
    address: natural,
    type,
    values: [listOf((value) => ['number', 'bigint'].includes(typeof value)), 'a list of numbers and bigints'],
  },
  copyOut: { address: natural, type, count: natural },
  launch: {
    kernel: text,
    grid: dimensions,
    block: dimensions,
    args,
    dynamicSharedBytes: [(value) => value === undefined || isNatural(value), 'a whole number of at least 0'],
    cluster: [(value) => value === undefined || dimensions[0](value), dimensions[1]],
  },
  compute: { instructions: amount },
  access: { elements: amount },
  send: { to: peer, values },
  receive: { from: peer, count: natural },
  loadInts: { file: text, from: natural, to: natural },
  output: { file: text, values },
  now: {},
};

/** What is wrong with the shape of what a program in JavaScript asks for; undefined for nothing. */
export function faultOf(operation: unknown): string | undefined {
  const given = (typeof operation === 'object' ? operation : null) as Readonly<
    Record<string, unknown>
  > | null;
  const op = given?.['op'];
  const known = typeof op === 'string' && Object.hasOwn(fields, op) ? fields[op as keyof Fields] : undefined;
  if (!given || !known)
    return `E-PROG found ${shown(given ? op : operation)} as an operation, expected an object with an op of: ${Object.keys(fields).join(', ')}`;
  for (const [field, [fits, expected]] of Object.entries<Kind>(known))
    if (!fits(given[field]))
      return `E-PROG found ${shown(given[field])} as ${field} of ${op}, expected ${expected}`;
  return undefined;
}

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value;

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : (JSON.stringify(value, bigintAsText) ?? `a ${typeof value}`).slice(0, 60);
}
