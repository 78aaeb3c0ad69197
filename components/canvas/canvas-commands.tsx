'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { OpenConnection } from './canvas-ui';

/** What cards and panels may ask of the canvas around them. */
export interface CanvasCommands {
  /** Opens the list of what fits this connection beside a button. */
  openPickerAt(connection: OpenConnection, beside: DOMRect): void;
  /** Opens the inspector on a node and moves the focus there. */
  openInspector(id: string): void;
  rename(id: string, label: string): void;
  toggleCollapsed(id: string): void;
  resize(id: string, size: { x: number; y: number; width: number; height: number }): void;
  setConfig(id: string, key: string, value: string): void;
}

const idle: CanvasCommands = {
  openPickerAt: () => {},
  openInspector: () => {},
  rename: () => {},
  toggleCollapsed: () => {},
  resize: () => {},
  setConfig: () => {},
};

const CanvasCommandsContext = createContext<CanvasCommands>(idle);

export function CanvasCommandsProvider({ commands, children }: { commands: CanvasCommands; children: ReactNode }) {
  return <CanvasCommandsContext value={commands}>{children}</CanvasCommandsContext>;
}

/** Outside an editable canvas every command does nothing. */
export const useCanvasCommands = (): CanvasCommands => useContext(CanvasCommandsContext);
