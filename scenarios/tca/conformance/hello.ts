import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree } from './judge.ts';

/** C01: start, rank and size, exit. */
export const hello: ConformanceCase = {
  id: 'C01',
  title: 'start, rank and size, everybody hears everybody, exit',
  mirrors: 'testhello',
  mandatory: true,
  program: ({ config }) =>
    function* (gasnet) {
      const heard = new Set<number>();
      const greet: Handler = (_gasnet, { source }, { args: [rank, nodes] }) => {
        agree('the rank in a greeting', rank, source);
        agree('the size in a greeting', nodes, config.nodes);
        agree('heard before', heard.has(source), false);
        heard.add(source);
      };
      agree('attach before the start', yield* gasnet.attach([{ handler: greet }]), 'NOT_INIT');
      agree('init', yield* gasnet.init(), 'OK');
      agree('a message before attach', yield* gasnet.request(0, 'short', 128), 'NOT_INIT');
      agree('attach', yield* gasnet.attach([{ handler: greet }]), 'OK');
      agree('a second attach', yield* gasnet.attach([{ handler: greet }]), 'RESOURCE');
      const { rank, nodes } = gasnet;
      agree('size', nodes, config.nodes);
      agree('rank below size', rank >= 0 && rank < nodes, true);
      for (let target = 0; target < nodes; target++)
        agree(
          'a greeting',
          yield* gasnet.request(target, 'short', gasnet.indexOf(greet), { args: [rank, nodes] }),
          'OK',
        );
      yield* gasnet.waitUntil(() => heard.size === nodes);
      agree('the barrier', yield* gasnet.barrier(), 'OK');
      yield* gasnet.exit(0);
    },
  judge: ({ nodes }) => {
    const wrong = nodes.findIndex(({ exitCode }) => exitCode !== 0);
    return wrong < 0 ? undefined : `rank ${wrong} ended with ${nodes[wrong]!.exitCode}, expected 0`;
  },
};
