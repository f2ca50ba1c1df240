import type { CompiledMachine } from './compile.ts';
import { type Coverage, emptyCoverage, mergeCoverage, orderName, type Seen } from './coverage.ts';
import type { Run } from './run.ts';
import type { TransitionCounts, TransitionInfo } from './tables.ts';

/** What one run has covered. The run must have been made with `coverage`; else it covers nothing. */
export function coverageOf(run: Run): Coverage {
  const sum = new CoverageSum();
  sum.add(run);
  return sum.coverage;
}

/**
 * Adds up what runs have covered, in place: for campaigns of many short runs.
 *
 * Details: a run costs a few additions for each transition of its types of actors and for each order of deliveries seen; the rest is done when
 * `coverage` is read.
 *
 * Gotchas: add a run once, when it is over. A run whose wiring makes several state machines of one id, instead of one for all actors of a
 * type, counts as several in `runs` of a name.
 */
export class CoverageSum {
  #runs = 0;
  readonly #types = new Map<CompiledMachine, TypeSum>();
  /** By receiver, then by name. */
  readonly #orders = new Map<string, Map<string, Seen>>();

  /** Adds what a run has covered. */
  add(run: Pick<Run, 'coverage' | 'orders'>): void {
    this.#runs++;
    for (const counts of run.coverage.values()) this.#sumOf(counts.machine).add(counts);
    for (const { receiver, first, second, times } of run.orders) {
      const names = this.#orders.get(receiver) ?? new Map<string, Seen>();
      this.#orders.set(receiver, names);
      const [name, reverse] = [orderName(first, second), orderName(second, first)];
      const [timesBefore, runsBefore] = names.get(name) ?? unseen;
      names.set(name, [timesBefore + times, runsBefore + 1]);
      if (!names.has(reverse)) names.set(reverse, unseen);
    }
  }

  /** What all of them have covered together. */
  get coverage(): Coverage {
    const orders = [...this.#orders].map(([receiver, names]) => [receiver, Object.fromEntries(names)]);
    return [...this.#types.values()]
      .map((sum) => sum.coverage)
      .reduce(
        mergeCoverage,
        mergeCoverage(emptyCoverage, {
          ...emptyCoverage,
          runs: this.#runs,
          orders: Object.fromEntries(orders),
        }),
      );
  }

  #sumOf(machine: CompiledMachine): TypeSum {
    const known = this.#types.get(machine);
    if (known) return known;
    const made = new TypeSum(machine);
    this.#types.set(machine, made);
    return made;
  }
}

const unseen: Seen = [0, 0];

/** Times and runs of things with numbers. */
class Tally {
  readonly times: Float64Array;
  readonly runs: Float64Array;
  constructor(count: number) {
    this.times = new Float64Array(count);
    this.runs = new Float64Array(count);
  }
  add(times: ArrayLike<number>): void {
    for (let i = 0; i < times.length; i++) {
      if (times[i] === 0) continue;
      this.times[i]! += times[i]!;
      this.runs[i]!++;
    }
  }
  at(index: number): Seen {
    return [this.times[index]!, this.runs[index]!];
  }
}

/** What the actors of one type have covered. Which states a transition enters is known beforehand, so states need no counters in runs. */
class TypeSum {
  readonly #machine: CompiledMachine;
  readonly #states: readonly string[];
  readonly #initial: readonly number[];
  readonly #afterComplaints: ReadonlySet<string>;
  readonly #enters: readonly (readonly number[])[];
  readonly #entered: Tally;
  readonly #taken: Tally;
  readonly #holds: Tally;
  readonly #fails: Tally;

  constructor(machine: CompiledMachine) {
    const { states, initialStates, transitions } = machine;
    const numbersOf = (names: readonly string[]) => names.map((name) => states.indexOf(name));
    this.#machine = machine;
    this.#states = states;
    this.#initial = numbersOf(initialStates);
    this.#afterComplaints = afterComplaints(machine);
    this.#enters = transitions.map(({ enters }) => numbersOf(enters).filter((number) => number >= 0));
    this.#entered = new Tally(states.length);
    this.#taken = new Tally(transitions.length);
    this.#holds = new Tally(transitions.length);
    this.#fails = new Tally(transitions.length);
  }

  add({ starts, taken, guardTrue, guardFalse }: TransitionCounts): void {
    const entered = new Float64Array(this.#states.length);
    for (const state of this.#initial) entered[state]! += starts;
    for (let i = 0; i < taken.length; i++)
      if (taken[i] !== 0) for (const state of this.#enters[i]!) entered[state]! += taken[i]!;
    this.#entered.add(entered);
    this.#taken.add(taken);
    this.#holds.add(guardTrue);
    this.#fails.add(guardFalse);
  }

  /** Everything there is in this type, with how often it was seen; of no run, since the runs are counted elsewhere. */
  get coverage(): Coverage {
    const { transitions } = this.#machine;
    const names = namesOf(transitions);
    const listed = (tally: Tally, which: (transition: TransitionInfo) => boolean) => {
      const entries = transitions.flatMap((transition, index) =>
        which(transition) ? [[names[index]!, tally.at(index)] as const] : [],
      );
      return { [this.#machine.machine.id]: Object.fromEntries(entries) };
    };
    const guarded = ({ guard }: TransitionInfo) => guard !== undefined;
    const complains = (one: TransitionInfo) => one.complains || this.#afterComplaints.has(one.source);
    /** Where the guard does not hold, what comes next reports a violation. */
    const complainsElse = (transition: TransitionInfo): boolean => {
      const next = transitions[transitions.indexOf(transition) + 1];
      return (
        next?.complains === true &&
        next.guard === undefined &&
        next.source === transition.source &&
        next.event === transition.event
      );
    };
    return {
      ...emptyCoverage,
      states: {
        [this.#machine.machine.id]: Object.fromEntries(
          this.#states.flatMap((name, state) =>
            this.#afterComplaints.has(name) ? [] : [[name, this.#entered.at(state)] as const],
          ),
        ),
      },
      transitions: listed(this.#taken, (one) => !one.refuses && !complains(one)),
      refusals: listed(this.#taken, (one) => one.refuses && !complains(one)),
      complaints: listed(this.#taken, complains),
      holds: listed(this.#holds, (one) => guarded(one) && !complains(one)),
      fails: listed(
        this.#fails,
        (one) => guarded(one) && !this.#afterComplaints.has(one.source) && !complainsElse(one),
      ),
    };
  }
}

/** The states that are entered only where a violation is reported, or from such a state. */
function afterComplaints({ states, initialStates, transitions }: CompiledMachine): ReadonlySet<string> {
  const sound = new Set(initialStates);
  for (let before = -1; before !== sound.size; ) {
    before = sound.size;
    for (const { source, complains, enters } of transitions)
      if (!complains && (source === '' || sound.has(source))) for (const state of enters) sound.add(state);
  }
  return new Set(states.filter((state) => !sound.has(state)));
}

/** The names of transitions; where several read the same, the later ones are numbered. */
export function namesOf(transitions: readonly TransitionInfo[]): readonly string[] {
  const before = new Map<string, number>();
  return transitions.map((transition) => {
    const name = nameOf(transition);
    const number = (before.get(name) ?? 0) + 1;
    before.set(name, number);
    return number === 1 ? name : `${name} (${number})`;
  });
}

function nameOf({ source, event, guard, targets }: TransitionInfo): string {
  const words = [
    `${source || 'anywhere'}:`,
    event || 'always',
    ...(guard === undefined ? [] : [`[${guard}]`]),
    ...(targets.length === 0 ? [] : [`-> ${targets.join(', ')}`]),
  ];
  return words.join(' ');
}
