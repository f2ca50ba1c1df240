import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('views');

const texts = ['advice', 'waiting', 'bandwidth', 'ldm'] as const;
const files = { timeline: 'svg', heat: 'svg', 'ldm-map': 'svg', trace: 'json' } as const;

describe('a run of a program that is right and slow, with all its views', () => {
  let ran: Awaited<ReturnType<typeof called>>;
  const written = (name: keyof typeof files): string =>
    readFileSync(join(folder, `${name}.${files[name]}`), 'utf8');
  beforeAll(async () => {
    ran = await called(
      'run',
      'scenarios/sunway/slow-transfers.yaml',
      ...texts.flatMap((name) => ['--view', name]),
      ...Object.entries(files).flatMap(([name, end]) => [
        '--export',
        `${name}=${join(folder, `${name}.${end}`)}`,
      ]),
      '--json',
    );
  }, 120_000);
  const told = (name: (typeof texts)[number]): string =>
    JSON.parse(ran.out).views.find(({ view }: { view: string }) => view === name).text;

  test('goes well, and tells of each view and each file', () => {
    expect(ran.exitCode).toBe(0);
    for (const name of texts) expect(ran.err).toContain(told(name).trimEnd());
    for (const [name, end] of Object.entries(files))
      expect(ran.err).toContain(`${name} written: ${join(folder, `${name}.${end}`)}`);
  });

  test('advice names place, cost and cure of all four kinds of waste', () => {
    const lines = told('advice').split('\n');
    const found = lines.filter((line) => /^\d+\. /.test(line)).length;

    expect(
      lines.filter((line) => /^\d+\. slow-transfers\.ts:\d+ (dma_get|dma_put|rma_iput), /.test(line)),
    ).toHaveLength(found);
    expect(lines.filter((line) => /^ {3}cost: about \d+ cycles/.test(line))).toHaveLength(found);
    expect(lines.filter((line) => /^ {3}cure: /.test(line))).toHaveLength(found);
    for (const kind of [
      /128 puts overwrite memory blocks .* in part/,
      /64 gets touch 64 blocks .* more than/,
      /128 transfers of 64 bytes .* mostly latency/,
      /transfers go one at a time/,
    ])
      expect(told('advice')).toMatch(kind);
  });

  test('who waited is told with what for and where, the longest first', () => {
    const cycles = [...told('waiting').matchAll(/^ {2}(\d+) cycles, /gm)].map(([, count]) => Number(count));

    expect(cycles).toEqual([...cycles].sort((a, b) => b - a));
    expect(told('waiting')).toMatch(/CPE 0-15 for its reply word .* in dma_get \(slow-transfers\.ts:\d+\)/);
    expect(told('waiting')).toMatch(/ 1 wait: MPE for its threads to end in athread_join/);
  });

  test('a controller has what it moved, beside its peak', () => {
    expect(told('bandwidth')).toMatch(
      /^controller 0: 8192 bytes got, 512 put in \d+ busy cycles: \d\.\d of 22\.8 bytes a cycle, \d+ % of the peak\n$/,
    );
  });

  test('an LDM has its static data by name, and its high-water mark', () => {
    expect(told('ldm')).toContain('CPE 0-15: 168 bytes at the high-water mark (168 static, 0 heap)');
    expect(told('ldm')).toContain('row 0x1000 +64, sums 0x1040 +32, passed 0x1080 +32');
    expect(written('ldm-map')).toContain('<title>CPE 0-15: static row, 0x1000 to 0x103f, 64 bytes</title>');
  });

  test('pictures say what lies under the pointer', () => {
    expect(written('timeline')).toMatch(
      /<title>CPE 3 waits for its reply word .* in dma_get \(slow-transfers/,
    );
    expect(written('heat')).toContain('<title>CPE 0: 576 bytes issued</title>');
    expect(written('heat').match(/<title>cluster \d+: CPEs /g)).toHaveLength(16);
  });

  test('a trace is one object with events, of which every one has its core', () => {
    const { traceEvents } = JSON.parse(written('trace')) as {
      traceEvents: { ph: string; name: string; pid: number; tid: number; args?: { name?: string } }[];
    };

    expect(new Set(traceEvents.map(({ ph }) => ph))).toEqual(new Set(['M', 'X', 'b', 'e']));
    expect(traceEvents.find(({ name, tid }) => name === 'thread_name' && tid === 64)?.args?.name).toBe('MPE');
    expect(traceEvents.filter(({ name }) => name === 'dma_get' || name === 'rma_iput')).toHaveLength(256);
  });
});

test('a run that stands still tells who waits to the end', async () => {
  const { err } = await called(
    'run',
    'scenarios/sunway/deadlocks/lock-circle.yaml',
    '--view',
    'waiting',
    '--no-record',
  );

  const still = err.slice(err.indexOf('still waiting at the end'));
  expect(still).toMatch(
    / {2}CPE 0 for the lock array:0 in smutex_lock_array \(deadlocks\.ts:\d+\), since cycle 9056/,
  );
  expect(still).toMatch(
    / {2}CPE 1 for the lock 8spe:0 in smutex_lock_row \(deadlocks\.ts:\d+\), since cycle 9056/,
  );
});

test('a view that a machine does not have, or that is no text, is told with what would help', async () => {
  const run = (...args: string[]) => called('run', ...args, '--no-record');
  const scenario = 'scenarios/sunway/hello.yaml';

  expect(await run(scenario, '--view', 'advise')).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/the machine sunway has no view advise\n {2}help: did you mean "advice"/),
  });
  expect(await run(scenario, '--view', 'heat')).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(
      /found --view heat, expected a view in text.*\n {2}help: --export heat=out\/heat\.svg/,
    ),
  });
  expect(
    await run('scenarios/cell/hazard.yaml', '--export', `advice=${join(folder, 'a.txt')}`),
  ).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('unknown kind of export "advice"'),
  });
});
