import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { CoreState } from './gpu/fast/core-state.ts';
import { CoreWarp } from './gpu/fast/core-warp.ts';
import { PendingLoads } from './gpu/fast/pending-loads.ts';
import { WarpSlots } from './gpu/fast/warp-slots.ts';
import { L1Cache } from './gpu/l1-cache.ts';
import { LoadStoreUnit } from './gpu/load-store-unit.ts';
import { MailboxStore } from './gpu/mailbox-store.ts';
import { ResidentBlocks } from './gpu/resident-blocks.ts';
import { ActivityMeter } from './network/activity-meter.ts';
import { EventHeap } from './network/event-heap.ts';
import { InputBuffers } from './network/fast/input-buffers.ts';
import { PayloadStore } from './network/fast/payload-store.ts';
import { RouterState } from './network/fast/router-state.ts';
import { SharedState } from './network/fast/shared-state.ts';
import { PacketBook } from './network/packet-book.ts';
import { RandomStream } from './network/random-stream.ts';
import { RoundRecord } from './network/round-record.ts';
import { DeviceMemory } from './ptx/device-memory.ts';

/** Classes, and the fields that their hash and their copies leave out: fixed ones, those that follow from others, and those that are handed to the constructor of a copy. */
const classes: readonly (readonly [
  string,
  Parameters<typeof fieldsNotIn>[0],
  readonly string[],
  readonly string[],
])[] = [
  [
    'DeviceMemory',
    DeviceMemory,
    ['#shared', '#variables', 'halves', 'high', 'low', 'samplers', 'textures', 'words'],
    [
      '#allocations',
      '#heap',
      '#printed',
      '#variables',
      'bytes',
      'halves',
      'high',
      'low',
      'samplers',
      'textures',
      'words',
    ],
  ],
  ['RoundRecord', RoundRecord, [], []],
  ['PacketBook', PacketBook, ['#flits', '#lent', '#starts'], []],
  ['ActivityMeter', ActivityMeter, ['ports', 'queues', 'words'], []],
  ['EventHeap', EventHeap, [], []],
  ['RandomStream', RandomStream, [], []],
  ['RouterState', RouterState, ['halves', 'registers', 'restless'], ['halves', 'registers']],
  ['SharedState', SharedState, ['queues', 'requested', 'requesters', 'routers'], ['requested', 'requesters']],
  ['InputBuffers', InputBuffers, [], ['#injected', '#injectedRoom', 'cells', 'tables']],
  ['PayloadStore', PayloadStore, ['#left', '#lent', 'stride', 'words'], ['stride']],
  [
    'ResidentBlocks',
    ResidentBlocks,
    ['#ages', '#scratch', 'core', 'slotCount'],
    ['#ages', '#atBarrier', '#blocks', '#scratch', '#warps'],
  ],
  [
    'LoadStoreUnit',
    LoadStoreUnit,
    ['done', 'free', 'missing', 'timing'],
    ['#cache', '#nextRequest', '#requests', 'done', 'free', 'missing'],
  ],
  ['L1Cache', L1Cache, ['#use', 'sets', 'ways'], ['#filling', '#tags', '#use', '#uses']],
  ['MailboxStore', MailboxStore, ['mode'], []],
  [
    'CoreWarp',
    CoreWarp,
    ['age', 'home', 'next', 'slot', 'warp'],
    ['age', 'ahead', 'floor', 'home', 'next', 'ready', 'slot', 'wait', 'warp'],
  ],
  [
    'CoreState',
    CoreState,
    ['#cycles', '#pauses', '#reasonOf', 'account', 'number', 'output', 'own', 'timing'],
    [
      '#blocks',
      '#cycles',
      '#loads',
      '#pauses',
      '#places',
      '#reasonOf',
      '#slots',
      '#units',
      'account',
      'output',
    ],
  ],
  [
    'WarpSlots',
    WarpSlots,
    ['#unit', '#wait', 'timing'],
    ['#byAge', '#earliest', '#free', '#last', '#unit', '#wait', 'timing'],
  ],
  ['PendingLoads', PendingLoads, [], ['#loads', 'next']],
];

test.each(classes)(
  '%s tells states apart by all its fields, and copies them, but for these',
  (_name, one, unhashed, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(unhashed);
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
