import { hostWords } from '../../../actors/grape/host-words.ts';
import type { InputPortContext } from '../../../actors/grape/input-port.ts';
import type { OutputContext } from '../../../actors/grape/output-port.ts';
import type { GrapeMessage } from '../../../actors/grape/protocol.ts';
import type { ReductionContext } from '../../../actors/grape/reduction-network.ts';
import type { Post } from '../../../kernel/message.ts';
import { mutantsOf } from '../../mutant.ts';
import { altered, as, plantingIn } from '../../planting.ts';
import type { GrapeParts } from '../assembly.ts';

const { hearing, instead, saying } = plantingIn<GrapeParts>();

/** Faults of the ports and of the reduction network (GRAPE specification 2.10, 3.7, 6.3). */
export const portFaults = mutantsOf<GrapeParts>({
  'G-09': {
    sentence: 'the input port loses the last word of a transfer of records',
    mutate: instead<InputPortContext>('inputPort', 'passOn', (passOn, c, event, out) => {
      const last = c.word === c.records * c.units.length - 1;
      passOn(c, event, last ? altered(out, () => []) : out);
    }),
  },
  'G-10': {
    sentence: 'the input port swaps the words of the first two blocks',
    mutate: instead<InputPortContext>('inputPort', 'passOn', (passOn, c, event, out) => {
      const [first, second] = c.spec.blocks;
      const swapped = (message: Post): Post =>
        message.to === first
          ? { ...message, to: second! }
          : message.to === second
            ? { ...message, to: first! }
            : message;
      const swaps = c.transfer!.mode === 0 && second !== undefined;
      passOn(c, event, swaps ? altered(out, (message) => [swapped(message)]) : out);
    }),
  },
  'G-11': {
    sentence: 'the input port announces its words when they are there already',
    mutate: saying<InputPortContext>('inputPort', 'announce', (message, c) => {
      const { idpHeader, idpLatency } = c.spec.timing;
      return message.type === 'bm.announce' ? { ...message, delay: 2 + idpHeader + idpLatency } : message;
    }),
  },
  'G-12': {
    sentence: 'idp in mode 2 moves the read pointer',
    mutate: saying('inputPort', 'open', (message) => ({ ...message, advance: true })),
  },
  'G-13': {
    sentence: 'external memory gives the record behind the one that is asked for',
    mutate: hearing<GrapeMessage<'em.read'>>('externalMemory', 'serve', (read) => ({
      ...read,
      record: read.record + 1,
    })),
  },
  'G-14': {
    sentence: 'the reduction tree has the words of the blocks in reverse order',
    mutate: instead<ReductionContext>('reductionNetwork', 'rise', (rise, c, event, out) => {
      c.leaves.reverse();
      rise(c, event, out);
    }),
  },
  'G-15': {
    sentence: 'an odd word at the end of a level of the reduction tree is lost',
    mutate: hearing<GrapeMessage<'rrn.level'>>('reductionNetwork', 'climb', (event) => {
      const even = event.words.length & ~1;
      return { ...event, words: event.words.slice(0, Math.max(1, even)) };
    }),
  },
  'G-16': {
    sentence: 'the reduction tree does not round',
    mutate: hearing<GrapeMessage<'rrn.start'>>('reductionNetwork', 'begin', (start) => ({
      ...start,
      round: false,
    })),
  },
  'G-17': {
    sentence: 'the output port lets every second word overtake the one before',
    mutate: instead<OutputContext>('outputPort', 'send', (send, c, event, out) => {
      const delay = c.words % 2 === 0 ? 3 : 0;
      send(
        c,
        event,
        altered(out, (message) => [{ ...message, delay }]),
      );
    }),
  },
  'G-18': {
    sentence: 'the output port cuts words where it ought to round them',
    mutate: instead<OutputContext>('outputPort', 'send', (_send, c, _event, out) => {
      const { word, op, conv } = c.queue.shift()!;
      c.words++;
      // The digits that a double has no room for.
      const bits = hostWords(conv, op, conv.startsWith('flt') ? word & ~0xffn : word);
      out.post({ to: c.spec.host, type: 'host.result', bits, word, conv } as Post);
    }),
  },
  'G-19': {
    sentence: 'the input port counts as busy two cycles longer than it is',
    mutate: saying('inputPort', 'end', (message) => {
      const { after } = as<GrapeMessage<'idp.done'>>(message);
      return message.type === 'idp.done' ? { ...message, after: after + 2 } : message;
    }),
  },
});
