import { RaceDetector } from '../../../machines/sunway/monitors/race/race-detector.ts';
import {
  type CacheEvent,
  cpeCore,
  type IssueEvent,
  mainMemory,
  type RaceEvent,
  type ReplyOfTransfer,
} from '../../../machines/sunway/monitors/race/race-event.ts';
import type { RaceReport } from '../../../machines/sunway/monitors/race/race-report.ts';
import { oraclePairs } from './oracle.ts';
import {
  type FoundPair,
  type Happening,
  type LogLine,
  lineBytes,
  type OracleProgram,
  opName,
  type TransferOp,
} from './oracle-program.ts';

export const policies = ['lenient', 'strict'] as const;
export type Policy = (typeof policies)[number];

/** Where a plain program's main memory begins. */
const memoryAt = 0x5000_0000_0000;
/** Words of blocking transfers, one an operation. */
const ownWordsAt = 0x3_0000;

/** What the detector is told of lines of caches. */
const lineKinds: Partial<Record<Happening, CacheEvent['kind']>> = {
  fills: 'cache.fill',
  writesBack: 'cache.writeBack',
  drops: 'cache.drop',
};

/** What the detector would be told of the lines of a log, in their order. */
export function raceEvents(program: OracleProgram, log: readonly LogLine[]): readonly RaceEvent[] {
  return log.flatMap((line, cycle): readonly RaceEvent[] => {
    const { tid, index, what, value = 0 } = line;
    const core = cpeCore(tid);
    const op = program[tid]![index];
    const deed = { core, cycle, operation: { name: op?.op ?? 'return', step: index } };
    const word = (owner: number, offset: number) => ({ space: cpeCore(owner), offset });
    const lineKind = lineKinds[what];
    if (lineKind) return [{ ...deed, kind: lineKind, address: memoryAt + value, bytes: lineBytes }];
    if (!op) return [{ ...deed, kind: 'thread.end' }];
    switch (op.op) {
      case 'load':
      case 'store':
        return [{ ...deed, kind: op.op, space: cpeCore(op.tid), address: op.at, bytes: op.bytes }];
      case 'memoryLoad':
      case 'memoryStore': {
        const kind = op.op === 'memoryLoad' ? 'load' : 'store';
        return [{ ...deed, kind, space: mainMemory, address: memoryAt + op.at, bytes: op.bytes }];
      }
      case 'cachedLoad':
      case 'cachedStore': {
        const kind = op.op === 'cachedLoad' ? 'load' : 'store';
        const { bytes } = op;
        return [{ ...deed, kind, space: mainMemory, address: memoryAt + op.at, bytes, cached: true }];
      }
      case 'evict':
        return [];
      case 'add':
        return [
          { ...deed, kind: 'store', space: mainMemory, address: memoryAt + op.at, bytes: 4, atomic: true },
        ];
      case 'raise':
      case 'look': {
        const kind = op.op === 'look' ? 'load' : 'store';
        return [{ ...deed, kind, space: cpeCore(op.tid), address: op.at, bytes: 4, flag: true }];
      }
      case 'set':
        return [
          {
            ...deed,
            kind: 'store',
            space: core,
            address: op.word,
            bytes: 4,
            data: Uint8Array.of(op.value, 0, 0, 0),
          },
        ];
      case 'wait':
        return [{ ...deed, kind: 'reply.waited', word: word(tid, op.word), value: op.value }];
      case 'poll':
        return what === 'finds'
          ? [{ ...deed, kind: 'reply.read', word: word(op.tid, op.word), value }]
          : [{ ...deed, kind: 'load', space: cpeCore(op.tid), address: op.word, bytes: 4 }];
      case 'order':
        return [{ ...deed, kind: 'order', engine: op.engine }];
      case 'lock':
      case 'unlock':
        return [{ ...deed, kind: op.op, lock: String(op.lock) }];
      case 'sync': {
        const kind = what === 'arrives' ? 'group.arrive' : 'group.leave';
        return [{ ...deed, kind, group: op.tids.join(' '), members: op.tids.map((one) => cpeCore(one)) }];
      }
      default:
        if (what === 'finds')
          return [{ ...deed, kind: 'reply.waited', word: word(tid, ownWordsAt + 4 * index), value: 1 }];
        return [{ ...deed, ...issueOf(tid, index, op), transfer: 1000 * tid + index }];
    }
  });
}

function issueOf(
  tid: number,
  index: number,
  op: TransferOp,
): Pick<IssueEvent, 'kind' | 'engine' | 'action' | 'source' | 'copies' | 'replies'> {
  const { bytes } = op;
  const ldm = (owner: number, address: number) => ({ space: cpeCore(owner), address, bytes });
  const reply = (
    owner: number,
    offset: number | null,
    role: ReplyOfTransfer['role'],
    announces: ReplyOfTransfer['announces'],
  ): readonly ReplyOfTransfer[] =>
    offset === null ? [] : [{ word: { space: cpeCore(owner), offset }, role, announces }];
  const own = 'blocking' in op && op.blocking ? ownWordsAt + 4 * index : undefined;
  const kind = 'issue' as const;
  switch (op.op) {
    case 'get':
    case 'put': {
      const memory = { space: mainMemory, address: memoryAt + op.memory, bytes };
      const [source, copy] = op.op === 'get' ? [memory, ldm(tid, op.ldm)] : [ldm(tid, op.ldm), memory];
      const replies = reply(tid, own ?? op.word, 'local', op.op === 'get' ? 0 : 'source');
      return { kind, engine: 'dma', action: op.op, source, copies: [copy], replies };
    }
    case 'remoteGet':
    case 'remotePut': {
      const [mine, other] = [ldm(tid, op.own), ldm(op.tid, op.other)];
      const gets = op.op === 'remoteGet';
      const replies = [
        ...reply(tid, own ?? op.local, 'local', gets ? 0 : 'source'),
        ...reply(op.tid, op.remote, 'remote', gets ? 'source' : 0),
      ];
      return gets
        ? { kind, engine: 'rma', action: 'get', source: other, copies: [mine], replies }
        : { kind, engine: 'rma', action: 'put', source: mine, copies: [other], replies };
    }
    case 'broadcast': {
      const replies = [
        ...reply(tid, op.local, 'local', 'source'),
        ...op.tids.flatMap((one, copy) => reply(one, op.remote, 'remote', copy)),
      ];
      const copies = op.tids.map((one) => ldm(one, op.to));
      return { kind, engine: 'rma', action: 'broadcast', source: ldm(tid, op.from), copies, replies };
    }
  }
}

/** The errors that the detector finds in what it is told. */
export function detectedErrors(events: readonly RaceEvent[], policy: Policy): readonly RaceReport[] {
  const reports: RaceReport[] = [];
  const found = (report: RaceReport): void => {
    if (report.severity === 'error') reports.push(report);
  };
  const detector = new RaceDetector({ policy, found });
  for (const event of events) detector.see(event);
  return reports;
}

/** The pair of operations of a report; steps are indices. */
export const pairOf = ({ kind, first, second, range }: RaceReport): FoundPair => ({
  kind,
  space: range.space,
  first: opName(first.core, first.step),
  second: opName(second.core, second.step),
});

const samePlace = (one: FoundPair, other: FoundPair): boolean =>
  one.space === other.space && one.first === other.first && one.second === other.second;

/** In what the detector and the oracle differ about a run; empty when in nothing. */
export function differences(
  program: OracleProgram,
  log: readonly LogLine[],
  told: readonly FoundPair[],
  policy: Policy,
  pairs: readonly FoundPair[],
): readonly string[] {
  const key = ({ kind, space, first, second }: FoundPair): string =>
    `${kind} in ${space} of ${first} and ${second}`;
  const known = new Set(pairs.map(key));
  const reported = new Set(told.map(key));
  const extra = [...reported].filter((one) => !known.has(one));
  // What is not told must be ordered by what is. What only that makes into a race is none: a wait may not cover what it has covered.
  const missing = pairs.every((one) => reported.has(key(one)))
    ? []
    : oraclePairs(program, log, told)[policy].filter(
        (pair) =>
          !pair.explained &&
          pairs.some(
            // A write that is ordered by reports alone makes no line old.
            (one) => samePlace(one, pair) && (one.kind === pair.kind || pair.kind !== 'StaleCacheRead'),
          ) &&
          !told.some((one) => samePlace(one, pair)),
      );
  return [
    ...extra.map((one) => `${policy}: only the detector tells ${one}`),
    ...missing.map((one) => `${policy}: only the oracle tells ${key(one)}`),
  ];
}
