import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from './explore/explorer.ts';
import { component, type Outbox } from './kit.ts';
import type { Network } from './network.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

/* What plain JavaScript may put out that is nothing: runs and explorations tell the same, and neither is a defect. */

// biome-ignore lint/suspicious/noExplicitAny: nobody has checked these types
type Anything = any;

function wiringOf(recipe: (self: Anything, out: Outbox) => void, network?: Network): () => Wiring {
  const { act } = component<Record<string, unknown>, { type: 'go' }>();
  const machine = setup({
    types: {} as { context: Record<string, unknown>; events: { type: 'go' } },
    actions: { do: act((self, _event, out) => recipe(self, out as Outbox)) },
  }).createMachine({ id: 'a', context: {}, on: { go: { actions: 'do' }, more: {} } });
  return () => {
    const wiring = new Wiring(network);
    wiring.begin({ to: wiring.place('A', machine, undefined), type: 'go' });
    return wiring;
  };
}

/** What a run tells, with its fingerprint, and what an exploration tells. */
function told(make: () => Wiring): readonly string[] {
  const telling = (go: () => string): string => {
    try {
      return go();
    } catch (error) {
      return String((error as Error).message);
    }
  };
  return [
    telling(() => {
      const run = new Run(make());
      run.probes$.subscribe(() => {});
      const { failure } = run.toEnd();
      return failure?.message ?? run.fingerprint;
    }),
    telling(() => {
      const observers = [{ sentence: 's', begin: () => ({}), see: () => undefined }];
      const explorer = new Explorer(make, { observers });
      const [finding] = explorer.toEnd().findings;
      return finding ? explorer.show(finding).finding.why : 'nothing';
    }),
  ];
}

const cyclic: Record<string, unknown> = {};
cyclic['again'] = cyclic;
const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)]);
const itself =
  'KRN007 a state or message: found something that holds itself, or is nested more than 1000 deep';

test.each<[string, (self: Anything, out: Anything) => void, string]>([
  [
    'a report of nothing',
    (_, out) => out.report(),
    'found a report with nothing in it, expected { property, why }',
  ],
  ['an empty report', (_, out) => out.report({}), 'found a report with nothing in it'],
  ['a text for a report', (_, out) => out.report('bad'), 'found a report with "bad" in it'],
  [
    'a probe of nothing',
    (_, out) => out.probe(null),
    'found a probe with nothing in it, expected { type, … }',
  ],
  ['a probe without a type', (_, out) => out.probe({ typ: 'x' }), 'found a probe with typ in it'],
  [
    'a timer of nothing',
    (_, out) => out.setTimer(),
    'found a timer of undefined, expected the type of the event',
  ],
  ['a timer without a name', (_, out) => out.setTimer(''), 'found a timer of "", expected the type'],
  ['a context that holds itself', (self) => Object.assign(self, { cyclic }), itself],
  ['a context nested too deep', (self) => Object.assign(self, { deep: nested(1100) }), itself],
  [
    'a message that holds itself',
    (_, out) => out.post({ to: out.self, type: 'more', cyclic, delay: 1 }),
    itself,
  ],
])('%s', (_, recipe, text) => {
  const [run, exploration] = told(wiringOf(recipe));

  // A message under way is no more when a run has come to its end.
  if (!text.startsWith('KRN007') || run?.startsWith('KRN')) expect(run).toContain(text);
  expect(exploration).toContain(text);
});

test('who asks for the time where there is none is told so in both', () => {
  const network: Network = {};
  const [run, exploration] = told(wiringOf((self, out) => Object.assign(self, { at: out.now }), network));

  expect(run).toContain('KRN015 now: there is no time');
  expect(exploration).toBe(run);
});
