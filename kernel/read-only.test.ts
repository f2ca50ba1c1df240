import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from './explore/explorer.ts';
import type { Observer } from './explore/observer.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import { readOnly, readOnlyCopy } from './read-only.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

interface Queue {
  waiting: number[];
}
const { update } = component<Queue, { type: 'ask'; who: readonly number[] }>();

const server = setup({
  types: {} as { context: Queue; events: { type: 'ask'; who: readonly number[] } },
  actions: {
    take: update<'ask'>((me, { who }) => {
      me.waiting = [...me.waiting, ...who];
    }),
  },
}).createMachine({
  id: 'server',
  context: { waiting: [] },
  initial: 'open',
  states: { open: { on: { ask: { actions: 'take' } } } },
});

const queue = (): Wiring => {
  const wiring = new Wiring({ order: 'perChannel' });
  const at: Address = wiring.place('Server', server, undefined);
  for (const who of [[3, 1], [2]]) wiring.begin({ to: at, type: 'ask', who });
  return wiring;
};

const looking = (changes: (list: number[]) => unknown): Observer => ({
  sentence: 'nobody waits twice',
  watches: [],
  keepsNothing: true,
  begin: () => ({}),
  see: () => undefined,
  seeState: (_memory, state) => {
    changes(state.actor<Queue>('Server').context.waiting);
    return undefined;
  },
});

describe('who looks', () => {
  test('and changes a state is refused (KRN026): other verdicts would depend on it', () => {
    for (const changes of [(list: number[]) => list.sort(), (list: number[]) => list.push(1)]) {
      const find = () => new Explorer(queue, { observers: [looking(changes)] }).toEnd();
      expect(find).toThrow('KRN026 nobody waits twice: Cannot');
    }
    const copying = new Explorer(queue, { observers: [looking((list) => [...list].sort())] });
    expect(copying.toEnd()).toMatchObject({ verdict: 'ok', states: 3 });
  });

  test('for a witness, and throws, has found none (KRN014)', () => {
    const broken: Observer = {
      ...looking(() => {
        throw new Error('no list');
      }),
      reachable: true,
    };

    expect(() => new Explorer(queue, { observers: [broken] }).toEnd()).toThrow(
      'KRN014 nobody waits twice: Error: no list',
    );
  });

  test('and changes a message is refused, as a boundary is', () => {
    const messages = new Explorer(queue, {
      observers: [
        {
          ...looking(() => {}),
          watches: ['ask'],
          see: (_memory, observation) => {
            if (observation.kind === 'message')
              (observation.event as unknown as { who: number[] }).who.sort();
            return undefined;
          },
        },
      ],
    });
    const bounded = () => {
      const wiring = queue();
      wiring.boundary = (state) => state.actor<Queue>('Server').context.waiting.sort().length < 9;
      return wiring;
    };

    expect(() => messages.toEnd()).toThrow('KRN026');
    expect(() => new Explorer(bounded).toEnd()).toThrow('KRN026 boundary');
    expect(() => new Run(bounded()).toEnd()).toThrow('KRN026 boundary');
  });

  test('gets data that refuse to be changed, maps and sets among them, and resources as they are', () => {
    const resource = { fork: () => resource, hash: () => {}, count: 1 };
    const data = {
      list: [{ n: 1 }],
      map: new Map([['a', [1]]]),
      set: new Set([1]),
      bytes: new Uint8Array(2),
      resource,
    };
    const copy = readOnlyCopy(data);

    expect(() => copy.list[0]!.n++).toThrow('read only');
    expect(() => copy.map.set('b', [])).toThrow('read only');
    expect(() => copy.map.get('a')!.push(2)).toThrow('not extensible');
    expect(() => copy.set.delete(1)).toThrow('read only');
    expect(copy.resource).toBe(resource);
    expect(readOnly(copy)).toEqual(data);
    data.list[0]!.n++;
    expect(copy.list[0]!.n).toBe(1);
  });
});
