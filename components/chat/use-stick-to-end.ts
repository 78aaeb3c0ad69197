'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

/** How near the end counts as being there, in pixels. */
const nearEnd = 48;

/** Keeps a growing list at its end while the reader is there, and leaves it alone when they have scrolled up, or while there is no list yet. */
export function useStickToEnd(hasList: boolean) {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticking = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    sticking.current = true;
    setAway(false);
    if (viewport.current) viewport.current.scrollTop = viewport.current.scrollHeight;
  }, []);

  useEffect(() => {
    if (!hasList) return;
    const box = viewport.current;
    const inner = content.current;
    if (box === null || inner === null) return;
    const onScroll = () => {
      sticking.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
      setAway(!sticking.current);
    };
    const observer = new ResizeObserver(() => {
      if (sticking.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, [hasList]);

  return { viewport, content, away, toEnd };
}
