import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import type { Address } from './message.ts';
import { shared } from './shared.ts';
import { familySpan, memberOf, Wiring } from './wiring.ts';

const machine = createMachine({ id: 'idle' });

describe('a wiring', () => {
  test('gives addresses from 0 in the order of reserving and placing', () => {
    const wiring = new Wiring();

    const first = wiring.reserve('First');
    const second = wiring.place('Second', machine, 2);
    const third = wiring.place(wiring.reserve('Third'), machine, 3);
    wiring.place(first, machine, 1);

    expect([first, second, third]).toEqual([0, 1, 2]);
    expect(wiring.complete.map(({ name, input }) => [name, input])).toEqual([
      ['First', 1],
      ['Second', 2],
      ['Third', 3],
    ]);
  });

  test('gives families addresses that depend on nothing but the family and the index', () => {
    const wiring = new Wiring();
    const member = () => ({ machine, input: 0 });

    const early = wiring.family('Request', member);
    wiring.place('One', machine, 0);
    const late = wiring.family('Job', member);

    expect([early, late]).toEqual([familySpan, 2 * familySpan]);
    expect(memberOf(late, 5)).toBe(2 * familySpan + 5);
  });

  test('refuses a name that is taken, also by a family', () => {
    const wiring = new Wiring();
    wiring.reserve('Dma');
    wiring.family('Request', () => ({ machine, input: 0 }));

    expect(() => wiring.place('Dma', machine, 0)).toThrow('KRN021 Dma: two actors have this name');
    expect(() => wiring.reserve('Request')).toThrow('KRN021 Request: two actors have this name');
    expect(() => wiring.family('Dma', () => ({ machine, input: 0 }))).toThrow(
      'KRN021 Dma: two actors have this name',
    );
  });

  test('refuses a context that is one object for all and holds what is shared: each actor would get a copy', () => {
    const wiring = new Wiring();
    const table = wiring.share('Table', shared({ rows: [1] }));
    wiring.place('Sound', machine, { table });
    expect(wiring.complete.length).toBe(1);
    wiring.place('A', createMachine({ id: 'holds', context: { of: new Map([['it', [table]]]) } }), undefined);

    expect(() => wiring.complete).toThrow(
      'KRN021 A: its context is an object, of which each actor gets a copy, and holds "Table", which is shared',
    );
  });

  test('refuses to place a second actor at an address', () => {
    const wiring = new Wiring();
    const at = wiring.reserve('Dma');
    wiring.place(at, machine, 0);

    expect(() => wiring.place(at, machine, 1)).toThrow('KRN021 Dma: something was placed there before');
  });

  test('refuses to place at an address that nobody reserved', () => {
    expect(() => new Wiring().place(4 as Address, machine, 0)).toThrow(
      'KRN021 wiring: address 4 was not reserved',
    );
    expect(() => new Wiring().place('A', 5 as never, undefined as never)).toThrow(
      'KRN021 A: found number as its state machine',
    );
  });

  test.each([
    [() => undefined, 'it returned undefined, expected true or false'],
    [
      () => {
        throw new Error('not today');
      },
      'it threw: not today',
    ],
  ])('whose boundary gives no answer is refused (KRN022)', (boundary, why) => {
    const wiring = new Wiring();
    wiring.begin({ to: wiring.place('Idle', machine, 0), type: 'none' });
    wiring.boundary = boundary as never;

    expect(() => wiring.isInside({} as never)).toThrow(`KRN022 boundary: ${why}`);
  });

  test('that keeps an address for nobody is not complete (KRN005)', () => {
    const wiring = new Wiring();
    wiring.reserve('Ghost');

    expect(() => wiring.complete).toThrow(
      'KRN005 Ghost: the address was reserved, but nothing was placed there',
    );
  });

  test.each([-1, familySpan, 0.5, Number.NaN])('has no member %d in a family', (index) => {
    expect(() => memberOf(familySpan as Address, index)).toThrow(
      `a family has members 0 to ${familySpan - 1}, not ${index}`,
    );
  });
});
