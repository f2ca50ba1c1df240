import { expect, test } from 'vitest';
import { compile } from '../../../kernel/compile.ts';
import type { Address, Post } from '../../../kernel/message.ts';
import { silentPort } from '../../../kernel/port.ts';
import { descriptorCache } from './descriptor-cache.ts';

test('a new entry takes the place of the oldest one that is ready; while all are in flight it is not kept', () => {
  const tables = compile(descriptorCache);
  const found: unknown[] = [];
  const send = (_to: Address, _delay: number | undefined, { parts }: Post & { parts?: unknown }) =>
    void found.push(parts === null ? 'miss' : 'hit');
  const port = { ...silentPort, send, post: (message: Post) => send(message.to, 0, message) };
  const state = tables.start({ entries: 2, planner: 0 as Address }, port);
  const take = (type: string, fields: object) => {
    tables.react(state, { type: `cache.${type}`, ...fields } as never, port);
    return state.value;
  };
  const keep = (key: string) => take('keep', { key, parts: [] });
  const find = (key: string) => take('find', { key });

  expect([keep('a'), keep('b'), keep('c'), find('c')]).toEqual([
    'keeping',
    'allInFlight',
    'allInFlight',
    'allInFlight',
  ]);
  expect([take('release', { keys: ['b'] }), keep('d'), find('a'), find('b'), find('d')]).toEqual([
    'keeping',
    'allInFlight',
    'allInFlight',
    'allInFlight',
    'allInFlight',
  ]);
  expect(found).toEqual(['miss', 'hit', 'miss', 'hit']);
});
