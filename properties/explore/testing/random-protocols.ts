import { type AnyStateMachine, createMachine } from 'xstate';
import { z } from 'zod';
import { RandomChoices } from '../../../kernel/choices.ts';
import type { InjectedFault } from '../../../kernel/faults.ts';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';

interface Context {
  readonly others: readonly Address[];
  n: number;
  fuel: number;
}
interface Word {
  readonly type: string;
  readonly v: number;
}
const { update, post, when, choose, report } = component<Context, Word>();

const types = ['a', 'b', 'c'] as const;

/** A machine of a few actors that do what a seed says, and the faults that its choices may inject. */
export interface RandomProtocol {
  readonly machine: Machine;
  readonly faults: readonly InjectedFault[];
}

/**
 * Makes a small protocol from a seed: three to five actors of up to three states that count modulo 7, send each other words while their fuel lasts, toss
 * coins, and complain of one word in one state.
 */
export function randomProtocol(seed: number): RandomProtocol {
  const random = new RandomChoices(seed);
  const pick = (count: number) => (count === 1 ? 0 : random.pick('protocol', count));
  const count = 3 + pick(3);
  const fuel = 2 + pick(3);
  const machines = Array.from({ length: count }, (_, at) => randomActor(`actor${at}`, count, pick));
  const boot = Array.from({ length: 2 + pick(3) }, () => ({
    to: pick(count),
    type: types[pick(types.length)]!,
    v: pick(7),
    delay: pick(2),
  }));
  const faults: readonly InjectedFault[] = (
    [[], [], [{ kind: 'drop' }], [{ kind: 'duplicate' }], [{ kind: 'delay', ticks: 1 }]] as const
  )[pick(5)]!;
  const machine: Machine = {
    name: `random-${seed}`,
    config: z.unknown(),
    programs: z.unknown(),
    mutants: new Map(),
    assemble: () => {
      const wiring = new Wiring();
      const addresses = machines.map((_, at) => wiring.reserve(`Actor[${at}]`));
      for (const [at, self] of addresses.entries())
        wiring.place(self, machines[at]!, { others: addresses, n: at, fuel });
      for (const { to, ...word } of boot) wiring.begin({ ...word, to: addresses[to]! });
      return { wiring, deliveriesPerTickMax: 400, result: () => null };
    },
    figures: () => [],
  };
  return { machine, faults };
}

function randomActor(id: string, count: number, pick: (count: number) => number): AnyStateMachine {
  const actions: Record<string, unknown> = {};
  const guards: Record<string, unknown> = {};
  const named = (into: Record<string, unknown>, name: string, made: unknown): string => {
    const key = `${name}${Object.keys(into).length}`;
    into[key] = made;
    return key;
  };
  const action = (): string => {
    const [k, to, kind, type] = [1 + pick(4), pick(count), pick(8), types[pick(types.length)]!];
    const delay = pick(4) === 0 ? 1 : 0;
    if (kind < 3)
      return named(
        actions,
        'count',
        update((c, { v }) => {
          c.n = (c.n * k + v + 1) % 7;
        }),
      );
    if (kind === 3)
      return named(
        actions,
        'toss',
        choose('coin', 2, (c, _event, side) => {
          c.n = (c.n + 3 * side) % 7;
        }),
      );
    return named(
      actions,
      'say',
      post((c) => (c.fuel > 0 ? { to: c.others[to]!, type, v: c.n, delay } : undefined)),
    );
  };
  const burn = named(
    actions,
    'burn',
    update((c) => {
      c.fuel = Math.max(0, c.fuel - 1);
    }),
  );
  const states = 1 + pick(3);
  const transition = (): Record<string, unknown> => {
    const made: Record<string, unknown> = {
      actions: [...Array.from({ length: 1 + pick(3) }, action), burn],
    };
    if (pick(2)) made['target'] = `s${pick(states)}`;
    if (pick(3) === 0) {
      const [limit, odd] = [pick(7), pick(2)];
      made['guard'] = named(
        guards,
        'asks',
        when((c) => (odd ? c.n % 2 === 1 : c.n > limit)),
      );
    }
    return made;
  };
  const complaint = pick(2) === 0 ? { state: pick(states), type: pick(types.length), n: pick(7) } : undefined;
  const complain =
    complaint &&
    named(
      actions,
      'complain',
      report((c, { v }) =>
        c.n === complaint.n
          ? { property: `${id} is content`, why: `it counts ${c.n} and hears ${v}` }
          : undefined,
      ),
    );
  const config = {
    id,
    context: ({ input }: { input: Context }) => ({ ...input }),
    initial: 's0',
    states: Object.fromEntries(
      Array.from({ length: states }, (_, at) => [
        `s${at}`,
        {
          on: Object.fromEntries(
            types.map((type, number) => {
              const made = [transition(), transition()];
              delete made[1]!['guard'];
              if (complain && complaint.state === at && complaint.type === number)
                for (const one of made) one['actions'] = [...(one['actions'] as string[]), complain];
              return [type, made];
            }),
          ),
        },
      ]),
    ),
  };
  return createMachine(config as never).provide({ actions, guards } as never);
}
