import type { Exporter } from './exporter.ts';
import { faultText } from './fault-text.ts';
import { faultsAt, firstMessages, moreText } from './sequence.ts';

const shown = 500;

/** A PlantUML sequence diagram of the first messages, one divider a tick. */
export const plantuml: Exporter = {
  summary: 'sequence diagram of the first messages, for PlantUML',
  extension: 'puml',
  limit: { count: shown, of: 'messages' },
  attach(run, write, { limit = shown } = {}) {
    const first = firstMessages(run, limit);
    return {
      end: () => {
        const sequence = first();
        const { participants, deliveries } = sequence;
        const alias = new Map(participants.map((name, index) => [name, `a${index}`]));
        write(`@startuml\n' shows the first ${limit} messages at most\n`);
        for (const name of participants) write(`participant ${quoted(name)} as ${alias.get(name)}\n`);
        const noteFaults = (place: number) => {
          for (const injection of faultsAt(sequence, place)) {
            const ends = [...new Set([injection.from, injection.to])]
              .map((name) => alias.get(name))
              .join(', ');
            write(`note over ${ends} : ${faultText(injection).replaceAll('\n', ' ')}\n`);
          }
        };
        let tick = -1;
        for (const [place, { message, from, to }] of deliveries.entries()) {
          noteFaults(place);
          if (message.due !== tick) write(`== tick ${message.due} ==\n`);
          tick = message.due;
          write(`${alias.get(from)} -> ${alias.get(to)} : ${message.event.type.replaceAll('\n', ' ')}\n`);
        }
        noteFaults(deliveries.length);
        if (sequence.more > 0) write(`== ${moreText(sequence)} ==\n`);
        write('@enduml\n');
      },
    };
  },
};

/** PlantUML has no escape for a quote inside quotes. */
const quoted = (name: string): string => `"${name.replaceAll('"', "'").replaceAll('\n', ' ')}"`;
