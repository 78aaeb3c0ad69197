'use client';

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type LanePicture, paintLanes } from './lane-paint';
import { type LaneTheme, readLaneTheme } from './lane-theme';

/** Colours of the page as the canvas needs them, read again when the theme is switched. */
export function useLaneTheme(element: RefObject<Element | null>): LaneTheme | null {
  const [theme, setTheme] = useState<LaneTheme | null>(null);
  useLayoutEffect(() => {
    const read = (): void => {
      if (element.current !== null) setTheme(readLaneTheme(element.current));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
    return () => observer.disconnect();
  }, [element]);
  return theme;
}

export function useSize(element: RefObject<Element | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = (): void => setSize({ width: target.clientWidth, height: target.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Paints after every render and, without rendering, after every scroll: at most once per animation frame. */
export function useLanePaint(
  canvas: RefObject<HTMLCanvasElement | null>,
  picture: Omit<LanePicture, 'scrollTop'> | null,
): (scrollTop: number) => void {
  const latest = useRef({ picture, scrollTop: 0, frame: 0 });
  const paint = (): void => {
    const { picture: wanted, scrollTop } = latest.current;
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (target == null || context == null || wanted === null) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(wanted.width * ratio), Math.round(wanted.height * ratio)];
    if (target.width !== width) target.width = width;
    if (target.height !== height) target.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLanes(context, { ...wanted, scrollTop });
  };
  const schedule = (): void => {
    if (latest.current.frame !== 0) return;
    latest.current.frame = requestAnimationFrame(() => {
      latest.current.frame = 0;
      paint();
    });
  };
  useLayoutEffect(() => {
    latest.current.picture = picture;
    schedule();
  });
  useEffect(() => {
    const state = latest.current;
    return () => {
      cancelAnimationFrame(state.frame);
      state.frame = 0;
    };
  }, []);
  return (scrollTop) => {
    latest.current.scrollTop = scrollTop;
    schedule();
  };
}

/** The clock while a run goes on, four times a second; null when nothing moves. */
export function useTicking(moving: boolean): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    if (!moving) {
      setNow(null);
      return;
    }
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [moving]);
  return now;
}
