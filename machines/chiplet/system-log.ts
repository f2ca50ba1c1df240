import type { ChipletMessage, ChipletShown } from '../../actors/chiplet/gpu/protocol.ts';
import type { NetworkMessage } from '../../actors/chiplet/network/protocol.ts';
import { coordinatesOf } from '../../actors/chiplet/network/topology/topology.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { below, written } from '../pictures/drawing.ts';
import { type HopRecord, heatMap, heatSketch } from './heat-map.ts';
import { IssuedSpans } from './issued-spans.ts';
import { planOf } from './plan.ts';
import type { WiredSystem } from './system-assembly.ts';
import type { SystemConfig } from './system-config.ts';
import { type SpanRecord, systemTimeline, type TimelineHeader, timelineSketch } from './system-timeline.ts';

/** First record of the event log of a system. */
export interface SystemLogHeader extends TimelineHeader {
  readonly format: 'chiplet-system-log/1';
  readonly mode: SystemConfig['mode'];
  readonly routers: readonly (readonly number[])[];
}

export function systemHeader(name: string, { mode, network, chiplets }: SystemConfig): SystemLogHeader {
  const { topology } = planOf(network, []);
  return {
    format: 'chiplet-system-log/1',
    name,
    mode,
    routers: Array.from({ length: topology.routers }, (_, router) => coordinatesOf(topology, router)),
    chiplets: chiplets.map(({ x, y, kind }) => ({ at: [x, y], kind })),
  };
}

/** Follows a run as hops of flits, kernels, instructions of warps and exchanges of messages, all in cycles of the network. */
export function followSystem(run: Run, wired: WiredSystem, take: (record: object) => void): void {
  const links = new Map(wired.network?.links.map((link) => [link.address as number, link]));
  const hosts = new Map(wired.chiplets.map((one, index) => [one.host as number, index]));
  const mailboxes = new Map(wired.chiplets.map((one, index) => [one.mailbox as number, index]));
  const cores = new Map(
    wired.chiplets.flatMap((one, index) =>
      one.cores.map((core, number) => [core as number, { index, number }] as const),
    ),
  );
  const timeOf = (index: number, cycle: number): number =>
    ((cycle - 1) * wired.chiplets[index]!.cycleTicks) / wired.cycleTicks;
  const open = new Map<string, { readonly cycle: number; readonly operation: 'send' | 'receive' }>();
  const keyOf = (asker: Address, ticket: number): string => `${asker}/${ticket}`;
  const ask = (index: number, { asker, ticket, items, cycle }: ChipletMessage<'mailbox.request'>): void => {
    const receives = items.some(({ operation }) => operation === 'receive');
    open.set(keyOf(asker, ticket), { cycle: timeOf(index, cycle), operation: receives ? 'receive' : 'send' });
  };
  const answer = (
    to: number,
    index: number,
    row: SpanRecord['row'],
    { ticket, cycle }: ChipletMessage<'mailbox.answer'>,
  ) => {
    const asked = open.get(keyOf(to as Address, ticket));
    if (asked === undefined) return;
    open.delete(keyOf(to as Address, ticket));
    const span: SpanRecord = {
      chiplet: index,
      row,
      what: asked.operation,
      from: asked.cycle,
      to: timeOf(index, cycle),
    };
    take(span);
  };
  const issues = new IssuedSpans(take);
  const coreNames = new Map(
    wired.chiplets.flatMap((one, index) =>
      one.cores.map((core, number) => [run.nameOf(core), { index, number }] as const),
    ),
  );
  run.probes$.subscribe(({ actor, probe }) => {
    if (probe.type !== 'warp.issued') return;
    const issued = probe as ChipletShown<'warp.issued'>;
    const { index, number } = coreNames.get(actor)!;
    issues.issued(index, `core ${number} warp ${issued.slot}`, issued, (cycle) => timeOf(index, cycle));
  });
  run.messages$.subscribe(({ message: { to, event } }) => {
    switch (event.type) {
      case 'link.carry': {
        const { from, to: far, port } = links.get(to)!;
        const { cycle, flit, channel } = event as NetworkMessage<'link.carry'>;
        const hop: HopRecord = { t: cycle, from, to: far, port, channel, flit: flit >> 2 };
        take(hop);
        return;
      }
      case 'mailbox.request':
        ask(mailboxes.get(to)!, event as ChipletMessage<'mailbox.request'>);
        return;
      case 'mailbox.answer': {
        const core = cores.get(to);
        if (core) {
          const message = event as ChipletMessage<'mailbox.answer'>;
          answer(to, core.index, `core ${core.number} warp ${message.ticket}`, message);
        } else answer(to, hosts.get(to)!, 'host', event as ChipletMessage<'mailbox.answer'>);
        return;
      }
      case 'grid.done': {
        const index = hosts.get(to)!;
        issues.end(index);
        const { report } = event as ChipletMessage<'grid.done'>;
        const from = timeOf(index, report.start);
        const cycles = (report.cycles * wired.chiplets[index]!.cycleTicks) / wired.cycleTicks;
        const span: SpanRecord = {
          chiplet: index,
          row: 'kernel',
          what: report.kernel,
          from,
          to: from + cycles,
        };
        take(span);
      }
    }
  });
}

const isHop = (record: object): record is HopRecord => 'flit' in record;
const isSpan = (record: object): record is SpanRecord => 'chiplet' in record;

/** The event log as one picture: what each chiplet did over time, and the use of links when messages went over them. */
export function systemPicture(name: string, config: SystemConfig, records: readonly object[]): string {
  const header = systemHeader(name, config);
  const hops = records.filter(isHop);
  const links = { format: 'chiplet-log/1', name: 'use of links', routers: header.routers } as const;
  return written(
    name,
    below([
      systemTimeline(header, records.filter(isSpan)),
      ...(hops.length === 0 ? [] : [heatMap(links, hops)]),
    ]),
  );
}

/** The same as text. */
export function systemSketch(
  name: string,
  config: SystemConfig,
  records: readonly object[],
  width: number,
): string {
  const header = systemHeader(name, config);
  const hops = records.filter(isHop);
  const spans = timelineSketch(header, records.filter(isSpan), width);
  if (hops.length === 0) return spans;
  return `${spans}\n${heatSketch({ format: 'chiplet-log/1', name, routers: header.routers }, hops, width)}`;
}
