import { answerText, parseCommand } from '../../machines/chiplet/interchiplet-command-text.ts';
import {
  bufferName,
  bufferPair,
  bufferText,
  mergedTrace,
  messageFlits,
  parseBuffer,
  parseTrace,
  traceText,
} from '../../machines/chiplet/message-files.ts';
import { readTransactions } from '../../machines/chiplet/transaction-text.ts';
import { besideAll } from '../beside-scenario.ts';

/*
 * Texts of files and commands, and what they say (chiplet specification 3.1, 3.2, 9.2, 9.7): what is read of each, or a part of how it is refused.
 */

/** What is read, from what, and what it comes to: of an object the named fields, of an error a part of its text. */
type Row = readonly [read: (text: string) => unknown, text: string, expected: unknown];

const grid = { side: 3, coordinates: 2 };
const line = { side: 9, coordinates: 1 };
const transactions = (text: string): unknown => readTransactions(text, grid);
const onLine = (text: string): unknown => readTransactions(text, line);
const request = (
  time: number,
  source: number,
  target: number,
  size: number,
  targetCycle: number,
  acknowledged: boolean,
) => ({
  packet: { time, source, target, size },
  targetCycle,
  acknowledged,
});
const fault = (at: number, found: string, code = 'E-TRACE') => ({ code, line: at, found });

const ofTransactions: readonly Row[] = [
  [
    transactions,
    '1000 900 0 1 1 0 2 65536',
    [{ ...request(1000, 1, 3, 2, 900, true), source: [0, 1], target: [1, 0], descriptor: 65_536 }],
  ],
  ...[131_072, 262_144, 524_288, 131_073].map(
    (one): Row => [
      transactions,
      `5 7.5 1 1 2 2 3 ${one}`,
      [{ ...request(5, 4, 0, 3, 7.5, true), target: [2, 2] }],
    ],
  ),
  ...[0, 1, 32_768, 1_048_576].map(
    (one): Row => [transactions, `5 7 1 1 2 2 3 ${one}`, [request(5, 4, 8, 3, 7, false)]],
  ),
  [
    transactions,
    '\n 2 0 0 0 0 1 1 0 \n\n1 0 0 2 0 1 1 0\n2 0 0 1 0 1 1 0',
    [request(1, 2, 1, 1, 0, false), request(2, 0, 1, 1, 0, false), request(2, 1, 1, 1, 0, false)],
  ],
  [transactions, '', []],
  [onLine, '3 4 8 1 2 65536', [{ ...request(3, 8, 1, 2, 4, true), source: [8], target: [1] }]],
  [onLine, '3 4 8 1 2', fault(1, '5 fields')],
  [transactions, '1 0 0 2 0 1 1 0\n1 0 0 2 0 1 1', fault(2, '7 fields')],
  [transactions, '1', fault(1, '1 field')],
  [transactions, '1 b 0 2 0 1 1 0', fault(1, '"b"')],
  [transactions, '1 0 0 2 0 1 1 -1', fault(1, '"-1"')],
  [transactions, '1 0 0 2 0 1 1 1.5', fault(1, '"1.5"')],
  [transactions, '-1 0 0 2 0 1 1 0', fault(1, 'time -1')],
  [transactions, '1 0 0 2 0 1 0 0', fault(1, '0 flits')],
  [transactions, '1 0 0 3 0 1 1 0', fault(1, 'coordinate 3', 'E-ADDR')],
  [transactions, '1 0 0 0 0 1 536870911 0', [request(1, 0, 1, 536_870_911, 0, false)]],
  [transactions, '1 0 0 0 0 1 536870910 0\n1 0 0 0 0 1 1 0', fault(2, '536870913 flits up to here')],
];

const places = { source: { x: 1, y: 2 }, target: { x: 3, y: 4 } };
const command = (text: string): unknown => parseCommand(text);
const ofCommands: readonly Row[] = [
  [command, 'CYCLE 12.5', { type: 'command.cycle', cycle: 12.5 }],
  [command, ' SEND 1 2  3 4 ', { type: 'command.send', ...places }],
  [command, 'RECEIVE 1 2 3 4', { type: 'command.receive', ...places }],
  [command, 'LAUNCH 1 2 3 4', { type: 'command.launch', ...places }],
  [
    command,
    'WAITLAUNCH -1 -1 3 4',
    { type: 'command.waitlaunch', source: { x: -1, y: -1 }, target: places.target },
  ],
  [
    command,
    'BARRIER 1 2 255 65535',
    { type: 'command.barrier', source: places.source, uid: 255, count: 65_535 },
  ],
  [command, 'BARRIER 1 2 0 0', { type: 'command.barrier', uid: 0, count: 0 }],
  [command, 'LOCK 1 2 7', { type: 'command.lock', source: places.source, uid: 7 }],
  [command, 'UNLOCK 1 2 7', { type: 'command.unlock', source: places.source, uid: 7 }],
  [command, 'READ 0 1 2 3 4 1 9', { type: 'command.read', cycle: 0, ...places, bytes: 1, description: 9 }],
  [
    command,
    'WRITE 1.5 1 2 3 4 64 0',
    { type: 'command.write', cycle: 1.5, ...places, bytes: 64, description: 0 },
  ],
  [command, 'JUMP 1', 'found "JUMP", expected one of CYCLE, SEND, RECEIVE'],
  [command, '', 'found ""'],
  [command, 'toString 1', 'found "toString"'],
  [command, 'CYCLE', 'found 0 arguments, expected CYCLE cycle'],
  [command, 'CYCLE 1 2', 'found "2" as a further argument'],
  [command, 'CYCLE -1', 'found "-1" as cycle'],
  [command, 'CYCLE x', 'found "x" as cycle'],
  [command, 'CYCLE Infinity', 'found "Infinity" as cycle'],
  [command, 'SEND 1 2 3', 'found 3 arguments, expected SEND src_x src_y dst_x dst_y'],
  [command, 'SEND 1 2 3 4.5', 'found "4.5" as dst_y'],
  [command, 'SEND -1 2 3 4', 'found "-1" as src_x'],
  [command, 'WAITLAUNCH -2 -1 3 4', 'found "-2" as src_x'],
  [command, 'WAITLAUNCH 1 2 -1 4', 'found "-1" as dst_x'],
  [command, 'READ 0 1 2 3 4 0 9', 'found "0" as nbytes'],
  [command, 'BARRIER 1 2 3 65536', 'found "65536" as count'],
  [command, 'BARRIER 1 2 3 -1', 'found "-1" as count'],
  [() => answerText({ type: 'answer.sync', cycle: 7.5 } as never), '', '[INTERCMD] SYNC 7.5'],
  [() => answerText({ type: 'answer.result', values: [3, 4] } as never), '', '[INTERCMD] RESULT 2 3 4'],
  [() => answerText({ type: 'answer.result', values: [] } as never), '', '[INTERCMD] RESULT 0'],
];

const buffer = (text: string): unknown => parseBuffer(text, 'b');
const trace = (text: string): unknown => parseTrace(text, 't');
const pair = { source: [0, 3], target: [2, 12] } as const;
const sent = (time: number, x: number, y: number, flits: number) => ({
  time,
  src: [x, y] as const,
  dst: [1, 1] as const,
  flits,
});
const ofFiles: readonly Row[] = [
  [buffer, '1\n-2147483648\r\n4294967295\n', [1, -2_147_483_648, 4_294_967_295]],
  [buffer, '', []],
  [buffer, ' 7 \n8', [7, 8]],
  ...['x', '1.5', '4294967296', '-2147483649', ' '].map(
    (one): Row => [buffer, `1\n${one}\n3`, `b:2 E-FILE found ${JSON.stringify(one)}`],
  ),
  [() => bufferText([3, -4]), '', '3\n-4\n'],
  [() => bufferName(pair), '', 'buffer_0_3_2_12'],
  [() => bufferName(pair, 'receiver-first'), '', 'buffer_2_12_0_3'],
  [(name) => bufferPair(name), 'buffer_0_3_2_12', pair],
  [(name) => bufferPair(name), 'buffer0_3_2_12', pair],
  [(name) => bufferPair(name, 'receiver-first'), 'buffer_2_12_0_3', pair],
  ...['buffer_0_3_2', 'buffer_0_3_2_123', 'xbuffer_0_3_2_1', 'buffer_0_3_2_1x'].map(
    (one): Row => [(name) => String(bufferPair(name)), one, 'undefined'],
  ),
  [
    () => [
      messageFlits(5),
      messageFlits('legosim'),
      messageFlits('legosim', 64),
      messageFlits('legosim', 65),
    ],
    '',
    [5, 2, 2, 3],
  ],
  [
    trace,
    '1.5 0 3 2 2 4\r\n\n1.5 0 0 1 1 1\n',
    [{ time: 1.5, src: [0, 3], dst: [2, 2], flits: 4 }, sent(1.5, 0, 0, 1)],
  ],
  ...[
    '1 0 3 2 2',
    '1 0 3 2 2 4 5',
    '-1 0 3 2 2 4',
    '1 -1 3 2 2 4',
    '1 0.5 3 2 2 4',
    '1 0 3 2 2 0',
    '1 0 3 2 2 1.5',
    'x 0 3 2 2 4',
  ].map(
    (one): Row => [
      trace,
      `0 0 0 1 1 1\n${one}`,
      `t:2 E-TRACE found ${JSON.stringify(one)}, expected T sx sy dx dy n`,
    ],
  ),
  [
    trace,
    '2 0 0 1 1 1\n1 0 0 1 1 1',
    't:2 E-TRACE found "1 0 0 1 1 1", expected a time of at least 2, that of the line before',
  ],
  [() => traceText([sent(2, 0, 1, 4)]), '', '2 0 1 1 1 4\n'],
  [
    () =>
      mergedTrace([
        [sent(3, 1, 0, 1), sent(4, 1, 0, 2)],
        [sent(3, 0, 2, 3)],
        [sent(3, 0, 1, 4), sent(3, 0, 1, 5)],
      ]).map(({ flits }) => flits),
    '',
    [4, 5, 3, 1, 2],
  ],
];

/** All of them. */
export const textRows: readonly Row[] = [...ofTransactions, ...ofCommands, ...ofFiles];

/** Whether what was found has all that is expected. */
function has(found: unknown, expected: unknown): boolean {
  if (typeof expected === 'string') return typeof found === 'string' && found.includes(expected);
  if (typeof expected !== 'object' || expected === null) return found === expected;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(expected) && (found as readonly unknown[]).length !== expected.length) return false;
  return Object.entries(expected).every(([key, one]) => has(found[key as never], one));
}

/** The first text that says something else; undefined when there is none. */
export function textFault(rows: readonly Row[]): string | undefined {
  for (const [read, text, expected] of rows) {
    let found: unknown;
    try {
      found = read(text);
    } catch (error) {
      found = (error as Error).message;
    }
    if (!has(found, expected))
      return `${JSON.stringify(text)} is read as ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`;
  }
  return undefined;
}

/** Texts say what they say. */
export const textsAreRead = besideAll(() => textFault(textRows));
