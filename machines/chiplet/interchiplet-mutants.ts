import {
  descriptions,
  type LockCommand,
  type TransferCommand,
} from '../../actors/chiplet/interchiplet/commands.ts';
import {
  type FunctionalCoordinatorContext,
  functionalCoordinatorKit,
} from '../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { placeText } from '../../actors/chiplet/interchiplet/place.ts';
import type { RoundLoad } from '../../actors/chiplet/interchiplet/round-messages.ts';
import {
  partnerOf,
  type TimingCoordinatorContext,
  timingCoordinatorKit,
} from '../../actors/chiplet/interchiplet/timing-coordinator.ts';
import type { Outbox } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import type { Mutants } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { InterchipletParts } from './interchiplet-assembly.ts';

const functional = functionalCoordinatorKit;
const timing = timingCoordinatorKit;

/** What a fault does instead of an action of the timing coordinator, with that action at hand. */
type Instead<E> = (
  coordinator: TimingCoordinatorContext,
  event: E,
  out: Outbox,
  sound: (coordinator: TimingCoordinatorContext, event: E, out: Outbox) => void,
) => void;

type TimingAction = (typeof answering)[number] | (typeof keeping)[number] | 'addToTrace';

const plantedTiming = (
  parts: InterchipletParts,
  names: readonly TimingAction[],
  instead: Instead<TransferCommand>,
): InterchipletParts => ({
  ...parts,
  timingCoordinator: planted(parts.timingCoordinator, {
    actions: Object.fromEntries(
      names.map((name) => {
        const sound = recipeOf<TimingCoordinatorContext, TransferCommand>(parts.timingCoordinator, name);
        return [
          name,
          timing.act<TransferCommand['type']>((coordinator, event, out) =>
            instead(coordinator, event, out as Outbox, sound),
          ),
        ];
      }),
    ),
  }),
});

/** A command as if it moved whole pages. */
const inPages = (event: TransferCommand): TransferCommand => ({
  ...event,
  bytes: 4096 * Math.ceil(event.bytes / 4096),
});
const plantedPairing = (parts: InterchipletParts): InterchipletParts => ({
  ...parts,
  timingCoordinator: planted(parts.timingCoordinator, {
    guards: {
      partnerWaits: timing.when<TransferCommand['type']>(
        (coordinator, event) => partnerOf(coordinator, inPages(event)) >= 0,
      ),
    },
  }),
});

const plantedLoad = (
  parts: InterchipletParts,
  instead: (
    coordinator: TimingCoordinatorContext,
    event: RoundLoad,
    sound: (event: RoundLoad) => void,
  ) => void,
): InterchipletParts => {
  const sound = recipeOf<TimingCoordinatorContext, RoundLoad>(parts.timingCoordinator, 'load');
  return {
    ...parts,
    timingCoordinator: planted(parts.timingCoordinator, {
      actions: {
        load: timing.act<'round.load'>((coordinator, event, out) =>
          instead(coordinator, event, (given) => sound(coordinator, given, out as Outbox)),
        ),
      },
    }),
  };
};

/** Actions that use latency records, and those that keep a command for later. */
const answering = ['completeTransfer', 'openBarrier', 'takeLock', 'goOn', 'giveBack', 'handOn'] as const;
const keeping = ['keepEnd', 'arrive', 'queueForLock'] as const;

/** Planted faults of the coordinator. */
export const interchipletMutants: Mutants<InterchipletParts> = new Map([
  [
    'I-01',
    {
      sentence: 'a lock is granted to a second asker',
      mutate: (parts) => {
        const lock = recipeOf<FunctionalCoordinatorContext, LockCommand>(parts.functionalCoordinator, 'lock');
        return {
          ...parts,
          functionalCoordinator: planted(parts.functionalCoordinator, {
            actions: {
              lock: functional.act<LockCommand['type']>((coordinator, event, out) => {
                const held = coordinator.locks[event.uid];
                if (held) held.holder = null;
                lock(coordinator, event, out as Outbox);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'I-02',
    {
      sentence: 'a lock does not know in which cycle it was given back',
      mutate: (parts) =>
        plantedTiming(parts, ['giveBack'], (coordinator, event, out, sound) => {
          sound(coordinator, event, out);
          coordinator.locks[placeText(event.target)]!.last = null;
        }),
    },
  ],
  [
    'I-03',
    {
      sentence: 'the two ends of a transfer find each other whatever their sizes',
      mutate: (parts) =>
        plantedPairing(
          plantedTiming(parts, ['completeTransfer', 'keepEnd'], (coordinator, event, out, sound) =>
            sound(coordinator, inPages(event), out),
          ),
        ),
    },
  ],
  [
    'I-04',
    {
      sentence: 'a barrier lets go when one is still missing',
      mutate: (parts) => {
        const meet = recipeOf<FunctionalCoordinatorContext, { readonly uid: number; readonly count: number }>(
          parts.functionalCoordinator,
          'meet',
        );
        return {
          ...parts,
          functionalCoordinator: planted(parts.functionalCoordinator, {
            actions: {
              meet: functional.act<'command.barrier'>((coordinator, event, out) =>
                meet(coordinator, { ...event, count: Math.max(1, event.count - 1) }, out as Outbox),
              ),
            },
          }),
        };
      },
    },
  ],
  [
    'I-05',
    {
      sentence: 'a barrier is over in time when one has not told its cycle',
      mutate: (parts) =>
        plantedTiming(parts, ['arrive', 'addToTrace'], (coordinator, event, out, sound) => {
          const missing = (event.description & descriptions.barrier) === 0 ? 0 : 1;
          sound(coordinator, { ...event, description: event.description - missing }, out);
        }),
    },
  ],
  [
    'I-06',
    {
      sentence: 'a latency record stays when it has served',
      mutate: (parts) =>
        plantedTiming(parts, answering, (coordinator, event, out, sound) => {
          const before = Object.fromEntries(
            Object.entries(coordinator.records).map(([source, list]) => [source, [...list]]),
          );
          sound(coordinator, event, out);
          coordinator.records = before;
        }),
    },
  ],
  [
    'I-07',
    {
      sentence: 'times of the system are cut to whole numbers',
      mutate: (parts) =>
        plantedTiming(parts, [...answering, ...keeping, 'addToTrace'], (coordinator, event, out, sound) => {
          const rate = coordinator.clockRates[event.by] ?? 1;
          sound(coordinator, { ...event, cycle: Math.floor(event.cycle / rate) * rate }, out);
        }),
    },
  ],
  [
    'I-08',
    {
      sentence: 'data can be read when their last flit has left, not when it has arrived',
      mutate: (parts) =>
        plantedLoad(parts, (_desk, event, sound) =>
          sound({
            ...event,
            records: event.records.map((one) => {
              const [sent = 0, , ...rest] = one.latencies;
              return { ...one, latencies: [sent, sent, ...rest] };
            }),
          }),
        ),
    },
  ],
  [
    'I-09',
    {
      sentence: 'barriers are left out of the trace',
      mutate: (parts) =>
        plantedTiming(parts, ['addToTrace'], (coordinator, event, out, sound) => {
          if ((event.description & descriptions.barrier) === 0) sound(coordinator, event, out);
        }),
    },
  ],
  [
    'I-10',
    {
      sentence: 'every second round does without its latency records',
      mutate: (parts) =>
        plantedLoad(parts, (_desk, event, sound) =>
          sound(event.round % 2 === 0 ? { ...event, records: [] } : event),
        ),
    },
  ],
  [
    'I-11',
    {
      sentence: 'locks do not follow the recorded order',
      mutate: (parts) => {
        const lock = recipeOf<FunctionalCoordinatorContext, LockCommand>(parts.functionalCoordinator, 'lock');
        return {
          ...parts,
          functionalCoordinator: planted(parts.functionalCoordinator, {
            actions: {
              lock: functional.act<LockCommand['type']>((coordinator, event, out) => {
                coordinator.lockOrders = {};
                lock(coordinator, event, out as Outbox);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'I-12',
    {
      sentence: 'SYNC tells how long a transaction took instead of when it was over',
      mutate: (parts) =>
        plantedTiming(parts, ['completeTransfer'], (coordinator, event, out, sound) =>
          sound(
            coordinator,
            event,
            altered(out, (one: Post) =>
              one.type === 'answer.sync'
                ? [{ ...one, cycle: (one as Post & { readonly cycle: number }).cycle - event.cycle } as Post]
                : [one],
            ),
          ),
        ),
    },
  ],
]);
