import type { DescriptorIssue } from '../../../actors/sunway/messages.ts';
import { receiversOf } from '../../../actors/sunway/receivers.ts';
import {
  type Blocks,
  cpeCore,
  type IssueEvent,
  mainMemory,
  type OrderEvent,
  type ReplyOfTransfer,
} from './race/race-event.ts';

/** Told of one increment of a transfer: whose word, in which role, and what it announces. */
export type ReplyVisitor = (
  space: number,
  offset: number,
  role: ReplyOfTransfer['role'],
  announces: ReplyOfTransfer['announces'],
) => void;

/** Visits the words that the transfer of a descriptor will count in (Sunway specification 3.3). */
export function eachReply(
  { kind, tid, remoteTid, localReply, remoteReply, shape, mask, other }: DescriptorIssue,
  group: number,
  cpes: number,
  visit: ReplyVisitor,
): void {
  if (kind === 'dmaBcast') {
    // Every receiver counts in the word of the same name.
    if (localReply === 0) return;
    for (const [copy, one] of receiversOf({ shape, mask, other, tid }, cpes).entries())
      visit(cpeCore(one, group), localReply, 'local', copy);
    return;
  }
  if (localReply !== 0) visit(cpeCore(tid, group), localReply, 'local', isGet(kind) ? 0 : 'source');
  if (remoteReply === 0) return;
  if (kind === 'rmaGet' || kind === 'rmaPut')
    visit(cpeCore(remoteTid, group), remoteReply, 'remote', isGet(kind) ? 'source' : 0);
  else if (kind === 'rmaBcast')
    for (const [copy, one] of receiversOf({ shape, mask, other, tid }, cpes).entries())
      visit(cpeCore(one, group), remoteReply, 'remote', copy);
}

const isGet = (kind: DescriptorIssue['kind']): boolean => kind.endsWith('Get');

/** What a transfer does, as reports name it. */
export const actionOf = (kind: DescriptorIssue['kind']): IssueEvent['action'] =>
  isGet(kind) ? 'get' : kind.endsWith('Put') ? 'put' : 'broadcast';

/** What a descriptor means for the race detector, without who and when (Sunway specification 3.3, 4, 7.2). */
export function transferEvent(
  descriptor: DescriptorIssue,
  group: number,
  cpes: number,
): Omit<IssueEvent, 'core' | 'cycle' | 'operation'> | Pick<OrderEvent, 'kind' | 'engine'> {
  const { kind, transfer, tid, len: bytes, remoteTid, remote } = descriptor;
  const own: Blocks = { space: cpeCore(tid, group), address: descriptor.ldm, bytes };
  const memory: Blocks = {
    space: mainMemory,
    address: descriptor.memory,
    bytes,
    ...(descriptor.stride > 0 && { blockBytes: descriptor.bsize, gap: descriptor.stride }),
  };
  const far: Blocks = { space: cpeCore(remoteTid, group), address: remote, bytes };
  const replies: ReplyOfTransfer[] = [];
  eachReply(descriptor, group, cpes, (space, offset, role, announces) =>
    replies.push({ word: { space, offset }, role, announces }),
  );
  const engine = kind.startsWith('dma') ? ('dma' as const) : ('rma' as const);
  const issue = { kind: 'issue' as const, transfer, engine };
  switch (kind) {
    case 'dmaGet':
      return {
        ...issue,
        action: 'get',
        source: memory,
        copies: [own],
        replies,
      };
    case 'dmaPut':
      return {
        ...issue,
        action: 'put',
        source: own,
        copies: [memory],
        replies,
      };
    case 'dmaBcast': {
      const receivers = receiversOf(descriptor, cpes);
      return {
        ...issue,
        action: 'broadcast',
        source: memory,
        copies: receivers.map((one) => ({ ...own, space: cpeCore(one, group) })),
        replies,
      };
    }
    case 'rmaGet':
      return {
        ...issue,
        action: 'get',
        source: far,
        copies: [own],
        replies,
      };
    case 'rmaPut':
      return {
        ...issue,
        action: 'put',
        source: own,
        copies: [far],
        replies,
      };
    case 'rmaBcast': {
      const receivers = receiversOf(descriptor, cpes);
      return {
        ...issue,
        action: 'broadcast',
        source: own,
        copies: receivers.map((one) => ({ space: cpeCore(one, group), address: remote, bytes })),
        replies,
      };
    }
    case 'dmaBarrier':
      return { kind: 'order', engine: 'dma' };
    case 'rmaBarrier':
      return { kind: 'order', engine: 'rma' };
    case 'allBarrier':
      return { kind: 'order', engine: 'both' };
  }
}
