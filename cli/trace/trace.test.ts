import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

// Real processes that talk over sockets write the logs.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-trace-'));
});
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

const processOf = (program: string, ...args: readonly string[]) => {
  const child = spawn('node', [join(import.meta.dirname, 'testing', program), ...args], { timeout: 20_000 });
  started.push(child);
  return child;
};
/** The port that a process says it listens on. */
const portOf = async (child: ChildProcess): Promise<string> =>
  String((await once(child.stdout!, 'data'))[0]).trim();
const ended = async (child: ChildProcess): Promise<void> => {
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
};

let logs = 0;
const newLog = (text?: string): string => {
  const log = join(folder, `${logs++}.jsonl`);
  if (text !== undefined) writeFileSync(log, text);
  return log;
};
const linesOf = (log: string): { at: string; event: string; result?: unknown; decision?: unknown }[] =>
  readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The log of a server and two clients. */
async function registerLog(serverFault: string, clientFault = 'none'): Promise<string> {
  const log = newLog();
  const server = processOf('register.mjs', 'server', log, serverFault);
  const port = await portOf(server);
  const client = (number: number, fault: string) =>
    ended(processOf('register.mjs', 'client', log, fault, String(number), port));
  await Promise.all([client(0, clientFault), client(1, 'none')]);
  server.kill();
  return log;
}

/** The log of a coordinator and three managers, of which the fault is one's own where it is not the coordinator's. */
async function commitLog(votes: readonly string[], fault = 'none', faulty = -1): Promise<string> {
  const log = newLog();
  const coordinator = processOf(
    'commit.mjs',
    'coordinator',
    log,
    faulty < 0 ? fault : 'none',
    String(votes.length),
  );
  const port = await portOf(coordinator);
  const managers = votes.map((vote, number) =>
    ended(
      processOf('commit.mjs', 'manager', log, number === faulty ? fault : 'none', String(number), port, vote),
    ),
  );
  await Promise.all(managers);
  return log;
}

async function traced(model: string, log: string, ...options: readonly string[]) {
  const terminal = new KeptTerminal(false, 100);
  const exitCode = await main(
    ['trace', `scenarios/protocols/${model}.yaml`, log, '--json', ...options],
    terminal,
  );
  return { exitCode, report: JSON.parse(terminal.stdout), err: terminal.stderr };
}

describe('a register on a server', () => {
  test('that works is the model, to its rest', async () => {
    const { exitCode, report } = await traced('single-copy', await registerLog('none'), '--ended');

    expect([exitCode, report.verdict, report.accepted]).toEqual([0, 'ok', 8]);
  });

  test.each([
    ['lost-put', 'none', ({ result }: { result?: unknown }) => result === ''],
    ['other-value', 'none', ({ result }: { result?: unknown }) => result === 'Z'],
    ['none', 'reads-early', ({ at }: { at: string }, mine: number) => at === 'Client[0]' && mine === 2],
    ['none', 'answers-twice', ({ at }: { at: string }, mine: number) => at === 'Client[0]' && mine === 3],
  ])('server %s, client %s: refused at the line that is wrong', async (serverFault, clientFault, isWrong) => {
    const log = await registerLog(serverFault, clientFault);
    let mine = 0;
    const wrong = linesOf(log).findIndex((one) => {
      if (one.at === 'Client[0]') mine++;
      return isWrong(one, mine);
    });

    const { exitCode, report, err } = await traced('single-copy', log);

    expect(wrong).toBeGreaterThanOrEqual(0);
    expect([exitCode, report.verdict, report.refused.line]).toEqual([1, 'refused', wrong + 1]);
    expect(report.refused.found).toEqual(linesOf(log)[wrong]);
    expect(report.refused.possible.length).toBeGreaterThan(0);
    expect(err).toContain(`${log}:${wrong + 1} NOT a run of a register in one copy (single-copy): found {`);
  });
});

describe('two-phase commit', () => {
  test('that works is the model, whether all promise or one does not', async () => {
    const [yes, no] = await Promise.all([commitLog(['yes', 'yes', 'yes']), commitLog(['yes', 'no', 'yes'])]);

    expect((await traced('two-phase-commit', yes, '--ended')).report).toMatchObject({
      verdict: 'ok',
      accepted: 3,
    });
    expect((await traced('two-phase-commit', no, '--ended')).report).toMatchObject({
      verdict: 'ok',
      accepted: 3,
    });
  });

  test.each([
    ['hasty', ['yes', 'no', 'yes'], -1, ({ decision }: { decision?: unknown }) => decision === 'committed'],
    ['decides-twice', ['yes', 'yes', 'yes'], 0, undefined],
  ] as const)('%s is refused at the line that is wrong', async (fault, votes, faulty, isWrong) => {
    const log = await commitLog(votes, fault, faulty);
    const seen = new Set<string>();
    const wrong = linesOf(log).findIndex((one) => isWrong?.(one) ?? (seen.has(one.at) || !seen.add(one.at)));

    const { exitCode, report } = await traced('two-phase-commit', log);

    expect([exitCode, report.refused?.line]).toEqual([1, wrong + 1]);
  });

  test('of which one aborts what others commit is refused where the second kind of decision comes', async () => {
    const log = await commitLog(['yes', 'yes', 'yes'], 'disobedient', 1);
    const decisions = linesOf(log).map(({ decision }) => decision);

    const { report } = await traced('two-phase-commit', log);

    expect(report.refused.line).toBe(decisions.findIndex((one) => one !== decisions[0]) + 1);
  });
});

describe('a log', () => {
  const line = (number: number, fields: object) => JSON.stringify({ at: `Client[${number}]`, ...fields });
  const invoked = (number: number, ...operation: readonly string[]) =>
    line(number, { event: 'operation.invoked', operation });
  const returned = (number: number, result: string | null) =>
    line(number, { event: 'operation.returned', result });
  const begun = [invoked(1, 'write', 'B'), invoked(0, 'write', 'A')];

  test('of which the nearest possible event differs in some fields names them', async () => {
    const log = newLog([...begun, returned(0, null), invoked(0, 'read'), returned(0, 'C')].join('\n'));

    const { report, err } = await traced('single-copy', log);

    expect(report.refused).toMatchObject({ line: 5, possibleCount: 3 });
    expect(report.refused.nearest.differs).toEqual([{ path: 'result', expected: 'A', found: 'C' }]);
    expect(err).toContain('result: expected "A", found "C"');
  });

  test('of several processes may have lines of others between those of one step, where that is said', async () => {
    const log = newLog([...begun, returned(0, null), returned(1, null), invoked(0, 'read')].join('\n'));

    expect((await traced('single-copy', log)).report.refused).toMatchObject({ line: 4 });
    expect((await traced('single-copy', log, '--interleaved')).exitCode).toBe(0);
  });

  test('has other fields and events, which are left out; lines are read and events made as a map says', async () => {
    const other = begun.map((one) => JSON.stringify({ ...JSON.parse(one), time: 7 }));
    const log = newLog(`${other.join('\n')}\n\n${line(0, { event: 'debug' })}\n`);
    const map = join(folder, 'map.mjs');
    writeFileSync(
      map,
      'export const toEvent = ({ time, ...event }) => (event.event === "debug" ? undefined : event);',
    );

    expect((await traced('single-copy', log, '--ignore', 'time')).report.refused.line).toBe(4);
    expect((await traced('single-copy', log, '--ignore', 'time', '--hide', 'debug')).report).toMatchObject({
      verdict: 'ok',
      events: 2,
      lines: 4,
    });
    const misspelt = await traced('single-copy', log, '--ignore', 'time,tiem', '--hide', 'debug,debgu');
    expect(misspelt.exitCode).toBe(0);
    expect(misspelt.err).toContain(
      `${log}: --ignore tiem: no event has this field, of the log or of the model\n${log}: --hide debgu: no event has this name, of the log or of the model\n`,
    );
    expect((await traced('single-copy', log, '--map', `${map}#toEvent`)).report).toMatchObject({
      verdict: 'ok',
      events: 2,
    });
  });

  test('is open where the model has more states than may be looked at', async () => {
    const { exitCode, report } = await traced('single-copy', newLog(begun.join('\n')), '--max-states', '5');

    expect([exitCode, report.verdict, report.open]).toEqual([4, 'incomplete', { line: 1 }]);
  });

  test('that ends before the model has come to rest is no whole run', async () => {
    const { exitCode, report } = await traced('single-copy', newLog(begun.join('\n')), '--ended');

    expect([exitCode, report.refused.line, report.refused.possibleCount]).toEqual([1, null, 2]);
  });

  test.each([
    ['', 'found no events in 0 lines'],
    ['\n\n', 'found no events in 2 lines'],
    [`${begun[0]}\n{x`, ':2: found no JSON'],
    [`${begun[0]}\n[1]`, ':2: found a list of 1 item, expected an object with the texts "at" and "event"'],
    ['{"event":"x"}', ':1: found a mapping with the key event'],
  ])('that is none is bad input: %j', async (text, words) => {
    const { exitCode, err, report } = await traced('single-copy', newLog(text));

    expect([exitCode, report.error.kind]).toEqual([2, 'usage']);
    expect(err).toContain(words);
  });

  test.each([
    [['--map', 'nothing'], '--map: found "nothing", expected file.ts#export'],
    [['--max-states', 'x'], '--max-states: found "x"'],
  ])('is not read with %j', async (options, words) => {
    const { exitCode, err } = await traced('single-copy', newLog(begun[0]), ...options);

    expect([exitCode, err]).toEqual([2, expect.stringContaining(words)]);
  });
});
