import type { Exporter } from './exporter.ts';
import { firstMessages, moreText } from './sequence.ts';

const shown = 500;

/** A PlantUML sequence diagram of the first messages, one divider a tick. */
export const plantuml: Exporter = {
  summary: 'sequence diagram of the first messages, for PlantUML',
  extension: 'puml',
  limit: { count: shown, of: 'messages' },
  attach(run, write, limit = shown) {
    const first = firstMessages(run, limit);
    return {
      end: () => {
        const sequence = first();
        const { participants, deliveries } = sequence;
        const alias = new Map(participants.map((name, index) => [name, `a${index}`]));
        write(`@startuml\n' shows the first ${limit} messages at most\n`);
        for (const name of participants) write(`participant ${quoted(name)} as ${alias.get(name)}\n`);
        let tick = -1;
        for (const { message, from, to } of deliveries) {
          if (message.due !== tick) write(`== tick ${message.due} ==\n`);
          tick = message.due;
          write(`${alias.get(from)} -> ${alias.get(to)} : ${message.event.type.replaceAll('\n', ' ')}\n`);
        }
        if (sequence.more > 0) write(`== ${moreText(sequence)} ==\n`);
        write('@enduml\n');
      },
    };
  },
};

/** PlantUML has no escape for a quote inside quotes. */
const quoted = (name: string): string => `"${name.replaceAll('"', "'").replaceAll('\n', ' ')}"`;
