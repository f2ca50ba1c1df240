import { map, type OperatorFunction, reduce } from 'rxjs';
import type { Delivery } from '../../kernel/run.ts';
import { type Access, type History, valueKey } from './history.ts';

/** What the request of an access says of it. */
export interface Begun extends Pick<Access, 'process' | 'kind' | 'location'> {
  /** What is to be written; absent for a read, and for an update whose answer tells it. */
  readonly value?: unknown;
  /** What this request and its answer have in common besides the process, where a process may have several under way. */
  readonly key?: unknown;
}

/** What the answer to an access says of it. */
export interface Answered {
  readonly process: string;
  readonly key?: unknown;
  /** What a read came back with. */
  readonly value?: unknown;
  /** What an update found. */
  readonly found?: unknown;
}

/** How the messages of a machine are read as accesses: which begin one and which answer one; undefined for all others. */
export interface Traffic {
  readonly request: (delivery: Delivery) => Begun | undefined;
  readonly answer: (delivery: Delivery) => Answered | undefined;
}

/**
 * Writes down the accesses that the messages of a run speak of.
 *
 * Details: an access begins when its request is delivered and ends when its answer is; its moments are numbers of deliveries. Requests of a process with
 * the same key are answered in their order. What belongs to no request is passed over: that a memory answers unasked is for another property to find.
 */
export class HistoryRecorder {
  readonly #traffic: Traffic;
  readonly #answered: Access[] = [];
  readonly #open = new Map<string, Access[]>();

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** Takes the next delivery. */
  take(delivery: Delivery): void {
    const answer = this.#traffic.answer(delivery);
    if (answer) this.#end(answer, delivery);
    const request = this.#traffic.request(delivery);
    if (request) this.#begin(request, delivery);
  }

  /** The accesses so far: those that were answered, in the order of their answers, then those that wait. */
  get history(): History {
    return [...this.#answered, ...[...this.#open.values()].flat()];
  }

  #begin({ key, ...access }: Begun, { index, message }: Delivery): void {
    const name = nameOf(access.process, key);
    const begun: Access = { value: undefined, ...access, invoked: index, ticks: [message.due] };
    const waiting = this.#open.get(name);
    if (waiting) waiting.push(begun);
    else this.#open.set(name, [begun]);
  }

  #end({ process, key, ...told }: Answered, { index, message }: Delivery): void {
    const begun = this.#open.get(nameOf(process, key))?.shift();
    if (!begun) return;
    const ticks = [begun.ticks![0], message.due] as const;
    this.#answered.push({ ...begun, ...told, responded: index, ticks });
  }
}

const nameOf = (process: string, key: unknown): string => `${process} ${valueKey(key ?? null)}`;

/** The history of the accesses in the messages of a run, when they have come to their end: `run.messages$.pipe(recordHistory(traffic))`. */
export function recordHistory(traffic: Traffic): OperatorFunction<Delivery, History> {
  return (messages$) =>
    messages$.pipe(
      reduce((recorder, delivery) => {
        recorder.take(delivery);
        return recorder;
      }, new HistoryRecorder(traffic)),
      map(({ history }) => history),
    );
}
