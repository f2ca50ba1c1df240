import { explorationOf } from '../../cli/check/exploration.ts';
import { kindOf } from '../../kernel/explore/claim.ts';
import type { DecodedState } from '../../kernel/explore/decode.ts';
import { Explorer, type Finding } from '../../kernel/explore/explorer.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import type { ExploredView, StateView, StepView } from '../protocol.ts';

/** States up to which a page explores; beyond them there is the command line. */
const statesMax = 20_000;
/** Deliveries after which the page gets a turn. */
const sliceDeliveries = 5_000;
/** Different findings that are told at most. */
const findingsMax = 20;

/** What `check` knows of a small machine: its states, the ticks between them, and where something is found. */
export class Explored {
  readonly #explorer: Explorer;
  /** By state: where its ticks lead, each place once with the deliveries of the first tick that leads there. */
  readonly #next = new Map<number, Map<number, readonly string[]>>();
  readonly #before = new Map<number, Set<number>>();
  #states: readonly DecodedState[] = [];
  #wrong = new Map<number, string[]>();

  constructor(judged: JudgedScenario) {
    const { make, options } = explorationOf(judged, { reduction: true, statesMax, symmetry: false });
    this.#explorer = new Explorer(make, {
      ...options,
      findingsMax,
      kindOf,
      onTick: (from, to, deliveries) => {
        const known = this.#next.get(from) ?? new Map<number, readonly string[]>();
        this.#next.set(from, known);
        if (!known.has(to))
          known.set(
            to,
            deliveries.map((one) => `${one.from} → ${one.to}: ${one.type}`),
          );
        const back = this.#before.get(to) ?? new Set();
        this.#before.set(to, back.add(from));
      },
    });
  }

  /** Explores to the end or to the limit of a page. Errors: those of `Explorer`. */
  async toEnd(onTurn: (words: string) => Promise<void>): Promise<ExploredView> {
    const explorer = this.#explorer;
    while (explorer.go(sliceDeliveries))
      await onTurn(`${explorer.figures.states.toLocaleString('en')} states`);
    const { states, transitions, limit, findings, verdict } = explorer.result;
    this.#states = [...explorer.states()];
    for (const { place, what } of findings) {
      const known = this.#wrong.get(place.state) ?? [];
      this.#wrong.set(place.state, [...known, what]);
    }
    return {
      verdict,
      states,
      transitions,
      // Numbers are given breadth first: an earlier state leads to each that no run begins with.
      starts: [...this.#states.keys()].filter(
        (state) => ![...(this.#before.get(state) ?? [])].some((before) => before < state),
      ),
      ...(limit && {
        limit: `it stopped at ${states.toLocaleString('en')} states: \`lockstep check\` goes on`,
      }),
      findings: findings.map(({ verdict: kind, what, why, place, unreached }) => ({
        verdict: kind,
        what,
        why,
        state: place.state,
        isRun: !unreached,
      })),
      ...(states <= wholeMax && {
        graph: [...this.#next].map(([from, to]) => ({ from, to: [...to.keys()] })),
      }),
    };
  }

  /** One state, and what can happen next. */
  state(number: number): StateView {
    const { actors, messages } = this.#states[number]!;
    return {
      number,
      actors: actors.map(({ name, state, waits }) => ({ actor: name, state, waiting: waits })),
      messages: messages.map(
        ({ from, to, event, due }) => `${from} → ${to}: ${event.type}${due > 0 ? ` in ${due}` : ''}`,
      ),
      wrong: this.#wrong.get(number) ?? [],
      next: [...(this.#next.get(number) ?? [])].map(
        ([to, deliveries]): StepView => ({ to, deliveries, wrong: this.#wrong.get(to) ?? [] }),
      ),
      before: [...(this.#before.get(number) ?? [])],
    };
  }

  /** The picks of a run that comes to a finding. Errors: as `Explorer.show`. */
  tapeOf(index: number): NonNullable<Finding['tape']> {
    const finding = this.#explorer.result.findings[index]!;
    return this.#explorer.show(finding).finding.tape!;
  }
}

/** States up to which the whole graph is drawn. */
const wholeMax = 120;
