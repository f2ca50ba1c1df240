import { setup } from 'xstate';
import { component, refused } from '../../../kernel/kit.ts';
import type { FileAppend, FileFill, FilePatch, JobStop } from '../messages.ts';
import { appended, type FileContent, fileOf, patched } from './file-content.ts';

/** The files of a node when its job begins. */
export interface FileStoreInput {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** The files of a node. */
export interface FileStoreContext {
  files: Map<string, FileContent>;
  /** How often anything has changed. */
  changes: number;
}

type FileStoreEvent = FileAppend | FileFill | FilePatch | JobStop;

const { update } = component<FileStoreContext, FileStoreEvent>();

/**
 * The files of a node: what hosts note about tasks, and what CPEs have appended (specification 2.1, 5.7, 6.8).
 *
 * Details: every message is one change, made whole. When the job is stopped at once the files stay as they are.
 */
export const fileStore = setup({
  types: {} as { context: FileStoreContext; events: FileStoreEvent; input: FileStoreInput },
  actions: {
    append: update<'file.append'>((c, { file, data }) => {
      c.files.set(file, appended(c.files.get(file) ?? [], data));
      c.changes++;
    }),
    fill: update<'file.fill'>((c, { file, bytes, value }) => {
      c.files.set(file, fileOf(new Uint8Array(bytes).fill(value)));
      c.changes++;
    }),
    patch: update<'file.patch'>((c, { file, offset, value }) => {
      c.files.set(file, patched(c.files.get(file) ?? [], offset, value));
      c.changes++;
    }),
  },
}).createMachine({
  id: 'fileStore',
  context: ({ input }) => ({
    files: new Map(input.files.map(({ name, bytes }) => [name, fileOf(bytes)])),
    changes: 0,
  }),
  initial: 'open',
  states: {
    open: {
      on: {
        'file.append': { actions: 'append' },
        'file.fill': { actions: 'fill' },
        'file.patch': { actions: 'patch' },
        'job.stop': 'stopped',
      },
    },
    stopped: {
      on: { 'file.append': refused, 'file.fill': refused, 'file.patch': refused, 'job.stop': refused },
    },
  },
});
