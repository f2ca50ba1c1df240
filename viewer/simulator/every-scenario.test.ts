import { expect, test } from 'vitest';
import { bothWays } from '../testing/same-as-command-line.ts';

// Some of them; `npm run campaign:viewer` tries every scenario of the repository.
test.each([
  'scenarios/protocols/two-phase-commit.yaml',
  'scenarios/library/raft.yaml',
  'scenarios/cell/worked-wait.yaml',
  'scenarios/chiplet/two-packets.yaml',
  'scenarios/tca/gasnet-hello.yaml',
])('%s comes in the page to what it comes to on the command line', async (file) => {
  const { page, command } = await bothWays(file);

  expect(typeof page === 'string' ? page : page.figures.length).toBeGreaterThan(0);
  expect(page).toEqual(command);
});
