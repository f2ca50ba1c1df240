import { expect, test } from 'vitest';
import { compile } from '../../kernel/compile.ts';
import type { Address, Post } from '../../kernel/message.ts';
import { silentPort } from '../../kernel/port.ts';
import { addressOf } from './address-map.ts';
import type { Descriptor } from './descriptor.ts';
import { dmac } from './dmac.ts';
import type { DmacInput } from './dmac-context.ts';
import type { TcaParameters } from './parameters.ts';

const at = (address: number) => address as Address;
const parameters = {
  dmacStart: 16,
  descriptorFetch: 64,
  readIssueInterval: 3,
  blockOverhead: 8,
  bytesPerTag: 128,
  internalReadLatency: 264,
  tagHold: 196,
  cpuReadLatency: 96,
  stopTail: 0,
  tagsPerChannel: [4, 0, 0, 0],
} as Partial<TcaParameters> as TcaParameters;

const inputOf = (strict: boolean): DmacInput => ({
  node: 0,
  channel: 0,
  tags: at(2),
  router: at(3),
  cpu: at(4),
  registers: at(5),
  ranges: { nodes: 2, cpu: 4096, gpu: 4096 },
  strict,
  seed: 1,
  parameters,
});

/** A port that keeps what is posted. */
function listening() {
  const posts: Post[] = [];
  const put = (message: Post): void => {
    posts.push(message);
  };
  const send = (_to: Address, _delay: number | undefined, one: Post) => put(one);
  return { posts, port: { ...silentPort, post: put, send } };
}

/** What a channel tells the processor about a chain that was rung in past the driver. */
function codeOf(chain: readonly Descriptor[], strict: boolean): string | undefined {
  const { posts, port } = listening();
  const tables = compile(dmac);
  const state = tables.start(inputOf(strict), port);
  tables.react(state, { type: 'dmac.doorbell', chain } as never, port);
  tables.react(state, { type: 'dmac.turn' } as never, port);
  const error = posts.find(({ type }) => type === 'channel.error');
  return (error as (Post & { readonly code: string }) | undefined)?.code;
}

const block = (changes: Partial<Descriptor>): Descriptor => ({
  src: addressOf(0, 'cpu', 0),
  dst: addressOf(1, 'cpu', 0),
  size: 64,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  ...changes,
});

test.each<[string, readonly Descriptor[], string | undefined]>([
  ['a chain that may be', [block({})], undefined],
  ['addresses of two classes', [block({ dst: addressOf(1, 'cpu', 4) })], 'EALIGN'],
  ['an empty block behind a good one', [block({}), block({ size: 0 })], 'ECHAIN'],
  ['no descriptor', [], 'ECHAIN'],
])('a strict channel looks at a chain before it starts: %s', (_, chain, code) => {
  expect(codeOf(chain, true)).toBe(code);
});

test('a channel that is not strict takes what the driver gave it', () => {
  expect(codeOf([block({ dst: addressOf(1, 'cpu', 4) })], false)).toBe(undefined);
});

test('a channel tells who asks when the router has taken its last write: its tags are free before that', () => {
  const { posts, port } = listening();
  const tables = compile(dmac);
  const state = tables.start(inputOf(true), port);
  const sendEach = (...events: object[]): void => {
    for (const event of events) tables.react(state, event as never, port);
  };
  const told = (): number => posts.filter(({ type }) => type === 'writes.taken').length;
  const data = new Uint8Array(8);
  const turn = { type: 'dmac.turn' };

  sendEach({ type: 'dmac.doorbell', chain: [block({ size: 8, data })] }, turn, { type: 'tag.grant', tag: 0 });
  sendEach(turn, { type: 'dmac.internal', tag: 0, data }, { type: 'tag.free' }, turn);
  sendEach({ type: 'writes.ask' });
  expect(told()).toBe(0);

  sendEach({ type: 'write.accepted' });
  expect(told()).toBe(1);
});

test('a doorbell during a chain past a strict driver is refused, and the chain goes on', () => {
  const { posts, port } = listening();
  const tables = compile(dmac);
  const state = tables.start(inputOf(true), port);
  tables.react(state, { type: 'dmac.doorbell', chain: [block({})] } as never, port);
  const { value } = state;
  tables.react(state, { type: 'dmac.doorbell', chain: [block({})] } as never, port);

  expect(posts.filter(({ type }) => type === 'channel.error')).toEqual([
    { to: at(4), type: 'channel.error', channel: 0, code: 'EBUSY' },
  ]);
  expect(state.value).toBe(value);
});
