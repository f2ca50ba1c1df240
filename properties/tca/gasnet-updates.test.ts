import { expect, test } from 'vitest';
import type { GasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';
import { boardAddress, boardSlots, requests } from '../../actors/tca/gasnet/layout.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { gasnetLayout } from '../../machines/tca/gasnet.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';

const messages = 12;

/** Requests by turns, or from node 0 alone: what was raised, and how many update messages node 1 has sent for its ring of requests. */
function updatesOf(update: 'eager' | 'half', bothWays: boolean, slots: number, seed?: number, words = 0) {
  const config = gasnetConfigOf({ update, slots });
  const { layout } = gasnetLayout(config, config.gasnet!);
  let taken = 0;
  const program: GasnetProgram = function* (gasnet) {
    let heard = 0;
    const count: Handler = () => {
      heard++;
      taken++;
    };
    yield* gasnet.init();
    yield* gasnet.attach([{ handler: count }]);
    const other = 1 - gasnet.rank;
    const args = new Array<number>(words).fill(7);
    for (let k = 0; k < messages; k++) {
      if (gasnet.rank === 1) yield* gasnet.waitUntil(() => heard > k);
      if (gasnet.rank === 0 || bothWays)
        yield* gasnet.request(other, 'short', gasnet.indexOf(count), { args });
      if (gasnet.rank === 0 && bothWays) yield* gasnet.waitUntil(() => heard > k);
    }
    yield* gasnet.barrier();
  };
  let updates = 0;
  const word = boardAddress(layout, 1, 0, boardSlots.freed(requests));
  const { raised } = gasnetTrial(
    config,
    program,
    seed === undefined ? {} : { choices: new RandomChoices(seed) },
    [],
    (run) =>
      run.messages$.subscribe(({ message: { event } }) => {
        if (event.type !== 'pio.store') return;
        updates += (event as unknown as TcaMessage<'pio.store'>).stores.filter(
          ({ address }) => address === word,
        ).length;
      }),
  );
  return { raised, updates, taken };
}

test('a receiver tells of each slot by a message of its own, or of half of its ring at once', () => {
  expect(updatesOf('eager', false, 4)).toEqual({ raised: [], updates: messages, taken: messages });
  expect(updatesOf('half', false, 4)).toEqual({ raised: [], updates: messages / 2, taken: messages });
});

test('packets that go the other way tell of freed slots: no other message is needed', () => {
  expect(updatesOf('half', true, 4)).toEqual({ raised: [], updates: 0, taken: 2 * messages });
  for (const seed of [1, 2, 3]) {
    const { raised, taken } = updatesOf('half', true, 2, seed);
    expect({ raised, taken }).toEqual({ raised: [], taken: 2 * messages });
  }
});

test.each([6, 7, 8, 9])(
  'packets with %i arguments that go the other way never tell of slots without saying so',
  (words) => {
    const { raised, taken } = updatesOf('half', true, 4, undefined, words);

    expect({ raised, taken }).toEqual({ raised: [], taken: 2 * messages });
  },
);
