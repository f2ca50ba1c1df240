import type { Descriptor } from '../descriptor.ts';
import type { Primitive } from './primitive.ts';

type Fields = Omit<Descriptor, 'transfer' | 'tid'>;

/** A descriptor of which only the fields that matter to its kind are given. */
export const descriptor = (fields: Pick<Fields, 'kind'> & Partial<Fields>): Primitive => ({
  op: 'descriptor',
  // Every transfer passes here: fields by name make one shape, at a fraction of what it costs to lay two objects over each other.
  descriptor: {
    ldm: fields.ldm ?? 0,
    memory: fields.memory ?? 0,
    len: fields.len ?? 0,
    bsize: fields.bsize ?? 0,
    stride: fields.stride ?? 0,
    remoteTid: fields.remoteTid ?? 0,
    remote: fields.remote ?? 0,
    shape: fields.shape ?? 'array',
    mask: fields.mask ?? 0,
    other: fields.other ?? false,
    localReply: fields.localReply ?? 0,
    remoteReply: fields.remoteReply ?? 0,
    kind: fields.kind,
  },
});
