import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { unread } from '../../kernel/testing/unread-fields.ts';
import { CoreState } from './gpu/fast/core-state.ts';
import { PendingLoads } from './gpu/fast/pending-loads.ts';
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

/** Classes, and the fields that their copies do not name: those that are handed to the constructor of a copy, or made anew. */
const classes: readonly (readonly [string, Parameters<typeof fieldsNotIn>[0], readonly string[]])[] = [
  [
    'DeviceMemory',
    DeviceMemory,
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
  ['RoundRecord', RoundRecord, []],
  ['PacketBook', PacketBook, []],
  ['ActivityMeter', ActivityMeter, []],
  ['EventHeap', EventHeap, []],
  ['RandomStream', RandomStream, []],
  ['RouterState', RouterState, ['halves', 'registers']],
  ['SharedState', SharedState, ['requested', 'requesters']],
  ['InputBuffers', InputBuffers, ['#injected', '#injectedRoom', 'cells', 'tables']],
  ['PayloadStore', PayloadStore, ['stride']],
  ['ResidentBlocks', ResidentBlocks, ['#ages', '#atBarrier', '#blocks', '#scratch', '#warps']],
  [
    'LoadStoreUnit',
    LoadStoreUnit,
    ['#cache', '#constants', '#nextRequest', '#requests', 'done', 'free', 'missing'],
  ],
  ['L1Cache', L1Cache, ['#filling', '#tags', '#use', '#uses']],
  ['MailboxStore', MailboxStore, []],
  [
    'CoreState',
    CoreState,
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
  ['PendingLoads', PendingLoads, ['#loads', 'next']],
];

test.each(classes)(
  '%s tells states apart by all its fields with a reason for the others, and copies them',
  (name, one, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(Object.keys(unread[name] ?? {}).sort());
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
