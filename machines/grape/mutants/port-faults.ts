import type { MemoryContext } from '../../../actors/grape/external-memory.ts';
import { hostWords } from '../../../actors/grape/host-words.ts';
import type { InputPortContext } from '../../../actors/grape/input-port.ts';
import type {
  BroadcastWord,
  InputDone,
  InputStart,
  MemoryOpened,
  MemoryRead,
  MemoryWord,
  OutputWord,
  ReductionLevel,
  ReductionStart,
} from '../../../actors/grape/messages.ts';
import type { OutputContext } from '../../../actors/grape/output-port.ts';
import type { ReductionContext } from '../../../actors/grape/reduction-network.ts';
import { component } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import { altered, planted, recipeOf } from '../../planting.ts';
import type { GrapeFault } from './fault.ts';

const input = component<InputPortContext, InputStart | MemoryOpened | MemoryWord>();
const reduction = component<ReductionContext, ReductionStart | BroadcastWord | ReductionLevel>();
const memory = component<MemoryContext, MemoryRead>();
const output = component<OutputContext, OutputWord>();

/** Faults of the ports and of the reduction network (GRAPE specification 2.10, 3.7, 6.3). */
export const portFaults: readonly GrapeFault[] = [
  {
    id: 'G-09',
    sentence: 'the input port loses the last word of a transfer of records',
    mutate: (parts) => {
      const passOn = recipeOf<InputPortContext, MemoryWord>(parts.inputPort, 'passOn');
      return {
        ...parts,
        inputPort: planted(parts.inputPort, {
          actions: {
            passOn: input.act<'em.word'>((c, event, out) => {
              const last = c.word === c.records * c.units.length - 1;
              passOn(c, event, last ? altered(out, () => []) : out);
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-10',
    sentence: 'the input port swaps the words of the first two blocks',
    mutate: (parts) => {
      const passOn = recipeOf<InputPortContext, MemoryWord>(parts.inputPort, 'passOn');
      return {
        ...parts,
        inputPort: planted(parts.inputPort, {
          actions: {
            passOn: input.act<'em.word'>((c, event, out) => {
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
        }),
      };
    },
  },
  {
    id: 'G-11',
    sentence: 'the input port announces its words when they are there already',
    mutate: (parts) => {
      const announce = recipeOf<InputPortContext, MemoryOpened>(parts.inputPort, 'announce');
      return {
        ...parts,
        inputPort: planted(parts.inputPort, {
          actions: {
            announce: input.act<'em.opened'>((c, event, out) => {
              const { idpHeader, idpLatency } = c.spec.timing;
              const late = (message: Post): Post =>
                message.type === 'bm.announce' ? { ...message, delay: 2 + idpHeader + idpLatency } : message;
              announce(
                c,
                event,
                altered(out, (message) => [late(message)]),
              );
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-12',
    sentence: 'idp in mode 2 moves the read pointer',
    mutate: (parts) => {
      const open = recipeOf<InputPortContext, InputStart>(parts.inputPort, 'open');
      return {
        ...parts,
        inputPort: planted(parts.inputPort, {
          actions: {
            open: input.act<'idp.start'>((c, event, out) =>
              open(
                c,
                event,
                altered(out, (message) => [{ ...message, advance: true } as Post]),
              ),
            ),
          },
        }),
      };
    },
  },
  {
    id: 'G-13',
    sentence: 'external memory gives the record behind the one that is asked for',
    mutate: (parts) => {
      const serve = recipeOf<MemoryContext, MemoryRead>(parts.externalMemory, 'serve');
      return {
        ...parts,
        externalMemory: planted(parts.externalMemory, {
          actions: {
            serve: memory.act((c, event, out) => serve(c, { ...event, record: event.record + 1 }, out)),
          },
        }),
      };
    },
  },
  {
    id: 'G-14',
    sentence: 'the reduction tree has the words of the blocks in reverse order',
    mutate: (parts) => {
      const rise = recipeOf<ReductionContext, BroadcastWord>(parts.reductionNetwork, 'rise');
      return {
        ...parts,
        reductionNetwork: planted(parts.reductionNetwork, {
          actions: {
            rise: reduction.act<'bm.word'>((c, event, out) => {
              c.leaves.reverse();
              rise(c, event, out);
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-15',
    sentence: 'an odd word at the end of a level of the reduction tree is lost',
    mutate: (parts) => {
      const climb = recipeOf<ReductionContext, ReductionLevel>(parts.reductionNetwork, 'climb');
      return {
        ...parts,
        reductionNetwork: planted(parts.reductionNetwork, {
          actions: {
            climb: reduction.act<'rrn.level'>((c, event, out) => {
              const even = event.words.length & ~1;
              climb(c, { ...event, words: event.words.slice(0, Math.max(1, even)) }, out);
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-16',
    sentence: 'the reduction tree does not round',
    mutate: (parts) => {
      const begin = recipeOf<ReductionContext, ReductionStart>(parts.reductionNetwork, 'begin');
      return {
        ...parts,
        reductionNetwork: planted(parts.reductionNetwork, {
          actions: {
            begin: reduction.act<'rrn.start'>((c, event, out) => begin(c, { ...event, round: false }, out)),
          },
        }),
      };
    },
  },
  {
    id: 'G-17',
    sentence: 'the output port lets every second word overtake the one before',
    mutate: (parts) => {
      const send = recipeOf<OutputContext, OutputWord>(parts.outputPort, 'send');
      return {
        ...parts,
        outputPort: planted(parts.outputPort, {
          actions: {
            send: output.act<'out.word'>((c, event, out) => {
              const delay = c.words % 2 === 0 ? 3 : 0;
              send(
                c,
                event,
                altered(out, (message) => [{ ...message, delay }]),
              );
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-18',
    sentence: 'the output port cuts words where it ought to round them',
    mutate: (parts) => ({
      ...parts,
      outputPort: planted(parts.outputPort, {
        actions: {
          send: output.act<'out.word'>((c, { word, op, conv }, out) => {
            c.words++;
            // The digits that a double has no room for.
            const bits = hostWords(conv, op, conv.startsWith('flt') ? word & ~0xffn : word);
            out.post({ to: c.spec.host, type: 'host.result', bits, word, conv });
          }),
        },
      }),
    }),
  },
  {
    id: 'G-19',
    sentence: 'the input port counts as busy two cycles longer than it is',
    mutate: (parts) => {
      const end = recipeOf<InputPortContext>(parts.inputPort, 'end');
      return {
        ...parts,
        inputPort: planted(parts.inputPort, {
          actions: {
            end: input.act((c, event, out) => {
              const late = (message: Post): Post => {
                if (message.type !== 'idp.done') return message;
                const { after, ...rest } = message as Post & InputDone;
                return { ...rest, after: after + 2 } as Post;
              };
              end(
                c,
                event,
                altered(out, (message) => [late(message)]),
              );
            }),
          },
        }),
      };
    },
  },
];
