import type { PacketContent, TransferBegin } from '../../actors/tca/gasnet/messages.ts';
import type { RuntimeContext } from '../../actors/tca/gasnet/runtime-context.ts';
import { needOf } from '../../actors/tca/gasnet/runtime-packets.ts';
import type { PioStore } from '../../actors/tca/messages.ts';
import { component } from '../../kernel/kit.ts';
import type { LockstepEvent, Post } from '../../kernel/message.ts';
import type { Mutant } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const node = component<RuntimeContext, PacketContent>();
type Delivery = NonNullable<RuntimeContext['delivery']>;

/** The ninth argument lies in the second block of a header. */
const ninth = 8;

/** The runtime with another thing posted by one of its actions. */
function posting(
  parts: TcaParts,
  action: string,
  change: (message: Post, c: RuntimeContext) => readonly Post[],
): TcaParts {
  const before = recipeOf<RuntimeContext>(parts.runtime, action);
  return {
    ...parts,
    runtime: planted(parts.runtime, {
      actions: {
        [action]: node.act((c, event, out) => {
          const seen = { ...c };
          before(
            c,
            event as unknown as LockstepEvent,
            altered(out, (one) => change(one, seen)),
          );
        }),
      },
    }),
  };
}

/** The runtime with something else delivered than a packet brings. */
function delivering(parts: TcaParts, change: (delivery: Delivery) => Delivery): TcaParts {
  const deliver = recipeOf<RuntimeContext>(parts.runtime, 'deliver');
  return {
    ...parts,
    runtime: planted(parts.runtime, {
      actions: {
        deliver: node.act((c, event, out) => {
          deliver(c, event as unknown as LockstepEvent, out);
          c.delivery = change(c.delivery!);
        }),
      },
    }),
  };
}

/** The job of a transfer with other data. */
function dataChanged(
  message: Post,
  change: (data: NonNullable<TransferBegin['job']['data']>) => TransferBegin['job']['data'],
): readonly Post[] {
  if (message.type !== 'transfer.begin') return [message];
  const { job } = message as Post & TransferBegin;
  return [{ ...message, job: { ...job, data: job.data && change(job.data) } } as Post];
}

/** Planted faults of GASNet that programs see in what they are given, by id (TCA specification 20). */
export const conformanceMutants: readonly (readonly [string, Mutant<TcaParts>])[] = [
  [
    'T-23',
    {
      sentence: 'the ninth argument of a message is another one',
      mutate: (parts) =>
        delivering(parts, (delivery) => ({
          ...delivery,
          args: delivery.args.map((value, k) => (k === ninth ? (value ^ 1) >>> 0 : value)),
        })),
    },
  ],
  [
    'T-24',
    {
      sentence: 'every fourth reply is taken, and no handler runs',
      mutate: (parts) => ({
        ...parts,
        runtime: planted(parts.runtime, {
          guards: {
            needsNothing: node.when<'packet.content'>(
              (_c, event) =>
                needOf(event) === 'nothing' ||
                (needOf(event) === 'handler' && event.header.reply && event.header.sequence % 4 === 3),
            ),
          },
        }),
      }),
    },
  ],
  [
    'T-25',
    {
      sentence: 'a barrier that does not match is told to be one that does',
      mutate: (parts) =>
        posting(parts, 'finish', (message, { call }) => {
          if (message.type !== 'gasnet.return' || call?.call !== 'barrierFinish') return [message];
          const { answer } = message as Post & { readonly answer: { readonly status: string } };
          const status = answer.status === 'BARRIER_MISMATCH' ? 'OK' : answer.status;
          return [{ ...message, answer: { ...answer, status } } as Post];
        }),
    },
  ],
  [
    'T-26',
    {
      sentence: 'a get brings the bytes four places further on',
      mutate: (parts) =>
        posting(parts, 'sendData', (message) =>
          dataChanged(message, (data) => ({ ...data, src: data.src + 4 })),
        ),
    },
  ],
  [
    'T-27',
    {
      sentence: 'blocks are read sixteen bytes further apart than they lie',
      mutate: (parts) =>
        posting(parts, 'send', (message) =>
          dataChanged(message, (data) =>
            data.shape.count === 1
              ? data
              : { ...data, shape: { ...data.shape, srcStride: data.shape.srcStride + 16 } },
          ),
        ),
    },
  ],
  [
    'T-28',
    {
      sentence: 'a fill takes the value beside',
      mutate: (parts) =>
        posting(parts, 'copyPacket', (message) => {
          const { value } = message as Post & { readonly value?: number };
          return [value === undefined ? message : ({ ...message, value: value ^ 1 } as Post)];
        }),
    },
  ],
  [
    'T-29',
    {
      sentence: 'the last node does not hear that the job is over',
      mutate: (parts) =>
        posting(parts, 'askExit', (message) => {
          if (message.type !== 'pio.store') return [message];
          const { stores } = message as Post & PioStore;
          return [{ ...message, stores: stores.slice(0, -1) } as Post];
        }),
    },
  ],
  [
    'T-30',
    {
      sentence: 'the last byte of a medium message is another one',
      mutate: (parts) =>
        delivering(parts, (delivery) => {
          const payload = delivery.payload.slice();
          if (payload.length > 0) payload[payload.length - 1]! ^= 1;
          return { ...delivery, payload };
        }),
    },
  ],
  [
    'T-31',
    {
      sentence: 'a value is read from the byte before',
      mutate: (parts) =>
        posting(parts, 'loadValue', (message) => {
          const { addr } = message as Post & { readonly addr: number };
          return [message.type === 'memory.load' ? ({ ...message, addr: addr - 1 } as Post) : message];
        }),
    },
  ],
];
