import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Observer } from '../../kernel/explore/observer.ts';

import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { watch } from '../property.ts';
import { eventually, leadsTo, message } from './temporal.ts';

/*
 * A deadline passes with the last tick that is carried out, also where no message comes between: a message in tick 0, another one in tick 9, and a last tick in between.
 */

type Event = { type: 'ask' | 'other' };
const idle = setup({
  types: {} as { context: Record<string, never>; events: Event },
}).createMachine({ id: 'idle', context: {}, on: { ask: {}, other: {} } });

function wired(): Wiring {
  const wiring = new Wiring();
  const to = wiring.place('A', idle, undefined);
  wiring.begin({ to, type: 'ask' });
  wiring.begin({ to, type: 'other', delay: 9 });
  return wiring;
}

function byRun(observer: Observer, until: number): string {
  const run = new Run(wired());
  const watching = watch(run, [observer]);
  run.until(until);
  watching.end();
  return run.outcome.verdict;
}

const byCheck = (observer: Observer, until: number) =>
  new Explorer(wired, { observers: [observer], until }).toEnd().verdict;

test.each<[string, (within: number) => Observer]>([
  ['an answer', (within) => leadsTo('ask is answered', message('ask'), message('answer'), { within })],
  ['another message', (within) => leadsTo('ask is followed', message('ask'), message('other'), { within })],
  ['anything', (within) => eventually('other comes', message('other'), { within })],
])('a deadline of %s', (_, sentence) => {
  for (const until of [0, 1, 4, 5, 6, 8])
    for (const within of [0, 1, 4, 5, 6, 8]) {
      const isOver = within <= until;
      expect([until, within, byRun(sentence(within), until)]).toEqual([
        until,
        within,
        isOver ? 'violated' : 'ok',
      ]);
      expect([until, within, byCheck(sentence(within), until)]).toEqual([
        until,
        within,
        isOver ? 'violated' : 'incomplete',
      ]);
    }
});
