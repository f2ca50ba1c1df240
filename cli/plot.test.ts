import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'plot-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function drawn(scenario: string, ...options: string[]) {
  const file = join(folder, 'run.svg');
  const terminal = new KeptTerminal(false, 80);
  const exitCode = await main(['run', scenario, '--json', '--plot', file, ...options], terminal);
  if (exitCode === 2) return { exitCode, err: terminal.stderr, deliveries: 0, svg: '', ways: 0 };
  const svg = readFileSync(file, 'utf8');
  const { deliveries } = JSON.parse(terminal.stdout);
  return { exitCode, err: terminal.stderr, deliveries, svg, ways: svg.split('class="way"').length - 1 };
}

const protocol = 'scenarios/protocols/two-phase-commit.yaml';

test('a machine without a picture of its own is drawn as a sequence diagram with every message of the run', async () => {
  const { deliveries, svg, ways } = await drawn(protocol);

  expect(ways).toBe(deliveries);
  expect(svg).not.toContain('left out');
});

test('a filter draws some messages, and the picture states how many it leaves out', async () => {
  const all = await drawn(protocol);
  const types = [...all.svg.matchAll(/class="said"[^>]*>([^<]*)</g)].map(([, type]) => type!);

  const some = await drawn(protocol, '--plot-messages', types[0]!);

  expect(some.ways).toBe(types.filter((type) => type === types[0]).length);
  expect(some.ways).toBeLessThan(all.ways);
  expect(some.svg).toContain(`${all.ways - some.ways} messages are left out by the filter`);
});

test('a filter of ticks and actors draws part of a machine that has a picture, too', async () => {
  const { svg, ways } = await drawn(
    'scenarios/cell/worked-trace.yaml',
    '--plot-ticks',
    '0-3',
    '--plot-actors',
    '*Dma*',
  );

  expect(ways).toBeGreaterThan(0);
  for (const [, tick] of svg.matchAll(/>tick (\d+)</g)) expect(Number(tick)).toBeLessThanOrEqual(3);
});

test('a filter that no message passes is told with what there was, after the run', async () => {
  const { exitCode, err } = await drawn(protocol, '--plot-actors', 'ResourceManger[0]');

  expect(exitCode).toBe(2);
  expect(err).toContain('found no message of actors ResourceManger[0] in the run');
  expect(err).toContain('did you mean "ResourceManager[0]"');
});

test.each([[['--plot-ticks', '9-3'], '9-3']])('refuses %s', async (options, told) => {
  const { exitCode, err } = await drawn(protocol, ...options);

  expect(exitCode).toBe(2);
  expect(err).toContain(told);
});
