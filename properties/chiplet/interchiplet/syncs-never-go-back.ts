import { type InterchipletContext, judging, rateOf } from './context.ts';

/**
 * C2: SYNC is not before the command that it answers (chiplet specification 14).
 *
 * Details: the cycle is divided by a rate and multiplied again, in doubles, and floored (9.3): for some rates that alone loses a cycle, and
 * what it leaves is what counts.
 */
export const syncsNeverGoBack = (context: InterchipletContext) =>
  judging({
    sentence: 'no process goes on before the cycle of its command',
    watches: ['command.write', 'command.read', 'answer.sync'],
    /** By process: the cycle of its command. */
    begin: (): Record<string, number> => ({}),
    see(issued, { from, to: actor, event }, tell) {
      if (event.type !== 'answer.sync') {
        issued[from] = event.cycle;
        return;
      }
      const cycle = issued[actor];
      if (cycle === undefined) {
        tell([actor], `${actor} is told cycle ${event.cycle} without having asked`);
        return;
      }
      delete issued[actor];
      const rate = rateOf(context, actor);
      if (event.cycle < Math.floor((cycle / rate) * rate))
        tell([actor], `${actor} asks in cycle ${cycle} and goes on in cycle ${event.cycle}`);
    },
  });
