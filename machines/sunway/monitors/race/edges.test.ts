import { describe, expect, test } from 'vitest';
import { cpeCore } from './race-event.ts';
import { RaceStory } from './race-story.ts';

/* Which edges lead out of a transfer, and whom a wait covers (Sunway specification 7.2, 7.3). */

const memory = 0x5000_0000_0000;
const [buffer, other, word, second] = [0x1000, 0x3000, 0x2000, 0x2004];
const policies = ['lenient', 'strict'] as const;

const kindsOf = (play: (story: RaceStory) => void, policy: 'lenient' | 'strict' = 'lenient') => {
  const story = new RaceStory(policy);
  play(story);
  return story.reports.filter(({ severity }) => severity === 'error').map(({ kind }) => kind);
};

describe.each(policies)('an increment orders what its issuer did before the issue (%s)', (policy) => {
  test('a token that is put and waited for orders a value stored before it', () => {
    const withToken = (waits: boolean) =>
      kindsOf((story) => {
        story.store(1, buffer, 4);
        story.remotePut(1, other, 4, 0, other, undefined, word);
        if (waits) story.wait(0, word, 1);
        story.remoteGet(0, 0x4000, 4, 1, buffer, second);
      }, policy);

    expect(withToken(true)).toEqual([]);
    expect(withToken(false)).toEqual(['RemoteConflict']);
  });

  test('an acknowledged ping-pong has no race, though nobody waits for its own side', () => {
    const found = kindsOf((story) => {
      for (let round = 1; round <= 4; round++) {
        story.remotePut(0, buffer, 64, 1, buffer, undefined, word);
        story.wait(1, word, round);
        story.load(1, buffer, 64);
        story.store(1, buffer, 64);
        story.remotePut(1, buffer, 64, 0, buffer, undefined, word);
        story.wait(0, word, round);
        story.load(0, buffer, 64);
        story.store(0, buffer, 64);
      }
    }, policy);

    expect(found).toEqual([]);
  });

  test('a wait that does not cover the increment orders nothing', () => {
    const found = kindsOf((story) => {
      story.store(1, buffer, 4);
      story.remotePut(1, other, 4, 0, other, undefined, word);
      story.remotePut(2, other, 4, 0, other + 64, undefined, word);
      story.wait(0, word, 1);
      story.remoteGet(0, 0x4000, 4, 1, buffer, second);
    }, policy);

    expect(found).toEqual(['RemoteConflict']);
  });

  test('a token is a round trip for a put to memory only when it answers something', () => {
    const found = (answers: boolean) =>
      kindsOf((story) => {
        if (!answers) story.remotePut(1, other, 4, 0, other, undefined, second);
        story.put(0, memory, buffer, 64, word);
        story.wait(0, word, 1);
        if (answers) {
          story.remotePut(0, 0x5000, 4, 1, 0x5000, undefined, second);
          story.wait(1, second, 1);
          story.remotePut(1, other, 4, 0, other, undefined, second);
        }
        story.wait(0, second, 1);
        story.get(0, 0x6000, memory, 64, word);
      }, policy);

    expect(found(true)).toEqual([]);
    expect(found(false)).toEqual(['MemoryConflict']);
  });
});

describe.each(policies)('a wait covers for who waits, and takes nothing from others (%s)', (policy) => {
  /** CPE 0 puts to CPE 1, then behind a barrier operation to CPE 2; both wait. */
  const twoReceivers = (story: RaceStory, order: readonly number[]) => {
    story.remotePut(0, buffer, 64, 1, buffer, undefined, word);
    story.order(0, 'rma');
    story.remotePut(0, other, 64, 2, other, undefined, word);
    for (const tid of order) story.wait(tid, word, 1);
  };

  test.each([[[1, 2]], [[2, 1]]])(
    'behind a barrier operation, waits of CPE %j each cover their own',
    (order) => {
      const found = kindsOf((story) => {
        twoReceivers(story, order);
        story.load(1, buffer, 64);
        story.load(2, other, 64);
        story.reset(1, word);
        story.reset(2, word);
      }, policy);

      expect(found).toEqual([]);
    },
  );

  test.each([[[1, 2]], [[2, 1]]])(
    'who waits for the later one knows that the earlier one is over, in the order %j',
    (order) => {
      const found = kindsOf((story) => {
        twoReceivers(story, order);
        story.remotePut(2, 0x5000, 64, 1, buffer, second);
      }, policy);

      expect(found).toEqual([]);
    },
  );

  test('a wait of the owner does not make a store of somebody else safe', () => {
    const found = kindsOf((story) => {
      story.remotePut(0, buffer, 64, 1, buffer, undefined, word);
      story.wait(1, word, 1);
      story.tell(cpeCore(2), 'st', {
        kind: 'store',
        space: cpeCore(1),
        address: word,
        bytes: 4,
      });
    }, policy);

    expect(found).toEqual(['ReplyResetRace']);
  });

  test('who reads the word of another CPE covers for itself alone, and the owner can still wait', () => {
    const found = (reads: boolean, waits: boolean) =>
      kindsOf((story) => {
        story.remotePut(0, buffer, 64, 1, buffer, undefined, word);
        if (reads)
          story.tell(cpeCore(2), 'rplyRead', {
            kind: 'reply.read',
            word: { space: cpeCore(1), offset: word },
            value: 1,
          });
        story.load(2, buffer, 64, 1);
        if (waits) story.wait(1, word, 1);
        story.load(1, buffer, 64);
      }, policy);

    expect(found(true, true)).toEqual([]);
    expect(found(true, false)).toEqual(['ReadBeforeArrival']);
    expect(found(false, true)).toEqual(['RemoteConflict']);
  });
});

test.each(policies)('a word that its program has set before anybody names it begins there (%s)', (policy) => {
  const found = (value: number) =>
    kindsOf((story) => {
      story.tell(cpeCore(1), 'st', {
        kind: 'store',
        space: cpeCore(1),
        address: word,
        bytes: 4,
        data: Uint8Array.of(value, 0, 0, 0),
      });
      story.sync([0, 1]);
      story.remotePut(0, buffer, 64, 1, buffer, undefined, word);
      story.wait(1, word, 1);
      story.load(1, buffer, 64);
    }, policy);

  expect(found(0)).toEqual([]);
  expect(found(1)).toEqual(['ReadBeforeArrival']);
});

describe.each(policies)('transfers of one issuer to one target come in any order (%s)', (policy) => {
  const twoPuts = (between: (story: RaceStory) => void) =>
    kindsOf((story) => {
      story.remotePut(0, buffer, 64, 1, buffer, undefined, word);
      between(story);
      story.remotePut(0, other, 64, 1, other, undefined, word);
      story.wait(1, word, 1);
      story.load(1, buffer, 64);
    }, policy);

  test('a wait for one of two outstanding on a counter covers neither', () => {
    expect(twoPuts(() => {})).toEqual(['ReadBeforeArrival']);
  });

  test('but the first one, when a barrier operation makes it the first', () => {
    expect(twoPuts((story) => story.order(0, 'rma'))).toEqual([]);
    expect(twoPuts((story) => story.order(0, 'dma'))).toEqual(['ReadBeforeArrival']);
  });

  test('or when the issuer of the second knew that the first was over', () => {
    const found = twoPuts((story) => {
      story.order(0, 'rma');
      story.remotePut(0, 0x5000, 4, 2, 0x5000, undefined, second);
      story.wait(2, second, 1);
      story.remotePut(2, 0x5000, 4, 0, 0x5000, undefined, second);
      story.wait(0, second, 1);
    });

    expect(found).toEqual([]);
  });
});

test('the lenient rules accept a synchronisation of both parties after somebody else knew the end', () => {
  const found = kindsOf((story) => {
    story.remotePut(0, buffer, 64, 1, buffer, word, second);
    story.order(0, 'rma');
    story.remotePut(0, other, 64, 2, other, undefined, second);
    story.wait(2, second, 1);
    story.wait(0, word, 1);
    story.sync([0, 1]);
    story.load(1, buffer, 64);
    story.reset(1, second);
  });

  expect(found).toEqual([]);
});
