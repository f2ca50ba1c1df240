import type { AnyStateMachine } from 'xstate';
import { firstDifference } from '../../../kernel/difference.ts';
import type { Address } from '../../../kernel/message.ts';
import { Run, type RunOptions } from '../../../kernel/run.ts';
import { familySpan } from '../../../kernel/wiring.ts';
import type { Given } from '../../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../../machines/sunway/config.ts';
import { sunwayMachine } from '../../../machines/sunway.ts';

type SunwayGiven = Given<SunwayConfig, SunwayPrograms>;

/** Where two twins differ first: what each of them says, and in which tick. */
export interface Difference {
  readonly explicit: string;
  readonly fast: string;
}

/** What compares the twins: the explicit model, whose parts a planted fault may have changed, and the fast one. */
export interface Twins {
  /** Messages and probes that are the same. */
  readonly messages: number;
  readonly difference: Difference | undefined;
}

/** Up to which tick twins are compared: far above what a generated program takes. */
const lastTick = 2_000_000;
/** Ticks that are carried out between two comparisons. */
const window = 512;

/** Something that a run tells the outside of its parts: a message or a probe, when, and from whom to whom. */
interface Told {
  readonly at: number;
  readonly from: Address | string;
  readonly to: Address | 'observers';
  readonly event: object;
}

/** Puts another state machine in the place of one, or leaves it. */
export type PartChange = (machine: AnyStateMachine) => AnyStateMachine;

/** What a run tells the outside of its parts, tick by tick, in its order. */
class Story {
  readonly run: Run;
  messages: Told[] = [];
  probes: Told[] = [];
  readonly #isInner: (address: Address) => boolean;

  constructor(given: SunwayGiven, options: RunOptions, isWatched: boolean, change: PartChange) {
    const assembly = sunwayMachine.assemble(given);
    const { wiring } = assembly;
    for (const [at, placed] of wiring.placements.entries())
      if (placed) wiring.placements[at] = { ...placed, machine: change(placed.machine) };
    this.result = () => (isWatched ? assembly.result(this.run) : undefined);
    this.run = new Run(wiring, options);
    if (isWatched) assembly.attach?.(this.run);
    this.#isInner = (address) =>
      address >= familySpan && wiring.families[Math.floor(address / familySpan) - 1]?.inside !== undefined;
    this.run.messages$.subscribe(({ message: { due: at, event, from, to } }) => {
      if (!this.#isInner(to) && !this.#isInner(from)) this.messages.push({ at, from, to, event });
    });
    this.run.probes$.subscribe(
      ({ tick: at, actor: from, probe: event }) =>
        void this.probes.push({ at, from, to: 'observers', event }),
    );
  }

  readonly result: () => unknown;
}

/** Whether two runs tell the same, but for the way of an event through its machine. */
function isSame(one: Told, other: Told): boolean {
  if (one.at !== other.at || one.from !== other.from || one.to !== other.to) return false;
  const [mine, yours] = [one.event, other.event] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(mine), ...Object.keys(yours)].filter((key) => !isOfEnvelope(key)));
  // Functions of programs are not the same in two runs.
  for (const key of keys)
    if (firstDifference(mine[key], yours[key]) !== undefined) return said(mine) === said(yours);
  return true;
}

const isOfEnvelope = (key: string): boolean => key === 'to' || key === 'delay';

/** An event as a text, without its way through the machine. */
function said(event: object): string {
  return JSON.stringify(event, (key, value) =>
    isOfEnvelope(key) ? undefined : value instanceof Uint8Array ? [...value].join(' ') : value,
  );
}

const told = (one: Told | undefined): string =>
  one === undefined ? 'nothing' : `${one.at} ${one.from} -> ${one.to} ${said(one.event)}`;

/**
 * Compares the explicit parts of a node with their fast twins on a scenario: all messages at the borders of parts and all probes, tick by tick and in their order, and at the end the
 * result. Both runs answer their picks from equal choices.
 *
 * Details: monitors see nothing but messages and probes; what they make of them is compared, too, when `isWatched`. Without them a comparison takes two thirds of the time. `fastParts`
 * plants a fault in a fast twin.
 */
export function compareTwins(
  given: SunwayGiven,
  options: () => RunOptions = () => ({}),
  isWatched = true,
  fastParts: PartChange = (machine) => machine,
): Twins {
  const [explicit, fast] = (['explicit', 'fast'] as const).map(
    (detail) =>
      new Story(
        { ...given, mutants: detail === 'fast' ? [] : given.mutants, config: { ...given.config, detail } },
        options(),
        isWatched,
        detail === 'fast' ? fastParts : (machine) => machine,
      ),
  ) as [Story, Story];
  let messages = 0;
  for (let last = window; !fast.run.ended && last <= lastTick; last += window) {
    for (const { run } of [explicit, fast]) run.until(last);
    for (const kind of ['messages', 'probes'] as const) {
      const [one, other] = [explicit[kind], fast[kind]];
      const at = one.findIndex((mine, k) => other[k] === undefined || !isSame(mine, other[k]));
      const first = at >= 0 ? at : one.length;
      if (first < one.length || first < other.length)
        return { messages, difference: { explicit: told(one[first]), fast: told(other[first]) } };
      messages += other.length;
      explicit[kind] = [];
      fast[kind] = [];
    }
  }
  const [one, other] = [explicit, fast].map(({ run, result }) => {
    const { verdict, violations, ticks: last } = run.outcome;
    return said({ verdict, violations, last, result: result() });
  }) as [string, string];
  return { messages, difference: one === other ? undefined : { explicit: one, fast: other } };
}
