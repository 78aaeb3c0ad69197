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
      const [node, another] = (flow?.getNodes() ?? []).filter((candidate) => candidate.selected);
      if (!flow || !pane || !node || another || node.dragging) return;
      // The card itself may be gone from the page: what is out of sight is not drawn.
      const place = flow.getInternalNode(node.id)?.internals.positionAbsolute ?? node.position;
      const { x, y, zoom } = flow.getViewport();
      const covered = (place.x + (node.width ?? 0)) * zoom + x + margin - pane.width;
      if (covered <= 0) return;
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      void flow.setViewport({ x: x - covered, y, zoom }, still ? {} : { duration: 160 });
    }, 60);
    return () => clearTimeout(timer);
  }, [instance, inspector]);
}
