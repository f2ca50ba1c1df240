import { describe, expect, it } from 'vitest';
import type { Machine } from '../machines/machine.ts';
import { ping } from './testing/ping.ts';
import { byRound } from './testing/programs.ts';
import { here, read, refusals } from './testing/read.ts';

const head = 'name: a\nmachine: ping\nconfig: { players: 2 }\n';

describe('parseScenario', () => {
  it('fills in what is not said', async () => {
    const { scenario, machine } = await read(head);

    expect(scenario).toEqual({
      file: here,
      text: head,
      name: 'a',
      machine: 'ping',
      config: { players: 2, rounds: 3, style: 'soft' },
      programs: undefined,
      faults: [],
      schedule: { kind: 'fifo', seed: 0 },
    });
    expect(machine.name).toBe('ping');
  });

  it('reads everything that can be said', async () => {
    const { scenario } = await read(
      `${head}about: two\nprograms: { strengths: [1, 2] }\nfaults: [{ mutant: lostBall }]\nschedule: { kind: random, seed: 7 }\nuntil: 9\nexpect: { verdict: deadlock, ticks: 3, violations: [], result: { rounds: 2 } }\n`,
    );

    expect(scenario).toMatchObject({
      about: 'two',
      programs: { strengths: [1, 2] },
      faults: [{ mutant: 'lostBall' }],
      schedule: { kind: 'random', seed: 7 },
      until: 9,
      expect: { verdict: 'deadlock', ticks: 3, violations: [], result: { rounds: 2 } },
    });
  });

  it('takes the name of a schedule for a schedule with seed 0', async () => {
    const { scenario } = await read(`${head}schedule: pos`);

    expect(scenario.schedule).toEqual({ kind: 'pos', seed: 0 });
  });

  it('replaces a reference to a program by the reference and its function', async () => {
    const { scenario } = await read(`${head}programs: { module: "programs.ts#byRound" }`);

    expect(scenario.programs).toEqual({ module: 'programs.ts#byRound', program: byRound });
  });

  it('says of a network that the machine is a clocked one', async () => {
    expect(await refusals(`${head}network: { lossy: true }`)).toEqual([
      expect.stringMatching(/SCN010 unknown key "network" \| the machine is clocked: .* "faults" lose/),
    ]);
  });

  it('reports all mistakes of a file in the order of the file', async () => {
    const found = await refusals(
      'name: a\nmachine: ping\nconfig:\n  players: 99999\n  round: 3\n  style: sof\nprograms:\n  strengths: [1, a]\nfaults: [{ mutan: x }]\nschedule: randm\nuntill: 3\n',
    );

    expect(found).toEqual([
      '4:12 SCN013 config.players: found 99999, expected an integer from 1 to 1024 | players: players on the other side',
      '5:3 SCN010 unknown key "round" in config | did you mean "rounds"? known keys: players, rounds, style, pause',
      '6:10 SCN014 config.style: found "sof", expected one of "soft", "strong" | did you mean "soft"? known values: soft, strong',
      '8:18 SCN012 programs.strengths[1]: found "a" (a string), expected an integer from 0 to 1000 | write a value of the expected kind',
      '9:12 SCN010 unknown key "mutan" in faults[0] | did you mean "mutant"? known keys: mutant, drop, duplicate, delay, reorder, corrupt, crash',
      '10:11 SCN014 schedule: found "randm", expected one of "fifo", "random", "pct", "pos", "delay", "roundrobin", or a mapping with the keys kind, seed, depth, delays | did you mean "random"? known values: fifo, random, pct, pos, delay, roundrobin',
      '11:1 SCN010 unknown key "untill" | did you mean "until"? known keys: name, about, machine, config, programs, faults, schedule, until, expect',
    ]);
  });

  it('finds a missing key of a configuration that is not there at all', async () => {
    expect(await refusals('name: a\nmachine: ping\n')).toEqual([
      '1:1 SCN011 missing key "players" in config, expected an integer from 1 to 1024 | players: players on the other side',
    ]);
  });

  it('reports what it can when the machine is not known', async () => {
    expect(await refusals('name: 4\nmachine: pin\nprograms: { module: "programs.ts#x" }\n')).toEqual([
      '1:7 SCN012 name: found 4 (a number), expected a string of 1 to 1000 characters | name: what the scenario is called in reports',
      '2:10 SCN020 machine: found "pin", which is no machine | did you mean "ping"? known machines: ping; one of your own is named in lockstep.config.ts, or by its module: ./file.ts#export',
      '3:21 SCN023 programs.module: found no export "x" in "programs.ts" | known exports: byRound, notAProgram',
    ]);
  });

  it('puts a finding about several keys at the key the machine names', async () => {
    const demanding: Machine = {
      ...(ping as Machine),
      check: () => [{ path: ['players'], found: '2', expected: 'more' }],
    };

    expect(await refusals(head, [demanding])).toEqual([
      '3:20 SCN030 config.players: found 2, expected more | change one of them',
    ]);
  });

  it('says when a machine has no mutants at all', async () => {
    const faultless: Machine = { ...(ping as Machine), mutants: new Map() };

    expect((await refusals(`${head}faults: [{ mutant: x }]`, [faultless]))[0]).toContain(
      'faults[0].mutant: found "x"; this machine has no mutants',
    );
    expect(await refusals(head, [faultless])).toEqual([]);
  });

  it.each([
    ['a: [1,\n', '2:1 SCN002 found the end of the text'],
    ['a: 1\n---\nb: 2', '2:1 SCN002 found a second document'],
    ['a: *x', '1:4 SCN002 found "*x", expected the name of an anchor above'],
    ['a: &x [*x]', '1:8 SCN002 found "*x" inside what it stands for'],
    ['a: !dog 3', '1:4 SCN002 found "a: !dog 3": Unresolved tag: !dog'],
    ['? [a]\n: 3', '1:3 SCN002 found a collection as a key'],
    ['a:\n\tb: 1', '2:1 SCN002 found "b: 1": Tabs'],
  ])('refuses %j where it stops being a scenario', async (text, beginning) => {
    const [first] = await refusals(text);

    expect(first?.slice(0, beginning.length)).toBe(beginning);
  });

  it('reports several mistakes of syntax at once', async () => {
    expect(await refusals('a: *x\nb: *y')).toHaveLength(2);
  });
});
