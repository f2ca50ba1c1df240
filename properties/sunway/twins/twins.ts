import type { Address } from '../../../kernel/message.ts';
import { Run, type RunOptions } from '../../../kernel/run.ts';
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

/** What a run tells the outside of its parts, tick by tick: each message with its payload, each probe, in their order. */
class Story {
  readonly run: Run;
  messages: string[] = [];
  probes: string[] = [];
  readonly #isInner: (address: Address) => boolean;

  constructor(given: SunwayGiven, options: RunOptions) {
    const assembly = sunwayMachine.assemble(given);
    const { wiring } = assembly;
    this.result = () => assembly.result(this.run);
    this.run = new Run(wiring, options);
    assembly.attach?.(this.run);
    const span = 2 ** 20;
    this.#isInner = (address) =>
      address >= span && wiring.families[Math.floor(address / span) - 1]?.inside !== undefined;
    this.run.messages$.subscribe(({ message, from, to }) => {
      if (!this.#isInner(message.to) && !this.#isInner(message.from))
        this.messages.push(`${message.due} ${from} -> ${to} ${said(message.event)}`);
    });
    this.run.probes$.subscribe(
      ({ tick, actor, probe }) => void this.probes.push(`${tick} ${actor} shows ${said(probe)}`),
    );
  }

  readonly result: () => unknown;
}

/** An event or probe as a text, without its way through the machine. */
function said(event: object): string {
  const { to: _to, delay: _delay, ...rest } = event as Record<string, unknown>;
  return JSON.stringify(rest, (_key, value) => (value instanceof Uint8Array ? [...value].join(' ') : value));
}

/**
 * Compares the explicit parts of a node with their fast twins on a scenario: all messages at the borders of parts and all probes, tick by tick and in their order, and at the end the
 * result. Both runs answer their picks from equal choices.
 */
export function compareTwins(given: SunwayGiven, options: () => RunOptions = () => ({})): Twins {
  const [explicit, fast] = (['explicit', 'fast'] as const).map(
    (detail) =>
      new Story(
        { ...given, mutants: detail === 'fast' ? [] : given.mutants, config: { ...given.config, detail } },
        options(),
      ),
  ) as [Story, Story];
  let messages = 0;
  const differs = (one: string | undefined, other: string | undefined): Difference | undefined =>
    one === other ? undefined : { explicit: one ?? 'nothing', fast: other ?? 'nothing' };
  for (let last = window; !fast.run.ended && last <= lastTick; last += window) {
    for (const { run } of [explicit, fast]) run.until(last);
    for (const kind of ['messages', 'probes'] as const) {
      const [one, other] = [explicit[kind], fast[kind]];
      for (let k = 0; k < Math.max(one.length, other.length); k++) {
        const difference = differs(one[k], other[k]);
        if (difference) return { messages, difference };
      }
      messages += other.length;
      explicit[kind] = [];
      fast[kind] = [];
    }
  }
  const [one, other] = [explicit, fast].map(({ run, result }) => {
    const { verdict, violations, ticks: last } = run.outcome;
    return said({ verdict, violations, last, result: result() });
  });
  return { messages, difference: differs(one, other) };
}
