import { expect, test } from 'vitest';
import { compile } from '../../../kernel/compile.ts';
import { silentPort } from '../../../kernel/port.ts';
import { bytesOf } from './file-content.ts';
import { type FileStoreContext, fileStore } from './file-store.ts';

const changes = [
  { type: 'file.append', file: 'a', data: Uint8Array.of(7) },
  { type: 'file.fill', file: 'a', bytes: 2, value: 1 },
  { type: 'file.patch', file: 'a', offset: 0, value: 9 },
];

/** The bytes of a file of three after these events. */
function after(...events: readonly { readonly type: string }[]): readonly number[] {
  const machine = compile(fileStore);
  const state = machine.start({ files: [{ name: 'a', bytes: Uint8Array.of(1, 2, 3) }] }, silentPort);
  for (const event of events) machine.react(state, event, silentPort);
  const { files } = state.context as unknown as FileStoreContext;
  return [...bytesOf(files.get('a')!)];
}

test('changes are made one after the other', () => {
  expect(changes.map((one) => after(one))).toEqual([
    [1, 2, 3, 7],
    [1, 1],
    [9, 2, 3],
  ]);
});

test('what comes in the cycle in which the job is stopped, but behind that, changes nothing', () => {
  const stop = { type: 'job.stop' };

  for (const one of [...changes, stop]) expect(after(stop, one)).toEqual([1, 2, 3]);
});
