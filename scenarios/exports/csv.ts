import type { Exporter } from './exporter.ts';
import { payloadText } from './plain-data.ts';

/** Every delivery as a row: for spreadsheets, databases and scripts. Rows go out at once; nothing is kept. */
export const csv: Exporter = {
  summary: 'every delivery as a row, for spreadsheets and scripts',
  extension: 'csv',
  limit: { count: Number.MAX_SAFE_INTEGER, of: 'deliveries' },
  attach(run, write, limit = Number.MAX_SAFE_INTEGER) {
    write('seq,tick,index,from,to,type,cause,payload\n');
    const listening = run.messages$.subscribe(({ message, from, to, index }) => {
      if (index >= limit) return;
      const { seq, due, cause, event } = message;
      write(
        `${seq},${due},${index},${field(from)},${field(to)},${field(event.type)},${cause},${field(payloadText(event))}\n`,
      );
    });
    return { end: () => listening.unsubscribe() };
  },
};

/** A text as one field: in quotes when it holds what separates fields. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
