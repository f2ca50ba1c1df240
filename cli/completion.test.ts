import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

async function completion(...words: string[]) {
  const terminal = new KeptTerminal();
  const exitCode = await main(['completion', ...words], terminal);
  return { exitCode, words: terminal.stdout.split('\n').slice(0, -1), err: terminal.stderr };
}
const next = async (...words: string[]) => (await completion('bash', '--', ...words)).words;

test('of a first word are commands and machines with verbs', async () => {
  expect(await next('re')).toEqual(['replay']);
  expect(await next('')).toEqual(expect.arrayContaining(['init', 'run', 'check', 'cell', 'completion']));
});

test('of an option are the options of that command', async () => {
  expect(await next('run', '--se')).toEqual(['--seed']);
  expect(await next('check', 'some.yaml', '--s')).toEqual([
    '--swarm',
    '--seed',
    '--shard',
    '--symmetry',
    '--sarif',
  ]);
  expect(await next('cell', 'arb', '--pol')).toEqual(['--policy']);
});

test('of a verb and of a machine are those that there are', async () => {
  expect(await next('cell', 'work')).toEqual(['workload']);
  expect(await next('fuzz', 'two')).toEqual(['two-phase-commit']);
  expect(await next('list', '--machine', 'pax')).toEqual(['paxos']);
});

test('of a file or a number is nothing: the shell offers files', async () => {
  expect(await next('run', '')).toEqual([]);
  expect(await next('check', 'x.yaml', '--workers', '')).toEqual([]);
});

test('in bash works as the script says', async () => {
  const { words: script } = await completion('bash');
  // The command itself stands in for the one that would be called.
  const asked = `lockstep() { node cli/lockstep.mjs "$@"; }
${script.join('\n')}
COMP_WORDS=(lockstep list --machine two) COMP_CWORD=3
_lockstep
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p lockstep`;

  const told = execFileSync('bash', ['-c', asked], { encoding: 'utf8' });

  expect(told).toBe('two-phase-commit\ncomplete -o default -F _lockstep lockstep\n');
});

test('has a script for each shell, and refuses others', async () => {
  const [zsh, fish, csh] = [await completion('zsh'), await completion('fish'), await completion('csh')];

  expect(zsh.words).toContain('compdef _lockstep lockstep');
  expect(fish.words[0]).toMatch(/^complete -c lockstep/);
  expect([csh.exitCode, csh.err]).toEqual([2, expect.stringContaining('one of bash, zsh, fish')]);
});
