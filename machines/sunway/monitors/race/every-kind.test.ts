import { describe, expect, test } from 'vitest';
import { cpeCore, mainMemory } from './race-event.ts';
import type { RaceKind } from './race-report.ts';
import { allTids, RaceStory } from './race-story.ts';

const memory = 0x5000_0000_0000;
const [buffer, other, word, second] = [0x1000, 0x3000, 0x2000, 0x2004];
const cached = { cached: true };
const free = (story: RaceStory): void =>
  story.tell(cpeCore(0), 'ldm_free', { kind: 'free', space: cpeCore(0), address: buffer, bytes: 64 });

/** The nearest programs with and without a finding: they differ in one operation. */
interface KindCase {
  readonly kind: RaceKind;
  readonly severity?: 'warning';
  readonly policy?: 'strict';
  readonly what: string;
  /** The story; what is missing in the wrong one is done in the right one. */
  readonly tell: (story: RaceStory, right: boolean) => void;
  /** Calls of the two operations, the earlier one first, and the cores of both. */
  readonly pair: readonly [string, string];
  readonly cores: readonly number[];
  readonly range: readonly [space: number, from: number, to: number];
  readonly word?: readonly [space: number, offset: number];
}

const cases: readonly KindCase[] = [
  {
    kind: 'ReadBeforeArrival',
    what: 'a get that is used before its wait',
    tell: (story, right) => {
      story.get(0, buffer, memory, 64, word);
      if (right) story.wait(0, word, 1);
      story.load(0, buffer, 8);
    },
    pair: ['dma_iget', 'ld'],
    cores: [0],
    range: [0, buffer, buffer + 8],
    word: [0, word],
  },
  {
    kind: 'OverwriteBeforeSent',
    what: 'a buffer that is changed before its put has left',
    tell: (story, right) => {
      story.put(0, memory, buffer, 64, word);
      if (right) story.wait(0, word, 1);
      story.store(0, buffer + 16, 8);
    },
    pair: ['dma_iput', 'st'],
    cores: [0],
    range: [0, buffer + 16, buffer + 24],
    word: [0, word],
  },
  {
    kind: 'TransferOverlap',
    what: 'two gets into the same bytes',
    tell: (story, right) => {
      story.get(0, buffer, memory, 64, word);
      if (right) story.order(0, 'dma');
      story.get(0, buffer + 32, memory + 4096, 64, word);
    },
    pair: ['dma_iget', 'dma_iget'],
    cores: [0],
    range: [0, buffer + 32, buffer + 64],
    word: [0, word],
  },
  {
    kind: 'RemoteConflict',
    what: 'a remote put into a buffer that its owner reads without meeting the sender before',
    tell: (story, right) => {
      story.load(1, buffer, 64);
      if (right) story.sync([0, 1]);
      story.remotePut(0, other, 64, 1, buffer, word);
    },
    pair: ['ld', 'rma_iput'],
    cores: [1, 0],
    range: [1, buffer, buffer + 64],
  },
  {
    kind: 'MemoryConflict',
    what: 'two puts of a CPE to the same bytes, the first one waited for',
    tell: (story, right) => {
      story.put(0, memory, buffer, 64, word);
      story.wait(0, word, 1);
      if (right) story.order(0, 'dma');
      story.put(0, memory + 32, other, 64, word);
    },
    pair: ['dma_iput', 'dma_iput'],
    cores: [0],
    range: [mainMemory, memory + 32, memory + 64],
    word: [0, word],
  },
  {
    kind: 'StaleCacheRead',
    what: 'a line that was filled before what another CPE has put',
    tell: (story, right) => {
      story.cache('fill', 1, memory);
      story.memory('load', memory + 8, 4, cpeCore(1), cached);
      story.sync();
      story.put(0, memory + 8, buffer, 4, word);
      story.wait(0, word, 1);
      story.sync();
      if (right) {
        story.cache('drop', 1, memory);
        story.cache('fill', 1, memory);
      }
      story.memory('load', memory + 8, 4, cpeCore(1), cached);
    },
    pair: ['dma_iput', 'ld'],
    cores: [0, 1],
    range: [mainMemory, memory + 8, memory + 12],
  },
  {
    kind: 'CacheClobber',
    what: 'a line that is written back over what another CPE has put beside the changed bytes',
    tell: (story, right) => {
      story.cache('fill', 0, memory);
      story.memory('store', memory, 8, cpeCore(0), cached);
      if (right) story.cache('writeBack', 0, memory);
      story.sync();
      story.put(1, memory + 8, buffer, 8, word);
      story.wait(1, word, 1);
      story.sync();
      if (!right) story.cache('writeBack', 0, memory);
    },
    pair: ['dma_iput', 'cache'],
    cores: [1, 0],
    range: [mainMemory, memory + 8, memory + 16],
  },
  {
    kind: 'ReplyResetRace',
    what: 'a word that is set before the transfer on it was waited for',
    tell: (story, right) => {
      story.get(0, buffer, memory, 64, word);
      if (right) story.wait(0, word, 1);
      story.reset(0, word);
    },
    pair: ['dma_iget', 'rplySet'],
    cores: [0],
    range: [0, word, word + 4],
    word: [0, word],
  },
  {
    kind: 'AmbiguousWait',
    severity: 'warning',
    what: 'a wait for one of two transfers',
    tell: (story, right) => {
      story.get(0, buffer, memory, 64, word);
      story.get(0, other, memory + 4096, 64, right ? second : word);
      story.wait(0, word, 1);
    },
    pair: ['dma_iget', 'wait_value'],
    cores: [0],
    range: [0, word, word + 4],
    word: [0, word],
  },
  {
    kind: 'UnwaitedRemoteArrival',
    policy: 'strict',
    what: 'a broadcast that a receiver takes for granted after the synchronisation',
    tell: (story, right) => {
      story.broadcast(0, allTids, buffer, other, 64, word, second);
      story.wait(0, word, 1);
      story.sync();
      if (right) story.wait(7, second, 1);
      story.load(7, buffer, 4);
    },
    pair: ['rma_ibcast', 'ld'],
    cores: [0, 7],
    range: [7, buffer, buffer + 4],
    word: [7, second],
  },
  {
    kind: 'FreeWhileInFlight',
    what: 'a block that is freed under a get',
    tell: (story, right) => {
      story.get(0, buffer, memory, 64, word);
      if (right) story.wait(0, word, 1);
      free(story);
    },
    pair: ['dma_iget', 'ldm_free'],
    cores: [0],
    range: [0, buffer, buffer + 64],
    word: [0, word],
  },
  {
    kind: 'OrphanTransfer',
    severity: 'warning',
    what: 'a thread that ends without having waited for its put',
    tell: (story, right) => {
      story.put(0, memory, buffer, 64, word);
      if (right) story.wait(0, word, 1);
      story.end(0);
    },
    pair: ['dma_iput', 'return'],
    cores: [0],
    range: [0, buffer, buffer + 64],
    word: [0, word],
  },
];

describe.each(cases)('$kind: $what', ({ kind, severity = 'error', policy, tell, ...told }) => {
  test('is told once, with all that a report says', () => {
    const story = new RaceStory(policy);
    tell(story, false);

    expect(story.reports).toHaveLength(1);
    const { first, second: later, range, missing, fix, ...report } = story.reports[0]!;
    expect(report).toMatchObject({ kind, severity, cycle: later.cycle, cores: told.cores });
    expect([first.name, later.name]).toEqual(told.pair);
    expect(first.cycle).toBeLessThan(later.cycle);
    expect(first.does.length * later.does.length).toBeGreaterThan(0);
    expect([range.space, range.from, range.to]).toEqual(told.range);
    if (told.word) expect([report.word?.space, report.word?.offset]).toEqual(told.word);
    expect([missing, fix].every((text) => text.length > 20)).toBe(true);
  });

  test('is not told of the program that does it right', () => {
    const story = new RaceStory(policy);
    tell(story, true);

    expect(story.reports).toEqual([]);
  });
});

test('setting a word without having met whoever issues on it afterwards is told with the store first', () => {
  const story = new RaceStory();
  story.broadcast(0, [0, 1], buffer, other, 8, undefined, word);
  story.wait(1, word, 1);
  story.reset(1, word);
  story.broadcast(0, [0, 1], buffer, other, 8, undefined, word);

  const [report] = story.reports.filter(({ kind }) => kind === 'ReplyResetRace');
  expect([report!.first.name, report!.first.core, report!.second.name, report!.second.core]).toEqual([
    'rplySet',
    1,
    'rma_ibcast',
    0,
  ]);
});
