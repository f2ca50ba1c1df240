import type { Exporter } from './exporter.ts';
import { faultText, isAtReceiver } from './fault-text.ts';
import { payloadText } from './plain-data.ts';

type Clock = ReadonlyMap<string, number>;

const shown = 1000;

/** The expression by which ShiViz reads the events; a file begins with it and with an empty line, since there is one run only. */
const parser = '(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)';

/**
 * The first deliveries with vector clocks, for ShiViz, which draws who could have influenced whom.
 *
 * Details: a fault that struck is an event of the sender of the message, or of its receiver when it struck there. Any other event is the handling of one message; it comes after what its receiver handled before and after the handling that posted it.
 * Clocks of all shown events are kept, so memory grows with events times actors: keep the limit low.
 */
export const shiviz: Exporter = {
  summary: 'happened-before diagram of the first deliveries, for ShiViz',
  extension: 'shiviz.log',
  limit: { count: shown, of: 'deliveries' },
  attach(run, write, { limit = shown } = {}) {
    write(`${parser}\n\n`);
    const clocks = new Map<string, Clock>();
    const clockOf = new Map<number, Clock>();
    let more = 0;
    const striking = run.faults$.subscribe((injection) => {
      if (more > 0) return;
      const { tick, from, to } = injection;
      const host = hostName(isAtReceiver(injection) ? to : from);
      const clock = new Map(clocks.get(host) ?? []);
      clock.set(host, (clock.get(host) ?? 0) + 1);
      clocks.set(host, clock);
      const what = `${faultText(injection)} from ${from} to ${to} tick ${tick}`;
      write(`${host} ${JSON.stringify(Object.fromEntries(clock))}\n${what.replaceAll('\n', ' ')}\n`);
    });
    const listening = run.messages$.subscribe(({ message, from, to, index }) => {
      if (index >= limit) {
        more++;
        return;
      }
      const { seq, due, cause, event } = message;
      const host = hostName(to);
      const clock = new Map(clocks.get(host) ?? []);
      for (const [name, count] of clockOf.get(cause) ?? [])
        clock.set(name, Math.max(count, clock.get(name) ?? 0));
      clock.set(host, (clocks.get(host)?.get(host) ?? 0) + 1);
      clocks.set(host, clock);
      clockOf.set(seq, clock);
      const what = [event.type, `from ${from}`, `tick ${due}`, payloadText(event)].filter(
        (part) => part !== '',
      );
      write(
        `${host} ${JSON.stringify(Object.fromEntries(clock))}\n${what.join(' ').replaceAll('\n', ' ')}\n`,
      );
    });
    return {
      end: () => {
        listening.unsubscribe();
        striking.unsubscribe();
        // The format has no comments: what is missing is an event of its own, before which nothing needs to be.
        if (more > 0) write(`export {"export":1}\n${more} more deliveries are not shown (limit ${limit})\n`);
      },
    };
  },
};

/** A host is one word. */
const hostName = (actor: string): string => actor.replace(/\s+/g, '_');
