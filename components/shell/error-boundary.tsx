'use client';

import { Component, type ReactNode } from 'react';
import { ErrorState } from '../ui/error-state';

interface Props {
  children: ReactNode;
  /** What could not be shown, e.g. "The inspector". */
  what: string;
  /** Drawn instead of the standard state. */
  fallback?: (error: Error, retry: () => void) => ReactNode;
  /** A change of this value clears the error (another node, another run). */
  resetKey?: string;
}

interface State {
  error: Error | null;
  resetKey: string | undefined;
}

/** Keeps one panel's fault from taking the page with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const retry = () => this.setState({ error: null });
    if (this.props.fallback) return this.props.fallback(error, retry);
    return <ErrorState title={`${this.props.what} could not be shown`} message={error.message} onRetry={retry} />;
  }
}
