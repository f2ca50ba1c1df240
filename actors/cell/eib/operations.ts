/** One piece of a list command: where it is in the other element and how long it is. */
export interface ListElement {
  readonly address: number;
  readonly size: number;
}

/** A DMA command as an MFC gets it: pieces of the other element, and one place after the other in the own store (Cell specification 19.1). */
export interface EibCommand {
  readonly kind: 'get' | 'put';
  /** First address in the own store. */
  readonly local: number;
  /** Number of the other element. */
  readonly element: number;
  /** One piece for a simple command, any number for a list. */
  readonly pieces: readonly ListElement[];
  /** True when the pieces have to be fetched from a list. */
  readonly list: boolean;
  /** Tag group, 0..tagGroups-1. */
  readonly tag: number;
}

/** Gives a command to the own MFC. Result: its number, from 0. Blocks while the queue is full. */
export interface CommandOperation {
  readonly op: 'command';
  readonly command: EibCommand;
}

/** Gives a command to the MFC of another element, through its proxy queue. Result: its number. Blocks while that queue is full. */
export interface ProxyOperation {
  readonly op: 'proxy';
  /** Number of the element whose MFC carries the command out. */
  readonly on: number;
  readonly command: EibCommand;
}

/** Waits until no own command of these tag groups is unfinished. No result. */
export interface WaitOperation {
  readonly op: 'wait';
  /** Tag groups. */
  readonly tags: readonly number[];
}

/** Does nothing before a bus cycle; nothing at all when that cycle has come. No result. */
export interface UntilOperation {
  readonly op: 'until';
  readonly cycle: number;
}

/** What the program of an element may ask for (Cell specification 19.1). */
export type EibOperation = CommandOperation | ProxyOperation | WaitOperation | UntilOperation;

/** What the program gets back: the number of a command, or nothing. */
export type EibResult = number | undefined;

const single =
  (kind: 'get' | 'put') =>
  (local: number, element: number, address: number, size: number, tag = 0): CommandOperation => ({
    op: 'command',
    command: { kind, local, element, pieces: [{ address, size }], list: false, tag },
  });
const listed =
  (kind: 'get' | 'put') =>
  (local: number, element: number, pieces: readonly ListElement[], tag = 0): CommandOperation => ({
    op: 'command',
    command: { kind, local, element, pieces, list: true, tag },
  });

/** `yield getFrom(local, element, address, size)`: from another element to the own store. */
export const getFrom = single('get');
/** `yield putTo(local, element, address, size)`: from the own store to another element. */
export const putTo = single('put');
/** `yield getListFrom(local, element, pieces)`: pieces of another element, one after the other into the own store. */
export const getListFrom = listed('get');
/** `yield putListTo(local, element, pieces)`: the own store, piece by piece, to places of another element. */
export const putListTo = listed('put');
/** `yield onBehalfOf(3, putTo(…))`: the MFC of element 3 carries the command out, with its own store as the local one. */
export const onBehalfOf = (on: number, { command }: CommandOperation): ProxyOperation => ({
  op: 'proxy',
  on,
  command,
});
/** `yield waitForTags(0, 1)`. */
export const waitForTags = (...tags: number[]): WaitOperation => ({ op: 'wait', tags });
/** `yield untilCycle(1000)`. */
export const untilCycle = (cycle: number): UntilOperation => ({ op: 'until', cycle });
