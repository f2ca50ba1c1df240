import type { Actor } from '../kernel/actor.ts';
import type { Run } from '../kernel/run.ts';

/** What the colour of a shape stands for; a number is one of the series 0 to 6, as for lines of a chart. */
export type Tone = 'rest' | 'work' | 'wait' | 'done' | 'fault' | 'link' | number;

/** A box with words in it, all in px from the upper left corner of the scene. */
export interface SceneBox {
  readonly kind: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly tone: Tone;
  /** Lines of text, in the middle. */
  readonly words?: readonly string[];
  /** How full it is, 0 to 1: filled from below. */
  readonly level?: number;
  /** The actor that a click looks into. */
  readonly actor?: string;
  readonly tooltip?: string;
}

/** A line through points; with a head at its end where it has a direction. */
export interface SceneLine {
  readonly kind: 'line';
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly tone: Tone;
  /** Width in px, 1 to 8. */
  readonly width: number;
  readonly head?: boolean;
  readonly dashed?: boolean;
  readonly tooltip?: string;
}

/** Words beside what they name; `x` is the middle of them. */
export interface SceneText {
  readonly kind: 'text';
  readonly x: number;
  readonly y: number;
  readonly words: string;
  readonly quiet?: boolean;
}

/** A machine as it stands at a moment of a run, as data: who shows it chooses colours and fonts. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** What is going on, in one line. */
  readonly summary: string;
  /** What is drawn first lies below. */
  readonly shapes: readonly (SceneBox | SceneLine | SceneText)[];
  readonly legend: readonly { readonly tone: Tone; readonly words: string }[];
}

/** An actor as a scene draws it; `numbers` are those of the groups in its name. */
export interface NamedActor<Context> {
  readonly name: string;
  readonly state: string;
  readonly waiting: boolean;
  readonly context: Context;
  readonly numbers: readonly number[];
}

/** The actors whose whole names match, in the order of their groups' numbers, each with its context; what a scene is drawn from. */
export function actorsNamed<Context>(run: Run, name: RegExp): readonly NamedActor<Context>[] {
  return run.parts
    .flatMap((actor: Actor) => {
      const match = name.exec(actor.name);
      if (!match) return [];
      const { configuration, context } = actor;
      return {
        name: actor.name,
        state: configuration.name,
        waiting: configuration.waiting,
        context: context as Context,
        numbers: match.slice(1).map(Number),
      };
    })
    .sort((a, b) => compared(a.numbers, b.numbers));
}

const compared = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
};
