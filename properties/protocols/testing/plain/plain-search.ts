/*
 * A second opinion on the protocols of the library: a breadth-first search over all that parties and a network can do, of states that are plain data. It shares no code with the
 * kernel, and is so simple that it can be read: each step is carried out on a copy, and states are told apart by their texts.
 */

/** Plain data. */
type Plain = unknown;

/** What a party may do in a handling, besides changing its own data. */
export interface PlainOut {
  send(to: number, message: Plain): void;
  set(timer: string): void;
  cancel(timer: string): void;
  /** Shows something: what was done has been seen, even where it changes nothing. */
  show(): void;
  /** One of 0..count-1: each is gone through. */
  pick(count: number): number;
}

/** A state of the whole. */
export interface PlainState<Party, Message = Plain> {
  readonly parties: Party[];
  /** The oldest first. */
  messages: (readonly [from: number, to: number, message: Message])[];
  timers: (readonly [party: number, timer: string])[];
  losses: number;
}

/** A protocol, written down once more. Its functions change the data that they are given. */
export interface PlainProtocol<Party, Message = Plain> {
  readonly parties: readonly Party[];
  /** Only the oldest message of each channel may be next. */
  readonly ordered?: boolean;
  readonly duplicating?: boolean;
  /** Messages that may be lost; `Infinity` for any number. */
  readonly losses?: number;
  /** Messages that come from the outside (-1). */
  readonly outside?: readonly (readonly [to: number, message: Message])[];
  /** What a party does before the first step. */
  start?(party: Party, out: PlainOut, self: number): void;
  receive(party: Party, message: Message, out: PlainOut, from: number, self: number): void;
  timeOut?(party: Party, timer: string, out: PlainOut, self: number): void;
  /** Is told each state before it is gone on from. */
  visit?(state: PlainState<Party, Message>): void;
  /** States outside are not entered. */
  within?(state: PlainState<Party, Message>): boolean;
  /** What must hold of every state. */
  safe(state: PlainState<Party, Message>): boolean;
}

/** What a search comes to. */
export interface PlainFigures<Party, Message = Plain> {
  readonly states: number;
  readonly transitions: number;
  /** States in which what must hold does not. */
  readonly unsafe: number;
  /** States that no step leads out of. */
  readonly ends: readonly PlainState<Party, Message>[];
  /** All states, and by number of a state the numbers of those that its steps lead to. */
  readonly all: readonly PlainState<Party, Message>[];
  readonly steps: readonly (readonly number[])[];
}

interface Outcome<Party, Message> {
  readonly state: PlainState<Party, Message>;
  readonly seen: boolean;
}

/** Goes through all states of a protocol. */
export function plainSearch<Party, Message = Plain>(
  protocol: PlainProtocol<Party, Message>,
): PlainFigures<Party, Message> {
  type State = PlainState<Party, Message>;
  const { ordered = false, duplicating = false, losses: lossesMax = 0 } = protocol;
  const known = new Map<string, number>();
  const steps: number[][] = [];
  const open: State[] = [];
  const ends: State[] = [];
  let [transitions, unsafe, from] = [0, 0, 0];

  /** The number of a state; undefined for one outside. */
  const meet = (state: State): number | undefined => {
    if (protocol.within?.(state) === false) return undefined;
    const key = textOf(state, ordered);
    const met = known.get(key);
    if (met !== undefined) return met;
    known.set(key, open.length);
    if (!protocol.safe(state)) unsafe++;
    steps.push([]);
    return open.push(state) - 1;
  };
  const take = (state: State) => {
    transitions++;
    const to = meet(state);
    if (to !== undefined) steps[from]!.push(to);
  };
  const post = (state: State, message: State['messages'][number]) => {
    const rivals = state.messages.filter(([from, to]) => from === message[0] && to === message[1]);
    const equal = (ordered ? rivals.slice(-1) : rivals).some((one) => text(one) === text(message));
    if (!duplicating || !equal) state.messages.push(message);
  };
  /** All that can come of what a party does, one for each way to pick. */
  const outcomes = (before: State, self: number, act: (party: Party, out: PlainOut) => void) => {
    const all: Outcome<Party, Message>[] = [];
    let picks: readonly number[] | undefined = [];
    while (picks) {
      const given: readonly number[] = picks;
      const state = structuredClone(before);
      const counts: number[] = [];
      let seen = false;
      const others = (timer: string) =>
        state.timers.filter(([party, name]) => party !== self || name !== timer);
      act(state.parties[self]!, {
        send: (to, message) => {
          seen = true;
          post(state, [self, to, structuredClone(message) as Message]);
        },
        set: (timer) => {
          state.timers = [...others(timer), [self, timer]];
        },
        cancel: (timer) => {
          state.timers = others(timer);
        },
        show: () => {
          seen = true;
        },
        pick: (count) => given[counts.push(count) - 1] ?? 0,
      });
      all.push({ state, seen });
      const taken: number[] = counts.map((_, at) => given[at] ?? 0);
      while (taken.length > 0 && taken.at(-1)! + 1 === counts[taken.length - 1]) taken.pop();
      picks = taken.length > 0 ? [...taken.slice(0, -1), taken.at(-1)! + 1] : undefined;
    }
    return all;
  };
  /** True when a handling came to nothing. */
  const isIdle = (before: State, all: readonly Outcome<Party, Message>[]) =>
    all.length === 1 &&
    !all[0]!.seen &&
    text(all[0]!.state.parties) === text(before.parties) &&
    text([...all[0]!.state.timers].sort()) === text([...before.timers].sort());

  let starts: State[] = [{ parties: [...protocol.parties], messages: [], timers: [], losses: 0 }];
  protocol.parties.forEach((_, self) => {
    starts = starts.flatMap((state) =>
      outcomes(state, self, (party, out) => protocol.start?.(party, out, self)).map((one) => one.state),
    );
  });
  for (const state of starts) {
    for (const [to, message] of protocol.outside ?? []) post(state, [-1, to, message]);
    meet(state);
  }
  for (; from < open.length; from++) {
    const state = open[from]!;
    const before = transitions;
    protocol.visit?.(state);
    const met = new Set<string>();
    state.messages.forEach(([sender, to, message], at) => {
      const once = text(ordered ? [sender, to] : [sender, to, message]);
      if (met.has(once)) return;
      met.add(once);
      const rest = { ...state, messages: state.messages.filter((_, index) => index !== at) };
      if (sender >= 0 && state.losses < lossesMax)
        take({ ...rest, losses: state.losses + (Number.isFinite(lossesMax) ? 1 : 0) });
      const all = outcomes(duplicating ? state : rest, to, (party, out) =>
        protocol.receive(party, message, out, sender, to),
      );
      // What comes to nothing was not received; in order, it is taken off its channel unless it comes again.
      if ((ordered && !duplicating) || !isIdle(state, all)) for (const one of all) take(one.state);
    });
    state.timers.forEach(([self, timer], at) => {
      const rest = { ...state, timers: state.timers.filter((_, index) => index !== at) };
      const all = outcomes(rest, self, (party, out) => protocol.timeOut?.(party, timer, out, self));
      if (!isIdle(state, all)) for (const one of all) take(one.state);
    });
    if (transitions === before) ends.push(state);
  }
  return { states: known.size, transitions, unsafe, ends, all: open, steps };
}

const text = (data: Plain): string => JSON.stringify(data);

/** What tells states apart: messages as a multiset, or channel by channel in their order. */
function textOf<Party, Message>(state: PlainState<Party, Message>, ordered: boolean): string {
  const { parties, messages, timers, losses } = state;
  const channels = new Map<string, string[]>();
  for (const [from, to, message] of messages) {
    const channel = channels.get(`${from} ${to}`) ?? [];
    channels.set(`${from} ${to}`, channel);
    channel.push(text(message));
    if (!ordered) channel.sort();
  }
  return text([parties, [...channels].sort(), timers.map(text).sort(), losses]);
}
