import type { GlobalState } from '../../kernel/global-state.ts';

/** A boundary: at most so many messages under way from anybody to anybody else. Who sends again and again would fill a channel for ever. */
export const channelCapacity =
  (capacity: number) =>
  ({ messages }: GlobalState): boolean => {
    const counts = new Map<string, number>();
    return messages.every(({ from, to }) => {
      if (from === to) return true;
      const count = (counts.get(`${from} ${to}`) ?? 0) + 1;
      counts.set(`${from} ${to}`, count);
      return count <= capacity;
    });
  };
