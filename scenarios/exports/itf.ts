import type { LocalState } from '../../kernel/global-state.ts';
import { familySpan } from '../../kernel/wiring.ts';
import type { Exporter } from './exporter.ts';
import { faultText } from './fault-text.ts';
import { itfValue } from './itf-value.ts';

const shown = 10_000;
/** Characters of a file: what readers of the format take in one piece. */
const charactersMax = 64 * 2 ** 20;

/**
 * The states of all actors at the end of each tick in the Informal Trace Format of Apalache and Quint.
 *
 * Details: one variable an actor, a record of its state and its context; `members` is a map of the actors that come to life during the run, whose
 * names no header can know; in a run with faults `faults` is a list of those that struck since the state before. States go out at once; nothing is kept. A file has actors times ticks entries, hence
 * the limits: of ticks, and of size, for actors with large memories. The format knows no differences between states.
 */
export const itf: Exporter = {
  summary: 'states of all actors tick by tick, for Apalache and Quint tools',
  extension: 'itf.json',
  limit: { count: shown, of: 'ticks' },
  attach(run, write, { limit = shown, sizeMax = charactersMax } = {}) {
    const placed = run.parts.filter((part) => part.address < familySpan);
    const recordsOf = (locals: readonly LocalState[]) =>
      locals.map((one) => [one.name, recordOf(one)] as const);
    const faulty = run.outcome.faults !== undefined;
    let struck: string[] = [];
    const vars = ['tick', ...placed.map((part) => part.name), 'members', ...(faulty ? ['faults'] : [])];
    const description = `states of the machine at the start and at the ends of the first ${limit} ticks at most`;
    write(
      `{"#meta":${JSON.stringify({ format: 'ITF', description })},"vars":${JSON.stringify(vars)},"states":[\n`,
    );
    let [index, size] = [0, 0];
    let cut: string | undefined;
    const state = (tick: number) => {
      // An actor that crashed is another one when it begins anew.
      const locals = run.localStates;
      const values = {
        '#meta': { index },
        tick,
        ...Object.fromEntries(recordsOf(locals.slice(0, placed.length))),
        members: { '#map': recordsOf(locals.slice(placed.length)) },
        ...(faulty && { faults: struck }),
      };
      const text = `${index === 0 ? '' : ',\n'}${JSON.stringify(values)}`;
      size += text.length;
      // The first state tells what there is, however large it is.
      if (size > sizeMax && index > 0) {
        cut = `it ends before tick ${tick}, since its states would take more than ${sizeMax.toLocaleString('en')} characters; --until ends a run earlier, and --export vcd=FILE writes changes only`;
        return;
      }
      write(text);
      index++;
      struck = [];
    };
    state(-1);
    const striking = run.faults$.subscribe((injection) => {
      struck.push(`${faultText(injection)}, ${injection.from} -> ${injection.to}`);
    });
    const listening = run.ticks$.subscribe((tick) => {
      if (index <= limit && cut === undefined) state(tick);
    });
    return {
      get cut() {
        return cut;
      },
      end: () => {
        listening.unsubscribe();
        striking.unsubscribe();
        write('\n]}\n');
      },
    };
  },
};

const recordOf = ({ state, context }: LocalState): object => ({ state, context: itfValue(context) });
