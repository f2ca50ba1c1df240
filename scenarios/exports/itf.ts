import type { Actor } from '../../kernel/actor.ts';
import { familySpan } from '../../kernel/wiring.ts';
import type { Exporter } from './exporter.ts';
import { faultText } from './fault-text.ts';
import { itfValue } from './itf-value.ts';

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
  attach(run, write, { limit = shown } = {}) {
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

const recordOf = (part: Actor): object => ({
  state: part.configuration.name,
  context: itfValue(part.context),
});
