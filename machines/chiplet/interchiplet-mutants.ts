import {
  descriptions,
  type LockCommand,
  type TransferCommand,
} from '../../actors/chiplet/interchiplet/commands.ts';
import type { FunctionalCoordinatorContext } from '../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { placeText } from '../../actors/chiplet/interchiplet/place.ts';
import type { RoundLoad } from '../../actors/chiplet/interchiplet/round-messages.ts';
import {
  partnerOf,
  type TimingCoordinatorContext,
  timingCoordinatorKit,
} from '../../actors/chiplet/interchiplet/timing-coordinator.ts';
import type { Post } from '../../kernel/message.ts';
import { mutantsOf } from '../mutant.ts';
import { altered, as, plantingIn, together } from '../planting.ts';
import type { InterchipletParts } from './interchiplet-assembly.ts';

const { hearing, instead, replace } = plantingIn<InterchipletParts>();

/** A command as if it moved whole pages. */
const inPages = (event: TransferCommand): TransferCommand => ({
  ...event,
  bytes: 4096 * Math.ceil(event.bytes / 4096),
});

/** Actions that use latency records, and those that keep a command for later. */
const answering = ['completeTransfer', 'openBarrier', 'takeLock', 'goOn', 'giveBack', 'handOn'] as const;
const keeping = ['keepEnd', 'arrive', 'queueForLock'] as const;

/** What a fault does in place of actions of the timing coordinator. */
const inTime = instead<TimingCoordinatorContext, TransferCommand>;

/** Planted faults of the coordinator. */
export const interchipletMutants = mutantsOf<InterchipletParts>({
  'I-01': {
    sentence: 'a lock is granted to a second asker',
    mutate: instead<FunctionalCoordinatorContext, LockCommand>(
      'functionalCoordinator',
      'lock',
      (lock, coordinator, event, out) => {
        const held = coordinator.locks[event.uid];
        if (held) held.holder = null;
        lock(coordinator, event, out);
      },
    ),
  },
  'I-02': {
    sentence: 'a lock does not know in which cycle it was given back',
    mutate: inTime('timingCoordinator', ['giveBack'], (sound, coordinator, event, out) => {
      sound(coordinator, event, out);
      coordinator.locks[placeText(event.target)]!.last = null;
    }),
  },
  'I-03': {
    sentence: 'the two ends of a transfer find each other whatever their sizes',
    mutate: together(
      hearing<TransferCommand>('timingCoordinator', ['completeTransfer', 'keepEnd'], inPages),
      replace('timingCoordinator', {
        guards: {
          partnerWaits: timingCoordinatorKit.when<TransferCommand['type']>(
            (coordinator, event) => partnerOf(coordinator, inPages(event)) >= 0,
          ),
        },
      }),
    ),
  },
  'I-04': {
    sentence: 'a barrier lets go when one is still missing',
    mutate: hearing<{ readonly count: number }>('functionalCoordinator', 'meet', (event) => ({
      ...event,
      count: Math.max(1, event.count - 1),
    })),
  },
  'I-05': {
    sentence: 'a barrier is over in time when one has not told its cycle',
    mutate: hearing<TransferCommand>('timingCoordinator', ['arrive', 'addToTrace'], (event) => {
      const missing = (event.description & descriptions.barrier) === 0 ? 0 : 1;
      return { ...event, description: event.description - missing };
    }),
  },
  'I-06': {
    sentence: 'a latency record stays when it has served',
    mutate: inTime('timingCoordinator', answering, (sound, coordinator, event, out) => {
      const before = Object.fromEntries(
        Object.entries(coordinator.records).map(([source, list]) => [source, [...list]]),
      );
      sound(coordinator, event, out);
      coordinator.records = before;
    }),
  },
  'I-07': {
    sentence: 'times of the system are cut to whole numbers',
    mutate: hearing<TransferCommand, TimingCoordinatorContext>(
      'timingCoordinator',
      [...answering, ...keeping, 'addToTrace'],
      (event, { clockRates }) => {
        const rate = clockRates[event.by] ?? 1;
        return { ...event, cycle: Math.floor(event.cycle / rate) * rate };
      },
    ),
  },
  'I-08': {
    sentence: 'data can be read when their last flit has left, not when it has arrived',
    mutate: hearing<RoundLoad>('timingCoordinator', 'load', (event) => ({
      ...event,
      records: event.records.map((one) => {
        const [sent = 0, , ...rest] = one.latencies;
        return { ...one, latencies: [sent, sent, ...rest] };
      }),
    })),
  },
  'I-09': {
    sentence: 'barriers are left out of the trace',
    mutate: inTime('timingCoordinator', ['addToTrace'], (sound, coordinator, event, out) => {
      if ((event.description & descriptions.barrier) === 0) sound(coordinator, event, out);
    }),
  },
  'I-10': {
    sentence: 'every second round does without its latency records',
    mutate: hearing<RoundLoad>('timingCoordinator', 'load', (event) =>
      event.round % 2 === 0 ? { ...event, records: [] } : event,
    ),
  },
  'I-11': {
    sentence: 'locks do not follow the recorded order',
    mutate: instead<FunctionalCoordinatorContext>(
      'functionalCoordinator',
      'lock',
      (lock, coordinator, event, out) => {
        coordinator.lockOrders = {};
        lock(coordinator, event, out);
      },
    ),
  },
  'I-12': {
    sentence: 'SYNC tells how long a transaction took instead of when it was over',
    mutate: inTime('timingCoordinator', ['completeTransfer'], (sound, coordinator, event, out) =>
      sound(
        coordinator,
        event,
        altered(out, (message) =>
          message.type === 'answer.sync'
            ? [{ ...message, cycle: as<{ readonly cycle: number }>(message).cycle - event.cycle } as Post]
            : [message],
        ),
      ),
    ),
  },
});
