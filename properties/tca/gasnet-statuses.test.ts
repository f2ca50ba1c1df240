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
