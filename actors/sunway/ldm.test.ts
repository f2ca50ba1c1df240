import { expect, test } from 'vitest';
import { compile } from '../../kernel/compile.ts';
import type { Address, Post } from '../../kernel/message.ts';
import { silentPort } from '../../kernel/port.ts';
import { ldm } from './ldm.ts';
import { portedLdm } from './ported-ldm.ts';

const word = 0x1040;

/** A scratchpad, driven message by message: its state behind each, and what it tells its CPE. */
function driven(machine: typeof ldm | typeof portedLdm) {
  const tables = compile(machine);
  const told: Post[] = [];
  const send = (_to: Address, _delay: number | undefined, message: Post) => void told.push(message);
  const port = { ...silentPort, send, post: (message: Post) => void told.push(message) };
  const input = {
    self: 0 as Address,
    cpe: 1 as Address,
    core: 0,
    heapEnd: 0x8000,
    cacheFirst: 0x10000,
  };
  const state = tables.start(input, port);
  return {
    told,
    take: (event: { readonly type: string }) => {
      tables.react(state, event, port);
      return state.value;
    },
  };
}

test('it watches a word for its CPE until the word has come far enough, and tells so once', () => {
  const { take, told } = driven(ldm);
  const increment = { type: 'reply.increment', offset: word };

  const states = [
    take(increment),
    take({ type: 'reply.watch', offset: word, value: 3 } as never),
    take(increment),
    take(increment),
    take(increment),
  ];

  expect(states).toEqual(['ready', 'watched', 'watched', 'ready', 'ready']);
  expect(told).toMatchObject([{ to: 1, type: 'reply.event', offset: word, value: 3 }]);
});

test.each([
  ['without ports', ldm],
  ['with ports', portedLdm],
] as const)('%s: a word that has come already is told at once', (_name, machine) => {
  const { take, told } = driven(machine);

  expect(take({ type: 'reply.watch', offset: word, value: 0 } as never)).toBe('ready');
  expect(told).toMatchObject([{ type: 'reply.event', value: 0 }]);
});
