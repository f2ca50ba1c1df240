import type { Observer } from '../../kernel/explore/observer.ts';
import { barriersHoldEveryNode } from './barriers-hold-every-node.ts';
import { chainsAreCountedOnce } from './chains-are-counted-once.ts';
import { channelsKeepTheirPace } from './channels-keep-their-pace.ts';
import type { TcaKnown } from './context.ts';
import { creditsComeBack } from './credits-come-back.ts';
import { flagsFollowTheirData } from './flags-follow-their-data.ts';
import { himenoIsAsOneBlock } from './himeno-is-as-one-block.ts';
import { gpuBuffersHoldTheirBytes, linksSendOneByOne } from './links-send-one-by-one.ts';
import { messagesAreHandledOnce } from './messages-are-handled-once.ts';
import { packetsStayInOrder } from './packets-stay-in-order.ts';
import { packetsTakeTheShortestWay } from './packets-take-the-shortest-way.ts';
import { putsAreInPlace } from './puts-are-in-place.ts';
import { queuesAreEmptied } from './queues-are-emptied.ts';
import { readsGetTheirBytes } from './reads-get-their-bytes.ts';
import { readsRetireInOrder } from './reads-retire-in-order.ts';
import { segmentsHoldWhatProgramsSay } from './segments-hold-what-programs-say.ts';
import { tagsBelongToOneRead } from './tags-belong-to-one-read.ts';
import { writesArriveInSequence } from './writes-arrive-in-sequence.ts';

/** The properties of TCA nodes (TCA specification 19): one a sentence. They see messages and probes, and share nothing with the model. */
const properties: readonly ((known: TcaKnown) => Observer)[] = [
  tagsBelongToOneRead,
  readsGetTheirBytes,
  readsRetireInOrder,
  channelsKeepTheirPace,
  writesArriveInSequence,
  flagsFollowTheirData,
  gpuBuffersHoldTheirBytes,
  linksSendOneByOne,
  packetsTakeTheShortestWay,
  chainsAreCountedOnce,
  creditsComeBack,
  queuesAreEmptied,
  packetsStayInOrder,
  messagesAreHandledOnce,
  putsAreInPlace,
  barriersHoldEveryNode,
  segmentsHoldWhatProgramsSay,
  himenoIsAsOneBlock,
];

/** The properties of TCA nodes, for what is given. */
export const tcaProperties = (known: TcaKnown): readonly Observer[] =>
  properties.map((property) => property(known));
