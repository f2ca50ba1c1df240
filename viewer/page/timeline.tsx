import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { coloursOf } from './colours.ts';
import { drawTimeline, layout } from './draw-timeline.ts';
import {
  axis,
  filter,
  fork,
  forkShown,
  goTo,
  lanesOf,
  lit,
  playHead,
  selected,
  show,
  showAll,
  shownOf,
  view,
  zoom,
} from './store.ts';

/** The lanes of all actors on a canvas; wheel and drag move it, a click sets the play head. Of two runs that are compared each has one, and both move together. */
export function Timeline({ changed }: { readonly changed: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<readonly [number, number]>([0, 0]);
  const scroll = useRef(0);
  const pressed = useRef<{
    readonly x: number;
    readonly y: number;
    readonly view: readonly [number, number];
    moved: boolean;
  }>();

  useEffect(() => {
    const element = canvas.current!;
    const observer = new ResizeObserver(() => setSize([element.clientWidth, element.clientHeight]));
    observer.observe(element);
    const wheel = (event: WheelEvent) => onWheel(event);
    element.addEventListener('wheel', wheel, { passive: false });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => draw();
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      observer.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);

  const frame = useRef(0);
  const draw = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current;
      const lanes = lanesOf(changed);
      if (!element || !lanes) return;
      const shown = shownOf(lanes);
      const [width, height] = [element.clientWidth, element.clientHeight];
      const ratio = devicePixelRatio;
      if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
        element.width = Math.round(width * ratio);
        element.height = Math.round(height * ratio);
      }
      const context = element.getContext('2d')!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const most = Math.max(0, shown.length * layout.lane - (height - layout.rail - layout.axis));
      scroll.current = Math.max(0, Math.min(scroll.current, most));
      drawTimeline(
        context,
        width,
        height,
        {
          lanes,
          shown,
          view: view.value,
          scroll: scroll.current,
          title: fork.value && (changed ? 'changed run' : 'recorded run'),
          playHead: Math.min(playHead.value, lanes.last),
          selected: selected.value,
          lit: lit.value,
          differs: fork.value?.differs,
        },
        coloursOf(element),
      );
    });
  };
  useSignalEffect(() => {
    // Whatever of it changes, the picture is drawn anew in the next frame.
    void [
      lanesOf(changed),
      filter.value,
      view.value,
      playHead.value,
      selected.value,
      lit.value,
      fork.value,
      forkShown.value,
      axis.value,
    ];
    draw();
  });
  useEffect(draw, [size]);
  useSignalEffect(() => {
    const lanes = lanesOf(changed);
    const row = lanes
      ? shownOf(lanes).findIndex((one) => lanes.run.actors[one]!.name === selected.value)
      : -1;
    const room = (canvas.current?.clientHeight ?? 0) - layout.rail - layout.axis;
    const top = row * layout.lane;
    // A lane that is selected comes into view.
    if (row < 0 || (top >= scroll.current && top + layout.lane <= scroll.current + room)) return;
    scroll.current = top - room / 2;
    draw();
  });

  const placeOf = (event: MouseEvent): number => {
    const [from, to] = view.value;
    const element = canvas.current!;
    return from + ((event.offsetX - layout.names) / (element.clientWidth - layout.names)) * (to - from);
  };
  const shownHere = (): readonly number[] => {
    const lanes = lanesOf(changed);
    return lanes ? shownOf(lanes) : [];
  };
  const actorAt = (event: MouseEvent): number | undefined =>
    shownHere()[Math.floor((event.offsetY - layout.rail - layout.axis + scroll.current) / layout.lane)];

  function onWheel(event: WheelEvent): void {
    event.preventDefault();
    const [from, to] = view.value;
    if (event.ctrlKey || event.metaKey) zoom(1.002 ** event.deltaY, placeOf(event));
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = ((event.deltaX || event.deltaY) / 600) * (to - from);
      show(from + by, to + by);
    } else {
      const tall =
        shownHere().length * layout.lane > canvas.current!.clientHeight - layout.rail - layout.axis;
      if (tall && event.offsetX < layout.names) {
        scroll.current += event.deltaY;
        draw();
      } else zoom(1.002 ** event.deltaY, placeOf(event));
    }
  }

  function choose(event: MouseEvent): void {
    const own = lanesOf(changed);
    if (!own) return;
    forkShown.value = changed;
    const actor = event.offsetY > layout.rail + layout.axis ? actorAt(event) : undefined;
    if (actor !== undefined) selected.value = own.run.actors[actor]!.name;
    if (event.offsetX < layout.names) return;
    const place = placeOf(event);
    // The delivery of this lane that is nearest in px, or the last moment before the place.
    const near = ((view.value[1] - view.value[0]) / canvas.current!.clientWidth) * 6;
    if (actor !== undefined) {
      const at = own.of[actor]![own.ownFrom(actor, place - near)];
      if (at !== undefined && Math.abs(own.x[at]! - place) <= near) {
        goTo(at);
        return;
      }
    }
    goTo(own.before(place + near / 6));
  }

  return (
    <canvas
      ref={canvas}
      class="timeline"
      role="img"
      aria-label={`Timeline${changed ? ' of the changed run' : ''}: a lane for each actor, its states in colour, its deliveries as marks`}
      onPointerDown={(event) => {
        pressed.current = { x: event.offsetX, y: event.offsetY, view: view.value, moved: false };
        canvas.current!.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const from = pressed.current;
        if (!from) return;
        const by = event.offsetX - from.x;
        if (Math.abs(by) + Math.abs(event.offsetY - from.y) > 4) from.moved = true;
        if (!from.moved) return;
        const [low, high] = from.view;
        const places = (by / (canvas.current!.clientWidth - layout.names)) * (high - low);
        show(low - places, high - places);
        scroll.current += from.y - event.offsetY;
        pressed.current = { ...from, y: event.offsetY };
        draw();
      }}
      onPointerUp={(event) => {
        if (pressed.current && !pressed.current.moved) choose(event);
        pressed.current = undefined;
      }}
      onDblClick={showAll}
    />
  );
}
