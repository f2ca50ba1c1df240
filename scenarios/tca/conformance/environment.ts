import type { ConformanceCase } from './case.ts';
import { agree } from './judge.ts';

/** C24: the environment of the job is that of every node. */
export const environment: ConformanceCase = {
  id: 'C24',
  title: 'every node has the environment of the job, before it attaches, too',
  mirrors: 'testenv',
  mandatory: false,
  gasnet: { environment: { LOCKSTEP_WORD: 'kept as it is = yes', EMPTY: '' } },
  program: () =>
    function* (gasnet) {
      const judge = () => {
        agree('a word of the environment', gasnet.getenv('LOCKSTEP_WORD'), 'kept as it is = yes');
        agree('an empty one', gasnet.getenv('EMPTY'), '');
        agree('one that is not there', gasnet.getenv('NOT_THERE'), undefined);
      };
      agree('init', yield* gasnet.init(), 'OK');
      judge();
      agree('attach', yield* gasnet.attach(), 'OK');
      judge();
      agree('the barrier', yield* gasnet.barrier(), 'OK');
    },
};
