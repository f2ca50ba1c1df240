import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree, sameBytes } from './judge.ts';
import { enter, leave } from './party.ts';

const chainBytes = 512;
const iterations = 6;

/** A chain in which every byte depends on the seed and on all before it. */
function checksums(seed: number): Uint8Array {
  const chain = new Uint8Array(chainBytes);
  let sum = seed >>> 0;
  for (let k = 0; k < chainBytes; k++) {
    sum = (Math.imul(sum ^ (sum >>> 15), 2_246_822_519) + k) >>> 0;
    chain[k] = sum >>> 24;
  }
  return chain;
}

/** C02: a request brings a seed, the reply the chain that belongs to it. */
export const checksumReplies: ConformanceCase = {
  id: 'C02',
  title: 'medium replies bring the checksums that belong to the seeds of requests',
  mirrors: 'testcore1',
  mandatory: true,
  program: ({ seed }) =>
    function* (gasnet) {
      let answered = 0;
      const seeds: number[] = [];
      const ask: Handler = function* (here, token, { args: [given, number] }) {
        const src = here.privateMemory.base;
        yield* here.write(src, checksums(given!));
        const args = [given!, number!];
        agree(
          'the reply',
          yield* token.reply('medium', here.indexOf(told), { args, src, bytes: chainBytes }),
          'OK',
        );
      };
      const told: Handler = (_gasnet, { source }, { args: [given, number], payload }) => {
        agree('the seed of a reply', given, seeds[number!]);
        agree('who replies', source, (gasnet.rank + 1 + (number! % gasnet.nodes)) % gasnet.nodes);
        sameBytes('the chain of a reply', payload, checksums(given!));
        answered++;
      };
      const party = yield* enter(gasnet, seed, [ask, told]);
      for (let number = 0; number < iterations; number++) {
        seeds.push(party.draw(2 ** 31));
        const target = party.further(1 + (number % party.nodes));
        const args = [seeds[number]!, number];
        agree('the request', yield* gasnet.request(target, 'short', gasnet.indexOf(ask), { args }), 'OK');
      }
      yield* gasnet.waitUntil(() => answered === iterations);
      yield* leave(party);
      agree('replies', answered, iterations);
    },
};
