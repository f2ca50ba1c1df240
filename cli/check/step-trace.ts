import { GlobalState } from '../../kernel/global-state.ts';
import type { Run } from '../../kernel/run.ts';
import { itfValue } from '../../scenarios/exports/itf-value.ts';

/** One step: a tick with what happened in it, and the state at its end. */
interface Step {
  readonly tick: number;
  readonly happened: readonly string[];
  readonly state: GlobalState;
  /** The paths of what can differ between states, with values as texts. */
  readonly leaves: ReadonlyMap<string, string>;
}

/**
 * The states of a run one after the other, as a counterexample is read: before the first tick, and at the end of each tick with deliveries.
 *
 * Use: attach it to a run before its first step, and ask for the text or the file when the run is over.
 */
export class StepTrace {
  readonly #steps: Step[] = [];
  #run: Run | undefined;
  #happened: string[] = [];

  /** Listens to a run. */
  attach(run: Run): void {
    this.#run = run;
    this.#keep(-1);
    run.messages$.subscribe(({ message: { event }, from, to }) => {
      this.#happened.push(`${from} -> ${to}: ${event.type}${fieldsText(event)}`);
    });
    run.faults$.subscribe(({ kind, from, to, what }) => {
      this.#happened.push(`fault ${kind}, ${from} -> ${to}: ${what}`);
    });
    run.ticks$.subscribe((tick) => this.#keep(tick));
  }

  /** What only the end of the run knows: a tick that did not come to its end. */
  end(): void {
    if (this.#happened.length > 0) this.#keep(this.#run!.now);
  }

  /** The steps for people: of each state only what is not as it was before. */
  get text(): string {
    const lines = this.#steps.map((step, index) => {
      const before = this.#steps[index - 1]?.leaves;
      const head = index === 0 ? 'before the first tick' : `step ${index}, tick ${step.tick}`;
      const changes = [...changesOf(before, step.leaves)];
      return [
        head,
        ...step.happened.map((line) => `  ${line}`),
        ...(changes.length === 0 ? ['    nothing is changed'] : changes.map((line) => `    ${line}`)),
      ].join('\n');
    });
    return `${lines.join('\n')}\n`;
  }

  /** The states in the Informal Trace Format of Apalache and Quint. */
  get itf(): string {
    const names = [...new Set(this.#steps.flatMap(({ state }) => state.actors.map(({ name }) => name)))];
    const vars = ['tick', 'happened', 'messages', ...names];
    const absent = { state: 'absent', context: {} };
    const states = this.#steps.map(({ tick, happened, state }, index) => ({
      '#meta': { index },
      tick,
      happened,
      // Before the first tick, which is tick -1 there, they are due one tick later.
      messages: state.messages.map(({ due, from, to, event }) =>
        itfValue({ due: tick < 0 && !this.#run?.asynchronous ? due + 1 : due, from, to, event }),
      ),
      ...Object.fromEntries(
        names.map((name) => {
          const actor = state.actors.find((one) => one.name === name);
          return [name, actor ? itfValue({ state: actor.state, context: actor.context }) : absent];
        }),
      ),
    }));
    const description = 'a counterexample: the state before the first tick and at the end of each tick';
    return `${JSON.stringify({ '#meta': { format: 'ITF', description }, vars, states })}\n`;
  }

  #keep(tick: number): void {
    const state = this.#run!.state;
    const leaves = new Map<string, string>();
    for (const { name, state: at, context } of state.actors) {
      leaves.set(`${name}`, at);
      addLeaves(leaves, name, context);
    }
    const underWay = new Map<string, number>();
    for (const { from, to, event, due } of state.messages) {
      const when = due === 0 ? '' : ` in ${due}`;
      const text = `under way ${from} -> ${to}: ${event.type}${fieldsText(event)}${when}`;
      underWay.set(text, (underWay.get(text) ?? 0) + 1);
    }
    for (const [text, count] of underWay) leaves.set(text, `${count}`);
    // Contexts are changed in place: the state is copied as values of the format.
    const actors = state.actors.map((actor) => ({ ...actor, context: plain(actor.context) }));
    this.#steps.push({
      tick,
      happened: this.#happened,
      state: new GlobalState(actors, state.messages),
      leaves,
    });
    this.#happened = [];
  }
}

const envelope = new Set(['type', 'to', 'delay']);
const textMax = 160;

function fieldsText(event: object): string {
  const fields = Object.entries(event).filter(([key, value]) => !envelope.has(key) && value !== undefined);
  if (fields.length === 0) return '';
  return ` ${short(fields.map(([key, value]) => `${key} ${valueText(value)}`).join(', '))}`;
}

const short = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text);

/** A context as it is now: what the format cannot say is said in words. */
const plain = (context: unknown): Readonly<Record<string, unknown>> =>
  itfValue(context) as Readonly<Record<string, unknown>>;

const none = JSON.stringify(itfValue(null));

const valueText = (value: unknown): string => JSON.stringify(itfValue(value)).replaceAll(none, 'null');

function addLeaves(leaves: Map<string, string>, path: string, value: unknown, depth = 0): void {
  const isRecord =
    typeof value === 'object' &&
    value !== null &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);
  if (isRecord && depth < 4)
    for (const [key, one] of Object.entries(value)) addLeaves(leaves, `${path}.${key}`, one, depth + 1);
  else leaves.set(path, short(valueText(value)));
}

/** What two states differ in; all that the second has where there is no first, but for what nobody has touched. */
function* changesOf(
  before: ReadonlyMap<string, string> | undefined,
  after: ReadonlyMap<string, string>,
): Generator<string, void> {
  for (const [path, value] of after) {
    const was = before?.get(path);
    if (was === value) continue;
    if (path.startsWith('under way ')) {
      const more = Number(value) - Number(was ?? 0);
      yield `${more > 0 ? '+' : '-'} ${path}${Math.abs(more) === 1 ? '' : `, ${Math.abs(more)} times`}`;
    } else yield was === undefined ? `${path} = ${value}` : `${path}: ${was} -> ${value}`;
  }
  if (!before) return;
  for (const [path, value] of before)
    if (!after.has(path))
      yield `- ${path}${path.startsWith('under way ') && value !== '1' ? `, ${value} times` : ''}`;
}
