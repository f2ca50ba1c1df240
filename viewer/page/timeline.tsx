import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { coloursOf } from './colours.ts';
import { drawTimeline, layout } from './draw-timeline.ts';
import {
  axis,
  fork,
  forkShown,
  goTo,
  lanes,
  lit,
  playHead,
  selected,
  show,
  showAll,
  shown,
  view,
  zoom,
} from './store.ts';

/** The lanes of all actors on a canvas; wheel and drag move it, a click sets the play head. */
export function Timeline() {
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
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);

  const frame = useRef(0);
  const draw = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current;
      if (!element || !lanes.value) return;
      const [width, height] = [element.clientWidth, element.clientHeight];
      const ratio = devicePixelRatio;
      if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
        element.width = Math.round(width * ratio);
        element.height = Math.round(height * ratio);
      }
      const context = element.getContext('2d')!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const most = Math.max(0, shown.value.length * layout.lane - (height - layout.rail - layout.axis));
      scroll.current = Math.max(0, Math.min(scroll.current, most));
      drawTimeline(
        context,
        width,
        height,
        {
          lanes: lanes.value,
          shown: shown.value,
          view: view.value,
          scroll: scroll.current,
          playHead: playHead.value,
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
      lanes.value,
      shown.value,
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

  const placeOf = (event: MouseEvent): number => {
    const [from, to] = view.value;
    const element = canvas.current!;
    return from + ((event.offsetX - layout.names) / (element.clientWidth - layout.names)) * (to - from);
  };
  const actorAt = (event: MouseEvent): number | undefined =>
    shown.value[Math.floor((event.offsetY - layout.rail - layout.axis + scroll.current) / layout.lane)];

  function onWheel(event: WheelEvent): void {
    event.preventDefault();
    const [from, to] = view.value;
    if (event.ctrlKey || event.metaKey) zoom(1.002 ** event.deltaY, placeOf(event));
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = ((event.deltaX || event.deltaY) / 600) * (to - from);
      show(from + by, to + by);
    } else {
      const tall =
        shown.value.length * layout.lane > canvas.current!.clientHeight - layout.rail - layout.axis;
      if (tall && event.offsetX < layout.names) {
        scroll.current += event.deltaY;
        draw();
      } else zoom(1.002 ** event.deltaY, placeOf(event));
    }
  }

  function choose(event: MouseEvent): void {
    const own = lanes.value;
    if (!own) return;
    const actor = event.offsetY > layout.rail + layout.axis ? actorAt(event) : undefined;
    if (actor !== undefined) selected.value = own.run.actors[actor]!.name;
    if (event.offsetX < layout.names) return;
    const place = placeOf(event);
    // The delivery of this lane that is nearest in px, or the last one before the place.
    const near = ((view.value[1] - view.value[0]) / canvas.current!.clientWidth) * 6;
    if (actor !== undefined) {
      const at = own.of[actor]![own.ownFrom(actor, place - near)];
      if (at !== undefined && Math.abs(own.x[at]! - place) <= near) {
        goTo(at);
        return;
      }
    }
    goTo(own.firstFrom(place + near / 6) - 1);
  }

  return (
    <canvas
      ref={canvas}
      class="timeline"
      role="img"
      aria-label="Timeline: a lane for each actor, its states in colour, its deliveries as marks"
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
