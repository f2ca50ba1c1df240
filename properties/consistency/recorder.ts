import { map, type Observable, scan } from 'rxjs';
import type { Delivery } from '../../kernel/run.ts';
import type { Access, History } from './history.ts';

/** What a message says of an access. */
export interface Spoken {
  /** What a request and its answer have in common, besides the process. */
  readonly key?: unknown;
  readonly process: string;
}

/** How the messages of a machine are read as accesses: which begin one, which end one. Others are passed over. */
export interface Reading {
  readonly request: (
    delivery: Delivery,
  ) => (Spoken & Pick<Access, 'kind' | 'location'> & { readonly value?: unknown }) | undefined;
  /** `value` is what a read came back with. */
  readonly answer: (delivery: Delivery) => (Spoken & { readonly value?: unknown }) | undefined;
}

/** A history in the making: what was answered, and what still waits. */
interface Recorded {
  readonly done: Access[];
  readonly open: Map<string, Access>;
}

/**
 * The history of memory accesses in the messages of a run, after each delivery: `run.messages$.pipe(recordHistory(reading))`.
 *
 * Details: an access begins when its request is delivered and ends when its answer is; moments are numbers of deliveries. Requests that were not
 * answered are part of the history, without an answer.
 */
export function recordHistory({
  request,
  answer,
}: Reading): (messages$: Observable<Delivery>) => Observable<History> {
  return (messages$) =>
    messages$.pipe(
      scan(
        (recorded: Recorded, delivery) => {
          const ended = answer(delivery);
          if (ended) finish(recorded, keyOf(ended), delivery.index, ended.value);
          const begun = request(delivery);
          if (begun) {
            const { process, kind, location, value } = begun;
            recorded.open.set(keyOf(begun), { process, kind, location, value, invoked: delivery.index });
          }
          return recorded;
        },
        { done: [], open: new Map() },
      ),
      map(({ done, open }) => [...done, ...open.values()]),
    );
}

const keyOf = ({ process, key }: Spoken): string => `${process} ${JSON.stringify(key ?? null)}`;

function finish({ done, open }: Recorded, key: string, responded: number, value: unknown): void {
  const access = open.get(key);
  if (!access) return;
  open.delete(key);
  done.push({ ...access, responded, ...(access.kind === 'read' && { value }) });
}
