import type { Exporter } from './exporter.ts';
import { payloadText } from './plain-data.ts';

/**
 * Every delivery as a row: for spreadsheets, databases and scripts. Rows go out at once; nothing is kept.
 *
 * Details: a fault that struck is a row without an index, of type `fault.` and its kind; its payload says what it did to which type of message.
 */
export const csv: Exporter = {
  summary: 'every delivery as a row, for spreadsheets and scripts',
  extension: 'csv',
  limit: { count: Number.MAX_SAFE_INTEGER, of: 'deliveries' },
  attach(run, write, { limit = Number.MAX_SAFE_INTEGER } = {}) {
    write('seq,tick,index,from,to,type,cause,payload\n');
    let shown = 0;
    const byFault = run.faults$.subscribe(({ tick, kind, from, to, message, what }) => {
      if (shown >= limit) return;
      const { seq, cause, event } = message;
      const payload = JSON.stringify({ type: event.type, what });
      write(`${seq},${tick},,${field(from)},${field(to)},fault.${kind},${cause},${field(payload)}\n`);
    });
    const byMessage = run.messages$.subscribe(({ message, from, to, index }) => {
      if (index >= limit) return;
      shown = index + 1;
      const { seq, due, cause, event } = message;
      write(
        `${seq},${due},${index},${field(from)},${field(to)},${field(event.type)},${cause},${field(payloadText(event))}\n`,
      );
    });
    return {
      end: () => {
        byFault.unsubscribe();
        byMessage.unsubscribe();
      },
    };
  },
};

/** A text as one field: in quotes when it holds what separates fields. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
