import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree } from './judge.ts';
import { enter, leave } from './party.ts';

const kinds = ['medium', 'long', 'longAsync'] as const;

/** C04: messages without bytes, whose source does not matter. */
export const emptyMessages: ConformanceCase = {
  id: 'C04',
  title: 'medium and long messages without bytes, from no address and from odd ones',
  mirrors: 'testcore3',
  mandatory: true,
  program: ({ seed }) =>
    function* (gasnet) {
      const asked: string[] = [];
      const answered: string[] = [];
      const take: Handler = function* (here, token, { args: [kind, source, number], payload, bytes }) {
        agree('bytes of an empty request', payload.length + bytes, 0);
        const src = source === 0 ? 0 : here.segment(here.rank, 'cpu').base + source!;
        const dst = kind === 0 ? 0 : here.segment(token.source, 'cpu').base;
        const options = { args: [kind!, source!, number!], src, bytes: 0, dst };
        agree('an empty reply', yield* token.reply(kinds[kind!]!, here.indexOf(answer), options), 'OK');
      };
      const answer: Handler = (_gasnet, token, { args, payload, bytes }) => {
        agree('bytes of an empty reply', payload.length + bytes, 0);
        answered.push([token.source, ...args].join(' '));
      };
      const party = yield* enter(gasnet, seed, [take, answer]);
      let number = 0;
      for (const target of new Set([party.further(1), party.rank]))
        for (const [kind, name] of kinds.entries())
          for (const source of [0, 1, 7]) {
            const src = source === 0 ? 0 : party.own('private', source);
            const args = [kind, source, number++];
            const options = { args, src, bytes: 0, dst: kind === 0 ? 0 : party.at(target, 'gpu', 0) };
            agree(
              'an empty request',
              yield* gasnet.request(target, name, gasnet.indexOf(take), options),
              'OK',
            );
            asked.push([target, ...args].join(' '));
          }
      yield* gasnet.waitUntil(() => answered.length >= asked.length);
      yield* leave(party);
      agree('the empty replies', answered.sort().join(), asked.sort().join());
    },
};
