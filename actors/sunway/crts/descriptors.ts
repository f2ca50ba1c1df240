import type { Descriptor } from '../descriptor.ts';
import type { Primitive } from './primitive.ts';

type Fields = Omit<Descriptor, 'transfer' | 'tid'>;

const nothing: Omit<Fields, 'kind'> = {
  ldm: 0,
  memory: 0,
  len: 0,
  bsize: 0,
  stride: 0,
  remoteTid: 0,
  remote: 0,
  shape: 'array',
  mask: 0,
  other: false,
  localReply: 0,
  remoteReply: 0,
};

/** A descriptor of which only the fields that matter to its kind are given. */
export const descriptor = (fields: Pick<Fields, 'kind'> & Partial<Fields>): Primitive => ({
  op: 'descriptor',
  descriptor: { ...nothing, ...fields },
});
