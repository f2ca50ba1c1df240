import type { RuntimeContext } from '../../actors/tca/gasnet/runtime-context.ts';
import { needOf } from '../../actors/tca/gasnet/runtime-packets.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import { mutantsOf } from '../mutant.ts';
import { altered, as, plantingIn } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const node = component<RuntimeContext, TcaMessage<'packet.content'>>();
const { instead, replace } = plantingIn<TcaParts>();
type Delivery = NonNullable<RuntimeContext['delivery']>;

/** The ninth argument lies in the second block of a header. */
const ninth = 8;

/** The runtime with another thing posted by one of its actions; `change` sees the context as it was before. */
const posting = (action: string, change: (message: Post, c: RuntimeContext) => object) =>
  instead<RuntimeContext>('runtime', action, (sound, c, event, out) => {
    const seen = { ...c };
    sound(
      c,
      event,
      altered(out, (message) => [change(message, seen) as Post]),
    );
  });

/** The runtime with something else delivered than a packet brings. */
const delivering = (change: (delivery: Delivery) => Delivery) =>
  instead<RuntimeContext>('runtime', 'deliver', (deliver, c, event, out) => {
    deliver(c, event, out);
    c.delivery = change(c.delivery!);
  });

/** The job of a transfer with other data. */
function dataChanged(
  message: Post,
  change: (
    data: NonNullable<TcaMessage<'transfer.begin'>['job']['data']>,
  ) => TcaMessage<'transfer.begin'>['job']['data'],
): object {
  if (message.type !== 'transfer.begin') return message;
  const { job } = as<TcaMessage<'transfer.begin'>>(message);
  return { ...message, job: { ...job, data: job.data && change(job.data) } };
}

/** Planted faults of GASNet that programs see in what they are given, by id (TCA specification 20). */
export const conformanceMutants = mutantsOf<TcaParts>({
  'T-23': {
    sentence: 'the ninth argument of a message is another one',
    mutate: delivering((delivery) => ({
      ...delivery,
      args: delivery.args.map((value, k) => (k === ninth ? (value ^ 1) >>> 0 : value)),
    })),
  },
  'T-24': {
    sentence: 'every fourth reply is taken, and no handler runs',
    mutate: replace('runtime', {
      guards: {
        needsNothing: node.when<'packet.content'>(
          (_c, event) =>
            needOf(event) === 'nothing' ||
            (needOf(event) === 'handler' && event.header.reply && event.header.sequence % 4 === 3),
        ),
      },
    }),
  },
  'T-25': {
    sentence: 'a barrier that does not match is told to be one that does',
    mutate: posting('finish', (message, { call }) => {
      if (message.type !== 'gasnet.return' || call?.call !== 'barrierFinish') return message;
      const { answer } = as<{ readonly answer: { readonly status: string } }>(message);
      const status = answer.status === 'BARRIER_MISMATCH' ? 'OK' : answer.status;
      return { ...message, answer: { ...answer, status } };
    }),
  },
  'T-26': {
    sentence: 'a get brings the bytes four places further on',
    mutate: posting('sendData', (message) =>
      dataChanged(message, (data) => ({ ...data, src: data.src + 4 })),
    ),
  },
  'T-27': {
    sentence: 'blocks are read sixteen bytes further apart than they lie',
    mutate: posting('send', (message) =>
      dataChanged(message, (data) =>
        data.shape.count === 1
          ? data
          : { ...data, shape: { ...data.shape, srcStride: data.shape.srcStride + 16 } },
      ),
    ),
  },
  'T-28': {
    sentence: 'a fill takes the value beside',
    mutate: posting('copyPacket', (message) => {
      const { value } = as<{ readonly value?: number }>(message);
      return value === undefined ? message : { ...message, value: value ^ 1 };
    }),
  },
  'T-29': {
    sentence: 'the last node does not hear that the job is over',
    mutate: posting('askExit', (message) => {
      const { stores } = as<TcaMessage<'pio.store'>>(message);
      return message.type === 'pio.store' ? { ...message, stores: stores.slice(0, -1) } : message;
    }),
  },
  'T-30': {
    sentence: 'the last byte of a medium message is another one',
    mutate: delivering((delivery) => {
      const payload = delivery.payload.slice();
      if (payload.length > 0) payload[payload.length - 1]! ^= 1;
      return { ...delivery, payload };
    }),
  },
  'T-31': {
    sentence: 'a value is read from the byte before',
    mutate: posting('loadValue', (message) =>
      message.type === 'memory.load'
        ? { ...message, addr: as<{ readonly addr: number }>(message).addr - 1 }
        : message,
    ),
  },
});
