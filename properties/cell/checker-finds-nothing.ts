import type { CellLogEvent } from '../../machines/cell/log-events.ts';
import type { Shared } from '../shared.ts';
import { INVARIANTS, OTHER_FINDINGS } from './checker/catalogue.ts';
import type { CellChecker } from './checker/check.ts';
import type { LogFinding } from './checker/findings.ts';
import { EVENT_FIELDS } from './checker/log.ts';
import type { ByteContent } from './checker/serialisability.ts';
import { type CellProbe, cellProperty, type Tell } from './context.ts';
import { sharedChecker } from './shared-checker.ts';
import { emptyTick, everybody, inOrder, place, placeOf, type Tick } from './tick-order.ts';
import { contentsIn, contentsSaid, noteWrite, nothingWritten, type WrittenBytes } from './written-bytes.ts';

const sentences = new Map([...INVARIANTS, ...OTHER_FINDINGS].map(({ id, sentence }) => [id, sentence]));

/** The sentence under which a finding of the checker is reported: the id of the invariant and its sentence (Cell specification 12). */
export function invariantSentence(id: string): string {
  const sentence = sentences.get(id);
  return sentence === undefined ? id : `${id} ${sentence}`;
}

interface Memory {
  readonly checker: Shared<CellChecker>;
  /** Records that the checker has taken. */
  taken: number;
  /** Those of this tick that it has not. */
  tick: Tick<CellProbe>;
  readonly written: WrittenBytes;
  /** The cycle whose barrier has opened in this tick, -1 for none. */
  ended: number;
  stopped: boolean;
}

/**
 * All invariants CK-01 to CK-28 of a run, by the independent checker (Cell specification 12).
 *
 * Details: the checker judges cycle by cycle, so its findings come at the end of one; each names its cycle. An exception of a
 * program is not a fault of the machine (Cell specification 11) and is left out, and so is what the parts report themselves.
 */
export const checkerFindsNothing = cellProperty(
  'the checker finds nothing',
  [
    'REQ',
    'GRANT',
    'FREE',
    'XSTART',
    'XEND',
    'CMD',
    'BUS',
    'RD',
    'WR',
    'STATUS',
    'OBS',
    'EXC',
    'HALT',
    'DONE',
    'BARRIER',
    'STOP',
  ],
  ({ header }): Memory => ({
    checker: sharedChecker(header),
    taken: 0,
    tick: emptyTick(),
    written: nothingWritten(),
    ended: -1,
    stopped: false,
  }),
  () => {
    function tell(findings: readonly LogFinding[], found: Tell): void {
      for (const { invariant, cycle, entities, message } of findings)
        if (invariant !== 'EXC') found(entities, `cycle ${cycle}: ${message}`, invariantSentence(invariant));
    }

    /** Hands the records of the tick to the checker; `contents` is what the memories hold at the end of the cycle. */
    function judge(memory: Memory, contents: readonly ByteContent[], found: Tell): void {
      const checker = memory.checker.own();
      for (const record of inOrder(memory.tick)) {
        if (record.type === 'BARRIER')
          for (const content of contentsOf(contents))
            checker.event({ ev: 'MEM', t: record.t, n: memory.taken++, ...content });
        checker.event(recordOf(record, memory.taken++));
      }
      memory.tick = emptyTick();
      memory.ended = -1;
      tell(checker.newFindings(), found);
    }

    return {
      about: (record) => placeOf(partyOf(record), unitOf(record)),
      see(memory, record, found) {
        if (memory.ended >= 0 && record.t > memory.ended) judge(memory, contentsSaid(memory.written), found);
        if (record.type === 'WR') noteWrite(memory.written, record);
        if (record.type === 'BARRIER') memory.ended = record.t;
        memory.stopped ||= record.type === 'STOP';
        place(memory.tick, record, partyOf(record), unitOf(record));
        // All that can come before the arbiter's records has come; what memories hold is not asked for.
        if (memory.ended < 0 && (record.type === 'GRANT' || record.type === 'FREE')) judge(memory, [], found);
      },
      seeState(memory, state, found) {
        if (memory.tick.top === 0) return;
        const held = contentsIn(memory.written, state);
        judge(memory, memory.ended < 0 ? [] : held, found);
      },
      atRest(memory, found) {
        if (memory.stopped) return;
        const checker = memory.checker.own();
        checker.finish();
        tell(checker.newFindings(), found);
      },
    };
  },
);

/**
 * A probe as the record `n` of an event log.
 *
 * Details: each type has a copier of its own, made from a text of its own that names its fields: many times as fast as one that copies whatever comes.
 */
function recordOf(probe: CellProbe, n: number): CellLogEvent {
  let copier = copiers.get(probe.type);
  if (!copier) {
    const fields = EVENT_FIELDS[probe.type]!.map((field) => `${field}: probe.${field}`).join(', ');
    copier = new Function('probe', 'n', `return { ev: probe.type, t: probe.t, n, ${fields} };`) as Copier;
    copiers.set(probe.type, copier);
  }
  return copier(probe, n);
}

type Copier = (probe: CellProbe, n: number) => CellLogEvent;
const copiers = new Map<CellProbe['type'], Copier>();

/** Whose work a record tells of, one step of it after the other: an SPU's, a DMA module's; that of the arbiter and the controller is everybody's. */
function partyOf(record: CellProbe): number {
  switch (record.type) {
    case 'OBS':
    case 'EXC':
    case 'HALT':
    case 'REQ':
    case 'STATUS':
      return 1 + 2 * record.spu;
    case 'CMD':
    case 'BUS':
    case 'XSTART':
    case 'XEND':
      return 2 + 2 * record.spu;
    case 'RD':
    case 'WR':
      return (record.by === 'spu' ? 1 : 2) + 2 * record.spu;
    case 'DONE':
      return record.who === 'arb' ? everybody : (record.who === 'spu' ? 1 : 2) + 2 * record.id;
    default:
      return everybody;
  }
}

/** The part that parties meet in: the command bus, a memory; none for most. */
function unitOf(record: CellProbe): number | undefined {
  if (record.type === 'RD' || record.type === 'WR') return 2 + record.mem;
  return record.type === 'CMD' || record.type === 'BUS' ? 1 : undefined;
}

/** Contents as records of the event log have them, memory by memory. */
function contentsOf(
  contents: readonly ByteContent[],
): readonly { readonly mem: number; readonly bytes: readonly (readonly [number, number])[] }[] {
  const byMemory = new Map<number, [number, number][]>();
  for (const { mem, address, value } of contents) {
    const bytes = byMemory.get(mem);
    if (bytes) bytes.push([address, value]);
    else byMemory.set(mem, [[address, value]]);
  }
  return [...byMemory].map(([mem, bytes]) => ({ mem, bytes }));
}
