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

/** What a descriptor means for the race detector, without who and when (Sunway specification 3.3, 4, 7.2). */
export function transferEvent(
  descriptor: DescriptorIssue,
  group: number,
  cpes: number,
): Omit<IssueEvent, 'core' | 'cycle' | 'operation'> | Pick<OrderEvent, 'kind' | 'engine'> {
  const { kind, transfer, tid, len: bytes, remoteTid, remote, localReply, remoteReply } = descriptor;
  const own: Blocks = { space: cpeCore(tid, group), address: descriptor.ldm, bytes };
  const memory: Blocks = {
    space: mainMemory,
    address: descriptor.memory,
    bytes,
    ...(descriptor.stride > 0 && { blockBytes: descriptor.bsize, gap: descriptor.stride }),
  };
  const far: Blocks = { space: cpeCore(remoteTid, group), address: remote, bytes };
  const reply = (
    at: number,
    offset: number,
    role: 'local' | 'remote',
    announces: ReplyOfTransfer['announces'],
  ): readonly ReplyOfTransfer[] =>
    offset === 0 ? [] : [{ word: { space: cpeCore(at, group), offset }, role, announces }];
  const engine = kind.startsWith('dma') ? ('dma' as const) : ('rma' as const);
  const issue = { kind: 'issue' as const, transfer, engine };
  switch (kind) {
    case 'dmaGet':
      return {
        ...issue,
        action: 'get',
        source: memory,
        copies: [own],
        replies: reply(tid, localReply, 'local', 0),
      };
    case 'dmaPut':
      return {
        ...issue,
        action: 'put',
        source: own,
        copies: [memory],
        replies: reply(tid, localReply, 'local', 'source'),
      };
    case 'dmaBcast': {
      const receivers = receiversOf(descriptor, cpes);
      return {
        ...issue,
        action: 'broadcast',
        source: memory,
        copies: receivers.map((one) => ({ ...own, space: cpeCore(one, group) })),
        // Every receiver counts in the word of the same name (Sunway specification 3.3).
        replies: receivers.flatMap((one, copy) => reply(one, localReply, 'local', copy)),
      };
    }
    case 'rmaGet':
      return {
        ...issue,
        action: 'get',
        source: far,
        copies: [own],
        replies: [
          ...reply(tid, localReply, 'local', 0),
          ...reply(remoteTid, remoteReply, 'remote', 'source'),
        ],
      };
    case 'rmaPut':
      return {
        ...issue,
        action: 'put',
        source: own,
        copies: [far],
        replies: [
          ...reply(tid, localReply, 'local', 'source'),
          ...reply(remoteTid, remoteReply, 'remote', 0),
        ],
      };
    case 'rmaBcast': {
      const receivers = receiversOf(descriptor, cpes);
      return {
        ...issue,
        action: 'broadcast',
        source: own,
        copies: receivers.map((one) => ({ space: cpeCore(one, group), address: remote, bytes })),
        replies: [
          ...reply(tid, localReply, 'local', 'source'),
          ...receivers.flatMap((one, copy) => reply(one, remoteReply, 'remote', copy)),
        ],
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
