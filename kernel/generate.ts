import type { LockstepEvent } from './message.ts';
import type { Port } from './port.ts';
import type {
  Candidate,
  CompiledSnapshot,
  Configuration,
  GuardTree,
  Microstep,
  Step,
  TransitionCounts,
} from './tables.ts';

/** Handles one type of event in one configuration of one machine. Returns false when nothing was taken. One that counts is given the counts of the machine. */
export type Handler = (
  snapshot: CompiledSnapshot,
  event: LockstepEvent,
  port: Port,
  counts: TransitionCounts | undefined,
) => boolean;

/** Takes always-transitions from one configuration on. Returns true when there may be more. */
export type Rest = (
  snapshot: CompiledSnapshot,
  event: LockstepEvent,
  port: Port,
  counts: TransitionCounts | undefined,
) => boolean;

/** What the generator asks of the compiler. */
export interface Tables {
  /** What taking a transition does. */
  readonly microstepOf: (configuration: Configuration, candidate: Candidate) => Microstep;
  /** Carries on with always-transitions from the tables. */
  readonly settle: (
    snapshot: CompiledSnapshot,
    event: LockstepEvent,
    port: Port,
    counts: TransitionCounts | undefined,
  ) => void;
}

/** How many always-transitions in a row are written out in one function. */
export const alwaysDepthMax = 4;

/**
 * Writes the row of the table for one event in one configuration as a JavaScript function.
 *
 * Why: the engine keeps what it learns about shapes and call targets per piece of source text. One generic loop over tables sees the events,
 * contexts and recipes of all machines and learns nothing; a function of its own for each row sees one context, one event and fixed
 * recipes. On the Cell machine this is worth a factor; `bench/ring.ts` and `bench/cell-speed.ts` measure it. Nothing of the user's text gets
 * into the source: recipes are bound as constants.
 *
 * Details: for mutable contexts and configurations with one leaf. `counting`: it also counts which transitions are taken and how guards come out. What it does is what `CompiledMachine` does from the tables; the comparison
 * with XState runs over both.
 */
export function generateHandler(
  tables: Tables,
  configuration: Configuration,
  list: readonly Candidate[],
  counting = false,
): Handler {
  const writer = new Writer(tables, counting);
  const body = writer.candidates(
    configuration,
    list,
    configuration.always.length > 0 ? () => writer.always(configuration, 0) : undefined,
  );
  const source = `${writer.constants}
return function (s, e, p, n) {
const c = s.context;
${body}
return false;
};`;
  return new Function('k', source)(writer.values) as Handler;
}

/** The always-transitions of a configuration as such a function; null where the tables take them. */
export function generateRest(tables: Tables, configuration: Configuration, counting: boolean): Rest | null {
  const writer = new Writer(tables, counting, 'return true;');
  if (!writer.isPlain(configuration)) return null;
  const body = writer.always(configuration, 0);
  return new Function(
    'k',
    `${writer.constants}
return function (s, e, p, n) {
const c = s.context;
${body}
return false;
};`,
  )(writer.values) as Rest;
}

class Writer {
  readonly values: unknown[] = [];
  readonly #tables: Tables;
  readonly #counting: boolean;
  /** What stands where always-transitions are not written out any more. */
  readonly #goOn: string | undefined;
  constructor(tables: Tables, counting: boolean, goOn?: string) {
    this.#tables = tables;
    this.#counting = counting;
    this.#goOn = goOn;
  }

  get constants(): string {
    return this.values.map((_, index) => `const k${index} = k[${index}];`).join('\n');
  }

  #constant(value: unknown): string {
    const at = this.values.indexOf(value);
    return `k${at >= 0 ? at : this.values.push(value) - 1}`;
  }

  /** The candidates of an event, in order; `otherwise` follows when no guard holds. */
  candidates(
    configuration: Configuration,
    list: readonly Candidate[],
    otherwise: (() => string) | undefined,
  ): string {
    const lines = list.map((candidate) => {
      const step = this.#tables.microstepOf(configuration, candidate);
      const taken = `${this.#counts('taken', candidate)}${this.#microstep(step)}${this.#rest(step, 0)}\nreturn true;`;
      return candidate.tree === undefined
        ? taken
        : `if (${this.#guard(candidate.tree)}) {\n${this.#counts('guardTrue', candidate)}${taken}\n}\n${this.#counts('guardFalse', candidate)}`;
    });
    if (list.some((candidate) => candidate.tree === undefined))
      return lines.slice(0, list.findIndex((candidate) => candidate.tree === undefined) + 1).join('\n');
    return [...lines, otherwise?.() ?? '', list.length > 0 ? 'return true;' : ''].join('\n');
  }

  /** True where a configuration has one leaf and nothing completes. */
  isPlain(configuration: Configuration): boolean {
    return (
      configuration.always.length === 1 &&
      configuration.always[0]!.every(
        (candidate) => this.#tables.microstepOf(configuration, candidate).completions.length === 0,
      )
    );
  }

  /** The always-transitions of a configuration: written out where it is plain. */
  always(configuration: Configuration, depth: number): string {
    if (depth >= alwaysDepthMax || !this.isPlain(configuration))
      return this.#goOn ?? `${this.#constant(this.#tables.settle)}(s, e, p, n);`;
    const list = configuration.always[0]!;
    // From the last one, which stands innermost, to the first.
    return list.reduceRight((otherwise, candidate) => {
      const step = this.#tables.microstepOf(configuration, candidate);
      const taken = `${this.#counts('taken', candidate)}${this.#microstep(step)}${step.changes ? this.#rest(step, depth + 1) : ''}`;
      if (candidate.tree === undefined) return taken;
      const [holds, fails] = [this.#counts('guardTrue', candidate), this.#counts('guardFalse', candidate)];
      return `if (${this.#guard(candidate.tree)}) {\n${holds}${taken}\n} else {\n${fails}${otherwise}\n}`;
    }, '');
  }

  /** What counts a candidate, where that is asked for. */
  #counts(what: 'taken' | 'guardTrue' | 'guardFalse', { index }: Candidate): string {
    return this.#counting ? `n.${what}[${index}]++;\n` : '';
  }

  /** What follows a microstep: the always-transitions of the configuration it leads to. */
  #rest(step: Microstep, depth: number): string {
    return step.next.always.length === 0 ? '' : `\n${this.always(step.next, depth)}`;
  }

  #microstep(step: Microstep): string {
    return [
      ...step.steps.map((one) => this.#step(one)),
      `s.configuration = ${this.#constant(step.next)};`,
    ].join('\n');
  }

  #step({ tag, params, paramsOf }: Step): string {
    const run = this.#constant(tag.run);
    const given = paramsOf
      ? `${this.#constant(paramsOf)}({ context: c, event: e })`
      : params === undefined
        ? 'undefined'
        : this.#constant(params);
    switch (tag.kind) {
      case 'choose':
        return `${run}(c, e, p.pick(${this.#constant(tag.what)}, ${this.#constant(tag.count)}(c, e, p)), p);`;
      case 'update':
      case 'act':
        return `${run}(c, e, p, ${given});`;
      case 'post':
        return `{ const r = ${run}(c, e, p, ${given}); if (r !== undefined) { if (Array.isArray(r)) { for (let i = 0; i < r.length; i++) p.send(r[i].to, r[i].delay, r[i]); } else p.send(r.to, r.delay, r); } }`;
      case 'probe':
        return `if (p.observed) { const r = ${run}(c, e, p, ${given}); if (r !== undefined) { if (Array.isArray(r)) { for (let i = 0; i < r.length; i++) p.probe(r[i]); } else p.probe(r); } }`;
      case 'report':
        return `{ const r = ${run}(c, e, p, ${given}); if (r) p.report(r); }`;
      default:
        return tag.kind satisfies never;
    }
  }

  #guard(tree: GuardTree): string {
    switch (tree.kind) {
      case 'and':
      case 'or':
        return tree.inner.length === 0
          ? String(tree.kind === 'and')
          : `(${tree.inner.map((one) => this.#guard(one)).join(tree.kind === 'and' ? ' && ' : ' || ')})`;
      case 'not':
        return `!${this.#guard(tree.inner[0]!)}`;
      default: {
        const { holds, params, paramsOf } = tree;
        const given = paramsOf
          ? `${this.#constant(paramsOf)}({ context: c, event: e })`
          : params === undefined
            ? 'undefined'
            : this.#constant(params);
        return `${this.#constant(holds)}(c, e, p, ${given})`;
      }
    }
  }
}
