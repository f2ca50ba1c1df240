import { expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { machines } from '../../manifests/machines.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { tellFailure } from '../failure.ts';
import { Outputs } from '../output.ts';
import { KeptTerminal } from '../terminal.ts';
import { failingOf, showFailing } from './counterexample.ts';
import { explorationOf } from './exploration.ts';

const loaded = await judgedScenario(await loadScenario('scenarios/protocols/lost-decision.yaml', machines));
const { make, options } = explorationOf(loaded, { reduction: true, statesMax: 1e6, symmetry: false });
const explorer = new Explorer(make, options);
const [finding] = explorer.toEnd().findings;
const shown = (change: object) => {
  const failing = failingOf(explorer.show(finding!), options.observers ?? []);
  const claim = { ...failing.claim, ...change };
  return showFailing(loaded, { ...failing, claim }, false, new Outputs(), new KeptTerminal(false, 80));
};

test('a counterexample is one that its run comes to', () => {
  expect(shown({}).counterexample).toMatchObject({ verdict: finding!.verdict, what: finding!.what });
});

test.each([
  ['verdict', 'livelock'],
  ['what', 'somebody in some state'],
  ['actors', ['Somebody']],
  ['why', 'for no reason'],
])('one with another %s is a defect of Lockstep, exit code 3, which says what differs', (key, value) => {
  const terminal = new KeptTerminal(false, 80);
  let exitCode = 0;
  try {
    shown({ [key]: value });
  } catch (error) {
    exitCode = tellFailure(error, terminal, false);
  }

  expect(exitCode).toBe(3);
  expect(terminal.stderr).toContain('Lockstep defect: check found ');
  expect(terminal.stderr).toContain(`and its run comes to: ${finding!.verdict} "${finding!.what}"`);
});
