import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../kernel/explore/explorer.ts';
import { component } from '../kernel/kit.ts';
import type { Network } from '../kernel/network.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import { checkTrace } from './refinement/check-trace.ts';
import { refinement } from './refinement/refinement.ts';

// What is misspelt is not done, and would pass for done: plain JavaScript has nobody else to tell.

const kit = component<{ term: number; log: number[] }, { type: 'go' }>();
const server = setup({
  types: {} as { context: { term: number; log: number[] }; events: { type: 'go' }; input: { first: number } },
  actions: { note: kit.update((me) => void me.log.push(me.term)) },
}).createMachine({
  id: 'server',
  context: ({ input }) => ({ term: input.first, log: [] }),
  initial: 'up',
  states: { up: { on: { go: { actions: 'note' } } } },
});

function wired(network: Network, change: (wiring: Wiring) => void = () => {}): () => Wiring {
  return () => {
    const wiring = new Wiring(network);
    const address = wiring.reserve('Server');
    wiring.place(address, server, { first: 1 });
    wiring.begin({ to: address, type: 'go' });
    change(wiring);
    return wiring;
  };
}

const crashing = (...keeps: string[]) => wired({ crashes: { max: 1, recover: true, keeps } });

describe('what is misspelt is refused', () => {
  test.each([
    [
      'what survives a crash',
      crashing('trem'),
      'KRN016 network.crashes.keeps: found "trem", expected one of: term, log',
    ],
    [
      'a key of a wiring',
      wired({}, (wiring) => Object.assign(wiring, { boundry: () => true })),
      'KRN024 wiring: found "boundry", expected one of: ',
    ],
  ])('%s', (_, make, text) => {
    expect(() => new Run(make())).toThrow(text);
    expect(() => new Explorer(make).toEnd()).toThrow(text);
  });

  test('an option of a run, of a refinement and its map, and of a trace', () => {
    const wrong = (options: object) => options as never;

    expect(() => new Run(wired({})(), wrong({ stepMax: 4 }))).toThrow(
      'KRN024 options of a run: found "stepMax"',
    );
    expect(() => refinement('it refines', wrong({ specifikation: 4 }))).toThrow('found "specifikation"');
    expect(() =>
      refinement('it refines', wrong({ specification: {}, map: { state: () => 1, off: 1 } })),
    ).toThrow('KRN024 map of a refinement: found "off", expected one of: state, of');
    expect(() => checkTrace(wired({}), [], wrong({ end: true }))).toThrow(
      'KRN024 options of a trace: found "end"',
    );
  });

  test('and what is right is not', () => {
    expect(new Explorer(crashing('term', 'log')).toEnd().verdict).toBe('ok');
  });
});
