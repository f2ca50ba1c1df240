import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { nodeOf } from './address-map.ts';
import type { Completion, MemoryRead, MemoryWrite } from './messages.ts';
import { inSubTicks, type TcaParameters } from './parameters.ts';

/** A port of a chip (TCA specification 2): the host, the neighbours on the ring, the other ring. */
export type Port = 'N' | 'E' | 'W' | 'S';

/** The links of a chip, and by node the port that leads there. */
export interface RouterInput {
  readonly node: number;
  readonly links: Readonly<Partial<Record<Port, Address>>>;
  readonly ports: readonly Port[];
  readonly parameters: Pick<TcaParameters, 'chipOut' | 'chipTransit'>;
}

/** The router of a chip: how many packets it sent where. */
export interface RouterContext {
  readonly spec: RouterInput;
  sent: Record<Port, number>;
}

type RouterEvent = MemoryRead | MemoryWrite | Completion;

const { act } = component<RouterContext, RouterEvent, RouterEvent>();

function forward(c: RouterContext, packet: MemoryWrite, out: Outbox<RouterEvent>): void {
  const { node, ports, links, parameters } = c.spec;
  const port = ports[nodeOf(packet.addr)];
  const to = port && links[port];
  if (port === undefined || to === undefined)
    throw new Error(`EUR: node ${node} has no way to address ${packet.addr}`);
  c.sent[port]++;
  // What comes from the chip itself has not crossed it.
  const delay = inSubTicks(packet.source === node ? parameters.chipOut : parameters.chipTransit);
  out.post({ ...packet, to, at: packet.at + delay, delay });
}

/** The router of a PEACH2 chip (TCA specification 6): passes writes on by address, reads to the host, completions to who asked. */
export const router = setup({
  types: {} as { context: RouterContext; events: RouterEvent; input: RouterInput },
  actions: {
    forward: act<'tlp.write'>(forward),
    askHost: act<'tlp.read'>((c, packet, out) => {
      const { delay: _delay, ...rest } = packet as MemoryRead & { readonly delay?: number };
      out.post({ ...rest, to: c.spec.links.N! });
    }),
    answer: act<'tlp.completion'>((_c, packet, out) => {
      const { delay: _delay, ...rest } = packet as Completion & { readonly delay?: number };
      out.post({ ...rest, to: packet.requester });
    }),
  },
}).createMachine({
  id: 'router',
  context: ({ input }) => ({ spec: input, sent: { N: 0, E: 0, W: 0, S: 0 } }),
  initial: 'routing',
  states: {
    routing: {
      on: {
        'tlp.write': { actions: 'forward' },
        'tlp.read': { actions: 'askHost' },
        'tlp.completion': { actions: 'answer' },
      },
    },
  },
});
