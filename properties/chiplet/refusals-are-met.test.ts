import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnknownForm } from '../../actors/chiplet/ptx/definition.ts';
import { OperandMismatch } from '../../actors/chiplet/ptx/lane-writer.ts';
import { countFault, refusalFault } from './instructions-are-refused.ts';
import { countedLines } from './operand-counts.ts';
import { refusedInstructions } from './refused-instructions.ts';

const folder = new URL('../../actors/chiplet/ptx/', import.meta.url);
const refusal = /throw new (?:UnknownForm|OperandMismatch)/;

/** Refusals that no line is known to get to: what they ask is asked before, by the words and types of their definition. */
const unmet = [
  "async-instructions.ts: throw new UnknownForm(written, `mbarrier with one of ${ways.join(', ')}`);",
  "atomic-instructions.ts: throw new UnknownForm(written, 'global or shared memory');",
  "atomic-instructions.ts: if (type === 'b128' && what !== 'cas' && what !== 'exch') throw new UnknownForm(written, 'cas or exch');",
  "device-calls.ts: throw new OperandMismatch('another operand', 'a variable of .param');",
  'half-formula.ts: if (operation === undefined) throw new UnknownForm(form.written);',
  'small-conversions.ts: if (into === undefined) throw new UnknownForm(form.written);',
];

/** Where errors were made, as `file:line`. */
const met = new Set<string>();

class NotedError extends Error {
  constructor(what?: string) {
    super(what);
    const made = this.stack
      ?.split('\n')
      .find((one) => /\/ptx\/[\w-]+\.ts:/.test(one) && !one.includes(' new '));
    const [, place] = /\/ptx\/([\w-]+\.ts:\d+)/.exec(made ?? '') ?? [];
    if (place) met.add(place);
  }
}

beforeAll(() => {
  for (const error of [UnknownForm, OperandMismatch]) Object.setPrototypeOf(error, NotedError);
});
afterAll(() => {
  for (const error of [UnknownForm, OperandMismatch]) Object.setPrototypeOf(error, Error);
});

test('there is a line that PTX does not have for each place that refuses one', () => {
  for (const line of refusedInstructions) refusalFault(line);
  for (const line of countedLines) countFault(line);

  const places = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .flatMap((text, at) => (refusal.test(text) ? [{ place: `${file}:${at + 1}`, file, text }] : [])),
    );
  expect(places.length).toBeGreaterThan(140);
  expect(
    places.filter(({ place }) => !met.has(place)).map(({ file, text }) => `${file}: ${text.trim()}`),
  ).toEqual(unmet);
});
