'use client';

import type { ActionContext } from '../editor/actions/action';
import { useEditor } from '../editor/store-context';
import { EdgeInspector } from './edge-inspector';
import { FlowSettingsPanel } from './flow-settings';
import { ManyInspector } from './many-inspector';
import { NodeInspector } from './node-inspector';

/** What is selected, as a form: one node, one edge, several nodes, or the flow itself. */
export function Inspector({ context }: { context: ActionContext }) {
  const nodes = useEditor((state) => state.selection.nodes);
  const edges = useEditor((state) => state.selection.edges);
  const [first] = nodes;
  const [edge] = edges;
  return (
    <section
      id="inspector"
      tabIndex={-1}
      aria-label="Inspector"
      className="h-full min-h-0 bg-surface outline-none"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        // Escape gives the focus back to the drawing, without letting go of what is selected.
        event.stopPropagation();
        event.preventDefault();
        document.querySelector<HTMLElement>('.react-flow__node.selected, .react-flow__edge.selected')?.focus({ preventScroll: true });
      }}
    >
      {nodes.length === 1 && first !== undefined ? (
        <NodeInspector key={first} id={first} context={context} />
      ) : nodes.length > 1 ? (
        <ManyInspector ids={nodes} context={context} />
      ) : edge !== undefined ? (
        <EdgeInspector key={edge} id={edge} />
      ) : (
        <FlowSettingsPanel />
      )}
    </section>
  );
}
