'use client';

import dynamic from 'next/dynamic';
import type { ActionContext } from './actions/action';
import { useLayout, useLayoutStore } from './layout-store';
import type { RunControl } from './use-run';

// None of these is there at the first look at a flow; each is fetched when it is opened.
const CommandPalette = dynamic(() => import('./command-palette').then((module) => module.CommandPalette), { ssr: false });
const ShortcutsDialog = dynamic(() => import('./shortcuts-dialog').then((module) => module.ShortcutsDialog), { ssr: false });
const RunDialog = dynamic(() => import('./run-dialog').then((module) => module.RunDialog), { ssr: false });
const FindDialog = dynamic(() => import('./find-dialog').then((module) => module.FindDialog), { ssr: false });
const VersionsDialog = dynamic(() => import('./versions-dialog').then((module) => module.VersionsDialog), { ssr: false });
const CompareDialog = dynamic(() => import('./versions-dialog').then((module) => module.CompareDialog), { ssr: false });
const ImportDialog = dynamic(() => import('./import-dialog').then((module) => module.ImportDialog), { ssr: false });

export interface EditorDialogsProps {
  context: ActionContext;
  flowId: string;
  run: RunControl;
}

export function EditorDialogs({ context, flowId, run }: EditorDialogsProps) {
  const dialog = useLayout((state) => state.dialog);
  const runOptions = useLayout((state) => state.runOptions);
  const layout = useLayoutStore();
  const close = (): void => layout.setState({ dialog: null });
  switch (dialog) {
    case 'commands':
      return <CommandPalette context={context} onClose={close} />;
    case 'shortcuts':
      return <ShortcutsDialog context={context} onClose={close} />;
    case 'find':
      return <FindDialog onClose={close} />;
    case 'versions':
      return <VersionsDialog flowId={flowId} onClose={close} />;
    case 'compare':
      return <CompareDialog onClose={close} />;
    case 'import':
      return <ImportDialog context={context} onClose={close} />;
    case 'run':
      return (
        <RunDialog
          flowId={flowId}
          request={{ options: runOptions }}
          busy={run.starting}
          onClose={close}
          onStart={(input, workspace, workspaceMode) => {
            close();
            void run.start({ input, options: { ...runOptions, workspaceMode }, ...(workspace === '' ? {} : { workspace }) });
          }}
        />
      );
    default:
      return null;
  }
}
