import type { Part } from '../../kernel/part.ts';
import { isResource } from '../../kernel/resource.ts';
import { familySpan } from '../../kernel/wiring.ts';
import type { Exporter } from './exporter.ts';
import { faultText } from './fault-text.ts';

const shown = 10_000;

/**
 * The states of all actors at the end of each tick in the Informal Trace Format of Apalache and Quint.
 *
 * Details: one variable an actor, a record of its state and its context; `members` is a map of the actors that come to life during the run, whose
 * names no header can know; in a run with faults `faults` is a list of those that struck since the state before. States go out at once; nothing is kept. A file has actors times ticks entries, hence the limit.
 */
export const itf: Exporter = {
  summary: 'states of all actors tick by tick, for Apalache and Quint tools',
  extension: 'itf.json',
  limit: { count: shown, of: 'ticks' },
  attach(run, write, limit = shown) {
    const placed = run.parts.filter((part) => part.address < familySpan);
    const faulty = run.outcome.faults !== undefined;
    let struck: string[] = [];
    const vars = ['tick', ...placed.map((part) => part.name), 'members', ...(faulty ? ['faults'] : [])];
    const description = `states of the machine at the start and at the ends of the first ${limit} ticks at most`;
    write(
      `{"#meta":${JSON.stringify({ format: 'ITF', description })},"vars":${JSON.stringify(vars)},"states":[\n`,
    );
    let index = 0;
    const state = (tick: number) => {
      const members = run.parts.filter((part) => part.address >= familySpan);
      const values = {
        '#meta': { index },
        tick,
        ...Object.fromEntries(placed.map((part) => [part.name, recordOf(part)])),
        members: { '#map': members.map((part) => [part.name, recordOf(part)]) },
        ...(faulty && { faults: struck }),
      };
      write(`${index === 0 ? '' : ',\n'}${JSON.stringify(values)}`);
      index++;
      struck = [];
    };
    state(-1);
    const striking = run.faults$.subscribe((injection) => {
      struck.push(`${faultText(injection)}, ${injection.from} -> ${injection.to}`);
    });
    const listening = run.ticks$.subscribe((tick) => {
      if (index <= limit) state(tick);
    });
    return {
      end: () => {
        listening.unsubscribe();
        striking.unsubscribe();
        write('\n]}\n');
      },
    };
  },
};

const recordOf = (part: Part): object => ({
  state: part.configuration.name,
  context: itfValue(part.context),
});

/** A value of a context as the format writes it: it knows integers, texts, truth values, lists, sets, maps and records, and nothing else. */
function itfValue(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) return value;
  if (typeof value === 'bigint') return { '#bigint': value.toString() };
  // The format has no null: an option that holds nothing, as its users write it.
  if (value === null) return { tag: 'None', value: { '#tup': [] } };
  if (typeof value !== 'object') return { '#unserializable': String(value) };
  if (Array.isArray(value)) return value.map(itfValue);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, itfValue);
  if (value instanceof Set) return { '#set': Array.from(value, itfValue) };
  if (value instanceof Map)
    return { '#map': Array.from(value, ([key, one]) => [itfValue(key), itfValue(one)]) };
  if (isResource(value)) return { '#unserializable': value.constructor.name };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, itfValue(one)]));
}
