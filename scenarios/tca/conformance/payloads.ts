import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern, sameBytes } from './judge.ts';
import { enter, homes, leave } from './party.ts';

/** Messages in flight at once. */
const depth = 16;
const messages = 20;
const longBytes = 4400;
/** Bytes of a place for a payload. */
const place = 4608;
const kinds = ['medium', 'long', 'longAsync'] as const;
/** Where answers go in a segment, and behind them the payloads of requests, by source. */
const answersAt = depth * place;
const requestsAt = (source: number): number => (2 + source) * depth * place;

/** C03: payloads of all kinds of messages to and fro, many at once, from inside and outside of segments. */
export const payloads: ConformanceCase = {
  id: 'C03',
  title: 'medium and long payloads arrive as they were, 16 in flight, sources in and out of segments',
  mirrors: 'testcore2',
  mandatory: true,
  program: ({ seed }) =>
    function* (gasnet) {
      const free = Array.from({ length: depth }, (_, slot) => slot);
      const sources = new Map<number, { readonly address: number; readonly data: Uint8Array }>();
      const done: number[] = [];
      const take: Handler = function* (here, token, message) {
        const [slot, given, kind, size, replyKind] = message.args as [number, number, number, number, number];
        const data = kind === 0 ? message.payload : yield* here.read(message.address, message.bytes);
        sameBytes(`a ${kinds[kind]} payload from ${token.source}`, data, pattern(given, size));
        const src = here.privateMemory.base + (1 + token.source) * depth * place + slot * place;
        yield* here.write(src, pattern(given + 1, size));
        const dst = here.segment(token.source, 'cpu').base + answersAt + slot * place;
        const options = { args: [slot, replyKind], src, bytes: size, ...(replyKind > 0 && { dst }) };
        agree('the reply', yield* token.reply(kinds[replyKind]!, here.indexOf(answer), options), 'OK');
        yield* here.write(
          message.address || src,
          data.map((byte) => byte ^ (kind === 0 ? 0 : 255)),
        );
      };
      const answer: Handler = function* (here, token, { args: [slot, replyKind], payload, address, bytes }) {
        const { address: src, data } = sources.get(slot!)!;
        const [given, target] = expected.get(slot!)!;
        agree('who replies', token.source, target);
        const found = replyKind === 0 ? payload : yield* here.read(address, bytes);
        sameBytes('the payload of a reply', found, pattern(given + 1, data.length));
        sameBytes('the source of a request, after its reply', yield* here.read(src, data.length), data);
        done.push(slot!);
        free.push(slot!);
      };
      const expected = new Map<number, readonly [number, number]>();
      const party = yield* enter(gasnet, seed, [take, answer]);
      for (let number = 0; number < messages; number++) {
        yield* gasnet.waitUntil(() => free.length > 0);
        const slot = free.shift()!;
        const [kind, replyKind] = [number % 3, party.draw(3)];
        const most = kind === 0 || replyKind === 0 ? gasnet.limits.mediumBytes : longBytes;
        const size = number < 3 ? most : number < 6 ? 1 : party.size(most);
        const [given, target] = [party.draw(1000), party.draw(party.nodes)];
        const address = party.own(party.one(homes), slot * place);
        const data = pattern(given, size);
        sources.set(slot, { address, data });
        expected.set(slot, [given, target]);
        yield* gasnet.write(address, data);
        const args = [slot, given, kind, size, replyKind];
        const dst = party.at(target, party.one(['cpu', 'gpu']), requestsAt(party.rank) + slot * place);
        const options = { args, src: address, bytes: size, ...(kind > 0 && { dst }) };
        agree(
          'the request',
          yield* gasnet.request(target, kinds[kind]!, gasnet.indexOf(take), options),
          'OK',
        );
      }
      yield* gasnet.waitUntil(() => done.length === messages);
      yield* leave(party);
      agree('replies', done.length, messages);
    },
};
