import type { PlainProtocol } from './plain-search.ts';

/** A customer, or a register; customers 0 to n - 1, then the registers of who is choosing, then those of numbers. */
interface Party {
  /** Where a customer is in its program, and at whom it looks. */
  step?: 'rests' | 'door' | 'looks' | 'takes' | 'closes' | 'choice' | 'turn' | 'inside' | 'leaves';
  other?: number;
  number?: number;
  highest?: number;
  rounds?: number;
  value?: number;
  /** What is being written into a register; null for nothing. */
  next?: number | null;
}
type Message = readonly ['read' | 'written'] | readonly ['write' | 'value', number];

/** The bakery; a read while a register is written finds one of so many values, or the old one when there are none. */
export function plainBakery(count: number, rounds: number, anything: number): PlainProtocol<Party, Message> {
  const choosing = (of: number) => count + of;
  const numbers = (of: number) => 2 * count + of;
  /** The customer after one, as another one goes through them; `count` when there is none. */
  const after = (one: number, self: number) => (one + 1 === self ? one + 2 : one + 1);
  return {
    parties: [
      ...Array.from(
        { length: count },
        (): Party => ({ step: 'rests', other: 0, number: 0, highest: 0, rounds }),
      ),
      ...Array.from({ length: 2 * count }, (): Party => ({ value: 0, next: null })),
    ],
    start: (_party, out, self) => self < count && out.set('want'),
    receive(party, [what, value], out, from, self) {
      if (self >= count) {
        const any = self < 2 * count ? Math.min(anything, 2) : anything;
        if (what === 'write') {
          party.next = value!;
          out.set('settle');
        } else out.send(from, ['value', party.next === null || any === 0 ? party.value! : out.pick(any)]);
        return;
      }
      switch (party.step) {
        case 'door':
          party.step = 'looks';
          party.other = after(-1, self);
          out.send(numbers(party.other), ['read']);
          break;
        case 'looks':
          party.highest = Math.max(party.highest!, value!);
          if (after(party.other!, self) < count) {
            party.other = after(party.other!, self);
            out.send(numbers(party.other), ['read']);
          } else {
            party.step = 'takes';
            party.number = party.highest + 1;
            out.send(numbers(self), ['write', party.number]);
          }
          break;
        case 'takes':
          party.step = 'closes';
          out.send(choosing(self), ['write', 0]);
          break;
        case 'closes':
          party.step = 'choice';
          party.other = after(-1, self);
          out.send(choosing(party.other), ['read']);
          break;
        case 'choice':
          if (value === 0) party.step = 'turn';
          out.send((value === 0 ? numbers : choosing)(party.other!), ['read']);
          break;
        case 'turn':
          if (value !== 0 && party.number! * count + self > value! * count + party.other!)
            out.send(numbers(party.other!), ['read']);
          else if (after(party.other!, self) >= count) {
            party.step = 'inside';
            out.set('leave');
          } else {
            party.step = 'choice';
            party.other = after(party.other!, self);
            out.send(choosing(party.other), ['read']);
          }
          break;
        default:
          party.step = 'rests';
          if (party.rounds! > 0) out.set('want');
      }
    },
    timeOut(party, timer, out, self) {
      if (timer === 'want') {
        party.step = 'door';
        out.send(choosing(self), ['write', 1]);
      } else if (timer === 'leave') {
        Object.assign(party, { step: 'leaves', other: 0, number: 0, highest: 0, rounds: party.rounds! - 1 });
        out.send(numbers(self), ['write', 0]);
      } else {
        // Registers have one writer each.
        const writer = self < 2 * count ? self - count : self - 2 * count;
        Object.assign(party, { value: party.next, next: null });
        out.send(writer, ['written']);
      }
    },
    safe: ({ parties }) => parties.filter(({ step }) => step === 'inside').length <= 1,
  };
}
