import { describe, expect, test } from 'vitest';
import { formatLine, parseLog } from './log.ts';
import { logHash } from './log-hash.ts';
import { referenceLog } from './reference-log.ts';

const { header, events } = referenceLog({
  name: 'log',
  N: 2,
  K: 1,
  memSize: 8,
  programs: [
    [
      [0, 'p', 0, 1, 4, 2],
      [0, 'r', 3],
    ],
    [],
  ],
});
const lines = [header, ...events].map(formatLine);

/** The log with one line replaced; line 1 is the header. */
const withLine = (line: number, content: string) => lines.with(line - 1, content).join('\n');

describe('the event log as text', () => {
  test('fields are written in the order of the format', () => {
    expect(lines[1]).toBe(
      '{"t":0,"n":0,"ev":"REQ","spu":0,"id":0,"kind":"put","my":0,"peer":1,"addr":4,"size":2}',
    );
    expect(formatLine({ gen: 3, next: 9, ev: 'BARRIER', n: 1, t: 3 })).toBe(
      '{"t":3,"n":1,"ev":"BARRIER","gen":3,"next":9}',
    );
  });

  test.each([
    ['text that is no JSON', 3, '{"t":', '{"t":', 'one JSON object'],
    ['a list', 2, '[1]', '[1]', 'one JSON object'],
    ['an unknown kind', 2, '{"t":0,"n":0,"ev":"constructor"}', 'ev "constructor"', 'one of REQ, GRANT, FREE'],
    ['a missing field', 2, '{"t":0,"n":0,"ev":"HALT"}', 'no field "spu"', '"spu": an integer of at least 0'],
    ['a fraction', 2, '{"t":0,"n":0,"ev":"HALT","spu":0.5}', '"spu": 0.5', '"spu": an integer of at least 0'],
    [
      'a wrong word',
      2,
      '{"t":0,"n":0,"ev":"DONE","who":"dam","id":0}',
      '"who": "dam"',
      'one of "spu", "dma", "arb"',
    ],
    ['a stranger', 2, '{"t":0,"n":0,"ev":"HALT","spu":0,"x":1}', 'field "x"', 'only t, n, ev, spu'],
    ['a gap in the serial numbers', 2, '{"t":0,"n":7,"ev":"HALT","spu":0}', 'n 7', 'n 0'],
    ['a cycle that is no number', 2, '{"t":"0","n":0,"ev":"HALT","spu":0}', 't "0"', 'an integer'],
    ['a header of another format', 1, '{"format":"cell-log/2"}', 'format "cell-log/2"', 'cell-log/1'],
  ])('%s is located with what was found and expected', (_, line, content, found, expected) => {
    const [error] = parseLog(withLine(line, content)).errors;

    expect(error).toMatchObject({ line, found });
    expect(error?.expected).toContain(expected);
  });

  test('a wrong value of a header field names the field', () => {
    const { errors } = parseLog(withLine(1, formatLine({ ...header, N: 0 })));

    expect(errors).toEqual([{ line: 1, found: '"N": 0', expected: '"N": an integer 1..1024' }]);
  });

  test('malformed lines are left out and the others kept', () => {
    const parsed = parseLog(withLine(3, 'broken'));

    expect(parsed.events).toHaveLength(events.length - 1);
    expect(parsed.errors.map((error) => error.line)).toEqual([3]);
    expect(parseLog('').errors).toHaveLength(1);
  });

  test('the hash depends on every field and not on the order in which an object has them', () => {
    const [first, ...rest] = events;
    const reversed = Object.fromEntries(
      Object.entries(first ?? {}).reverse(),
    ) as unknown as (typeof events)[number];

    expect(logHash([reversed, ...rest])).toBe(logHash(events));
    expect(logHash(parseLog(lines.join('\n')).events)).toBe(logHash(events));
    for (const [field, value] of Object.entries(first ?? {})) {
      const other = {
        ...first,
        [field]: typeof value === 'number' ? value + 1 : `${value}x`,
      } as (typeof events)[number];
      expect(logHash([other, ...rest]), field).not.toBe(logHash(events));
    }
    expect(logHash([{ t: 0, n: 0, ev: 'STOP', cycles: 5 }])).not.toBe(
      logHash([{ t: 0, n: 0, ev: 'STOP', cycles: 2 ** 32 + 5 }]),
    );
  });
});
