import type { Exporter } from './exporter.ts';
import { faultText } from './fault-text.ts';
import { faultsAt, firstMessages, moreText } from './sequence.ts';

const shown = 200;

/** A Mermaid sequence diagram of the first messages, one note a tick. */
export const mermaid: Exporter = {
  summary: 'sequence diagram of the first messages, for Markdown',
  extension: 'mmd',
  limit: { count: shown, of: 'messages' },
  attach(run, write, { limit = shown } = {}) {
    const first = firstMessages(run, limit);
    return {
      end: () => {
        const sequence = first();
        const { participants, deliveries } = sequence;
        const alias = new Map(participants.map((name, index) => [name, `a${index}`]));
        const everyone = participants.length > 1 ? `a0,a${participants.length - 1}` : 'a0';
        write(`%% shows the first ${limit} messages at most\nsequenceDiagram\n`);
        for (const name of participants)
          write(`  participant ${alias.get(name)} as ${escapedForMermaid(name)}\n`);
        const noteFaults = (place: number) => {
          for (const injection of faultsAt(sequence, place)) {
            const ends = [...new Set([injection.from, injection.to])]
              .map((name) => alias.get(name))
              .join(',');
            write(`  Note over ${ends}: ${escapedForMermaid(faultText(injection))}\n`);
          }
        };
        let tick = -1;
        for (const [place, { message, from, to }] of deliveries.entries()) {
          noteFaults(place);
          if (message.due !== tick) write(`  Note over ${everyone}: tick ${message.due}\n`);
          tick = message.due;
          write(`  ${alias.get(from)}->>${alias.get(to)}: ${escapedForMermaid(message.event.type)}\n`);
        }
        noteFaults(deliveries.length);
        if (sequence.more > 0) write(`  Note over ${everyone}: ${moreText(sequence)}\n`);
      },
    };
  },
};

/** A text whose characters that would end a statement or begin an entity are Mermaid entity codes. */
export const escapedForMermaid = (text: string): string =>
  text.replace(/[#;<>\n]/g, (character) => `#${character.charCodeAt(0)};`);
