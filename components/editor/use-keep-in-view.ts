import { type RefObject, useEffect, useRef } from 'react';
import { fitOptions } from '../canvas/fit-options';
import type { Instance } from '../canvas/places';
import type { DockSide } from './layout-store';

const margin = 24;

/**
 * The drawing keeps what matters in sight when a panel takes room from it: the card that was clicked does not vanish under the inspector that opens for it, and
 * a panel moved to another side leaves the whole flow in view.
 */
export function useKeepInView(instance: RefObject<Instance | null>, inspector: boolean, side: DockSide): void {
  const sideBefore = useRef(side);
  useEffect(() => {
    if (sideBefore.current === side) return;
    sideBefore.current = side;
    const timer = setTimeout(() => void instance.current?.fitView(fitOptions), 60);
    return () => clearTimeout(timer);
  }, [instance, side]);

  useEffect(() => {
    if (!inspector) return;
    const timer = setTimeout(() => {
      const flow = instance.current;
      const pane = document.querySelector('.bridle-canvas')?.getBoundingClientRect();
      const chosen = document.querySelectorAll('.react-flow__node.selected');
      const card = chosen.length === 1 ? chosen[0] : undefined;
      if (!flow || !pane || !card || card.classList.contains('dragging')) return;
      const covered = card.getBoundingClientRect().right + margin - pane.right;
      if (covered <= 0) return;
      const { x, y, zoom } = flow.getViewport();
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      void flow.setViewport({ x: x - covered, y, zoom }, still ? {} : { duration: 160 });
    }, 60);
    return () => clearTimeout(timer);
  }, [instance, inspector]);
}
