import type { Option } from 'commander';
import { expect, test } from 'vitest';
import { verbsOf, wholeCommands } from './whole-commands.ts';

/*
 * One vocabulary of options: a name has one meaning, and takes the same value, in all commands and verbs. What differs is listed here with the reason; who adds
 * another meaning of a name finds a better name or a reason.
 */

const sameThing = 'one meaning; each verb says what it is of';
const named = 'the design or a specification names it so';
const differ: Readonly<Record<string, string>> = {
  '--case': 'what is run, as a file of cases or by their names in the list of conformance tests',
  '--channels':
    'channels of the machine that the verb is of: virtual channels of a router, DMA channels of a chip',
  '--coverage': 'what runs cover: `run` adds to the file, `diagram` reads it, `check` tells it',
  '--cycles': sameThing,
  '--depth': 'a number of pct in `run`, the depth of the search in `check`, as each is known in its field',
  '--full': sameThing,
  '--json': 'one meaning; some verbs name the keys of the object',
  '--ledger': 'what a campaign came to: campaigns of schedules go on from it, a farm writes it',
  '--map': 'one meaning; `check` maps states, `trace` lines of a log',
  '--max-states': sameThing,
  '--mode': 'a mode of the machine that the verb is of',
  '--only': 'a part of the rows, by number or by name',
  '--out': `where what is made goes: a file, or a folder where it is many; ${named}`,
  '--plot': 'one meaning; each verb says what its picture shows',
  '--policy': sameThing,
  '--runs': sameThing,
  '--schedule':
    'an order of deliveries; in the verbs of grape the reordering of a program, for which the chip has this word',
  '--schedules': sameThing,
  '--seed': 'one meaning; each verb says what it decides',
  '--workers': 'who works side by side: threads, and processes where they may die',
};
/** Names of one meaning. */
const synonyms: readonly (readonly [names: readonly string[], reason: string])[] = [
  [['--until', '--to'], `the last tick, of a run and within a recording; ${named}`],
  [
    ['--out', '--cwd'],
    `the folder of the interchiplet coordinator, whose processes also work in it; ${named}`,
  ],
  [
    ['--out', '--ledger'],
    'what is kept and gone on with: a folder of findings of `fuzz`, one file elsewhere',
  ],
];

function grouped<T>(all: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(nameOf(one), [...(found.get(nameOf(one)) ?? []), one]);
  return found;
}

const verbs = verbsOf(await wholeCommands());
const uses = grouped(
  verbs.flatMap(({ words, options }) => options.map((option) => ({ verb: words.join(' '), option }))),
  ({ option }) => option.long ?? option.short!,
);
/** What an option is told to be: its name, value and meaning. */
const meaning = ({ flags, description }: Option): string => `${flags}  ${description}`;
/** Names in more than one verb; letters without a long name are those of the tools that a verb stands in for. */
const meanings = [...uses]
  .filter(([name]) => name.startsWith('--'))
  .map(([name, all]) => [name, [...new Set(all.map(({ option }) => meaning(option)))].sort()] as const);

test('the verbs and options are all there', () => {
  expect(verbs.length).toBeGreaterThan(35);
  expect(uses.get('--seed')?.map(({ verb }) => verb)).toEqual(
    expect.arrayContaining(['run', 'fuzz', 'chiplet curve', 'tca conformance', 'sunway races']),
  );
});

test('a name has one meaning in all verbs, or is listed with its reason', () => {
  const several = meanings.filter(([, found]) => found.length > 1);

  expect(several.filter(([name]) => !(name in differ))).toEqual([]);
  expect(Object.keys(differ).filter((name) => !several.some(([other]) => other === name))).toEqual([]);
});

test('a meaning has one name, or is listed with its reason', () => {
  const byDescription = grouped(
    [...uses.values()].flat().filter(({ option }) => option.long !== undefined),
    ({ option }) => option.description,
  );
  const listed = new Set(synonyms.map(([names]) => [...names].sort().join(' ')));
  const doubled = [...byDescription]
    .map(([, all]) => [...new Set(all.map(({ option }) => option.long!))].sort().join(' '))
    .filter((names) => names.includes(' ') && !listed.has(names));

  expect(doubled).toEqual([]);
  expect(synonyms.flatMap(([names]) => names).filter((name) => !uses.has(name))).toEqual([]);
});

test('a folder is called by one word in all verbs', () => {
  const values = [...uses.values()]
    .flat()
    .flatMap(({ option }) => /<(dir|folder|directory)>/.exec(option.flags)?.[1] ?? []);

  expect(values.length).toBeGreaterThan(2);
  expect([...new Set(values)]).toEqual(['dir']);
});
