import { describe, expect, test } from 'vitest';
import type { Rules } from './clock.ts';
import { cpeCore, mpeCore } from './race-event.ts';
import { allTids, columnOf, RaceStory, rowOf } from './race-story.ts';

const others = allTids.slice(1);
const memory = 0x5000_0000_0000;

describe('one-to-all by gets (scenario S1)', () => {
  const oneToAll = (waitsFor: number, policy: Rules = 'lenient') => {
    const story = new RaceStory(policy);
    story.store(0, 0x1000);
    story.sync();
    for (const tid of others) story.remoteGet(tid, 0x1000, 8, 0, 0x1000, 0x2000, 0x2004);
    for (const tid of others) {
      story.wait(tid, 0x2000, 1);
      story.load(tid, 0x1000);
    }
    story.wait(0, 0x2004, waitsFor);
    story.store(0, 0x1000);
    return story;
  };

  test.each(['lenient', 'strict'] as const)(
    'is free of races when all gets are waited for (%s)',
    (policy) => {
      expect(oneToAll(63, policy).reports).toEqual([]);
    },
  );

  test('a wait for one fewer covers none, and overwriting the value is a conflict', () => {
    expect(oneToAll(62).kinds).toEqual(['AmbiguousWait', 'RemoteConflict']);
  });
});

/** Steps of the RMA conformance walk, each followed by what every CPE does before the next. */
function conformanceWalk(policy: Rules) {
  const story = new RaceStory(policy);
  const [value, word, hidden] = [0x1000, 0x2000, 0x3000];
  const found = new Map<number, ReturnType<RaceStory['taken']>>();
  const blocking = (tid: number, issue: (local: number) => void): void => {
    story.reset(tid, hidden);
    issue(hidden);
    story.wait(tid, hidden, 1);
  };
  const collective = (group: readonly number[], root: number): void => {
    for (const tid of group) story.reset(tid, hidden);
    story.sync(group);
    story.broadcast(root, group, value, value, 4, undefined, hidden);
    for (const tid of group) story.wait(tid, hidden, 1);
    story.sync(group);
  };
  const step = (number: number, play: () => void): void => {
    story.store(0, value, 4);
    for (const tid of allTids) story.reset(tid, word);
    story.sync();
    play();
    story.sync();
    for (const tid of allTids) story.load(tid, value, 4);
    story.sync();
    found.set(number, story.taken());
  };
  const rows = allTids.filter((tid) => tid % 8 === 0).map((tid) => rowOf(tid));
  const columns = allTids.filter((tid) => tid < 8).map((tid) => columnOf(tid));
  const set = (to: readonly number[], local: number) => story.broadcast(0, to, value, value, 4, local, word);
  const all = (play: (tid: number) => void): void => {
    for (const tid of allTids) play(tid);
  };
  step(1, () =>
    all((tid) => blocking(tid, (local) => story.remoteGet(tid, value, 4, 0, value, local, word))),
  );
  step(2, () => {
    all((tid) => story.remoteGet(tid, value, 4, 0, value, word, word));
    all((tid) => story.wait(tid, word, 1));
  });
  step(3, () => {
    blocking(0, (local) => story.remotePut(0, value, 4, 1, value, local, word));
    story.wait(1, word, 1);
  });
  step(4, () => {
    story.remotePut(0, value, 4, 1, value, word, word);
    story.wait(0, word, 1);
    story.wait(1, word, 1);
  });
  const broadcasts = (first: number, to: readonly number[], groups: readonly (readonly number[])[]): void => {
    step(first, () => blocking(0, (local) => set(to, local)));
    step(first + 1, () => {
      set(to, word);
      story.wait(0, word, 1);
    });
    step(first + 2, () => {
      if (groups.length > 1) all((tid) => story.store(tid, value, 4));
      for (const group of groups) collective(group, group[0]!);
    });
  };
  const multicasts = (first: number): void => {
    step(first, () => blocking(0, (local) => set(allTids, local)));
    step(first + 1, () => {
      set(allTids, word);
      all((tid) => story.wait(tid, word, 1));
    });
  };
  broadcasts(5, allTids, [allTids]);
  broadcasts(8, rowOf(0), rows);
  multicasts(11);
  broadcasts(13, columnOf(0), columns);
  multicasts(16);
  return found;
}

describe('RMA conformance walk (scenario S2)', () => {
  test('the lenient policy finds no race, and warns of CPE 0 in steps 2, 6, 9, 12, 14 and 17', () => {
    const found = conformanceWalk('lenient');

    const warned = [...found].filter(([, reports]) => reports.length > 0);
    expect(warned.map(([step]) => step)).toEqual([2, 6, 9, 12, 14, 17]);
    for (const [, reports] of warned)
      expect(reports).toEqual([
        expect.objectContaining({ kind: 'AmbiguousWait', severity: 'warning', cores: [cpeCore(0)] }),
      ]);
  });

  test('the strict policy finds data unwaited for at receivers in steps 5, 6, 8, 9, 11, 13, 14 and 16', () => {
    const found = conformanceWalk('strict');

    const steps = (kind: string) =>
      [...found]
        .filter(([, reports]) => reports.some((one) => one.kind === kind && one.second!.core !== cpeCore(0)))
        .map(([step]) => step);
    expect(steps('UnwaitedRemoteArrival')).toEqual([5, 6, 8, 9, 11, 13, 14, 16]);
    const receivers = new Set(
      found
        .get(13)!
        .filter(({ kind }) => kind === 'UnwaitedRemoteArrival')
        .map(({ second }) => second!.core),
    );
    expect([...receivers].filter((core) => core !== 0)).toEqual(columnOf(0).slice(1));
    const kinds = new Set([...found.values()].flat().map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['AmbiguousWait', 'ReplyResetRace', 'UnwaitedRemoteArrival']);
  });
});

describe('streaming AXPY (scenario S3)', () => {
  const blockBytes = 4096;
  const axpy = (skip?: 'arrival' | 'sent') => {
    const story = new RaceStory();
    const [x, y, arrived, sent] = [
      [0x1000, 0x2000],
      [0x3000, 0x4000],
      [0x8000, 0x8010],
      [0x8020, 0x8030],
    ];
    const fetch = (tid: number, block: number) => {
      const half = block % 2;
      const at = (tid * 4 + block) * blockBytes;
      // The buffer of two blocks ago is free again when its put has left.
      if (block >= 2 && skip !== 'sent') story.wait(tid, sent[half]!, block >> 1);
      story.get(tid, x[half]!, memory + at, blockBytes, arrived[half]!);
      story.get(tid, y[half]!, memory + 0x1000_0000 + at, blockBytes, arrived[half]!);
    };
    for (const tid of [0, 1, 63]) fetch(tid, 0);
    for (let block = 0; block < 4; block++)
      for (const tid of [0, 1, 63]) {
        const half = block % 2;
        if (block + 1 < 4) fetch(tid, block + 1);
        if (skip !== 'arrival') story.wait(tid, arrived[half]!, 2 * ((block >> 1) + 1));
        story.load(tid, x[half]!, blockBytes);
        story.load(tid, y[half]!, blockBytes);
        story.store(tid, y[half]!, blockBytes);
        story.put(
          tid,
          memory + 0x1000_0000 + (tid * 4 + block) * blockBytes,
          y[half]!,
          blockBytes,
          sent[half]!,
        );
      }
    for (const tid of [0, 1, 63]) {
      for (const word of sent) story.wait(tid, word, 2);
      story.end(tid);
    }
    return story;
  };

  test('double buffers with all their waits are free of races', () => {
    expect(axpy().reports).toEqual([]);
  });

  test('computing without the wait reads before the arrival', () => {
    expect(axpy('arrival').kinds[0]).toBe('ReadBeforeArrival');
  });

  test('refilling a buffer whose put was not waited for overwrites it before it was sent', () => {
    expect(axpy('sent').kinds[0]).toBe('OverwriteBeforeSent');
  });
});

describe('concurrent append (scenario S7)', () => {
  const append = (locked: boolean, by: 'load' | 'dma') => {
    const story = new RaceStory();
    const counter = memory + 0x100;
    for (let index = 0; index < 128; index++) {
      const tid = index % 64;
      if (locked) story.lock('lock', tid, 'array');
      if (by === 'load') {
        story.memory('load', counter, 4, cpeCore(tid));
        story.memory('store', counter, 4, cpeCore(tid));
      } else {
        story.get(tid, 0x1000, counter, 4, 0x2000);
        story.wait(tid, 0x2000, 2 * (index >> 6) + 1);
        story.store(tid, 0x1000, 4);
        story.put(tid, counter, 0x1000, 4, 0x2000);
        story.wait(tid, 0x2000, 2 * (index >> 6) + 2);
      }
      if (locked) story.lock('unlock', tid, 'array');
      story.memory('store', memory + 0x1000 + 4 * index, 4, cpeCore(tid));
    }
    return story;
  };

  test.each(['load', 'dma'] as const)('the counter under a lock is free of races (by %s)', (by) => {
    expect(append(true, by).reports).toEqual([]);
  });

  test.each(['load', 'dma'] as const)('the counter without the lock is a memory conflict (by %s)', (by) => {
    const { kinds, reports } = append(false, by);
    expect(kinds).toEqual(['MemoryConflict']);
    expect(reports.every(({ range }) => range.from === memory + 0x100)).toBe(true);
  });
});

describe('wavefront with remote flags (scenario S11)', () => {
  const wavefront = (how: 'marked' | 'unmarked' | 'flag first') => {
    const story = new RaceStory();
    const marked = how !== 'unmarked';
    const at = (fromLeft: boolean) => [fromLeft ? 0x1000 : 0x1010, fromLeft ? 0x1100 : 0x1110] as const;
    const receive = (tid: number, fromLeft: boolean) => {
      const [value, flag] = at(fromLeft);
      if (marked) story.flag('load', tid, flag);
      else story.load(tid, flag, 4);
      story.load(tid, value, 4);
    };
    const push = (tid: number, to: number, fromLeft: boolean) => {
      const [value, flag] = at(fromLeft);
      const raise = () => (marked ? story.flag('store', tid, flag, to) : story.store(tid, flag, 4, to));
      if (how === 'flag first') raise();
      story.store(tid, value, 4, to);
      if (how !== 'flag first') raise();
    };
    for (const tid of allTids) {
      if (tid % 8 > 0) receive(tid, true);
      if (tid >= 8) receive(tid, false);
      if (tid % 8 < 7) push(tid, tid + 1, true);
      if (tid < 56) push(tid, tid + 8, false);
    }
    return story;
  };

  test('flags that are marked order the values behind them', () => {
    expect(wavefront('marked').reports).toEqual([]);
  });

  test('flags that are not marked are races themselves', () => {
    expect(wavefront('unmarked').kinds).toEqual(['RemoteConflict']);
  });

  test('a flag stored before its value leaves the value unordered', () => {
    expect(wavefront('flag first').kinds).toEqual(['RemoteConflict']);
  });
});

describe('hand-shake of host and array (scenario S13)', () => {
  const handShake = (readsEarly: boolean) => {
    const story = new RaceStory();
    story.threads('spawn');
    for (let round = 1; round <= 3; round++) {
      const read = () => {
        for (const tid of allTids) {
          story.get(tid, 0x1000, memory, 4, 0x2000);
          story.wait(tid, 0x2000, round);
          story.load(tid, 0x1000, 4);
        }
      };
      if (readsEarly) read();
      story.memory('store', memory, 4);
      story.sync(allTids, true);
      if (!readsEarly) read();
      story.sync(allTids, true);
    }
    for (const tid of allTids) story.end(tid);
    story.threads('joining');
    story.threads('join');
    story.memory('load', memory, 4);
    return story;
  };

  test('reading after the synchronisation is free of races', () => {
    expect(handShake(false).reports).toEqual([]);
  });

  test('reading before the synchronisation is a conflict in memory', () => {
    const { kinds, reports } = handShake(true);
    expect(kinds).toEqual(['MemoryConflict']);
    expect(reports[0]!.cores).toContain(mpeCore());
  });
});

describe('stale cache (scenario S14)', () => {
  const staleCache = (how: 'stale' | 'evicted' | 'no cache') => {
    const story = new RaceStory();
    const cached = { cached: how !== 'no cache' };
    const read = () => story.memory('load', memory + 8, 4, cpeCore(1), cached);
    if (cached.cached) story.cache('fill', 1, memory);
    read();
    story.sync();
    story.get(0, 0x1000, memory + 8, 4, 0x2000);
    story.wait(0, 0x2000, 1);
    story.load(0, 0x1000, 4);
    story.store(0, 0x1000, 4);
    story.put(0, memory + 8, 0x1000, 4, 0x2000);
    story.wait(0, 0x2000, 2);
    story.sync();
    if (how === 'evicted') {
      story.cache('drop', 1, memory);
      story.cache('fill', 1, memory);
    }
    read();
    return story;
  };

  test('a line from before the put is stale', () => {
    const { kinds, reports } = staleCache('stale');
    expect(kinds).toEqual(['StaleCacheRead']);
    expect(reports[0]!.cores).toEqual([cpeCore(0), cpeCore(1)]);
  });

  test('a line that was evicted in between is not', () => {
    expect(staleCache('evicted').reports).toEqual([]);
  });

  test('without a cache nothing is stale', () => {
    expect(staleCache('no cache').reports).toEqual([]);
  });
});
