import type { Observer } from '../../kernel/explore/observer.ts';
import { channelsHaveOneUser } from './channels-have-one-user.ts';
import type { ChipletContext, ChipletProperty } from './context.ts';
import { creditsCoverBuffers } from './credits-cover-buffers.ts';
import { delaysHaveALeast } from './delays-have-a-least.ts';
import { linksCountToggles } from './links-count-toggles.ts';
import { oneFlitAPort } from './one-flit-a-port.ts';
import { packetsArriveOnce } from './packets-arrive-once.ts';
import { packetsStayTogether } from './packets-stay-together.ts';
import { packetsTakeTheirWay } from './packets-take-their-way.ts';
import { wiresKeepTheirTime } from './wires-keep-their-time.ts';

const all: readonly ChipletProperty[] = [
  packetsArriveOnce,
  packetsStayTogether,
  creditsCoverBuffers,
  channelsHaveOneUser,
  oneFlitAPort,
  wiresKeepTheirTime,
  packetsTakeTheirWay,
  delaysHaveALeast,
  linksCountToggles,
];

/** The properties of a network (chiplet specification 14): one a sentence. They see messages and probes, and share nothing with the model. */
export const chipletProperties = (context: ChipletContext): readonly Observer[] =>
  all.map((property) => property(context));
