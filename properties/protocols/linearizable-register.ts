import type { RegisterAnswer, RegisterRequest } from '../../actors/protocols/register.ts';
import type { Found, Observer } from '../../kernel/explore/observer.ts';

/** A state in which a single register could be: its value, and what it has carried out without having been heard. */
interface Possibility {
  readonly value: number;
  /** By client: what a read found, `written` for a write. */
  readonly results: Readonly<Record<string, number | 'written'>>;
}

interface Histories {
  /** By client: the value that it is writing, `read` when it is reading. */
  pending: Record<string, number | 'read'>;
  /** None once an answer was impossible: what comes after proves nothing. */
  possible: readonly Possibility[];
}

/**
 * Linearizability of a register with the first value 0 (Herlihy and Wing, 1990): each operation happens at one moment between request and answer.
 *
 * Details: keeps all states in which a single register could be, and finds an answer that none of them gives. Nothing is guessed and nothing left
 * out; of C clients there are at most 2^C * (C + 1) such states.
 */
export const linearizableRegister: Observer<Histories> = {
  sentence: 'the register is linearizable',
  watches: ['register.read', 'register.write', 'register.value', 'register.written'],
  begin: () => ({ pending: {}, possible: [{ value: 0, results: {} }] }),
  see(histories, observation) {
    if (observation.kind !== 'message' || histories.possible.length === 0) return undefined;
    const event = observation.event as RegisterRequest | RegisterAnswer;
    switch (event.type) {
      case 'register.read':
        histories.pending[observation.from] = 'read';
        return undefined;
      case 'register.write':
        histories.pending[observation.from] = event.value;
        return undefined;
      case 'register.value':
        return answered(histories, observation.from, observation.to, event.value);
      case 'register.written':
        return answered(histories, observation.from, observation.to, 'written');
    }
  },
};

/** Keeps the states in which the operation of a client came to this result. */
function answered(
  histories: Histories,
  register: string,
  client: string,
  result: number | 'written',
): Found | undefined {
  const { [client]: operation, ...pending } = histories.pending;
  const kept = reachable(histories)
    .filter(({ results }) => results[client] === result)
    .map(({ value, results: { [client]: _, ...results } }) => ({ value, results }));
  histories.pending = pending;
  histories.possible = different(kept);
  if (kept.length > 0) return undefined;
  const what = operation === 'read' ? `a read of ${client}` : `the write of ${operation} by ${client}`;
  return {
    actors: [client, register],
    why: `${what} was answered with ${result}, as no single register can`,
  };
}

/** The states that a single register can come to by carrying out pending operations. */
function reachable({ pending, possible }: Histories): readonly Possibility[] {
  const clients = Object.keys(pending);
  const steps = ({ value, results }: Possibility): readonly Possibility[] =>
    clients
      .filter((client) => !(client in results))
      .map((client) => {
        const operation = pending[client]!;
        return operation === 'read'
          ? { value, results: { ...results, [client]: value } }
          : { value: operation, results: { ...results, [client]: 'written' } };
      });
  let [all, last] = [possible, possible];
  for (const _ of clients) {
    last = different(last.flatMap(steps));
    all = [...all, ...last];
  }
  return different(all);
}

/** Each state once, in an order that does not tell how it was come to. */
function different(possibilities: readonly Possibility[]): readonly Possibility[] {
  const textOf = ({ value, results }: Possibility) => JSON.stringify([value, Object.entries(results).sort()]);
  const byText = new Map(possibilities.map((possibility) => [textOf(possibility), possibility]));
  return [...byText.keys()].sort().map((text) => byText.get(text)!);
}
