import { expect, test } from 'vitest';
import type { Gasnet } from '../../actors/tca/gasnet/gasnet.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';

test('a lock call is answered for itself, whatever the call before came to', () => {
  const statuses: string[] = [];
  const { raised } = gasnetTrial(
    gasnetConfigOf(),
    function* (node: Gasnet) {
      yield* node.init();
      yield* node.attach();
      // There is no node of this number.
      yield* node.awaitPuts(7, 1);
      yield* node.hsl('init', 1);
      yield* node.barrier();
    },
    {},
    [],
    (run) =>
      run.messages$.subscribe(({ message: { event }, to }) => {
        if (to !== 'Node[0].Cpu' || event.type !== 'gasnet.return') return;
        const { answer } = event as unknown as TcaMessage<'gasnet.return'>;
        statuses.push(answer.answer === 'done' ? answer.status : answer.answer);
      }),
  );

  expect(raised).toEqual([]);
  expect(statuses.slice(0, 4)).toEqual(['OK', 'OK', 'BAD_ARG', 'OK']);
});

test('arguments of messages are those that 32 bits have room for, with a sign or without', () => {
  const told: [number, string][] = [];
  const { raised } = gasnetTrial(gasnetConfigOf(), function* (node: Gasnet) {
    yield* node.init();
    yield* node.attach([{ index: 200, *handler() {} }]);
    for (const arg of [-(2 ** 31), 2 ** 32 - 1, -(2 ** 31) - 1, 2 ** 32, 0.5])
      told.push([arg, yield* node.request(0, 'short', 200, { args: [arg] })]);
    yield* node.barrier();
  });

  expect(raised).toEqual([]);
  expect(told.slice(0, 5).map(([, status]) => status)).toEqual(['OK', 'OK', 'BAD_ARG', 'BAD_ARG', 'BAD_ARG']);
});
