import { judged, property } from '../property.ts';
import { type ChipletContext, routerIn, said } from './context.ts';

/** What is sent is delivered, once, and where it was sent to (chiplet specification 14, N1, N8, N10). */
export const packetsArriveOnce = property<ChipletContext>(
  'every packet arrives once, at its target, or is lost, and none stays in a network that has come to rest',
  (run, { packets }) =>
    judged(said(run, 'packet.injected', 'packet.finished', 'flit.dropped'), (found) => {
      const under = new Map<number, string>();
      const lost = new Set<number>();

      return {
        see({ actor, event }) {
          if (event.type === 'flit.dropped') {
            lost.add(event.packet);
            return;
          }
          const packet = packets[event.packet];
          if (event.type === 'packet.injected') {
            under.set(event.packet, actor);
            if (packet && (packet.source !== routerIn(actor) || packet.size !== event.size))
              found([actor], `packet ${event.packet} is injected as another one than was given`);
            return;
          }
          if (lost.has(event.packet))
            found([actor], `packet ${event.packet} arrives, of which flits were lost`);
          if (!under.delete(event.packet))
            found([actor], `packet ${event.packet} arrives that is not under way`);
          if (packet && packet.target !== routerIn(actor))
            found([actor], `packet ${event.packet} for router ${packet.target} arrives here`);
        },
        end() {
          if (!run.quiet) return;
          for (const [packet, source] of under)
            if (!lost.has(packet)) found([source], `packet ${packet} has not arrived`);
        },
      };
    }),
);
