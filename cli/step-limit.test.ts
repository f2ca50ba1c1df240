import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'out/step-limit';

const machine = `
import { component, defineMachine, Wiring } from 'lockstep';
import { setup } from 'xstate';
const { update } = component();
const ticker = setup({ actions: { spin: update((me) => { for (;;) me.count++; }) } }).createMachine({
  id: 'ticker', initial: 'counting', context: { count: 0 }, states: { counting: { on: { tick: { actions: 'spin' } } } },
});
export const spinner = defineMachine({
  name: 'spinner', summary: 'one actor without an end',
  assemble() {
    const wiring = new Wiring();
    const at = wiring.reserve('Ticker');
    wiring.place(at, ticker, {});
    wiring.begin({ to: at, type: 'tick', delay: 0 });
    return { wiring, result: () => ({}) };
  },
});
`;

// Each is a process of its own, which would never end.
test.each(['run', 'check', 'fuzz'])('%s ends where a module of a user has no end, and says where', (verb) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/machine.mjs`, machine);
  writeFileSync(`${folder}/s.yaml`, 'name: spin\nmachine: machine.mjs#spinner\nprograms: []\n');

  const { status, stdout, stderr } = spawnSync('node', ['../../cli/lockstep.mjs', verb, 's.yaml', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LOCKSTEP_STEP_SECONDS: '1' },
    timeout: 60_000,
  });

  expect(stderr).toContain('s.yaml: found no end of a step after 1 s, expected');
  expect(status).toBe(2);
  expect(JSON.parse(stdout).error.kind).toBe('input');
});
