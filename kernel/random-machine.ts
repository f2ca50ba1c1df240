import { type AnyStateMachine, and, createMachine, not, or, setup } from 'xstate';
import { type Tape, TapeChoices } from './choices.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';

/** The context of every generated machine: enough to tell orders of actions apart. */
export interface RandomContext {
  n: number;
  fuel: number;
  list: number[];
  nested: { x: number };
}

/** Event types that generated machines know, wildcards aside. */
export const randomEvents = ['a', 'b', 'c.d', 'c.e', 'f.g.h'] as const;

type RandomEvent = { type: (typeof randomEvents)[number]; v: number };

const { update, post, when, choose, probe, act } = component<RandomContext, RandomEvent>();

const kit = setup({
  types: {} as { context: RandomContext; events: RandomEvent; input: number },
  guards: {
    odd: when((c) => c.n % 2 === 1),
    big: when((c, event) => c.n % 7 > (event.v ?? 3) % 7),
    above: when<RandomEvent['type'], { limit: number }>(
      (c, _event, _envelope, { limit }) => c.n % 10 > limit,
    ),
    fuel: when((c) => c.fuel > 0),
  },
  actions: {
    add: update<RandomEvent['type'], { k: number }>((c, event, _envelope, { k }) => {
      c.n = (c.n * 3 + k + (event.v ?? 0)) % 1009;
    }),
    mark: update((c, _event, { from }) => {
      c.list.push(c.n + from);
      if (c.list.length > 6) c.list.shift();
    }),
    nest: update((c, _event, { now, self }) => {
      c.nested.x = (c.nested.x * 5 + c.n + now + self) % 997;
    }),
    tell: post<RandomEvent['type'], { k: number }>((c, event, _envelope, { k }) => ({
      to: 0 as Address,
      type: 'told',
      n: c.n,
      k,
      v: event.v,
      delay: k,
    })),
    tellTwice: post((c) => [
      { to: 0 as Address, type: 'first', n: c.n },
      { to: 1 as Address, type: 'second', list: [...c.list] },
    ]),
    tellNobody: post(() => undefined),
    show: probe((c) => ({ type: 'shown', n: c.n })),
    draw: choose('draw', 5, (c, _event, pick) => {
      c.n = (c.n + 100 * pick) % 1009;
    }),
    both: act((c, event, out) => {
      c.n = (c.n + 1) % 1009;
      out.post({ to: 0 as Address, type: 'acted', n: c.n, e: event.type });
      c.nested.x += out.pick('way', 3);
      if (c.nested.x % 2 === 0) out.setTimer('late', 2);
      else out.cancelTimer('late');
    }),
    spend: update((c) => {
      c.fuel--;
    }),
  },
});

/**
 * A state machine made from a tape of decisions: nested and parallel states, entry and exit actions, wildcards, guards with and/or/not and
 * parameters, always-transitions, completions. Shorter tapes make simpler machines, so that fast-check shrinks well.
 */
export function randomMachine(tape: Tape): AnyStateMachine {
  const decisions = new TapeChoices(tape);
  const pick = (count: number) => decisions.pick('machine', count);
  const ids: string[] = [];
  // A wildcard also matches completions: where states complete, it must not lead back into them, or the machine never rests.
  const completes = pick(2) === 1;

  const action = () => {
    switch (pick(10)) {
      case 0:
        return { type: 'add', params: { k: pick(9) } };
      case 1:
        return {
          type: 'add',
          params: ({ context }: { context: RandomContext }) => ({ k: context.list.length }),
        };
      case 2:
        return 'mark';
      case 3:
        return 'nest';
      case 4:
        return { type: 'tell', params: { k: pick(3) } };
      case 5:
        return 'tellTwice';
      case 6:
        return 'tellNobody';
      case 7:
        return 'draw';
      case 8:
        return 'both';
      default:
        return 'show';
    }
  };
  const actions = () => Array.from({ length: pick(3) }, action);
  const guard = (depth: number): unknown => {
    switch (pick(depth > 1 ? 3 : 6)) {
      case 0:
        return 'odd';
      case 1:
        return 'big';
      case 2:
        return { type: 'above', params: { limit: pick(10) } };
      case 3:
        return and([guard(depth + 1), guard(depth + 1)] as never);
      case 4:
        return or([guard(depth + 1), guard(depth + 1)] as never);
      default:
        return not(guard(depth + 1) as never);
    }
  };
  // Transitions without an event spend fuel, which nothing refills, so that no machine runs for ever.
  // Targets are filled in when all ids are known.
  const pending: { transition: Record<string, unknown>; at: number }[] = [];
  const transition = (always: boolean, mayLeave = true): Record<string, unknown> => {
    const made: Record<string, unknown> = { actions: always ? ['spend', ...actions()] : actions() };
    if (always) made['guard'] = pick(2) ? 'fuel' : and(['fuel', guard(1)] as never);
    else if (pick(2)) made['guard'] = guard(0);
    if (pick(3) && mayLeave) pending.push({ transition: made, at: pick(1000) });
    if (pick(4) === 1 && mayLeave) made['reenter'] = true;
    return made;
  };
  const region = (id: string): Record<string, unknown> => {
    ids.push(id, `${id}w`, `${id}end`);
    const on = { [['a', 'b', 'c.d'][pick(3)]!]: { target: `#${id}end`, actions: actions() } };
    return {
      id,
      initial: 'w',
      states: { w: { id: `${id}w`, on }, end: { id: `${id}end`, type: 'final', entry: actions() } },
    };
  };
  const state = (id: string, depth: number): Record<string, unknown> => {
    ids.push(id);
    const made: Record<string, unknown> = { id, entry: actions(), exit: actions() };
    const on: Record<string, unknown> = {};
    for (let i = pick(4); i > 0; i--) {
      const descriptor = ['a', 'b', 'c.d', 'c.e', 'c.*', '*', 'f.*', 'f.g.*'][pick(8)]!;
      on[descriptor] =
        pick(6) === 1
          ? {}
          : Array.from({ length: 1 + pick(2) }, () => transition(false, descriptor !== '*' || !completes));
    }
    made['on'] = on;
    if (pick(5) === 1) made['always'] = Array.from({ length: 1 + pick(2) }, () => transition(true));
    const kind = depth >= 3 ? 0 : pick(4);
    if (kind === 1 || kind === 2) {
      const names = ['p', 'q', 'r'].slice(0, 1 + pick(3));
      made['states'] = Object.fromEntries(names.map((name) => [name, state(`${id}${name}`, depth + 1)]));
      made['initial'] = names[pick(names.length)];
      if (completes && pick(2)) {
        (made['states'] as Record<string, unknown>)['end'] = {
          id: `${id}end`,
          type: 'final',
          entry: actions(),
        };
        ids.push(`${id}end`);
        made['onDone'] = transition(true);
      }
    } else if (kind === 3) {
      made['type'] = 'parallel';
      const names = ['x', 'y', 'z'].slice(0, 2 + pick(2));
      // Regions that wait for one event each and then end: the shape that completes as a whole.
      const ending = completes && pick(2) === 1;
      made['states'] = Object.fromEntries(
        names.map((name) => [name, ending ? region(`${id}${name}`) : state(`${id}${name}`, depth + 1)]),
      );
      if (ending) made['onDone'] = transition(true);
    }
    return made;
  };

  const names = ['k', 'l', 'm'].slice(0, 1 + pick(3));
  const config: Record<string, unknown> = {
    id: 'root',
    context: ({ input }: { input: number }) => ({ n: input, fuel: 8, list: [], nested: { x: 1 } }),
  };
  const states = Object.fromEntries(names.map((name) => [name, state(name, 1)]));
  config['states'] = states;
  // A machine that is done as a whole is refused.
  const parallel = pick(4) === 1 && names.length > 1;
  if (parallel && !names.every((name) => canComplete(states[name]!))) config['type'] = 'parallel';
  else config['initial'] = names[0];
  config['on'] = { a: transition(false) };
  for (const { transition: one, at } of pending) one['target'] = `#${ids[at % ids.length]}`;
  return createMachine(config as never).provide({
    actions: kitImplementations.actions,
    guards: kitImplementations.guards,
  } as never);
}

/** True when a generated state can come to its end. */
function canComplete(state: Record<string, unknown>): boolean {
  const children = Object.values((state['states'] ?? {}) as Record<string, Record<string, unknown>>);
  if (state['type'] === 'parallel') return children.every(canComplete);
  return children.some((child) => child['type'] === 'final');
}

const kitImplementations = kit.createMachine({
  context: { n: 0, fuel: 0, list: [], nested: { x: 0 } },
}).implementations;
