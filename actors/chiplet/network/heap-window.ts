import { invariant } from '../../../kernel/errors.ts';
import { channelOfCredit, isArrival, packetOfArrival, routerOfCredit } from './event-log.ts';
import type { HeapClockContext } from './heap-clock-context.ts';
import { leap } from './leap.ts';
import type { AnswerDue, NetworkOutbox } from './protocol.ts';
import { answerTime } from './transactions.ts';

/*
 * What happens between the turns of two cycles where equal times are ordered by a heap (chiplet specification 5.11).
 */

/** Events of the heap that are neither wires nor credits. */
export const tick = 2 ** 52;
export const packetDue = 2 ** 52 + 1;
/** With the number of a request added: its acknowledgement is due. */
const answerDue = 2 ** 52 + 2;

/** True for wires on which flits arrive together with turns, so that the heap decides which comes first. */
export const isOrdered = (delay: number): boolean => Number.isInteger(delay);

/** Puts what the routers began into the heap, in the order in which they did (chiplet specification 5.4). */
export function enterLog(context: HeapClockContext): number {
  const { spec, sharedState, heap, carried, cycle } = context;
  const { delays, transactions } = spec.value;
  const log = sharedState.log ?? [];
  let wires = 0;
  for (let i = 0; i < log.length; i++) {
    const entry = log[i]!;
    if (isArrival(entry)) {
      const packet = packetOfArrival(entry);
      const transaction = transactions[packet];
      // It is planned in the turn that accepts the request, in the order of all that is planned there.
      if (transaction?.acknowledged) {
        context.answered++;
        heap.insert(answerTime(cycle, transaction), answerDue + packet);
      }
    } else if (entry >= 0) heap.insert(cycle + 1, entry);
    else {
      const link = -1 - entry;
      heap.insert(cycle + delays[link]!, entry);
      if (isOrdered(delays[link]!)) carried[link]!.push(log[i + 1]!, log[i + 2]!, log[i + 3]!);
      i += 3;
      wires++;
    }
  }
  sharedState.log = [];
  return wires;
}

const isTick = (event: number): boolean => event === tick;

/** Takes events until the next turns, which `next` tells, and lets happen what comes before them. `from`: the cycle that the kernel is in. */
export function window(
  context: HeapClockContext,
  from: number,
  out: NetworkOutbox<'Clock'>,
): { next: number; quiet: boolean } {
  const { spec, sharedState, heap, carried } = context;
  const { end, routers, injector, channels, packets, ends, farPorts, leaps } = spec.value;
  let next = context.cycle + 1;
  let due = 0;
  const answers: AnswerDue[] = [];
  let quiet = true;
  let now = context.cycle;
  for (;;) {
    if (leaps && sharedState.arrived === context.packet + context.answered) {
      const turns = leap(heap, isTick);
      if (turns === undefined) context.endTime = now;
      if (context.endTime >= 0) break;
      next = Math.max(next, turns!);
    }
    const delay = 2 * (next - from) - 1;
    invariant(heap.size > 0, 'the next turns are always in the heap');
    const time = heap.firstTime;
    const event = heap.take();
    now = time;
    const last = time > end;
    if (last) context.endTime = time;
    if (event === tick) {
      context.endsWithTurns = last;
      break;
    }
    if (event === packetDue) {
      due++;
      context.packet++;
      if (context.packet < packets) heap.insert(sharedState.packets.timeOf(context.packet), packetDue);
    } else if (event >= answerDue) {
      answers.push({ cause: event - answerDue, time, after: due });
    } else if (event < 0) {
      quiet = false;
      context.flying--;
      const link = -1 - event;
      if (last) context.lastLink = link;
      else if (carried[link]!.length > 0) {
        const [flit, channel, change] = carried[link]!.splice(0, 3) as [number, number, number];
        const to = routers[ends[link]!]!;
        const load = sharedState.loadOf(flit);
        out.send(to, delay, {
          to,
          type: 'flit.arrive',
          port: farPorts[link]!,
          channel,
          flit,
          change,
          cycle: next,
          ...(load && { load }),
        });
      }
    } else {
      quiet = false;
      const to = routers[routerOfCredit(event)]!;
      const output = channelOfCredit(event);
      const port = Math.floor(output / channels);
      out.send(to, delay, {
        to,
        type: 'credit.return',
        port,
        channel: output - port * channels,
        cycle: next,
      });
    }
    if (last) break;
  }
  if (due > 0 || answers.length > 0)
    out.send(injector, 2 * (next - from) - 1, {
      to: injector,
      type: 'injector.turn',
      cycle: next,
      count: due,
      ...(answers.length > 0 && { answers }),
    });
  return { next, quiet: quiet && due === 0 && answers.length === 0 };
}
