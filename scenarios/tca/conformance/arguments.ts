import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern, sameBytes } from './judge.ts';
import { enter, leave } from './party.ts';

const kinds = ['short', 'medium', 'long'] as const;
const argumentsMost = 16;
const payloadBytes = 40;
const inFlight = 8;
/** Jobs that share the numbers of arguments. */
const jobs = 4;

/** Arguments that anybody can work out. */
const argumentsOf = (seed: number, rank: number, count: number): readonly number[] =>
  Array.from(
    { length: count },
    (_, k) => Math.imul(seed + 97 * rank + 31 * count + 1, 2_654_435_761 + 2 * k) >>> 0,
  );
const bytesOf = (args: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(args).buffer);

/** The kind of a reply: with three seeds each kind answers each. */
const replyTo = (seed: number, rank: number, count: number, request: number): number =>
  (seed + rank + count + request) % kinds.length;

const payloadOf = (kind: number, seed: number): Uint8Array =>
  kind === 0 ? new Uint8Array(0) : pattern(seed, payloadBytes);
const placeOf = (count: number, kind: number): number => 64 * (count * kinds.length + kind);

/**
 * C05: every number of arguments, in requests and replies of every kind. Each job has every fourth number.
 *
 * Details: each number of arguments has handlers of its own, so that nothing but the call tells how many there are. The public test also has two forms of calls, with a
 * fixed and with a variable list; here there is one.
 */
export const argumentLists: ConformanceCase = {
  id: 'C05',
  title: '0 to 16 arguments of 32 bits in requests and replies of each kind',
  mirrors: 'testcore4, testcore5',
  mandatory: true,
  variants: jobs,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      let answered = 0;
      let taken = 0;
      const counts = Array.from({ length: argumentsMost + 1 }, (_, count) => count);
      const takes = counts.map(
        (count): Handler =>
          function* (here, token, { args, payload, address, bytes }) {
            taken++;
            const request = payload.length > 0 ? 1 : bytes > 0 ? 2 : 0;
            sameBytes(
              `${args.length} arguments of a request`,
              bytesOf(args),
              bytesOf(argumentsOf(seed, token.source, count)),
            );
            const data = request === 2 ? yield* here.read(address, bytes) : payload;
            sameBytes('the payload beside arguments', data, payloadOf(request, count));
            const kind = replyTo(seed, token.source, count, request);
            const place = placeOf(count, request);
            const src = here.privateMemory.base + place;
            if (kind > 0) yield* here.write(src, pattern(count + 5, payloadBytes));
            const options = {
              args: argumentsOf(seed, here.rank, count),
              ...(kind > 0 && { src, bytes: payloadBytes }),
              ...(kind > 1 && { dst: here.segment(token.source, 'cpu').base + place }),
            };
            agree('a reply', yield* token.reply(kinds[kind]!, here.indexOf(answers[count]!), options), 'OK');
          },
      );
      const answers = counts.map(
        (count): Handler =>
          function* (here, { source }, { args, payload, address, bytes }) {
            answered++;
            const kind = payload.length > 0 ? 1 : bytes > 0 ? 2 : 0;
            sameBytes(
              `${args.length} arguments of a reply`,
              bytesOf(args),
              bytesOf(argumentsOf(seed, source, count)),
            );
            const data = kind === 2 ? yield* here.read(address, bytes) : payload;
            sameBytes('the payload of a reply beside arguments', data, payloadOf(kind, count + 5));
          },
      );
      const party = yield* enter(gasnet, seed, [...takes, ...answers]);
      const target = party.further(1);
      let sent = 0;
      for (const count of counts.filter((one) => one % jobs === variant))
        for (const [request, kind] of kinds.entries()) {
          yield* gasnet.waitUntil(() => sent - answered < inFlight);
          const src = party.own('cpu', 2 ** 14 + placeOf(count, request));
          if (request > 0) yield* gasnet.write(src, pattern(count, payloadBytes));
          const options = {
            args: argumentsOf(seed, party.rank, count),
            ...(request > 0 && { src, bytes: payloadBytes }),
            ...(request > 1 && { dst: party.at(target, 'gpu', placeOf(count, request)) }),
          };
          agree(
            'a request',
            yield* gasnet.request(target, kind, gasnet.indexOf(takes[count]!), options),
            'OK',
          );
          sent++;
        }
      yield* gasnet.waitUntil(() => answered === sent);
      const tooMany = { args: new Array<number>(argumentsMost + 1).fill(0) };
      agree(
        '17 arguments',
        yield* gasnet.request(target, 'short', gasnet.indexOf(takes[0]!), tooMany),
        'BAD_ARG',
      );
      yield* leave(party);
      agree('requests taken', taken, sent);
    },
};
