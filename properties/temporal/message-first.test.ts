import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import { component } from '../../kernel/kit.ts';
import type { Probe } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { watch } from '../property.ts';
import { before, leadsTo, message, never, shown } from './temporal.ts';

type Asked = { type: 'ask'; n: number };
type Served = Probe & { type: 'served'; n: number };

const { act, post } = component<Record<string, never>, Asked>();
/** Shows what it serves in the very step that takes what asks for it, or serves nobody who asks for 1. */
const server = (serves: boolean) =>
  setup({
    types: {} as { context: Record<string, never>; events: Asked },
    actions: {
      begin: post((_server, _event, { self }) => ({ to: self, type: 'ask', n: 0 })),
      serve: act<'ask'>((_server, { n }, out) => {
        if (serves || n !== 1) out.probe<Served>({ type: 'served', n });
        if (n < 2) out.post({ to: out.self, type: 'ask', n: n + 1 });
      }),
    },
  }).createMachine({
    id: 'server',
    context: {},
    initial: 'on',
    entry: 'begin',
    states: { on: { on: { ask: { actions: 'serve' } } } },
  });

const wired = (serves: boolean, network: boolean) => () => {
  const wiring = new Wiring(network ? {} : undefined);
  wiring.place('A', server(serves), undefined);
  return wiring;
};

const ask = message<Asked>('ask', { key: 'n' });
const served = shown<Served>('served', { key: 'n' });
const isServed = leadsTo('who asks is served', ask, served);
const askedFirst = before('nobody is served who has not asked', ask, served);
const servedFirst = before('nobody asks who has not been served', served, ask);
const zeroOpen = never('nothing is asked behind something served', message('ask'), {
  after: shown('served'),
});

function byRun(make: () => Wiring, sentence: Observer): string {
  const run = new Run(make());
  const watching = watch(run, [sentence]);
  run.until();
  watching.end();
  return run.outcome.verdict;
}
const byCheck = (make: () => Wiring, sentence: Observer): string =>
  new Explorer(make, { observers: [sentence] }).toEnd().verdict;

describe.each([
  ['in a clocked wiring', false],
  ['in a network', true],
])('a message comes before what its receiver shows of it, %s', (_where, network) => {
  test.each([
    [isServed, true, 'ok'],
    [isServed, false, 'violated'],
    [askedFirst, true, 'ok'],
    [servedFirst, true, 'violated'],
    [zeroOpen, true, 'violated'],
  ] as const)('%o, served %s: %s', (sentence, serves, expected) => {
    const make = wired(serves, network);
    expect([byRun(make, sentence), byCheck(make, sentence)]).toEqual([expected, expected]);
  });

  test('so do the streams of a run and those who listen to it', () => {
    const run = new Run(wired(true, network)());
    const streamed: string[] = [];
    const heard: string[] = [];
    run.messages$.subscribe(({ message: { event } }) => streamed.push(`ask ${(event as Asked).n}`));
    run.probes$.subscribe(({ probe }) => streamed.push(`served ${(probe as Served).n}`));
    run.listen({
      delivered: ({ event }) => heard.push(`ask ${(event as Asked).n}`),
      shown: (_tick, _actor, probe) => heard.push(`served ${(probe as Served).n}`),
    });
    run.until();
    const expected = ['ask 0', 'served 0', 'ask 1', 'served 1', 'ask 2', 'served 2'];
    expect([streamed, heard]).toEqual([expected, expected]);
  });
});
