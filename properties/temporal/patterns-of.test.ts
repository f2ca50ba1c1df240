import { describe, expect, test } from 'vitest';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { message as anyMessage } from './pattern.ts';
import { patternsOf } from './patterns-of.ts';

const { message, shown } = patternsOf(
  protocol({
    Client: { receives: { answer: { id: field.int(), text: field.text() } }, timers: ['tired'] },
    Server: { receives: { ask: { id: field.int() } }, shows: { served: { id: field.int() } } },
  }),
);

const asked = (id: number) =>
  ({ kind: 'message', from: 'Client[0]', to: 'Server', event: { type: 'ask', id } }) as const;

describe('patternsOf', () => {
  test('takes what a moment is about from a field, or from the name of an actor', () => {
    expect(message('ask', { key: 'id' }).key(asked(7))).toBe('7');
    expect(message('ask', { key: 'from' }).key(asked(7))).toBe('Client[0]');
    expect(message('ask', { who: 'id' }).who(asked(7))).toBe('7');
    expect(message('ask').who(asked(7))).toBe('Server');
    expect(
      shown('served', { key: 'id' }).key({
        kind: 'probe',
        actor: 'Server',
        probe: { type: 'served', id: 3 } as never,
      }),
    ).toBe('3');
  });

  test('whom a field names is not known: actors are not interchangeable for it', () => {
    expect(message('ask', { key: 'from' }).alike).toBe(true);
    expect(message('ask', { key: 'id' }).alike).toBe(false);
  });

  test.each([
    [
      () => message('asked' as never),
      'found the message "asked", expected one that the protocol has: answer, tired, ask',
    ],
    [
      () => message('ask', { key: 'number' as never }),
      'found no field "number" in the message "ask", expected from, to, id',
    ],
    [
      () => message(['ask', 'answer'], { who: 'text' }),
      'found no field "text" in the message "ask", expected from, to, id',
    ],
    [
      () => shown('served', { key: 'from' as never }),
      'found no field "from" in the probe "served", expected actor, id',
    ],
    [() => message('ask', { keys: 'id' } as never), 'found "keys", expected where, key, who, or to or from'],
    [
      () => anyMessage('ask', { key: 'number' as never }).key(asked(1)),
      'found no field "number" in ask, expected to, from, id',
    ],
  ])('refuses what there is not: %#', (made, says) => {
    expect(made).toThrow(new TypeError(says));
  });
});
