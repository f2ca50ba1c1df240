import { nodeOf } from '../address-map.ts';
import type { GasnetCall, MessageCall, Status } from './calls.ts';
import { contiguous, headerOf, type Job } from './job.ts';
import { headerBytes, replies, requests } from './layout.ts';
import { argumentsMax } from './packet.ts';
import { insideSegment, isCount, isOwn, isRank, movement } from './reach.ts';
import { fail, type LocalWork, ownDelivery, type RuntimeContext } from './runtime-context.ts';

type Request = Extract<GasnetCall, { readonly call: 'request' }>;

/** What an argument has room for: 32 bits, with a sign or without; they arrive without. */
const isArgument = (arg: number): boolean => Number.isInteger(arg) && arg >= -(2 ** 31) && arg < 2 ** 32;

/** Limits of active messages (TCA specification 12.1). */
export const longBytesMax = 2 ** 26;

/** Indices of handlers that programs may register (TCA specification 12.1). */
export const clientHandlers = { first: 128, last: 255 } as const;

/** Bytes of the largest medium message. */
export const mediumBytesMax = (slotBytes: number): number => slotBytes - headerBytes;

/** What is wrong with a message, or undefined; a target outside of its segment ends the job. */
function messageError(c: RuntimeContext, target: number, call: MessageCall): Status | undefined {
  const { kind, handler, args, src, bytes, dst } = call;
  const long = kind === 'long' || kind === 'longAsync';
  if (!isRank(c, target) || !isCount(bytes)) return 'BAD_ARG';
  if (handler < 0 || handler > clientHandlers.last || !Number.isInteger(handler)) return 'BAD_ARG';
  if (args.length > argumentsMax || !args.every(isArgument)) return 'BAD_ARG';
  if (kind === 'short' ? bytes > 0 : bytes > (long ? longBytesMax : mediumBytesMax(c.spec.options.slotBytes)))
    return 'BAD_ARG';
  // Where nothing lies does not matter (TCA specification 12.2).
  if (bytes === 0) return undefined;
  if (!isOwn(c, src, bytes)) return 'BAD_ARG';
  if (long && nodeOf(dst) !== target)
    fail(
      c,
      'ESEGMENT',
      `found a long message to rank ${target} for ${bytes} bytes at ${dst}, which belong to node ${nodeOf(dst)}`,
    );
  else if (long) insideSegment(c, dst, bytes);
  return undefined;
}

/** The job of a message to another node. */
export function messageJob(c: RuntimeContext, target: number, call: MessageCall, reply: boolean): Job {
  const { kind, handler, args, src, bytes, dst } = call;
  const long = kind === 'long' || kind === 'longAsync';
  const data =
    bytes === 0
      ? null
      : long
        ? movement(c, src, dst, contiguous(bytes))
        : movement(c, src, src, contiguous(bytes));
  return {
    target,
    ring: reply ? replies : requests,
    data,
    payload: new Uint8Array(0),
    header: headerOf(long ? 'long' : kind, {
      handler,
      args: args.map((arg) => arg >>> 0),
      address: long ? dst : 0,
      total: bytes,
      reply,
    }),
    tellsLeft: kind === 'long' && bytes > 0,
    urgent: false,
  };
}

/** What a message to the node itself does to its memory. */
export const ownWorks = ({ kind, src, dst, bytes }: MessageCall): LocalWork[] => {
  if (bytes === 0 || kind === 'short') return [];
  return kind === 'medium' ? [{ work: 'load', src, bytes }] : [{ work: 'copy', src, dst, bytes }];
};

/** Begins a request (TCA specification 12.2). */
export function beginRequest(c: RuntimeContext, call: Request): Status {
  const { target } = call;
  const wrong = messageError(c, target, call);
  if (wrong) return wrong;
  if (c.fatal) return 'OK';
  if (target === c.spec.node) {
    c.works = ownWorks(call);
    c.own = ownDelivery(target, call, false);
    return 'OK';
  }
  const job = messageJob(c, target, call, false);
  c.jobs.push({ job, group: -1, waitsLeft: job.tellsLeft });
  return 'OK';
}

/** Judges a reply: only from the handler of a request, once (TCA specification 12.2). */
export function judgeReply(c: RuntimeContext, call: MessageCall): Status {
  const { source, reply } = c.delivery!;
  if (reply) fail(c, 'EREPLY', 'a reply from the handler of a reply');
  else if (c.replied) fail(c, 'EREPLY', 'a second reply from one handler');
  return messageError(c, source, call) ?? 'OK';
}
