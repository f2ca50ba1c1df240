import type { Observer } from '../../kernel/explore/observer.ts';

/** The count of the last ball of each player. */
interface Balls {
  ping: number;
  pong: number;
}

/** Each ball is the next one, and comes back with the count with which it went. */
export const playersStayTogether: Observer<Balls> = {
  sentence: 'each ball that is counted has the next count, and comes back with it',
  watches: ['Ping', 'Pong'],
  begin: () => ({ ping: -1, pong: -1 }),
  see(balls, sight) {
    if (sight.kind !== 'message') return undefined;
    const { type, value } = sight.event as { type: string; value?: number };
    const { ping, pong } = balls;
    if (type === 'Ping') {
      balls.ping = value!;
      if (value === pong + 1 && value === ping + 1) return undefined;
      return { actors: [sight.to], why: `the ball ${value} was counted after the ball ${ping}` };
    }
    balls.pong = value!;
    if (value === ping && value === pong + 1) return undefined;
    return {
      actors: [sight.to],
      why: `the ball ${value} came back and was counted, of which the last was ${pong}`,
    };
  },
};
