import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCodes } from './exit-codes.ts';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

/** The first line that each broken file of `scenarios/broken/cell` gives, after its name; and what the help must name. */
const firstLines: Readonly<Record<string, readonly [line: string, help: string]>> = {
  '01-empty': [
    ':1:1 SCN004 found nothing, expected a mapping with the keys name, machine, config, programs',
    'begin with',
  ],
  '02-list-instead-of-mapping': [
    ':1:1 SCN004 found a list of 2 items, expected a mapping with the keys name, machine, config, programs',
    'begin with',
  ],
  '03-bad-indentation': [
    ':4:6 SCN002 found "N: 4": Nested mappings are not allowed in compact mappings',
    'mend the syntax',
  ],
  '04-unclosed-bracket': [
    ':4:1 SCN002 found "programs: []": Flow map in block collection must be sufficiently indented and end with a }',
    'mend the syntax',
  ],
  '05-key-twice': [
    ':5:1 SCN003 found a key again in "config: { N: 5 }", expected each key once',
    'keep one of the two',
  ],
  '06-no-machine': [':1:1 SCN011 missing key "machine"', 'known machines: cell'],
  '07-unknown-machine': [
    ':2:10 SCN020 machine: found "cel", which is no machine',
    'did you mean "cell" or "cellbe"?',
  ],
  '08-no-name': [
    ':1:1 SCN011 missing key "name", expected a string of 1 to 1000 characters',
    'what the scenario is called',
  ],
  '09-misspelt-key': [':3:1 SCN010 unknown key "confg"', 'did you mean "config"?'],
  '10-misspelt-config-key': [':5:3 SCN010 unknown key "memsize" in config', 'did you mean "memSize"?'],
  '11-unknown-policy': [
    ':3:25 SCN014 config.policy: found "sjf-detor", expected one of "etalon-hol", "etalon-ff", "fifo-both", "sjf-detour", "sjf-plan"',
    'did you mean "sjf-detour"?',
  ],
  '12-number-as-text': [
    ':3:14 SCN012 config.N: found "four" (a string), expected an integer from 1 to 1024',
    'SPUs, numbered 0..N-1',
  ],
  '13-too-many-nodes': [
    ':3:14 SCN013 config.N: found 2000, expected an integer from 1 to 1024',
    'SPUs, numbered 0..N-1',
  ],
  '14-no-rings': [':3:20 SCN013 config.K: found 0, expected an integer from 1 to 64', 'rings per direction'],
  '15-fraction': [
    ':3:26 SCN012 config.memSize: found 12.5 (a number), expected an integer from 1 to 1073741824',
    'bytes in each SPU memory',
  ],
  '16-no-programs': [
    ':1:1 SCN011 missing key "programs", expected a list (each a list (each a list of 3 items, or a list of 4 items, or a list of 6 items), or a mapping with the keys module, program), or a mapping with the key saturate',
    'one program per SPU',
  ],
  '17-unknown-operation': [
    ':5:10 SCN014 programs[0][0][1]: found "putt", expected one of "r", "read", "w", "write", "g", "get", "p", "put", "s", "status"',
    'did you mean "put"?',
  ],
  '18-operand-missing': [
    ':6:7 SCN013 programs[0][1]: found a list of 5 items, expected a list of 6 items',
    'stay within the range',
  ],
  '19-negative-cycle': [
    ':5:7 SCN013 programs[0][0][0]: found -1, expected an integer of at least 0',
    'stay within the range',
  ],
  '20-cycles-not-sorted': [
    ':6:8 SCN030 programs[0][1][0]: found cycle 3 after cycle 5, expected a list sorted by cycle',
    'change one of them',
  ],
  '21-more-programs-than-spus': [
    ':7:5 SCN030 programs[2]: found program number 2, expected at most 2 programs, one per SPU (N = 2)',
    'change one of them',
  ],
  '22-saturate-without-room': [
    ':5:13 SCN030 programs.saturate: found memSize 1024, expected an even memSize of at least 4096: room for the destinations of N * outstanding requests of sizeMax bytes',
    'change one of them',
  ],
  '23-unknown-mutant': [
    ':6:13 SCN014 faults[0].mutant: found "M-99", expected one of "M-01", "M-02"',
    'did you mean "M-09"',
  ],
  '24-unknown-verdict': [
    ':5:20 SCN014 expect.verdict: found "deadlok", expected one of "ok", "violated", "deadlock", "livelock", "error"',
    'did you mean "deadlock"?',
  ],
  '25-module-missing': [
    ':4:13 SCN022 programs[0].module: found no module "handshak.ts" beside scenarios/broken/cell/25-module-missing.yaml',
    'paths are relative to the folder of the scenario file',
  ],
  '26-export-missing': [
    ':4:13 SCN023 programs[0].module: found no export "produser" in "../../cell/handshake.ts"',
    'did you mean "producer"?',
  ],
  '27-reference-without-export': [
    ':4:13 SCN021 programs[0].module: found "../../cell/handshake.ts", expected file.ts#export',
    '"#"',
  ],
  '28-unknown-schedule': [
    ':5:19 SCN014 schedule.kind: found "randm", expected one of "fifo", "random", "pct", "pos", "delay", "roundrobin"',
    'did you mean "random"?',
  ],
  '29-schedule-of-no-depth': [
    ':5:31 SCN013 schedule.depth: found 0, expected an integer from 1 to 64',
    'of pct: ordering constraints of the bug looked for',
  ],
  '30-burst-with-free-interleaving': [
    ':3:40 SCN030 config.interleaving: found free interleaving with detail: burst, expected detail: step, since bursts know the canonical order only',
    'change one of them',
  ],
  '31-fault-for-nobody': [
    ':7:36 SCN032 faults[0].drop.to: found "Cell.Spu[4].Dma", which no actor is called',
    'did you mean "Cell.Spu[0].Dma"',
  ],
  '32-fault-on-no-message': [
    ':7:19 SCN032 faults[0].drop.type: found "bus.grant", which no actor called "Cell.Spu[*].Dma" is ever sent',
    'did you mean "bus.granted"?',
  ],
  '33-probability-in-percent': [
    ':7:49 SCN013 faults[0].duplicate.probability: found 10, expected a number above 0 and of at most 1',
    '1 strikes always',
  ],
  '34-crash-of-a-part-that-may-not': [
    ':7:21 SCN033 faults[0].crash.actor: found "Cell.Arbiter", which may not crash',
    'no actor of cell may',
  ],
  '35-two-faults-in-one': [':8:5 SCN010 unknown key "delay" in faults[0]', 'known keys: drop'],
};

describe('a broken scenario file', () => {
  test.each(Object.entries(firstLines))(
    '%s is refused at its place, in plain words',
    async (name, [line, help]) => {
      const file = `scenarios/broken/cell/${name}.yaml`;
      const terminal = new KeptTerminal();

      const exitCode = await main(['run', file, '--json'], terminal);

      const [first, second] = terminal.stderr.split('\n');
      // The catalogue of planted faults grows; of that list only the beginning is spelt here.
      if (name === '23-unknown-mutant') expect(first?.startsWith(`${file}${line}`)).toBe(true);
      else expect(first).toBe(`${file}${line}`);
      expect(`${first}\n${second}`).toContain(help);
      expect(terminal.stderr).not.toMatch(/\n\s+at /);
      expect(JSON.parse(terminal.stdout)).toMatchObject({ error: { kind: 'input' }, exitCode: 2 });
      expect(exitCode).toBe(exitCodes.usage);
    },
  );

  test('is in the table, whichever it is', () => {
    const files = readdirSync(new URL('../scenarios/broken/cell/', import.meta.url)).filter((name) =>
      name.endsWith('.yaml'),
    );

    expect(files.map((name) => name.replace('.yaml', '')).sort()).toEqual(Object.keys(firstLines).sort());
  });
});
