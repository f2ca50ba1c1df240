import { expect, test } from 'vitest';
import { cpeCore } from './race-event.ts';
import { placed, raceText } from './race-report.ts';
import { RaceStory } from './race-story.ts';

const memory = 0x5000_0000_0000;

/** Kinds found in a story. */
function kinds(play: (story: RaceStory) => void, policy: 'lenient' | 'strict' = 'lenient') {
  const story = new RaceStory(policy);
  play(story);
  return story.kinds;
}

test('two gets into one buffer overlap, also when both are waited for afterwards', () => {
  const found = kinds((story) => {
    story.get(0, 0x1000, memory, 64, 0x2000);
    story.get(0, 0x1020, memory + 4096, 64, 0x2000);
    story.wait(0, 0x2000, 2);
    story.load(0, 0x1000, 96);
  });

  expect(found).toEqual(['TransferOverlap']);
});

test('a barrier operation between two transfers orders them, one of the other engine does not', () => {
  const between = (engine: 'dma' | 'rma' | 'both') =>
    kinds((story) => {
      story.put(0, memory, 0x1000, 64, 0x2000);
      story.order(0, engine);
      story.get(0, 0x3000, memory, 64, 0x2004);
      story.wait(0, 0x2004, 1);
      story.store(0, 0x1000, 64);
      story.load(0, 0x3000, 64);
    });

  expect(between('dma')).toEqual([]);
  expect(between('both')).toEqual([]);
  expect(between('rma')).toEqual(['MemoryConflict', 'OverwriteBeforeSent']);
});

test('a wait for some of the transfers on a word covers those that a barrier operation forces to be first', () => {
  const found = (ordered: boolean) =>
    kinds((story) => {
      story.get(0, 0x1000, memory, 64, 0x2000);
      if (ordered) story.order(0, 'dma');
      story.get(0, 0x3000, memory, 64, 0x2000);
      story.wait(0, 0x2000, 1);
      story.load(0, 0x1000, 64);
    });

  expect(found(true)).toEqual([]);
  expect(found(false)).toEqual(['AmbiguousWait', 'ReadBeforeArrival']);
});

test('a get of what was just put needs a barrier operation or a round trip, not only the wait', () => {
  const after = (between: (story: RaceStory) => void) =>
    kinds((story) => {
      story.put(0, memory, 0x1000, 64, 0x2000);
      story.wait(0, 0x2000, 1);
      between(story);
      story.get(0, 0x3000, memory, 64, 0x2000);
      story.wait(0, 0x2000, 2);
    });

  expect(after(() => {})).toEqual(['MemoryConflict']);
  expect(after((story) => story.order(0, 'dma'))).toEqual([]);
  expect(after((story) => story.sync([0, 1]))).toEqual([]);
});

test('strides keep apart what interleaves', () => {
  const columns = (second: number) =>
    kinds((story) => {
      story.put(0, memory, 0x1000, 64, 0x2000, { blockBytes: 16, gap: 48 });
      story.put(1, memory + second, 0x1000, 64, 0x2000, { blockBytes: 16, gap: 48 });
    });

  expect(columns(16)).toEqual([]);
  expect(columns(8)).toEqual(['MemoryConflict']);
});

test('an access that races is told with one behind whose neighbour was told before', () => {
  const story = new RaceStory();
  story.load(0, 0x1000, 8, 1);
  story.get(1, 0x1000, memory, 4, 0x2000);
  story.load(0, 0x1008, 8, 1);
  story.get(1, 0x1008, memory + 64, 8, 0x2004);

  expect(story.reports.map(({ kind, first, second }) => [kind, first.step, second.step])).toEqual([
    ['RemoteConflict', 0, 1],
    ['RemoteConflict', 2, 3],
  ]);
});

test('setting a word while an increment is outstanding is found in both orders', () => {
  const late = kinds((story) => {
    story.broadcast(0, [0, 1], 0x1000, 0x1000, 8, undefined, 0x2000);
    story.reset(1, 0x2000);
  });
  const early = kinds((story) => {
    story.reset(1, 0x2000);
    story.broadcast(0, [0, 1], 0x1000, 0x1000, 8, undefined, 0x2000);
  });
  const synchronised = kinds((story) => {
    story.reset(1, 0x2000);
    story.sync([0, 1]);
    story.broadcast(0, [0, 1], 0x1000, 0x1000, 8, undefined, 0x2000);
    story.wait(1, 0x2000, 1);
    story.reset(1, 0x2000);
  });

  expect(late).toEqual(['ReplyResetRace']);
  expect(early).toEqual(['ReplyResetRace']);
  expect(synchronised).toEqual([]);
});

test('of several stores to a word before its first transfer, the last one is told', () => {
  const story = new RaceStory();
  story.store(0, 0x2000, 4);
  story.store(0, 0x2004, 4);
  story.store(0, 0x2000, 4);
  story.remotePut(1, 0x1000, 8, 0, 0x1000, undefined, 0x2000);

  expect(story.reports.map(({ kind, first, second }) => [kind, first.step, second.step])).toEqual([
    ['ReplyResetRace', 2, 3],
  ]);
});

test('a report has the cycle of the operation that it names, also where several accesses of a core make one', () => {
  const story = new RaceStory();
  story.store(0, 0x1000, 8, 1);
  story.store(0, 0x1008, 8, 1);
  story.load(1, 0x1008, 8);

  expect(story.reports.map(({ first }) => [first.step, first.cycle])).toEqual([[1, 1]]);
});

test('a put that the receiver neither waits for nor synchronises after is read before its arrival', () => {
  const found = (policy: 'lenient' | 'strict', sync: boolean) =>
    kinds((story) => {
      story.remotePut(0, 0x1000, 64, 1, 0x1000, 0x2000);
      story.wait(0, 0x2000, 1);
      if (sync) story.sync([0, 1]);
      story.load(1, 0x1000, 64);
    }, policy);

  expect(found('lenient', false)).toEqual(['ReadBeforeArrival']);
  expect(found('lenient', true)).toEqual([]);
  expect(found('strict', true)).toEqual(['UnwaitedRemoteArrival']);
});

test('a synchronisation without the receiver does not order a put for others', () => {
  const found = kinds((story) => {
    story.remotePut(0, 0x1000, 64, 1, 0x1000, 0x2000);
    story.wait(0, 0x2000, 1);
    story.sync([0, 2]);
    story.remoteGet(2, 0x1000, 64, 1, 0x1000, 0x2000);
  });

  expect(found).toEqual(['TransferOverlap']);
});

test('a remote put into a buffer that its owner still reads is a conflict with the owner', () => {
  const found = kinds((story) => {
    story.load(1, 0x1000, 64);
    story.remotePut(0, 0x1000, 64, 1, 0x1000, 0x2000);
  });

  expect(found).toEqual(['RemoteConflict']);
});

test('a race with one of two stores side by side does not hide the race with the other one', () => {
  const story = new RaceStory();
  story.store(1, 0x1000, 4, 0);
  story.store(1, 0x1004, 4, 0);
  for (let turn = 0; turn < 3; turn++) story.load(0, 0x1004, 4);
  story.load(0, 0x1000, 4);

  expect(story.reports.map(({ kind, range, first }) => [kind, range.from, first.step])).toEqual([
    ['RemoteConflict', 0x1004, 1],
    ['RemoteConflict', 0x1000, 0],
  ]);
});

test('writing back a line that holds what another core has changed clobbers it', () => {
  const found = (line: number) =>
    kinds((story) => {
      const cached = { cached: true };
      story.cache('fill', 0, memory);
      story.memory('store', memory, 8, cpeCore(0), cached);
      story.put(1, memory + line, 0x1000, 8, 0x2000);
      story.wait(1, 0x2000, 1);
      story.sync([0, 1]);
      story.cache('writeBack', 0, memory);
    });

  expect(found(8)).toEqual(['CacheClobber']);
  expect(found(64)).toEqual([]);
});

test('a put into a line that was written back unordered clobbers or is clobbered', () => {
  const found = kinds((story) => {
    story.cache('fill', 0, memory);
    story.memory('store', memory, 8, cpeCore(0), { cached: true });
    story.cache('writeBack', 0, memory);
    story.put(1, memory + 8, 0x1000, 8, 0x2000);
  });

  expect(found).toEqual(['CacheClobber']);
});

test("a core's own get does not see what its cache has not written back", () => {
  const found = (written: boolean) =>
    kinds((story) => {
      story.cache('fill', 0, memory);
      story.memory('store', memory, 8, cpeCore(0), { cached: true });
      story.memory('load', memory, 8, cpeCore(0), { cached: true });
      if (written) story.cache('writeBack', 0, memory);
      story.get(0, 0x1000, memory, 64, 0x2000);
    });

  expect(found(false)).toEqual(['MemoryConflict']);
  expect(found(true)).toEqual([]);
});

test('freeing a buffer with a transfer on it, and ending a thread with one', () => {
  const freed = kinds((story) => {
    story.get(0, 0x1000, memory, 64, 0x2000);
    story.tell(cpeCore(0), 'ldm_free', { kind: 'free', space: cpeCore(0), address: 0x1000, bytes: 64 });
  });
  const orphan = kinds((story) => {
    story.get(0, 0x1000, memory, 64, 0x2000);
    story.end(0);
  });
  const foreign = kinds((story) => {
    story.remotePut(0, 0x1000, 64, 1, 0x1000, 0x2000);
    story.end(1);
  });
  const waited = kinds((story) => {
    story.get(0, 0x1000, memory, 64, 0x2000);
    story.wait(0, 0x2000, 1);
    story.tell(cpeCore(0), 'ldm_free', { kind: 'free', space: cpeCore(0), address: 0x1000, bytes: 64 });
    story.end(0);
  });

  expect(freed).toEqual(['FreeWhileInFlight']);
  expect(orphan).toEqual(['OrphanTransfer']);
  expect(foreign).toEqual(['FreeWhileInFlight']);
  expect(waited).toEqual([]);
});

test('the host sees what its threads put once it has joined them, waited for or not', () => {
  const found = (joined: boolean) =>
    kinds((story) => {
      story.threads('spawn', [0]);
      story.put(0, memory, 0x1000, 64, 0x2000);
      story.wait(0, 0x2000, 1);
      story.end(0);
      if (joined) story.threads('join', [0]);
      story.memory('load', memory, 64);
    });

  expect(found(true)).toEqual([]);
  expect(found(false)).toEqual(['MemoryConflict']);
});

test('a signal orders what its sender did before what the handler does', () => {
  const found = (signalled: boolean) =>
    kinds((story) => {
      story.memory('store', memory, 8, cpeCore(3));
      if (signalled) {
        story.tell(cpeCore(3), 'ssig_host', { kind: 'signal.send', signal: '3 0' });
        story.tell(64, 'handler', { kind: 'signal.handle', signal: '3 0' });
      }
      story.memory('load', memory, 8);
    });

  expect(found(true)).toEqual([]);
  expect(found(false)).toEqual(['MemoryConflict']);
});

test('an atomic addition hands over what was done before the one it follows', () => {
  const found = (atomic: boolean) =>
    kinds((story) => {
      const word = memory + 0x100;
      story.memory('store', memory, 8, cpeCore(0));
      story.memory('store', word, 4, cpeCore(0), { atomic });
      story.memory('store', word, 4, cpeCore(1), { atomic });
      story.memory('load', memory, 8, cpeCore(1));
    });

  expect(found(true)).toEqual([]);
  expect(found(false)).toEqual(['MemoryConflict']);
});

test('a report names both operations, the bytes, the missing edge and a cure', () => {
  const story = new RaceStory();
  story.get(5, 0x1000, memory, 64, 0x2000);
  story.load(5, 0x1008, 8);

  const report = placed(story.reports[0]!, {
    placeOf: (core, { step }) => `axpy.ts:${10 + core + step}`,
    bufferAt: (space, address, cycle) => `buffer "x ${space} ${address} ${cycle}"`,
  });
  expect(raceText(report).split('\n')).toEqual([
    'ReadBeforeArrival in cycle 1: LDM of CPE 5, 8 bytes at 0x1008 in buffer "x 5 4104 1"',
    '  CPE 5 writes by a transfer in dma_iget (axpy.ts:15, cycle 0); CPE 5 reads in ld (axpy.ts:16, cycle 1)',
    '  missing: a wait on the reply word at 0x2000 of CPE 5 that covers the transfer',
    '  fix: wait on the reply word for the number of transfers issued on it before using the buffer',
  ]);
});

test('of a get without a word of its own no wait is the cure, but such a word', () => {
  const fixOf = (local: number | undefined): string => {
    const story = new RaceStory();
    story.remoteGet(0, 0x1000, 16, 1, 0x3000, local, 0x2000);
    story.load(0, 0x1000, 4);
    return story.reports[0]!.fix;
  };

  expect(fixOf(undefined)).toMatch(/^give the transfer a reply word that tells when this is over/);
  expect(fixOf(0x2004)).toMatch(/^wait on the reply word/);
});

test('what everybody is past is forgotten: three thousand transfers leave no more than a few accesses', () => {
  const story = new RaceStory();
  for (let round = 0; round < 50; round++) {
    for (let tid = 0; tid < 64; tid++) {
      story.get(tid, 0x1000, memory + 4096 * tid, 4096, 0x2000);
      story.wait(tid, 0x2000, round + 1);
      story.load(tid, 0x1000, 4096);
    }
    story.sync();
  }

  expect(story.reports).toEqual([]);
  expect(story.detector.remembered).toBeLessThan(5000);
});

test('what the role rule alone orders is an UnwaitedRemoteArrival under the strict rules, plain accesses too', () => {
  const found = (policy: 'lenient' | 'strict', both: boolean) =>
    kinds((story) => {
      story.load(0, 0x1000, 8);
      story.broadcast(0, [0, 1], 0x3000, 0x4000, 8, 0x2000, both ? 0x2000 : undefined);
      story.tell(cpeCore(1), 'rplyRead', {
        kind: 'reply.read',
        word: { space: cpeCore(0), offset: 0x2000 },
        value: 1,
      });
      story.store(1, 0x1000, 8, 0);
    }, policy);

  expect(found('lenient', true)).toEqual([]);
  expect(found('strict', true)).toEqual(['UnwaitedRemoteArrival']);
  expect(found('strict', false)).toEqual([]);
});
