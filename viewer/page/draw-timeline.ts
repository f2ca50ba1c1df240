import type { Colours } from './colours.ts';
import type { Lanes } from './lanes.ts';

/** The parts of the timeline in px. */
export const layout = { names: 190, rail: 34, axis: 22, lane: 20 } as const;

/** How tall a timeline of so many lanes is, px. */
export const heightOf = (lanes: number): number => layout.rail + layout.axis + (lanes + 1) * layout.lane;

export interface TimelinePicture {
  readonly lanes: Lanes;
  readonly shown: readonly number[];
  readonly view: readonly [number, number];
  /** How far the lanes are scrolled, px. */
  readonly scroll: number;
  /** Which of two runs it is. */
  readonly title: string | undefined;
  readonly playHead: number;
  readonly selected: string | undefined;
  readonly lit: ReadonlySet<number>;
  /** The first delivery that differs from the run that is compared. */
  readonly differs: number | undefined;
}

/** Messages between lanes are drawn when so many fit the view. */
const arrowsMax = 300;
const font = '12px system-ui, sans-serif';

/** Draws the timeline: for each lane the states in colour, deliveries as marks, messages as lines while they are few. Work goes with the pixels, not with the deliveries. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  picture: TimelinePicture,
  colours: Colours,
): void {
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  context.font = font;
  context.textBaseline = 'middle';
  const drawing = new Drawing(context, width, height, picture, colours);
  drawing.axis();
  drawing.lanes();
  drawing.arrows();
  drawing.rail();
  drawing.playHead();
}

class Drawing {
  readonly #top = layout.rail + layout.axis;
  readonly #from: number;
  readonly #scale: number;
  readonly #first: number;
  readonly #next: number;

  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly width: number,
    readonly height: number,
    readonly picture: TimelinePicture,
    readonly colours: Colours,
  ) {
    const [from, to] = picture.view;
    this.#from = from;
    this.#scale = (width - layout.names) / (to - from);
    this.#first = picture.lanes.firstFrom(from);
    this.#next = picture.lanes.firstFrom(to);
  }

  #x(place: number): number {
    return layout.names + (place - this.#from) * this.#scale;
  }

  #laneTop(row: number): number {
    return this.#top + row * layout.lane - this.picture.scroll;
  }

  axis(): void {
    const { context, colours, width, picture } = this;
    const [from, to] = picture.view;
    const step = roundStep(((to - from) / (width - layout.names)) * 90);
    context.fillStyle = colours.quiet;
    context.strokeStyle = colours.line;
    context.textAlign = 'center';
    for (
      let place = Math.ceil(Math.max(0, from) / step) * step;
      place <= Math.min(to, picture.lanes.end);
      place += step
    ) {
      const x = Math.round(this.#x(place)) + 0.5;
      context.beginPath();
      context.moveTo(x, layout.rail + 16);
      context.lineTo(x, this.height);
      context.stroke();
      const words = place.toLocaleString('en');
      const half = context.measureText(words).width / 2;
      context.fillText(words, Math.min(x, width - half), layout.rail + 8);
    }
    context.textAlign = 'left';
    context.fillText(
      picture.lanes.axis === 'order' ? 'deliveries, in order' : 'time in ticks',
      8,
      layout.rail + 8,
    );
  }

  lanes(): void {
    const { context, picture, colours, width, height } = this;
    context.save();
    context.beginPath();
    context.rect(0, this.#top, width, height - this.#top);
    context.clip();
    picture.shown.forEach((actor, row) => {
      const top = this.#laneTop(row);
      if (top > height || top + layout.lane < this.#top) return;
      this.#lane(actor, top);
    });
    // The names stand on their own ground: what is drawn left of the axis goes under it.
    context.fillStyle = colours.ground;
    context.fillRect(0, this.#top, layout.names - 4, height);
    picture.shown.forEach((actor, row) => {
      const top = this.#laneTop(row);
      if (top > height || top + layout.lane < this.#top) return;
      const { name } = picture.lanes.run.actors[actor]!;
      const isSelected = name === picture.selected;
      context.fillStyle = isSelected ? colours.accent : colours.text;
      context.font = isSelected ? `600 ${font}` : font;
      context.textAlign = 'left';
      context.fillText(shortened(context, name, layout.names - 20), 8, top + layout.lane / 2);
    });
    this.#ahead();
    context.restore();
  }

  /** What the run has not come to yet, where it is known how long it gets. */
  #ahead(): void {
    const { context, colours, width, height, picture } = this;
    const { carriedOut, end } = picture.lanes;
    if (carriedOut >= end) return;
    const left = Math.max(layout.names, this.#x(carriedOut));
    const right = Math.min(width, this.#x(end));
    context.fillStyle = colours.lane;
    context.fillRect(left, this.#top, right - left, height);
    const words = 'not carried out yet';
    if (context.measureText(words).width > right - left - 20) return;
    context.fillStyle = colours.quiet;
    context.font = font;
    context.textAlign = 'center';
    context.fillText(words, (left + right) / 2, (this.#top + height) / 2);
  }

  #lane(actor: number, top: number): void {
    const { context, picture, colours } = this;
    const { lanes } = picture;
    const { name } = lanes.run.actors[actor]!;
    if (name === picture.selected) {
      context.fillStyle = colours.lane;
      context.fillRect(0, top, this.width, layout.lane);
    }
    const own = lanes.of[actor]!;
    const [from, to] = picture.view;
    const [first, next] = [lanes.ownFrom(actor, from), lanes.ownFrom(actor, to)];
    const left = Math.max(layout.names, this.#x(0));
    const right = Math.min(this.width, this.#x(lanes.carriedOut));
    if (next - first > this.width / 2) this.#dense(actor, top, left, right);
    else {
      let [x, state] = [left, lanes.stateAt(actor, from)];
      let begun = from;
      const comesTo = (place: number, other: number): void => {
        begun = place;
        // A state in which an actor stays is one span, with its name once.
        if (other === state) return;
        this.#span(state, x, this.#x(place), top);
        [x, state] = [this.#x(place), other];
      };
      for (let index = first; index <= next; index++) {
        const at = index < next ? own[index]! : undefined;
        const until = at === undefined ? to : lanes.x[at]!;
        for (const change of lanes.changesOf(actor, begun, until)) comesTo(change.x, change.state);
        if (at !== undefined) comesTo(until, lanes.run.columns.state[at]!);
      }
      this.#span(state, x, right, top);
      this.#marks(own, first, next, top);
    }
  }

  /** A lane with more deliveries than pixels: for each pixel the state in its middle. */
  #dense(actor: number, top: number, left: number, right: number): void {
    const { lanes } = this.picture;
    let [begun, state] = [left, -1];
    for (let x = Math.floor(left); x <= right; x++) {
      const place = this.#from + (x + 0.5 - layout.names) / this.#scale;
      const here = lanes.stateAt(actor, place);
      if (here === state) continue;
      if (state >= 0) this.#span(state, begun, x, top);
      [begun, state] = [x, here];
    }
    if (state >= 0) this.#span(state, begun, right, top);
  }

  #span(state: number, from: number, to: number, top: number): void {
    const { context, colours, picture } = this;
    const { name, waiting } = picture.lanes.run.states[state]!;
    const width = to - from;
    if (width <= 0) return;
    context.fillStyle = colours.states[state % colours.states.length]!;
    context.fillRect(from, top + 2, Math.max(width, 0.7), layout.lane - 4);
    if (waiting && width > 3) this.#hatch(from, to, top);
    if (width > 34) {
      context.fillStyle = colours.text;
      context.font = '11px system-ui, sans-serif';
      context.textAlign = 'left';
      // Of a state in a state the inner one tells more; a few letters of it tell nothing.
      const fits = (words: string): boolean => context.measureText(words).width <= width - 10;
      const words = [name, name.slice(name.lastIndexOf('.') + 1)].find(fits);
      if (words !== undefined)
        context.fillText(words, Math.max(from, layout.names) + 5, top + layout.lane / 2 + 0.5);
    }
  }

  /** Stripes: the actor waits. */
  #hatch(from: number, to: number, top: number): void {
    const { context, colours } = this;
    context.save();
    context.beginPath();
    context.rect(from, top + 2, to - from, layout.lane - 4);
    context.clip();
    context.strokeStyle = colours.ground;
    context.globalAlpha = 0.75;
    context.lineWidth = 1.5;
    context.beginPath();
    // Stripes stay where they are when the view moves by less than one of them.
    for (let x = Math.floor((from - layout.lane) / 6) * 6; x < to; x += 6) {
      context.moveTo(x, top + layout.lane);
      context.lineTo(x + layout.lane, top);
    }
    context.stroke();
    context.restore();
  }

  #marks(own: Int32Array, first: number, next: number, top: number): void {
    const { context, picture, colours } = this;
    const room = (this.width - layout.names) / Math.max(1, next - first);
    if (room < 3) return;
    for (let index = first; index < next; index++) {
      const at = own[index]!;
      const x = Math.round(this.#x(picture.lanes.x[at]!)) + 0.5;
      context.fillStyle = picture.lit.has(at) ? colours.bad : colours.text;
      context.globalAlpha = picture.lit.has(at) ? 1 : 0.55;
      context.fillRect(x - 0.5, top + 3, picture.lit.has(at) ? 3 : 1, layout.lane - 6);
      context.globalAlpha = 1;
    }
  }

  /** Messages as lines from where they were posted to where they were delivered. */
  arrows(): void {
    const { context, picture, colours, height } = this;
    const many = this.#next - this.#first > arrowsMax;
    if (many && picture.lit.size === 0) return;
    const { columns } = picture.lanes.run;
    const rows = new Map(picture.shown.map((actor, row) => [actor, row]));
    context.save();
    context.beginPath();
    context.rect(layout.names, this.#top, this.width, height - this.#top);
    context.clip();
    for (let at = this.#first; at < this.#next; at++) {
      const isLit = picture.lit.has(at) || at === picture.playHead;
      if (many && !isLit) continue;
      const [sender, receiver, cause] = [columns.from[at]!, columns.to[at]!, columns.cause[at]!];
      const [from, to] = [rows.get(sender), rows.get(receiver)];
      if (from === undefined || to === undefined || cause < 0) continue;
      const [x, y] = [this.#x(picture.lanes.x[at]!), this.#laneTop(to) + layout.lane / 2];
      context.strokeStyle = isLit ? colours.bad : colours.quiet;
      context.globalAlpha = isLit ? 1 : 0.6;
      context.lineWidth = isLit ? 2 : 1;
      context.beginPath();
      context.moveTo(this.#x(picture.lanes.x[cause]!), this.#laneTop(from) + layout.lane / 2);
      context.lineTo(x, y);
      context.stroke();
      context.beginPath();
      context.fillStyle = context.strokeStyle;
      context.arc(x, y, isLit ? 3.5 : 2, 0, 2 * Math.PI);
      context.fill();
    }
    context.restore();
  }

  rail(): void {
    const { context, picture, colours } = this;
    const { lanes } = picture;
    context.fillStyle = colours.quiet;
    context.textAlign = 'left';
    context.font = font;
    if (picture.title !== undefined) context.fillStyle = colours.accent;
    context.fillText(picture.title ?? 'findings, faults, picks', 8, layout.rail / 2);
    context.fillStyle = colours.quiet;
    // A pick for each pixel at most.
    let last = -1;
    for (const { at } of lanes.run.picks) {
      const x = Math.round(this.#x(lanes.x[Math.min(at, lanes.x.length - 1)] ?? 0));
      if (x === last || x < layout.names || x > this.width) continue;
      last = x;
      context.fillRect(x, layout.rail - 8, 1, 6);
    }
    for (const { at, kind } of lanes.run.marks) {
      const x = this.#x(lanes.place(at));
      if (x < layout.names || x > this.width) continue;
      context.fillStyle = kind === 'finding' ? colours.bad : colours.warn;
      context.beginPath();
      if (kind === 'finding') {
        context.moveTo(x - 6, 4);
        context.lineTo(x + 6, 4);
        context.lineTo(x, 15);
      } else {
        context.moveTo(x, 4);
        context.lineTo(x + 5, 10);
        context.lineTo(x, 16);
        context.lineTo(x - 5, 10);
      }
      context.fill();
    }
    if (picture.differs !== undefined) {
      const x = this.#x(lanes.x[Math.min(picture.differs, lanes.x.length - 1)] ?? 0);
      context.fillStyle = colours.accent;
      context.fillRect(x - 1, 0, 2, this.height);
    }
  }

  playHead(): void {
    const { context, picture, colours } = this;
    const x = Math.round(this.#x(picture.lanes.place(picture.playHead))) + 0.5;
    if (x < layout.names || x > this.width) return;
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, layout.rail - 4);
    context.lineTo(x, this.height);
    context.stroke();
    context.fillStyle = colours.accent;
    context.beginPath();
    context.moveTo(x - 6, layout.rail - 10);
    context.lineTo(x + 6, layout.rail - 10);
    context.lineTo(x, layout.rail - 1);
    context.fill();
    context.lineWidth = 1;
  }
}

/** The next of 1, 2, 5, 10, 20 … that is at least this; axes count in whole numbers. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? power * 10;
}

/** A text cut to a width, its end kept: names of actors differ there. */
function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  for (let cut = 1; cut < text.length; cut++) {
    const short = `…${text.slice(cut)}`;
    if (context.measureText(short).width <= width) return short;
  }
  return '';
}
